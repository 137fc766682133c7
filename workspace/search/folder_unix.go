//go:build unix

package search

import (
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// A folder is an open directory. It is shared by the tasks that work in it and
// closes when the last of them lets go.
//
// Single names are opened relative to its descriptor and without following
// links, which confines like os.Root does and costs one system call a file.
// os.Root would add a stat of every entry that is listed.
type folder struct {
	f    *os.File
	refs atomic.Int32
}

func newFolder(f *os.File) *folder {
	d := &folder{f: f}
	d.refs.Store(1)
	return d
}

// openFolder opens a folder of the root, whose path may run through links.
func openFolder(root *os.Root, path string) (*folder, error) {
	f, err := root.OpenFile(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	// A second descriptor on the same directory, since listing through a file
	// of a root stats every entry.
	fd, err := unix.Openat(int(f.Fd()), ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	f.Close()
	if err != nil {
		return nil, &fs.PathError{Op: "openat", Path: path, Err: err}
	}
	return newFolder(os.NewFile(uintptr(fd), path)), nil
}

// folder opens a folder in d.
func (d *folder) folder(name string) (*folder, error) {
	fd, err := d.openat(name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return newFolder(os.NewFile(uintptr(fd), name)), nil
}

func (d *folder) openat(name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(int(d.f.Fd()), name, flags, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// entries lists d in no certain order.
func (d *folder) entries() ([]fs.DirEntry, error) { return d.f.ReadDir(-1) }

// open opens a regular file in d. Error: errNotRegular. Without blocking, since
// what was a file when it was listed may be a pipe by now.
func (d *folder) open(name string) (file, int64, error) {
	fd, err := d.openat(name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY)
	switch err {
	case nil:
	case unix.ELOOP, unix.ENXIO, unix.EMLINK:
		return file{}, 0, errNotRegular
	default:
		return file{}, 0, err
	}
	return regular(fd)
}

// openFile opens a regular file of the root, whose path may run through links.
func openFile(root *os.Root, path string) (file, int64, error) {
	f, err := root.OpenFile(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return file{}, 0, err
	}
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return file{}, 0, err
	}
	return regular(fd)
}

func regular(fd int) (file, int64, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		unix.Close(fd)
		return file{}, 0, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		unix.Close(fd)
		return file{}, 0, errNotRegular
	}
	return file{fd}, st.Size, nil
}

func (d *folder) retain() { d.refs.Add(1) }

func (d *folder) release() {
	if d.refs.Add(-1) == 0 {
		d.f.Close()
	}
}

// A file is an open regular file. It is a bare descriptor because an os.File
// costs more than the reading of a small file.
type file struct{ fd int }

func (f file) Close() error { return unix.Close(f.fd) }

// Read is io.Reader's.
func (f file) Read(p []byte) (int, error) {
	return finish(retry(func() (int, error) { return unix.Read(f.fd, p) }))
}

// ReadAt reads like Read at an offset; unlike io.ReaderAt's it may be short.
func (f file) ReadAt(p []byte, off int64) (int, error) {
	return finish(retry(func() (int, error) { return unix.Pread(f.fd, p, off) }))
}

func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != unix.EINTR {
			return n, err
		}
	}
}

func finish(n int, err error) (int, error) {
	switch {
	case err != nil:
		return 0, err
	case n <= 0:
		return 0, io.EOF
	}
	return n, nil
}

// escapes reports whether err is os.Root's refusal to leave its tree, which has
// no value to compare with.
func escapes(err error) bool {
	return strings.Contains(err.Error(), "path escapes from parent")
}
