package dialects

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"putcut/refusal"
	"putcut/text"
)

// unifiedDiff reads what diff -u and git diff write, and applies it strictly:
// the bytes of a hunk's old side, terminators included, must stand at the line
// it states; when they do not, the one place where they do is used and
// reported. Lines are never skipped and context is never given up.
func (l *lowering) unifiedDiff(in Input) error {
	files, err := parseDiff(in.Text)
	if err != nil {
		return err
	}
	if in.Path != "" && len(files) > 1 {
		return refusal.New(refusal.InvalidArgument, "the diff changes %d files, and one path is given", len(files)).At(in.Path).WithNext("Leave the path out, or send the files one by one")
	}
	seen := map[*work]bool{}
	for _, fd := range files {
		from, to, err := l.target(fd)
		if err != nil {
			return err
		}
		if in.Path != "" {
			from = in.Path
		}
		if err := l.fileDiff(fd, from, to, seen, !utf8.ValidString(in.Text)); err != nil {
			e := refusal.As(located(err, from))
			if e.Row == 0 {
				e.Row = fd.row
			}
			return e
		}
	}
	return nil
}

func (l *lowering) fileDiff(fd *fileDiff, from, to string, seen map[*work]bool, raw bool) error {
	for _, mode := range []string{fd.oldMode, fd.newMode} {
		if mode != "" && !strings.HasPrefix(mode, "100") {
			return refusal.New(refusal.NotRegular, "the diff changes a file of mode %s, which is no regular file", mode).WithNext("Leave it out of the diff")
		}
	}
	if fd.copied {
		return l.copyDiff(fd, from, to, raw)
	}
	var w *work
	var err error
	if fd.created {
		w, err = l.open(from)
	} else {
		w, err = l.openOld(from)
	}
	if err != nil {
		return err
	}
	if seen[w] {
		return refusal.New(refusal.InvalidArgument, "the diff changes the file twice, the second time starting from the result of the first").WithNext("Make one diff of the two, or apply them one after the other")
	}
	seen[w] = true
	w.rawBytes = w.rawBytes || raw
	if fd.oldMode != fd.newMode && !fd.deleted && (fd.oldMode != "" || fd.newMode != "100644") {
		w.report.Modes = append(w.report.Modes, ModeChange{fd.oldMode, fd.newMode})
	}
	switch {
	case fd.created:
		return l.createDiff(w, fd)
	case fd.deleted:
		return l.deleteDiff(w, fd)
	}
	if to != "" {
		if err := w.moveIt(to); err != nil {
			return err
		}
	}
	return l.applyHunks(w, fd)
}

// createDiff makes a new file of the rows of one hunk, or an empty one of none.
func (l *lowering) createDiff(w *work, fd *fileDiff) error {
	if err := l.next(); err != nil {
		return err
	}
	if len(fd.hunks) > 1 || !fd.oldEmpty() {
		return at(refusal.ParseFailed, fd.row, "the diff creates the file and names old lines of it").WithNext("A new file has one hunk of `+` rows")
	}
	var b strings.Builder
	note, relaxed := "a new file", []Relaxation(nil)
	for _, h := range fd.hunks {
		for _, r := range h.rows {
			s := r.text
			if h.crlf { // the diff itself has CRLF rows
				s = strings.TrimSuffix(s, "\r\n")
				if s != r.text {
					s += "\n"
				}
			}
			b.WriteString(s)
		}
		if h.crlf {
			relaxed = []Relaxation{RelaxedEOL}
		}
	}
	if err := w.createWith([]byte(b.String())); err != nil {
		return err
	}
	l.note(w, fd.row, span{}, relaxed, note)
	return nil
}

