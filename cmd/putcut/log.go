package main

import (
	"context"

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

func logRun(_ context.Context, opts *logOptions) error {
	if opts.named() == "" {
		return usagef("log needs a session: --session NAME, or PUTCUT_SESSION")
	}
	s, err := openSession(&opts.place, session.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	return failuref("calls are not listed by this build")
}
