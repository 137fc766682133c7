package session

import (
	"fmt"
	"io/fs"
	"slices"

	"putcut/ops"
	"putcut/snapshots"
	"putcut/workspace"
)

// A callLog remembers the calls that changed something: for undo, and so that a
// call whose reply was lost is not applied twice. It is guarded by the session.
type callLog struct {
	lim    Limits
	next   int
	calls  []*record
	bytes  int64
	keys   map[string]string // identity of a section -> call that applied it
	keyLog []string          // those keys in order, so that the oldest can go
}

const maxKeys = 4096

func newCallLog(lim Limits) callLog { return callLog{lim: lim, keys: map[string]string{}} }

// A record is one call that changed something.
type record struct {
	id     string
	tool   string
	files  []undoFile
	keys   []string
	forgot []string // of an undo: the keys of the call it put back
	undone bool
	image  string // names the call's pre-images in the state folder
}

// An undoFile is what a call did to one file, both ways: each side holds the
// bytes the file had there, and nil for a file that was not there.
type undoFile struct {
	name   string
	before *workspace.Target // where the file was
	after  *workspace.Target // where it is; the same unless it was moved
	old    snapshots.Snap
	now    snapshots.Snap
	absent bool // it was not there before
	gone   bool // it is not there after
	m      ops.LineMap
	mode   fs.FileMode // of a file that was removed; 0 otherwise
}

func (f *undoFile) size() int64 { return int64(len(f.old.Raw) + len(f.now.Raw)) }

func (r *record) size() int64 {
	var n int64
	for i := range r.files {
		n += r.files[i].size()
	}
	return n
}

// id makes the id of the next call.
func (l *callLog) id() string {
	l.next++
	return fmt.Sprintf("c%d", l.next)
}

func (l *callLog) add(r *record) {
	l.calls = append(l.calls, r)
	l.bytes += r.size()
	for len(l.calls) > l.lim.Calls || l.bytes > l.lim.UndoBytes && len(l.calls) > 0 {
		l.bytes -= l.calls[0].size()
		l.calls = l.calls[1:]
	}
	l.remember(r)
}

func (l *callLog) remember(r *record) {
	for _, k := range r.keys {
		if _, ok := l.keys[k]; !ok {
			l.keyLog = append(l.keyLog, k)
		}
		l.keys[k] = r.id
	}
	for len(l.keyLog) > maxKeys {
		delete(l.keys, l.keyLog[0])
		l.keyLog = l.keyLog[1:]
	}
}

// forget makes the sections of an undone call new calls again.
func (l *callLog) forget(r *record) {
	if len(r.keys) == 0 {
		return
	}
	for _, k := range r.keys {
		delete(l.keys, k)
	}
	l.keyLog = slices.DeleteFunc(l.keyLog, func(k string) bool {
		_, known := l.keys[k]
		return !known
	})
}

func (l *callLog) find(id string) *record {
	for i := len(l.calls) - 1; i >= 0; i-- {
		if id == "" || l.calls[i].id == id {
			return l.calls[i]
		}
	}
	return nil
}

// applied is the call that applied a section with this identity, or "".
func (s *Session) applied(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls.keys[key]
}
