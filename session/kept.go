package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"putcut/refusal"
	"putcut/workspace"
)

// A Kept is a session that is kept in a folder.
type Kept struct {
	Name string `json:"name"`
	Path string `json:"path"` // of the folder
	// Used is when the session was saved last.
	Used time.Time `json:"used"`
	// Bytes is what its files take; pre-images of undo are not counted.
	Bytes int64 `json:"bytes"`
	// InUse says that a process has it open.
	InUse bool `json:"in_use,omitempty"`
}

// KeptDir is the folder of the sessions that have a name; it may not exist.
// stateDir is the state folder, or empty for the user's.
func KeptDir(stateDir string) (string, error) {
	state, err := workspace.FindStateDir(stateDir)
	if err != nil {
		return "", err
	}
	return filepath.Join(state, keptSub), nil
}

const keptSub = "sessions"

// keptPath is the folder that a name or a path means.
func keptPath(state, nameOrDir string) (string, error) {
	if strings.ContainsRune(nameOrDir, filepath.Separator) || strings.Contains(nameOrDir, "/") {
		return filepath.Clean(nameOrDir), nil // a slash at the end would follow a link
	}
	if !validName(nameOrDir) {
		return "", refusal.New(refusal.InvalidArgument, "%q is no name for a session", nameOrDir).
			WithNext("Use 1 to 64 letters, digits, `_`, `-` and `.`, or a path with a slash")
	}
	return filepath.Join(state, keptSub, nameOrDir), nil
}

// imagesOf is the name of the pre-images of a session that is kept in a folder,
// so that the next process finds them.
func imagesOf(dir string) (string, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return digest([]byte(full))[:24], nil
}

// ListKept lists the sessions that are kept under a name, by name. Folders that
// hold anything else are left out. Errors: IO.
func ListKept(stateDir string) ([]Kept, error) {
	dir, err := KeptDir(stateDir)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &refusal.Error{Code: refusal.IO, What: fmt.Sprintf("the folder of the sessions cannot be read: %v", err), Err: err}
	}
	var out []Kept
	for _, e := range entries {
		if !e.IsDir() || !validName(e.Name()) {
			continue
		}
		k := Kept{Name: e.Name(), Path: filepath.Join(dir, e.Name())}
		files, err := keptFiles(k.Path)
		if err != nil {
			continue
		}
		for _, name := range files {
			info, err := os.Lstat(name)
			if err != nil {
				continue // it went meanwhile
			}
			k.Bytes += info.Size()
			if base := filepath.Base(name); base == indexFile || base == lockFile && k.Used.IsZero() {
				k.Used = info.ModTime()
			}
			if filepath.Base(name) == lockFile {
				k.InUse = isLocked(name)
			}
		}
		out = append(out, k)
	}
	return out, nil
}

func isLocked(name string) bool {
	l := flock.New(name, flock.SetFlag(os.O_RDWR))
	ok, err := l.TryRLock()
	if ok {
		l.Unlock()
	}
	return !ok && err == nil
}

// keptFiles are the files of a session's folder, the index first and the lock
// last. A folder that is no session, or that holds anything else, is an error
// which says so.
func keptFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var index, rest, lock []string
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		switch {
		case e.Name() == blobDir && e.IsDir():
			texts, err := os.ReadDir(name)
			if err != nil {
				return nil, err
			}
			for _, t := range texts {
				if !t.Type().IsRegular() || !isRevision(strings.TrimSuffix(t.Name(), ".new")) {
					return nil, fmt.Errorf("%s is none of its files", filepath.Join(blobDir, t.Name()))
				}
				rest = append(rest, filepath.Join(name, t.Name()))
			}
		case !e.Type().IsRegular():
			return nil, fmt.Errorf("%s is none of its files", e.Name())
		case e.Name() == indexFile:
			index = append(index, name)
		case e.Name() == indexFile+".new":
			rest = append(rest, name)
		case e.Name() == lockFile:
			lock = append(lock, name)
		default:
			return nil, fmt.Errorf("%s is none of its files", e.Name())
		}
	}
	if len(index)+len(lock) == 0 {
		return nil, errors.New("nothing in it is a session's")
	}
	for _, name := range append(index, lock...) {
		if err := sessionFile(name); err != nil {
			return nil, err
		}
	}
	return append(append(index, rest...), lock...), nil
}

