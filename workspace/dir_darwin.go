package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

const searchOnly = 0

func renameExclusive(fromDir int, from string, toDir int, to string) error {
	return unix.RenameatxNp(fromDir, from, toDir, to, unix.RENAME_EXCL)
}

func renameSwap(fromDir int, from string, toDir int, to string) error {
	return unix.RenameatxNp(fromDir, from, toDir, to, unix.RENAME_SWAP)
}

func times(st *unix.Stat_t) (mtim, ctim unix.Timespec) { return st.Mtim, st.Ctim }

func reserve(*os.File, int64) error { return nil }
