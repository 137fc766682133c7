package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"putcut/session"
)

type logOptions struct {
	*Streams
	place
	json bool
}

// NewCmdLog makes the command `log`.
func NewCmdLog(s *Streams) *cobra.Command {
	opts := &logOptions{Streams: s}
	cmd := &cobra.Command{
		Use:               "log",
		Short:             "List the calls of the session that changed something",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return logRun(cmd.Context(), opts)
		},
	}
	opts.place.flags(cmd)
	jsonFlag(cmd, &opts.json)
	return cmd
}

func logRun(ctx context.Context, opts *logOptions) error {
	if opts.named() == "" {
		return usagef("log needs a session: --session NAME, or PUTCUT_SESSION")
	}
	if err := opts.known(); err != nil {
		return err
	}
	return opts.inSession(ctx, opts.Streams, session.Options{}, func(s *session.Session) error {
		calls := s.Calls()
		if opts.json {
			return opts.PrintJSON(logJSON{calls})
		}
		return opts.PrintText(logText(calls))
	})
}

// A logJSON is what --json prints, oldest call first.
type logJSON struct {
	Calls []session.CallInfo `json:"calls"`
}

func logText(calls []session.CallInfo) string {
	var b strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&b, "call %s: %s", c.ID, c.Tool)
		if c.Undone {
			b.WriteString(" (undone)")
		}
		b.WriteByte('\n')
		for _, f := range c.Files {
			b.WriteString("  " + fileRow(f) + "\n")
		}
	}
	if len(calls) == 0 {
		b.WriteString("(no call of this session changed anything)\n")
	}
	return b.String()
}

func fileRow(f session.CallFile) string {
	switch f.Kind {
	case session.Created:
		return fmt.Sprintf("created %s#%s", f.Path, f.NewTag)
	case session.Removed:
		return fmt.Sprintf("removed %s#%s", f.Path, f.OldTag)
	case session.Moved:
		return fmt.Sprintf("moved %s#%s to %s#%s", f.From, f.OldTag, f.Path, f.NewTag)
	}
	return fmt.Sprintf("%s %s#%s, now #%s", f.Kind, f.Path, f.OldTag, f.NewTag)
}
