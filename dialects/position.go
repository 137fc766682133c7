package dialects

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

func itoa(n int) string { return strconv.Itoa(n) }

// place fills in where the edits of a file landed, in lines and in all three
// units. Cost: one pass over the body up to the last of them.
func (w *work) place(f *File) {
	offs := make([]int, 0, 2*len(w.spans))
	for _, s := range w.spans {
		offs = append(offs, s.lo, s.hi)
	}
	slices.Sort(offs)
	at := positions(w.old.Body(), slices.Compact(offs))
	for i, s := range w.spans {
		e := &f.Report.Edits[i]
		e.Start, e.End = at[s.lo], at[s.hi]
		if w.old.Len() > 0 {
			e.Lines = w.touched(s)
		}
	}
}

// positions counts sorted byte offsets of a body in code points and UTF-16
// units. An offset inside a character counts the character's start.
func positions(body []byte, offs []int) map[int]Position {
	out := make(map[int]Position, len(offs))
	var p Position
	for _, off := range offs {
		for p.Byte < off {
			if body[p.Byte] < utf8.RuneSelf {
				p.Byte++
				p.Rune++
				p.UTF16++
				continue
			}
			r, n := utf8.DecodeRune(body[p.Byte:])
			if p.Byte+n > off {
				break
			}
			p.Byte += n
			p.Rune++
			p.UTF16++
			if r > 0xffff {
				p.UTF16++
			}
		}
		out[off] = Position{off, p.Rune, p.UTF16}
	}
	return out
}
