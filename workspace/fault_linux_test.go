package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// picture is every entry of the root with all that a commit must keep: bytes,
// mode, owner, attributes, and which names are one file.
func (tr *tree) picture() string {
	tr.t.Helper()
	var rows []string
	inodes := map[uint64]string{}
	must(tr.t, filepath.WalkDir(tr.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == tr.dir {
			return err
		}
		rel, _ := filepath.Rel(tr.dir, p)
		var st unix.Stat_t
		must(tr.t, unix.Lstat(p, &st))
		row := fmt.Sprintf("%s %o %d:%d", rel, st.Mode, st.Uid, st.Gid)
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(p)
			row += " -> " + to
		case d.Type().IsRegular():
			b, _ := os.ReadFile(p)
			row += " " + brief(b)
			v := make([]byte, 100)
			if n, err := unix.Getxattr(p, "user.note", v); err == nil {
				row += fmt.Sprintf(" note=%s", v[:n])
			}
			if st.Nlink > 1 {
				if first := inodes[st.Ino]; first != "" {
					row += " = " + first
				} else {
					inodes[st.Ino] = rel
				}
			}
		}
		rows = append(rows, row)
		return nil
	}))
	sort.Strings(rows)
	return strings.Join(rows, "\n")
}

var (
	bigOld = strings.Repeat("old line of a file\n", 60)
	bigNew = strings.Repeat("new line of this file\n", 70)
)

func brief(b []byte) string {
	switch string(b) {
	case bigOld:
		return "OLD"
	case bigNew:
		return "NEW"
	}
	if len(b) > 40 {
		return fmt.Sprintf("%q…%q", b[:20], b[len(b)-20:])
	}
	return fmt.Sprintf("%q", b)
}

type scenario struct {
	name    string
	setup   func(tr *tree)
	changes func(tr *tree, w *Workspace) []Change
	inPlace bool
}

func basic(tr *tree) {
	tr.put("a", bigOld)
	must(tr.t, os.Chmod(tr.path("a"), 0o4750))
	unix.Setxattr(tr.path("a"), "user.note", []byte("kept"), 0)
	if os.Getuid() == 0 {
		must(tr.t, os.Chown(tr.path("a"), 1234, 2345))
		must(tr.t, os.Chmod(tr.path("a"), 0o750))
	}
	tr.put("d/b", "b\n")
	tr.put("c", "c\n")
	tr.put("m", "m\n")
	must(tr.t, os.Symlink("d/b", tr.path("link")))
}

func linked(tr *tree) {
	basic(tr)
	tr.put("h1", bigOld)
	must(tr.t, os.Link(tr.path("h1"), tr.path("h2")))
	must(tr.t, os.Link(tr.path("h1"), tr.path("d/h3")))
}

var scenarios = []scenario{
	{name: "one", setup: basic, changes: func(tr *tree, w *Workspace) []Change {
		return []Change{replace(tr.t, w, "a", bigOld, bigNew)}
	}},
	{name: "create", setup: basic, changes: func(tr *tree, w *Workspace) []Change {
		return []Change{create(tr.t, w, "n/o/p", "new\n")}
	}},
	{name: "remove", setup: basic, changes: func(tr *tree, w *Workspace) []Change {
		return []Change{{Target: target(tr.t, w, "a"), Old: []byte(bigOld), Remove: true}}
	}},
	{name: "move", setup: basic, changes: func(tr *tree, w *Workspace) []Change {
		return []Change{{Target: target(tr.t, w, "a"), Old: []byte(bigOld), New: []byte(bigOld), MoveTo: target(tr.t, w, "n/z")}}
	}},
	{name: "move and edit", setup: basic, changes: func(tr *tree, w *Workspace) []Change {
		return []Change{{Target: target(tr.t, w, "a"), Old: []byte(bigOld), New: []byte(bigNew), MoveTo: target(tr.t, w, "n/z")}}
	}},
	{name: "several", setup: basic, changes: func(tr *tree, w *Workspace) []Change {
		return []Change{
			replace(tr.t, w, "a", bigOld, bigNew), replace(tr.t, w, "link", "b\n", "B\n"),
			{Target: target(tr.t, w, "c"), Old: []byte("c\n"), Remove: true},
			create(tr.t, w, "n/o/p", "new\n"),
			{Target: target(tr.t, w, "m"), Old: []byte("m\n"), New: []byte("m\n"), MoveTo: target(tr.t, w, "n/m")},
		}
	}},
	{name: "hard links", setup: linked, inPlace: true, changes: func(tr *tree, w *Workspace) []Change {
		return []Change{
			replace(tr.t, w, "a", bigOld, bigNew), replace(tr.t, w, "h2", bigOld, bigNew), create(tr.t, w, "n/p", "new\n"),
		}
	}},
	{name: "hard link shrinks", setup: linked, inPlace: true, changes: func(tr *tree, w *Workspace) []Change {
		return []Change{replace(tr.t, w, "h2", bigOld, "short\n")}
	}},
	{name: "hard link moves and changes", setup: linked, inPlace: true, changes: func(tr *tree, w *Workspace) []Change {
		return []Change{
			{Target: target(tr.t, w, "h1"), Old: []byte(bigOld), New: []byte(bigNew), MoveTo: target(tr.t, w, "n/h")},
			replace(tr.t, w, "c", "c\n", "C\n"),
		}
	}},
}

