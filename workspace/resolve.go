package workspace

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"putcut/refusal"
)

// Resolve finds the file that p means. Relative paths start at the first root;
// absolute ones must lead into a root. Links are followed one component at a
// time by open handles, absolute link targets are taken up again inside the
// root they lead into. The last component may be absent, and so may the folders
// above it.
//
// The refusals are INVALID_ARGUMENT (empty, or with a NUL),
// PATH_OUTSIDE_WORKSPACE, EDIT_NOT_REGULAR (a folder, a device, a socket, a
// FIFO; none is opened), EDIT_NOT_FOUND (a file in the place of a folder) and
// EDIT_IO. Cost: a few system calls a component.
func (w *Workspace) Resolve(p string) (*Target, error) {
	c, err := w.walk(p)
	if err != nil {
		return nil, refuseAt(err, p)
	}
	defer c.close()
	if c.leaf == "" {
		return nil, refusal.New(refusal.NotRegular, "this is a folder, not a file").
			WithNext("Name a file in it").At(p)
	}
	if c.exists && !c.info.regular() {
		return nil, refusal.New(refusal.NotRegular, "this is %s, not a file", kindName(c.info.Mode)).At(p)
	}
	t := &Target{root: c.root, rel: path.Join(append(c.names, c.leaf)...), asked: c.asked, Exists: c.exists, Info: c.info}
	w.nameTarget(t)
	return t, nil
}

// nameTarget sets Key and Name from the place, and moves a target of a root
// around another root into the inner one, so that one file has one key.
func (w *Workspace) nameTarget(t *Target) {
	r := w.roots[t.root]
	t.Key = filepath.Join(r.real, filepath.FromSlash(t.rel))
	for i, inner := range w.roots {
		if len(inner.real) > len(w.roots[t.root].real) && below(inner.real, t.Key) && t.Key != inner.real {
			t.root = i
			t.rel = filepath.ToSlash(strings.TrimPrefix(t.Key[len(inner.real):], string(filepath.Separator)))
		}
	}
	t.Name = w.printed(t.root, t.rel)
}

func (w *Workspace) printed(root int, rel string) string {
	if root == 0 {
		return rel
	}
	return path.Join(filepath.ToSlash(w.roots[root].name), rel)
}

// Dir finds the folder that p means, for listing what is below it. The handle
// is open on that folder and the caller closes it; rel is the folder relative
// to its root, "." for the root itself; name is what tools print, "." for the
// first root. A file is EDIT_NOT_REGULAR, and nothing there EDIT_NOT_FOUND.
func (w *Workspace) Dir(p string) (handle *os.Root, rel, name string, err error) {
	c, err := w.walk(p)
	if err != nil {
		return nil, "", "", refuseAt(err, p)
	}
	defer c.close()
	if c.leaf != "" {
		if !c.exists {
			return nil, "", "", refusal.New(refusal.NotFound, "there is no such folder").At(p)
		}
		return nil, "", "", refusal.New(refusal.NotRegular, "this is %s, not a folder", kindName(c.info.Mode)).At(p)
	}
	rel = path.Join(append([]string{"."}, c.names...)...)
	handle, err = w.roots[c.root].handle.OpenRoot(filepath.FromSlash(rel))
	if err != nil {
		return nil, "", "", ioError(p, "open the folder", err)
	}
	// The handle came by name; it must be the folder that was walked to.
	here, err := c.top().info()
	if err == nil {
		err = sameRoot(handle, here)
	}
	if err != nil {
		handle.Close()
		return nil, "", "", refuseAt(err, p)
	}
	return handle, rel, w.printed(c.root, rel), nil
}

func sameRoot(handle *os.Root, want Info) error {
	d, err := openRootDir(handle)
	if err != nil {
		return ioError("", "open the folder", err)
	}
	defer d.close()
	got, err := d.info()
	if err != nil {
		return ioError("", "open the folder", err)
	}
	if want.Ino != 0 && !got.same(want) {
		return refusal.New(refusal.Conflict, "the folder was replaced while it was being opened")
	}
	return nil
}

func refuseAt(err error, p string) error {
	if e := refusal.As(err); e != nil {
		return e.At(p)
	}
	return ioError(p, "open the path", err)
}

func kindName(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m&fs.ModeSymlink != 0:
		return "a link"
	case m.IsRegular():
		return "a file"
	}
	return "a special file"
}
