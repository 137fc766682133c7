package main

import (
	"context"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"putcut/blocks"
	"putcut/mcpserver"
	"putcut/session"
)

type mcpOptions struct {
	*Streams
	roots      []string
	http       string
	tokenFile  string
	origins    []string
	structured bool
	prefix     string
	without    []string
	structure  string
}

// NewCmdMCP makes the command `mcp`.
func NewCmdMCP(s *Streams) *cobra.Command {
	opts := &mcpOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the tools over the Model Context Protocol, on the standard streams or over HTTP",
		Long: `Serve read, grep, write, edit, patch, outline and undo over the Model Context
Protocol. On the standard streams the process has one session; over HTTP each
client gets its own, named by a handle.

Over HTTP the server listens on loopback addresses, unless it has a bearer token:
a file named by --token-file, or the variable PUTCUT_TOKEN.`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return mcpRun(cmd.Context(), opts) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&opts.roots, "root", nil, "folder that paths are relative to and stay within; repeat it for more folders (default: the current directory)")
	f.StringVar(&opts.http, "http", "", "listen on this address instead of the standard streams, for example 127.0.0.1:7333")
	f.StringVar(&opts.tokenFile, "token-file", "", "file with the bearer token that HTTP clients must send (default: $PUTCUT_TOKEN)")
	f.StringArrayVar(&opts.origins, "origin", nil, "value of the Origin header to allow beside the server's own")
	f.BoolVar(&opts.structured, "structured", false, "give results their structure beside their text")
	f.StringVar(&opts.prefix, "prefix", "", "text before every tool's name")
	f.StringArrayVar(&opts.without, "without", nil, "tool to leave out, for example undo or outline")
	f.StringVar(&opts.structure, "structure", "", "what becomes of an edit that breaks syntax: repair, warn, refuse or off (default: repair)")
	cmd.RegisterFlagCompletionFunc("root", completeDirs)
	cmd.AddCommand(NewCmdMCPInstall(s))
	return cmd
}

func (o *mcpOptions) token() (string, error) {
	if o.tokenFile == "" {
		return os.Getenv("PUTCUT_TOKEN"), nil
	}
	b, err := os.ReadFile(o.tokenFile)
	if err != nil {
		return "", failuref("the token cannot be read: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

func mcpRun(ctx context.Context, o *mcpOptions) error {
	switch session.Structure(o.structure) {
	case "", session.Repair, session.WarnOnly, session.RefuseError, session.Off:
	default:
		return usagef("--structure is %q, and it may be repair, warn, refuse or off", o.structure)
	}
	token, err := o.token()
	if err != nil {
		return err
	}
	roots := o.roots
	if len(roots) == 0 {
		roots = []string{"."}
	}
	engine := blocks.New(blocks.Options{Worker: true}) // it lives long, and no text is to end it
	defer engine.Close()
	srv, err := mcpserver.New(mcpserver.Options{
		Roots:      roots,
		Session:    session.Options{Blocks: engine, Structure: session.Structure(o.structure)},
		Structured: o.structured,
		Prefix:     o.prefix,
		Without:    o.without,
		Version:    version,
		HTTP:       mcpserver.HTTPOptions{Token: token, Origins: o.origins},
	})
	if err != nil {
		return err
	}
	defer srv.Close()
	o.noteRecovered(srv.Workspace())
	if o.http == "" {
		return srv.RunStdio(ctx)
	}
	return srv.RunHTTP(ctx, o.http, func(a net.Addr) { o.Note("listening on http://" + a.String() + "\n") })
}
