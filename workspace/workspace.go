package workspace

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"putcut/refusal"
)

// A Root is a folder in which the tools may work. The first root of a
// workspace gives its files bare names; files of other roots are named by
// their absolute path.
type Root struct {
	Dir      string
	ReadOnly bool
}

// Durability says how far a commit goes before it answers.
type Durability uint8

const (
	// Full syncs new content, journals and directories: what the call answered
	// outlives a power cut.
	Full Durability = iota
	// None syncs nothing. Commits are still atomic against crashes of the
	// process, not against crashes of the machine.
	None
)

// Options are the policy of a workspace. The zero value is a durable workspace
// with its state in the user's state folder.
type Options struct {
	// StateDir holds locks, journals and pre-images. Empty is
	// $XDG_STATE_HOME/putcut, or the platform's like. It is made when first
	// needed, with mode 0700.
	StateDir   string
	Durability Durability
	// AllowGit lets CheckWritable accept files below a .git folder.
	AllowGit bool
	// UndoCalls and UndoBytes bound the pre-images kept for one session:
	// oldest calls go first. 0 means 64 calls and 256 MiB.
	UndoCalls int
	UndoBytes int64
	// Before is called before every operation of a commit or a recovery on the
	// file system. An error it returns stands in for the operation, which is
	// then not done. It is for tests of failure; nil costs nothing.
	Before func(Step) error
}

// A Step names one operation on the file system, for Options.Before.
type Step struct {
	Op   string // "create", "write", "sync", "exchange", "rename", "unlink" …
	Path string // relative to its root or to the state folder
}

// A Workspace is a set of roots, held by open handles. It is safe for
// concurrent use.
type Workspace struct {
	roots    []*root
	state    string
	durable  Durability
	allowGit bool
	before   func(Step) error
	chunk    int // bytes a write; tests make it small

	undoCalls int
	undoBytes int64
	undoMu    sync.Mutex
	undo      map[string][]CallInfo // by session, without images

	locks     locks
	owner     owner
	recovered []Recovery
	closing   sync.Once
}

type root struct {
	name     string // absolute, as given
	real     string // absolute, its links resolved
	readOnly bool
	handle   *os.Root
	dir      *dir
	info     Info
}

// Open opens the roots and finishes or rolls back commits that a crash left
// behind in them; Recovered says what was done. The error is INVALID_ARGUMENT
// for no roots and EDIT_NOT_FOUND, EDIT_NOT_REGULAR or EDIT_IO for a root that
// is no folder.
func Open(roots []Root, opts Options) (*Workspace, error) {
	if len(roots) == 0 {
		return nil, refusal.New(refusal.InvalidArgument, "a workspace needs at least one root folder")
	}
	w := &Workspace{
		durable: opts.Durability, allowGit: opts.AllowGit, before: opts.Before, chunk: 1 << 20,
		undoCalls: opts.UndoCalls, undoBytes: opts.UndoBytes,
	}
	if w.undoCalls == 0 {
		w.undoCalls = 64
	}
	if w.undoBytes == 0 {
		w.undoBytes = 256 << 20
	}
	for _, r := range roots {
		opened, err := openRoot(r)
		if err != nil {
			w.Close()
			return nil, err
		}
		w.roots = append(w.roots, opened)
	}
	state, err := FindStateDir(opts.StateDir)
	if err != nil {
		w.Close()
		return nil, err
	}
	w.state = state
	if err := w.recover(); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

func openRoot(r Root) (*root, error) {
	abs, err := filepath.Abs(r.Dir)
	if err != nil {
		return nil, ioError(r.Dir, "find the root folder", err)
	}
	fi, err := os.Stat(abs)
	if err != nil {
		return nil, ioError(r.Dir, "open the root folder", err)
	}
	if !fi.IsDir() {
		return nil, refusal.New(refusal.NotRegular, "a root must be a folder").At(r.Dir)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, ioError(r.Dir, "open the root folder", err)
	}
	handle, err := os.OpenRoot(real)
	if err != nil {
		return nil, ioError(r.Dir, "open the root folder", err)
	}
	d, err := openRootDir(handle)
	if err != nil {
		handle.Close()
		return nil, ioError(r.Dir, "open the root folder", err)
	}
	info, err := d.info()
	if err != nil {
		d.close()
		handle.Close()
		return nil, ioError(r.Dir, "open the root folder", err)
	}
	return &root{name: abs, real: real, readOnly: r.ReadOnly, handle: handle, dir: d, info: info}, nil
}

// FindStateDir is the absolute state folder, the user's when none is given; it
// may not exist. Its links are resolved as far as it exists, so that targets
// inside it are recognised. Errors: IO.
func FindStateDir(given string) (string, error) {
	if given == "" {
		base, err := userStateDir()
		if err != nil {
			return "", refusal.New(refusal.IO, "no folder for locks and journals: %v", err).
				WithNext("Set XDG_STATE_HOME, or name a state folder")
		}
		given = filepath.Join(base, "putcut")
	}
	abs, err := filepath.Abs(given)
	if err != nil {
		return "", ioError(given, "find the state folder", err)
	}
	rest := ""
	for dir := abs; ; {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest), nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return abs, nil
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = up
	}
}

func userStateDir() (string, error) {
	if s := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(s) {
		return s, nil
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return os.UserConfigDir()
	}
	home, err := os.UserHomeDir()
	if err != nil {
		u, uerr := user.Current()
		if uerr != nil || u.HomeDir == "" {
			return "", err
		}
		home = u.HomeDir
	}
	return filepath.Join(home, ".local", "state"), nil
}

// Close releases the handles, once; no call may be under way. Whatever is
// called afterwards fails.
func (w *Workspace) Close() error {
	var err error
	w.closing.Do(func() {
		w.owner.close()
		for _, r := range w.roots {
			err = errors.Join(err, r.dir.close(), r.handle.Close())
		}
	})
	return err
}

// Roots returns the absolute paths of the roots with their links resolved.
func (w *Workspace) Roots() []string {
	names := make([]string, len(w.roots))
	for i, r := range w.roots {
		names[i] = r.real
	}
	return names
}

// StateDir is the absolute path of the state folder; it may not exist yet.
func (w *Workspace) StateDir() string { return w.state }

// makeState makes a folder below the state folder and returns its path. Every
// folder it makes is private to the user.
func (w *Workspace) makeState(sub string) (string, error) {
	dir := filepath.Join(w.state, sub)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", ioError("", "make the state folder "+dir, err)
	}
	return dir, nil
}

// ioError turns an error of the operating system into a refusal: EDIT_NOT_FOUND
// for a name that is not there, else EDIT_IO.
func ioError(path, doing string, err error) *refusal.Error {
	if e := refusal.As(err); e != nil {
		return e
	}
	cause := err
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		cause = pe.Err
	} else if le := (*os.LinkError)(nil); errors.As(err, &le) {
		cause = le.Err
	} else if se := (*os.SyscallError)(nil); errors.As(err, &se) {
		cause = se.Err
	}
	code := refusal.IO
	if errors.Is(err, fs.ErrNotExist) {
		code = refusal.NotFound
	}
	e := refusal.New(code, "cannot %s: %s", doing, strings.TrimSuffix(cause.Error(), "."))
	e.Path, e.Err = path, err
	return e
}
