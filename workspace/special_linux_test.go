package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"putcut/refusal"
)

func mounted(t *testing.T, source, target, fstype string, flags uintptr, data string) {
	t.Helper()
	if err := unix.Mount(source, target, fstype, flags, data); err != nil {
		t.Skipf("cannot mount %s on %s: %v", fstype, target, err)
	}
	t.Cleanup(func() { unix.Unmount(target, unix.MNT_DETACH) })
}

func inode(t *testing.T, path string) uint64 {
	t.Helper()
	var st unix.Stat_t
	must(t, unix.Stat(path, &st))
	return st.Ino
}

func wantInPlace(t *testing.T, out Outcome, err error) {
	t.Helper()
	must(t, err)
	if len(out.Warnings) != 1 || out.Warnings[0].Code != refusal.InPlace || !out.Durable {
		t.Errorf("outcome %+v", out)
	}
}

func TestHardLinks(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "old", "d/x": ""})
	must(t, os.Link(tr.path("a"), tr.path("d/b")))
	w := tr.open(Options{})
	ino := inode(t, tr.path("a"))
	a, b := target(t, w, "a"), target(t, w, "d/b")
	if !SameFile(a, b) || SameFile(a, target(t, w, "d/x")) {
		t.Error("SameFile")
	}
	out, err := doCommit(w, replace(t, w, "a", "old", "newer"))
	wantInPlace(t, out, err)
	want := `a: written in place, because the file has several hard links; a reader may have seen it half written`
	if got := out.Warnings[0].Path + ": " + out.Warnings[0].Message; got != want {
		t.Error(got)
	}
	if tr.get("d/b") != "newer" || inode(t, tr.path("a")) != ino {
		t.Error("the link is broken")
	}
	_, err = doCommit(w, replace(t, w, "d/b", "old", "x"))
	wantCode(t, err, refusal.Conflict)
}

func TestBindMountedFile(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "old", "src": "old", "b": "b"})
	mounted(t, tr.path("src"), tr.path("a"), "", unix.MS_BIND, "")
	w := tr.open(Options{})
	out, err := doCommit(w, replace(t, w, "b", "b", "B"), replace(t, w, "a", "old", "new content"))
	wantInPlace(t, out, err)
	if tr.get("src") != "new content" || tr.get("b") != "B" {
		t.Error(tr.list())
	}
	// It cannot be removed or moved either; then nothing changes.
	_, err = doCommit(w, replace(t, w, "b", "B", "b"), Change{Target: target(t, w, "a"), Old: []byte("new content"), Remove: true})
	wantCode(t, err, refusal.IO)
	if tr.list() != "a=new content\nb=B\nsrc=new content" {
		t.Error(tr.list())
	}
	settle(t, tr, nil, "")
}

func TestMoveAcrossFileSystems(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "data", "b": "b"})
	must(t, os.Mkdir(tr.path("m"), 0o755))
	mounted(t, "none", tr.path("m"), "tmpfs", 0, "size=1m")
	must(t, os.Chmod(tr.path("a"), 0o751))
	w := tr.open(Options{})
	_, err := doCommit(w, replace(t, w, "b", "b", "B"),
		Change{Target: target(t, w, "a"), Old: []byte("data"), New: []byte("data"), MoveTo: target(t, w, "m/d/a")})
	must(t, err)
	if got := tr.list(); got != "b=B\nm/\nm/d/\nm/d/a=data" {
		t.Error(got)
	}
	fi, err := os.Stat(tr.path("m/d/a"))
	must(t, err)
	if fi.Mode().Perm() != 0o751 {
		t.Error(fi.Mode())
	}
	// One commit over both file systems, failing on the second.
	_, err = doCommit(w, replace(t, w, "b", "B", "b"), create(t, w, "m/e/f", "x"), replace(t, w, "m/d/a", "other", "x"))
	wantCode(t, err, refusal.Conflict)
	if got := tr.list(); got != "b=B\nm/\nm/d/\nm/d/a=data" {
		t.Error(got)
	}
}

