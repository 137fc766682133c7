package workspace

import (
	"context"
	"os"
	"strings"
	"testing"

	"putcut/refusal"
)

func TestCommit(t *testing.T) {
	tests := []struct {
		name    string
		files   map[string]string
		changes func(t *testing.T, w *Workspace) []Change
		want    string
		code    refusal.Code
	}{
		{
			name: "replace", files: map[string]string{"a": "old\n"},
			changes: func(t *testing.T, w *Workspace) []Change { return []Change{replace(t, w, "a", "old\n", "new\n")} },
			want:    "a=new\n",
		},
		{
			name: "replace by nothing", files: map[string]string{"a": "old\n"},
			changes: func(t *testing.T, w *Workspace) []Change { return []Change{replace(t, w, "a", "old\n", "")} },
			want:    "a=",
		},
		{
			name: "create with parents", files: nil,
			changes: func(t *testing.T, w *Workspace) []Change { return []Change{create(t, w, "d/e/f", "x")} },
			want:    "d/\nd/e/\nd/e/f=x",
		},
		{
			name: "remove", files: map[string]string{"a": "old\n", "b": "b"},
			changes: func(t *testing.T, w *Workspace) []Change {
				return []Change{{Target: target(t, w, "a"), Old: []byte("old\n"), Remove: true}}
			},
			want: "b=b",
		},
		{
			name: "move", files: map[string]string{"a": "old"},
			changes: func(t *testing.T, w *Workspace) []Change {
				return []Change{{Target: target(t, w, "a"), Old: []byte("old"), New: []byte("old"), MoveTo: target(t, w, "d/b")}}
			},
			want: "d/\nd/b=old",
		},
		{
			name: "move with an edit", files: map[string]string{"a": "old"},
			changes: func(t *testing.T, w *Workspace) []Change {
				return []Change{{Target: target(t, w, "a"), Old: []byte("old"), New: []byte("new"), MoveTo: target(t, w, "d/b")}}
			},
			want: "d/\nd/b=new",
		},
		{
			name: "several", files: map[string]string{"a": "1", "b": "2", "c": "3", "d/e": "4"},
			changes: func(t *testing.T, w *Workspace) []Change {
				return []Change{
					replace(t, w, "a", "1", "one"), replace(t, w, "b", "2", "two"),
					{Target: target(t, w, "c"), Old: []byte("3"), Remove: true},
					create(t, w, "n/f", "five"),
					{Target: target(t, w, "d/e"), Old: []byte("4"), New: []byte("four"), MoveTo: target(t, w, "n/e")},
				}
			},
			want: "a=one\nb=two\nd/\nn/\nn/e=four\nn/f=five",
		},
		{
			name: "changed by somebody", files: map[string]string{"a": "other", "b": "2"},
			changes: func(t *testing.T, w *Workspace) []Change {
				return []Change{replace(t, w, "b", "2", "two"), replace(t, w, "a", "old", "new"), create(t, w, "x/y", "")}
			},
			want: "a=other\nb=2", code: refusal.Conflict,
		},
		{
			name: "destination exists", files: map[string]string{"a": "1", "b": "2"},
			changes: func(t *testing.T, w *Workspace) []Change {
				return []Change{{Target: target(t, w, "a"), Old: []byte("1"), New: []byte("1"), MoveTo: target(t, w, "b")}}
			},
			want: "a=1\nb=2", code: refusal.Exists,
		},
		{
			name: "created file exists", files: map[string]string{"a": "1"},
			changes: func(t *testing.T, w *Workspace) []Change {
				return []Change{create(t, w, "n", "x"), create(t, w, "a", "x")}
			},
			want: "a=1", code: refusal.Exists,
		},
	}
	for _, durability := range []Durability{Full, None} {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				tr := newTree(t, tt.files)
				w := tr.open(Options{Durability: durability})
				out, err := doCommit(w, tt.changes(t, w)...)
				if tt.code != "" {
					wantCode(t, err, tt.code)
				} else {
					must(t, err)
					if out.Durable != (durability == Full) || len(out.Warnings) > 0 {
						t.Errorf("outcome %+v", out)
					}
				}
				if got := tr.list(); got != tt.want {
					t.Errorf("got\n%s\nwant\n%s", got, tt.want)
				}
				if l := tr.litter(); len(l) > 0 {
					t.Errorf("left in the state folder: %v", l)
				}
			})
		}
	}
}

func TestCommitCancelled(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "1"})
	w := tr.open(Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := w.Commit(ctx, []Change{replace(t, w, "a", "1", "2"), create(t, w, "d/n", "")})
	if err != context.Canceled {
		t.Fatal(err)
	}
	if got := tr.list(); got != "a=1" {
		t.Error(got)
	}
}

func TestCommitThroughLink(t *testing.T) {
	tr := newTree(t, map[string]string{"d/a": "old"})
	must(t, os.Symlink("d/a", tr.path("l")))
	must(t, os.Symlink(tr.path("l"), tr.path("ll")))
	w := tr.open(Options{})
	_, err := doCommit(w, replace(t, w, "ll", "old", "new"))
	must(t, err)
	want := strings.ReplaceAll("d/\nd/a=new\nl -> d/a\nll -> ROOT/l", "ROOT", tr.dir)
	if got := tr.list(); got != want {
		t.Error(got)
	}
}

func TestCommitTwiceOneFile(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "1", "b": "2"})
	must(t, os.Symlink("a", tr.path("l")))
	must(t, os.Link(tr.path("b"), tr.path("b2")))
	w := tr.open(Options{})
	for _, c := range [][]Change{
		{replace(t, w, "a", "1", "x"), replace(t, w, "l", "1", "y")},
		{replace(t, w, "b", "2", "x"), replace(t, w, "b2", "2", "y")},
		{create(t, w, "n", ""), {Target: target(t, w, "a"), Old: []byte("1"), New: []byte("1"), MoveTo: target(t, w, "n")}},
	} {
		_, err := doCommit(w, c...)
		wantCode(t, err, refusal.InvalidArgument)
	}
	if got := tr.list(); got != "a=1\nb2=2\nb=2\nl -> a" {
		t.Error(got)
	}
}

// A folder that another commit had made and took away again is made anew.
func TestFolderTakenAway(t *testing.T) {
	tr := newTree(t, map[string]string{"d/x": ""})
	taken := 0
	w := tr.open(Options{Before: func(s Step) error {
		if s.Op == "create" && strings.HasPrefix(s.Path, "d/") && taken < 2 {
			taken++
			return os.RemoveAll(tr.path("d"))
		}
		return nil
	}})
	_, err := doCommit(w, create(t, w, "d/n", "n"))
	must(t, err)
	if got := tr.list(); got != "d/\nd/n=n" || taken != 2 {
		t.Error(got, taken)
	}
}

func TestRandomName(t *testing.T) {
	if a, b := randomID(), randomID(); a == b || len(a) != 16 {
		t.Error(a, b)
	}
}
