package session

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"putcut/ops"
	"putcut/refusal"
	"putcut/text"
)

// warnLikely names what is likely a mistake although everything parses: rows
// that repeat a surviving neighbour or nearly do, and a body indented in another
// unit than the file. Correct edits must hardly ever be named: the thresholds
// here are kept by replaying histories with `go run ./internal/history`.
func (p *Plan) warnLikely(sec *section) {
	hunks := sec.cut.Map.Hunks()
	if len(hunks) != len(sec.splices) {
		return // rows ran together; there is no telling which is whose
	}
	longest := sync.OnceValue(sec.longestBlanks)
	for i, s := range sec.splices {
		op := sec.ops[s.Op]
		if op.Verb != ops.Put || op.Paste || len(s.Rows) == 0 {
			continue
		}
		floor, ceiling := sec.room(sec.splices, i)
		at := hunks[i].NewStart + 1 // new number of the first row
		row, above, line := sec.restatesAbove(s, floor)
		if above > 0 {
			sec.warnRepeat(op, at+row, above, sec.cut.Map.New(line), "above")
		}
		row, below, line := sec.restatesBelow(s, ceiling)
		if below > 0 {
			sec.warnRepeat(op, at+row, below, sec.cut.Map.New(line), "below")
		}
		if above > 0 || below > 0 {
			continue
		}
		if s.End > s.Start {
			sec.warnNewForm(op, i, at)
		}
		sec.warnBlank(op, s, at, floor, ceiling, longest)
	}
	sec.warnIndent(hunks)
}

// room is between which gaps of the live text nothing but splice i changes lines.
func (sec *section) room(splices []ops.Splice, i int) (floor, ceiling int) {
	floor, ceiling = 0, sec.live.Text.Len()
	if i > 0 {
		floor = splices[i-1].End
	}
	if i+1 < len(splices) {
		ceiling = splices[i+1].Start
	}
	return floor, ceiling
}

func blank(s string) bool { return strings.Trim(s, " \t\r") == "" }

// restatesAbove finds the leading rows of a splice that repeat the lines above
// it, or its first row with text that repeats the nearest line with text: k rows
// from row on, and the line that the first of them repeats. k is 0 if there are
// none, and where the lines that were replaced began the same way.
func (sec *section) restatesAbove(s ops.Splice, floor int) (row, k, line int) {
	t := sec.live.Text
	for k := min(repairRows, len(s.Rows), s.Start-floor); k > 0; k-- {
		if same(t, s.Start-k+1, s.Rows[:k]) {
			if s.End-s.Start >= k && same(t, s.Start+1, s.Rows[:k]) {
				return 0, 0, 0
			}
			return 0, k, s.Start - k + 1
		}
	}
	n := s.Start
	for n > floor && blank(string(t.Line(n))) {
		n--
	}
	for row < len(s.Rows) && blank(s.Rows[row]) {
		row++
	}
	if n <= floor || row == len(s.Rows) || string(t.Line(n)) != s.Rows[row] {
		return 0, 0, 0
	}
	for old := s.Start + 1; old <= s.End; old++ {
		if l := string(t.Line(old)); !blank(l) {
			if l == s.Rows[row] {
				return 0, 0, 0
			}
			break
		}
	}
	return row, 1, n
}

// restatesBelow is restatesAbove for the other side.
func (sec *section) restatesBelow(s ops.Splice, ceiling int) (row, k, line int) {
	t, rows := sec.live.Text, len(s.Rows)
	for k := min(repairRows, rows, ceiling-s.End); k > 0; k-- {
		if same(t, s.End+1, s.Rows[rows-k:]) {
			if s.End-s.Start >= k && same(t, s.End-k+1, s.Rows[rows-k:]) {
				return 0, 0, 0
			}
			return rows - k, k, s.End + 1
		}
	}
	n, row := s.End+1, rows-1
	for n <= ceiling && blank(string(t.Line(n))) {
		n++
	}
	for row >= 0 && blank(s.Rows[row]) {
		row--
	}
	if n > ceiling || row < 0 || string(t.Line(n)) != s.Rows[row] {
		return 0, 0, 0
	}
	for old := s.End; old > s.Start; old-- {
		if l := string(t.Line(old)); !blank(l) {
			if l == s.Rows[row] {
				return 0, 0, 0
			}
			break
		}
	}
	return row, 1, n
}

// same reports whether rows are the lines from n on, with text in at least one.
func same(t *text.Text, n int, rows []string) bool {
	some := false
	for j, r := range rows {
		if string(t.Line(n+j)) != r {
			return false
		}
		some = some || !blank(r)
	}
	return some
}

