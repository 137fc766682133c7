package session

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"putcut/ops"
	"putcut/refusal"
	"putcut/snapshots"
	"putcut/text"
)

// Write creates a file, or replaces one whose current tag the caller names.
// Replacing keeps the byte order mark and the encoding, and the terminators of
// a file that is CRLF throughout when the new content has only LF.
// Errors: InvalidArgument, Exists, NotFound, TagUnknown, TagMismatch, NoChange,
// Binary, Encoding, TooLarge, Policy, Conflict.
func (s *Session) Write(ctx context.Context, req WriteRequest) (*ChangeResult, error) {
	return s.change(ctx, "write", req.DryRun, func(asked *[]EventFile) (*Plan, func(), error) { return s.planWrite(ctx, req, asked) })
}

// PlanWrite takes a write through every gate and stops before the commit.
func (s *Session) PlanWrite(ctx context.Context, req WriteRequest) (*Plan, error) {
	return s.planOnly(ctx, "write", req.DryRun, func(asked *[]EventFile) (*Plan, func(), error) { return s.planWrite(ctx, req, asked) })
}

const absent = "absent"

func (s *Session) planWrite(ctx context.Context, req WriteRequest, asked *[]EventFile) (*Plan, func(), error) {
	*asked = []EventFile{{Path: req.Path}}
	s.emit(ctx, Event{Step: StepRequested, Tool: "write", DryRun: req.DryRun, Files: *asked})
	if err := checkPath(req.Path); err != nil {
		return nil, nil, err
	}
	if !req.DryRun {
		s.forgetPath(req.Path)
	}
	missing := func(arg, next string) error {
		return refusal.New(refusal.InvalidArgument, "the argument `%s` is missing", arg).At(req.Path).WithNext("%s", next)
	}
	if req.Content == nil {
		return nil, nil, missing("content", "Send the whole content; an empty string makes an empty file")
	}
	if req.Expect == "" {
		return nil, nil, missing("expect", "Send \"absent\" for a new file, or the current tag of the file to replace")
	}
	if req.Expect != absent {
		if err := checkTag(req.Expect, "the argument `expect`"); err != nil {
			e := refusal.As(err)
			e.Code = refusal.InvalidArgument
			return nil, nil, e.At(req.Path).WithNext("Send \"absent\" for a new file, or the current tag of the file to replace")
		}
	}
	t, err := s.resolve(req.Path)
	if err != nil {
		return nil, nil, err
	}
	sec := &section{named: req.Path, target: t, create: req.Expect == absent, expect: req.ExpectedRevision}
	if !sec.create {
		sec.tag = text.Tag(strings.ToUpper(req.Expect))
	}
	p := &Plan{s: s, tool: "write", dry: req.DryRun, sections: []*section{sec}, regs: s.regs.Begin()}
	unlock, err := s.ws.Lock(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	fill := func(context.Context) error { return sec.fail(p.fillWhole(sec, *req.Content)) }
	for _, gate := range []func(context.Context) error{p.loadWhole, fill, p.checkSyntax, p.checkPolicy} {
		if err := gate(ctx); err != nil {
			return nil, unlock, err
		}
	}
	s.emit(ctx, Event{Step: StepChecked, Tool: "write", DryRun: req.DryRun, Files: p.eventFiles()})
	return p, unlock, nil
}

// loadWhole reads the file that a write replaces and proves its version.
func (p *Plan) loadWhole(ctx context.Context) error {
	sec := p.sections[0]
	if err := p.loadFile(ctx, sec); err != nil {
		if e := refusal.As(err); e != nil && e.Code == refusal.NotFound {
			e.WithNext("Check the path; to create the file, send `expect` \"absent\"")
		}
		return sec.fail(err)
	}
	if !p.dry {
		p.s.forgetPending(sec.target.Key)
	}
	if sec.create {
		return nil
	}
	if err := p.findTags(ctx); err != nil {
		return err
	}
	if !sec.version.Is(sec.live) {
		e := refusal.New(refusal.TagMismatch, "the file is no longer the text printed under #%s", sec.tag).At(sec.named)
		p.s.mint(sec.target, sec.live)
		e.Excerpts = []refusal.Excerpt{{Path: sec.target.Name, Tag: string(sec.live.Tag)}}
		return e.WithNext("The file is now #%s: read it, and write again if it still is to be replaced", sec.live.Tag)
	}
	return nil
}

// fillWhole makes the new text of a written file.
func (p *Plan) fillWhole(sec *section, content string) error {
	if i := strings.IndexByte(content, 0); i >= 0 {
		return refusal.New(refusal.Binary, "the content holds a NUL byte at offset %d, which would make the file binary", i).WithNext("Leave it out")
	}
	if rest, ok := stripPasted(content); ok {
		content = rest
		sec.warn(refusal.Stripped, 0, "every row of the content started with its number as the reader prints it; the numbers (and the header row) were left out")
	}
	if !sec.create {
		old := sec.live.Text
		content = strings.TrimPrefix(content, "\ufeff") // the file's own mark stays
		if !old.Format().BOM {
			content = strings.TrimLeft(content, "\ufeff") // and one more would become it
		}
		if old.Len() > 0 && !old.Mixed() && old.CommonEOL() == text.CRLF && !strings.Contains(content, "\r") {
			content = strings.ReplaceAll(content, "\n", "\r\n")
		}
	}
	format := sec.live.Text.Format()
	if sec.create {
		content, format.BOM = strings.CutPrefix(content, "\ufeff")
	}
	t := text.FromBody([]byte(content), format)
	if !t.Valid() && format.Encoding != text.UTF8 {
		return refusal.New(refusal.Encoding, "the content is not valid UTF-8, so it cannot be written as %s", format.Encoding)
	}
	raw, err := t.Encode()
	if err != nil {
		return err
	}
	if int64(len(raw)) > p.s.lim.FileBytes {
		return refusal.New(refusal.TooLarge, "the content has %d bytes, and %d is the limit", len(raw), p.s.lim.FileBytes).WithNext("Split it into several files")
	}
	if !sec.create && bytes.Equal(raw, sec.live.Raw) {
		return refusal.New(refusal.NoChange, "the file already has this content").WithNext("Nothing is left to do")
	}
	sec.newRaw = raw
	sec.newSnap = snapshots.SnapOf(t, raw, sec.live.Label)
	sec.splices = []ops.Splice{{Start: 0, End: sec.live.Text.Len()}}
	sec.cut = ops.Result{Text: t, Map: ops.MapOf(sec.live.Text.Len(), t.Len(), []ops.Hunk{{OldEnd: sec.live.Text.Len(), NewEnd: t.Len()}})}
	if sec.version != nil {
		sec.unseen = sec.version.Lines - p.s.store.ShownCount(sec.version)
	}
	return nil
}

// stripPasted takes off what a reader printed, when content is a page of it:
// every row carries a number, and a header row stands first or the numbers run
// from 1.
func stripPasted(content string) (string, bool) {
	rows := strings.Split(strings.TrimSuffix(content, "\n"), "\n")
	header := isHeaderRow(rows[0])
	if header {
		rows = rows[1:]
	}
	if len(rows) == 0 {
		return "", false
	}
	var b strings.Builder
	for i, r := range rows {
		num, rest, ok := strings.Cut(r, ":")
		n, err := strconv.Atoi(num)
		if !ok || err != nil || n < 1 || num[0] == '+' || !header && n != i+1 {
			return "", false
		}
		b.WriteString(rest)
		if i < len(rows)-1 || strings.HasSuffix(content, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String(), true
}

// isHeaderRow reports whether a whole row has the form [path#TAG].
func isHeaderRow(r string) bool {
	r = strings.TrimRight(r, " \t\r")
	if len(r) < 8 || r[0] != '[' || r[len(r)-1] != ']' {
		return false
	}
	i := strings.LastIndexByte(r, '#')
	return i > 1 && text.ValidTag(r[i+1:len(r)-1])
}
