package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"putcut/refusal"
)

// maxLinks is how many links one path may lead through.
const maxLinks = 40

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

// A cursor is a place on the way along a path: the open folders from the root
// down to here, their real names, and the end of the path once it is reached.
type cursor struct {
	w      *Workspace
	root   int
	dirs   []*dir // below the root's own handle, which is not in it
	names  []string
	leaf   string // the last component, if it is not a folder
	asked  string // leaf as it was spelled on the way here
	exists bool
	info   Info
	links  int
}

func (c *cursor) top() *dir {
	if len(c.dirs) == 0 {
		return c.w.roots[c.root].dir
	}
	return c.dirs[len(c.dirs)-1]
}

func (c *cursor) close() {
	for _, d := range c.dirs {
		d.close()
	}
	c.dirs = nil
}

func (c *cursor) enter(root int) {
	c.close()
	c.names = c.names[:0]
	c.root = root
}

func outside() error {
	return refusal.New(refusal.OutsideWorkspace, "the path leads out of the workspace").
		WithNext("Use a path inside the workspace")
}

// walk goes along p. The cursor it returns holds open folders; close it.
func (w *Workspace) walk(p string) (*cursor, error) {
	if p == "" {
		return nil, refusal.New(refusal.InvalidArgument, "the path is empty")
	}
	if strings.IndexByte(p, 0) >= 0 {
		return nil, refusal.New(refusal.InvalidArgument, "the path holds a NUL byte")
	}
	c := &cursor{w: w}
	if err := c.follow(p); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *cursor) follow(p string) error {
	queue, err := c.start(p)
	if err != nil {
		return err
	}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		switch {
		case name == "" || name == ".":
			continue
		case name == "..":
			if len(c.dirs) > 0 {
				c.dirs[len(c.dirs)-1].close()
				c.dirs = c.dirs[:len(c.dirs)-1]
				c.names = c.names[:len(c.names)-1]
				continue
			}
			// Above a root there may be a way back into it, or into another.
			up := filepath.Dir(c.w.roots[c.root].real)
			if queue, err = c.reenter(up, queue); err != nil {
				return err
			}
			continue
		}
		info, err := c.top().lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return c.absent(name, queue)
		case nameTooLong(err):
			return refusal.New(refusal.InvalidArgument, "a name in the path is longer than the file system allows")
		case err != nil:
			return ioError("", "look at "+name, err)
		case info.Mode&fs.ModeSymlink != 0:
			to, err := c.top().readlink(name)
			if err != nil {
				return ioError("", "read the link "+name, err)
			}
			if c.links++; c.links > maxLinks {
				return refusal.New(refusal.NotRegular, "the path leads through more than %d links", maxLinks)
			}
			if filepath.IsAbs(to) {
				if queue, err = c.reenter(to, queue); err != nil {
					return err
				}
				continue
			}
			queue = append(split(to), queue...)
		case info.Mode.IsDir():
			sub, err := c.top().openDir(name)
			if err != nil {
				if notDir(err) {
					return swapped(name)
				}
				return ioError("", "open the folder "+name, err)
			}
			name = realName(c.top(), name, info)
			c.dirs = append(c.dirs, sub)
			c.names = append(c.names, name)
		default:
			c.leaf, c.asked, c.exists, c.info = realName(c.top(), name, info), name, true, info
			if len(queue) > 0 {
				return refusal.New(refusal.NotFound, "%s is %s, so nothing is below it", name, kindName(info.Mode))
			}
			return nil
		}
	}
	return nil
}

func swapped(name string) error {
	return refusal.New(refusal.Conflict, "%s was replaced while the path was being followed", name).
		WithNext("Try again")
}

