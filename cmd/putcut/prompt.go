package main

import (
	"github.com/spf13/cobra"

	"putcut/internal/prompt"
)

type promptOptions struct {
	*Streams
	json bool
}

// NewCmdPrompt makes the command `prompt`.
func NewCmdPrompt(s *Streams) *cobra.Command {
	opts := &promptOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "prompt",
		Short: "Print the instructions for the model that calls the tools",
		Long: `prompt prints what a model has to know to read and edit with these tools, as
Markdown. The examples in it were run through the engine.`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return promptRun(opts) },
	}
	jsonFlag(cmd, &opts.json)
	return cmd
}

func promptRun(opts *promptOptions) error {
	if opts.json {
		return opts.PrintJSON(map[string]string{"prompt": prompt.Text()})
	}
	return opts.Print(prompt.Text())
}
