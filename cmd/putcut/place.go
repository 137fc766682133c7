package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"putcut/blocks"
	"putcut/refusal"
	"putcut/session"
	"putcut/workspace"
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

// folder is the folder of the named session, "" if it has no name.
func (p *place) folder() (string, error) {
	name := p.named()
	if name == "" || strings.ContainsRune(name, '/') {
		return name, nil
	}
	kept, err := session.KeptDir("")
	return filepath.Join(kept, name), err
}

// known refuses a session given by --session that is not there, for commands
// that only look back: a name misspelt must not make one. One named by the
// environment may not have been used yet.
func (p *place) known() error {
	if p.session == "" {
		return nil
	}
	dir, err := p.folder()
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return refusal.New(refusal.SessionUnknown, "there is no session %s", p.named()).WithNext("Correct its name; `putcut session list` prints those that are kept")
	}
	return nil
}

func (p *place) dirs() []string {
	if len(p.roots) == 0 {
		return []string{"."}
	}
	return p.roots
}

// openSession opens the session a command works in, and returns what closes it.
// Without a name it lives as long as the command, and a tag is proved by the
// live text alone.
func openSession(ctx context.Context, s *Streams, p *place, opt session.Options) (*session.Session, func() error, error) {
	for _, dir := range p.dirs() {
		if fi, err := os.Stat(dir); err != nil {
			return nil, nil, failuref("cannot open the root folder: %w", err)
		} else if !fi.IsDir() {
			return nil, nil, failuref("the root %s is no folder", dir)
		}
	}
	opt.Blocks = newEngine()
	if p.named() == "" {
		opt.Detached = true
		opened, err := session.Open(p.dirs(), opt)
		if err != nil {
			return nil, nil, err
		}
		s.noteRecovered(opened.Workspace())
		return opened, both(opened.Close, opt.Blocks.Close), nil
	}
	kept, err := session.OpenDir(ctx, p.dirs(), p.named(), opt)
	if err != nil {
		return nil, nil, err
	}
	if kept.Warning != "" {
		s.Note("warning: " + kept.Warning + "\n")
	}
	s.noteRecovered(kept.Workspace())
	return kept.Session, both(kept.Close, opt.Blocks.Close), nil
}

// noteRecovered says what became of commits that a crash interrupted.
func (s *Streams) noteRecovered(w *workspace.Workspace) {
	for _, r := range w.Recovered() {
		s.Note("recovered: " + r.String() + "\n")
	}
}

func both(a, b func() error) func() error {
	return func() error { return errors.Join(a(), b()) }
}

// inSession does something in the session a command works in. What is done
// counts even if the session cannot be saved after.
func (p *place) inSession(ctx context.Context, s *Streams, opt session.Options, do func(*session.Session) error) (err error) {
	opened, closed, err := openSession(ctx, s, p, opt)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := closed(); cerr != nil && err == nil {
			err = failuref("the session could not be saved, so it does not know what was just done: %w", cerr)
		}
	}()
	return do(opened)
}

// newEngine makes the engine that parses files. Crafted files can make a parser
// crash or eat memory, so it parses in a process of its own, which starts with
// the first text that is not small: starting it takes longer than parsing a
// small one, and the bounds on what is parsed here hold for small ones best.
func newEngine() *blocks.Engine { return blocks.New(blocks.Options{Worker: true, Near: 16 << 10}) }
