//go:build unix

package search

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"putcut/refusal"
)

func TestSpecialFilesAreNotOpened(t *testing.T) {
	dir, root := tree(t, map[string]string{"a": "hit\n", "d/b": "hit\n"})
	out := t.TempDir()
	put(t, out, "secret", "hit\n")
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Skip(err)
	}
	for name, target := range map[string]string{"link": "a", "dirlink": "d", "out": out, "outfile": filepath.Join(out, "secret"), "loop": "loop", "d/up": ".."} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	fs, r := found(t, root, "", Options{Pattern: "hit"})
	if len(fs) != 2 || fs[0].Path != "a" || fs[1].Path != "d/b" || r.Special != 7 || r.Failed != 0 {
		t.Errorf("%d files, %+v", len(fs), r)
	}
	// As if the name had been a file when it was listed.
	d, err := openFolder(root, ".")
	if err != nil {
		t.Fatal(err)
	}
	defer d.release()
	for _, name := range []string{"fifo", "link", "outfile", "loop", "d"} {
		if _, _, err := d.open(name); err != errNotRegular {
			t.Errorf("open %s: %v", name, err)
		}
	}
	for _, name := range []string{"dirlink", "out", "a"} {
		if _, err := d.folder(name); err == nil {
			t.Errorf("folder %s opened", name)
		}
	}
	// As a start.
	q, err := Compile(Options{Pattern: "hit"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		start string
		want  error
	}{
		{"fifo", refusal.NotRegular},
		{"nothing", refusal.NotFound},
		{"../x", refusal.OutsideWorkspace},
		{"/etc", refusal.OutsideWorkspace},
		{"out", refusal.OutsideWorkspace},
		{"d/../..", refusal.OutsideWorkspace},
		{"loop", refusal.IO},
		{"link", nil},
		{"dirlink", nil},
		{"./d/", nil},
		{"d/../a", nil},
	} {
		n := 0
		_, err := q.Run(context.Background(), root, tt.start, func(File) error { n++; return nil })
		if tt.want == nil && (err != nil || n != 1) || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, %d files", tt.start, err, n)
		}
	}
	if _, err := q.Run(context.Background(), root, "nothing", nil); err.Error() != "EDIT_NOT_FOUND: rejected, nothing was written. nothing: there is no such file or folder." {
		t.Error(err)
	}
}
