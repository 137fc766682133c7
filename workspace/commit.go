package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"putcut/refusal"
	"putcut/text"
)

// A Change is what a commit does to one target.
//
//	Old set, New set                the content is replaced
//	OldAbsent, New set              the file is created, parents included
//	Old set, Remove                 the file is removed
//	Old set, MoveTo set, New set    the file is moved; New may equal Old
//
// Old is the exact bytes that were validated: a file that holds anything else
// when its turn comes is EDIT_CONFLICT. Neither slice is changed or kept.
type Change struct {
	Target    *Target
	Old       []byte
	OldAbsent bool
	New       []byte
	Remove    bool
	MoveTo    *Target
	// OldRevision and NewRevision save hashing Old and New where the caller
	// has done it.
	OldRevision, NewRevision text.Revision
	// Mode is the mode of a created file; 0 is 0666 less the umask.
	Mode fs.FileMode
}

// An Outcome is what is to be said of a commit that went through.
type Outcome struct {
	// Durable says that the bytes outlive a power cut.
	Durable  bool
	Warnings []refusal.Warning
}

// Commit makes all changes or none of them, whatever fails or dies meanwhile;
// what a crash leaves, the next Open finishes or rolls back. The caller holds
// the locks of all targets.
//
// Refusals: EDIT_CONFLICT (a file is not what was validated), EDIT_EXISTS (a
// file to be made is there), EDIT_POLICY, EDIT_NOT_REGULAR, and EDIT_IO. ctx is
// honoured until the first target changes. Cost: a single file is a synced
// temporary file, an exchange of names and a synced folder; several add the
// sync of a journal.
func (w *Workspace) Commit(ctx context.Context, changes []Change) (Outcome, error) {
	return w.CommitCall(ctx, Call{}, changes)
}

// way is how one change is carried out; a way that the system refuses for this
// file gives place to the next.
type way uint8

const (
	wayReplace way = iota // temporary file and exchange, or rename
	wayInPlace            // overwrite under the journal
	wayCopy               // a move as a new file and a removal
)

// An otherWay says that nothing is wrong but the way taken for a change. With
// wayReplace it asks for the same once more.
type otherWay struct {
	change int
	way    way
	cause  error
}

func (o *otherWay) Error() string { return o.cause.Error() }
func (o *otherWay) Unwrap() error { return o.cause }

// CommitCall is Commit that keeps the pre-images of the files as those of a
// call, for undo. Keeping them never fails the commit. The zero Call keeps
// nothing.
func (w *Workspace) CommitCall(ctx context.Context, call Call, changes []Change) (Outcome, error) {
	if err := call.check(); err != nil {
		return Outcome{}, err
	}
	ways := make([]way, len(changes))
	for again := 0; ; {
		c := &commit{w: w, ctx: ctx, call: call, changes: changes, ways: ways}
		err := c.run()
		var other *otherWay
		if errors.As(err, &other) && c.stuck == nil {
			if other.way != wayReplace && ways[other.change] == wayReplace {
				ways[other.change] = other.way
				continue
			}
			if again++; other.way == wayReplace && again < 4 {
				continue
			}
		}
		if err != nil {
			return Outcome{}, c.explain(err)
		}
		return c.outcome, nil
	}
}

// A commit is one attempt.
type commit struct {
	w       *Workspace
	ctx     context.Context
	call    Call
	changes []Change
	ways    []way

	id      string
	parts   []*part
	made    []folder // that this commit makes, outermost first
	makes   int      // how many of them exist
	journal *journal
	head    *journalHead
	stuck   []error
	kept    []string
	outcome Outcome
}

type folder struct {
	root int
	rel  string
}

// A part is a partRecord in work.
type part struct {
	partRecord
	w        *Workspace
	change   int
	name     string // for messages
	root     int
	toRoot   int
	old, new []byte // nil in recovery
	mode     fs.FileMode
	meta     *Target // whose metadata a created file takes
	was      Info    // of the old file when its metadata was copied
	d, to    *dir

	temp     bool     // Temp exists, with new content
	applied  bool     // the target changed
	goes     string   // name of what went out of the target: Temp or Aside
	file     *os.File // Temp, until it is synced
	unsynced bool     // the file system has no sync for files
	copied   bool     // Aside is a copy and not the old file itself
	torn     bool     // a write in place began
}

