package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"putcut/refusal"
)

func TestResolve(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "a", "d/e/f": "f", "d/.hidden": ""})
	out := filepath.Join(filepath.Dir(tr.dir), "out")
	must(t, os.MkdirAll(filepath.Join(out, "sub"), 0o755))
	must(t, os.WriteFile(filepath.Join(out, "secret"), nil, 0o644))
	link := func(to, name string) { must(t, os.Symlink(strings.ReplaceAll(to, "ROOT", tr.dir), tr.path(name))) }
	link("a", "l")
	link("d/e", "ld")
	link("ROOT/d/e/f", "labs")
	link("ROOT/d", "labsdir")
	link("../out/secret", "escape")
	link(out, "escapedir")
	link("/", "slash")
	link("../../a", "d/e/up")
	link("../root/a", "around")
	link("nothing/here", "dangling")
	link("../out/new", "danglingout")
	link("loop2", "loop1")
	link("loop1", "loop2")
	link("labsdir/e/../../l", "chain")
	must(t, os.Symlink(tr.dir, filepath.Join(out, "back")))
	must(t, unix.Mkfifo(tr.path("fifo"), 0o644))
	link("fifo", "lfifo")
	w := tr.open(Options{})

	tests := []struct {
		path   string
		rel    string // of the resolved file
		absent bool
		code   refusal.Code
	}{
		{path: "a", rel: "a"},
		{path: "./a", rel: "a"},
		{path: "d//e/./f", rel: "d/e/f"},
		{path: "d/../a", rel: "a"},
		{path: "d/e/../../a", rel: "a"},
		{path: "l", rel: "a"},
		{path: "ld/f", rel: "d/e/f"},
		{path: "ld/../.hidden", rel: "d/.hidden"},
		{path: "labs", rel: "d/e/f"},
		{path: "labsdir/e/f", rel: "d/e/f"},
		{path: "d/e/up", rel: "a"},
		{path: "around", rel: "a"},
		{path: "chain", rel: "a"},
		{path: "ROOT/a", rel: "a"},
		{path: "ROOT//d/./e/f", rel: "d/e/f"},
		{path: "ROOT/../root/a", rel: "a"},
		{path: "../root/a", rel: "a"},
		{path: "OUT/back/a", rel: "a"},
		{path: "new", rel: "new", absent: true},
		{path: "x/y/z", rel: "x/y/z", absent: true},
		{path: "ld/n/m", rel: "d/e/n/m", absent: true},
		{path: "dangling", rel: "nothing/here", absent: true},
		{path: "ROOT/n", rel: "n", absent: true},
		{path: " ", rel: " ", absent: true},
		{path: "a\\b", rel: "a\\b", absent: true},

		{path: "", code: refusal.InvalidArgument},
		{path: "a\x00b", code: refusal.InvalidArgument},
		{path: strings.Repeat("n", 300), code: refusal.InvalidArgument},
		{path: ".", code: refusal.NotRegular},
		{path: "d", code: refusal.NotRegular},
		{path: "ld", code: refusal.NotRegular},
		{path: "ROOT", code: refusal.NotRegular},
		{path: "new/", code: refusal.NotRegular},
		{path: "fifo", code: refusal.NotRegular},
		{path: "lfifo", code: refusal.NotRegular},
		{path: "loop1", code: refusal.NotRegular},
		{path: "a/b", code: refusal.NotFound},
		{path: "a/", code: refusal.NotFound},
		{path: "a/..", code: refusal.NotFound},
		{path: "new/../a", code: refusal.NotFound},
		{path: "..", code: refusal.OutsideWorkspace},
		{path: "../out/secret", code: refusal.OutsideWorkspace},
		{path: "../root2/a", code: refusal.OutsideWorkspace},
		{path: "d/../../out/secret", code: refusal.OutsideWorkspace},
		{path: "/etc/passwd", code: refusal.OutsideWorkspace},
		{path: "/dev/null", code: refusal.OutsideWorkspace},
		{path: "OUT/secret", code: refusal.OutsideWorkspace},
		{path: "OUT/new", code: refusal.OutsideWorkspace},
		{path: "escape", code: refusal.OutsideWorkspace},
		{path: "escapedir/secret", code: refusal.OutsideWorkspace},
		{path: "escapedir/sub/../secret", code: refusal.OutsideWorkspace},
		{path: "danglingout", code: refusal.OutsideWorkspace},
		{path: "slash/etc/passwd", code: refusal.OutsideWorkspace},
		{path: "ld/../../../out/secret", code: refusal.OutsideWorkspace},
		{path: "ROOTX/a", code: refusal.OutsideWorkspace},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			p := strings.NewReplacer("ROOT", tr.dir, "OUT", out).Replace(tt.path)
			got, err := w.Resolve(p)
			if tt.code != "" {
				wantCode(t, err, tt.code)
				return
			}
			must(t, err)
			if got.Name != tt.rel || got.Key != tr.path(tt.rel) || got.Exists == tt.absent {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestResolveSeveralRoots(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "a", "inner/b": "b"})
	base := filepath.Dir(tr.dir)
	other := filepath.Join(base, "other")
	must(t, os.Mkdir(other, 0o755))
	must(t, os.WriteFile(filepath.Join(other, "c"), []byte("c"), 0o644))
	must(t, os.Symlink("../other/c", tr.path("tolink")))
	must(t, os.Symlink(other, filepath.Join(base, "alias")))
	w, err := Open([]Root{{Dir: tr.dir}, {Dir: filepath.Join(base, "alias"), ReadOnly: true}, {Dir: tr.path("inner")}}, Options{StateDir: tr.state})
	must(t, err)
	defer w.Close()
	alias := filepath.ToSlash(filepath.Join(base, "alias"))
	for _, tt := range []struct{ path, name, key string }{
		{"a", "a", tr.path("a")},
		{"tolink", alias + "/c", filepath.Join(other, "c")},
		{"../other/c", alias + "/c", filepath.Join(other, "c")},
		{alias + "/c", alias + "/c", filepath.Join(other, "c")},
		{other + "/c", alias + "/c", filepath.Join(other, "c")},
		{"inner/b", tr.path("inner/b"), tr.path("inner/b")},
		{tr.path("inner/b"), tr.path("inner/b"), tr.path("inner/b")},
	} {
		got, err := w.Resolve(tt.path)
		must(t, err)
		if got.Name != tt.name || got.Key != tt.key {
			t.Errorf("%s: got %+v", tt.path, got)
		}
		again, err := w.Resolve(got.Name)
		must(t, err)
		if again.Key != got.Key {
			t.Errorf("%s: the printed name leads to %s", got.Name, again.Key)
		}
		data, err := w.Read(context.Background(), got, nil, 10)
		must(t, err)
		if string(data) != filepath.Base(got.Key) && tt.path != "tolink" {
			t.Errorf("%s: %q", tt.path, data)
		}
	}
	wantCode(t, w.CheckWritable(target(t, w, "tolink")), refusal.Policy)
	must(t, w.CheckWritable(target(t, w, "inner/b")))
	_, err = doCommit(w, replace(t, w, "tolink", "c", "x"))
	wantCode(t, err, refusal.Policy)
	_, err = doCommit(w, replace(t, w, "inner/b", "b", "B"), replace(t, w, "a", "a", "A"))
	must(t, err)
}

