package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"putcut/session"
	"putcut/text"
)

type tagOptions struct {
	*Streams
	place
	paths    []string
	encoding string
	json     bool
}

// NewCmdTag makes the command `tag`.
func NewCmdTag(s *Streams) *cobra.Command {
	opts := &tagOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "tag FILE...",
		Short: "Print the header rows of files, for the output of other tools",
		Long: `tag prints the header row [path#TAG] of each file, so that a tool which prints
numbered lines can put it above them. In a session the tag is recorded, and no
line counts as displayed: an edit under it is shown the lines it needs first.`,
		Example:           `  putcut tag main.go && nl -ba -s: main.go`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: opts.completeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.paths = args
			return tagRun(cmd.Context(), opts)
		},
	}
	opts.place.flags(cmd)
	jsonFlag(cmd, &opts.json)
	encodingFlag(cmd, &opts.encoding)
	return cmd
}

// A tagJSON is one file as --json prints it.
type tagJSON struct {
	Path       string        `json:"path"`
	Tag        text.Tag      `json:"tag"`
	Revision   text.Revision `json:"revision"`
	TotalLines int           `json:"total_lines"`
}

func tagRun(ctx context.Context, opts *tagOptions) error {
	return opts.inSession(ctx, opts.Streams, session.Options{}, func(s *session.Session) error {
		return each(ctx, opts.Streams, "putcut tag", opts.json, opts.paths, func(path string) error {
			res, err := s.Mint(ctx, path, opts.encoding)
			if err != nil {
				return err
			}
			if opts.json {
				return opts.PrintJSON(tagJSON{res.Path, res.Tag, res.Revision, res.TotalLines})
			}
			return opts.PrintText(fmt.Sprintf("[%s#%s]\n", res.Path, res.Tag))
		})
	})
}