func (c *commit) run() (err error) {
	defer func() {
		for _, p := range c.parts {
			p.close()
		}
	}()
	if err := c.plan(); err != nil {
		return err
	}
	if len(c.parts) == 0 {
		c.outcome.Durable = c.w.durable == Full
		return nil
	}
	if err := c.begin(); err != nil {
		return err
	}
	if err := c.prepare(); err != nil {
		c.undo()
		return err
	}
	if err := c.ctx.Err(); err != nil {
		c.undo()
		return err
	}
	if err := c.apply(); err != nil {
		c.undo()
		return err
	}
	c.finish()
	return nil
}

// plan turns the changes into parts and refuses what cannot be.
func (c *commit) plan() error {
	c.id = randomID()
	if err := c.distinct(); err != nil {
		return err
	}
	for i, ch := range c.changes {
		for _, t := range []*Target{ch.Target, ch.MoveTo} {
			if t == nil {
				continue
			}
			if err := c.w.CheckWritable(t); err != nil {
				return err
			}
			if err := c.w.look(t); err != nil {
				return err
			}
		}
		if err := c.planChange(i, ch); err != nil {
			if e := refusal.As(err); e != nil {
				return e.At(ch.Target.Name)
			}
			return ioError(ch.Target.Name, "look at the file", err)
		}
	}
	c.sortParts()
	for i, p := range c.parts {
		p.Temp = fmt.Sprintf(".putcut-%s-%d", c.id, i)
		p.Aside = p.Temp + "o"
	}
	return nil
}

// distinct refuses two changes of one file: neither could be undone without
// the other.
func (c *commit) distinct() error {
	seen := map[string]bool{}
	for _, ch := range c.changes {
		targets := []*Target{ch.Target}
		if ch.MoveTo != nil && !CaseOnly(ch.Target, ch.MoveTo) {
			targets = append(targets, ch.MoveTo)
		}
		for _, t := range targets {
			inode := ""
			if t == ch.Target && t.Exists && t.Info.Links > 1 {
				inode = fmt.Sprintf("%x:%x", t.Info.Dev, t.Info.Ino)
			}
			if seen[t.Key] || inode != "" && seen[inode] {
				return refusal.New(refusal.InvalidArgument, "one call changes this file twice").
					WithNext("Put all changes of a file into one section").At(t.Name)
			}
			seen[t.Key], seen[inode] = true, true
		}
	}
	return nil
}

func (c *commit) planChange(i int, ch Change) error {
	t := ch.Target
	if ch.OldAbsent {
		if t.Exists {
			return refusal.New(refusal.Exists, "the file exists already")
		}
		if err := c.planFolders(t); err != nil {
			return err
		}
		c.add(i, partCreate, t, ch).mode = ch.Mode
		return nil
	}
	f, info, err := c.w.open(t)
	if err != nil {
		if errors.Is(err, refusal.NotFound) {
			return conflict("the file was removed since it was read")
		}
		return err
	}
	defer f.Close()
	t.Info = info
	if !info.untouched(t.read) || info.Size != int64(len(ch.Old)) {
		if err := c.mustEqual(f, ch.Old); err != nil {
			return err
		}
	}
	inPlace := info.Links > 1 || c.ways[i] == wayInPlace
	same := bytes.Equal(ch.Old, ch.New)
	switch {
	case ch.Remove:
		c.add(i, partRemove, t, ch)
	case ch.MoveTo != nil:
		return c.planMove(i, ch, info, inPlace, same)
	case same:
	case inPlace:
		c.add(i, partInPlace, t, ch)
	default:
		c.add(i, partReplace, t, ch)
	}
	return nil
}

func (c *commit) planMove(i int, ch Change, info Info, inPlace, same bool) error {
	from, to := ch.Target, ch.MoveTo
	caseOnly := CaseOnly(from, to)
	if to.Exists && !caseOnly {
		return refusal.New(refusal.Exists, "the destination %s exists already", to.Name)
	}
	if err := c.planFolders(to); err != nil {
		return err
	}
	switch {
	case c.ways[i] == wayCopy || !same && !inPlace && !caseOnly:
		p := c.add(i, partCreate, to, ch)
		p.meta = from
		c.add(i, partRemove, from, ch).New = ""
		return nil
	case !same && inPlace:
		c.add(i, partInPlace, from, ch)
	case !same:
		c.add(i, partReplace, from, ch)
	}
	p := c.add(i, partRename, from, ch)
	p.toRoot = to.root
	base := to.base()
	if caseOnly {
		base = to.asked
	}
	p.To = c.w.placeName(to.root, to.parent(), base)
	if !same {
		// The content has changed by the time this part comes.
		p.Old, p.old = p.New, p.new
	}
	p.New, p.new = "", nil
	return nil
}

