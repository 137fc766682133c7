package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	// Like, with a Mode, is the pre-image of a removed file that is created
	// again: the new file takes its owner and its extended attributes, as far as
	// the system allows and they are kept.
	Like *ImageRef
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

func conflict(format string, args ...any) *refusal.Error {
	return refusal.New(refusal.Conflict, format, args...).
		WithNext("Read the file again; nothing of the other change was lost")
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
