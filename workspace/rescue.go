package workspace

import (
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
)

// lockPatience is how long recovery waits for somebody who works on a file of
// an interrupted commit; after that the journal waits for the next start.
const lockPatience = 5 * time.Second

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
			!fs.ValidPath(string(rec.At.Dir)) ||
			rec.Kind == partRename && (!plainName(string(rec.To.Base)) || !fs.ValidPath(string(rec.To.Dir))) {
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
		if !plainName(string(m.Base)) || !fs.ValidPath(string(m.Dir)) {
			return errors.New("the journal names no plain folders")
		}
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
			if err := r.keepImage(p); err != nil {
				return err
			}
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

// keepImage keeps the pre-image of a target that was to be written in place.
func (r *rescue) keepImage(p *part) error {
	from := filepath.Join(filepath.Dir(r.path), filepath.Base(p.Image))
	to := strings.TrimSuffix(r.path, filepath.Ext(r.path)) + ".kept-" + filepath.Base(p.Image)
	err := r.w.step("rename", from, func() error { return os.Rename(from, to) })
	if err != nil {
		return err
	}
	r.kept = append(r.kept, to)
	return nil
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