func TestFullDisk(t *testing.T) {
	tr := newTree(t, nil)
	mounted(t, "none", tr.dir, "tmpfs", 0, "size=256k")
	old := strings.Repeat("o", 100<<10)
	tr.put("a", old)
	tr.put("s", "small")
	tr.put("h", old[:1000])
	must(t, os.Link(tr.path("h"), tr.path("h2")))
	before := tr.list()
	w := tr.open(Options{})
	big := strings.Repeat("n", 200<<10)
	for name, changes := range map[string][]Change{
		"replace":  {replace(t, w, "a", old, big)},
		"create":   {create(t, w, "n/n", big)},
		"in place": {replace(t, w, "h", old[:1000], big)},
		"several":  {replace(t, w, "s", "small", "other"), create(t, w, "d/n", "x"), replace(t, w, "a", old, big)},
	} {
		_, err := doCommit(w, changes...)
		wantCode(t, err, refusal.IO)
		if !strings.Contains(err.Error(), "no space left") {
			t.Errorf("%s: %v", name, err)
		}
		if tr.list() != before {
			t.Errorf("%s: something changed", name)
		}
		if l := tr.litter(); len(l) > 0 {
			t.Errorf("%s: left %v", name, l)
		}
	}
}

func TestFullStateFolder(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "a", "h": "h"})
	must(t, os.Link(tr.path("h"), tr.path("h2")))
	must(t, os.Mkdir(tr.state, 0o700))
	mounted(t, "none", tr.state, "tmpfs", 0, "size=64k")
	w := tr.open(Options{})
	_, err := doCommit(w, replace(t, w, "a", "a", "b"))
	must(t, err)
	fill, err := os.Create(filepath.Join(tr.state, "fill"))
	must(t, err)
	for err == nil {
		_, err = fill.Write(make([]byte, 4096))
	}
	fill.Close()
	// The record of a single file has its place already.
	_, err = doCommit(w, replace(t, w, "a", "b", "bb"))
	must(t, err)
	_, err = doCommit(w, replace(t, w, "a", "bb", "b"))
	must(t, err)
	for _, c := range [][]Change{{replace(t, w, "h", "h", "c")}, {create(t, w, "d/n", ""), replace(t, w, "a", "b", "c")}} {
		_, err = doCommit(w, c...)
		wantCode(t, err, refusal.IO)
		if got := tr.list(); got != "a=b\nh2=h\nh=h" {
			t.Fatal(got)
		}
	}
}

func TestImmutableFile(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "a", "b": "b"})
	if out, err := exec.Command("chattr", "+i", tr.path("a")).CombinedOutput(); err != nil {
		t.Skipf("cannot make a file immutable: %s", out)
	}
	defer exec.Command("chattr", "-i", tr.path("a")).Run()
	w := tr.open(Options{})
	_, err := doCommit(w, replace(t, w, "b", "b", "B"), replace(t, w, "a", "a", "A"))
	wantCode(t, err, refusal.IO)
	want := "EDIT_IO: rejected, nothing was written. a: cannot commit the change: operation not permitted."
	if err.Error() != want {
		t.Error(err)
	}
	if got := tr.list(); got != "a=a\nb=b" {
		t.Error(got)
	}
}

// asNobody runs one test of this binary as a user without privileges.
func asNobody(t *testing.T, tr *tree) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root to become somebody else")
	}
	// The binary and the folders above the tree are root's alone.
	bin := filepath.Join(filepath.Dir(tr.dir), "test")
	b, err := os.ReadFile(os.Args[0])
	must(t, err)
	must(t, os.WriteFile(bin, b, 0o755))
	for p := filepath.Dir(tr.dir); len(p) > len(os.TempDir()); p = filepath.Dir(p) {
		must(t, os.Chmod(p, 0o755))
	}
	must(t, os.Mkdir(tr.state, 0o700))
	must(t, os.Chown(tr.state, 65534, 65534))
	cmd := exec.Command(bin, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "WORKSPACE_TEST_ROOT="+tr.dir, "WORKSPACE_TEST_STATE="+tr.state)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	cmd.Dir = "/"
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Fatalf("as nobody: %v\n%s", err, out)
	}
}

