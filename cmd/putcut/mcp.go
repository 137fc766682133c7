package main

import (
	"context"

	"github.com/spf13/cobra"
)

type mcpOptions struct {
	*Streams
	place
	structured bool
}

// NewCmdMCP makes the command `mcp`.
func NewCmdMCP(s *Streams) *cobra.Command {
	opts := &mcpOptions{Streams: s}
	cmd := &cobra.Command{
		Use:               "mcp",
		Short:             "Serve the tools over the Model Context Protocol on the standard streams",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return mcpRun(cmd.Context(), opts) },
	}
	opts.place.flags(cmd)
	cmd.Flags().BoolVar(&opts.structured, "structured", false, "give results their structure beside their text")
	return cmd
}

func mcpRun(_ context.Context, _ *mcpOptions) error {
	return failuref("the server is not part of this build")
}