func TestCheckWritable(t *testing.T) {
	tr := newTree(t, map[string]string{".git/config": "", ".putcut.toml": "", "s/x": "", "a.git": "", ".gitignore": ""})
	tr.state = tr.path("s")
	w := tr.open(Options{})
	for _, p := range []string{".git/config", ".git/new", "x/.GIT/hooks/a", ".putcut.toml", "x/.putcut.toml", "s/x", "s/journal/x"} {
		wantCode(t, w.CheckWritable(target(t, w, p)), refusal.Policy)
	}
	for _, p := range []string{"a.git", ".gitignore", "s2/x", "putcut.toml"} {
		must(t, w.CheckWritable(target(t, w, p)))
	}
}

func TestSpecialFilesDoNotBlock(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "a", "gone": ""})
	w := tr.open(Options{})
	a, gone := target(t, w, "a"), target(t, w, "gone")
	must(t, os.Remove(tr.path("a")))
	must(t, unix.Mkfifo(tr.path("a"), 0o644))
	must(t, os.Remove(tr.path("gone")))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := w.Read(context.Background(), a, nil, 10)
		if !errors.Is(err, refusal.NotRegular) {
			t.Errorf("got %v", err)
		}
		_, err = w.Commit(context.Background(), []Change{{Target: a, Old: []byte("a"), New: []byte("b")}})
		if !errors.Is(err, refusal.NotRegular) {
			t.Errorf("got %v", err)
		}
		_, err = w.Read(context.Background(), gone, nil, 10)
		if !errors.Is(err, refusal.NotFound) {
			t.Errorf("got %v", err)
		}
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("blocked on a FIFO")
	}
}