func childTree(t *testing.T) *tree {
	if root := os.Getenv("WORKSPACE_TEST_ROOT"); root != "" {
		return &tree{t: t, dir: root, state: os.Getenv("WORKSPACE_TEST_STATE")}
	}
	return nil
}

func TestUnwritableFolder(t *testing.T) {
	if tr := childTree(t); tr != nil {
		w := tr.open(Options{})
		out, err := doCommit(w, replace(t, w, "d/a", "old", "new"))
		wantInPlace(t, out, err)
		_, err = doCommit(w, replace(t, w, "d/a", "new", "x"), create(t, w, "d/n", ""))
		wantCode(t, err, refusal.IO)
		_, err = doCommit(w, replace(t, w, "d/readonly", "r", "x"))
		wantCode(t, err, refusal.IO)
		_, err = doCommit(w, Change{Target: target(t, w, "d/a"), Old: []byte("new"), Remove: true})
		wantCode(t, err, refusal.IO)
		if got := tr.list(); got != "d/\nd/a=new\nd/readonly=r" {
			t.Error(got)
		}
		return
	}
	tr := newTree(t, map[string]string{"d/a": "old", "d/readonly": "r"})
	must(t, os.Chmod(tr.path("d/a"), 0o666))
	ino := inode(t, tr.path("d/a"))
	asNobody(t, tr)
	if inode(t, tr.path("d/a")) != ino {
		t.Error("replaced")
	}
}

// A file of another owner and group in a folder that anyone may write.
func TestOwnerThatCannotBeKept(t *testing.T) {
	if tr := childTree(t); tr != nil {
		w := tr.open(Options{})
		// Its group cannot be given to a new file: in place.
		out, err := doCommit(w, replace(t, w, "d/a", "old", "new"))
		wantInPlace(t, out, err)
		// Its group can, and losing the owner alone is allowed.
		out, err = doCommit(w, replace(t, w, "d/g", "old", "new"))
		must(t, err)
		if len(out.Warnings) > 0 {
			t.Error(out.Warnings)
		}
		return
	}
	tr := newTree(t, map[string]string{"d/a": "old", "d/g": "old"})
	must(t, os.Chmod(tr.path("d"), 0o777))
	must(t, os.Chmod(tr.path("d/a"), 0o666))
	must(t, os.Chown(tr.path("d/g"), 0, 65534))
	must(t, os.Chmod(tr.path("d/g"), 0o664))
	asNobody(t, tr)
	var st unix.Stat_t
	must(t, unix.Stat(tr.path("d/a"), &st))
	if st.Uid != 0 || st.Gid != 0 || tr.get("d/a") != "new" {
		t.Errorf("%d:%d", st.Uid, st.Gid)
	}
	must(t, unix.Stat(tr.path("d/g"), &st))
	if st.Gid != 65534 || st.Mode&0o777 != 0o664 {
		t.Errorf("%d:%d %o", st.Uid, st.Gid, st.Mode)
	}
}

func TestModesAndUmask(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "a"})
	w := tr.open(Options{})
	old := unix.Umask(0o027)
	defer unix.Umask(old)
	must(t, os.Chmod(tr.path("a"), 0o777|os.ModeSetuid|os.ModeSetgid))
	_, err := doCommit(w, replace(t, w, "a", "a", "b"), create(t, w, "d/n", ""),
		Change{Target: target(t, w, "x"), OldAbsent: true, New: []byte("#!"), Mode: 0o755})
	must(t, err)
	for name, want := range map[string]os.FileMode{
		"a": 0o777 | os.ModeSetuid | os.ModeSetgid, "d": 0o750 | os.ModeDir, "d/n": 0o640, "x": 0o755,
	} {
		fi, err := os.Stat(tr.path(name))
		must(t, err)
		if fi.Mode() != want {
			t.Errorf("%s: %v, want %v", name, fi.Mode(), want)
		}
	}
}

