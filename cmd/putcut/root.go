package main

import (
	"context"

	"github.com/spf13/cobra"

	"putcut/refusal"
)

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, s *Streams, args []string) int {
	root := rootFor(s, args)
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

// commands are the sub-commands in the order of the help.
var commands = []struct {
	name, group string
	make        func(*Streams) *cobra.Command
}{
	{"read", "files", NewCmdRead},
	{"grep", "files", NewCmdGrep},
	{"write", "files", NewCmdWrite},
	{"outline", "files", NewCmdOutline},
	{"blocks", "files", NewCmdBlocks},
	{"apply", "scripts", NewCmdApply},
	{"convert", "scripts", NewCmdConvert},
	{"replay", "scripts", NewCmdReplay},
	{"fmt", "scripts", NewCmdFmt},
	{"undo", "scripts", NewCmdUndo},
	{"log", "scripts", NewCmdLog},
	{"session", "scripts", NewCmdSession},
	{"tag", "hosts", NewCmdTag},
	{"guard", "hosts", NewCmdGuard},
	{"prompt", "hosts", NewCmdPrompt},
	{"mcp", "hosts", NewCmdMCP},
	{"version", "hosts", NewCmdVersion},
}

// rootFor is the command `putcut` as far as a command line needs it: when its
// first word names a sub-command, nothing asks for the others.
func rootFor(s *Streams, args []string) *cobra.Command {
	if len(args) > 0 {
		for _, c := range commands {
			if c.name == args[0] {
				return newRoot(s, c.name)
			}
		}
	}
	return NewCmdRoot(s)
}

// NewCmdRoot makes the command `putcut` with all its sub-commands.
func NewCmdRoot(s *Streams) *cobra.Command { return newRoot(s, "") }

// newRoot makes the command with one of its sub-commands, or with all.
func newRoot(s *Streams, only string) *cobra.Command {
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
	cmd.CompletionOptions.DisableDefaultCmd = only != ""
	for _, c := range commands {
		if only == "" || c.name == only {
			sub := c.make(s)
			sub.GroupID = c.group
			cmd.AddCommand(sub)
		}
	}
	return cmd
}

// jsonFlag adds --json.
func jsonFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "json", false, "print results and refusals as JSON, one object a row")
}
