package main

import (
	"context"

	"github.com/spf13/cobra"

	"putcut/session"
)

type undoOptions struct {
	*Streams
	place
	changing
	call string
}

// NewCmdUndo makes the command `undo`.
func NewCmdUndo(s *Streams) *cobra.Command {
	opts := &undoOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "undo [CALL]",
		Short: "Put back what a call of the session changed",
		Long: `undo puts back what a call changed, in all its files or in none, if every file
still is what that call left. Without a call it is the latest that changed
something, an undo included. It needs a session, which keeps what was there.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: opts.completeCalls,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				opts.call = args[0]
			}
			return undoRun(cmd.Context(), opts)
		},
	}
	opts.place.flags(cmd)
	opts.changing.flags(cmd)
	return cmd
}

func undoRun(ctx context.Context, opts *undoOptions) error {
	if opts.named() == "" {
		return usagef("undo needs a session: --session NAME, or PUTCUT_SESSION")
	}
	if err := opts.known(); err != nil {
		return err
	}
	return opts.inSession(ctx, opts.Streams, session.Options{Limits: opts.limits()}, func(s *session.Session) error {
		res, err := s.Undo(ctx, session.UndoRequest{Call: opts.call, DryRun: opts.dryRun})
		if err != nil {
			return err
		}
		return opts.print(opts.Streams, &opts.place, res)
	})
}
