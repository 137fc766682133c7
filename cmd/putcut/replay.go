package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

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
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.paths = args
			return replayRun(cmd.Context(), opts)
		},
	}
	opts.place.flags(cmd)
	jsonFlag(cmd, &opts.json)
	cmd.Flags().BoolVar(&opts.update, "update", false, "rewrite what the archives expect")
	return cmd
}

func replayRun(ctx context.Context, opts *replayOptions) error {
	return replayScripts(ctx, opts)
}

// replayScripts applies scripts in order, as one session would that had read
// every file they name: a later script may still name the tag and the numbers
// that an earlier one left behind. It stops at the first that is refused.
func replayScripts(ctx context.Context, opts *replayOptions) error {
	s, err := session.Open(opts.dirs(), session.Options{Blocks: newEngine()})
	if err != nil {
		return err
	}
	defer s.Close()
	for _, name := range opts.paths {
		script, err := readInput(opts.Streams, name, "the script")
		if err != nil {
			return err
		}
		if err := readNamed(ctx, s, script); err != nil {
			return err
		}
		res, err := s.Patch(ctx, session.PatchRequest{Script: script})
		if err != nil {
			if !opts.json {
				opts.Note(fmt.Sprintf("%s: refused\n", name))
			}
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
