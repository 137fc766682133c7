//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"time"

	"golang.org/x/sys/unix"
)

// A dir is an open directory. Every name given to its methods is one path
// component, taken relative to the handle and never followed when it is a
// link, so no method reaches outside the directory.
type dir struct {
	f *os.File
}

// openRootDir takes a second handle on a root for the calls os.Root lacks.
func openRootDir(root *os.Root) (*dir, error) {
	f, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	return &dir{f}, nil
}

func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

func (d *dir) fd() int { return int(d.f.Fd()) }

func (d *dir) close() error { return d.f.Close() }

func wrap(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// openDir opens the directory name. A link is an error, whatever it leads to.
func (d *dir) openDir(name string) (*dir, error) {
	var fd int
	err := retry(func() (err error) {
		fd, err = unix.Openat(d.fd(), name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		return err
	})
	if errors.Is(err, unix.EACCES) && searchOnly != 0 {
		// A directory that may be passed but not listed.
		err = retry(func() (err error) {
			fd, err = unix.Openat(d.fd(), name, searchOnly|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
			return err
		})
	}
	if err != nil {
		return nil, wrap("open", name, err)
	}
	return &dir{os.NewFile(uintptr(fd), path.Join(d.f.Name(), name))}, nil
}

// openFile opens name without following it and without waiting: a FIFO that
// somebody put there does not block.
func (d *dir) openFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	var fd int
	err := retry(func() (err error) {
		fd, err = unix.Openat(d.fd(), name, flag|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, uint32(perm.Perm()))
		return err
	})
	if err != nil {
		return nil, wrap("open", name, err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

func (d *dir) lstat(name string) (Info, error) {
	var st unix.Stat_t
	err := retry(func() error { return unix.Fstatat(d.fd(), name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	return infoOf(&st), wrap("lstat", name, err)
}

func (d *dir) info() (Info, error) { return infoOfFile(d.f) }

func infoOfFile(f *os.File) (Info, error) {
	var st unix.Stat_t
	err := retry(func() error { return unix.Fstat(int(f.Fd()), &st) })
	return infoOf(&st), wrap("stat", f.Name(), err)
}

func infoOf(st *unix.Stat_t) Info {
	mode := fs.FileMode(st.Mode & 0o777)
	switch uint32(st.Mode) & unix.S_IFMT {
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFBLK:
		mode |= fs.ModeDevice
	case unix.S_IFREG:
	default:
		mode |= fs.ModeIrregular
	}
	if st.Mode&unix.S_ISUID != 0 {
		mode |= fs.ModeSetuid
	}
	if st.Mode&unix.S_ISGID != 0 {
		mode |= fs.ModeSetgid
	}
	if st.Mode&unix.S_ISVTX != 0 {
		mode |= fs.ModeSticky
	}
	mtim, ctim := times(st)
	return Info{
		Size: st.Size, Mode: mode, Dev: uint64(st.Dev), Ino: st.Ino, Links: uint64(st.Nlink),
		ModTime: time.Unix(mtim.Unix()), changed: time.Unix(ctim.Unix()),
		uid: int(st.Uid), gid: int(st.Gid),
	}
}

func (d *dir) readlink(name string) (string, error) {
	for size := 256; ; size *= 4 {
		buf := make([]byte, size)
		var n int
		err := retry(func() (err error) {
			n, err = unix.Readlinkat(d.fd(), name, buf)
			return err
		})
		if err != nil {
			return "", wrap("readlink", name, err)
		}
		if n < size {
			return string(buf[:n]), nil
		}
	}
}

// names lists the directory through a handle of its own, so that listing twice
// starts at the beginning twice.
func (d *dir) names() ([]string, error) {
	c, err := d.openDir(".")
	if err != nil {
		return nil, err
	}
	defer c.close()
	return c.f.Readdirnames(-1)
}

func (d *dir) mkdir(name string) error {
	return wrap("mkdir", name, retry(func() error { return unix.Mkdirat(d.fd(), name, 0o777) }))
}

func (d *dir) rmdir(name string) error {
	return wrap("rmdir", name, retry(func() error { return unix.Unlinkat(d.fd(), name, unix.AT_REMOVEDIR) }))
}

func (d *dir) unlink(name string) error {
	return wrap("unlink", name, retry(func() error { return unix.Unlinkat(d.fd(), name, 0) }))
}

// rename replaces to if it exists.
func (d *dir) rename(from string, to *dir, name string) error {
	return wrap("rename", from, retry(func() error { return unix.Renameat(d.fd(), from, to.fd(), name) }))
}

// renameNew never replaces: an existing name is fs.ErrExist.
func (d *dir) renameNew(from string, to *dir, name string) error {
	err := retry(func() error { return renameExclusive(d.fd(), from, to.fd(), name) })
	if !unsupported(err) {
		return wrap("rename", from, err)
	}
	// A hard link is the other call that refuses an existing name.
	if err := retry(func() error { return unix.Linkat(d.fd(), from, to.fd(), name, 0) }); err == nil {
		return d.unlink(from)
	} else if errors.Is(err, unix.EEXIST) || errors.Is(err, unix.EXDEV) {
		return wrap("rename", from, err)
	}
	if _, err := to.lstat(name); err == nil {
		return wrap("rename", name, unix.EEXIST)
	}
	return d.rename(from, to, name)
}

// exchange swaps two names of this directory in one step.
func (d *dir) exchange(a, b string) error {
	return wrap("exchange", b, retry(func() error { return renameSwap(d.fd(), a, d.fd(), b) }))
}

func (d *dir) link(from string, to string) error {
	return wrap("link", from, retry(func() error { return unix.Linkat(d.fd(), from, d.fd(), to, 0) }))
}

func (d *dir) sync() error {
	return wrap("sync", d.f.Name(), retry(func() error { return unix.Fsync(d.fd()) }))
}

// unsupported reports that the file system or the kernel lacks a call.
func unsupported(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) ||
		errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOTSUP)
}

// irreplaceable reports that a name cannot be given another file although the
// file itself may be writable: a bind mount, a directory without write
// permission, a read-only mount around a writable one.
func irreplaceable(err error) bool {
	return errors.Is(err, unix.EBUSY) || errors.Is(err, unix.EXDEV) || errors.Is(err, unix.EACCES) ||
		errors.Is(err, unix.EPERM) || errors.Is(err, unix.EROFS)
}

func crossDevice(err error) bool { return errors.Is(err, unix.EXDEV) || errors.Is(err, unix.EBUSY) }

func notDir(err error) bool { return errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) }

func nameTooLong(err error) bool { return errors.Is(err, unix.ENAMETOOLONG) }

func notEmpty(err error) bool { return errors.Is(err, unix.ENOTEMPTY) }

// errBadHandle is what syncing a folder gives that may be passed but not listed.
var errBadHandle = error(unix.EBADF)
