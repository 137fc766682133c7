package main

import (
	"slices"
	"strings"

	"putcut/dialects"
	"putcut/ops"
	"putcut/text"
)

// A group is neighbouring hunks with the lines around them that a format needs
// so that they are in one place only. Lo and Hi are gaps of the old text.
type group struct {
	lo, hi int
	hunks  []ops.Hunk
}

// groups puts at least least lines around every hunk, joins groups that meet,
// and widens each by a line on both sides until its old lines occur once.
func groups(f *dialects.File, least int) []group {
	var out []group
	for _, h := range f.Map.Hunks() {
		out = append(out, group{max(0, h.OldStart-least), min(f.Old.Len(), h.OldEnd+least), []ops.Hunk{h}})
	}
	body := string(f.Old.Body())
	for i := 0; i < len(out); {
		if i+1 < len(out) && out[i].hi >= out[i+1].lo {
			out[i].hi = max(out[i].hi, out[i+1].hi)
			out[i].hunks = append(out[i].hunks, out[i+1].hunks...)
			out = slices.Delete(out, i+1, i+2)
			continue
		}
		g := &out[i]
		if i > 0 && g.lo <= out[i-1].hi {
			i--
			continue
		}
		whole := g.lo == 0 && g.hi == f.Old.Len()
		if old := lines(f.Old, g.lo, g.hi); !whole && (old == "" || !once(body, old)) {
			g.lo, g.hi = max(0, g.lo-1), min(f.Old.Len(), g.hi+1)
			continue
		}
		i++
	}
	return out
}

// once reports whether a text occurs exactly once, overlaps counted, and not
// in the middle of another line.
func once(body, s string) bool {
	i := strings.Index(body, s)
	return i >= 0 && !strings.Contains(body[i+1:], s)
}

// lines is a text's lines between two gaps.
func lines(t *text.Text, from, to int) string {
	return string(t.Body()[t.Offset(from):t.Offset(to)])
}

// sides are a group's lines before and after.
func (g group) sides(f *dialects.File) (old, now string) {
	first, last := g.hunks[0], g.hunks[len(g.hunks)-1]
	return lines(f.Old, g.lo, g.hi), lines(f.New, first.NewStart-(first.OldStart-g.lo), last.NewEnd+(g.hi-last.OldEnd))
}

// rows is a group with a mark before each line, as in a diff.
func (g group) rows(f *dialects.File) string {
	var b strings.Builder
	put := func(mark string, t *text.Text, from, to int) {
		for n := from + 1; n <= to; n++ {
			b.WriteString(mark)
			b.Write(t.Line(n))
			b.WriteByte('\n')
		}
	}
	at := g.lo
	for _, h := range g.hunks {
		put(" ", f.Old, at, h.OldStart)
		put("-", f.Old, h.OldStart, h.OldEnd)
		put("+", f.New, h.NewStart, h.NewEnd)
		at = h.OldEnd
	}
	put(" ", f.Old, at, g.hi)
	return b.String()
}
