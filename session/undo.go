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
	return s.change(ctx, "undo", req.DryRun, func(asked *[]EventFile) (*Plan, func(), error) { return s.planUndo(ctx, req, asked) })
}

func (s *Session) planUndo(ctx context.Context, req UndoRequest, asked *[]EventFile) (*Plan, func(), error) {
	s.mu.Lock()
	rec := s.calls.find(req.Call)
	s.mu.Unlock()
	if rec != nil {
		for i := range rec.files {
			*asked = append(*asked, EventFile{Path: rec.files[i].name})
		}
	}
	s.emit(ctx, Event{Step: StepRequested, Tool: "undo", DryRun: req.DryRun, Call: req.Call, Files: *asked})
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
		sec, err := s.undoSection(ctx, &rec.files[i], rec)
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
	s.emit(ctx, Event{Step: StepChecked, Tool: "undo", DryRun: req.DryRun, Files: p.eventFiles()})
	return p, unlock, nil
}

// undoSection is the section that turns a file back, checked against the disk.
func (s *Session) undoSection(ctx context.Context, u *undoFile, rec *record) (*section, error) {
	conflict := func(why string) error {
		return refusal.New(refusal.Conflict, "the file is no longer what call %s left: %s", rec.id, why).At(u.name).
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
		sec.create, sec.mode, sec.like = true, u.mode, s.imageOf(u, rec.image)
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
	old, late := s.preImage(u, rec.image)
	sec.newSnap, sec.newRaw = old, old.Raw
	sec.cut = ops.Result{Text: old.Text, Map: u.m.Invert()}
	if n := sec.live.Text.Len(); u.gone || late {
		sec.cut.Map = ops.MapOf(n, old.Text.Len(), []ops.Hunk{{OldEnd: n, NewEnd: old.Text.Len()}})
	}
	if late {
		sec.warn(refusal.Rewritten, 0, "someone who had the file open wrote to it after call "+rec.id+" replaced it; what was put back is what they left")
	}
	for _, h := range sec.cut.Map.Hunks() {
		sp := ops.Splice{Start: h.OldStart, End: h.OldEnd}
		for n := h.NewStart + 1; n <= h.NewEnd; n++ {
			sp.Rows = append(sp.Rows, string(old.Text.Line(n)))
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

// imageOf is the pre-image of a file in a call, nil if none is kept.
func (s *Session) imageOf(u *undoFile, image string) *workspace.ImageRef {
	if image == "" {
		return nil
	}
	call := workspace.Call{Session: s.images, ID: image}
	list, err := s.ws.Images(call)
	if err != nil {
		return nil
	}
	for i, img := range list {
		if img.Path == u.before.Key {
			return &workspace.ImageRef{Call: call, Index: i}
		}
	}
	return nil
}

// preImage is what a file was before a call. Whoever had it open then may have
// written to it since: late says so, and those bytes are the pre-image.
func (s *Session) preImage(u *undoFile, image string) (snap snapshots.Snap, late bool) {
	if image == "" || s.keep { // a kept session has the bytes of its own, checked
		return u.old, false
	}
	call := workspace.Call{Session: s.images, ID: image}
	list, err := s.ws.Images(call)
	if err != nil {
		return u.old, false
	}
	for i, img := range list {
		if img.Path != u.before.Key || !img.Kept {
			continue
		}
		raw, exact, err := s.ws.ImageData(call, i)
		if err != nil || exact || bytes.Equal(raw, u.old.Raw) {
			break
		}
		t, err := text.Decode(raw, u.old.Label)
		if err != nil {
			break // it is no text any more; the workspace keeps it
		}
		return snapshots.SnapOf(t, raw, u.old.Label), true
	}
	return u.old, false
}
