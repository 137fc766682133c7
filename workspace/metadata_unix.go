//go:build unix

package workspace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/pkg/xattr"
	"golang.org/x/sys/unix"
)

// errMetadata says that a new file could not be given the owner, bits or
// attributes of the old one, so that replacing would lose them.
var errMetadata = errors.New("the metadata of the file cannot be given to a new one")

// copyMetadata gives to the owner, extended attributes and mode bits of from.
// The owner comes first, since changing it drops setuid, and the mode last,
// since an access list sets group bits.
func copyMetadata(to, from *os.File, info Info, step func(op string) error) error {
	now, err := infoOfFile(to)
	if err != nil {
		return err
	}
	if now.uid != info.uid || now.gid != info.gid {
		if err := step("chown"); err != nil {
			return err
		}
		if err := to.Chown(info.uid, info.gid); err != nil {
			// Another owner is allowed to be lost, the group is not: its bits
			// would then let other people in. Nor is a set-id bit.
			if now.gid != info.gid && to.Chown(-1, info.gid) != nil || info.Mode&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
				return errMetadata
			}
		}
	}
	if err := copyAttributes(to, from, step); err != nil {
		return err
	}
	if err := step("chmod"); err != nil {
		return err
	}
	return to.Chmod(info.Mode & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
}

// mayLose are the classes of attributes that the system itself sets, or clears
// on every write, and that a user often may not set.
func mayLose(name string) bool {
	return strings.HasPrefix(name, "security.") || strings.HasPrefix(name, "trusted.") || strings.HasPrefix(name, "com.apple.")
}

func copyAttributes(to, from *os.File, step func(op string) error) error {
	have, err := attributes(from)
	if err != nil {
		return err
	}
	inherited, err := attributes(to)
	if err != nil {
		return err
	}
	for _, name := range inherited {
		// A default access list of the folder went to the new file.
		if !slices.Contains(have, name) && !mayLose(name) {
			if err := step("xattr"); err != nil {
				return err
			}
			if err := xattr.FRemove(to, name); err != nil && !gone(err) {
				return errMetadata
			}
		}
	}
	for _, name := range have {
		value, err := xattr.FGet(from, name)
		if err == nil {
			if old, oerr := xattr.FGet(to, name); oerr == nil && bytes.Equal(old, value) {
				continue
			}
			if err := step("xattr"); err != nil {
				return err
			}
			err = xattr.FSet(to, name, value)
		}
		if err == nil || mayLose(name) || gone(err) {
			continue
		}
		if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
			return err
		}
		return errMetadata
	}
	return nil
}

func attributes(f *os.File) ([]string, error) {
	names, err := xattr.FList(f)
	if err != nil && (unsupported(err) || errors.Is(err, unix.EPERM)) {
		return nil, nil
	}
	return names, err
}

func gone(err error) bool { return errors.Is(err, xattr.ENOATTR) }

// catchUp gives a file that took the place of another the mode and owner that
// the other was given meanwhile.
func catchUp(d *dir, name string, was, is Info) error {
	if was.Mode == is.Mode && was.uid == is.uid && was.gid == is.gid {
		return nil
	}
	f, _, err := openRegular(d, name, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	if was.uid != is.uid || was.gid != is.gid {
		f.Chown(is.uid, is.gid) // as far as it is allowed
	}
	return f.Chmod(is.Mode & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
}
