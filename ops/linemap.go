package ops

import "sort"

// A Hunk is one place where two texts differ: the lines between gaps OldStart
// and OldEnd of the old text became those between NewStart and NewEnd of the new.
type Hunk struct {
	OldStart, OldEnd int
	NewStart, NewEnd int
}

// A LineMap says where each line of one text is in the next one. It is exact:
// a line that an edit replaced or cut is nowhere, whatever was put in its place.
// The zero value maps an empty text to an empty text.
type LineMap struct {
	oldLen, newLen int
	hunks          []Hunk
}

// Identity maps a text of n lines to itself.
func Identity(n int) LineMap { return LineMap{oldLen: n, newLen: n} }

// MapOf makes a line map of sorted hunks that do not overlap.
func MapOf(oldLen, newLen int, hunks []Hunk) LineMap {
	return LineMap{oldLen: oldLen, newLen: newLen, hunks: hunks}
}

// Hunks are the places that differ, in order. The caller must not change them.
func (m LineMap) Hunks() []Hunk { return m.hunks }

// OldLen and NewLen are the numbers of lines of the two texts.
func (m LineMap) OldLen() int { return m.oldLen }

// NewLen is the number of lines of the new text.
func (m LineMap) NewLen() int { return m.newLen }

// New is the number that line n of the old text has in the new one, or 0 when
// it is gone. Cost: logarithmic in the hunks.
func (m LineMap) New(n int) int {
	if n < 1 || n > m.oldLen {
		return 0
	}
	i := sort.Search(len(m.hunks), func(i int) bool { return m.hunks[i].OldEnd >= n })
	// Insertions at gap n-1 and before end before line n; skip hunks that do not hold it.
	if i < len(m.hunks) && m.hunks[i].OldStart < n {
		return 0
	}
	if i == 0 {
		return n
	}
	h := m.hunks[i-1]
	return n + h.NewEnd - h.OldEnd
}

// Invert is the map in the other direction.
func (m LineMap) Invert() LineMap {
	out := LineMap{oldLen: m.newLen, newLen: m.oldLen, hunks: make([]Hunk, len(m.hunks))}
	for i, h := range m.hunks {
		out.hunks[i] = Hunk{h.NewStart, h.NewEnd, h.OldStart, h.OldEnd}
	}
	return out
}

// A Shift says that the lines of the old text from From to To, 0 meaning the
// end of the text, have moved by Delta.
type Shift struct {
	From  int `json:"from"`
	To    int `json:"to,omitempty"`
	Delta int `json:"delta"`
}

// Shifts lists the runs of surviving lines whose number changed, in order.
func (m LineMap) Shifts() []Shift {
	var out []Shift
	for i, h := range m.hunks {
		d := h.NewEnd - h.OldEnd
		from, to := h.OldEnd+1, m.oldLen
		if i+1 < len(m.hunks) {
			to = m.hunks[i+1].OldStart
		}
		if d == 0 || from > to {
			continue
		}
		if to == m.oldLen {
			to = 0
		}
		out = append(out, Shift{from, to, d})
	}
	return out
}

// Counts are the lines added and removed.
func (m LineMap) Counts() (added, removed int) {
	for _, h := range m.hunks {
		added += h.NewEnd - h.NewStart
		removed += h.OldEnd - h.OldStart
	}
	return added, removed
}
