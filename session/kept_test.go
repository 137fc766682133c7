package session_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"putcut/refusal"
	"putcut/session"
	"putcut/workspace"
)

func keptOptions(state string) session.Options {
	return session.Options{Workspace: workspace.Options{StateDir: state, Durability: workspace.None}}
}

// everything lists what lies below a folder.
func everything(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		out = append(out, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A session that is open is listed as such and not removed; once it is closed
// it goes with its pre-images, in every root, and those of others stay.
func TestRemoveKept(t *testing.T) {
	state := t.TempDir()
	if list, err := session.ListKept(state); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
	work := func(name string) *session.Dir {
		root := t.TempDir()
		put(t, root, "n.txt", "one\n")
		d, err := session.OpenDir(ctx, []string{root}, name, keptOptions(state))
		if err != nil {
			t.Fatal(err)
		}
		edit(t, d.Session, "n.txt", string(read(t, d.Session, "n.txt", "").Tag), "PUT >1:\n+two")
		return d
	}
	for _, name := range []string{"a", "a", "b"} { // two roots
		if err := work(name).Close(); err != nil {
			t.Fatal(err)
		}
	}
	images := func() (out []string) {
		found, _ := filepath.Glob(filepath.Join(state, "undo", "*", "*"))
		return found
	}
	if n := len(images()); n != 3 {
		t.Fatalf("%d folders of pre-images", n)
	}
	d := work("a")
	list, err := session.ListKept(state)
	if err != nil || len(list) != 2 || list[0].Name != "a" || !list[0].InUse || list[1].InUse || list[1].Bytes == 0 || list[1].Used.IsZero() {
		t.Errorf("%+v %v", list, err)
	}
	before := everything(t, state)
	e := wantCode(t, session.RemoveKept(ctx, state, "a"), refusal.Conflict)
	if e.What != "the session a is in use by another process" {
		t.Error(e.What)
	}
	if after := everything(t, state); !slices.Equal(before, after) {
		t.Errorf("before %q\nafter %q", before, after)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := session.RemoveKept(ctx, state, "a"); err != nil {
		t.Fatal(err)
	}
	if n := len(images()); n != 1 {
		t.Errorf("%d folders of pre-images", n)
	}
	list, err = session.ListKept(state)
	if err != nil || len(list) != 1 || list[0].Name != "b" {
		t.Errorf("%+v %v", list, err)
	}
	wantCode(t, session.RemoveKept(ctx, state, "a"), refusal.SessionUnknown)
}

// What is not a session, or not only one, stays whole.
func TestRemoveKeptForeign(t *testing.T) {
	state, dir := t.TempDir(), filepath.Join(t.TempDir(), "s")
	fresh := func() {
		os.RemoveAll(dir)
		d, err := session.OpenDir(ctx, []string{t.TempDir()}, dir, keptOptions(state))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		spoil func() error
		want  string
	}{
		"a file": {func() error { return os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600) }, "mine is none of its files"},
		"a file among the texts": {func() error { return os.WriteFile(filepath.Join(dir, "texts", "mine"), nil, 0o600) },
			filepath.Join("texts", "mine") + " is none of its files"},
		"a folder": {func() error { return os.Mkdir(filepath.Join(dir, "sub"), 0o700) }, "sub is none of its files"},
		"a folder among the texts": {func() error { return os.Mkdir(filepath.Join(dir, "texts", strings.Repeat("0", 64)), 0o700) },
			filepath.Join("texts", strings.Repeat("0", 64)) + " is none of its files"},
		"a linked index": {func() error {
			index := filepath.Join(dir, "session.json")
			return errors.Join(os.Rename(index, index+".new"), os.Symlink(index+".new", index))
		}, "session.json is none of its files"},
		"an index that somebody else wrote": {func() error {
			return os.WriteFile(filepath.Join(dir, "session.json"), []byte("{\"mine\": 1}\n"), 0o600)
		},
			"session.json is none of its files"},
		"a lock that says something": {func() error { return os.WriteFile(filepath.Join(dir, "lock"), []byte("4711\n"), 0o600) }, "lock is none of its files"},
		"nothing": {func() error {
			return errors.Join(os.Remove(filepath.Join(dir, "session.json")), os.Remove(filepath.Join(dir, "lock")))
		}, "nothing in it is a session's"},
		"a link": {func() error { return errors.Join(os.Rename(dir, dir+".real"), os.Symlink(dir+".real", dir)) }, "it is a link or a file"},
	} {
		fresh()
		if err := c.spoil(); err != nil {
			t.Fatal(err)
		}
		before := everything(t, filepath.Dir(dir))
		e := wantCode(t, session.RemoveKept(ctx, state, dir), refusal.InvalidArgument)
		if want := "the folder " + dir + " is no session, or not only one: " + c.want; e.What != want {
			t.Errorf("%s: %s", name, e.What)
		}
		if after := everything(t, filepath.Dir(dir)); !slices.Equal(before, after) {
			t.Errorf("%s: before %q\nafter %q", name, before, after)
		}
	}
}

// A slash behind a link does not lead to what it points at.
func TestRemoveKeptBehindALink(t *testing.T) {
	state, dir := t.TempDir(), filepath.Join(t.TempDir(), "s")
	d, err := session.OpenDir(ctx, []string{t.TempDir()}, dir, keptOptions(state))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Close(), os.Symlink(dir, dir+".link")); err != nil {
		t.Fatal(err)
	}
	before := everything(t, filepath.Dir(dir))
	e := wantCode(t, session.RemoveKept(ctx, state, dir+".link/"), refusal.InvalidArgument)
	if want := "the folder " + dir + ".link is no session, or not only one: it is a link or a file"; e.What != want {
		t.Error(e.What)
	}
	if after := everything(t, filepath.Dir(dir)); !slices.Equal(before, after) {
		t.Errorf("before %q\nafter %q", before, after)
	}
}

// Whoever opens a session while it is removed gets it or a new one, and can
// save it.
func TestRemoveKeptWhileOpened(t *testing.T) {
	state, root := t.TempDir(), t.TempDir()
	put(t, root, "n.txt", "one\n")
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range 30 {
				d, err := session.OpenDir(ctx, []string{root}, "s", keptOptions(state))
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := d.Read(ctx, session.ReadRequest{Path: "n.txt"}); err != nil {
					t.Error(err)
				}
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	stop, removing := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(removing)
		for {
			select {
			case <-stop:
				return
			default:
			}
			err := session.RemoveKept(ctx, state, "s")
			if err != nil && !errors.Is(err, refusal.SessionUnknown) && !errors.Is(err, refusal.Conflict) && !errors.Is(err, refusal.InvalidArgument) {
				t.Error(err)
			}
		}
	}()
	all.Wait()
	close(stop)
	<-removing
}