// absent ends a path whose component name does not exist. What follows it can
// only be names to be made.
func (c *cursor) absent(name string, queue []string) error {
	names := []string{name}
	folder := false
	for _, n := range queue {
		folder = n == "" || n == "."
		switch {
		case folder:
		case n == "..":
			// The folder is not there, so this has no meaning to the system.
			return refusal.New(refusal.NotFound, "%s does not exist, so the path cannot go back up from it", names[len(names)-1])
		default:
			names = append(names, n)
		}
	}
	if folder {
		return refusal.New(refusal.NotRegular, "the path names a folder, not a file")
	}
	c.names = append(c.names, names[:len(names)-1]...)
	c.leaf = names[len(names)-1]
	c.asked = c.leaf
	return nil
}

// start enters the root that p leads to.
func (c *cursor) start(p string) ([]string, error) {
	if filepath.IsAbs(p) {
		return c.reenter(p, nil)
	}
	if filepath.VolumeName(p) != "" {
		return nil, outside()
	}
	return split(p), nil
}

// reenter takes up an absolute path in the root it leads into and returns the
// components still to walk from there. Names decide only which root is meant;
// everything below it is walked by handles.
func (c *cursor) reenter(abs string, rest []string) ([]string, error) {
	if c.links++; c.links > maxLinks {
		return nil, refusal.New(refusal.NotRegular, "the path leads through more than %d links", maxLinks)
	}
	vol := filepath.VolumeName(abs)
	parts := append(split(abs[len(vol):]), rest...)
	clean := make([]string, 0, len(parts))
	at := make([]int, 0, len(parts)) // clean[i] is parts[at[i]]
	for i, p := range parts {
		if p == ".." {
			break
		}
		if p != "" && p != "." {
			clean = append(clean, p)
			at = append(at, i)
		}
	}
	best, bestLen := -1, -1
	for i, r := range c.w.roots {
		for _, name := range []string{r.name, r.real} {
			n := prefix(vol, name, clean)
			if n > bestLen {
				best, bestLen = i, n
			}
		}
	}
	if best >= 0 {
		c.enter(best)
		if bestLen == 0 {
			return parts, nil
		}
		return parts[at[bestLen-1]+1:], nil
	}
	// Another name of a root, through links outside: ask the system which
	// folder each prefix is.
	dir := vol + string(filepath.Separator)
	for i, p := range parts {
		if p == "" || p == "." {
			continue
		}
		dir = dir + string(filepath.Separator) + p
		fi, err := os.Stat(dir)
		if err != nil || !fi.IsDir() {
			break
		}
		for n, r := range c.w.roots {
			if ri, err := r.handle.Stat("."); err == nil && os.SameFile(fi, ri) {
				c.enter(n)
				return parts[i+1:], nil
			}
		}
	}
	return nil, outside()
}

// prefix returns how many leading components of clean are exactly root, or -1.
func prefix(vol, root string, clean []string) int {
	rv := filepath.VolumeName(root)
	if !strings.EqualFold(vol, rv) {
		return -1
	}
	n := 0
	for _, p := range split(root[len(rv):]) {
		if p == "" {
			continue
		}
		if n >= len(clean) || clean[n] != p {
			return -1
		}
		n++
	}
	return n
}

func split(p string) []string { return strings.Split(filepath.ToSlash(p), "/") }

// realName is the spelling of the entry by which name was found: another one
// only where the file system ignores case. Finding out costs one look at the
// name with its case swapped, and a listing only where that finds the same file.
func realName(d *dir, name string, info Info) string {
	other := strings.Map(func(r rune) rune {
		if u := unicode.ToUpper(r); u != r {
			return u
		}
		return unicode.ToLower(r)
	}, name)
	if other == name {
		return name
	}
	oi, err := d.lstat(other)
	if err != nil || !oi.same(info) {
		return name
	}
	names, err := d.names()
	if err != nil {
		return name
	}
	found := name
	for _, n := range names {
		if n == name {
			return name
		}
		if strings.EqualFold(n, name) {
			if ni, err := d.lstat(n); err == nil && ni.same(info) {
				found = n
			}
		}
	}
	return found
}
