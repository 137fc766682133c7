package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"putcut/parser"
	"putcut/refusal"
	"putcut/session"
	"putcut/text"
)

type fmtOptions struct {
	*Streams
	scripts []string
	write   bool
	check   bool
	json    bool
}

// NewCmdFmt makes the command `fmt`.
func NewCmdFmt(s *Streams) *cobra.Command {
	opts := &fmtOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "fmt [SCRIPT...]",
		Short: "Print scripts in their canonical form",
		Long: `fmt prints scripts as the engine reads them: spellings it accepts are replaced by
the ones it prefers. A script that it would refuse is refused here too, with the
corrected script where it can be derived.`,
		Example: `  putcut fmt change.put
  putcut fmt --check scripts/*.put`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.scripts = args
			switch {
			case opts.write && opts.check:
				return usagef("--write and --check exclude each other")
			case opts.write && len(args) == 0:
				return usagef("--write needs files")
			case len(args) == 0:
				opts.scripts = []string{"-"}
			}
			return fmtRun(cmd.Context(), opts)
		},
	}
	jsonFlag(cmd, &opts.json)
	f := cmd.Flags()
	f.BoolVarP(&opts.write, "write", "w", false, "write the canonical form to the file")
	f.BoolVar(&opts.check, "check", false, "name the scripts that are not canonical, and exit with 1 if there is one")
	return cmd
}

// A fmtJSON is one script as --json prints it.
type fmtJSON struct {
	Path     string            `json:"path"`
	Changed  bool              `json:"changed"`
	Script   string            `json:"script"`
	Warnings []refusal.Warning `json:"warnings"`
}

func fmtRun(ctx context.Context, opts *fmtOptions) error {
	differs := false
	err := each(ctx, opts.Streams, "putcut fmt", opts.json, opts.scripts, func(name string) error {
		changed, err := fmtScript(ctx, opts, name)
		differs = differs || changed
		return err
	})
	if err == nil && opts.check && differs {
		return quietError(exitRefused)
	}
	return err
}

func fmtScript(ctx context.Context, opts *fmtOptions, name string) (changed bool, err error) {
	src, err := readInput(ctx, opts.Streams, name, "the script")
	if err != nil {
		return false, err
	}
	res, err := parser.Parse(src, parser.Limits{})
	if err != nil {
		if e := refusal.As(err); e != nil && name != "-" {
			e.At(name)
		}
		return false, err
	}
	out := parser.Format(res.Script)
	changed = out != src
	if opts.write && changed {
		if err := overwrite(ctx, name, src, out); err != nil {
			return changed, err
		}
	}
	if opts.json {
		warnings := res.Warnings
		if warnings == nil {
			warnings = []refusal.Warning{}
		}
		return changed, opts.PrintJSON(fmtJSON{name, changed, out, warnings})
	}
	for _, w := range res.Warnings {
		opts.Note(fmt.Sprintf("warning %s: %s: %s\n", w.Code, name, w.Message))
	}
	switch {
	case opts.check && changed:
		return changed, opts.PrintText(name + "\n")
	case opts.check, opts.write:
		return changed, nil
	}
	return changed, opts.Print(out)
}

// overwrite replaces a file the way the engine replaces any: whole or not at
// all, its metadata kept, and only if it still holds what was read.
func overwrite(ctx context.Context, name, old, content string) error {
	s, err := session.Open([]string{filepath.Dir(name)}, session.Options{Detached: true})
	if err != nil {
		return err
	}
	defer s.Close()
	base := filepath.Base(name)
	res, err := s.Mint(ctx, base, "")
	if err != nil {
		return err
	}
	_, err = s.Write(ctx, session.WriteRequest{
		Path: base, Content: &content, Expect: string(res.Tag), ExpectedRevision: text.RevisionOf([]byte(old)),
	})
	return err
}
