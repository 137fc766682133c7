package main

import (
	"context"

	"github.com/spf13/cobra"

	"putcut/refusal"
	"putcut/session"
)

type readOptions struct {
	*Streams
	place
	paths []string
	req   session.ReadRequest
	json  bool
}

// NewCmdRead makes the command `read`.
func NewCmdRead(s *Streams) *cobra.Command {
	opts := &readOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "read FILE...",
		Short: "Print numbered lines of files under their tags",
		Example: `  putcut read main.go
  putcut read main.go --lines 40-80,200-`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: opts.completeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.paths = args
			return readRun(cmd.Context(), opts)
		},
	}
	opts.place.flags(cmd)
	jsonFlag(cmd, &opts.json)
	f := cmd.Flags()
	f.StringVarP(&opts.req.Ranges, "lines", "l", "", "lines to print, such as 40-80,200- (default: all that fit on a page)")
	encodingFlag(cmd, &opts.req.Encoding)
	f.IntVar(&opts.req.MaxColumns, "max-columns", 0, "characters of a line that are printed (default 2000)")
	f.StringVar(&opts.req.Ranges, "ranges", "", "")
	f.MarkHidden("ranges") // what the tool calls it, and a notice that a page is full
	cmd.RegisterFlagCompletionFunc("lines", cobra.NoFileCompletions)
	return cmd
}

func encodingFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "encoding", "", "encoding of the file by its WHATWG label (default: UTF-8, or UTF-16 by its mark)")
	cmd.RegisterFlagCompletionFunc("encoding", cobra.FixedCompletions(encodingLabels, cobra.ShellCompDirectiveNoFileComp))
}

// A readJSON is a read with its rows: what --json prints.
type readJSON struct {
	*session.ReadResult
	Rows []refusal.ExcerptRow `json:"rows"`
}

func readRun(ctx context.Context, opts *readOptions) error {
	return opts.inSession(ctx, opts.Streams, session.Options{}, func(s *session.Session) error {
		return each(ctx, opts.Streams, "putcut read", opts.json, opts.paths, func(path string) error {
			req := opts.req
			req.Path = path
			res, err := s.Read(ctx, req)
			switch {
			case err != nil:
				return err
			case opts.json:
				return opts.PrintJSON(readJSON{res, rowsOf(res.Rows)})
			}
			return opts.PrintText(res.Text())
		})
	})
}

// rowsOf is rows as JSON knows them: a list, if an empty one.
func rowsOf(rows []refusal.ExcerptRow) []refusal.ExcerptRow {
	if rows == nil {
		return []refusal.ExcerptRow{}
	}
	return rows
}
