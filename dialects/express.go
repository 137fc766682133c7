package dialects

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"znkr.io/diff"

	"putcut/ops"
	"putcut/refusal"
	"putcut/text"
)

// An expression is a change of one text as splices, and as ops where ops can
// say it. It was applied and compared: it makes exactly the wanted text.
type expression struct {
	splices   []ops.Splice
	final     ops.Final
	text      *text.Text
	lineMap   ops.LineMap
	list      []ops.Op
	unsayable []string
}

// A region is whole lines of the old text, between gaps, and what stands in
// their place, as bytes of the new body.
type region struct {
	start, end int
	lo, hi     int
}

// express computes the new text of a file and says it in splices.
func (w *work) express(lim Limits) (expression, error) {
	if err := w.checkNew(); err != nil {
		return expression{}, err
	}
	var body []byte
	var regions []region
	switch {
	case w.create || w.whole:
		body = w.content
		regions = []region{{0, w.old.Len(), 0, len(body)}}
	case len(w.bytes) == 0:
		splices, err := w.arrangeLines()
		if err != nil {
			return expression{}, err
		}
		res := ops.Apply(w.old, splices, ops.KeepFinal)
		body = res.Text.Body()
		for _, h := range res.Map.Hunks() {
			regions = append(regions, region{h.OldStart, h.OldEnd, res.Text.Offset(h.NewStart), res.Text.Offset(h.NewEnd)})
		}
		if res.Kept {
			w.warn(refusal.FinalNewline, 0, "the last line is empty, so it was written with a final newline: without one it would be no line")
		}
	default:
		all, err := w.arrangeBytes()
		if err != nil {
			return expression{}, err
		}
		body, regions = splice(w.old, all)
	}
	if len(body) > lim.FileBytes {
		return expression{}, refusal.New(refusal.TooLarge, "the file would have %d bytes, and %d is the limit for a file that is edited", len(body), lim.FileBytes).
			WithNext("Put less into it, or into several files")
	}
	return w.say(body, regions)
}

// checkNew refuses new text that the file cannot hold.
func (w *work) checkNew() error {
	check := func(s, name string) error {
		switch {
		case strings.IndexByte(s, 0) >= 0:
			return refusal.New(refusal.Binary, "%s holds a NUL byte, which would make the file binary", name).WithNext("Leave it out")
		case w.rawBytes && w.old.Format().Encoding == text.UTF8:
			return nil
		case !utf8.ValidString(s):
			return refusal.New(refusal.Encoding, "%s holds bytes that are not valid UTF-8", name).WithNext("Send UTF-8")
		case !w.old.Accepts(s):
			return refusal.New(refusal.Encoding, "%s puts text into the file that is not ASCII, but the file holds bytes that are not valid UTF-8, so nobody knows which encoding it is in", name).
				WithNext("Write ASCII only, or read the file with its encoding and edit under that revision")
		case !w.old.Format().CanEncode(s):
			return refusal.New(refusal.Encoding, "%s puts a character into the file that its encoding %s cannot hold", name, w.old.Format().Encoding).
				WithNext("Use characters of that encoding")
		}
		return nil
	}
	for _, c := range w.bytes {
		if err := check(inserted(w.old.Body()[c.lo:c.hi], c.new), w.editName(c.edit)); err != nil {
			return err
		}
	}
	for _, c := range w.lines {
		for _, r := range c.rows {
			if err := check(r, w.editName(c.edit)); err != nil {
				return err
			}
		}
	}
	if w.create || w.whole {
		return check(string(w.content), "the content")
	}
	return nil
}

// inserted is what a change adds: its new text without what it has in common
// with the old at both ends.
func inserted(old []byte, s string) string {
	n := 0
	for n < len(old) && n < len(s) && old[n] == s[n] {
		n++
	}
	old, s = old[n:], s[n:]
	for len(old) > 0 && len(s) > 0 && old[len(old)-1] == s[len(s)-1] {
		old, s = old[:len(old)-1], s[:len(s)-1]
	}
	return s
}

// arrangeLines sorts the changes of whole lines and refuses overlaps.
func (w *work) arrangeLines() ([]ops.Splice, error) {
	list := slices.Clone(w.lines)
	slices.SortStableFunc(list, func(a, b lineChange) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(min(a.end-a.start, 1), min(b.end-b.start, 1)), cmp.Compare(a.rank, b.rank))
	})
	out := make([]ops.Splice, len(list))
	for i, c := range list {
		if i > 0 && list[i-1].end > c.start {
			return nil, w.overlap(list[i-1].edit, c.edit, c.start+1)
		}
		out[i] = ops.Splice{Start: c.start, End: c.end, Rows: c.rows}
	}
	return out, nil
}