// deleteDiff removes a file whose whole content the diff holds.
func (l *lowering) deleteDiff(w *work, fd *fileDiff) error {
	if len(fd.hunks) == 0 {
		if err := l.next(); err != nil {
			return err
		}
		if len(w.raw) > 0 && !fd.proved(w) {
			return refusal.New(refusal.TextNotFound, "the diff removes an empty file, and the file has %d bytes", len(w.raw)).WithNext("Read the file, then remove it")
		}
		l.note(w, fd.row, span{0, w.old.Size()}, nil, "removed")
		w.proves(span{0, w.old.Size()})
		return w.removeIt()
	}
	if !fd.newEmpty() {
		return at(refusal.ParseFailed, fd.row, "the diff removes the file and leaves lines of it").WithNext("Send every line of the file as a `-` row")
	}
	if err := w.idle("removed"); err != nil {
		return err
	}
	if err := l.applyHunks(w, fd); err != nil {
		return err
	}
	gone := 0
	for _, c := range w.bytes {
		gone += c.hi - c.lo
	}
	w.bytes = nil
	if gone != w.old.Size() {
		return refusal.New(refusal.TextNotFound, "the diff removes the file as it was with %d bytes, and it has %d", gone, w.old.Size()).WithNext("Read the file, then remove it")
	}
	w.remove = true
	return nil
}

// copyDiff creates a file from another one, changed by hunks.
func (l *lowering) copyDiff(fd *fileDiff, from, to string, raw bool) error {
	t, src, rev, exists, err := l.src.Load(from)
	if err != nil {
		return err
	}
	if !exists {
		return refusal.New(refusal.NotFound, "there is no such file to copy").At(from)
	}
	tmp := &work{path: from, old: t, raw: src, rev: rev, exists: true, rawBytes: raw}
	if err := l.applyHunks(tmp, fd); err != nil {
		return located(err, from)
	}
	all, err := tmp.arrangeBytes()
	if err != nil {
		return located(err, from)
	}
	body, _ := splice(t, all)
	if f := t.Format(); f.Encoding != text.UTF8 {
		return refusal.New(refusal.Encoding, "the file to copy is in %s, and new files are written in UTF-8", f.Encoding).At(from)
	} else if f.BOM && !tmp.unmark {
		body = append([]byte("\ufeff"), body...)
	}
	if len(fd.hunks) == 0 {
		if err := l.next(); err != nil {
			return err
		}
	}
	w, err := l.open(to)
	if err != nil {
		return err
	}
	w.rawBytes = raw || !t.Valid()
	if err := w.createWith(body); err != nil {
		return located(err, to)
	}
	l.note(w, fd.row, span{}, nil, "a copy of "+from)
	return nil
}

// proved reports whether the diff's id of the old blob is the file's.
func (fd *fileDiff) proved(w *work) bool {
	if len(fd.oldID) < 7 || strings.Trim(fd.oldID, "0") == "" {
		return false
	}
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(w.raw))
	h.Write(w.raw)
	return strings.HasPrefix(hex.EncodeToString(h.Sum(nil)), strings.ToLower(fd.oldID))
}

// rawLines is a body as a diff sees it: lines end in LF alone.
type rawLines struct {
	body []byte
	ends []int
}

func rawLinesOf(body []byte) rawLines {
	r := rawLines{body: body}
	for at := 0; at < len(body); {
		if i := bytes.IndexByte(body[at:], '\n'); i >= 0 {
			at += i + 1
		} else {
			at = len(body)
		}
		r.ends = append(r.ends, at)
	}
	return r
}

func (r rawLines) offset(gap int) int {
	if gap == 0 {
		return 0
	}
	return r.ends[gap-1]
}

// boundary reports whether an offset is a gap between lines.
func (r rawLines) boundary(off int) bool {
	return off == 0 || off == len(r.body) || r.body[off-1] == '\n'
}

