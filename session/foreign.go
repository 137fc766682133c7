package session

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"putcut/dialects"
	"putcut/ops"
	"putcut/refusal"
	"putcut/snapshots"
	"putcut/text"
	"putcut/workspace"
)

// An ApplyRequest is edits in other formats, resolved against the files as they
// are and committed together, all or nothing.
type ApplyRequest struct {
	Inputs  []dialects.Input
	Options dialects.Options
	// ExpectedRevisions are preconditions by path, beside those that inputs name.
	ExpectedRevisions map[string]text.Revision
	// DryRun writes nothing; an input that asks for a preview does the same.
	DryRun bool
	// Activate, when set, is called once after the edit is on stable storage,
	// with no lock held. Whatever it returns, the edit stays.
	Activate func(context.Context, *ChangeResult) error
}

// An Activation is what became of an activation: Activated, Closed, or else the
// text of the error it ended with.
type Activation string

// The activations that are no errors.
const (
	// Activated says that the activation was asked for and succeeded.
	Activated Activation = "activated"
	// Closed says that nothing was activated: none was asked for, it was
	// cancelled, or the edit is not known to be on stable storage.
	Closed Activation = "closed"
)

// Failed reports whether the activation was tried and ended with an error.
func (a Activation) Failed() bool { return a != "" && a != Activated && a != Closed }

// An ApplyResult is a change and how its edits were resolved.
type ApplyResult struct {
	*ChangeResult
	Reports []ApplyReport `json:"reports"`
	// Activation is empty in a dry run, where there is nothing to activate.
	Activation Activation `json:"activation,omitempty"`
}

// An ApplyReport says how the edits of one file were resolved.
type ApplyReport struct {
	Path string `json:"path"`
	// Final is "added" or "dropped" when the final newline came or went.
	Final string `json:"final_newline,omitempty"`
	dialects.Report
}

// Apply takes edits in other formats. A text that an edit gave and that matched
// proves position and content, so nothing need have been displayed. A whole
// file, and a removal that does not spell out what it removes, prove nothing of
// what they destroy: the session must have displayed the text as it is, or a
// revision be expected, unless the session is detached. The result is applied
// as written: syntax is judged and never repaired.
// Errors: those of package dialects, and those of Edit from the commit on.
func (s *Session) Apply(ctx context.Context, req ApplyRequest) (*ApplyResult, error) {
	var reports []ApplyReport
	res, err := s.change(ctx, "apply", req.DryRun, func(asked *[]EventFile) (*Plan, func(), error) {
		p, unlock, r, err := s.planApply(ctx, req, asked)
		reports = r
		return p, unlock, err
	})
	if err != nil {
		return nil, err
	}
	out := &ApplyResult{ChangeResult: res, Reports: reports}
	if !res.DryRun {
		out.Activation = activate(ctx, req.Activate, res)
	}
	return out, nil
}

func activate(ctx context.Context, f func(context.Context, *ChangeResult) error, res *ChangeResult) Activation {
	if f == nil || !res.Durable || ctx.Err() != nil {
		return Closed
	}
	err := f(ctx, res)
	switch {
	case err == nil:
		return Activated
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return Closed
	}
	a := Activation(err.Error())
	if !a.Failed() { // an error that is spelled like a success is still one
		a = "error: " + a
	}
	return a
}

// PlanApply takes edits in other formats through every gate and stops before
// the commit. Activate is not called by the commit of such a plan.
func (s *Session) PlanApply(ctx context.Context, req ApplyRequest) (*Plan, error) {
	return s.planOnly(ctx, "apply", req.DryRun, func(asked *[]EventFile) (*Plan, func(), error) {
		p, unlock, _, err := s.planApply(ctx, req, asked)
		return p, unlock, err
	})
}

// Lower resolves edits in other formats against the files as they are and
// writes nothing. The session knows the texts from then on, under the tags of
// the batch, and the lines that the edits' own texts matched count as displayed,
// so that the script of the batch can be applied.
func (s *Session) Lower(ctx context.Context, req ApplyRequest) (*dialects.Batch, error) {
	asked := inputFiles(req.Inputs)
	s.emit(ctx, Event{Step: StepRequested, Tool: "apply", DryRun: true, Files: asked})
	src := s.source(ctx)
	b, err := s.lower(src, req)
	if err == nil {
		asked = batchFiles(b)
		err = s.checkSections(ctx, b, src)
	}
	if err != nil {
		return nil, s.refuse(ctx, "apply", true, asked, err)
	}
	for _, f := range b.Files {
		t, err := s.resolve(f.Path)
		if err != nil || f.Create || !f.Changed() {
			continue
		}
		v := s.observe(t, src.snaps[t.Key])
		var runs []snapshots.Range
		for _, r := range f.Matched {
			for n := r.First; n <= r.Last; n++ {
				if f.Old.LineValid(n) {
					runs = append(runs, snapshots.Range{First: n, Last: n})
				}
			}
		}
		s.store.ShowRuns(v, runs)
	}
	s.emit(ctx, Event{Step: StepPlanned, Tool: "apply", DryRun: true, Files: asked})
	return b, nil
}

