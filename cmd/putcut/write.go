package main

import (
	"context"

	"github.com/spf13/cobra"

	"putcut/session"
	"putcut/text"
)

type writeOptions struct {
	*Streams
	place
	changing
	path, from string
	expect     string
	revision   string
}

// NewCmdWrite makes the command `write`.
func NewCmdWrite(s *Streams) *cobra.Command {
	opts := &writeOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "write FILE (--expect absent | --expect TAG)",
		Short: "Create a file, or replace the whole of one whose tag is known",
		Example: `  echo hello | putcut write docs/hello.txt --expect absent
  putcut write main.go --expect 4F2A --from new.go`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: opts.completeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.path = args[0]
			if opts.expect == "" {
				return usagef("say what is there now: --expect absent, or --expect with the current tag")
			}
			return writeRun(cmd.Context(), opts)
		},
	}
	opts.place.flags(cmd)
	opts.changing.flags(cmd)
	f := cmd.Flags()
	f.StringVarP(&opts.expect, "expect", "e", "", "what is there now: absent, or the current tag of the file")
	f.StringVar(&opts.from, "from", "", "file with the content (default: the standard input)")
	f.StringVar(&opts.revision, "expected-revision", "", "refuse unless the file has this revision")
	cmd.RegisterFlagCompletionFunc("expect", opts.completeExpect)
	cmd.RegisterFlagCompletionFunc("expected-revision", cobra.NoFileCompletions)
	return cmd
}

func writeRun(ctx context.Context, opts *writeOptions) error {
	rev, err := parseRevision(opts.revision)
	if err != nil {
		return err
	}
	content, err := readInput(ctx, opts.Streams, opts.from, "the content")
	if err != nil {
		return err
	}
	return opts.inSession(ctx, opts.Streams, session.Options{Limits: opts.limits()}, func(s *session.Session) error {
		res, err := s.Write(ctx, session.WriteRequest{
			Path: opts.path, Content: &content, Expect: opts.expect, ExpectedRevision: rev, DryRun: opts.dryRun,
		})
		if err != nil {
			return err
		}
		return opts.print(opts.Streams, &opts.place, res)
	})
}

// parseRevision checks the form of a revision; "" is none.
func parseRevision(s string) (text.Revision, error) {
	ok := len(s) == 0 || len(s) == 64
	for i := 0; ok && i < len(s); i++ {
		ok = s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'f'
	}
	if !ok {
		return "", usagef("%q is no revision: it has 64 lower-case hex digits", s)
	}
	return text.Revision(s), nil
}