// acl is an access list for one named user, in the form of the attribute.
func acl() []byte {
	entry := func(tag, perm uint16, id uint32) []byte {
		return []byte{byte(tag), 0, byte(perm), 0, byte(id), byte(id >> 8), byte(id >> 16), byte(id >> 24)}
	}
	b := []byte{2, 0, 0, 0}
	for _, e := range [][]byte{entry(1, 6, ^uint32(0)), entry(2, 7, 1000), entry(4, 4, ^uint32(0)), entry(0x10, 7, ^uint32(0)), entry(0x20, 4, ^uint32(0))} {
		b = append(b, e...)
	}
	return b
}

func TestAccessLists(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "a", "b": "b"})
	if err := unix.Setxattr(tr.path("a"), "system.posix_acl_access", acl(), 0); err != nil {
		t.Skipf("no access lists here: %v", err)
	}
	// New files of the folder inherit one; a replaced file must not.
	must(t, unix.Setxattr(tr.dir, "system.posix_acl_default", acl(), 0))
	w := tr.open(Options{})
	_, err := doCommit(w, replace(t, w, "a", "a", "A"), replace(t, w, "b", "b", "B"))
	must(t, err)
	buf := make([]byte, 200)
	n, err := unix.Getxattr(tr.path("a"), "system.posix_acl_access", buf)
	if err != nil || !bytes.Equal(buf[:n], acl()) {
		t.Errorf("%x %v", buf[:max(n, 0)], err)
	}
	if _, err := unix.Getxattr(tr.path("b"), "system.posix_acl_access", buf); err != unix.ENODATA {
		t.Errorf("an inherited list: %v", err)
	}
	fi, _ := os.Stat(tr.path("b"))
	if fi.Mode() != 0o644 {
		t.Error(fi.Mode())
	}
}

func TestLongName(t *testing.T) {
	name := strings.Repeat("n", 255)
	tr := newTree(t, map[string]string{name: "a"})
	w := tr.open(Options{})
	_, err := doCommit(w, replace(t, w, name, "a", "b"), create(t, w, "d/"+name, "c"))
	must(t, err)
	if tr.get(name) != "b" {
		t.Error(tr.list())
	}
}

// An ignored case: one entry, whatever the spelling, and a move that changes
// the spelling alone.
func TestCaseIgnored(t *testing.T) {
	base := t.TempDir()
	img := filepath.Join(base, "img")
	must(t, os.WriteFile(img, nil, 0o644))
	must(t, os.Truncate(img, 8<<20))
	if out, err := exec.Command("mkfs.ext4", "-q", "-O", "casefold", img).CombinedOutput(); err != nil {
		t.Skipf("cannot make a file system that ignores case: %s", out)
	}
	tr := newTree(t, nil)
	if out, err := exec.Command("mount", "-o", "loop", img, tr.dir).CombinedOutput(); err != nil {
		t.Skipf("cannot mount it: %s", out)
	}
	t.Cleanup(func() { exec.Command("umount", tr.dir).Run() })
	must(t, os.Mkdir(tr.path("d"), 0o755))
	if out, err := exec.Command("chattr", "+F", tr.path("d")).CombinedOutput(); err != nil {
		t.Skipf("cannot ignore case: %s", out)
	}
	tr.put("d/File.go", "x")
	w := tr.open(Options{})
	tg := target(t, w, "d/fILE.GO")
	if tg.Name != "d/File.go" || tg.Key != tr.path("d/File.go") {
		t.Errorf("%+v", tg)
	}
	from, to := target(t, w, "d/File.go"), target(t, w, "d/file.go")
	if from.Key != to.Key || !CaseOnly(from, to) || CaseOnly(from, from) {
		t.Error("CaseOnly")
	}
	_, err := doCommit(w, Change{Target: from, Old: []byte("x"), New: []byte("x"), MoveTo: to})
	must(t, err)
	if names, _ := os.ReadDir(tr.path("d")); len(names) != 1 || names[0].Name() != "file.go" {
		t.Error(names)
	}
	from, to = target(t, w, "d/file.go"), target(t, w, "d/FILE.go")
	_, err = doCommit(w, Change{Target: from, Old: []byte("x"), New: []byte("y"), MoveTo: to})
	must(t, err)
	if names, _ := os.ReadDir(tr.path("d")); len(names) != 1 || names[0].Name() != "FILE.go" || tr.get("d/FILE.go") != "y" {
		t.Error(names)
	}
	_, err = doCommit(w, create(t, w, "d/other", ""), Change{Target: target(t, w, "d/Other2"), OldAbsent: true})
	must(t, err)
}

