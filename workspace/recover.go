package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"putcut/refusal"
	"putcut/text"
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

// lockPatience is how long recovery waits for somebody who works on a file of
// an interrupted commit; after that the journal waits for the next start.
const lockPatience = 5 * time.Second

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

// A rescue is the recovery of one journal.
type rescue struct {
	w     *Workspace // of the journal's roots
	path  string
	head  *journalHead
	parts []*part
	found []finding
	kept  []string
}

func (w *Workspace) recoverOne(path string, head *journalHead, rows map[string]bool) Recovery {
	r := &rescue{path: path, head: head}
	rec := Recovery{}
	for _, p := range head.Parts {
		if f := p.At.String(); !slices.Contains(rec.Files, f) {
			rec.Files = append(rec.Files, f)
		}
	}
	var err error
	rec.Action, err = r.run(w, rows)
	if err != nil {
		rec.Action, rec.Err = Failed, err
	}
	rec.Kept = r.kept
	return rec
}

func (r *rescue) run(outer *Workspace, rows map[string]bool) (Action, error) {
	// The journal was written by a workspace of this user that had these roots.
	r.w = &Workspace{state: outer.state, before: outer.before, chunk: outer.chunk, durable: None}
	if r.head.Durable {
		r.w.durable = Full
	}
	defer r.w.Close()
	defer func() {
		for _, p := range r.parts {
			p.close()
		}
	}()
	if err := r.openParts(); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	unlock, err := r.lock(ctx)
	if err != nil {
		return "", fmt.Errorf("another process works on its files: %w", err)
	}
	defer unlock()

	action := RolledBack
	if !r.head.Single && !rows[rowPrepared] {
		for _, p := range r.parts {
			if err := r.drop(p, p.Temp); err != nil {
				return "", err
			}
		}
	} else {
		forward, err := r.decide(rows[rowApplied])
		if err != nil {
			return "", err
		}
		if forward {
			action = Finished
			err = r.forward()
		} else {
			err = r.backward()
		}
		if err != nil {
			return "", err
		}
	}
	if action != Finished {
		for _, m := range slices.Backward(r.head.Made) {
			f := folder{r.w.rootIndex(m.Root), filepath.ToSlash(filepath.Join(string(m.Dir), string(m.Base)))}
			if err := r.w.removeFolder(f); err != nil {
				return "", err
			}
		}
	}
	if err := r.syncFolders(); err != nil {
		return "", err
	}
	if len(r.kept) > 0 {
		kept := strings.TrimSuffix(r.path, filepath.Ext(r.path)) + ".kept-journal"
		if err := r.w.step("rename", r.path, func() error { return os.Rename(r.path, kept) }); err != nil {
			return "", err
		}
		r.kept = append(r.kept, kept)
		if action == RolledBack {
			action = Kept
		}
		return action, nil
	}
	return action, r.w.step("unlink", r.path, func() error { return removeJournal(r.path, r.head) })
}

func (w *Workspace) rootIndex(real []byte) int {
	return slices.IndexFunc(w.roots, func(r *root) bool { return r.real == string(real) })
}

