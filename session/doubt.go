package session

import (
	"fmt"
	"slices"
	"strings"

	"putcut/blocks"
	"putcut/ops"
	"putcut/text"
)

// A reading is one account of a script that is broken as written: what was
// meant, in words, and the splices that would do it.
type reading struct {
	note    string
	splices []ops.Splice
}

// related is the share that a row must have in common with a line outside the
// range to be its new form, if it has less in common with every line inside.
const related = 0.4

const (
	heldRows  = 3 // rows of a body among which the line above the range is looked for
	heldBytes = 5 // of the words of that line at least
)

// doubt looks for another reading of a script than its only smallest repair.
// What the repair leaves unexplained is not proved: rows that still restate a
// neighbour, a range of which nothing would be replaced, rows that are the new
// form of a line outside it, a cut that one line more would make whole as well,
// a kept line at another depth than what it belongs to. after is the tree of
// the repaired text. parses judges another text, and says true when it can't.
func (p *Plan) doubt(sec *section, set []mend, after *blocks.Tree, parses func(*text.Text) bool) (reading, bool) {
	good := func(splices []ops.Splice) bool { return parses(ops.Apply(sec.live.Text, splices, ops.KeepFinal).Text) }
	fixed := mended(sec.splices, set)
	cut := ops.Apply(sec.live.Text, fixed, ops.KeepFinal)
	hunks := cut.Map.Hunks()
	for _, m := range set {
		s, was := fixed[m.splice], sec.splices[m.splice]
		if s.Start == s.End {
			return reading{fmt.Sprintf("`%s`: as written, since the repair would replace nothing", sec.head(was)), sec.splices}, true
		}
		if r, ok := sec.dropRest(fixed, m.splice, m.dropTop); ok && good(r.splices) {
			r.note = "the same, and " + r.note
			return r, true
		}
		if !m.keepFirst && !m.keepLast {
			continue
		}
		if r, ok := sec.dropRest(sec.splices, m.splice, 0); ok && good(r.splices) {
			return r, true
		}
		if sec.retold(m) {
			return reading{fmt.Sprintf("`%s`: as written, since the body holds a row like the line kept", sec.head(was)), sec.splices}, true
		}
		others := sec.moved
		if len(was.Rows) == 0 {
			others = func(m mend) []reading { return append(sec.wider(m), sec.alikeBeyond(m)...) }
		}
		for _, r := range others(m) {
			if good(r.splices) {
				return r, true
			}
		}
		if above, below := sec.newForm(fixed, m.splice); above || below {
			return reading{fmt.Sprintf("`%s`: another range, since a row looks like a new form of a line that would stay", sec.head(was)), sec.splices}, true
		}
		if len(hunks) == len(fixed) && misfits(m, hunks[m.splice], cut.Text, after) {
			return reading{fmt.Sprintf("`%s`: as written, since the line kept is at another depth than what it belongs to", sec.head(was)), sec.splices}, true
		}
	}
	for i, s := range sec.splices {
		if len(s.Rows) == 0 || sec.ops[s.Op].Paste || slices.ContainsFunc(set, func(m mend) bool { return m.splice == i }) {
			continue
		}
		if r, ok := sec.dropRest(sec.splices, i, 0); ok && good(r.splices) {
			return r, true
		}
		if r, ok := sec.movedTo(i); ok && good(r.splices) {
			return r, true
		}
	}
	return reading{}, false
}

func (sec *section) head(s ops.Splice) string { return sec.ops[s.Op].Head() }