func (w *Workspace) placeName(root int, dir, base string) placeName {
	return placeName{[]byte(w.roots[root].real), []byte(dir), []byte(base)}
}

func (c *commit) add(i int, kind partKind, t *Target, ch Change) *part {
	p := &part{w: c.w, change: i, name: t.Name, root: t.root, old: ch.Old, new: ch.New, was: t.Info}
	p.Kind = kind
	p.At = c.w.placeName(t.root, t.parent(), t.base())
	if kind != partCreate {
		p.Old = ch.OldRevision
		if p.Old == "" {
			p.Old = text.RevisionOf(ch.Old)
		}
	}
	if kind != partRemove {
		p.New = ch.NewRevision
		if p.New == "" {
			p.New = text.RevisionOf(ch.New)
		}
	}
	c.parts = append(c.parts, p)
	return p
}

// planFolders notes the folders above t that are missing.
func (c *commit) planFolders(t *Target) error {
	var missing []folder
	for rel := t.parent(); rel != "."; rel = path.Dir(rel) {
		d, err := c.w.openDirAt(t.root, rel)
		if err == nil {
			d.close()
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		missing = append(missing, folder{t.root, rel})
	}
	for _, f := range slices.Backward(missing) {
		if !slices.Contains(c.made, f) {
			c.made = append(c.made, f)
		}
	}
	return nil
}

func conflict(format string, args ...any) *refusal.Error {
	return refusal.New(refusal.Conflict, format, args...).
		WithNext("Read the file again; nothing of the other change was lost")
}

func (c *commit) mustEqual(f io.Reader, want []byte) error {
	_, differs, err := compare(context.Background(), f, want)
	if err != nil {
		return err
	}
	if differs != nil {
		return conflict("somebody else changed the file since it was read")
	}
	return nil
}

// begin writes the journal's head: every name that may come to exist.
func (c *commit) begin() error {
	dir, stem, err := c.w.owner.next(c.w)
	if err != nil {
		return err
	}
	c.head = &journalHead{Version: journalVersion, Durable: c.w.durable == Full}
	c.head.Single = len(c.parts) == 1 && c.parts[0].Kind != partInPlace
	for i, p := range c.parts {
		if p.Kind == partInPlace {
			p.Image = fmt.Sprintf("%s.old%d", stem, i)
			p.NewImage = fmt.Sprintf("%s.new%d", stem, i)
		}
		c.head.Parts = append(c.head.Parts, p.partRecord)
	}
	for _, f := range c.made {
		c.head.Made = append(c.head.Made, c.w.placeName(f.root, path.Dir(f.rel), path.Base(f.rel)))
	}
	c.journal, err = c.w.startJournal(dir, stem, c.head)
	return err
}

// prepare makes everything that can fail for want of space or permission
// before the first target changes.
func (c *commit) prepare() error {
	for i, f := range c.made {
		d, err := c.w.openDirAt(f.root, path.Dir(f.rel))
		if err != nil {
			return err
		}
		err = c.w.step("mkdir", f.rel, func() error { return d.mkdir(path.Base(f.rel)) })
		d.close()
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err != nil {
			// Somebody else made it meanwhile; then it is not ours to remove.
			c.made[i].rel = ""
		}
		c.makes = i + 1
	}
	for _, p := range c.parts {
		if err := c.preparePart(p); err != nil {
			return c.fail(p, err)
		}
	}
	// Syncing after all are written lets the system write them together.
	for _, p := range c.parts {
		if p.file == nil {
			continue
		}
		if err := p.syncTemp(); err != nil {
			return c.fail(p, err)
		}
	}
	if c.head.Single {
		return nil
	}
	if err := c.journal.append([]byte(rowPrepared)); err != nil {
		return err
	}
	if c.w.durable != Full {
		return nil
	}
	return c.journal.sync()
}

// fail locates an error of a part, or turns it into an otherWay where another
// way may avoid it.
func (c *commit) fail(p *part, err error) error {
	switch {
	case p.Kind == partReplace && (errors.Is(err, errMetadata) || irreplaceable(err)):
		return &otherWay{p.change, wayInPlace, err}
	case p.Kind == partRename && crossDevice(err):
		return &otherWay{p.change, wayCopy, err}
	case (p.Kind == partCreate && p.meta == nil || p.Kind == partRename) && errors.Is(err, fs.ErrNotExist) && !p.applied:
		// Another commit that failed took a folder away that it had made.
		return &otherWay{p.change, wayReplace, err}
	}
	if p.Kind != partCreate && errors.Is(err, fs.ErrNotExist) || errors.Is(err, refusal.NotFound) {
		return conflict("the file was removed since it was read").At(p.name)
	}
	if e := refusal.As(err); e != nil {
		return e.At(p.name)
	}
	e := ioError(p.name, "commit the change", err)
	e.Code = refusal.IO
	return e
}

func (c *commit) preparePart(p *part) (err error) {
	if p.d, err = c.w.openDirAt(p.root, string(p.At.Dir)); err != nil {
		return err
	}
	switch p.Kind {
	case partRename:
		p.to, err = c.w.openDirAt(p.toRoot, string(p.To.Dir))
		return err
	case partInPlace:
		return c.prepareImages(p)
	case partReplace, partCreate:
		return p.writeTemp()
	}
	return nil
}

func (p *part) writeTemp() error {
	perm := fs.FileMode(0o666)
	if p.Kind == partReplace || p.meta != nil {
		perm = 0o600 // nobody looks in before the bits are those of the file
	}
	var f *os.File
	err := p.step("create", p.Temp, func() (err error) {
		f, err = p.d.openFile(p.Temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
		return err
	})
	if err != nil {
		return err
	}
	p.temp, p.file = true, f
	if err := p.write(f, p.Temp, p.new); err != nil {
		return err
	}
	step := func(op string) error { return p.step(op, p.Temp, func() error { return nil }) }
	switch {
	case p.Kind == partReplace:
		from, info, err := openRegular(p.d, string(p.At.Base), os.O_RDONLY)
		if err != nil {
			return err
		}
		defer from.Close()
		p.was = info
		if err := copyMetadata(f, from, info, step); err != nil {
			return err
		}
	case p.meta != nil:
		from, info, err := p.w.open(p.meta)
		if err != nil {
			return err
		}
		defer from.Close()
		if err := copyMetadata(f, from, info, step); err != nil && !errors.Is(err, errMetadata) {
			return err
		}
	case p.mode != 0:
		if err := step("chmod"); err != nil {
			return err
		}
		if err := f.Chmod(p.mode); err != nil {
			return err
		}
	}
	if p.w.durable == Full {
		return nil
	}
	p.file = nil
	return f.Close()
}

func (p *part) step(op, name string, f func() error) error {
	return p.w.step(op, path.Join(string(p.At.Dir), name), f)
}

func (p *part) write(f *os.File, name string, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), p.w.chunk)
		if err := p.step("write", name, func() error { _, err := f.Write(data[:n]); return err }); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

func (p *part) syncTemp() error {
	f := p.file
	p.file = nil
	err := p.step("sync", p.Temp, f.Sync)
	if unsupported(err) {
		p.unsynced, err = true, nil
	}
	return errors.Join(err, f.Close())
}

// prepareImages saves the bytes that a write in place destroys, and those it
// writes, so that recovery can tell a torn file from somebody's save.
func (c *commit) prepareImages(p *part) error {
	for name, data := range map[string][]byte{p.Image: p.old, p.NewImage: p.new} {
		file := filepath.Join(c.journal.dir, name)
		var f *os.File
		err := c.w.step("create", file, func() (err error) {
			f, err = os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			return err
		})
		if err != nil {
			return err
		}
		err = c.w.step("write", file, func() error { _, err := f.Write(data); return err })
		if err == nil && c.w.durable == Full {
			err = c.w.step("sync", file, f.Sync)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// sortParts puts the changes that write in place last: they are the hardest to
// put back. A rename after a write in place is of the same change and follows it.
func (c *commit) sortParts() {
	late := map[int]int{}
	for _, p := range c.parts {
		if p.Kind == partInPlace {
			late[p.change] = 1
		}
	}
	slices.SortStableFunc(c.parts, func(a, b *part) int { return late[a.change] - late[b.change] })
}

func (c *commit) apply() error {
	for _, p := range c.parts {
		if err := p.apply(); err != nil {
			return c.fail(p, err)
		}
	}
	return c.syncFolders()
}

// syncFolders makes the new entries durable, each folder once.
func (c *commit) syncFolders() error {
	if c.w.durable != Full {
		return nil
	}
	c.outcome.Durable = true
	done := map[string]bool{}
	one := func(d *dir, at placeName) error {
		at.Base = nil
		name := at.String()
		if done[name] {
			return nil
		}
		done[name] = true
		err := c.w.step("sync", string(at.Dir), d.sync)
		if unsupported(err) || errors.Is(err, errBadHandle) {
			c.notDurable("the file system of %s does not sync folders", name)
			return nil
		}
		return err
	}
	for _, p := range c.parts {
		if p.unsynced {
			c.notDurable("the file system of %s does not sync files", p.name)
		}
		if p.Kind == partInPlace {
			continue
		}
		if err := one(p.d, p.At); err != nil {
			return err
		}
		if p.to != nil {
			if err := one(p.to, p.To); err != nil {
				return err
			}
		}
	}
	for i, f := range c.made {
		if f.rel == "" {
			continue
		}
		d, err := c.w.openDirAt(f.root, path.Dir(f.rel))
		if err != nil {
			return err
		}
		err = one(d, c.head.Made[i])
		d.close()
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *commit) notDurable(format string, args ...any) {
	c.outcome.Durable = false
	c.outcome.Warnings = append(c.outcome.Warnings, refusal.Warning{
		Code: refusal.NotDurable, Message: fmt.Sprintf(format, args...),
	})
}

// finish clears up after the last change. The commit stands whatever fails
// here; the journal then stays and the next start clears up.
func (c *commit) finish() {
	if !c.head.Single {
		// Unsynced: it only spares recovery a needless way back.
		c.journal.append([]byte(rowApplied))
	}
	c.keepImages()
	clean := true
	for _, p := range c.parts {
		if p.goes != "" {
			err := p.step("unlink", p.goes, func() error { return p.d.unlink(p.goes) })
			clean = clean && (err == nil || errors.Is(err, fs.ErrNotExist))
		}
		if p.Kind == partInPlace {
			c.outcome.Warnings = append(c.outcome.Warnings, refusal.Warning{
				Code: refusal.InPlace, Path: p.name,
				Message: "written in place, because " + c.reason(p) + "; a reader may have seen it half written",
			})
		}
	}
	if !clean {
		c.journal.f.Close()
	}
	if !clean || c.removeJournal() != nil {
		c.outcome.Warnings = append(c.outcome.Warnings, refusal.Warning{
			Code:    refusal.NotDurable,
			Message: "the change is made, but temporary files could not be removed yet; the next start removes them",
		})
	}
}

func (c *commit) reason(p *part) string {
	if p.was.Links > 1 {
		return "the file has several hard links"
	}
	return "the file cannot be replaced where it is"
}

func (c *commit) removeJournal() error { return c.w.end(c.journal, c.head) }

// undo puts everything back. What cannot be put back is noted and the journal
// stays.
func (c *commit) undo() {
	for _, p := range slices.Backward(c.parts) {
		kept, err := p.revert(false)
		c.kept = append(c.kept, kept...)
		if err != nil {
			c.stuck = append(c.stuck, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	for i := c.makes - 1; i >= 0; i-- {
		f := c.made[i]
		if f.rel == "" {
			continue
		}
		if err := c.w.removeFolder(f); err != nil {
			c.stuck = append(c.stuck, err)
		}
	}
	if len(c.stuck) > 0 {
		c.journal.f.Close()
	} else if err := c.removeJournal(); err != nil {
		c.stuck = append(c.stuck, err)
	}
}

// removeFolder removes a folder that a commit made, if nobody put anything in.
func (w *Workspace) removeFolder(f folder) error {
	d, err := w.openDirAt(f.root, path.Dir(f.rel))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	defer d.close()
	err = w.step("rmdir", f.rel, func() error { return d.rmdir(path.Base(f.rel)) })
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || notEmpty(err) {
		return nil
	}
	return err
}

// explain makes a refusal of the error that ended a commit, and says what is
// not as it was.
func (c *commit) explain(err error) error {
	if c.ctx.Err() != nil && errors.Is(err, c.ctx.Err()) && len(c.stuck) == 0 {
		return err
	}
	e := refusal.As(err)
	if e == nil {
		e = ioError("", "commit the change", err)
		e.Code = refusal.IO
	}
	for _, k := range c.kept {
		e.What = strings.TrimSuffix(e.What, ".") + "; what somebody else saved meanwhile is kept as " + k
	}
	if len(c.stuck) > 0 {
		e.What = fmt.Sprintf("%s; not everything could be put back: %v; the journal %s holds what is needed and the next start tries again",
			strings.TrimSuffix(e.What, "."), errors.Join(c.stuck...), c.journal.path)
	}
	return e
}
