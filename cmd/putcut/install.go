package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"putcut/dialects"
	"putcut/internal/hosts"
	"putcut/ops/udiff"
)

type installOptions struct {
	*Streams
	host    string
	roots   []string
	project string
	name    string
	only    bool
	dryRun  bool
}

// NewCmdMCPInstall makes the command `mcp install`.
func NewCmdMCPInstall(s *Streams) *cobra.Command {
	opts := &installOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "install HOST",
		Short: "Write the configuration that makes an agent program start the server",
		Long: `Write the configuration that makes an agent program start this server. What is in
its files stays as it is, comments included, and a second run changes nothing.
--dry-run shows the change first. The host "json" prints JSON for any other, and
nothing else, on the standard output; remarks go to the error stream.`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: hosts.Names(),
		RunE: func(_ *cobra.Command, args []string) error {
			opts.host = args[0]
			return installRun(opts)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&opts.roots, "root", nil, "folder the server works in; repeat it for more folders (default: the folder the host starts it in)")
	f.StringVar(&opts.project, "project", "", "write the configuration of the project in this folder instead of the user's")
	f.StringVar(&opts.name, "name", "", "name of the server in the host (default: putcut)")
	f.BoolVar(&opts.only, "only", false, "also switch off the host's own edit tools, where its files can say so")
	f.BoolVar(&opts.dryRun, "dry-run", false, "show what would change and write nothing")
	cmd.RegisterFlagCompletionFunc("root", completeDirs)
	cmd.RegisterFlagCompletionFunc("project", completeDirs)
	return cmd
}

func installRun(o *installOptions) error {
	program, err := os.Executable()
	if err != nil {
		return failuref("the path of this program is not known: %w", err)
	}
	args := []string{"mcp"}
	for _, r := range o.roots {
		abs, err := filepath.Abs(r)
		if err != nil {
			return failuref("the root %s has no absolute path: %w", r, err)
		}
		args = append(args, "--root", abs)
	}
	opt := hosts.Options{Command: program, Args: args, Name: o.name, Project: o.project, Only: o.only}
	make := hosts.Install
	if o.dryRun {
		make = hosts.Render
	}
	plan, err := make(o.host, opt)
	if err != nil {
		return err
	}
	var out []byte
	for _, f := range plan.Files {
		switch {
		case !f.Changed():
			out = append(out, f.Path+" says so already\n"...)
		case o.dryRun:
			out = append(out, f.Path+" would change:\n"...)
		default:
			out = append(out, f.Path+" is changed:\n"...)
		}
		if f.Changed() {
			if out, err = appendChange(out, f); err != nil {
				return err
			}
		}
	}
	out = append(out, plan.Text...)
	if n := len(out); n > 0 && out[n-1] != '\n' {
		out = append(out, '\n')
	}
	if err := o.PrintText(string(out)); err != nil {
		return err
	}
	for _, n := range plan.Notes { // not where the configuration goes
		o.Note("note: " + n + "\n")
	}
	return nil
}

// appendChange adds what changes in a file as a diff.
func appendChange(out []byte, f hosts.File) ([]byte, error) {
	if f.Before == nil {
		for row := range bytes.Lines(f.After) {
			out = append(append(out, '+'), row...)
		}
		return out, nil
	}
	name := strings.TrimPrefix(filepath.ToSlash(f.Path), "/") // the diff puts a/ and b/ before it
	batch, err := dialects.Lower(dialects.MapSource{name: f.Before}, []dialects.Input{{Format: dialects.WholeFile, Path: name, Text: string(f.After)}}, dialects.Options{})
	if err != nil {
		return nil, err
	}
	for _, b := range batch.Files {
		out, _ = udiff.Append(out, b.Diff())
	}
	return out, nil
}
