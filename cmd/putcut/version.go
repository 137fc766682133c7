package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by releases with -ldflags "-X main.version=v1.2.3".
var version string

type versionOptions struct {
	*Streams
	json bool
}

// NewCmdVersion makes the command `version`.
func NewCmdVersion(s *Streams) *cobra.Command {
	opts := &versionOptions{Streams: s}
	cmd := &cobra.Command{
		Use:               "version",
		Short:             "Print the version of the program",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return versionRun(opts) },
	}
	jsonFlag(cmd, &opts.json)
	return cmd
}

// A versionJSON is what --json prints.
type versionJSON struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func versionRun(opts *versionOptions) error {
	v := versionJSON{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		if v.Version == "" {
			v.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Revision = s.Value
			case "vcs.modified":
				v.Modified = s.Value == "true"
			}
		}
	}
	if v.Version == "" {
		v.Version = "(devel)"
	}
	if opts.json {
		return opts.PrintJSON(v)
	}
	row := "putcut " + v.Version
	if v.Revision != "" {
		row += " " + v.Revision
	}
	return opts.PrintText(fmt.Sprintf("%s %s %s\n", row, v.Go, v.Platform))
}
