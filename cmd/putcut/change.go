package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"putcut/refusal"
	"putcut/session"
)

// maxInput bounds what is read from a file or stream that the command line
// names; the limits of a call, which are lower, have messages of their own.
const maxInput = 64 << 20

// A changing is what commands that change files have in common.
type changing struct {
	dryRun bool
	diff   bool
	json   bool
}

func (c *changing) flags(cmd *cobra.Command) {
	jsonFlag(cmd, &c.json)
	cmd.Flags().BoolVarP(&c.dryRun, "dry-run", "n", false, "check everything and write nothing")
	cmd.Flags().BoolVar(&c.diff, "diff", false, "print the change as a unified diff, and warnings on the error stream")
}

// limits lets the whole diff through when it is what is asked for.
func (c *changing) limits() session.Limits {
	if c.diff {
		return session.Limits{DiffBytes: 1 << 30}
	}
	return session.Limits{}
}

// print prints a result.
func (c *changing) print(s *Streams, p *place, res *session.ChangeResult) error {
	p.reduce(res)
	switch {
	case c.json:
		return s.PrintJSON(changeOf(res))
	case c.diff:
		s.warn(res.Warnings)
		return s.PrintDiff(res.Diff)
	}
	return s.PrintText(res.Text())
}

// reduce takes out of a result what only a session can use: without one nobody
// can undo the call or use an older tag after it, and nothing ever was displayed.
func (p *place) reduce(res *session.ChangeResult) {
	if p.named() != "" {
		return
	}
	res.Call = ""
	for i := range res.Files {
		res.Files[i].Superseded = nil
		res.Files[i].Unseen = 0
	}
}

// warn prints warnings on the error stream.
func (s *Streams) warn(list []refusal.Warning) {
	for _, w := range list {
		where := ""
		if w.Path != "" {
			where = w.Path + ": "
		}
		s.Note(fmt.Sprintf("warning %s: %s%s\n", w.Code, where, w.Message))
	}
}

// A changeJSON is a change with the rows that count as displayed by it: what
// --json prints.
type changeJSON struct {
	Call     string            `json:"call,omitempty"`
	DryRun   bool              `json:"dry_run,omitempty"`
	Files    []fileChangeJSON  `json:"files"`
	Warnings []refusal.Warning `json:"warnings"`
	Diff     string            `json:"diff,omitempty"`
	DiffCut  bool              `json:"diff_cut,omitempty"`
	Durable  bool              `json:"durable"`
}

type fileChangeJSON struct {
	*session.FileChange
	Rows []refusal.ExcerptRow `json:"rows,omitempty"`
}

func changeOf(r *session.ChangeResult) changeJSON {
	out := changeJSON{r.Call, r.DryRun, make([]fileChangeJSON, len(r.Files)), r.Warnings, r.Diff, r.DiffCut, r.Durable}
	for i := range r.Files {
		out.Files[i].FileChange = &r.Files[i]
		if !r.DryRun { // which displays nothing
			out.Files[i].Rows = r.Files[i].Rows
		}
	}
	return out
}

// readInput reads a file that the command line names; "" and "-" are the
// standard input. It does not wait for input once ctx is cancelled.
func readInput(ctx context.Context, s *Streams, name, what string) (string, error) {
	in := s.In
	if name == "" || name == "-" {
		name = "the standard input"
		if s.Interactive {
			fmt.Fprintf(s.Err, "putcut: reading %s from the terminal\n", what)
		}
	} else {
		f, err := os.Open(filepath.FromSlash(name))
		if err != nil {
			return "", failuref("cannot read %s: %w", what, err)
		}
		defer f.Close()
		in = f
		if fi, err := f.Stat(); err == nil && fi.Mode().IsRegular() {
			return readLimited(in, name, what) // which does not wait
		}
	}
	type input struct {
		text string
		err  error
	}
	read := make(chan input, 1)
	go func() {
		text, err := readLimited(in, name, what)
		read <- input{text, err}
	}()
	select {
	case got := <-read:
		return got.text, got.err
	case <-ctx.Done():
		return "", failuref("cannot read %s: %w", what, ctx.Err())
	}
}

func readLimited(in io.Reader, name, what string) (string, error) {
	b, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err != nil {
		return "", failuref("cannot read %s: %w", what, err)
	}
	if len(b) > maxInput {
		return "", failuref("cannot read %s: %s has more than %d bytes", what, name, maxInput)
	}
	return string(b), nil
}
