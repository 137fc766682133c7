package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"putcut/refusal"
)

// A tree is a root folder and a state folder for one test.
type tree struct {
	t     testing.TB
	dir   string
	state string
}

func newTree(t testing.TB, files map[string]string) *tree {
	t.Helper()
	// TempDir may lie behind a link; tests name absolute paths.
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return newTreeIn(t, base, files)
}

// memoryTree is a tree in memory where there is a place for one: syncing is
// free there, for tests that commit thousands of times.
func memoryTree(t testing.TB) *tree {
	t.Helper()
	base, err := os.MkdirTemp("/dev/shm", "workspace-test-*")
	if err != nil {
		return newTree(t, nil)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	return newTreeIn(t, base, nil)
}

func newTreeIn(t testing.TB, base string, files map[string]string) *tree {
	t.Helper()
	tr := &tree{t: t, dir: filepath.Join(base, "root"), state: filepath.Join(base, "state")}
	must(t, os.Mkdir(tr.dir, 0o755))
	for name, data := range files {
		tr.put(name, data)
	}
	return tr
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (tr *tree) path(name string) string { return filepath.Join(tr.dir, filepath.FromSlash(name)) }

func (tr *tree) put(name, data string) {
	tr.t.Helper()
	must(tr.t, os.MkdirAll(filepath.Dir(tr.path(name)), 0o755))
	must(tr.t, os.WriteFile(tr.path(name), []byte(data), 0o644))
}

func (tr *tree) get(name string) string {
	tr.t.Helper()
	b, err := os.ReadFile(tr.path(name))
	if err != nil {
		return "<" + errors.Unwrap(err).Error() + ">"
	}
	return string(b)
}

func (tr *tree) open(opts Options) *Workspace {
	tr.t.Helper()
	opts.StateDir = tr.state
	w, err := Open([]Root{{Dir: tr.dir}}, opts)
	must(tr.t, err)
	tr.t.Cleanup(func() { w.Close() })
	return w
}

// list is every entry below the root, links with their targets, with contents.
func (tr *tree) list() string {
	tr.t.Helper()
	var rows []string
	must(tr.t, filepath.WalkDir(tr.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == tr.dir {
			return err
		}
		rel, _ := filepath.Rel(tr.dir, p)
		switch {
		case d.IsDir():
			rows = append(rows, rel+"/")
		case d.Type()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(p)
			rows = append(rows, rel+" -> "+to)
		default:
			b, _ := os.ReadFile(p)
			rows = append(rows, fmt.Sprintf("%s=%s", rel, b))
		}
		return nil
	}))
	sort.Strings(rows)
	return strings.Join(rows, "\n")
}

// litter is what commits left in the state folder, lock files aside.
func (tr *tree) litter() []string {
	var left []string
	names, _ := filepath.Glob(filepath.Join(tr.state, "journal", "*"))
	for _, n := range names {
		if strings.HasSuffix(n, ".slot") {
			if head, _, err := readJournal(n); err == nil && head == nil {
				continue // an empty slot of a workspace that is open
			}
		}
		if !strings.HasSuffix(n, ".lock") {
			left = append(left, filepath.Base(n))
		}
	}
	return left
}

func target(t testing.TB, w *Workspace, name string) *Target {
	t.Helper()
	tg, err := w.Resolve(name)
	must(t, err)
	return tg
}

// doCommit locks and commits.
func doCommit(w *Workspace, changes ...Change) (Outcome, error) {
	var all []*Target
	for _, c := range changes {
		all = append(all, c.Target)
		if c.MoveTo != nil {
			all = append(all, c.MoveTo)
		}
	}
	unlock, err := w.Lock(context.Background(), all...)
	if err != nil {
		return Outcome{}, err
	}
	defer unlock()
	return w.Commit(context.Background(), changes)
}

func replace(t testing.TB, w *Workspace, name, from, to string) Change {
	return Change{Target: target(t, w, name), Old: []byte(from), New: []byte(to)}
}

func create(t testing.TB, w *Workspace, name, data string) Change {
	return Change{Target: target(t, w, name), OldAbsent: true, New: []byte(data)}
}

func wantCode(t testing.TB, err error, code refusal.Code) {
	t.Helper()
	if !errors.Is(err, code) {
		t.Fatalf("got %v, want %s", err, code)
	}
}
