package session

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/zeebo/blake3"

	"putcut/ops"
	"putcut/parser"
	"putcut/refusal"
	"putcut/registers"
	"putcut/snapshots"
	"putcut/text"
	"putcut/workspace"
)

// A Plan is a change that has passed every gate and is not yet written. It may
// be shown, approved, committed once, or dropped; dropping it needs no call.
// Files that change between the plan and its commit make the commit refuse with
// EDIT_CONFLICT. A Plan is used by one goroutine at a time.
type Plan struct {
	s        *Session
	tool     string
	dry      bool
	sections []*section
	regs     *registers.Call
	call     string // what makes the whole call identical
	warnings []refusal.Warning
	result   *ChangeResult
	redo     *record // the call this plan undoes
	done     bool
	parses   int // texts that the search for a repair had parsed
}

// Result is what the plan would do, and what it did once it is committed.
func (p *Plan) Result() *ChangeResult { return p.result }

// Tool is the name of the tool that was called.
func (p *Plan) Tool() string { return p.tool }

// Edit edits one file: Plan and Commit in one.
func (s *Session) Edit(ctx context.Context, req EditRequest) (*ChangeResult, error) {
	return s.change(ctx, "edit", req.DryRun, func(asked *[]EventFile) (*Plan, func(), error) { return s.planEdit(ctx, req, asked) })
}

// Patch edits many files, all or nothing: Plan and Commit in one.
func (s *Session) Patch(ctx context.Context, req PatchRequest) (*ChangeResult, error) {
	return s.change(ctx, "patch", req.DryRun, func(asked *[]EventFile) (*Plan, func(), error) { return s.planPatch(ctx, req, asked) })
}

// PlanEdit takes an edit through every gate and stops before the commit.
func (s *Session) PlanEdit(ctx context.Context, req EditRequest) (*Plan, error) {
	return s.planOnly(ctx, "edit", req.DryRun, func(asked *[]EventFile) (*Plan, func(), error) { return s.planEdit(ctx, req, asked) })
}

// PlanPatch takes a patch through every gate and stops before the commit.
func (s *Session) PlanPatch(ctx context.Context, req PatchRequest) (*Plan, error) {
	return s.planOnly(ctx, "patch", req.DryRun, func(asked *[]EventFile) (*Plan, func(), error) { return s.planPatch(ctx, req, asked) })
}

// A planner makes a plan, and a function that lets go of its locks, if it took
// any. It notes the files that it was asked about as soon as it knows them.
type planner func(asked *[]EventFile) (p *Plan, unlock func(), err error)

// planOnly makes a plan and lets go of the locks.
func (s *Session) planOnly(ctx context.Context, tool string, dry bool, plan planner) (*Plan, error) {
	var asked []EventFile
	p, unlock, err := plan(&asked)
	if unlock != nil {
		unlock()
	}
	if err != nil {
		return nil, s.refuse(ctx, tool, dry, asked, err)
	}
	s.emit(ctx, Event{Step: StepPlanned, Tool: tool, DryRun: p.dry, Files: p.eventFiles(), Changes: p.result.Files, Warnings: p.result.Warnings})
	return p, nil
}

// change makes a plan and, unless it is a dry run, commits it under the same locks.
func (s *Session) change(ctx context.Context, tool string, dry bool, plan planner) (*ChangeResult, error) {
	var asked []EventFile
	p, unlock, err := plan(&asked)
	if unlock != nil {
		defer unlock()
	}
	if err != nil {
		return nil, s.refuse(ctx, tool, dry, asked, err)
	}
	s.emit(ctx, Event{Step: StepPlanned, Tool: tool, DryRun: p.dry, Files: p.eventFiles(), Changes: p.result.Files, Warnings: p.result.Warnings})
	if p.dry {
		return p.result, nil
	}
	return p.commit(ctx)
}

// Commit writes the plan. It takes the locks of its files again, so that plans
// may wait for approval as long as they like.
func (p *Plan) Commit(ctx context.Context) (*ChangeResult, error) {
	unlock, err := p.s.ws.Lock(ctx, p.targets()...)
	if err != nil {
		return nil, p.s.refuse(ctx, p.tool, p.dry, p.eventFiles(), err)
	}
	defer unlock()
	return p.commit(ctx)
}