// inputFiles are the files that inputs name beside their texts, each once.
func inputFiles(list []dialects.Input) []EventFile {
	var out []EventFile
	for _, in := range list {
		if in.Path != "" && !slices.ContainsFunc(out, func(f EventFile) bool { return f.Path == in.Path }) {
			out = append(out, EventFile{Path: in.Path})
		}
	}
	return out
}

// batchFiles are the files of a batch.
func batchFiles(b *dialects.Batch) []EventFile {
	out := make([]EventFile, len(b.Files))
	for i, f := range b.Files {
		out[i] = EventFile{Path: f.Path, OldRevision: f.OldRevision}
	}
	return out
}

// checkSections asks of a batch what its sections would be refused for before
// anything is planned.
func (s *Session) checkSections(_ context.Context, b *dialects.Batch, src *source) error {
	p := &Plan{s: s, tool: "apply", dry: true}
	return p.addLowered(b, src)
}

// lower resolves the inputs of a request and compares the revisions expected.
func (s *Session) lower(src *source, req ApplyRequest) (*dialects.Batch, error) {
	opt := req.Options
	if n := &opt.Limits.Files; *n == 0 || *n > s.lim.Files {
		*n = s.lim.Files
	}
	if n := &opt.Limits.FileBytes; *n == 0 || int64(*n) > s.lim.FileBytes {
		*n = int(s.lim.FileBytes)
	}
	var from dialects.Source = src
	if s.opt.Detached { // it remembers nothing that a miss could be explained by
		from = struct{ dialects.Source }{src}
	}
	b, err := dialects.Lower(from, req.Inputs, opt)
	if err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(req.ExpectedRevisions)) {
		if err := s.expectRevision(b, path, req.ExpectedRevisions[path]); err != nil {
			return nil, at(err, path)
		}
	}
	return b, nil
}

func (s *Session) expectRevision(b *dialects.Batch, path string, want text.Revision) error {
	t, err := s.resolve(path)
	if err != nil {
		return err
	}
	for _, f := range b.Files {
		if here, err := s.resolve(f.Path); err != nil || here.Key != t.Key {
			continue
		}
		have := string(f.OldRevision)
		if f.Create {
			have = "none: there is no such file"
		}
		if f.Create || f.OldRevision != want {
			return refusal.New(refusal.RevisionMismatch, "the revision expected is %s, and the file's is %s", want, have).
				WithNext("Read the file again and make the edit for its revision")
		}
		f.Expected = want
		return nil
	}
	return refusal.New(refusal.InvalidArgument, "a revision is expected of this file, and no input names it").
		WithNext("Leave the revision out, or correct the path")
}

// lowerings is how often files may change between resolving and locking.
const lowerings = 4

