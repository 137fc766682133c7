package session

import (
	"fmt"
	"slices"

	"putcut/blocks"
	"putcut/ops"
	"putcut/refusal"
)

// splitRows bounds the rows that are asked whether they open a construct again.
const splitRows = 400

// layout are the languages in which lines belong to a construct by their
// indentation alone. Elsewhere a construct without its first line does not
// parse, and where it does, the diff of an ordinary edit is cut like that too.
var layout = map[string]bool{"python": true, "yaml": true}

// warnSplit names spans that took the first line of a declaration and left the
// rest of it, without rows that open a construct there again: what is left
// belongs to something else now. It is silent where the declaration's last line
// went too, since then it was unwrapped on purpose.
func (sec *section) warnSplit(before, after *blocks.Tree) {
	hunks := sec.cut.Map.Hunks()
	if !layout[before.Language()] || len(hunks) != len(sec.splices) || !before.Parsed() || !after.Parsed() {
		return
	}
	outline := before.Outline()
	for i, s := range sec.splices {
		if s.Start == s.End {
			continue
		}
		_, ceiling := sec.room(sec.splices, i)
		n := s.End + 1
		for n <= ceiling && blank(string(sec.live.Text.Line(n))) {
			n++
		}
		if n > ceiling {
			continue
		}
		d, ok := opened(outline, s, n)
		if !ok || sec.takes(d.End) {
			continue
		}
		now := sec.cut.Map.New(n)
		if opensAgain(after, hunks[i], now) {
			continue
		}
		op := sec.ops[s.Op]
		sec.warn(refusal.Split, op.Row, fmt.Sprintf("`%s` took the first line of `%s`, which ended on line %d, and left the rest of it: line %d, `%s`, is in %s now",
			op.Head(), d.Path, d.End, now, sec.quote(now), nesting(after.Enclosing(now))))
	}
}

// opened is the innermost declaration that covers line n, if a splice took the
// line it opens on.
func opened(outline []blocks.Decl, s ops.Splice, n int) (blocks.Decl, bool) {
	end, _ := slices.BinarySearchFunc(outline, n+1, func(d blocks.Decl, n int) int { return d.Start - n })
	for i := end - 1; i >= 0; i-- {
		if d := outline[i]; d.End >= n {
			return d, d.Start > s.Start && d.Start <= s.End
		}
		if outline[i].Depth == 0 {
			break
		}
	}
	return blocks.Decl{}, false
}

// takes reports whether a splice replaces or cuts a line of the live text.
func (sec *section) takes(n int) bool {
	i, _ := slices.BinarySearchFunc(sec.splices, n, func(s ops.Splice, n int) int { return s.End - n })
	return i < len(sec.splices) && sec.splices[i].Start < n
}

// opensAgain reports whether a row of a hunk opens a construct that covers new
// line n.
func opensAgain(after *blocks.Tree, h ops.Hunk, n int) bool {
	for _, d := range after.Outline() {
		if d.Start > h.NewStart && d.Start <= h.NewEnd && d.End >= n {
			return true
		}
	}
	for r := h.NewEnd; r > max(h.NewStart, h.NewEnd-splitRows); r-- {
		if span, err := after.Span(r); err == nil && span.End >= n {
			return true
		}
	}
	return false
}
