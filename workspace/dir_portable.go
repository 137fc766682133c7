//go:build !unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

var errNoExchange = errors.New("names cannot be exchanged on this platform")

// A dir is an open directory, here an os.Root of its own beside the root it
// was reached from: renames between two directories need a common root.
type dir struct {
	root *os.Root
	top  *os.Root
	rel  string
}

func openRootDir(root *os.Root) (*dir, error) {
	own, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	return &dir{root: own, top: root, rel: "."}, nil
}

func (d *dir) close() error { return d.root.Close() }

func (d *dir) openDir(name string) (*dir, error) {
	before, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotDir}
	}
	r, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	// The name may have become a link between the two calls.
	if after, err := r.Stat("."); err != nil || !os.SameFile(before, after) {
		r.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotDir}
	}
	return &dir{root: r, top: d.top, rel: path.Join(d.rel, name)}, nil
}

func (d *dir) openFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if flag&os.O_CREATE == 0 {
		fi, err := d.root.Lstat(name)
		if err != nil {
			return nil, err
		}
		if !fi.Mode().IsRegular() {
			return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
		}
	}
	return d.root.OpenFile(name, flag, perm)
}

func (d *dir) lstat(name string) (Info, error) {
	fi, err := d.root.Lstat(name)
	if err != nil {
		return Info{}, err
	}
	return infoOf(fi), nil
}

func (d *dir) info() (Info, error) {
	fi, err := d.root.Stat(".")
	if err != nil {
		return Info{}, err
	}
	return infoOf(fi), nil
}

func infoOfFile(f *os.File) (Info, error) {
	fi, err := f.Stat()
	if err != nil {
		return Info{}, err
	}
	return infoOf(fi), nil
}

func infoOf(fi fs.FileInfo) Info {
	return Info{Size: fi.Size(), Mode: fi.Mode(), Links: 1, ModTime: fi.ModTime(), changed: fi.ModTime()}
}

func (d *dir) readlink(name string) (string, error) { return d.root.Readlink(name) }

func (d *dir) names() ([]string, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

func (d *dir) mkdir(name string) error  { return d.root.Mkdir(name, 0o777) }
func (d *dir) rmdir(name string) error  { return d.root.Remove(name) }
func (d *dir) unlink(name string) error { return d.root.Remove(name) }

func (d *dir) rename(from string, to *dir, name string) error {
	if d.top != to.top {
		return &fs.PathError{Op: "rename", Path: from, Err: errCrossDevice}
	}
	return d.top.Rename(path.Join(d.rel, from), path.Join(to.rel, name))
}

func (d *dir) renameNew(from string, to *dir, name string) error {
	if d.top != to.top {
		return &fs.PathError{Op: "rename", Path: from, Err: errCrossDevice}
	}
	err := d.top.Link(path.Join(d.rel, from), path.Join(to.rel, name))
	if err == nil {
		return d.unlink(from)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := to.lstat(name); err == nil {
		return &fs.PathError{Op: "rename", Path: name, Err: fs.ErrExist}
	}
	return d.rename(from, to, name)
}

func (d *dir) exchange(a, b string) error {
	return &fs.PathError{Op: "exchange", Path: b, Err: errNoExchange}
}

func (d *dir) link(from string, to string) error { return d.root.Link(from, to) }

// sync is nothing: these platforms journal their directories.
func (d *dir) sync() error { return nil }

var (
	errNotDir      = errors.New("not a directory")
	errNotRegular  = errors.New("not a regular file")
	errCrossDevice = errors.New("different roots")
)

func unsupported(err error) bool {
	return errors.Is(err, errNoExchange) || errors.Is(err, errors.ErrUnsupported)
}
func irreplaceable(err error) bool { return errors.Is(err, fs.ErrPermission) }
func crossDevice(err error) bool   { return errors.Is(err, errCrossDevice) }
func notDir(err error) bool        { return errors.Is(err, errNotDir) }
func nameTooLong(error) bool       { return false }

func notEmpty(error) bool { return true }

var errBadHandle = errors.New("handle cannot be synced")

func reserve(*os.File, int64) error { return nil }
