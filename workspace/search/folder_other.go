//go:build !unix

package search

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
)

// A folder is an open directory. It is shared by the tasks that work in it and
// closes when the last of them lets go.
type folder struct {
	r    *os.Root
	refs atomic.Int32
}

func newFolder(r *os.Root) *folder {
	d := &folder{r: r}
	d.refs.Store(1)
	return d
}

// openFolder opens a folder of the root, whose path may run through links.
func openFolder(root *os.Root, path string) (*folder, error) {
	r, err := root.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return newFolder(r), nil
}

// folder opens a folder in d.
func (d *folder) folder(name string) (*folder, error) {
	if fi, err := d.r.Lstat(name); err != nil {
		return nil, err
	} else if !fi.IsDir() {
		return nil, errNotRegular
	}
	return openFolder(d.r, name)
}

// entries lists d in no certain order.
func (d *folder) entries() ([]fs.DirEntry, error) {
	f, err := d.r.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// open opens a regular file in d. Error: errNotRegular.
func (d *folder) open(name string) (file, int64, error) {
	if fi, err := d.r.Lstat(name); err != nil {
		return file{}, 0, err
	} else if !fi.Mode().IsRegular() {
		return file{}, 0, errNotRegular
	}
	return openFile(d.r, name)
}

// openFile opens a regular file of the root, whose path may run through links.
func openFile(root *os.Root, path string) (file, int64, error) {
	if fi, err := root.Stat(path); err != nil {
		return file{}, 0, err
	} else if !fi.Mode().IsRegular() {
		return file{}, 0, errNotRegular
	}
	f, err := root.Open(path)
	if err != nil {
		return file{}, 0, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		f.Close()
		return file{}, 0, err
	}
	return file{f}, fi.Size(), nil
}

func (d *folder) retain() { d.refs.Add(1) }

func (d *folder) release() {
	if d.refs.Add(-1) == 0 {
		d.r.Close()
	}
}

// A file is an open regular file.
type file struct{ *os.File }

// ReadAt reads like Read at an offset; unlike io.ReaderAt's it may be short.
func (f file) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// escapes reports whether err is os.Root's refusal to leave its tree, which has
// no value to compare with.
func escapes(err error) bool {
	return strings.Contains(err.Error(), "path escapes from parent")
}
