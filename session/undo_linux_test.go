package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"putcut/session"
	"putcut/workspace"
)

// A file that is removed and put back has its bits, its owner and its extended
// attributes again, also when another process puts it back.
func TestUndoOfRemovalKeepsMetadata(t *testing.T) {
	root, state := t.TempDir(), t.TempDir()
	opt := func() session.Options {
		return session.Options{Workspace: workspace.Options{StateDir: state, Durability: workspace.None}}
	}
	name := filepath.Join(root, "n.txt")
	put(t, root, "n.txt", "one\n")
	if err := unix.Setxattr(name, "user.note", []byte("kept"), 0); err != nil {
		t.Skipf("no extended attributes here: %v", err)
	}
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 1234, 4321
		if err := os.Chown(name, uid, gid); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		var st unix.Stat_t
		if err := unix.Stat(name, &st); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if st.Mode&0o7777 != 0o640 || int(st.Uid) != uid || int(st.Gid) != gid {
			t.Errorf("%s: %o %d:%d", when, st.Mode, st.Uid, st.Gid)
		}
		note := make([]byte, 10)
		if n, err := unix.Getxattr(name, "user.note", note); err != nil || string(note[:n]) != "kept" {
			t.Errorf("%s: %q %v", when, note, err)
		}
		if got := get(t, root, "n.txt"); got != "one\n" {
			t.Errorf("%s: %q", when, got)
		}
	}

	s, err := session.Open([]string{root}, opt())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, when := range []string{"first", "again"} {
		edit(t, s, "n.txt", string(read(t, s, "n.txt", "").Tag), "REM")
		if _, err := s.Undo(ctx, session.UndoRequest{}); err != nil {
			t.Fatal(err)
		}
		check(when)
	}

	for _, do := range []func(*session.Dir){
		func(d *session.Dir) { edit(t, d.Session, "n.txt", string(read(t, d.Session, "n.txt", "").Tag), "REM") },
		func(d *session.Dir) {
			if _, err := d.Undo(ctx, session.UndoRequest{}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		d, err := session.OpenDir(ctx, []string{root}, "kept", opt())
		if err != nil {
			t.Fatal(err)
		}
		do(d)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	check("kept")

	// Without its pre-image a file still comes back with its bits.
	edit(t, s, "n.txt", string(read(t, s, "n.txt", "").Tag), "REM")
	if err := os.RemoveAll(filepath.Join(state, "undo")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo(ctx, session.UndoRequest{}); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(name); err != nil || fi.Mode() != 0o640 || get(t, root, "n.txt") != "one\n" {
		t.Error(fi.Mode(), err)
	}
}