// dropRest leaves out what an op restates, or a blank row beside a blank line.
// left is how many rows its body has lost at the top already.
func (sec *section) dropRest(splices []ops.Splice, i, left int) (reading, bool) {
	s, t := splices[i], sec.live.Text
	floor, ceiling := sec.room(splices, i)
	from, to := 0, len(s.Rows)
	var notes []string
	drop := func(first, last, line int, side string) {
		notes = append(notes, fmt.Sprintf("`%s`: %s, `%s`, left out as restating line %d %s", sec.head(s), countRows(left+first+1, left+last+1), clip(s.Rows[first], 60), line, side))
	}
	if row, k, line := sec.restatesBelow(s, ceiling); k > 0 {
		drop(row, to-1, line, "below")
		to = row
	}
	if row, k, line := sec.restatesAbove(s, floor); k > 0 && row+k <= to {
		drop(row, row+k-1, line, "above")
		from = row + k
	}
	switch n := len(s.Rows); {
	case notes != nil || n < 2 || s.Start == s.End:
	case blank(s.Rows[n-1]) && s.End < ceiling && blank(string(t.Line(s.End+1))):
		drop(n-1, n-1, s.End+1, "below")
		to = n - 1
	case blank(s.Rows[0]) && s.Start > floor && blank(string(t.Line(s.Start))):
		drop(0, 0, s.Start, "above")
		from = 1
	}
	if notes == nil {
		return reading{}, false
	}
	alt := slices.Clone(splices)
	alt[i].Rows = s.Rows[from:to]
	return reading{strings.Join(notes, "; "), alt}, true
}

func countRows(first, last int) string {
	if first == last {
		return fmt.Sprintf("row %d", first)
	}
	return fmt.Sprintf("rows %d-%d", first, last)
}

// retold reports whether the first or the last row with text of a mended body
// is the line that would be kept on that side, blanks around it aside: then it
// was replaced. Rows of one word, and those that end something, may stand twice.
func (sec *section) retold(m mend) bool {
	s := sec.splices[m.splice]
	kept := s.End
	if m.keepFirst {
		kept = s.Start + 1
	}
	line := strings.TrimSpace(string(sec.live.Text.Line(kept)))
	words := strings.FieldsFunc(line, func(r rune) bool { return !word(r) })
	if len(words) < 2 || strings.HasPrefix(strings.ToLower(words[0]), "end") {
		return false
	}
	var edge [2]string
	for _, r := range s.Rows[m.dropTop : len(s.Rows)-m.dropEnd] {
		if r = strings.TrimSpace(r); r == "" {
			continue
		}
		if edge[0] == "" {
			edge[0] = r
		}
		edge[1] = r
	}
	return edge[0] == line || edge[1] == line
}

// wider reads a cut as one line short, where the repair would keep the line
// that opens and leave the one that closes.
func (sec *section) wider(m mend) []reading {
	alt := slices.Clone(sec.splices)
	_, ceiling := sec.room(alt, m.splice)
	s := &alt[m.splice]
	if !m.keepFirst || s.End >= ceiling {
		return nil
	}
	s.End++
	return []reading{{fmt.Sprintf("`%s`: up to line %d", sec.head(*s), s.End), alt}}
}

// movedTo reads the range of an op that needed no mend as one line too low or
// short, where its first or last row looks like a new form of a line that stays.
func (sec *section) movedTo(i int) (reading, bool) {
	alt := slices.Clone(sec.splices)
	s := &alt[i]
	if s.Start == s.End {
		return reading{}, false
	}
	switch above, below := sec.newForm(sec.splices, i); {
	case above:
		s.Start--
		s.End--
		return reading{fmt.Sprintf("`%s`: one line higher, since row 1 looks like a new form of line %d", sec.head(*s), s.Start+1), alt}, true
	case below:
		s.End++
		if len(s.Rows) < s.End-s.Start {
			s.Start++
		}
		return reading{fmt.Sprintf("`%s`: up to line %d, since its last row looks like a new form of it", sec.head(*s), s.End), alt}, true
	}
	return reading{}, false
}

// alikeBeyond reads a cut as one line too high or too low, where the line beyond
// its other end looks like one that is cut.
func (sec *section) alikeBeyond(m mend) []reading {
	alt := slices.Clone(sec.splices)
	floor, ceiling := sec.room(alt, m.splice)
	s, t := &alt[m.splice], sec.live.Text
	beyond, first, last, by := s.End+1, s.Start+2, s.End, 1
	if m.keepLast {
		beyond, first, last, by = s.Start, s.Start+1, s.End-1, -1
	}
	if beyond <= floor || beyond > ceiling {
		return nil
	}
	for n := first; n <= min(last, first+formLines); n++ {
		if alike(string(t.Line(n)), string(t.Line(beyond))) >= related {
			s.Start += by
			s.End += by
			return []reading{{fmt.Sprintf("`%s`: lines %d-%d, since line %d looks like line %d", sec.head(*s), s.Start+1, s.End, beyond, n), alt}}
		}
	}
	return nil
}

