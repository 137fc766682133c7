package main

import (
	"context"

	"github.com/spf13/cobra"

	"putcut/refusal"
)

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, s *Streams, args []string) int {
	root := NewCmdRoot(s)
	started := false
	markStart(root, &started)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	if !started {
		err = usageError{err}
	}
	asJSON, _ := cmd.Flags().GetBool("json")
	report(s, cmd.CommandPath(), asJSON, err)
	if !asJSON {
		s.Note(advise(cmd, refusal.As(err)))
	}
	return exitCode(err)
}

// markStart notes when a command starts to run: what fails before is the
// command line.
func markStart(c *cobra.Command, started *bool) {
	if run := c.RunE; run != nil {
		c.RunE = func(cmd *cobra.Command, args []string) error {
			*started = true
			return run(cmd, args)
		}
	}
	for _, sub := range c.Commands() {
		markStart(sub, started)
	}
}

// NewCmdRoot makes the command `putcut` with all its sub-commands.
func NewCmdRoot(s *Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "putcut",
		Short: "Read and edit files by tagged line numbers",
		Long: `putcut prints lines of files under a tag, and applies scripts that name those
lines and supply new content only. A script is applied exactly as written, to
all its files or to none; what cannot be proved right is refused, with what a
retry needs.

Exit codes: 0 done; 1 refused, nothing was written; 2 the command line could not
be understood; 3 a file or a stream failed.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	cmd.SetIn(s.In)
	cmd.SetOut(s.Out)
	cmd.SetErr(s.Err)
	cmd.AddGroup(
		&cobra.Group{ID: "files", Title: "Files:"},
		&cobra.Group{ID: "scripts", Title: "Scripts:"},
		&cobra.Group{ID: "hosts", Title: "For hosts:"},
	)
	add := func(group string, subs ...*cobra.Command) {
		for _, sub := range subs {
			sub.GroupID = group
			cmd.AddCommand(sub)
		}
	}
	add("files", NewCmdRead(s), NewCmdGrep(s), NewCmdWrite(s), NewCmdOutline(s), NewCmdBlocks(s))
	add("scripts", NewCmdApply(s), NewCmdConvert(s), NewCmdReplay(s), NewCmdFmt(s), NewCmdUndo(s), NewCmdLog(s), NewCmdSession(s))
	add("hosts", NewCmdTag(s), NewCmdGuard(s), NewCmdPrompt(s), NewCmdMCP(s), NewCmdVersion(s))
	return cmd
}

// jsonFlag adds --json.
func jsonFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "json", false, "print results and refusals as JSON, one object a row")
}