func (l *lowering) applyHunks(w *work, fd *fileDiff) error {
	lines := rawLinesOf(w.old.Body())
	end := 0 // offset after the hunk before
	for i, h := range fd.hunks {
		if err := l.next(); err != nil {
			return err
		}
		hunkName := "hunk " + itoa(i+1)
		if err := w.matchBOM(&h); err != nil {
			return err
		}
		p, err := l.place(w, fd, lines, h, hunkName)
		if err == nil && p.lo < end {
			err = refusal.New(refusal.RangeInvalid, "%s comes before the end of the hunk above it", hunkName).WithNext("Put the hunks in the order of the file, and apart")
		}
		if err == nil {
			err = l.putHunk(w, lines, h, p, hunkName)
		}
		if err != nil {
			e := refusal.As(located(err, w.path))
			e.Row, e.Op = h.row, i+1
			return e
		}
		end = p.hi
	}
	return nil
}

// matchBOM takes the byte order mark off a hunk's first line, where the file
// has one: a diff shows it as part of the line, and takes it away with the line.
func (w *work) matchBOM(h *diffHunk) error {
	if !w.old.Format().BOM || h.oldStart > 1 {
		return nil
	}
	const bom = "\ufeff"
	rows := append([]patchRow(nil), h.rows...)
	old, now := -1, -1
	for i, r := range rows {
		if old < 0 && r.mark != '+' {
			old = i
		}
		if now < 0 && r.mark != '-' {
			now = i
		}
	}
	had := old >= 0 && strings.HasPrefix(rows[old].text, bom)
	has := now >= 0 && strings.HasPrefix(rows[now].text, bom)
	if !had && !has {
		return nil
	}
	if had != has && now >= 0 {
		goes := had && rows[old].mark == '-' && w.old.Format().Encoding == text.UTF8
		if !goes {
			return at(refusal.Encoding, h.row, "the hunk moves the file's byte order mark, adds a second one, or removes one that UTF-16 needs").WithNext("Keep it as it is")
		}
		w.unmark = true
	}
	rows[old].text = strings.TrimPrefix(rows[old].text, bom)
	if now >= 0 && now != old {
		rows[now].text = strings.TrimPrefix(rows[now].text, bom)
	}
	h.rows = rows
	return nil
}

// A hunkPlace is where a hunk's old side stands, and what gave way.
type hunkPlace struct {
	span
	relaxed []Relaxation
	note    string
	// eol rewrites the terminator of new rows; empty leaves them.
	eol text.EOL
	// bare says that rows lose their CR first.
	bare bool
}

// place finds where a hunk applies.
func (l *lowering) place(w *work, fd *fileDiff, lines rawLines, h diffHunk, name string) (hunkPlace, error) {
	var b strings.Builder
	rows := 0
	for _, r := range h.rows {
		if r.mark != '+' {
			b.WriteString(r.text)
			rows++
		}
	}
	old := b.String()
	gap := h.oldStart - 1
	if h.oldCount == 0 {
		gap = h.oldStart
	}
	if rows == 0 {
		if len(lines.body) == 0 && gap == 0 || fd.proved(w) && gap <= len(lines.ends) {
			off := lines.offset(min(gap, len(lines.ends)))
			return hunkPlace{span: span{off, off}}, nil
		}
		return hunkPlace{}, refusal.New(refusal.TextNotFound, "%s inserts after line %d and holds no line of the file, so nothing proves the place", name, h.oldStart).
			WithNext("Make the diff with context: `diff -u`, or `git diff` without -U0")
	}
	if gap+rows <= len(lines.ends) {
		if s := (span{lines.offset(gap), lines.offset(gap + rows)}); string(lines.body[s.lo:s.hi]) == old {
			return hunkPlace{span: s}, nil
		}
	}
	at := alignedAt(lines, old)
	if len(at) == 1 {
		line := w.old.LineAt(at[0])
		return hunkPlace{span: span{at[0], at[0] + len(old)}, relaxed: []Relaxation{RelaxedOffset},
			note: fmt.Sprintf("stated for line %d, found at line %d", h.oldStart, line)}, nil
	}
	if len(at) > 1 {
		e := w.ambiguous(name, at[:min(len(at), most)], len(at), nil)
		e.What += "; line " + itoa(h.oldStart) + ", where it should be, is none of them"
		return hunkPlace{}, e
	}
	if p, ok := l.placeEOL(w, lines, old, gap, rows, h); ok {
		return p, nil
	}
	e := w.miss(name, strings.TrimSuffix(strings.ReplaceAll(old, "\r\n", "\n"), "\n"))
	e.What = strings.Replace(e.What, " does not occur in the file", fmt.Sprintf(" does not stand at line %d, nor anywhere else", h.oldStart), 1)
	return hunkPlace{}, e
}