// Two hard links whose names differ in case are two entries.
func TestCaseTwins(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "x"})
	must(t, os.Link(tr.path("a"), tr.path("A")))
	w := tr.open(Options{})
	from, to := target(t, w, "a"), target(t, w, "A")
	if from.Key == to.Key || CaseOnly(from, to) || !SameFile(from, to) {
		t.Error("one entry")
	}
	_, err := doCommit(w, Change{Target: from, Old: []byte("x"), New: []byte("x"), MoveTo: to})
	wantCode(t, err, refusal.Exists)
}

// Somebody saves the first target at every step of a commit, by renaming and
// by writing in place. Their bytes are never lost.
func TestSaveAtEveryStep(t *testing.T) {
	saves := 0
	for _, s := range scenarios {
		if s.name == "create" || s.inPlace {
			continue
		}
		for _, noExchange := range []bool{false, true} {
			for _, how := range []string{"rename", "in place", "remove"} {
				t.Run(fmt.Sprintf("%s,exchange=%v,%s", s.name, !noExchange, how), func(t *testing.T) {
					clean := &fault{}
					_, _, err := s.run(t, clean, None, noExchange)
					must(t, err)
					for n := range clean.steps {
						var tr *tree
						saved := false
						f := &fault{n: n}
						f.do = func(Step) {
							root := tr.path("a")
							if _, err := os.Lstat(root); err != nil {
								return
							}
							saved = true
							switch how {
							case "rename":
								must(t, os.WriteFile(tr.path("theirs"), []byte("THEIRS"), 0o644))
								must(t, os.Rename(tr.path("theirs"), root))
							case "in place":
								must(t, os.WriteFile(root, []byte("THEIRS"), 0o644))
							case "remove":
								must(t, os.Remove(root))
							}
						}
						tr = memoryTree(t)
						s.setup(tr)
						f.noExchange = noExchange
						w := tr.open(Options{Durability: None, Before: f.before})
						_, err := w.Commit(context.Background(), s.changes(tr, w))
						must(t, w.Close())
						if !saved {
							continue
						}
						saves++
						step := f.steps[n]
						where := fmt.Sprintf("step %d %v, error %v", n, step, err)
						all := tr.list()
						if how != "remove" && !strings.Contains(all, "THEIRS") {
							// The one gap: between comparing and renaming where names cannot be exchanged.
							gap := noExchange && err == nil && (step.Op == "link" || step.Op == "rename")
							if !gap {
								t.Errorf("%s: lost:\n%s", where, tr.picture())
							}
						}
						if strings.Contains(all, ".putcut-") && !strings.Contains(all, ".putcut-kept-") {
							t.Errorf("%s: left over:\n%s", where, tr.picture())
						}
						if err != nil && !errors.Is(err, refusal.Conflict) {
							t.Errorf("%s", where)
						}
						if err != nil && s.name == "several" && (tr.get("d/b") != "b\n" || tr.get("c") != "c\n" || tr.get("m") != "m\n") {
							t.Errorf("%s: half done:\n%s", where, tr.picture())
						}
						settle(t, tr, nil, where)
					}
				})
			}
		}
	}
	t.Logf("%d saves by somebody else", saves)
}
