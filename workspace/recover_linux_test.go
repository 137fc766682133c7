package workspace

import (
	"bytes"
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"putcut/refusal"
)

// crash runs the scenario "several" or "hard links" and dies at the first step
// op on path.
func crash(t *testing.T, name, op, path string) (*tree, string) {
	t.Helper()
	for _, s := range scenarios {
		if s.name != name {
			continue
		}
		clean := &fault{}
		s.run(t, clean, None, false)
		for n, st := range clean.steps {
			if st.Op == op && st.Path == path {
				tr, old, _ := s.run(t, &fault{n: n, err: errKilled, dead: true}, None, false)
				return tr, old
			}
		}
	}
	t.Fatalf("no step %s %s in %s", op, path, name)
	return nil, ""
}

func reopen(t *testing.T, tr *tree) []Recovery {
	t.Helper()
	w, err := Open([]Root{{Dir: tr.dir}}, Options{StateDir: tr.state})
	must(t, err)
	must(t, w.Close())
	return w.Recovered()
}

func TestRecoveryReports(t *testing.T) {
	tr, old := crash(t, "several", "exchange", "d/b")
	got := reopen(t, tr)
	if len(got) != 1 || got[0].Action != RolledBack || len(got[0].Kept) > 0 || tr.picture() != old {
		t.Errorf("%+v", got)
	}
	want := "an interrupted commit of ROOT/a, ROOT/d/b, ROOT/c, ROOT/n/o/p, ROOT/m was rolled back"
	if s := strings.ReplaceAll(got[0].String(), tr.dir, "ROOT"); s != want {
		t.Error(s)
	}
	if got := reopen(t, tr); len(got) > 0 {
		t.Errorf("again: %+v", got)
	}
}

// What somebody saved after the crash stays; the other files are rolled back,
// and the pre-image is kept out of the root.
func TestRecoveryKeepsLaterSaves(t *testing.T) {
	tr, _ := crash(t, "several", "rename", "c")
	tr.put("a", "saved since")
	must(t, os.Chmod(tr.path("a"), 0o644))
	got := reopen(t, tr)
	if len(got) != 1 || got[0].Action != Kept || len(got[0].Kept) != 2 {
		t.Fatalf("%+v", got)
	}
	if list := tr.list(); list != "a=saved since\nc=c\n\nd/\nd/b=b\n\nlink -> d/b\nm=m\n" {
		t.Error(list)
	}
	pre, err := os.ReadFile(got[0].Kept[0])
	if err != nil || string(pre) != bigOld {
		t.Errorf("the pre-image: %v", err)
	}
	if got := reopen(t, tr); len(got) > 0 {
		t.Errorf("reported again: %+v", got)
	}
}

func TestRecoveryKeepsLaterSavesInPlace(t *testing.T) {
	tr, _ := crash(t, "hard links", "truncate", "h2")
	must(t, os.WriteFile(tr.path("h1"), []byte("saved since"), 0o644))
	got := reopen(t, tr)
	if len(got) != 1 || got[0].Action != Kept {
		t.Fatalf("%+v", got)
	}
	if tr.get("h2") != "saved since" || tr.get("a") != bigOld {
		t.Error(tr.picture())
	}
	pre, err := os.ReadFile(got[0].Kept[0])
	if err != nil || string(pre) != bigOld {
		t.Errorf("the pre-image: %v", err)
	}
}

// The journal of a process that lives is not touched, nor are its files.
func TestRecoveryLeavesTheLivingAlone(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "1", "b": "2"})
	looked := false
	w := tr.open(Options{Before: func(s Step) error {
		if s.Op == "exchange" && s.Path == "b" {
			looked = true
			before := tr.list()
			if got := reopen(t, tr); len(got) > 0 || tr.list() != before {
				t.Errorf("%+v", got)
			}
		}
		return nil
	}})
	_, err := doCommit(w, replace(t, w, "a", "1", "one"), replace(t, w, "b", "2", "two"))
	must(t, err)
	if !looked || tr.list() != "a=one\nb=two" {
		t.Error(tr.list())
	}
}

// A journal of other roots waits for them; one of a root around this one is
// this one's too.
func TestRecoveryOfOtherRoots(t *testing.T) {
	tr, old := crash(t, "several", "exchange", "d/b")
	other := t.TempDir()
	w, err := Open([]Root{{Dir: other}}, Options{StateDir: tr.state})
	must(t, err)
	w.Close()
	if len(w.Recovered()) > 0 || tr.picture() == old {
		t.Error("recovered for another root")
	}
	w, err = Open([]Root{{Dir: tr.path("d")}}, Options{StateDir: tr.state})
	must(t, err)
	w.Close()
	if got := w.Recovered(); len(got) != 1 || got[0].Action != RolledBack || tr.picture() != old {
		t.Errorf("%+v", got)
	}
}

