package session

import (
	"context"

	"putcut/refusal"
	"putcut/snapshots"
	"putcut/workspace"
)

// checkPolicy describes what the plan would do and asks the caller's policy,
// between structure and commit.
func (p *Plan) checkPolicy(ctx context.Context) error {
	p.result = p.describe()
	if p.s.opt.Policy == nil {
		return nil
	}
	return policyError(p.s.opt.Policy(ctx, p))
}

func policyError(err error) error {
	if err == nil || refusal.As(err) != nil {
		return err
	}
	return &refusal.Error{Code: refusal.Policy, What: "the policy of this workspace refused the change: " + err.Error(), Err: err}
}

// commit writes the plan under the locks of its files, then publishes what it
// made: versions, registers, the call.
func (p *Plan) commit(ctx context.Context) (*ChangeResult, error) {
	s := p.s
	if p.done || p.dry {
		return nil, s.refuse(ctx, p.tool, p.dry, p.eventFiles(), refusal.New(refusal.InvalidArgument, "this plan is a dry run or was committed already").WithNext("Make a new plan"))
	}
	changes := make([]workspace.Change, len(p.sections))
	for i, sec := range p.sections {
		changes[i] = workspace.Change{
			Target: sec.target, Old: sec.live.Raw, OldAbsent: sec.create,
			New: sec.newRaw, Remove: sec.removes(), MoveTo: sec.dest, Mode: sec.mode, Like: sec.like,
			OldRevision: sec.live.Revision, NewRevision: sec.newSnap.Revision,
		}
	}
	image := workspace.Call{Session: s.images, ID: newImages()}
	if s.opt.Detached && !s.keep {
		image = workspace.Call{} // nobody will be there to undo it
	}
	out, err := s.ws.CommitCall(ctx, image, changes)
	if err != nil {
		return nil, s.refuse(ctx, p.tool, false, p.eventFiles(), err)
	}
	p.done = true
	res := p.result
	res.planned = false
	res.Durable = out.Durable
	res.Warnings = append(res.Warnings, out.Warnings...)
	rec := &record{tool: p.tool, image: image.ID}
	for i, sec := range p.sections {
		rec.files = append(rec.files, p.publish(sec, &res.Files[i]))
		if sec.key != "" {
			rec.keys = append(rec.keys, sec.key)
		}
	}
	p.regs.Commit()
	s.mu.Lock()
	rec.id = s.calls.id()
	if p.redo != nil { // this plan undoes a call
		p.redo.undone = true
		s.calls.forget(p.redo)
		rec.forgot = p.redo.keys
		rec.keys = append(rec.keys, p.redo.forgot...) // undoing an undo applies the call again
	}
	s.calls.add(rec)
	s.mu.Unlock()
	res.Call = rec.id
	s.emit(ctx, Event{Step: StepApplied, Tool: p.tool, Call: rec.id, Files: p.eventFiles(), Changes: res.Files, Warnings: res.Warnings})
	return res, nil
}

// publish records what became of one file.
func (p *Plan) publish(sec *section, f *FileChange) undoFile {
	s := p.s
	u := undoFile{
		name: sec.target.Name, before: sec.target, after: sec.target,
		old: sec.live, now: sec.newSnap, absent: sec.create, gone: sec.removes(), m: sec.cut.Map,
	}
	if sec.removes() {
		s.observe(sec.target, sec.live)
		u.mode = sec.target.Info.Mode
		return u
	}
	var v *snapshots.Version
	shown := sec.shown(f.Rows, p.authored(sec))
	switch {
	case sec.create:
		v = s.observe(sec.target, sec.newSnap)
		s.store.ShowRuns(v, shown)
	case len(sec.splices) == 0 && sec.newSnap.Revision == sec.live.Revision:
		v = s.observe(sec.target, sec.live)
	default:
		s.named(sec.target)
		v = s.store.Advance(sec.target.Key, sec.live, sec.newSnap, sec.cut.Map, shown)
	}
	f.Superseded = p.superseded(sec, v)
	if sec.dest != nil {
		s.store.Move(sec.target.Key, sec.dest.Key)
		s.named(sec.dest)
		u.after = sec.dest
	}
	f.Tag = v.Tag
	return u
}

// authored reports whether the caller wrote the rows of a section, so that it
// knows them.
func (p *Plan) authored(sec *section) bool {
	switch p.tool {
	case "undo":
		return false
	case "apply":
		return sec.quoted
	}
	return true
}
