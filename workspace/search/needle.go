package search

import "bytes"

// A needle is a string that is looked for before a pattern is tried.
type needle struct {
	text []byte
	// rare is the offset of its byte that text holds least often, lower and
	// upper that byte in both cases.
	rare         int
	lower, upper byte
}

func newNeedle(s string, folded bool) needle {
	n := needle{text: []byte(s)}
	for i := range len(s) {
		if rarity(s[i]) > rarity(s[n.rare]) {
			n.rare = i
		}
	}
	n.lower = s[n.rare]
	n.upper = n.lower
	if folded && isLower(n.lower) {
		n.upper -= 'a' - 'A'
	}
	return n
}

// rarity ranks bytes by how seldom source text holds them, 0 to 9.
func rarity(c byte) int {
	switch {
	case c == ' ', c == 'e', c == 't':
		return 0
	case bytes.IndexByte([]byte("aoinsrl\t"), c) >= 0:
		return 1
	case bytes.IndexByte([]byte("dcupmfgh.,()"), c) >= 0:
		return 2
	case bytes.IndexByte([]byte("bvywk0_\"=:/-"), c) >= 0:
		return 3
	case c == 'x', c == 'j', c == 'q', c == 'z', isDigit(c):
		return 5
	case isUpper(c):
		return 4
	case c >= 0x80, c < ' ':
		return 8
	}
	return 6
}

// hits remembers where needles were last found in one body, so that looking
// for several of them, or for one in two cases, reads the body once for each.
type hits struct {
	at [2 * maxNeedles]int // where the next one is, +1; 0 for not known, -1 for nowhere
}

// next is the offset of the first needle at or after from, or -1.
func (h *hits) next(m *matcher, b []byte, from int) int {
	if !m.folded && len(m.needles) == 1 {
		i := bytes.Index(b[from:], m.needles[0].text)
		if i < 0 {
			return -1
		}
		return from + i
	}
	best := -1
	for k := range m.needles {
		n := &m.needles[k]
		var i int
		if m.folded {
			i = h.folded(n, k, b, from, best)
		} else {
			i = h.cached(k, b, from, func(b []byte) int { return bytes.Index(b, n.text) })
		}
		if i >= 0 && (best < 0 || i < best) {
			best = i
		}
	}
	return best
}

// cached is what find gives at or after from, remembered under k. Offsets asked
// for under one k never go down.
func (h *hits) cached(k int, b []byte, from int, find func([]byte) int) int {
	switch at := h.at[k]; {
	case at < 0:
		return -1
	case at > from:
		return at - 1
	}
	i := find(b[from:])
	if i < 0 {
		h.at[k] = -1
		return -1
	}
	h.at[k] = from + i + 1
	return from + i
}

// folded finds a needle in any case: the rarest byte is looked for in both
// cases and the rest compared around it. A hit past limit, unless that is -1,
// need not be found.
func (h *hits) folded(n *needle, k int, b []byte, from, limit int) int {
	r := from + n.rare
	for r < len(b) && (limit < 0 || r-n.rare < limit) {
		lo := h.cached(2*k, b, r, func(b []byte) int { return bytes.IndexByte(b, n.lower) })
		i := lo
		if n.upper != n.lower {
			up := h.cached(2*k+1, b, r, func(b []byte) int { return bytes.IndexByte(b, n.upper) })
			if i < 0 || up >= 0 && up < i {
				i = up
			}
		}
		if i < 0 {
			return -1
		}
		start := i - n.rare
		if start+len(n.text) <= len(b) && equalFold(b[start:start+len(n.text)], n.text) {
			return start
		}
		r = i + 1
	}
	return -1
}

// equalFold compares with a needle in lower case; only ASCII letters fold.
func equalFold(b, lower []byte) bool {
	for i, c := range lower {
		d := b[i]
		if d != c && (d|0x20 != c || c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// holds reports whether b holds a needle.
func (m *matcher) holds(b []byte) bool {
	var h hits
	return h.next(m, b, 0) >= 0
}

// overlap is how many bytes at the end of a piece may be the start of a needle.
func (m *matcher) overlap() int {
	n := 0
	for i := range m.needles {
		n = max(n, len(m.needles[i].text)-1)
	}
	return n
}
