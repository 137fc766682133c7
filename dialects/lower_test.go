package dialects

import (
	"bytes"
	"strings"
	"testing"

	"putcut/ops"
	"putcut/refusal"
	"putcut/text"
)

// check holds a batch to what every batch promises: splices make the new text,
// and a script, where there is one, makes it too.
func check(t testing.TB, b *Batch) {
	t.Helper()
	for _, f := range b.Files {
		if f.Remove {
			if f.New != nil || f.Old == nil {
				t.Errorf("%s: removed with a new text", f.Path)
			}
			continue
		}
		res := ops.Apply(f.Old, f.Splices, f.Final)
		if !bytes.Equal(res.Text.Body(), f.New.Body()) {
			t.Errorf("%s: splices give %q, want %q", f.Path, res.Text.Body(), f.New.Body())
		}
		if len(f.Unsayable) == 0 && (len(f.Splices) > 0 || f.Final != ops.KeepFinal) {
			if got := runOps(t, f); got != string(f.New.Body()) {
				t.Errorf("%s: the script %q gives %q, want %q", f.Path, f.Script(), got, f.New.Body())
			}
		}
		last := 0
		for _, m := range f.Matched {
			if m.First <= last || m.Last < m.First || m.Last > f.Old.Len() {
				t.Errorf("%s: matched %v of %d lines", f.Path, f.Matched, f.Old.Len())
			}
			last = m.Last
		}
	}
}

// runOps applies the file's ops as a session would.
func runOps(t testing.TB, f *File) string {
	t.Helper()
	var placed []ops.Placed
	for i, op := range f.Ops {
		if op.Verb == ops.Mv {
			continue
		}
		if err := ops.CheckBounds(op, f.Old.Len()); err != nil {
			t.Fatal(err)
		}
		var s ops.Spot
		switch p := op.Place; p.Kind {
		case ops.Span:
			s = ops.Lines(p.First, p.Last)
		case ops.Before:
			s = ops.BeforeLine(p.First)
			if p.First == 1 {
				s = ops.Head()
			}
		case ops.After:
			s = ops.AfterLine(p.First)
		case ops.Tail:
			s = ops.TailOf(f.Old.Len())
		}
		placed = append(placed, ops.Placed{Spot: s, Op: i})
	}
	placed, err := ops.Arrange(f.Ops, placed)
	if err != nil {
		t.Fatal(err)
	}
	var splices []ops.Splice
	for _, p := range placed {
		splices = append(splices, ops.Splice{Start: p.Start, End: p.End, Rows: f.Ops[p.Op].Rows})
	}
	return string(ops.Apply(f.Old, splices, ops.KeepFinal).Text.Body())
}

// after is the file's new bytes, and "" with ok false when it is gone.
func after(f *File) string {
	if f.New == nil {
		return "<gone>"
	}
	raw, err := f.New.Encode()
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func lowerOne(t testing.TB, src MapSource, format Format, in string, opt Options) (*File, error) {
	t.Helper()
	b, err := Lower(src, []Input{{Format: format, Text: in}}, opt)
	if err != nil {
		return nil, err
	}
	check(t, b)
	if len(b.Files) != 1 {
		t.Fatalf("%d files", len(b.Files))
	}
	return b.Files[0], nil
}

func wantRefusal(t testing.TB, err error, code refusal.Code, parts ...string) {
	t.Helper()
	e := refusal.As(err)
	if e == nil {
		t.Fatalf("got %v, want %s", err, code)
	}
	if e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	for _, p := range parts {
		if !strings.Contains(e.Error(), p) {
			t.Errorf("%v\ndoes not say %q", e, p)
		}
	}
}

func rev(s string) string { return string(text.RevisionOf([]byte(s))) }