// A hostile process swaps a directory for a link to the outside, again and
// again; whatever is read or written must be inside.
func TestSwappedDirectories(t *testing.T) {
	tr := newTree(t, map[string]string{"d/f": "inside"})
	out := filepath.Join(filepath.Dir(tr.dir), "out")
	must(t, os.Mkdir(out, 0o755))
	must(t, os.WriteFile(filepath.Join(out, "f"), []byte("outside"), 0o644))
	must(t, os.Symlink(out, tr.path("evil")))
	w := tr.open(Options{Durability: None})
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				unix.Renameat2(unix.AT_FDCWD, tr.path("d"), unix.AT_FDCWD, tr.path("evil"), unix.RENAME_EXCHANGE)
			}
		}
	}()
	ctx := context.Background()
	var reads, writes, refused int
	for i := range 3000 {
		tg, err := w.Resolve("d/f")
		if err != nil {
			refused++
			continue
		}
		data, err := w.Read(ctx, tg, nil, 100)
		if err != nil {
			refused++
			continue
		}
		reads++
		if string(data) == "outside" {
			t.Fatal("read the outside")
		}
		if i%4 == 0 {
			if _, err := w.Commit(ctx, []Change{{Target: tg, Old: data, New: append([]byte("inside"), byte('0'+i%10))}}); err == nil {
				writes++
			}
		}
		w.Commit(ctx, []Change{create(t, w, "n", "")})
		os.Remove(tr.path("n"))
	}
	close(stop)
	<-stopped
	b, err := os.ReadFile(filepath.Join(out, "f"))
	if err != nil || string(b) != "outside" {
		t.Errorf("the outside holds %q, %v", b, err)
	}
	entries, _ := os.ReadDir(out)
	if len(entries) != 1 {
		t.Errorf("made outside: %v", entries)
	}
	t.Logf("%d reads, %d writes, %d refused", reads, writes, refused)
}

func TestDir(t *testing.T) {
	tr := newTree(t, map[string]string{"d/e/f": ""})
	must(t, os.Symlink("d/e", tr.path("l")))
	w := tr.open(Options{})
	for _, tt := range []struct{ path, rel string }{{".", "."}, {"d", "d"}, {"l", "d/e"}, {"d/", "d"}, {tr.dir, "."}, {"l/..", "d"}} {
		h, rel, name, err := w.Dir(tt.path)
		must(t, err)
		if rel != tt.rel || name != tt.rel {
			t.Errorf("%s: rel %q, name %q", tt.path, rel, name)
		}
		want, _ := os.Stat(tr.path(tt.rel))
		got, _ := h.Stat(".")
		if !os.SameFile(want, got) {
			t.Errorf("%s: another folder", tt.path)
		}
		h.Close()
	}
	_, _, _, err := w.Dir("d/e/f")
	wantCode(t, err, refusal.NotRegular)
	_, _, _, err = w.Dir("nothing")
	wantCode(t, err, refusal.NotFound)
	_, _, _, err = w.Dir("..")
	wantCode(t, err, refusal.OutsideWorkspace)
}

