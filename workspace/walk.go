package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"putcut/refusal"
)

// maxLinks is how many links one path may lead through.
const maxLinks = 40

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
