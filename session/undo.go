package session

import (
	"bytes"
	"context"
	"fmt"

	"putcut/ops"
	"putcut/refusal"
	"putcut/snapshots"
	"putcut/text"
	"putcut/workspace"
)

// Undo puts back what a call of this session changed, if every file still is
// what that call left. It is a call like any other: it has an id, and can be
// undone. Errors: NotFound when there is nothing to undo, Conflict.
func (s *Session) Undo(ctx context.Context, req UndoRequest) (*ChangeResult, error) {
	return s.change(ctx, "undo", req.DryRun, func() (*Plan, func(), error) { return s.planUndo(ctx, req) })
}

func (s *Session) planUndo(ctx context.Context, req UndoRequest) (*Plan, func(), error) {
	s.emit(ctx, Event{Step: StepRequested, Tool: "undo", DryRun: req.DryRun, Call: req.Call})
	s.mu.Lock()
	rec := s.calls.find(req.Call)
	s.mu.Unlock()
	if rec == nil {
		e := refusal.New(refusal.NotFound, "this session has no call that changed something and can be undone")
		if req.Call != "" {
			e.What = fmt.Sprintf("this session has no call %q that can be undone", req.Call)
		}
		return nil, nil, e.WithNext("Results of calls that changed something name their id")
	}
	var targets []*workspace.Target
	p := &Plan{s: s, tool: "undo", dry: req.DryRun, regs: s.regs.Begin(), redo: rec}
	for i := range rec.files {
		targets = append(targets, rec.files[i].before, rec.files[i].after)
	}
	unlock, err := s.ws.Lock(ctx, targets...)
	if err != nil {
		return nil, nil, err
	}
	for i := range rec.files {
		sec, err := s.undoSection(ctx, &rec.files[i], rec.id)
		if err != nil {
			return nil, unlock, err
		}
		if !req.DryRun {
			s.forgetPending(sec.target.Key)
		}
		p.sections = append(p.sections, sec)
	}
	if err := p.checkPolicy(ctx); err != nil {
		return nil, unlock, err
	}
	return p, unlock, nil
}

// undoSection is the section that turns a file back, checked against the disk.
func (s *Session) undoSection(ctx context.Context, u *undoFile, call string) (*section, error) {
	conflict := func(why string) error {
		return refusal.New(refusal.Conflict, "the file is no longer what call %s left: %s", call, why).At(u.name).
			WithNext("Read it and edit it by hand, or undo the later calls first")
	}
	resolve := func(t *workspace.Target) (*workspace.Target, error) {
		now, err := s.ws.Resolve(t.Name)
		if err == nil && now.Key != t.Key {
			err = conflict("its path leads elsewhere now")
		}
		return now, err
	}
	here, err := resolve(u.after)
	if err != nil {
		return nil, err
	}
	sec := &section{named: here.Name, target: here, live: u.now}
	if u.gone {
		if here.Exists {
			return nil, conflict("there is a file again")
		}
		sec.create, sec.mode = true, u.mode
		sec.live = snapshots.Snap{Text: text.FromBody(nil, text.Format{Encoding: text.UTF8})}
	} else {
		if !here.Exists {
			return nil, conflict("it is gone")
		}
		raw, err := s.ws.Read(ctx, here, u.now.Raw, int64(len(u.now.Raw)))
		if isTooLarge(err) || err == nil && !bytes.Equal(raw, u.now.Raw) {
			return nil, conflict("someone changed it")
		}
		if err != nil {
			return nil, err
		}
	}
	if err := s.checkWritable(here); err != nil {
		return nil, err
	}
	if u.absent {
		sec.ops = []ops.Op{{Verb: ops.Rem}}
		sec.version = s.observe(here, u.now)
		return sec, nil
	}
	sec.newSnap, sec.newRaw = u.old, u.old.Raw
	sec.cut = ops.Result{Text: u.old.Text, Map: u.m.Invert()}
	if u.gone {
		sec.cut.Map = ops.MapOf(0, u.old.Text.Len(), []ops.Hunk{{NewEnd: u.old.Text.Len()}})
	}
	for _, h := range sec.cut.Map.Hunks() {
		sp := ops.Splice{Start: h.OldStart, End: h.OldEnd}
		for n := h.NewStart + 1; n <= h.NewEnd; n++ {
			sp.Rows = append(sp.Rows, string(u.old.Text.Line(n)))
		}
		sec.splices = append(sec.splices, sp)
	}
	if u.before.Key != u.after.Key {
		back, err := resolve(u.before)
		if err != nil {
			return nil, err
		}
		if back.Exists {
			return nil, conflict("its old name is taken again")
		}
		sec.dest = back
	}
	return sec, nil
}