func TestTorn(t *testing.T) {
	old, now := bytes.Repeat([]byte("o"), 1500), bytes.Repeat([]byte("n"), 1300)
	cat := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, tt := range []struct {
		name     string
		data     []byte
		old, new []byte
		want     bool
	}{
		{"first sector written", cat(now[:512], old[512:]), old, now, true},
		{"sectors out of order", cat(old[:512], now[512:1024], old[1024:]), old, now, true},
		{"not yet truncated", cat(now, old[1300:]), old, now, true},
		{"written back in part", cat(old[:512], now[512:1024], old[1024:]), old, now, true},
		{"inside a sector", cat(now[:100], old[100:]), old, now, false},
		{"somebody else's", cat(now[:512], []byte("x"), old[513:]), old, now, false},
		{"too long", cat(old, []byte("o")), old, now, false},
		{"too short", old[:1000], old, now, false},
		{"grown, not written", cat(now, make([]byte, 200)), now, old, true},
		{"small and mixed", []byte("a=2 b=1"), []byte("a=1 b=1"), []byte("a=2 b=2"), false},
		{"empty", nil, nil, []byte("x"), false},
	} {
		if got := torn(tt.data, tt.old, tt.new); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// A damaged or hostile journal changes nothing outside the roots and does not
// keep a workspace from opening.
func TestDamagedJournals(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "a"})
	out := filepath.Join(filepath.Dir(tr.dir), "out")
	must(t, os.Mkdir(out, 0o755))
	must(t, os.WriteFile(filepath.Join(out, "x"), []byte("x"), 0o644))
	dir := filepath.Join(tr.state, "journal")
	must(t, os.MkdirAll(dir, 0o700))
	root := `"root":"` + base64Of(tr.dir) + `"`
	part := func(dir, base, temp string) string {
		return `{"version":1,"parts":[{"kind":"create","at":{` + root + `,"dir":"` + base64Of(dir) + `","base":"` + base64Of(base) + `"},"temp":"` + temp + `","aside":"o"}]}`
	}
	for i, head := range []string{
		"", "garbage", "{}", `{"version":1}`, `{"version":2}`, `{"version":1,"parts":[{}]}`,
		part("../out", "n", "x"), part(".", "n", "../out/x"), part(".", "..", "x"), part("a", "b", "c"), part(".", "a", "t"),
		`{"version":1,"made":[{` + root + `,"dir":"` + base64Of("..") + `","base":"` + base64Of("out") + `"}],"parts":[]}`,
	} {
		data := journalRow([]byte(head))
		if i < 2 {
			data = []byte(head)
		}
		must(t, os.WriteFile(filepath.Join(dir, "dead-"+string(rune('a'+i))+".journal"), data, 0o600))
	}
	for _, r := range reopen(t, tr) {
		t.Log(r)
	}
	if b, err := os.ReadFile(filepath.Join(out, "x")); err != nil || string(b) != "x" {
		t.Errorf("%q %v", b, err)
	}
	if tr.list() != "a=a" {
		t.Error(tr.list())
	}
}

func base64Of(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func TestLock(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "a", "b": "b", "h": "h"})
	must(t, os.Link(tr.path("h"), tr.path("h2")))
	w, other := tr.open(Options{}), tr.open(Options{})
	ctx := context.Background()
	unlock, err := w.Lock(ctx, target(t, w, "a"), target(t, w, "a"), target(t, w, "h"))
	must(t, err)
	soon := func() (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, 30*time.Millisecond) }
	for _, ws := range []*Workspace{w, other} {
		for _, name := range []string{"a", "h", "h2"} {
			c, cancel := soon()
			if _, err := ws.Lock(c, target(t, ws, name)); err != context.DeadlineExceeded {
				t.Errorf("%s: %v", name, err)
			}
			cancel()
		}
		u, err := ws.Lock(ctx, target(t, ws, "b"), target(t, ws, "absent/file"))
		must(t, err)
		u()
		u()
	}
	unlock()
	for _, ws := range []*Workspace{w, other} {
		u, err := ws.Lock(ctx, target(t, ws, "h2"), target(t, ws, "a"))
		must(t, err)
		u()
	}
	// Info is that under the lock.
	tg := target(t, w, "a")
	must(t, os.Remove(tr.path("a")))
	u, err := w.Lock(ctx, tg)
	must(t, err)
	defer u()
	if tg.Exists {
		t.Error("looked up before the lock")
	}
}

func TestClosed(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "a"})
	w := tr.open(Options{})
	a := target(t, w, "a")
	must(t, w.Close())
	must(t, w.Close())
	if _, err := w.Resolve("a"); err == nil {
		t.Error("resolved")
	}
	if _, err := w.Read(context.Background(), a, nil, 1); err == nil {
		t.Error("read")
	}
	_, err := w.Commit(context.Background(), []Change{{Target: a, Old: []byte("a"), New: []byte("b")}})
	wantCode(t, err, refusal.IO)
}