var errKilled = errors.New("killed")

// A fault counts steps and, from step n on, fails once or for good.
type fault struct {
	mu    sync.Mutex
	n     int
	err   error
	dead  bool // every later step fails too
	steps []Step
	do    func(Step) // instead of failing

	noExchange bool // the file system cannot exchange names
}

func (f *fault) before(s Step) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := len(f.steps)
	f.steps = append(f.steps, s)
	if f.err == nil && f.do == nil || i < f.n || i > f.n && !f.dead {
		if f.noExchange && s.Op == "exchange" {
			return unix.EINVAL
		}
		return nil
	}
	if f.do != nil {
		f.do(s)
		return nil
	}
	return f.err
}

// run makes the scenario's tree and commits under a fault.
func (s scenario) run(t *testing.T, f *fault, d Durability, noExchange bool) (tr *tree, old string, err error) {
	f.noExchange = noExchange
	tr = memoryTree(t)
	s.setup(tr)
	old = tr.picture()
	w := tr.open(Options{Durability: d, Before: f.before})
	w.chunk = 512
	_, err = doCommit(w, s.changes(tr, w)...)
	must(t, w.Close())
	return tr, old, err
}

// settle opens the tree again, which recovers, and checks that nothing is left.
func settle(t *testing.T, tr *tree, f *fault, where string) []Recovery {
	t.Helper()
	opts := Options{StateDir: tr.state, Durability: None}
	if f != nil {
		opts.Before = f.before
	}
	w, err := Open([]Root{{Dir: tr.dir}}, opts)
	must(t, err)
	defer w.Close()
	if f != nil {
		return w.Recovered()
	}
	for _, r := range w.Recovered() {
		if r.Action != RolledBack && r.Action != Finished {
			t.Errorf("%s: %v %v", where, r, r.Err)
		}
	}
	if l := tr.litter(); len(l) > 0 {
		t.Errorf("%s: left in the state folder: %v", where, l)
	}
	return w.Recovered()
}

func TestEveryFault(t *testing.T) {
	failures, kills := 0, 0
	for _, s := range scenarios {
		for _, noExchange := range []bool{false, true} {
			for _, d := range []Durability{None, Full} {
				t.Run(fmt.Sprintf("%s,exchange=%v,durability=%d", s.name, !noExchange, d), func(t *testing.T) {
					clean := &fault{}
					tr, old, err := s.run(t, clean, d, noExchange)
					must(t, err)
					done := tr.picture()
					if old == done {
						t.Fatal("the scenario changes nothing")
					}
					for n := range clean.steps {
						for _, cause := range []error{unix.EIO, unix.ENOSPC, unix.EPERM, errKilled} {
							f := &fault{n: n, err: cause, dead: cause == errKilled}
							where := fmt.Sprintf("step %d (%v), %v", n, clean.steps[n], cause)
							tr, old, err := s.run(t, f, d, noExchange)
							if cause == errKilled {
								kills++
								settle(t, tr, nil, where)
								if got := tr.picture(); got != old && got != done {
									t.Fatalf("%s, error %v: neither old nor new:\n%s", where, err, got)
								}
								continue
							}
							failures++
							want := done
							if err != nil {
								want = old
							}
							got := tr.picture()
							if strings.Contains(got, ".putcut-") {
								// Only a clean-up that failed may leave something.
								if f.steps[n].Op != "unlink" {
									t.Fatalf("%s: left over:\n%s", where, got)
								}
								settle(t, tr, nil, where)
								got = tr.picture()
							}
							if got != want {
								t.Fatalf("%s, error %v: got\n%s\nwant\n%s", where, err, got, want)
							}
							settle(t, tr, nil, where)
						}
					}
				})
			}
		}
	}
	t.Logf("%d failures and %d kills injected", failures, kills)
}

// A second death during the recovery of the first, at every step of it.
func TestEveryFaultInRecovery(t *testing.T) {
	kills := 0
	for _, s := range scenarios {
		for _, noExchange := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s,exchange=%v", s.name, !noExchange), func(t *testing.T) {
				clean := &fault{}
				tr, _, err := s.run(t, clean, None, noExchange)
				must(t, err)
				done := tr.picture()
				for n := range clean.steps {
					// All of them take a while; a part of them says nearly as much.
					for m := n % recoveryStride; ; m += recoveryStride {
						tr, old, _ := s.run(t, &fault{n: n, err: errKilled, dead: true}, None, noExchange)
						second := &fault{n: m, err: errKilled, dead: true, noExchange: noExchange && m%2 == 0}
						settle(t, tr, second, "")
						if len(second.steps) <= m {
							break
						}
						kills++
						where := fmt.Sprintf("step %d (%v), then %d (%v)", n, clean.steps[n], m, second.steps[m])
						settle(t, tr, nil, where)
						if got := tr.picture(); got != old && got != done {
							t.Fatalf("%s: neither old nor new:\n%s", where, got)
						}
					}
				}
			})
		}
	}
	t.Logf("%d double kills", kills)
}
