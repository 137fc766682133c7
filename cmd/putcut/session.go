package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"putcut/session"
)

// NewCmdSession makes the command `session`.
func NewCmdSession(s *Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session",
		Short: "List and remove the sessions that are kept",
		Long: `--session NAME, or the variable PUTCUT_SESSION, keeps a session between commands:
what was printed under which tag, the calls that can be undone, named registers.
It stays until it is removed; nothing removes it by itself.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return usagef("a command is missing: list or rm") },
	}
	cmd.AddCommand(newCmdSessionList(s), newCmdSessionRm(s))
	return cmd
}

type sessionListOptions struct {
	*Streams
	json bool
}

func newCmdSessionList(s *Streams) *cobra.Command {
	opts := &sessionListOptions{Streams: s}
	cmd := &cobra.Command{
		Use:               "list",
		Short:             "List the sessions that are kept by name",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return sessionListRun(opts) },
	}
	jsonFlag(cmd, &opts.json)
	return cmd
}

// A sessionsJSON is what --json prints, by name.
type sessionsJSON struct {
	Sessions []session.Kept `json:"sessions"`
}

func sessionListRun(opts *sessionListOptions) error {
	kept, err := session.ListKept("")
	if err != nil {
		return err
	}
	if opts.json {
		return opts.PrintJSON(sessionsJSON{append([]session.Kept{}, kept...)})
	}
	var b strings.Builder
	for _, k := range kept {
		fmt.Fprintf(&b, "%s: used %s, %d bytes", k.Name, k.Used.Format(time.DateTime), k.Bytes)
		if k.InUse {
			b.WriteString(", in use")
		}
		b.WriteByte('\n')
	}
	if len(kept) == 0 {
		b.WriteString("(no session is kept)\n")
	}
	return opts.PrintText(b.String())
}

type sessionRmOptions struct {
	*Streams
	names []string
	json  bool
}

func newCmdSessionRm(s *Streams) *cobra.Command {
	opts := &sessionRmOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "rm NAME...",
		Short: "Remove sessions, with what undo kept for them",
		Long: `rm removes sessions by name, or by folder if the name holds a slash. It removes the
files of a session and nothing else: a folder that holds other files stays as it
is, and so does a session that a process has open. Edited files are not touched.`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.names = args
			return sessionRmRun(cmd.Context(), opts)
		},
	}
	jsonFlag(cmd, &opts.json)
	return cmd
}

// A removedJSON is what --json prints of a session that is gone.
type removedJSON struct {
	Removed string `json:"removed"`
}

func sessionRmRun(ctx context.Context, opts *sessionRmOptions) error {
	return each(ctx, opts.Streams, "putcut session rm", opts.json, opts.names, func(name string) error {
		if err := session.RemoveKept(ctx, "", name); err != nil {
			return err
		}
		if opts.json {
			return opts.PrintJSON(removedJSON{name})
		}
		return opts.PrintText("session " + name + " is removed\n")
	})
}
