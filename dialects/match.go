package dialects

import (
	"bytes"
	"strings"

	"putcut/text"
)

// most is how many places an explanation lists.
const most = 8

// occurrences finds where a text occurs, occurrences that overlap included:
// the offsets of the first max of them, and how many there are in all, counted
// up to countMax or max+1, whichever is more. Cost: linear unless the text
// repeats itself, and then that bound times the text.
func occurrences(body []byte, s string, max int) (at []int, total int) {
	if s == "" {
		return nil, 0
	}
	pat := []byte(s)
	enough := countMax
	if max >= enough {
		enough = max + 1
	}
	for off := 0; total < enough; {
		i := bytes.Index(body[off:], pat)
		if i < 0 {
			break
		}
		if total++; len(at) < max {
			at = append(at, off+i)
		}
		off += i + 1
	}
	return at, total
}

// countMax bounds the counting of occurrences.
const countMax = 1000

// A locator finds runs of whole lines.
type locator struct {
	t  *text.Text
	at map[string][]int // line text to numbers
}

func (w *work) locator() *locator {
	if w.loc == nil {
		l := &locator{t: w.old, at: make(map[string][]int, w.old.Len())}
		for n := 1; n <= w.old.Len(); n++ {
			s := string(w.old.Line(n))
			l.at[s] = append(l.at[s], n)
		}
		w.loc = l
	}
	return w.loc
}

// rareMax is how often a row may occur for each of its places to be tried.
const rareMax = 64

// find returns the gaps before each run of lines that equal rows, terminators
// aside. Cost: linear in the rows when one of them is rare, else in the file.
func (l *locator) find(rows []string) []int {
	if len(rows) == 0 {
		return nil
	}
	rare := 0
	for i, r := range rows {
		if len(l.at[r]) < len(l.at[rows[rare]]) {
			rare = i
		}
	}
	var out []int
	if len(l.at[rows[rare]]) > rareMax {
		return l.scan(rows)
	}
	for _, n := range l.at[rows[rare]] {
		start := n - 1 - rare
		if start >= 0 && l.equal(start, rows) {
			out = append(out, start)
		}
	}
	return out
}

// scan is find in one pass over the file.
func (l *locator) scan(rows []string) (out []int) {
	fail := failures(rows)
	state := 0
	for n := 1; n <= l.t.Len(); n++ {
		line := l.t.Line(n)
		for state > 0 && (state == len(rows) || rows[state] != string(line)) {
			state = fail[state-1]
		}
		if rows[state] == string(line) {
			state++
		}
		if state == len(rows) {
			out = append(out, n-len(rows))
		}
	}
	return out
}

// failures is the failure function of rows: for each prefix, the length of the
// longest proper prefix of it that also ends it.
func failures(rows []string) []int {
	fail := make([]int, len(rows))
	for i, k := 1, 0; i < len(rows); i++ {
		for k > 0 && rows[i] != rows[k] {
			k = fail[k-1]
		}
		if rows[i] == rows[k] {
			k++
		}
		fail[i] = k
	}
	return fail
}

// equal reports whether the lines after gap start are rows.
func (l *locator) equal(start int, rows []string) bool {
	if start+len(rows) > l.t.Len() {
		return false
	}
	for i, r := range rows {
		if string(l.t.Line(start+1+i)) != r {
			return false
		}
	}
	return true
}

// splitText splits text into rows; ended says that it ends in a terminator.
// A CR before an LF is no part of a row.
func splitText(s string) (rows []string, ended bool) {
	ended = strings.HasSuffix(s, "\n")
	if ended {
		s = s[:len(s)-1]
	}
	rows = strings.Split(s, "\n")
	for i, r := range rows {
		if i < len(rows)-1 || ended {
			rows[i] = strings.TrimSuffix(r, "\r")
		}
	}
	return rows, ended
}

// An eolIndex is a body with every CRLF an LF, and the way back.
type eolIndex struct {
	body []byte
	crs  []int // offsets in body of the LFs that were CRLF
}

func indexEOL(body []byte) eolIndex {
	x := eolIndex{body: make([]byte, 0, len(body))}
	for i, c := range body {
		if c == '\r' && i+1 < len(body) && body[i+1] == '\n' {
			x.crs = append(x.crs, len(x.body))
			continue
		}
		x.body = append(x.body, c)
	}
	return x
}

// raw is the offset in the original of an offset in x.body; the CR of a CRLF
// belongs to the LF.
func (x eolIndex) raw(off int) int { return off + countBelow(x.crs, off) }

// crlf is how many LFs among offsets lo to hi were CRLF.
func (x eolIndex) crlf(lo, hi int) int { return countBelow(x.crs, hi) - countBelow(x.crs, lo) }

// countBelow is how many of the sorted numbers are below n.
func countBelow(sorted []int, n int) int {
	lo, hi := 0, len(sorted)
	for lo < hi {
		mid := (lo + hi) / 2
		if sorted[mid] < n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