func (w *work) overlap(a, b, line int) error {
	if b < a {
		a, b = b, a
	}
	e := refusal.New(refusal.RangeInvalid, "%s and %s overlap at line %d of the text both were resolved against", w.editName(b), w.editName(a), line)
	e.Op, e.Row = w.report.Edits[b].Edit, w.report.Edits[b].Row
	return e.WithNext("Make one edit of the two, or keep them apart")
}

// arrangeBytes sorts all changes as changes of characters and refuses overlaps.
func (w *work) arrangeBytes() ([]change, error) {
	all := slices.Clone(w.bytes)
	for _, c := range w.lines {
		b, err := w.asBytes(c)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	width := func(c change) int { return min(c.claim.hi-c.claim.lo, 1) }
	slices.SortStableFunc(all, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.claim.lo, b.claim.lo), cmp.Compare(width(a), width(b)), cmp.Compare(a.rank, b.rank))
	})
	for i := 1; i < len(all); i++ {
		if all[i-1].claim.hi > all[i].claim.lo {
			return nil, w.overlap(all[i-1].edit, all[i].edit, w.old.LineAt(all[i].claim.lo))
		}
	}
	return all, nil
}

// asBytes says a change of whole lines in bytes, for a file that other edits
// change by characters. At the end of a text without a final newline, where
// the rows' terminators depend on each other, it declines.
func (w *work) asBytes(c lineChange) (change, error) {
	t := w.old
	if c.end == t.Len() && !t.FinalNewline() {
		e := refusal.New(refusal.InvalidArgument, "%s changes the last lines of a file without a final newline, which other edits of the call change by characters", w.editName(c.edit))
		return change{}, e.WithNext("Make two calls of it")
	}
	eol := landing(t, c.start, c.end)
	var b strings.Builder
	for _, r := range c.rows {
		b.WriteString(r)
		b.WriteString(string(eol))
	}
	s := span{t.Offset(c.start), t.Offset(c.end)}
	return change{span: s, new: b.String(), claim: s, rank: c.rank, edit: c.edit}, nil
}

// landing is the terminator that rows between two gaps take: of the line
// above, else of the line below, else the most frequent one.
func landing(t *text.Text, start, end int) text.EOL {
	if start > 0 {
		if e := t.EOL(start); e != text.None {
			return e
		}
	}
	if end < t.Len() {
		if e := t.EOL(end + 1); e != text.None {
			return e
		}
	}
	return t.CommonEOL()
}

// splice makes the new body, and widens the changes to regions of whole lines.
func splice(t *text.Text, list []change) (body []byte, regions []region) {
	old := t.Body()
	sep := byte('\n')
	if t.CROnly() {
		sep = '\r'
	}
	size := len(old)
	for _, c := range list {
		size += len(c.new) - (c.hi - c.lo)
	}
	body = make([]byte, 0, size)
	at := 0 // how far old is copied
	for _, c := range list {
		if c.lo == c.hi && c.new == "" || string(old[c.lo:c.hi]) == c.new {
			continue
		}
		start := gapBefore(t, c.lo)
		if n := len(regions); n == 0 || start >= regions[n-1].end {
			if n > 0 {
				regions[n-1].hi += t.Offset(regions[n-1].end) - at
				body = append(body, old[at:t.Offset(regions[n-1].end)]...)
				at = t.Offset(regions[n-1].end)
			}
			body = append(body, old[at:t.Offset(start)]...)
			at = t.Offset(start)
			regions = append(regions, region{start, start, len(body), len(body)})
		}
		body = append(body, old[at:c.lo]...)
		body = append(body, c.new...)
		at = c.hi
		r := &regions[len(regions)-1]
		r.end = max(r.end, gapAfter(t, c.hi))
		if r.end < t.Len() && t.Offset(r.end) == at && len(body) > r.lo && body[len(body)-1] != sep {
			r.end++ // what follows is on the same line now
		}
		r.hi = len(body)
	}
	if n := len(regions); n > 0 {
		r := &regions[n-1]
		r.hi += t.Offset(r.end) - at
	}
	return append(body, old[at:]...), regions
}

// gapBefore is the last gap at or before an offset; an offset at the end of an
// unterminated last line has the gap before that line.
func gapBefore(t *text.Text, off int) int {
	if off == t.Size() && t.FinalNewline() {
		return t.Len()
	}
	return t.LineAt(off) - 1
}

// gapAfter is the first gap at or after an offset.
func gapAfter(t *text.Text, off int) int {
	g := gapBefore(t, off)
	if t.Offset(g) == off {
		return g
	}
	return g + 1
}