func TestRead(t *testing.T) {
	ctx := context.Background()
	big := strings.Repeat("0123456789abcdef", 40000)
	tr := newTree(t, map[string]string{"a": "hello", "big": big, "empty": ""})
	w := tr.open(Options{})
	hint := []byte(big)
	got, err := w.Read(ctx, target(t, w, "big"), hint, 1<<20)
	must(t, err)
	if &got[0] != &hint[0] {
		t.Error("equal bytes were allocated again")
	}
	for _, at := range []int{0, 1, block - 1, block, block + 1, len(big) - 1} {
		h := []byte(big)
		h[at] ^= 1
		got, err := w.Read(ctx, target(t, w, "big"), h, 1<<20)
		must(t, err)
		if string(got) != big {
			t.Errorf("differs at %d: wrong bytes", at)
		}
	}
	for _, h := range [][]byte{nil, {}, []byte("hell"), []byte("hello!"), []byte("hellO")} {
		got, err := w.Read(ctx, target(t, w, "a"), h, 5)
		must(t, err)
		if string(got) != "hello" {
			t.Errorf("%q", got)
		}
	}
	got, err = w.Read(ctx, target(t, w, "empty"), nil, 0)
	if err != nil || got == nil || len(got) != 0 {
		t.Errorf("%v %v", got, err)
	}
	_, err = w.Read(ctx, target(t, w, "a"), nil, 4)
	wantCode(t, err, refusal.TooLarge)
	_, err = w.Read(ctx, target(t, w, "no"), nil, 4)
	wantCode(t, err, refusal.NotFound)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err = w.Read(cancelled, target(t, w, "a"), nil, 9); err != context.Canceled {
		t.Error(err)
	}
}

// Whatever the path, what it resolves to is below the root without links.
func FuzzResolve(f *testing.F) {
	tr := newTree(f, map[string]string{"a": "a", "d/e/f": "f"})
	for link, to := range map[string]string{
		"l": "d/e", "d/up": "..", "d/e/out": "../../..", "abs": tr.path("d"), "loop": "loop", "root": "/", "dang": "no/where",
	} {
		must(f, os.Symlink(to, tr.path(link)))
	}
	w := tr.open(Options{})
	for _, s := range []string{"a", "l/f", "d/up/a", "d/e/out", "abs/e/f", "loop", "root/etc/passwd", "dang", "x/../y", "../root/a", "//", "a/", "d/./e//f", "l/../../a", tr.dir + "/a", "\x00", "\xff/\xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, p string) {
		got, err := w.Resolve(p)
		if err != nil {
			if refusal.As(err) == nil {
				t.Fatalf("%q: %v", p, err)
			}
			return
		}
		if got.Key != filepath.Join(tr.dir, got.Name) || !below(tr.dir, got.Key) || strings.Contains("/"+got.Name+"/", "/../") {
			t.Fatalf("%q: %+v", p, got)
		}
		at := tr.dir
		for _, c := range strings.Split(got.Name, "/") {
			at = filepath.Join(at, c)
			fi, err := os.Lstat(at)
			if err != nil {
				break
			}
			if fi.Mode()&os.ModeSymlink != 0 {
				t.Fatalf("%q: %s is a link", p, at)
			}
		}
		again, err := w.Resolve(got.Name)
		if err != nil || again.Key != got.Key {
			t.Fatalf("%q: its name leads to %+v, %v", p, again, err)
		}
	})
}
