//go:build unix && !linux && !darwin

package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

const searchOnly = 0

func renameExclusive(int, string, int, string) error { return unix.ENOSYS }

func renameSwap(int, string, int, string) error { return unix.ENOSYS }

func times(st *unix.Stat_t) (mtim, ctim unix.Timespec) { return st.Mtim, st.Ctim }

func reserve(*os.File, int64) error { return nil }
