package workspace

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"putcut/refusal"
)

// stripes is the number of lock files of each class. Two paths that share one
// wait for each other needlessly; in return the lock files are few and are
// never removed, and removing a lock file is the classic race.
const stripes = 1024

// locks is the in-process side: one queue for each lock file in use.
type locks struct {
	mu    sync.Mutex
	queue map[string]*stripe
}

type stripe struct {
	turn  chan struct{} // holds one token while somebody has the lock
	users int           // holding or waiting
}

// Lock gives the caller the targets alone, against other goroutines and other
// processes of this user, until unlock is called or the process dies. Locks are
// taken in one global order: every path first, then the inodes of files with
// several links, so that two names of one file exclude each other too. Exists
// and Info of the targets are looked up again under the lock.
//
// A caller must not ask for locks while it holds some. The error is ctx's, or
// EDIT_IO.
func (w *Workspace) Lock(ctx context.Context, targets ...*Target) (unlock func(), err error) {
	var held []func()
	release := func() {
		for _, f := range slices.Backward(held) {
			f()
		}
		held = nil
	}
	take := func(names []string) error {
		slices.Sort(names)
		for _, n := range slices.Compact(names) {
			f, err := w.lockStripe(ctx, n)
			if err != nil {
				return err
			}
			held = append(held, f)
		}
		return nil
	}
	paths := make([]string, len(targets))
	for i, t := range targets {
		paths[i] = stripeName("p", t.Key)
	}
	if err := take(paths); err != nil {
		release()
		return nil, err
	}
	taken := len(held)
	for {
		var inodes []string
		for _, t := range targets {
			if err := w.look(t); err != nil {
				release()
				return nil, err
			}
			if t.Exists && t.Info.Links > 1 {
				inodes = append(inodes, inodeStripe(t.Info))
			}
		}
		if len(inodes) == 0 {
			break
		}
		if err := take(inodes); err != nil {
			release()
			return nil, err
		}
		// While this waited, the file may have been replaced by another inode.
		stable := true
		for _, t := range targets {
			before := t.Info
			if err := w.look(t); err != nil {
				release()
				return nil, err
			}
			if t.Exists && t.Info.Links > 1 && !t.Info.same(before) {
				stable = false
			}
		}
		if stable {
			break
		}
		for _, f := range slices.Backward(held[taken:]) {
			f()
		}
		held = held[:taken]
	}
	var once sync.Once
	return func() { once.Do(release) }, nil
}

func stripeName(class, key string) string {
	h := fnv.New64a()
	h.Write([]byte(key))
	return fmt.Sprintf("%s%03x", class, h.Sum64()%stripes)
}

func inodeStripe(i Info) string { return stripeName("i", fmt.Sprintf("%x:%x", i.Dev, i.Ino)) }

func (w *Workspace) lockStripe(ctx context.Context, name string) (unlock func(), err error) {
	l := &w.locks
	l.mu.Lock()
	if l.queue == nil {
		l.queue = map[string]*stripe{}
	}
	s := l.queue[name]
	if s == nil {
		s = &stripe{turn: make(chan struct{}, 1)}
		l.queue[name] = s
	}
	s.users++
	l.mu.Unlock()
	leave := func() {
		l.mu.Lock()
		if s.users--; s.users == 0 {
			delete(l.queue, name)
		}
		l.mu.Unlock()
	}
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
	dir, err := w.makeState("locks")
	var f *flock.Flock
	if err == nil {
		f, err = lockFile(ctx, filepath.Join(dir, name))
	}
	if err != nil {
		<-s.turn
		leave()
		return nil, err
	}
	return func() {
		f.Close()
		<-s.turn
		leave()
	}, nil
}

// lockFile waits for the lock on a file and makes sure that the file it locked
// is the one that has the name.
func lockFile(ctx context.Context, path string) (*flock.Flock, error) {
	wait := 50 * time.Microsecond
	for {
		f, ok, err := tryLockFile(path)
		if err != nil {
			return nil, refusal.New(refusal.IO, "cannot lock %s: %v", path, err).
				WithNext("The state folder must be writable; another can be named")
		}
		if ok {
			return f, nil
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return nil, ctx.Err()
		}
		wait = min(2*wait, 5*time.Millisecond)
	}
}

func tryLockFile(path string) (*flock.Flock, bool, error) {
	for {
		f := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
		ok, err := f.TryLock()
		if !ok || err != nil {
			f.Close()
			return nil, false, err
		}
		mine, err := f.Stat()
		if err == nil {
			if named, err := os.Stat(path); err == nil && os.SameFile(mine, named) {
				return f, true, nil
			}
		}
		f.Close() // the file was removed between opening and locking it
		if err != nil {
			return nil, false, err
		}
	}
}
