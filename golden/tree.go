package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
)

// fileKind is what stands under a name.
type fileKind uint8

const (
	regular fileKind = iota
	symlink
	other
)

// An entry is what stands under a path. The zero value is nothing.
type entry struct {
	there  bool
	kind   fileKind
	data   []byte
	target string
	mode   fs.FileMode // permission bits; 0 when nothing is said of them
}

// differs says how b is another thing than a, or "" when it is not.
func (a entry) differs(b entry, mode bool) string {
	switch {
	case a.there != b.there && b.there:
		return "is there, and should not be"
	case a.there != b.there:
		return "is not there"
	case !a.there:
		return ""
	case a.kind != b.kind:
		return fmt.Sprintf("is %s, and should be %s", b.kind, a.kind)
	case a.target != b.target:
		return fmt.Sprintf("leads to %q, and should lead to %q", b.target, a.target)
	case !bytes.Equal(a.data, b.data):
		return "has other content"
	case mode && a.kind == regular && a.mode != b.mode && runtime.GOOS != "windows":
		return fmt.Sprintf("has the mode %04o, and should have %04o", b.mode, a.mode)
	}
	return ""
}

func (k fileKind) String() string {
	return [...]string{"a regular file", "a symbolic link", "something else"}[k]
}

// A tree is the folder of a running scenario, reached through a handle that no
// path of an archive leads out of.
type tree struct {
	dir  string
	root *os.Root
}

func openTree(dir string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &tree{dir: dir, root: root}, nil
}

func (t *tree) Close() error { return t.root.Close() }

// put makes what a section describes.
func (t *tree) put(sec *section) error {
	name := filepath.FromSlash(sec.path)
	if sec.kind == kindDir {
		return t.root.MkdirAll(name, 0o755)
	}
	if sec.remove {
		return t.root.Remove(name)
	}
	if dir := path.Dir(sec.path); dir != "." {
		if err := t.root.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
			return err
		}
	}
	switch sec.kind {
	case kindLink:
		return t.root.Symlink(filepath.FromSlash(sec.target), name)
	case kindHardLink:
		return t.root.Link(filepath.FromSlash(sec.target), name)
	}
	mode := sec.mode
	_, err := t.root.Stat(name)
	fresh := errors.Is(err, fs.ErrNotExist)
	if mode == 0 && fresh {
		mode = 0o644
	}
	if err := t.root.WriteFile(name, sec.data, 0o600); err != nil {
		return err
	}
	if mode == 0 {
		return nil
	}
	return t.root.Chmod(name, mode) // whatever the umask
}

// at is what stands under a path.
func (t *tree) at(p string) (entry, error) {
	name := filepath.FromSlash(p)
	info, err := t.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return entry{}, nil
	}
	if err != nil {
		return entry{}, err
	}
	e := entry{there: true, mode: info.Mode().Perm()}
	switch {
	case info.Mode().IsRegular():
		e.data, err = t.root.ReadFile(name)
	case info.Mode()&fs.ModeSymlink != 0:
		e.kind = symlink
		e.target, err = t.root.Readlink(name)
	default:
		e.kind = other
	}
	return e, err
}

// all is everything below the root but folders.
func (t *tree) all() (map[string]entry, error) {
	out := map[string]entry{}
	err := filepath.WalkDir(t.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(t.dir, p)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		out[name], err = t.at(name)
		return err
	})
	return out, err
}

// paths are the paths of both maps, sorted.
func paths(a, b map[string]entry) []string {
	both := maps.Clone(a)
	maps.Copy(both, b)
	return slices.Sorted(maps.Keys(both))
}
