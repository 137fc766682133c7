package session

import (
	"fmt"
	"strings"
	"sync"

	"putcut/ops"
	"putcut/refusal"
)

const (
	indentLines = 3  // indented lines that it takes for another unit of indentation to be worth a word
	indentRange = 10 // lines on either side of a body that tell the unit where the file mixes both
)

// unitOf is how a row is indented: with tabs, with two spaces or more, or not at
// all, which is 0. A single space aligns comments.
func unitOf(row string) byte {
	switch {
	case blank(row):
	case strings.HasPrefix(row, "\t"):
		return '\t'
	case strings.HasPrefix(row, "  "):
		return ' '
	}
	return 0
}

var unitNames = map[byte]string{'\t': "tabs", ' ': "spaces"}

// warnIndent names a body all of whose indented rows begin with tabs where all
// lines that the file keeps, or all around it, begin with spaces, or the other
// way round. One op is enough for a warning.
func (sec *section) warnIndent(hunks []ops.Hunk) {
	for _, where := range []struct {
		name string
		all  func(i int, unit byte) bool
	}{
		{"every line that the file keeps", sec.fileIndents()},
		{"every line around", sec.indentsAround},
	} {
		for i, s := range sec.splices {
			op := sec.ops[s.Op]
			if op.Verb != ops.Put || op.Paste {
				continue
			}
			unit, row := bodyUnit(s.Rows)
			if unit == 0 || !where.all(i, '\t'+' '-unit) {
				continue
			}
			n := hunks[i].NewStart + 1 + row
			sec.warn(refusal.Indent, op.Row, fmt.Sprintf("`%s` indents with %s, and %s indents with %s: line %d is now `%s`",
				op.Head(), unitNames[unit], where.name, unitNames['\t'+' '-unit], n, sec.quote(n)))
			return
		}
	}
}

// bodyUnit is the unit that all indented rows share, and the first of them; 0 if
// there is none.
func bodyUnit(rows []string) (unit byte, first int) {
	for i, r := range rows {
		switch u := unitOf(r); {
		case u == 0 || u == unit:
		case unit == 0:
			unit, first = u, i
		default:
			return 0, 0
		}
	}
	return unit, first
}

// fileIndents tells whether all indented lines of the file are indented with a
// unit, and enough of them survive the call.
func (sec *section) fileIndents() func(int, byte) bool {
	has := sync.OnceValue(func() (units [2]bool) {
		for n := 1; n <= sec.live.Text.Len(); n++ {
			if u := unitOf(string(sec.live.Text.Line(n))); u != 0 {
				units[u&1] = true // a tab is odd, a space even
			}
		}
		return units
	})
	kept := sync.OnceValue(func() (kept int) {
		for n, at := 1, 0; n <= sec.live.Text.Len(); n++ {
			for at < len(sec.splices) && sec.splices[at].End < n {
				at++
			}
			if unitOf(string(sec.live.Text.Line(n))) != 0 && (at == len(sec.splices) || n <= sec.splices[at].Start) {
				kept++
			}
		}
		return kept
	})
	return func(_ int, unit byte) bool {
		u := has()
		return u[unit&1] && !u[1-unit&1] && kept() >= indentLines
	}
}

// indentsAround reports whether a unit alone indents the lines that splice i
// replaces and those next to it, some of which survive: on both sides, unless
// some are replaced.
func (sec *section) indentsAround(i int, unit byte) bool {
	s, t := sec.splices[i], sec.live.Text
	floor, ceiling := sec.room(sec.splices, i)
	count := func(from, to int) (n int, pure bool) {
		for l := from; l <= to; l++ {
			switch unitOf(string(t.Line(l))) {
			case 0:
			case unit:
				n++
			default:
				return 0, false
			}
		}
		return n, true
	}
	above, ok1 := count(max(floor, s.Start-indentRange)+1, s.Start)
	below, ok2 := count(s.End+1, min(ceiling, s.End+indentRange))
	gone, ok3 := count(s.Start+1, s.End)
	if !ok1 || !ok2 || !ok3 || above+below+gone < indentLines {
		return false
	}
	return above > 0 && below > 0 || gone > 0 && above+below > 0
}
