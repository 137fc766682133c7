package session

import (
	"bytes"
	"context"
	"errors"

	"putcut/dialects"
	"putcut/ops"
	"putcut/refusal"
	"putcut/snapshots"
	"putcut/text"
)

// An ApplyRequest is edits in other formats, resolved against the files as they
// are and committed together, all or nothing.
type ApplyRequest struct {
	Inputs  []dialects.Input
	Options dialects.Options
	DryRun  bool
}

// An ApplyResult is a change and how its edits were resolved.
type ApplyResult struct {
	*ChangeResult
	Reports []ApplyReport `json:"reports"`
}

// An ApplyReport says how the edits of one file were resolved.
type ApplyReport struct {
	Path string `json:"path"`
	dialects.Report
}

// Apply takes edits in other formats. A text that an edit gave and that matched
// proves position and content, so nothing need have been displayed; a whole
// file proves nothing of what it replaces, so the session must know the text as
// it is, or the input name its revision, unless the session is detached.
// Errors: those of package dialects, and those of Edit from the commit on.
func (s *Session) Apply(ctx context.Context, req ApplyRequest) (*ApplyResult, error) {
	var reports []ApplyReport
	dry := req.DryRun
	res, err := s.change(ctx, "apply", dry, func() (*Plan, func(), error) {
		p, unlock, r, err := s.planApply(ctx, req)
		reports = r
		return p, unlock, err
	})
	if err != nil {
		return nil, err
	}
	return &ApplyResult{res, reports}, nil
}

// PlanApply takes edits in other formats through every gate and stops before
// the commit.
func (s *Session) PlanApply(ctx context.Context, req ApplyRequest) (*Plan, error) {
	return s.planOnly(ctx, "apply", req.DryRun, func() (*Plan, func(), error) {
		p, unlock, _, err := s.planApply(ctx, req)
		return p, unlock, err
	})
}

// Lower resolves edits in other formats against the files as they are and
// writes nothing.
func (s *Session) Lower(ctx context.Context, inputs []dialects.Input, opt dialects.Options) (*dialects.Batch, error) {
	b, err := dialects.Lower(&source{s: s, ctx: ctx}, inputs, opt)
	if err != nil {
		return nil, s.refuse(ctx, "apply", true, nil, err)
	}
	return b, nil
}

// lowerings is how often files may change between resolving and locking.
const lowerings = 4

func (s *Session) planApply(ctx context.Context, req ApplyRequest) (*Plan, func(), []ApplyReport, error) {
	s.emit(ctx, Event{Step: StepRequested, Tool: "apply", DryRun: req.DryRun})
	for try := 1; ; try++ {
		src := &source{s: s, ctx: ctx, snaps: map[string]snapshots.Snap{}}
		b, err := dialects.Lower(src, req.Inputs, req.Options)
		if err != nil {
			return nil, nil, nil, err
		}
		p := &Plan{s: s, tool: "apply", dry: req.DryRun, regs: s.regs.Begin()}
		var reports []ApplyReport
		for _, f := range b.Files {
			reports = append(reports, ApplyReport{f.Path, f.Report})
			p.warnings = append(p.warnings, f.Report.Warnings...)
			if !f.Changed() {
				continue
			}
			sec, err := s.lowered(f, src)
			if err != nil {
				return nil, nil, nil, at(err, f.Path)
			}
			p.sections = append(p.sections, sec)
		}
		if len(p.sections) == 0 {
			return nil, nil, nil, refusal.New(refusal.NoChange, "the edits change nothing: the files already are what they would become").WithNext("Nothing is left to do")
		}
		unlock, err := s.ws.Lock(ctx, p.targets()...)
		if err != nil {
			return nil, nil, nil, err
		}
		if same, err := p.stillAsResolved(ctx); err != nil || !same && try == lowerings {
			if err == nil {
				err = refusal.New(refusal.Conflict, "files kept changing while the edits were resolved").WithNext("Send the call again")
			}
			return nil, unlock, nil, err
		} else if !same {
			unlock()
			continue
		}
		for _, gate := range []func(context.Context) error{p.checkSyntax, p.checkPolicy} {
			if err := gate(ctx); err != nil {
				return nil, unlock, nil, err
			}
		}
		s.emit(ctx, Event{Step: StepChecked, Tool: "apply", DryRun: req.DryRun, Files: p.eventFiles()})
		return p, unlock, reports, nil
	}
}

