package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"putcut/golden"
	"putcut/parser"
	"putcut/session"
)

type replayOptions struct {
	*Streams
	place
	paths  []string
	update bool
	json   bool
}

// NewCmdReplay makes the command `replay`.
func NewCmdReplay(s *Streams) *cobra.Command {
	opts := &replayOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "replay ARCHIVE... | replay --root DIR SCRIPT...",
		Short: "Run golden archives, or scripts one after the other",
		Long: `replay runs golden archives (*.txtar, and folders of them), each in a fresh
folder, and prints a diff of what does not come out as they say. golden/README.md
is their format.

With --root it applies scripts to the files there, one after the other, as a
session would that had read every file the scripts name: a later script may still
use the tag and the numbers from before an earlier one. It stops at the first
script that is refused; those before it stay applied.`,
		Example: `  putcut replay testdata
  putcut replay --root /tmp/copy one.put two.put`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.paths = args
			if len(opts.roots) > 0 {
				if opts.update {
					return usagef("--update is for archives, and --root for scripts")
				}
				return replayScripts(cmd.Context(), opts)
			}
			return replayRun(cmd.Context(), opts)
		},
	}
	cmd.Flags().StringArrayVar(&opts.roots, "root", nil, "folder whose files scripts are applied to; may be repeated")
	cmd.RegisterFlagCompletionFunc("root", completeDirs)
	jsonFlag(cmd, &opts.json)
	cmd.Flags().BoolVar(&opts.update, "update", false, "rewrite what the archives expect")
	return cmd
}

func replayRun(ctx context.Context, opts *replayOptions) error {
	failed, err := 0, error(nil)
	total := 0
	for _, path := range opts.paths {
		if fi, serr := os.Stat(path); serr != nil {
			return failuref("cannot read the archive: %w", serr)
		} else if !fi.IsDir() && !strings.HasSuffix(path, golden.Ext) {
			return usagef("%s is no archive (*%s); a script needs --root", path, golden.Ext)
		}
		var reports []*golden.Report
		reports, err = golden.RunDir(ctx, path, golden.Options{Update: opts.update})
		for _, r := range reports {
			total++
			if !r.OK() {
				failed++
			}
			if perr := opts.printReport(r); perr != nil {
				return perr
			}
		}
		if err != nil {
			return failure{err}
		}
	}
	if !opts.json {
		opts.Note(fmt.Sprintf("%d of %d archives come out as they say\n", total-failed, total))
	}
	if failed > 0 {
		return quietError(exitRefused)
	}
	return nil
}

func (opts *replayOptions) printReport(r *golden.Report) error {
	switch {
	case opts.json:
		return opts.PrintJSON(struct {
			*golden.Report
			OK bool `json:"ok"`
		}{r, r.OK()})
	case r.Skipped != "":
		return opts.PrintText(fmt.Sprintf("skipped %s: %s\n", r.Name, r.Skipped))
	case r.Updated:
		if err := opts.PrintText(fmt.Sprintf("updated %s\n", r.Name)); err != nil {
			return err
		}
	case r.OK():
		return opts.PrintText(fmt.Sprintf("ok %s\n", r.Name))
	}
	return opts.PrintDiff(r.Diff())
}

// replayScripts applies scripts in order in one session that has read the files
// they name. It stops at the first that is refused.
func replayScripts(ctx context.Context, opts *replayOptions) error {
	engine := newEngine()
	defer engine.Close()
	s, err := session.Open(opts.dirs(), session.Options{Blocks: engine})
	if err != nil {
		return failure{err}
	}
	defer s.Close()
	for _, name := range opts.paths {
		script, err := readInput(ctx, opts.Streams, name, "the script")
		if err != nil {
			return err
		}
		if err := readNamed(ctx, s, script); err != nil {
			return err
		}
		res, err := s.Patch(ctx, session.PatchRequest{Script: script})
		if err != nil {
			opts.Note(fmt.Sprintf("%s is refused:\n", name))
			return err
		}
		if opts.json {
			err = opts.PrintJSON(res)
		} else {
			err = opts.PrintText(res.Text())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readNamed displays the files that a script names to the session. What cannot
// be read is left to the script to be refused for.
func readNamed(ctx context.Context, s *session.Session, script string) error {
	res, err := parser.Parse(script, parser.Limits{})
	if err != nil {
		return nil
	}
	for _, sec := range res.Script.Sections {
		for from := 1; ; {
			read, err := s.Read(ctx, session.ReadRequest{Path: sec.Path, Ranges: fmt.Sprintf("%d-", from)})
			if err != nil || len(read.Shown) == 0 {
				break
			}
			if from = read.Shown[len(read.Shown)-1][1] + 1; from > read.TotalLines {
				break
			}
		}
	}
	return ctx.Err()
}
