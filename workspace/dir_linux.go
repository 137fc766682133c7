package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

const searchOnly = unix.O_PATH

func renameExclusive(fromDir int, from string, toDir int, to string) error {
	return unix.Renameat2(fromDir, from, toDir, to, unix.RENAME_NOREPLACE)
}

func renameSwap(fromDir int, from string, toDir int, to string) error {
	return unix.Renameat2(fromDir, from, toDir, to, unix.RENAME_EXCHANGE)
}

func times(st *unix.Stat_t) (mtim, ctim unix.Timespec) { return st.Mtim, st.Ctim }

// reserve claims blocks for size bytes, so that a file which grows in place
// fails for want of space before its first byte changes.
func reserve(f *os.File, size int64) error {
	err := retry(func() error { return unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, size) })
	if unsupported(err) {
		return nil
	}
	return wrap("reserve", f.Name(), err)
}