// alignedAt lists where bytes stand as whole lines.
func alignedAt(lines rawLines, old string) []int {
	all, _ := occurrences(lines.body, old, countMax)
	var out []int
	for _, off := range all {
		if lines.boundary(off) && lines.boundary(off+len(old)) {
			out = append(out, off)
		}
	}
	return out
}

// placeEOL is place with CRLF and LF counted as the same. The region must end
// its lines in one way, which the new rows then take.
func (l *lowering) placeEOL(w *work, lines rawLines, old string, gap, rows int, h diffHunk) (hunkPlace, bool) {
	if l.opt.Exact || w.old.CROnly() {
		return hunkPlace{}, false
	}
	flat := strings.ReplaceAll(old, "\r\n", "\n")
	index := indexEOL(lines.body)
	flatLines := rawLinesOf(index.body)
	p := hunkPlace{relaxed: []Relaxation{RelaxedEOL}, bare: true}
	lo := -1
	if gap+rows <= len(flatLines.ends) {
		if off := flatLines.offset(gap); string(index.body[off:flatLines.offset(gap+rows)]) == flat {
			lo = off
		}
	}
	if lo < 0 {
		at := alignedAt(flatLines, flat)
		if len(at) != 1 {
			return hunkPlace{}, false
		}
		lo = at[0]
		p.relaxed = append(p.relaxed, RelaxedOffset)
		p.note = fmt.Sprintf("stated for line %d, found at line %d", h.oldStart, w.old.LineAt(index.raw(lo)))
	}
	hi := lo + len(flat)
	p.span = span{index.raw(lo), index.raw(hi)}
	switch index.crlf(lo, hi) {
	case 0:
		p.eol = text.LF
	case strings.Count(flat, "\n"):
		p.eol = text.CRLF
	default:
		return hunkPlace{}, false
	}
	return p, true
}

// putHunk records each run of rows that go and come.
func (l *lowering) putHunk(w *work, lines rawLines, h diffHunk, p hunkPlace, name string) error {
	i := l.note(w, h.row, p.span, p.relaxed, p.note)
	w.proves(p.span)
	gap := countBelow(lines.ends, p.lo)
	if p.lo > 0 {
		gap++ // the line that ends at lo
	}
	at := p.lo
	var fresh strings.Builder
	run := span{at, at}
	flush := func() error {
		if run.lo < run.hi || fresh.Len() > 0 {
			s := fresh.String()
			if s != "" && !strings.HasSuffix(s, "\n") && run.hi < len(lines.body) {
				return refusal.New(refusal.TextNotFound, "%s ends the file without a newline, and lines follow its place", name).WithNext("Make the diff again from the current file")
			}
			if run.lo > 0 && run.lo == len(lines.body) && s != "" && lines.body[run.lo-1] != '\n' {
				return refusal.New(refusal.TextNotFound, "%s adds lines after the last one, which has no newline", name).WithNext("Make the diff again from the current file")
			}
			w.bytes = append(w.bytes, change{span: run, new: s, claim: run, edit: i})
		}
		fresh.Reset()
		run = span{at, at}
		return nil
	}
	for _, r := range h.rows {
		s := r.text
		if p.bare && strings.HasSuffix(s, "\n") {
			s = strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r") + string(p.eol)
		}
		switch r.mark {
		case '+':
			fresh.WriteString(s)
			continue
		case ' ':
			if err := flush(); err != nil {
				return err
			}
		}
		gap++
		at = lines.offset(gap)
		run.hi = at
		if r.mark == ' ' {
			run.lo = at
		}
	}
	return flush()
}
