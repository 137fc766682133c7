package ops

import (
	"fmt"
	"strings"

	"putcut/text"
)

// A Splice is the one kind of change: the lines between gaps Start and End of
// one immutable text (lines Start+1 to End; none when they are equal) give way
// to Rows. Everything lowers to a list of splices that is sorted and does not
// overlap: Start <= End, and each Start is at or after the End before it.
type Splice struct {
	Start, End int
	Rows       []string
	// EOLs is nil, or holds the terminator each row brings along, None being the
	// one that goes with the place; whether the last line of the text has one
	// is for Final to say. Only other edit formats use it; rows of scripts take
	// the file's own terminators.
	EOLs []text.EOL
	// Op is the op the splice came from, for whoever lowered it.
	Op int
}

// Final says what becomes of the final newline.
type Final uint8

// What becomes of the final newline. Only other edit formats do not keep it.
const (
	KeepFinal Final = iota
	AddFinal
	DropFinal
)

// A Result is what Apply made.
type Result struct {
	Text *text.Text
	Map  LineMap
	// Reread says that lines which were only kept read otherwise now, so that
	// nothing is carried across and the map is one hunk over everything.
	Reread bool
	// Kept says that a final terminator was written where the rule for the
	// final newline wanted none, because the last line is empty.
	Kept bool
}

// Apply makes the text with the splices applied, in one pass. The old text is
// shared with nobody and not changed. The size of the output is computed before
// it is allocated. Apply panics when splices overlap, are out of order or out
// of bounds, or when their terminators do not fit their rows: whoever lowered
// them has broken its own rule.
// Cost: one copy of the text and of its index; independent of the number of
// splices but for their rows.
func Apply(t *text.Text, splices []Splice, final Final) Result {
	if t.CROnly() {
		splices = splitCR(splices)
	}
	size, lines := t.Size(), t.Len()
	at := 0
	for _, s := range splices {
		if s.Start < at || s.End < s.Start || s.End > t.Len() || s.EOLs != nil && len(s.EOLs) != len(s.Rows) {
			panic(fmt.Sprintf("ops: splice %d-%d after gap %d of %d, %d rows, %d terminators", s.Start, s.End, at, t.Len(), len(s.Rows), len(s.EOLs)))
		}
		at = s.End
		size -= t.Offset(s.End) - t.Offset(s.Start)
		lines += len(s.Rows) - (s.End - s.Start)
		for i := range s.Rows {
			size += len(s.Rows[i])
		}
		size += 2*len(s.Rows) + 2
	}
	b := t.Builder(size, lines)
	m := LineMap{oldLen: t.Len(), hunks: make([]Hunk, 0, len(splices))}
	at = 0
	joined := false
	for _, s := range splices {
		b.Keep(at, s.Start)
		at = s.End
		h := Hunk{OldStart: s.Start, OldEnd: s.End, NewStart: b.Lines()}
		eol := eolAt(t, s.Start, s.End)
		for i, row := range s.Rows {
			e := eol
			if s.EOLs != nil && s.EOLs[i] != text.None {
				e = s.EOLs[i]
			}
			if !b.Terminated() { // what was the last line is none any more
				joined = b.Terminate(eol) || joined
			}
			b.Row(row, e)
		}
		b.Drop(s.Start, s.End)
		h.NewEnd = b.Lines()
		m.hunks = append(m.hunks, h)
	}
	b.Keep(at, t.Len())

	kept := false
	if b.Lines() > 0 {
		terminate := t.FinalNewline()
		switch final {
		case AddFinal:
			terminate = true
		case DropFinal:
			terminate = false
		}
		switch {
		case terminate && !b.Terminated():
			joined = b.Terminate(eolAt(t, t.Len(), t.Len())) || joined
		case !terminate && b.Terminated():
			kept = !b.Unterminate()
		}
	}
	out, reindexed := b.Text()
	m.newLen = out.Len()
	if reindexed || joined { // lines that were only kept read otherwise now
		m.hunks = []Hunk{{0, t.Len(), 0, out.Len()}}
	}
	return Result{Text: out, Map: m, Reread: reindexed || joined, Kept: kept}
}

// eolAt is the terminator that new lines between gaps start and end take: that
// of the line above as it was before the call, else of the line below, else
// the file's most frequent one.
func eolAt(t *text.Text, start, end int) text.EOL {
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

// splitCR splits rows at CRs, for texts in which CR is the terminator, so that
// a row is a line there too.
func splitCR(splices []Splice) []Splice {
	out := make([]Splice, len(splices))
	for i, s := range splices {
		out[i] = s
		for _, row := range s.Rows {
			if strings.IndexByte(row, '\r') >= 0 && s.EOLs == nil {
				rows := make([]string, 0, len(s.Rows)+1)
				for _, r := range s.Rows {
					rows = append(rows, strings.Split(r, "\r")...)
				}
				out[i].Rows = rows
				break
			}
		}
	}
	return out
}