func (p *Plan) targets() []*workspace.Target {
	var out []*workspace.Target
	for _, sec := range p.sections {
		out = append(out, sec.target)
		if sec.dest != nil {
			out = append(out, sec.dest)
		}
	}
	return out
}

func (s *Session) planEdit(ctx context.Context, req EditRequest, asked *[]EventFile) (p *Plan, unlock func(), err error) {
	looked := false
	defer func() {
		if err != nil && !looked && !req.DryRun {
			s.forgetPath(req.Path)
		}
	}()
	*asked = []EventFile{{Path: req.Path, Tag: text.Tag(strings.ToUpper(req.Tag))}}
	s.emit(ctx, Event{Step: StepRequested, Tool: "edit", DryRun: req.DryRun, Files: *asked})
	if err := checkPath(req.Path); err != nil {
		return nil, nil, err
	}
	if err := checkTag(req.Tag, "the argument `tag`"); err != nil {
		return nil, nil, at(err, req.Path)
	}
	if req.Ops == "" {
		return nil, nil, refusal.New(refusal.InvalidArgument, "the argument `ops` is missing").At(req.Path).
			WithNext("Send at least one op, for example `PUT 2.=3:` and rows that start with `+`")
	}
	res, err := parser.ParseOps(req.Ops, s.parserLimits())
	if err != nil {
		return nil, nil, at(err, req.Path)
	}
	sec := res.Script.Sections[0]
	tag := strings.ToUpper(req.Tag)
	if sec.Tag != "" && sec.Tag != tag {
		return nil, nil, disagree(req, sec)
	}
	if sec.Path != "" && sec.Path != req.Path {
		a, err := s.resolve(req.Path)
		if err != nil {
			return nil, nil, err
		}
		b, err := s.resolve(sec.Path)
		if err != nil || a.Key != b.Key {
			return nil, nil, disagree(req, sec)
		}
	}
	sec.Path, sec.Tag = req.Path, tag
	revs := map[string]text.Revision{}
	if req.ExpectedRevision != "" { // no other path is named
		revs[req.Path] = req.ExpectedRevision
	}
	warnings := res.Warnings
	if req.Tag != tag {
		warnings = append(warnings, refusal.Warning{Code: refusal.Spelling, Path: req.Path, Message: "the tag was read in upper case"})
	}
	looked = true
	return s.plan(ctx, "edit", req.DryRun, ops.Script{Sections: []ops.Section{sec}}, warnings, revs)
}

func disagree(req EditRequest, sec ops.Section) error {
	e := refusal.New(refusal.InvalidArgument, "the header row `[%s#%s]` in `ops` disagrees with the arguments `%s` and `%s`", sec.Path, sec.Tag, req.Path, req.Tag).At(req.Path)
	e.Row = sec.Row
	return e.WithNext("Leave the header row out of `ops`, or use the tool `patch` for other files")
}

func checkTag(tag, what string) error {
	if text.ValidTag(tag) {
		return nil
	}
	e := refusal.New(refusal.TagRequired, "%s is %q, and a tag is 4 hex digits", what, tag)
	if tag == "" {
		e.What = what + " is missing"
	}
	return e.WithNext("Copy it from the header row `[path#TAG]` that read or grep printed")
}

func (s *Session) planPatch(ctx context.Context, req PatchRequest, asked *[]EventFile) (*Plan, func(), error) {
	s.emit(ctx, Event{Step: StepRequested, Tool: "patch", DryRun: req.DryRun})
	if req.Script == "" {
		return nil, nil, refusal.New(refusal.InvalidArgument, "the argument `script` is missing").
			WithNext("Send sections: a header row `[path#TAG]`, then ops")
	}
	res, err := parser.Parse(req.Script, s.parserLimits())
	if err != nil {
		return nil, nil, err
	}
	*asked = sectionFiles(res.Script)
	return s.plan(ctx, "patch", req.DryRun, res.Script, res.Warnings, req.ExpectedRevisions)
}

// sectionFiles are the files that a script names, each once.
func sectionFiles(script ops.Script) []EventFile {
	var out []EventFile
	seen := map[string]bool{}
	for _, sec := range script.Sections {
		if seen[sec.Path] {
			continue
		}
		seen[sec.Path] = true
		f := EventFile{Path: sec.Path}
		if sec.Tag != ops.NewFile {
			f.Tag = text.Tag(sec.Tag)
		}
		out = append(out, f)
	}
	return out
}

