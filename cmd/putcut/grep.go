package main

import (
	"context"

	"github.com/spf13/cobra"

	"putcut/refusal"
	"putcut/session"
)

type grepOptions struct {
	*Streams
	place
	req          session.GrepRequest
	files, count bool
	json         bool
}

// NewCmdGrep makes the command `grep`.
func NewCmdGrep(s *Streams) *cobra.Command {
	opts := &grepOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "grep PATTERN [PATH]",
		Short: "Search files and print matching lines under their tags",
		Long: `grep prints the lines that match a pattern in RE2 syntax, under the tag of each
file, so that they can be edited. It honours .gitignore and skips binary files.
An empty pattern with --files lists files. No match is no failure.`,
		Example: `  putcut grep 'func \w+Run' cmd -C 2
  putcut grep --files '' --glob '*.go'`,
		Args: cobra.RangeArgs(1, 2),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return opts.completeFiles(cmd, args, toComplete)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.req.Pattern = args[0]
			if len(args) > 1 {
				opts.req.Path = args[1]
			}
			switch {
			case opts.files && opts.count:
				return usagef("--files and --count exclude each other")
			case opts.files:
				opts.req.Mode = session.Files
			case opts.count:
				opts.req.Mode = session.Count
			}
			return grepRun(cmd.Context(), opts)
		},
	}
	opts.place.flags(cmd)
	jsonFlag(cmd, &opts.json)
	f := cmd.Flags()
	f.BoolVarP(&opts.req.IgnoreCase, "ignore-case", "i", false, "match letters whatever their case")
	f.BoolVarP(&opts.req.Literal, "literal", "F", false, "take the pattern as plain text")
	f.IntVarP(&opts.req.Context, "context", "C", 0, "lines to print around every match")
	f.StringVar(&opts.req.Glob, "glob", "", "search files that match this pattern only")
	f.IntVar(&opts.req.Limit, "limit", 0, "the most matches to print (default 200)")
	f.BoolVar(&opts.files, "files", false, "print the files alone; their lines do not count as displayed")
	f.BoolVar(&opts.count, "count", false, "print the number of matching lines a file")
	cmd.RegisterFlagCompletionFunc("glob", cobra.NoFileCompletions)
	return cmd
}

// A grepJSON is a search with its rows: what --json prints.
type grepJSON struct {
	*session.GrepResult
	Files []grepFileJSON `json:"files"`
}

type grepFileJSON struct {
	*session.GrepFile
	Rows []refusal.ExcerptRow `json:"rows,omitempty"`
}

func grepRun(ctx context.Context, opts *grepOptions) error {
	return opts.inSession(ctx, opts.Streams, session.Options{}, func(s *session.Session) error {
		res, err := s.Grep(ctx, opts.req)
		if err != nil {
			return err
		}
		if !opts.json {
			return opts.PrintText(res.Text())
		}
		out := grepJSON{res, make([]grepFileJSON, len(res.Files))}
		for i := range res.Files {
			out.Files[i] = grepFileJSON{&res.Files[i], res.Files[i].Rows}
		}
		return opts.PrintJSON(out)
	})
}