// say finds splices that make body out of the old text, the plainest first:
// rows alone, rows with their own terminators, the whole text. Each is applied
// and compared in full.
func (w *work) say(body []byte, regions []region) (expression, error) {
	t := w.old
	want := text.FromBody(body, t.Format())
	hunks := differences(t, want, regions)
	if w.unmark {
		if bytes.HasPrefix(body, []byte("\ufeff")) {
			return expression{}, refusal.New(refusal.Encoding, "the byte order mark would go, and what follows it would be one").WithNext("Keep it as it is")
		}
		hunks = withFirstLine(t, want, hunks)
	}
	for _, try := range []func() expression{
		func() expression { return expression{splices: plain(want, hunks)} },
		func() expression { return dressed(t, want, hunks) },
		func() expression {
			return dressed(t, want, []ops.Hunk{{OldEnd: t.Len(), NewEnd: want.Len()}})
		},
		func() expression { return undivided(t, body) },
	} {
		e := try()
		res := ops.Apply(t, e.splices, e.final)
		// Where CR ended lines and no longer does, or the other way round, the
		// kernel and the new text may differ on what a final newline is.
		for f := ops.KeepFinal; f <= ops.DropFinal && !makes(t, res.Text, body) && len(e.unsayable) > 0; f++ {
			e.final = f
			res = ops.Apply(t, e.splices, f)
		}
		if !makes(t, res.Text, body) {
			continue
		}
		e.text, e.lineMap = res.Text, res.Map
		if w.unmark {
			f := e.text.Format()
			f.BOM = false
			e.text = text.FromBody(e.text.Body(), f)
		}
		e.list = asOps(t, e.splices)
		if e.unsayable = append(e.unsayable, w.unsayable(&e)...); len(e.unsayable) > 0 {
			e.list = nil
		}
		return e, nil
	}
	return expression{}, refusal.New(refusal.InvalidArgument, "the change cannot be expressed in lines of this text").WithNext("Make a smaller edit")
}

// makes reports whether a text that came out of t has a body, or has its first
// character as a byte order mark and the rest of it as its body.
func makes(t, now *text.Text, body []byte) bool {
	if bytes.Equal(now.Body(), body) {
		return true
	}
	rest, marked := bytes.CutPrefix(body, []byte("\ufeff"))
	return marked && now.Format().BOM && !t.Format().BOM && bytes.Equal(now.Body(), rest)
}

// differences are the hunks of lines that differ, found by a line diff inside
// each region. A line without terminator counts as one with the usual one.
func differences(t, want *text.Text, regions []region) []ops.Hunk {
	if t.CROnly() != want.CROnly() {
		return []ops.Hunk{{OldEnd: t.Len(), NewEnd: want.Len()}}
	}
	common := t.CommonEOL()
	keys := func(t *text.Text, from, to int) []string {
		out := make([]string, 0, to-from)
		for n := from + 1; n <= to; n++ {
			line := string(t.Body()[t.Offset(n-1):t.Offset(n)])
			if t.EOL(n) == text.None {
				line += string(common)
			}
			out = append(out, line)
		}
		return out
	}
	var out []ops.Hunk
	for _, r := range regions {
		lo, hi := gapBefore(want, r.lo), gapAfter(want, r.hi)
		if r.lo == want.Size() {
			lo = want.Len()
		}
		if r.hi == want.Size() {
			hi = want.Len()
		}
		x, y := keys(t, r.start, r.end), keys(want, lo, hi)
		n := 0
		for n < len(x) && n < len(y) && x[n] == y[n] {
			n++
		}
		x, y = x[n:], y[n:]
		for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
			x, y = x[:len(x)-1], y[:len(y)-1]
		}
		opts := []diff.Option{diff.Context(0)}
		if len(x)+len(y) > 20_000 {
			opts = append(opts, diff.Fast())
		}
		for _, h := range diff.Hunks(x, y, opts...) {
			x := ops.Hunk{
				OldStart: r.start + n + h.PosX, OldEnd: r.start + n + h.EndX,
				NewStart: lo + n + h.PosY, NewEnd: lo + n + h.EndY,
			}
			if k := len(out) - 1; k >= 0 && out[k].OldEnd == x.OldStart && out[k].NewEnd == x.NewStart {
				out[k].OldEnd, out[k].NewEnd = x.OldEnd, x.NewEnd
				continue
			}
			out = append(out, x)
		}
	}
	return out
}

// withFirstLine adds the first line to hunks, so that a byte order mark that
// goes from before it shows.
func withFirstLine(t, want *text.Text, hunks []ops.Hunk) []ops.Hunk {
	switch {
	case len(hunks) > 0 && hunks[0].OldStart == 0 && (hunks[0].OldEnd > 0 || t.Len() == 0):
		return hunks
	case len(hunks) > 0 && hunks[0].OldStart == 0: // rows above it
		hunks = slices.Clone(hunks)
		hunks[0].OldEnd++
		hunks[0].NewEnd++
		if len(hunks) > 1 && hunks[1].OldStart == 1 {
			hunks[1].OldStart, hunks[1].NewStart = 0, hunks[0].NewStart
			hunks = hunks[1:]
		}
		return hunks
	case len(hunks) > 0 && hunks[0].OldStart == 1: // rows below it, or the next line
		hunks = slices.Clone(hunks)
		hunks[0].OldStart, hunks[0].NewStart = 0, 0
		return hunks
	case t.Len() == 0 || want.Len() == 0:
		return hunks
	}
	return append([]ops.Hunk{{OldEnd: 1, NewEnd: 1}}, hunks...)
}

