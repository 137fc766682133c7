package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Action is how recovery ended for one interrupted commit.
type Action string

const (
	// Finished: every target had changed; only clearing up was left.
	Finished Action = "finished"
	// RolledBack: every target is as it was before the commit.
	RolledBack Action = "rolled back"
	// Kept: some target was saved by somebody since; it stays, the others were
	// rolled back, and the journal and pre-images are kept.
	Kept Action = "kept"
	// Failed: the system refused; the journal is left for the next start.
	Failed Action = "failed"
)

// A Recovery is what Open did about one interrupted commit.
type Recovery struct {
	Action Action
	Files  []string // the targets, absolute paths
	// Kept names what was not thrown away: the journal, pre-images, and files
	// that somebody saved at the wrong moment.
	Kept []string
	Err  error // why it failed
}

// String is one line for people and models.
func (r Recovery) String() string {
	s := fmt.Sprintf("an interrupted commit of %s was %s", strings.Join(r.Files, ", "), r.Action)
	switch r.Action {
	case Kept:
		s = fmt.Sprintf("an interrupted commit of %s was rolled back but for files that somebody saved since; kept: %s",
			strings.Join(r.Files, ", "), strings.Join(r.Kept, ", "))
	case Failed:
		s = fmt.Sprintf("an interrupted commit of %s could not be rolled back: %v", strings.Join(r.Files, ", "), r.Err)
	}
	return s
}

// Recovered says what Open found and did.
func (w *Workspace) Recovered() []Recovery { return w.recovered }

// recover looks after the journals of dead processes that concern the roots.
// A journal whose owner lives is left alone.
func (w *Workspace) recover() error {
	dir := filepath.Join(w.state, "journal")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // none yet; if it cannot be read, the first lock says so
	}
	owners := map[string][]string{} // owner's id → names of its files
	for _, e := range entries {
		id, _, _ := strings.Cut(strings.TrimSuffix(e.Name(), ".lock"), "-")
		owners[id] = append(owners[id], e.Name())
	}
	for id, names := range owners {
		w.recoverOwner(dir, id, names)
	}
	slices.SortFunc(w.recovered, func(a, b Recovery) int {
		return cmp.Compare(strings.Join(a.Files, "\x00"), strings.Join(b.Files, "\x00"))
	})
	return nil
}

func (w *Workspace) recoverOwner(dir, id string, names []string) {
	lock, ok, err := tryLockFile(filepath.Join(dir, id+".lock"))
	if err != nil || !ok {
		return
	}
	defer lock.Close()
	left := false
	for _, name := range names {
		if ext := filepath.Ext(name); ext != ".journal" && ext != ".slot" {
			continue
		}
		path := filepath.Join(dir, name)
		head, rows, err := readJournal(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // another process was first
		case err != nil:
			left = true
			w.recovered = append(w.recovered, Recovery{Action: Failed, Files: []string{path}, Err: err})
			continue
		case head == nil:
			// Torn before anything was made under it.
			if w.step("unlink", path, func() error { return os.Remove(path) }) != nil {
				left = true
			}
			continue
		case !w.concerned(head):
			left = true
			continue
		}
		r := w.recoverOne(path, head, rows)
		left = left || r.Action == Failed
		w.recovered = append(w.recovered, r)
	}
	if left {
		return
	}
	// Images whose journal never came to be, and then the lock itself.
	stray, _ := filepath.Glob(filepath.Join(dir, id+"-*.old*"))
	more, _ := filepath.Glob(filepath.Join(dir, id+"-*.new*"))
	for _, p := range append(stray, more...) {
		if !strings.Contains(filepath.Base(p), ".kept") {
			os.Remove(p)
		}
	}
	os.Remove(lock.Path())
}

// concerned reports that a journal has a target in one of the roots.
func (w *Workspace) concerned(head *journalHead) bool {
	for _, p := range head.Parts {
		for _, r := range w.roots {
			if below(r.real, p.At.String()) || len(p.To.Base) > 0 && below(r.real, p.To.String()) {
				return true
			}
		}
	}
	return false
}