func (s *Session) parserLimits() parser.Limits {
	return parser.Limits{Bytes: s.lim.ScriptBytes, Ops: s.lim.Ops, Files: s.lim.Files, Lines: s.lim.ExpandedLines}
}

// plan takes a script through the gates in the order of the contract. A gate is
// asked of every section before the next gate is asked of any, so the first
// gate that fails is the answer whatever the order of sections.
func (s *Session) plan(ctx context.Context, tool string, dry bool, script ops.Script, warnings []refusal.Warning, revs map[string]text.Revision) (*Plan, func(), error) {
	p := &Plan{s: s, tool: tool, dry: dry, warnings: warnings, regs: s.regs.Begin()}
	forget := func() {
		for _, sec := range p.sections {
			if !dry {
				s.forgetPending(sec.target.Key)
			}
		}
	}
	if err := p.gather(script, revs); err != nil {
		forget()
		return nil, nil, err
	}
	unlock, err := s.ws.Lock(ctx, p.targets()...)
	if err != nil {
		return nil, nil, err
	}
	gates := []func(context.Context) error{
		p.loadFiles,    // 1: path, policy, size, encoding
		p.findTags,     // 2
		p.placeOps,     // 3: bounds, blocks, overlaps
		p.checkVersion, // 4
		p.checkSeen,    // 5
		p.checkBodies,  // 6
		p.applyOps,
		p.checkSyntax, // 7
		p.checkPolicy,
	}
	for i, gate := range gates {
		if err := ctx.Err(); err != nil {
			return nil, unlock, err
		}
		if err := gate(ctx); err != nil {
			if i == 0 { // loadFiles forgets when it is through
				forget()
			}
			p.remember(err)
			return nil, unlock, err
		}
	}
	s.emit(ctx, Event{Step: StepChecked, Tool: tool, DryRun: dry, Files: p.eventFiles()})
	return p, unlock, nil
}

func (p *Plan) eventFiles() []EventFile {
	out := make([]EventFile, len(p.sections))
	for i, sec := range p.sections {
		out[i] = EventFile{Path: sec.target.Name, Tag: sec.tag, OldRevision: sec.live.Revision, NewRevision: sec.newSnap.Revision}
	}
	return out
}

// gather resolves the paths of a script and merges sections of one file.
func (p *Plan) gather(script ops.Script, revs map[string]text.Revision) error {
	byKey := map[string]*section{}
	expected := map[string]text.Revision{}
	for path, rev := range revs {
		t, err := p.s.resolve(path)
		if err != nil {
			return err
		}
		expected[t.Key] = rev
	}
	for i := range script.Sections {
		in := &script.Sections[i]
		t, err := p.s.resolve(in.Path)
		if err != nil {
			return err
		}
		sec := byKey[t.Key]
		create := in.Tag == ops.NewFile
		if sec == nil {
			sec = &section{named: in.Path, create: create, row: in.Row, target: t, expect: expected[t.Key]}
			if !create {
				sec.tag = text.Tag(in.Tag)
			}
			byKey[t.Key] = sec
			p.sections = append(p.sections, sec)
		} else if sec.create != create || !create && sec.tag != text.Tag(in.Tag) {
			e := refusal.New(refusal.InvalidArgument, "two sections name this file, under the tags #%s and #%s", tagName(sec), in.Tag).At(in.Path)
			e.Row = in.Row
			return e.WithNext("Put all ops for one file under one tag")
		}
		for _, op := range in.Ops {
			sec.seq = append(sec.seq, i<<32|len(sec.ops))
			sec.ops = append(sec.ops, op)
		}
	}
	if n := len(p.sections); n > p.s.lim.Files {
		return refusal.New(refusal.Limit, "the script names %d files, and a call may change %d", n, p.s.lim.Files).WithNext("Split it into several calls")
	}
	for path := range revs {
		if t, err := p.s.resolve(path); err == nil && byKey[t.Key] == nil {
			return refusal.New(refusal.InvalidArgument, "a revision is expected of this file, and no section of the script names it").At(path).
				WithNext("Leave the revision out, or correct the path")
		}
	}
	for i, sec := range p.sections {
		check := parser.CheckSection
		if sec.create {
			check = parser.CheckNew
		}
		if err := check(sec.ops); err != nil {
			return sec.fail(err)
		}
		for _, other := range p.sections[:i] {
			if workspace.SameFile(sec.target, other.target) {
				return refusal.New(refusal.InvalidArgument, "this is the same file as %s: two names of one inode", other.named).At(sec.named).
					WithNext("Use one of the names")
			}
		}
	}
	for _, sec := range p.sections {
		for _, op := range sec.ops {
			if op.Verb != ops.Mv {
				continue
			}
			dest, err := p.s.resolve(op.Dest)
			if errors.Is(err, refusal.NotRegular) {
				e := sec.opError(refusal.Exists, op, "the destination %s exists already and is no file", op.Dest)
				return e.WithNext("Choose a name that is free")
			}
			if err != nil {
				return err
			}
			sec.dest = dest
		}
	}
	return p.rebind()
}