// lowered is the section of a lowered file.
func (s *Session) lowered(f *dialects.File, src *source) (*section, error) {
	t, err := s.resolve(f.Path)
	if err != nil {
		return nil, err
	}
	if err := s.checkWritable(t); err != nil {
		return nil, err
	}
	sec := &section{named: f.Path, target: t, create: f.Create, splices: f.Splices}
	if f.Create {
		sec.live.Text = text.FromBody(nil, text.Format{Encoding: text.UTF8})
	} else {
		sec.live = src.snaps[t.Key]
		sec.tag = sec.live.Tag
	}
	if f.Whole && !f.Create && f.Expected == "" && !s.opt.Detached {
		if v := s.store.Latest(t.Key); v == nil || !v.Is(sec.live) {
			return nil, refusal.New(refusal.TagUnknown, "the whole file would be replaced, and this session does not know it as it is").
				WithNext("Read it first, or name its revision")
		}
	}
	if f.Remove {
		sec.ops = []ops.Op{{Verb: ops.Rem}}
		sec.version = s.observe(t, sec.live)
		sec.unseen = sec.version.Lines - s.store.ShownCount(sec.version)
		return sec, nil
	}
	if f.MoveTo != "" {
		if sec.dest, err = s.resolve(f.MoveTo); err != nil {
			return nil, err
		}
		if sec.dest.Exists || sec.dest.Key == t.Key {
			return nil, refusal.New(refusal.Exists, "the destination %s exists already", sec.dest.Name).WithNext("Choose a name that is free")
		}
		if err := s.checkWritable(sec.dest); err != nil {
			return nil, err
		}
	}
	sec.cut = ops.Result{Text: f.New, Map: f.Map}
	raw, err := f.New.Encode()
	if err != nil {
		return nil, err
	}
	sec.newRaw, sec.newSnap = raw, snapshots.SnapOf(f.New, raw, sec.live.Label)
	return sec, nil
}

// stillAsResolved reports, under the locks, whether every file still is what
// the edits were resolved against.
func (p *Plan) stillAsResolved(ctx context.Context) (bool, error) {
	for _, sec := range p.sections {
		if sec.target.Exists == sec.create {
			return false, nil
		}
		if sec.create {
			continue
		}
		raw, err := p.s.ws.Read(ctx, sec.target, sec.live.Raw, p.s.lim.FileBytes)
		if errors.Is(err, refusal.NotFound) {
			return false, nil
		}
		if err != nil {
			return false, sec.fail(err)
		}
		if !bytes.Equal(raw, sec.live.Raw) {
			return false, nil
		}
	}
	return true, nil
}

// source hands the files of the workspace to package dialects, each read once.
type source struct {
	s     *Session
	ctx   context.Context
	snaps map[string]snapshots.Snap
}

// Load implements dialects.Source.
func (src *source) Load(path string) (*text.Text, []byte, text.Revision, bool, error) {
	t, err := src.s.resolve(path)
	if err != nil || !t.Exists {
		return nil, nil, "", false, err
	}
	snap, ok := src.snaps[t.Key]
	if !ok {
		if snap, err = src.s.load(src.ctx, t, ""); err != nil {
			return nil, nil, "", true, at(err, path)
		}
		if src.snaps != nil {
			src.snaps[t.Key] = snap
		}
	}
	return snap.Text, snap.Raw, snap.Revision, true, nil
}

// Shown implements dialects.Memory.
func (src *source) Shown(path string) (*text.Text, bool) {
	t, err := src.s.ws.Resolve(path)
	if err != nil {
		return nil, false
	}
	v := src.s.store.Latest(t.Key)
	if v == nil {
		return nil, false
	}
	old := v.Text()
	return old, old != nil
}

// NoteOutside records that something else wrote to files: a shell command, say,
// that a host let run. What is there now becomes the newest version of each, of
// which nothing is displayed. Paths that lead nowhere are ignored.
func (s *Session) NoteOutside(ctx context.Context, paths ...string) error {
	for _, path := range paths {
		t, err := s.resolve(path)
		if err != nil || !t.Exists || s.store.Latest(t.Key) == nil {
			continue
		}
		snap, err := s.load(ctx, t, "")
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			s.observe(t, snap)
		}
	}
	return nil
}

var _ dialects.Memory = (*source)(nil)