// warnRepeat names k rows from new line at that repeat those from new line
// neighbour, and the op that takes them out.
func (sec *section) warnRepeat(op ops.Op, at, k, neighbour int, side string) {
	if k == 1 {
		sec.warn(refusal.Echo, op.Row, fmt.Sprintf("`%s` puts line %d, which repeats line %d %s it: `%s`; if it was meant as context, `CUT %d.=%d`",
			op.Head(), at, neighbour, side, sec.quote(at), at, at))
		return
	}
	sec.warn(refusal.Echo, op.Row, fmt.Sprintf("`%s` puts lines %d-%d, which repeat lines %d-%d %s them, from `%s` to `%s`; if they were meant as context, `CUT %d.=%d`",
		op.Head(), at, at+k-1, neighbour, neighbour+k-1, side, sec.quote(at), sec.quote(at+k-1), at, at+k-1))
}

// quote is a line of the new text as a message quotes it.
func (sec *section) quote(n int) string {
	return clip(strings.ToValidUTF8(string(sec.cut.Text.Line(n)), "\uFFFD"), 80)
}

// manyBlanks is the most blank lines in a row that a file may have for one more
// to be worth a word.
const manyBlanks = 20

// warnBlank names a blank row at the edge of a body that stands beside a blank
// line now, in a run of blank lines longer than any that the file had. Rows that
// replace lines are named only where the file had no two in a row.
func (sec *section) warnBlank(op ops.Op, s ops.Splice, at, floor, ceiling int, longest func() int) {
	t, last := sec.live.Text, len(s.Rows)-1
	n := 0
	spans := s.End > s.Start
	switch {
	case last == 0:
		return
	case s.Start > floor && blank(s.Rows[0]) && blank(string(t.Line(s.Start))) && !(spans && blank(string(t.Line(s.Start+1)))):
		n = at
	case s.End < ceiling && blank(s.Rows[last]) && blank(string(t.Line(s.End+1))) && !(spans && blank(string(t.Line(s.End)))):
		n = at + last
	default:
		return
	}
	had := longest()
	if had > manyBlanks || spans && had > 1 || sec.blanksAround(n) <= had {
		return
	}
	many := "two"
	if had > 1 {
		many = strconv.Itoa(had + 1)
	}
	sec.warn(refusal.Echo, op.Row, fmt.Sprintf("`%s` puts line %d, a blank line beside one, and the file had no %s in a row; if it was meant as context, `CUT %d.=%d`", op.Head(), n, many, n, n))
}

// blanksAround is how many blank lines in a row new line n is one of.
func (sec *section) blanksAround(n int) int {
	t := sec.cut.Text
	first, last := n, n
	for first > 1 && blank(string(t.Line(first-1))) {
		first--
	}
	for last < t.Len() && blank(string(t.Line(last+1))) {
		last++
	}
	return last - first + 1
}

// longestBlanks is the most blank lines in a row in the live text.
func (sec *section) longestBlanks() (most int) {
	t := sec.live.Text
	for n, run := 1, 0; n <= t.Len(); n++ {
		if !blank(string(t.Line(n))) {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	return most
}

// warnEscapes names a row that holds a literal \n or \t outside quotes, where
// the file never holds either.
func (p *Plan) warnEscapes(sec *section) {
	checked := false
	for _, op := range sec.ops {
		for i, r := range op.Rows {
			if !bareEscape(r) {
				continue
			}
			if !checked {
				body := string(sec.live.Text.Body())
				if sec.create || strings.Contains(body, `\n`) || strings.Contains(body, `\t`) {
					return
				}
				checked = true
			}
			sec.warn(refusal.Escapes, op.Row, fmt.Sprintf("row %d of the body of `%s` holds a backslash and a letter where a line break or a tab may be meant; it was written as it stands", i+1, op.Head()))
			return
		}
	}
}

// bareEscape reports whether a row holds \n or \t with no quote and no slash
// before it: in a string, a pattern or a comment it is what people write.
func bareEscape(row string) bool {
	for i := 0; i+1 < len(row); i++ {
		switch row[i] {
		case '"', '\'', '`', '/':
			return false
		case '\\':
			if row[i+1] == 'n' || row[i+1] == 't' {
				return true
			}
			i++
		}
	}
	return false
}

// clip shortens a text for a message.
func clip(s string, columns int) string {
	if n := runePrefix([]byte(s), columns); n < len(s) {
		return s[:n] + "…"
	}
	return s
}
