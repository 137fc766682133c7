//go:build !unix

package workspace

import (
	"errors"
	"os"
)

var errMetadata = errors.New("the metadata of the file cannot be given to a new one")

func copyMetadata(to, from *os.File, info Info, step func(op string) error) error {
	if err := step("chmod"); err != nil {
		return err
	}
	return to.Chmod(info.Mode.Perm())
}

func catchUp(*dir, string, Info, Info) error { return nil }
