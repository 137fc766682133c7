package main

import (
	"context"

	"github.com/spf13/cobra"

	"putcut/refusal"
	"putcut/session"
)

type outlineOptions struct {
	*Streams
	place
	paths []string
	json  bool
}

// NewCmdOutline makes the command `outline`.
func NewCmdOutline(s *Streams) *cobra.Command {
	opts := &outlineOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "outline FILE...",
		Short: "Print the declarations of files with their lines, under their tags",
		Long: `outline prints the header row of a file and its declarations with their line
ranges. In a session, rows that are printed in full count as displayed.`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: opts.completeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.paths = args
			return outlineRun(cmd.Context(), opts)
		},
	}
	opts.place.flags(cmd)
	jsonFlag(cmd, &opts.json)
	return cmd
}

// An outlineJSON is an outline with its rows: what --json prints.
type outlineJSON struct {
	*session.OutlineResult
	Rows []refusal.ExcerptRow `json:"rows"`
}

func outlineRun(ctx context.Context, opts *outlineOptions) error {
	return opts.inSession(ctx, opts.Streams, session.Options{}, func(s *session.Session) error {
		return each(ctx, opts.Streams, "putcut outline", opts.json, opts.paths, func(path string) error {
			res, err := s.Outline(ctx, session.OutlineRequest{Path: path})
			switch {
			case err != nil:
				return err
			case opts.json:
				return opts.PrintJSON(outlineJSON{res, rowsOf(res.Rows)})
			}
			return opts.PrintText(res.Text())
		})
	})
}