func tagName(sec *section) string {
	if sec.create {
		return ops.NewFile
	}
	return string(sec.tag)
}

// rebind finds the file that a mistyped path means: the only one with this base
// name that was recorded under this tag, if it still is what was recorded.
func (p *Plan) rebind() error {
	for _, sec := range p.sections {
		if sec.target.Exists || sec.create || sec.whole() {
			continue
		}
		found := p.s.store.FindByBase(path.Base(sec.target.Key), sec.tag)
		if len(found) == 0 || slices.ContainsFunc(found, func(c snapshots.Candidate) bool { return c.Key != found[0].Key }) {
			continue
		}
		hit, err := p.s.ws.Resolve(p.s.nameOf(found[0].Key))
		if err != nil || !hit.Exists || hit.Key != found[0].Key {
			continue
		}
		same := func(c snapshots.Candidate) bool {
			snap, err := p.s.load(context.Background(), hit, c.Version.Label)
			return err == nil && c.Version.Is(snap)
		}
		if !slices.ContainsFunc(found, same) {
			continue
		}
		for _, other := range p.sections {
			if other.target.Key == hit.Key {
				e := refusal.New(refusal.InvalidArgument, "there is no such file, and %s, which it seems to mean, has a section of its own", hit.Name).At(sec.named)
				return e.WithNext("Use the path that read printed")
			}
		}
		sec.warn(refusal.PathRebound, sec.row, fmt.Sprintf("there is no %s; the only file of that name read under #%s is %s, so that was edited", sec.named, sec.tag, hit.Name))
		sec.target = hit
	}
	return nil
}

// loadFiles reads every file and checks destinations.
func (p *Plan) loadFiles(ctx context.Context) error {
	for _, sec := range p.sections {
		if err := p.loadFile(ctx, sec); err != nil {
			return sec.fail(err)
		}
	}
	for i, sec := range p.sections {
		if err := p.checkDest(i, sec); err != nil {
			return sec.fail(err)
		}
	}
	p.call = p.identity()
	if !p.dry {
		p.s.mu.Lock()
		for _, sec := range p.sections {
			was, ok := p.s.pending[sec.target.Key]
			delete(p.s.pending, sec.target.Key)
			sec.confirmed = ok && was.call == p.call && was.revision == string(sec.live.Revision)
		}
		p.s.mu.Unlock()
	}
	return nil
}