// moved reads a range as one line too low, too high or short: its first row is
// the new form of the line above, or its last row that of the line below.
func (sec *section) moved(m mend) (out []reading) {
	i := m.splice
	floor, ceiling := sec.room(sec.splices, i)
	s, t := sec.splices[i], sec.live.Text
	first, last := s.Start+1, s.End
	// formOf tells a new form of line n from another row of a list: line n has
	// less in common with the line on its other side.
	formOf := func(row string, n, beyond int) bool {
		like := shared(row, string(t.Line(n)))
		if like < related || !strings.ContainsFunc(row, letter) {
			return false
		}
		for l := first; l <= last; l++ {
			if shared(row, string(t.Line(l))) >= like {
				return false
			}
		}
		return beyond < 1 || beyond > t.Len() || alike(string(t.Line(n)), string(t.Line(beyond))) < alike(row, string(t.Line(n)))
	}
	add := func(start, end int, note string, args ...any) {
		alt := slices.Clone(sec.splices)
		alt[i].Start, alt[i].End = start, end
		out = append(out, reading{fmt.Sprintf("`%s`: ", sec.head(s)) + fmt.Sprintf(note, args...), alt})
	}
	if row := sec.holds(s, floor); row >= 0 {
		add(s.Start-1, s.End-1, "one line higher, since row %d says what line %d does", row+1, s.Start)
	}
	if n := s.Start; n > floor && formOf(s.Rows[0], n, n-1) {
		add(s.Start-1, s.End-1, "one line higher, since row 1 looks like a new form of line %d", n)
	}
	if n := s.End + 1; n <= ceiling && formOf(s.Rows[len(s.Rows)-1], n, n+1) {
		add(s.Start, s.End+1, "up to line %d, since its last row looks like a new form of it", n)
		add(s.Start+1, s.End+1, "one line lower, since its last row looks like a new form of line %d", n)
	}
	return out
}

// holds is the row, of the first few, that has the words of the line above the
// range, where no line of the range has; -1 if there is none.
func (sec *section) holds(s ops.Splice, floor int) int {
	t := sec.live.Text
	if s.Start <= floor {
		return -1
	}
	above := wordsOf(string(t.Line(s.Start)))
	if len(strings.Join(above, "")) < heldBytes {
		return -1
	}
	for n := s.Start + 1; n <= s.End; n++ {
		if slices.Equal(wordsOf(string(t.Line(n))), above) {
			return -1
		}
	}
	return slices.IndexFunc(s.Rows[:min(len(s.Rows), heldRows)], func(r string) bool { return slices.Equal(wordsOf(r), above) })
}

// misfits reports whether the line that a mend keeps is indented otherwise than
// what it belongs to in the new text: an opener not less than the first line
// after it, a closer otherwise than the line that opens what it closes. h is
// the hunk of the mended op.
func misfits(m mend, h ops.Hunk, t *text.Text, after *blocks.Tree) bool {
	if m.keepFirst {
		kept := h.NewStart
		span, err := after.Span(kept)
		if err != nil {
			return false
		}
		for n := kept + 1; n <= span.End; n++ {
			if l := string(t.Line(n)); !blank(l) {
				return n < span.End && len(indentOf(l)) <= len(indentOf(string(t.Line(kept))))
			}
		}
		return false
	}
	kept := h.NewEnd + 1
	for n := kept - 1; n >= max(1, kept-splitRows); n-- {
		if span, err := after.Span(n); err == nil && span.End == kept {
			return indentOf(string(t.Line(n))) != indentOf(string(t.Line(kept)))
		}
	}
	return false
}

func indentOf(row string) string { return row[:len(row)-len(strings.TrimLeft(row, " \t"))] }