func (r *rescue) openParts() error {
	rootOf := func(name []byte) (int, error) {
		if i := r.w.rootIndex(name); i >= 0 {
			return i, nil
		}
		opened, err := openRoot(Root{Dir: string(name)})
		if err != nil {
			return 0, err
		}
		if opened.real != string(name) {
			opened.dir.close()
			opened.handle.Close()
			return 0, fmt.Errorf("the root %s is a link now", name)
		}
		r.w.roots = append(r.w.roots, opened)
		return len(r.w.roots) - 1, nil
	}
	open := func(at placeName) (*dir, int, error) {
		root, err := rootOf(at.Root)
		if err != nil {
			return nil, 0, err
		}
		d, err := r.w.openDirAt(root, string(at.Dir))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, root, nil // a folder that was to be made
		}
		return d, root, err
	}
	for _, rec := range r.head.Parts {
		if !plainName(string(rec.At.Base)) || !plainName(rec.Temp) || !plainName(rec.Aside) ||
			rec.Kind == partRename && !plainName(string(rec.To.Base)) {
			return errors.New("the journal names no plain files")
		}
		p := &part{partRecord: rec, w: r.w, name: rec.At.String()}
		r.parts = append(r.parts, p)
		var err error
		if p.d, p.root, err = open(rec.At); err != nil {
			return err
		}
		if rec.Kind == partRename {
			if p.to, p.toRoot, err = open(rec.To); err != nil {
				return err
			}
		}
		if rec.Kind == partInPlace {
			p.old, err = os.ReadFile(filepath.Join(filepath.Dir(r.path), filepath.Base(rec.Image)))
			if err == nil {
				p.new, err = os.ReadFile(filepath.Join(filepath.Dir(r.path), filepath.Base(rec.NewImage)))
			}
			// Without its images nothing was written in place yet.
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	for _, m := range r.head.Made {
		if _, err := rootOf(m.Root); err != nil {
			return err
		}
	}
	return nil
}

func plainName(s string) bool {
	return s != "" && s != "." && s != ".." && !strings.ContainsRune(s, '/') && !strings.ContainsRune(s, filepath.Separator)
}

// lock takes the locks that the commit had: paths, then inodes.
func (r *rescue) lock(ctx context.Context) (unlock func(), err error) {
	var held []func()
	release := func() {
		for _, f := range slices.Backward(held) {
			f()
		}
	}
	take := func(names []string) error {
		slices.Sort(names)
		for _, n := range slices.Compact(names) {
			f, err := r.w.lockStripe(ctx, n)
			if err != nil {
				return err
			}
			held = append(held, f)
		}
		return nil
	}
	var paths, inodes []string
	for _, p := range r.parts {
		paths = append(paths, stripeName("p", p.At.String()))
		if p.Kind == partRename {
			paths = append(paths, stripeName("p", p.To.String()))
		}
	}
	if err := take(paths); err != nil {
		release()
		return nil, err
	}
	for _, p := range r.parts {
		if p.Kind != partInPlace || p.d == nil {
			continue
		}
		if info, err := p.d.lstat(p.base()); err == nil && info.Links > 1 {
			inodes = append(inodes, inodeStripe(info))
		}
	}
	if err := take(inodes); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// A finding is the state of one part.
type finding struct {
	applied  bool
	released bool // applied, and what went out is gone: past the point of return
	foreign  bool // somebody saved since: it stays
	outgoing bool // what waits to be put back or thrown away is not the old file
}

// content of an entry.
type content struct {
	exists bool
	rev    text.Revision // empty for what is no regular file
}

func (r *rescue) look(p *part, d *dir, name string) (content, error) {
	if d == nil {
		return content{}, nil
	}
	var c content
	err := p.step("open", name, func() error {
		f, _, err := openRegular(d, name, os.O_RDONLY)
		if errors.Is(err, refusal.NotRegular) || errors.Is(err, refusal.Conflict) {
			c.exists = true
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		c.exists = true
		c.rev, err = revisionOf(f)
		return err
	})
	return c, err
}

// find looks at what a part left. moved says that a later part took the file
// from At to To already.
func (r *rescue) find(p *part, moved *part) (f finding, err error) {
	d, base := p.d, p.base()
	if moved != nil {
		d, base = moved.to, string(moved.To.Base)
	}
	cur, err := r.look(p, d, base)
	if err != nil {
		return f, err
	}
	temp, err := r.look(p, p.d, p.Temp)
	if err != nil {
		return f, err
	}
	aside, err := r.look(p, p.d, p.Aside)
	if err != nil {
		return f, err
	}
	is := func(c content, rev text.Revision) bool { return c.exists && c.rev == rev }
	p.temp, p.goes, p.applied, p.torn = false, "", false, false
	switch p.Kind {
	case partReplace:
		switch {
		case temp.exists && is(cur, p.New) && !is(temp, p.New):
			p.goes, f.applied, f.outgoing = p.Temp, true, !is(temp, p.Old)
		case temp.exists && !is(cur, p.Old) && is(temp, p.Old):
			// Exchanged, and then somebody saved over the new content.
			p.goes, f.applied, f.foreign = p.Temp, true, true
		case temp.exists:
			p.temp = true
			if f.foreign = !is(cur, p.Old); f.foreign && !is(temp, p.New) {
				// Either part of our content, or what somebody saved before an
				// exchange that somebody else saved over. Keep it.
				p.temp, p.goes, f.applied = false, p.Temp, true
			} else if aside.exists {
				p.goes = p.Aside
			}
		case aside.exists && is(cur, p.Old) && (is(aside, p.Old) || is(aside, p.New)):
			p.goes = p.Aside // a way back that was interrupted itself
		case aside.exists:
			p.goes, f.applied = p.Aside, true
			f.foreign = !is(cur, p.New)
			f.outgoing = !is(aside, p.Old)
		case is(cur, p.New):
			f.applied, f.released = true, true
		default:
			f.foreign = !is(cur, p.Old)
		}
	case partCreate:
		f.applied = is(cur, p.New)
		p.temp = temp.exists
		f.foreign = cur.exists && !f.applied
	case partRemove:
		switch {
		case temp.exists && !cur.exists:
			p.goes, f.applied, f.outgoing = p.Temp, true, !is(temp, p.Old)
		case temp.exists && is(cur, temp.rev):
			p.goes = p.Temp // two names of one file, halfway through a rename
		case temp.exists:
			p.goes, f.applied, f.foreign = p.Temp, true, true
		case !cur.exists:
			f.applied, f.released = true, true
		default:
			f.foreign = !is(cur, p.Old)
		}
	case partRename:
		to, err := r.look(p, p.to, string(p.To.Base))
		if err != nil {
			return f, err
		}
		f.applied = !cur.exists && to.exists
		f.foreign = !f.applied && !is(cur, p.Old) || f.applied && !is(to, p.Old)
	case partInPlace:
		switch {
		case is(cur, p.New):
			f.applied = true
		case is(cur, p.Old) || p.old == nil:
		default:
			data, err := r.bytes(p, d, base, max(len(p.old), len(p.new)))
			if err != nil {
				return f, err
			}
			p.torn = torn(data, p.old, p.new)
			f.applied, f.foreign = p.torn, !p.torn
		}
	}
	p.applied = f.applied
	return f, nil
}

// bytes reads a file of at most max bytes; a longer one gives nil.
func (r *rescue) bytes(p *part, d *dir, name string, max int) ([]byte, error) {
	if d == nil {
		return nil, nil
	}
	f, info, err := openRegular(d, name, os.O_RDONLY)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || refusal.As(err) != nil {
			return nil, nil
		}
		return nil, err
	}
	defer f.Close()
	if info.Size > int64(max) {
		return nil, nil
	}
	data := make([]byte, info.Size)
	n, err := f.ReadAt(data, 0)
	if n < len(data) {
		return nil, err
	}
	return data, nil
}

// sector is the unit in which a write in place may be torn. A killed process
// leaves whole pages, a power cut whole sectors.
const sector = 512

// torn reports that data is what an unfinished write of new over old, or of
// old over such a mixture, leaves: every sector is that of old or of new, with
// nothing but the end of either inside a sector, and what was never written is
// zero. A save by somebody else that happens to be such a mixture of sectors
// cannot be told apart, and for files under a sector there is none.
func torn(data, old, new []byte) bool {
	if data == nil || len(data) < min(len(old), len(new)) || len(data) > max(len(old), len(new)) {
		return false
	}
	cuts := map[int]bool{len(old): true, len(new): true}
	for start := 0; start < len(data); {
		end := min(start/sector*sector+sector, len(data))
		for c := range cuts {
			if c > start && c < end {
				end = c
			}
		}
		part := data[start:end]
		if !matches(part, old, start) && !matches(part, new, start) {
			return false
		}
		start = end
	}
	return true
}

// matches compares part with the bytes of whole from start; past its end whole
// is zero.
func matches(part, whole []byte, start int) bool {
	for i, b := range part {
		var want byte
		if start+i < len(whole) {
			want = whole[start+i]
		}
		if b != want {
			return false
		}
	}
	return true
}

// movedBy returns the applied rename that follows part i on the same file.
func (r *rescue) movedBy(i int) *part {
	for _, q := range r.parts[i+1:] {
		if q.Kind == partRename && q.At.String() == r.parts[i].At.String() && q.applied {
			return q
		}
	}
	return nil
}

// decide reports whether the commit is to be finished: every part is applied,
// or some part is past the point of return.
func (r *rescue) decide(applied bool) (forward bool, err error) {
	r.found = make([]finding, len(r.parts))
	all := true
	for i := len(r.parts) - 1; i >= 0; i-- {
		f, err := r.find(r.parts[i], r.movedBy(i))
		if err != nil {
			return false, err
		}
		r.found[i] = f
		applied = applied || f.released && !r.head.Single
		all = all && f.applied && !f.outgoing && !f.foreign && !r.parts[i].torn
	}
	return applied || all, nil
}

// forward throws away what went out of the targets.
func (r *rescue) forward() error {
	for i, p := range r.parts {
		for _, name := range []string{p.temporary(), p.goes} {
			if name == "" {
				continue
			}
			if name == p.goes && r.found[i].outgoing {
				if err := r.keep(p, name); err != nil {
					return err
				}
				continue
			}
			if err := r.drop(p, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// backward puts back every target that is as the commit left it, last first.
func (r *rescue) backward() error {
	for i := len(r.parts) - 1; i >= 0; i-- {
		p := r.parts[i]
		// Later parts have been put back by now, so the file is at At again.
		f, err := r.find(p, r.movedBy(i))
		if err != nil {
			return err
		}
		if f.foreign && f.applied {
			p.applied = false
			if p.Kind == partRename {
				// It moved and was saved there: it stays there.
				r.kept = append(r.kept, p.To.String())
				continue
			}
			if p.goes != "" {
				goes := p.goes
				p.goes = ""
				if err := r.keep(p, goes); err != nil {
					return err
				}
			}
		} else if f.foreign && (p.Kind == partInPlace && p.old != nil) {
			// The pre-image beside the journal stays with it.
			r.kept = append(r.kept, filepath.Join(filepath.Dir(r.path), p.Image))
		}
		kept, err := p.revert(true)
		r.kept = append(r.kept, kept...)
		if err != nil {
			return err
		}
	}
	return nil
}

// drop removes a temporary file.
func (r *rescue) drop(p *part, name string) error {
	if p.d == nil {
		return nil
	}
	err := p.step("unlink", name, func() error { return p.d.unlink(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// keep moves a pre-image from beside its target to the state folder.
func (r *rescue) keep(p *part, name string) error {
	f, _, err := openRegular(p.d, name, os.O_RDONLY)
	if err != nil {
		if refusal.As(err) != nil {
			// A folder, a link or a device that somebody put at the target's
			// name a moment before the exchange: it gets a name of its own.
			beside, err := p.keepBeside(p.d, name)
			r.kept = append(r.kept, beside)
			return err
		}
		return err
	}
	defer f.Close()
	to := fmt.Sprintf("%s.kept-%s", strings.TrimSuffix(r.path, filepath.Ext(r.path)), strings.TrimPrefix(name, ".putcut-"))
	err = r.w.step("write", to, func() error {
		out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = out.ReadFrom(f)
		if err == nil && r.w.durable == Full {
			err = out.Sync()
		}
		return errors.Join(err, out.Close())
	})
	if err != nil {
		return err
	}
	r.kept = append(r.kept, to)
	return r.drop(p, name)
}

func (r *rescue) syncFolders() error {
	if r.w.durable != Full {
		return nil
	}
	for _, p := range r.parts {
		for _, d := range []*dir{p.d, p.to} {
			if d == nil {
				continue
			}
			err := r.w.step("sync", string(p.At.Dir), d.sync)
			if err != nil && !unsupported(err) && !errors.Is(err, errBadHandle) {
				return err
			}
		}
	}
	return nil
}
