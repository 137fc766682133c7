package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"putcut/blocks"
	"putcut/refusal"
	"putcut/session"
	"putcut/workspace"
)

// A bench is one folder in which scripts are tried, each in a session of its
// own. It is used by one goroutine.
type bench struct {
	dir    string
	ws     *workspace.Workspace
	engine *blocks.Engine
}

func newBench(dir string, engine *blocks.Engine) (*bench, error) {
	root := filepath.Join(dir, "root")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	ws, err := workspace.Open([]workspace.Root{{Dir: root}}, workspace.Options{
		StateDir: filepath.Join(dir, "state"), Durability: workspace.None, UndoCalls: 1,
	})
	if err != nil {
		return nil, err
	}
	return &bench{root, ws, engine}, nil
}

// An outcome is what became of a file.
type outcome struct {
	err      error // a refusal of the last call
	bytes    []byte
	before   []byte                // the file before the last call
	warnings []refusal.Warning     // of the last call
	text     string                // of the last call's result
	prior    *session.ChangeResult // of the call before the last
}

// errPrior says that a call before the last was refused, as a part of a change
// that makes no sense alone may be.
var errPrior = errors.New("a call before the last was refused")

// try reads a file whole, in pages, and sends the scripts one after the other,
// each under the tag of the one before.
func (b *bench) try(p pair, scripts ...string) (outcome, error) {

	name := filepath.Join(b.dir, p.Path)
	if err := os.WriteFile(name, p.Old, 0o644); err != nil {
		return outcome{}, err
	}
	defer os.Remove(name)
	s := session.New(b.ws, session.Options{Blocks: b.engine})
	defer s.Close()
	tag := ""
	for from := 1; ; {
		r, err := s.Read(ctx, session.ReadRequest{Path: p.Path, Ranges: fmt.Sprintf("%d-", from), MaxColumns: maxColumns})
		if err != nil {
			return outcome{}, err
		}
		if tag = string(r.Tag); len(r.Shown) == 0 || r.Shown[len(r.Shown)-1][1] >= r.TotalLines {
			break
		}
		from = r.Shown[len(r.Shown)-1][1] + 1
	}
	o := outcome{before: p.Old}
	for i, script := range scripts {
		if i > 0 {
			var err error
			if o.before, err = os.ReadFile(name); err != nil {
				return o, err
			}
		}
		r, err := s.Edit(ctx, session.EditRequest{Path: p.Path, Tag: tag, Ops: script})
		if o.err = err; err != nil {
			if i+1 < len(scripts) {
				return o, errPrior
			}
			break
		}
		if i+1 < len(scripts) {
			o.prior = r
		}
		o.warnings, o.text, tag = r.Warnings, r.Text(), string(r.Files[0].Tag)
	}
	var err error
	o.bytes, err = os.ReadFile(name)
	return o, err
}