func (s *Session) planApply(ctx context.Context, req ApplyRequest, asked *[]EventFile) (*Plan, func(), []ApplyReport, error) {
	*asked = inputFiles(req.Inputs)
	s.emit(ctx, Event{Step: StepRequested, Tool: "apply", DryRun: req.DryRun, Files: *asked})
	for try := 1; ; try++ {
		src := s.source(ctx)
		b, err := s.lower(src, req)
		if err != nil {
			return nil, nil, nil, err
		}
		*asked = batchFiles(b)
		p := &Plan{s: s, tool: "apply", dry: req.DryRun || b.DryRun, regs: s.regs.Begin()}
		if err := p.addLowered(b, src); err != nil {
			return nil, nil, nil, err
		}
		var reports []ApplyReport
		for _, f := range b.Files {
			reports = append(reports, ReportOf(f))
			p.warnings = append(p.warnings, f.Report.Warnings...)
		}
		if len(p.sections) == 0 {
			return nil, nil, nil, unchanged(b)
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
		for _, sec := range p.sections {
			if !p.dry {
				s.forgetPending(sec.target.Key)
			}
		}
		for _, gate := range []func(context.Context) error{p.checkSyntax, p.checkPolicy} {
			if err := gate(ctx); err != nil {
				return nil, unlock, nil, err
			}
		}
		s.emit(ctx, Event{Step: StepChecked, Tool: "apply", DryRun: p.dry, Files: p.eventFiles()})
		return p, unlock, reports, nil
	}
}

// unchanged refuses a batch that changes nothing, and names the modes that a
// diff asked for.
func unchanged(b *dialects.Batch) error {
	what := "the edits change nothing: the files already are what they would become"
	for _, f := range b.Files {
		if text := modesText(f.Path, f.Report.Modes); text != "" {
			what += "; " + strings.TrimSpace(strings.ReplaceAll(text, "\n", " "))
		}
	}
	return refusal.New(refusal.NoChange, "%s", what).WithNext("Nothing is left to do")
}

// addLowered adds a section for every file of a batch that changes, and refuses
// two that are one file and destinations that are not free.
func (p *Plan) addLowered(b *dialects.Batch, src *source) error {
	for _, f := range b.Files {
		if !f.Changed() {
			continue
		}
		sec, err := p.s.lowered(f, src)
		if err != nil {
			return at(err, f.Path)
		}
		for _, other := range p.sections {
			if workspace.SameFile(sec.target, other.target) {
				return refusal.New(refusal.InvalidArgument, "this is the same file as %s: two names of one file", other.named).At(sec.named).
					WithNext("Use one of the names")
			}
		}
		p.sections = append(p.sections, sec)
	}
	for i, sec := range p.sections {
		if err := p.checkDest(i, sec); err != nil {
			return sec.fail(err)
		}
	}
	return nil
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
	// No number of the caller's was used, so none is said to stay good but
	// those it has seen.
	sec := &section{named: f.Path, target: t, create: f.Create, splices: f.Splices, how: drifted, quoted: quotesRows(f)}
	for _, op := range f.Ops {
		sec.heads = append(sec.heads, op.Head())
	}
	if f.Create {
		sec.live.Text = text.FromBody(nil, f.Old.Format())
	} else {
		sec.live = src.snaps[t.Key]
		sec.tag = sec.live.Tag
	}
	if err := s.proveWhole(f, sec); err != nil {
		return nil, err
	}
	if f.Remove {
		sec.ops = []ops.Op{{Verb: ops.Rem}}
		return sec, nil
	}
	if f.MoveTo != "" {
		if sec.dest, err = s.resolve(f.MoveTo); errors.Is(err, refusal.NotRegular) {
			return nil, refusal.New(refusal.Exists, "the destination %s exists already and is no file", f.MoveTo).WithNext("Choose a name that is free")
		} else if err != nil {
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

// proveWhole proves the version of a file that is destroyed without its lines
// being spelled out, and counts what was never displayed.
func (s *Session) proveWhole(f *dialects.File, sec *section) error {
	if f.Create || !f.Whole && !f.Remove {
		return nil
	}
	var known *snapshots.Version
	for _, v := range s.store.Find(sec.target.Key, sec.live.Tag) {
		if v.Is(sec.live) {
			known = v
		}
	}
	matched, shown := 0, 0
	next := 0
	for n := 1; n <= f.Old.Len(); n++ {
		for next < len(f.Matched) && f.Matched[next].Last < n {
			next++
		}
		switch {
		case next < len(f.Matched) && f.Matched[next].First <= n:
			matched++
		case known != nil && s.store.Shown(known, n):
			shown++
		}
	}
	sec.unseen = f.Old.Len() - matched - shown
	if sec.unseen == 0 || shown > 0 || f.Expected != "" || s.opt.Detached {
		return nil
	}
	what := "replaced"
	if f.Remove {
		what = "removed"
	}
	return refusal.New(refusal.TagUnknown, "the whole file would be %s, and this session was not shown it as it is", what).
		WithNext("Read it first, or name its revision")
}

// quotesRows reports whether the edits of a file spelled out every row that they
// put, so that those rows count as displayed.
func quotesRows(f *dialects.File) bool {
	if f.Create || f.Whole {
		return true
	}
	for _, e := range f.Report.Edits {
		switch e.Format {
		case dialects.SearchReplace, dialects.ApplyPatch, dialects.UnifiedDiff:
		default:
			return false
		}
	}
	return len(f.Unsayable) == 0
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

func (s *Session) source(ctx context.Context) *source {
	return &source{s: s, ctx: ctx, snaps: map[string]snapshots.Snap{}}
}

// Load implements dialects.Source. A file that was read in another encoding is
// decoded like that, as long as it can be.
func (src *source) Load(path string) (*text.Text, []byte, text.Revision, bool, error) {
	t, err := src.s.resolve(path)
	if err != nil || !t.Exists {
		return nil, nil, "", false, err
	}
	snap, ok := src.snaps[t.Key]
	if !ok {
		if v := src.s.store.Latest(t.Key); v != nil && v.Label != "" {
			if snap, err = src.s.load(src.ctx, t, v.Label); err == nil {
				ok = true
			}
		}
	}
	if !ok {
		if snap, err = src.s.load(src.ctx, t, ""); err != nil {
			return nil, nil, "", true, at(err, path)
		}
	}
	src.snaps[t.Key] = snap
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