func (p *Plan) loadFile(ctx context.Context, sec *section) error {
	if err := p.s.checkWritable(sec.target); err != nil {
		return err
	}
	if sec.create {
		if sec.target.Exists {
			why := fmt.Sprintf("the file exists already, so `[%s#NEW]` cannot create it", sec.named)
			if p.tool == "write" {
				why = "the file exists already, and `expect` says that it is absent"
			}
			return refusal.New(refusal.Exists, "%s", why).WithNext("Read it, then edit or write it under its tag")
		}
		sec.live.Text = text.FromBody(nil, text.Format{Encoding: text.UTF8})
	} else {
		if !sec.target.Exists {
			return notFound(sec.named)
		}
		// A search or an outline may have printed the same text since, without
		// its encoding: the one that was named stays that of the tag.
		label := ""
		for _, v := range p.s.store.Find(sec.target.Key, sec.tag) {
			if label = v.Label; label != "" {
				break
			}
		}
		snap, err := p.s.load(ctx, sec.target, label)
		if err != nil {
			return err
		}
		sec.live = snap
		if sec.expect != "" && sec.expect != snap.Revision {
			return refusal.New(refusal.RevisionMismatch, "the file has revision %s, and revision %s was expected", snap.Revision, sec.expect).
				WithNext("Read the file again and use its revision")
		}
	}
	for _, op := range sec.ops {
		for i, row := range op.Rows {
			if strings.IndexByte(row, 0) >= 0 {
				e := sec.opError(refusal.Binary, op, "row %d of the body of `%s` holds a NUL byte, which would make the file binary", i+1, op.Head())
				return e.WithNext("Leave it out")
			}
			if err := p.checkEncoding(sec, op, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkEncoding refuses a row that the file cannot hold.
func (p *Plan) checkEncoding(sec *section, op ops.Op, row string) error {
	t := sec.live.Text
	switch {
	case !t.Accepts(row):
		e := sec.opError(refusal.Encoding, op, "`%s` puts text into the file that is not ASCII, but the file holds bytes that are not valid UTF-8, so nobody knows which encoding it is in", op.Head())
		return e.WithNext("Write ASCII only, or read the file with its `encoding` and edit under that tag")
	case !t.Format().CanEncode(row):
		e := sec.opError(refusal.Encoding, op, "`%s` puts a character into the file that its encoding %s cannot hold", op.Head(), t.Format().Encoding)
		return e.WithNext("Use characters of that encoding")
	}
	return nil
}

// checkDest resolves the destination of MV: it must be free, another name, and
// no other section's business.
func (p *Plan) checkDest(i int, sec *section) error {
	if sec.dest == nil {
		return nil
	}
	taken := func(why string) error {
		return refusal.New(refusal.Exists, "the destination %s %s", sec.dest.Name, why).
			WithNext("Choose a name that is free")
	}
	if workspace.CaseOnly(sec.target, sec.dest) {
		return p.s.checkWritable(sec.target)
	}
	if sec.dest.Key == sec.target.Key {
		return taken("is the file itself")
	}
	if sec.dest.Exists {
		return taken("exists already")
	}
	for j, other := range p.sections {
		if j == i {
			continue
		}
		if other.target.Key == sec.dest.Key || other.dest != nil && other.dest.Key == sec.dest.Key {
			return taken("is touched by another section of this script")
		}
	}
	return p.s.checkWritable(sec.dest)
}

// identity digests what makes a call identical: paths, tags and canonical ops.
func (p *Plan) identity() string {
	h := blake3.New()
	for _, sec := range p.sections {
		fmt.Fprintf(h, "%q %s\n%s\n", sec.target.Key, tagName(sec), parser.FormatOps(sec.ops))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// remember notes a refusal that the identical call confirms.
func (p *Plan) remember(err error) {
	if p.dry {
		return
	}
	var c confirmable
	if !errors.As(err, &c) {
		return
	}
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if len(p.s.pending) > 1024 {
		clear(p.s.pending)
	}
	for _, sec := range p.sections {
		p.s.pending[sec.target.Key] = pendingCall{p.call, string(sec.live.Revision)}
	}
}

// confirmable marks a refusal about likelihood: the same call again means it.
type confirmable struct{ err *refusal.Error }

func (c confirmable) Error() string { return c.err.Error() }

func (c confirmable) Unwrap() error { return c.err }

// findTags looks the tags up.
func (p *Plan) findTags(context.Context) error {
	for _, sec := range p.sections {
		if sec.create {
			continue
		}
		if p.s.opt.Detached {
			if sec.live.Tag != sec.tag {
				return p.mismatch(sec, fmt.Sprintf("the file's tag is #%s, not #%s: it is not the text the call was written for", sec.live.Tag, sec.tag))
			}
			sec.version = p.s.observe(sec.target, sec.live)
			sec.found = []*snapshots.Version{sec.version}
			sec.base = sec.live.Text
			continue
		}
		sec.found = p.s.store.Find(sec.target.Key, sec.tag)
		if len(sec.found) == 0 {
			return refusal.New(refusal.TagUnknown, "no text of this file was printed to this session under #%s, or it is no longer kept", sec.tag).At(sec.named).
				WithNext("Read the lines to be changed, then use the tag and the numbers of that read")
		}
		sec.version = sec.found[0]
		for _, v := range sec.found {
			if v.Is(sec.live) {
				sec.version = v
				break
			}
		}
		if sec.confirmed && sec.live.Tag == sec.tag && len(sec.found) > 1 {
			sec.version = p.s.observe(sec.target, sec.live)
		}
		sec.base = sec.version.Text()
		if sec.base == nil && sec.version.Is(sec.live) {
			sec.base = sec.live.Text
		}
	}
	return nil
}
