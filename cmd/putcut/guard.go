package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"putcut/guard"
	"putcut/session"
)

type guardOptions struct {
	*Streams
	place
	command string
	given   bool
	hook    bool
	json    bool
}

// NewCmdGuard makes the command `guard`.
func NewCmdGuard(s *Streams) *cobra.Command {
	opts := &guardOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "guard [COMMAND]",
		Short: "Name the files that a shell command writes behind the tools' back",
		Long: `guard reads a shell command, or with --hook the JSON that an agent host gives to
its hooks, from its argument or the standard input, and lists the files that the
command writes: how, where in the command, and the tool to use instead. It reads
the command as bash would; it runs nothing.

It watches and never blocks: the exit code is 0 whatever the command does, and
also when it cannot be read, which the error stream then says. A verdict that a
host already gave stands under "verdict" as it came.

With a session, what the files hold now becomes their newest version there, of
which nothing is displayed: so run it after the command, in the folder it ran in.
A command that its host denied has written nothing.`,
		Example: `  putcut guard "sed -i s/a/b/ main.go && make > log"
  putcut guard --hook --json --session s < hook.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] != "-" {
				opts.command, opts.given = args[0], true
			}
			return guardRun(cmd.Context(), opts)
		},
	}
	opts.place.flags(cmd)
	jsonFlag(cmd, &opts.json)
	cmd.Flags().BoolVar(&opts.hook, "hook", false, "the input is the JSON of a host's hook")
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	return cmd
}

func guardRun(ctx context.Context, opts *guardOptions) error {
	if !opts.given {
		var err error
		if opts.command, err = readInput(ctx, opts.Streams, "-", "the command"); err != nil {
			return err
		}
	}
	r := guard.Report{Writes: []guard.Write{}}
	if opts.hook {
		hook, err := guard.AnalyzeHook([]byte(opts.command))
		if err != nil {
			// A host may take a failing hook for a refusal of the command.
			opts.Note("putcut guard: " + err.Error() + "\n")
			r.ParseError = err.Error()
		} else {
			r = hook
		}
	} else {
		r = guard.Analyze(opts.command)
	}
	if opts.named() != "" && !r.Denied {
		if err := opts.note(ctx, r.Paths()); err != nil {
			opts.Note("putcut guard: the session was not told: " + err.Error() + "\n")
		}
	}
	if opts.json {
		return opts.PrintJSON(r)
	}
	return opts.PrintText(r.String())
}

// note tells the session which files the command wrote. Paths are those of the
// folder that the command ran in, whatever the roots are.
func (opts *guardOptions) note(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	for i, p := range paths {
		if rest, ok := strings.CutPrefix(p, "~/"); ok {
			if home, err := os.UserHomeDir(); err == nil {
				p = filepath.Join(home, rest)
			}
		}
		if abs, err := filepath.Abs(filepath.FromSlash(p)); err == nil {
			paths[i] = abs
		}
	}
	return opts.inSession(ctx, opts.Streams, session.Options{}, func(s *session.Session) error {
		return s.NoteOutside(ctx, paths...)
	})
}