// plain are the splices of hunks whose rows take the file's terminators.
func plain(want *text.Text, hunks []ops.Hunk) []ops.Splice {
	out := make([]ops.Splice, len(hunks))
	for i, h := range hunks {
		out[i] = ops.Splice{Start: h.OldStart, End: h.OldEnd, Op: i}
		for n := h.NewStart + 1; n <= h.NewEnd; n++ {
			out[i].Rows = append(out[i].Rows, string(want.Line(n)))
		}
	}
	return out
}

// dressed are the splices of hunks whose rows bring their own terminators
// where the file's rule would give others, and what becomes of the final newline.
func dressed(t, want *text.Text, hunks []ops.Hunk) expression {
	e := expression{splices: plain(want, hunks)}
	for i, h := range hunks {
		rule := landing(t, h.OldStart, h.OldEnd)
		var eols []text.EOL
		odd := 0
		for n := h.NewStart + 1; n <= h.NewEnd; n++ {
			eol := want.EOL(n)
			eols = append(eols, eol)
			if eol != rule && eol != text.None {
				if odd++; odd == 1 {
					e.unsayable = append(e.unsayable, fmt.Sprintf("line %d of the new text ends in %s, where rows of a script would take %s", n, eol.Name(), rule.Name()))
				}
			}
		}
		if odd > 0 || h.NewEnd == want.Len() && !want.FinalNewline() {
			e.splices[i].EOLs = eols
		}
	}
	was, is := t.FinalNewline(), want.FinalNewline()
	if want.Len() > 0 && was != is {
		e.final = ops.DropFinal
		what := "the final newline is dropped"
		switch {
		case is:
			e.final, what = ops.AddFinal, "a final newline is added"
		case t.Len() == 0:
			what = "the new text has no final newline"
		}
		e.unsayable = append(e.unsayable, what)
	}
	if len(e.unsayable) == 0 {
		e.unsayable = append(e.unsayable, "lines end otherwise than rows of a script would")
	}
	return e
}

// undivided puts the whole body, divided as the old text's rule divides it, for
// the text that turns from one rule for lone CRs to the other.
func undivided(t *text.Text, body []byte) expression {
	sep := "\n"
	if t.CROnly() {
		sep = "\r"
	}
	s := ops.Splice{End: t.Len()}
	for rest := string(body); rest != ""; {
		row, after, found := strings.Cut(rest, sep)
		eol := text.None
		if found {
			eol = text.EOL(sep)
			if bare, had := strings.CutSuffix(row, "\r"); had && eol == text.LF {
				row, eol = bare, text.CRLF
			}
		}
		s.Rows, s.EOLs, rest = append(s.Rows, row), append(s.EOLs, eol), after
	}
	return expression{splices: []ops.Splice{s}, unsayable: []string{"a CR by itself ends lines before the change or after it, and not both"}}
}

// asOps says splices as ops of a script.
func asOps(t *text.Text, splices []ops.Splice) []ops.Op {
	list := make([]ops.Op, len(splices))
	for i, s := range splices {
		op := ops.Op{Verb: ops.Put, Rows: s.Rows, Place: ops.Place{Kind: ops.Span, First: s.Start + 1, Last: s.End}}
		switch {
		case len(s.Rows) == 0:
			op.Verb = ops.Cut
		case s.Start < s.End:
		case t.Len() == 0:
			op.Place = ops.Place{Kind: ops.Tail}
		case s.Start == 0:
			op.Place = ops.Place{Kind: ops.Before, First: 1, Last: 1}
		default:
			op.Place = ops.Place{Kind: ops.After, First: s.Start, Last: s.Start}
		}
		list[i] = op
	}
	return list
}

// unsayable lists what no script can say of an expression whose text it could.
func (w *work) unsayable(e *expression) []string {
	var out []string
	if w.unmark {
		out = append(out, "the byte order mark goes")
	}
	if w.create {
		switch {
		case w.format.BOM:
			out = append(out, "the new file starts with a byte order mark")
		case e.text.Len() == 0:
			out = append(out, "the new file is empty")
		}
	}
	for _, s := range e.splices {
		for _, r := range s.Rows {
			if !utf8.ValidString(r) {
				return append(out, "the new text holds bytes that are not valid UTF-8")
			}
		}
	}
	return out
}
