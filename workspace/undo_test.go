package workspace

import (
	"context"
	"fmt"
	"os"
	"testing"

	"putcut/refusal"
	"putcut/text"
)

func commitCall(w *Workspace, c Call, changes ...Change) error {
	_, err := w.CommitCall(context.Background(), c, changes)
	return err
}

func TestImages(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "a1", "b": "b1", "c": "c1", "m": "m1", "e": "e1", "h": "h1"})
	must(t, os.Chmod(tr.path("b"), 0o755))
	must(t, os.Link(tr.path("h"), tr.path("h2")))
	w := tr.open(Options{})
	// A descriptor that somebody holds from before.
	held, err := os.OpenFile(tr.path("e"), os.O_RDWR, 0)
	must(t, err)
	defer held.Close()
	c := Call{"s", "call-1"}
	must(t, commitCall(w, c,
		replace(t, w, "a", "a1", "a2"),
		Change{Target: target(t, w, "b"), Old: []byte("b1"), Remove: true},
		create(t, w, "n/x", "x"),
		Change{Target: target(t, w, "c"), Old: []byte("c1"), New: []byte("c1"), MoveTo: target(t, w, "n/c")},
		Change{Target: target(t, w, "m"), Old: []byte("m1"), New: []byte("m2"), MoveTo: target(t, w, "n/m")},
		replace(t, w, "e", "e1", "e2"),
		replace(t, w, "h", "h1", "h2"),
	))
	images, err := w.Images(c)
	must(t, err)
	rev := func(s string) text.Revision {
		if s == "" {
			return ""
		}
		return text.RevisionOf([]byte(s))
	}
	want := []struct {
		name, old, new, movedTo string
		absent, kept            bool
	}{
		{"a", "a1", "a2", "", false, true},
		{"b", "b1", "", "", false, true},
		{"n/x", "", "x", "", true, false},
		{"c", "c1", "c1", "n/c", false, false},
		{"m", "m1", "m2", "n/m", false, true},
		{"e", "e1", "e2", "", false, true},
		{"h", "h1", "h2", "", false, true},
	}
	for i, wnt := range want {
		got := images[i]
		if got.Name != wnt.name || got.Path != tr.path(wnt.name) || got.Old != rev(wnt.old) || got.New != rev(wnt.new) ||
			got.MovedTo != wnt.movedTo || got.Absent != wnt.absent || got.Kept != wnt.kept {
			t.Errorf("%d: got %+v", i, got)
		}
		data, exact, err := w.ImageData(c, i)
		if !wnt.kept {
			wantCode(t, err, refusal.NotFound)
			continue
		}
		must(t, err)
		if string(data) != wnt.old || !exact {
			t.Errorf("%s: %q", wnt.name, data)
		}
	}
	if images[1].Mode.Perm() != 0o755 {
		t.Errorf("mode %v", images[1].Mode)
	}
	// What somebody writes through the old descriptor lands in the pre-image
	// and is not thrown away.
	_, err = held.WriteAt([]byte("XX"), 0)
	must(t, err)
	b, exact, err := w.ImageData(c, 5)
	if err != nil || string(b) != "XX" || exact {
		t.Errorf("%q %v %v", b, exact, err)
	}
	if l := tr.litter(); len(l) > 0 {
		t.Error(l)
	}
	must(t, w.Forget("s"))
	_, err = w.Images(c)
	wantCode(t, err, refusal.NotFound)
}

func TestUndoBounds(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "0"})
	w := tr.open(Options{Durability: None, UndoCalls: 3, UndoBytes: 1000})
	old := "0"
	for i := 1; i <= 5; i++ {
		now := fmt.Sprint(i)
		must(t, commitCall(w, Call{"s", "c" + now}, replace(t, w, "a", old, now)))
		old = now
	}
	ids := func() string {
		s := ""
		calls, err := w.Calls("s")
		must(t, err)
		for _, c := range calls {
			s += c.ID + " "
		}
		return s
	}
	if got := ids(); got != "c3 c4 c5 " {
		t.Error(got)
	}
	big := string(make([]byte, 700))
	must(t, commitCall(w, Call{"s", "d1"}, replace(t, w, "a", old, big)))
	must(t, commitCall(w, Call{"s", "d2"}, replace(t, w, "a", big, "x")))
	must(t, commitCall(w, Call{"s", "d3"}, replace(t, w, "a", "x", big)))
	must(t, commitCall(w, Call{"s", "d4"}, replace(t, w, "a", big, "y")))
	if got := ids(); got != "d3 d4 " {
		t.Error(got)
	}
	for _, bad := range []Call{{"", "x"}, {"s", ""}, {"../s", "x"}, {"s", ".x"}, {"s", "a/b"}} {
		wantCode(t, commitCall(w, bad, replace(t, w, "a", "y", "z")), refusal.InvalidArgument)
	}
}