// sessionFile tells an index and a lock from files that only have their names: a
// lock is empty, and so may an index be after a power cut; else it begins with
// the digest of the rest, which a damaged one may not match.
func sessionFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 65)
	n, err := io.ReadFull(f, head)
	switch {
	case err == io.EOF:
		return nil
	case err != nil && err != io.ErrUnexpectedEOF:
		return err
	case filepath.Base(name) == indexFile && n == len(head) && isRevision(string(head[:64])) && head[64] == '\n':
		return nil
	}
	return fmt.Errorf("%s is none of its files", filepath.Base(name))
}

// removeWait is how long RemoveKept waits for whoever has the session open.
const removeWait = 300 * time.Millisecond

// RemoveKept removes a session that is kept in a folder, its pre-images
// included: a name, or a path, as OpenDir takes them. Only files of a session
// are removed, and only if the folder holds nothing else and no process has the
// session open. Errors: InvalidArgument for a bad name and for a folder that is
// no session, SessionUnknown, Conflict when it is in use, IO.
func RemoveKept(ctx context.Context, stateDir, nameOrDir string) error {
	state, err := workspace.FindStateDir(stateDir)
	if err != nil {
		return err
	}
	dir, err := keptPath(state, nameOrDir)
	if err != nil {
		return err
	}
	fail := func(err error) error {
		return &refusal.Error{Code: refusal.IO, What: fmt.Sprintf("the session folder %s cannot be removed: %v", dir, err), Err: err}
	}
	noSession := func(why string) error {
		return refusal.New(refusal.InvalidArgument, "the folder %s is no session, or not only one: %s", dir, why).
			WithNext("Remove the folder with other tools, if it is to go")
	}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refusal.New(refusal.SessionUnknown, "there is no session %s", nameOrDir).WithNext("Correct its name")
	case err != nil:
		return fail(err)
	case !info.IsDir():
		return noSession("it is a link or a file")
	}
	if _, err := keptFiles(dir); err != nil {
		return noSession(err.Error())
	}
	images, err := imagesOf(dir)
	if err != nil {
		return fail(err)
	}
	lock := flock.New(filepath.Join(dir, lockFile))
	wait, cancel := context.WithTimeout(ctx, removeWait)
	defer cancel()
	if ok, err := lock.TryLockContext(wait, 10*time.Millisecond); !ok {
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return fail(err)
		}
		return refusal.New(refusal.Conflict, "the session %s is in use by another process", nameOrDir).WithNext("Wait for that process to end")
	}
	defer lock.Unlock()
	files, err := keptFiles(dir) // as they are now that nobody else changes them
	if err != nil {
		return noSession(err.Error())
	}
	// The index goes first: what is left after a crash is an empty session. The
	// lock goes last, under whoever holds it: those who wait for it see that it
	// is gone.
	for _, name := range files {
		if filepath.Base(name) != lockFile {
			err = errors.Join(err, os.Remove(name))
		}
	}
	if err := errors.Join(err, workspace.ForgetSession(state, images)); err != nil {
		return fail(err)
	}
	if err := os.Remove(filepath.Join(dir, blobDir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(err)
	}
	if os.Remove(filepath.Join(dir, lockFile)) != nil { // a system that keeps open files
		lock.Unlock()
		if err := os.Remove(filepath.Join(dir, lockFile)); err != nil {
			return fail(err)
		}
	}
	if err := os.Remove(dir); err != nil {
		if left, rerr := os.ReadDir(dir); rerr != nil || len(left) == 0 {
			return fail(err)
		} // else somebody began a new session of that name
	}
	return nil
}
