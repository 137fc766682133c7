package session

import (
	"fmt"
	"strings"

	"putcut/ops"
	"putcut/refusal"
)

// warnEcho names rows that repeat the surviving line above or below the place
// they were put in, past blank rows: likely context that was meant to be left
// out. A span whose old lines repeated that neighbour already is left alone,
// and so are neighbours that another op takes or puts something before.
func (p *Plan) warnEcho(sec *section) {
	hunks := sec.cut.Map.Hunks()
	for i, s := range sec.splices {
		op := sec.ops[s.Op]
		if op.Verb != ops.Put || op.Paste || len(s.Rows) == 0 || len(hunks) != len(sec.splices) {
			continue
		}
		floor, ceiling := 0, sec.live.Text.Len()
		if i > 0 {
			floor = sec.splices[i-1].End
		}
		if i+1 < len(sec.splices) {
			ceiling = sec.splices[i+1].Start
		}
		if r, n := sec.echoAbove(s, floor); n > 0 {
			sec.warnRepeat(op, hunks[i].NewStart+r+1, sec.cut.Map.New(n), "above")
		}
		if r, n := sec.echoBelow(s, ceiling); n > 0 {
			sec.warnRepeat(op, hunks[i].NewStart+r+1, sec.cut.Map.New(n), "below")
		}
	}
}

func (sec *section) warnRepeat(op ops.Op, at, neighbour int, side string) {
	sec.warn(refusal.Echo, op.Row, fmt.Sprintf("`%s` puts line %d, which repeats line %d %s it: `%s`; if it was meant as context, cut one of the two",
		op.Head(), at, neighbour, side, clip(string(sec.cut.Text.Line(at)), 80)))
}

func blank(s string) bool { return strings.Trim(s, " \t\r") == "" }

// echoAbove returns the row, from 0, that repeats the surviving line above, and
// that line; 0 when there is none.
func (sec *section) echoAbove(s ops.Splice, floor int) (row, line int) {
	t := sec.live.Text
	n := s.Start
	for n > floor && blank(string(t.Line(n))) {
		n--
	}
	for row < len(s.Rows) && blank(s.Rows[row]) {
		row++
	}
	if n <= floor || row == len(s.Rows) || string(t.Line(n)) != s.Rows[row] {
		return 0, 0
	}
	for old := s.Start + 1; old <= s.End; old++ {
		if l := string(t.Line(old)); !blank(l) {
			if l == s.Rows[row] {
				return 0, 0
			}
			break
		}
	}
	return row, n
}

// echoBelow is echoAbove for the other side.
func (sec *section) echoBelow(s ops.Splice, ceiling int) (row, line int) {
	t := sec.live.Text
	n := s.End + 1
	for n <= ceiling && blank(string(t.Line(n))) {
		n++
	}
	row = len(s.Rows) - 1
	for row >= 0 && blank(s.Rows[row]) {
		row--
	}
	if n > ceiling || row < 0 || string(t.Line(n)) != s.Rows[row] {
		return 0, 0
	}
	for old := s.End; old > s.Start; old-- {
		if l := string(t.Line(old)); !blank(l) {
			if l == s.Rows[row] {
				return 0, 0
			}
			break
		}
	}
	return row, n
}

// clip shortens a text for a message.
func clip(s string, columns int) string {
	if n := runePrefix([]byte(s), columns); n < len(s) {
		return s[:n] + "…"
	}
	return s
}
