package main

import (
	"os"

	"github.com/spf13/cobra"

	"putcut/blocks"
	"putcut/session"
)

// A place is where a command works: the roots, and the session that remembers
// what was printed.
type place struct {
	roots   []string
	session string
}

func (p *place) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&p.roots, "root", nil, "folder that paths are relative to and stay within; repeat it for more folders, named by their absolute paths (default: the current directory)")
	cmd.Flags().StringVar(&p.session, "session", "", "keep a session under this name, or in this folder if it holds a slash (default: $PUTCUT_SESSION)")
	cmd.RegisterFlagCompletionFunc("root", completeDirs)
	cmd.RegisterFlagCompletionFunc("session", completeSessions)
}

func (p *place) named() string {
	if p.session != "" {
		return p.session
	}
	return os.Getenv("PUTCUT_SESSION")
}

func (p *place) dirs() []string {
	if len(p.roots) == 0 {
		return []string{"."}
	}
	return p.roots
}

// openSession opens the session a command works in. Without a name it lives as
// long as the command, and a tag is proved by the live text alone.
func openSession(p *place, opt session.Options) (*session.Session, error) {
	for _, dir := range p.dirs() {
		if fi, err := os.Stat(dir); err != nil {
			return nil, failuref("cannot open the root folder: %w", err)
		} else if !fi.IsDir() {
			return nil, failuref("the root %s is no folder", dir)
		}
	}
	if opt.Blocks == nil {
		opt.Blocks = newEngine()
	}
	if p.named() == "" {
		opt.Detached = true
		return session.Open(p.dirs(), opt)
	}
	return nil, failuref("sessions are not kept by this build")
}

// newEngine makes the engine that parses files. Crafted files can make a parser
// crash or eat memory, so it parses in a process of its own, which starts with
// the first parse.
func newEngine() *blocks.Engine { return blocks.New(blocks.Options{Worker: true}) }
