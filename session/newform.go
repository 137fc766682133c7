package session

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"putcut/ops"
	"putcut/refusal"
	"putcut/text"
)

// Thresholds of a row that is taken for a new form of a line that stays. All
// but the bounds are shares of what two rows have in common, as alike gives
// them, or sharedWords where that is said. On 9,700 correct scripts from the
// histories of 32 packages they name 4.
const (
	formAlike  = 0.6  // of the row and the line, where nothing else looks like them
	formMargin = 0.35 // how much less the row has in common with every line replaced
	formOthers = 0.1  // how much less either has in common with all around
	formRange  = 10   // lines around that are looked at
	formWords  = 0.8  // of their words; or, with the same first word:
	formFirst  = 0.6
	formFew    = 0.5 // where there are no more rows than lines replaced

	pairedAlike = 0.7 // of the last row and the line below, where the rows before it pair with the lines replaced
	pairedMean  = 0.5 // of those pairs, on average
	pairedWords = 0.4 // of the words of the last row and the line below
	pairedLess  = 0.02
	singleLess  = 0.12 // where only one pair says so, and both have the same first word

	shiftedAlike = 0.5 // of the row and the line, where the rows pair with the lines one further
	shiftedMean  = 0.4 // of those pairs, on average
	shiftedMore  = 0.4 // how much more they have in common than the pairs of the range as written
	shiftedLess  = 0.02

	formLines = 200 // most lines replaced, and most rows, that are looked at
	pairLines = 12  // most pairs that are
	rowTokens = 80  // most tokens of a row that are
)

// warnNewForm names a row at the edge of a body that looks like the new form of
// the line next to it, which stays: a range one line short or off by one.
func (sec *section) warnNewForm(op ops.Op, i, at int) {
	s := sec.splices[i]
	above, below := sec.newForm(sec.splices, i)
	switch n := at + len(s.Rows) - 1; {
	case above:
		sec.warn(refusal.Echo, op.Row, fmt.Sprintf("`%s` puts line %d, which looks like a new form of line %d above it and of none it replaced: `%s`, and above `%s`; if the range was meant to take that line, mend it under the new tag",
			op.Head(), at, at-1, sec.quote(at), sec.quote(at-1)))
	case below:
		sec.warn(refusal.Echo, op.Row, fmt.Sprintf("`%s` puts line %d, which looks like a new form of line %d below it and of none it replaced: `%s`, and below `%s`; if the range was meant to take that line, mend it under the new tag",
			op.Head(), n, n+1, sec.quote(n), sec.quote(n+1)))
	}
}

// newForm tells whether the first row of splice i looks like a new form of the
// line above it, or the last row like one of the line below.
func (sec *section) newForm(splices []ops.Splice, i int) (above, below bool) {
	s := splices[i]
	f := form{t: sec.live.Text, s: s}
	if len(s.Rows) == 0 || s.End-s.Start > formLines || len(s.Rows) > formLines || f.keeps() {
		return false, false
	}
	floor, ceiling := sec.room(splices, i)
	last := len(s.Rows) - 1
	above = s.Start > floor && (f.alone(0, s.Start) || f.shifted(0, s.Start))
	below = !above && s.End < ceiling && (f.alone(last, s.End+1) || f.paired() || f.shifted(last, s.End+1))
	return above, below
}

// A form compares the rows of a span's splice with the lines of the live text.
type form struct {
	t *text.Text
	s ops.Splice
}

func (f form) line(n int) string { return string(f.t.Line(n)) }

// candidate reports whether a row could be the new form of line n, and how much
// they have in common.
func (f form) candidate(row, n int) (float64, bool) {
	r, l := f.s.Rows[row], f.line(n)
	if r == l || indentOf(r) != indentOf(l) {
		return 0, false
	}
	if imports(r) {
		if words, _ := sharedWords(r, l); words < formWords {
			return 0, false
		}
	}
	return alike(r, l), true
}

// imports reports whether a row brings in names from elsewhere, in most
// languages: such rows all look like each other.
func imports(row string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(row), " ")
	switch first {
	case "import", "from", "use", "using", "#include", "include", "require":
		return true
	}
	return strings.Contains(row, "require(")
}

// keeps reports whether a row is one of the lines it replaced: then rows at the
// edge were added to them.
func (f form) keeps() bool {
	had := map[string]bool{}
	for n := f.s.Start + 1; n <= f.s.End; n++ {
		if l := strings.TrimSpace(f.line(n)); strings.ContainsFunc(l, letter) {
			had[l] = true
		}
	}
	for _, r := range f.s.Rows {
		if had[strings.TrimSpace(r)] {
			return true
		}
	}
	return false
}

// unlike reports whether a row has at least margin less than share in common
// with every line that was replaced.
func (f form) unlike(row string, share, margin float64) bool {
	for n := f.s.Start + 1; n <= f.s.End; n++ {
		if alike(row, f.line(n)) > share-margin {
			return false
		}
	}
	return true
}

// alone reports whether a row looks like line n, and neither like the lines
// replaced nor, as line n does not either, like what stands around.
func (f form) alone(row, n int) bool {
	share, ok := f.candidate(row, n)
	if !ok || share < formAlike || !f.unlike(f.s.Rows[row], share, formMargin) {
		return false
	}
	r, l := f.s.Rows[row], f.line(n)
	words, first := sharedWords(r, l)
	few := len(f.s.Rows) <= f.s.End-f.s.Start
	if words < formWords && !(first && (words >= formFirst || few && words >= formFew)) {
		return false
	}
	other := func(o string) bool { return alike(r, o) > share-formOthers || alike(l, o) > share-formOthers }
	for o := max(1, f.s.Start+1-formRange); o <= min(f.t.Len(), f.s.End+formRange); o++ {
		if o != n && (o <= f.s.Start || o > f.s.End) && other(f.line(o)) {
			return false
		}
	}
	for i, o := range f.s.Rows {
		if i != row && other(o) {
			return false
		}
	}
	return true
}

// closest reports whether of all lines replaced none is as much like the row as
// line n is but for a margin, and of all rows none as much like line n.
func (f form) closest(row, n int, share, margin float64) bool {
	if !f.unlike(f.s.Rows[row], share, margin) {
		return false
	}
	l := f.line(n)
	for i, r := range f.s.Rows {
		if i != row && alike(r, l) > share-margin {
			return false
		}
	}
	return true
}

// paired reports whether a body of one row more than the lines replaced pairs
// with them, row by row, and its last row with the line below.
func (f form) paired() bool {
	last := len(f.s.Rows) - 1
	if last != f.s.End-f.s.Start {
		return false
	}
	share, ok := f.candidate(last, f.s.End+1)
	if !ok || share < pairedAlike || f.mean(0) < pairedMean {
		return false
	}
	words, first := sharedWords(f.s.Rows[last], f.line(f.s.End+1))
	less := pairedLess
	if last == 1 {
		less = singleLess
	}
	return words >= pairedWords && (first || last > 1) && f.closest(last, f.s.End+1, share, less)
}

// shifted reports whether a body of as many rows as lines replaced, two or more,
// pairs better with the lines one higher or lower, line n among them.
func (f form) shifted(row, n int) bool {
	if len(f.s.Rows) < 2 || len(f.s.Rows) != f.s.End-f.s.Start {
		return false
	}
	share, ok := f.candidate(row, n)
	if !ok || share < shiftedAlike {
		return false
	}
	by := 1
	if n == f.s.Start {
		by = -1
	}
	mean := f.mean(by)
	return mean >= shiftedMean && mean-f.mean(0) >= shiftedMore && f.closest(row, n, share, shiftedLess)
}

// mean is what rows and lines have in common on average when the first row is
// paired with the first line replaced, or with one by lines further.
func (f form) mean(by int) float64 {
	k, sum := min(len(f.s.Rows), f.s.End-f.s.Start, pairLines), 0.0
	for i := range k {
		sum += alike(f.s.Rows[i], f.line(f.s.Start+1+i+by))
	}
	return sum / float64(k)
}

// alike is the share that two rows have in common: their common head and tail,
// or their longest common subsequence of tokens, whichever says more. It is 0
// where either holds no letter.
func alike(a, b string) float64 {
	if !strings.ContainsFunc(a, letter) || !strings.ContainsFunc(b, letter) {
		return 0
	}
	return max(shared(a, b), sharedTokens(a, b))
}

func letter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 }

// shared is the length of the common head and tail of two texts, blanks around
// them aside, as a share of the longer one.
func shared(a, b string) float64 {
	a, b = strings.Trim(a, " \t\r"), strings.Trim(b, " \t\r")
	n := min(len(a), len(b))
	if n < 6 {
		if a == b && a != "" {
			return 1
		}
		return 0
	}
	head, tail := 0, 0
	for head < n && a[head] == b[head] {
		head++
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return float64(head+tail) / float64(max(len(a), len(b)))
}

// sharedTokens is what the words and marks of two rows have in common; 0 where
// one row has less than a third of the other's.
func sharedTokens(a, b string) float64 {
	x, y := tokens(a), tokens(b)
	if len(x)+len(y) < 4 || 10*min(len(x), len(y)) < 3*max(len(x), len(y)) {
		return 0
	}
	return subsequence(x, y)
}

// sharedWords is what the words of two rows have in common, and whether their
// first word is.
func sharedWords(a, b string) (share float64, first bool) {
	x, y := wordsOf(a), wordsOf(b)
	if len(x) == 0 || len(y) == 0 {
		return 0, false
	}
	return subsequence(x, y), x[0] == y[0]
}

// wordsOf are the tokens of a row that are words.
func wordsOf(s string) []string {
	return slices.DeleteFunc(tokens(s), func(t string) bool { r, _ := utf8.DecodeRuneInString(t); return !word(r) })
}

// subsequence is twice the length of the longest common subsequence as a share
// of both lengths.
func subsequence(x, y []string) float64 {
	row := make([]int, len(y)+1)
	for _, c := range x {
		diagonal := 0
		for j, d := range y {
			above := row[j+1]
			if c == d {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return float64(2*row[len(y)]) / float64(len(x)+len(y))
}

// tokens are the words and single marks of a row, blanks left out.
func tokens(s string) []string {
	var out []string
	for i := 0; i < len(s) && len(out) < rowTokens; {
		r, n := utf8.DecodeRuneInString(s[i:])
		if word(r) {
			end := i + n
			for end < len(s) {
				r, n := utf8.DecodeRuneInString(s[end:])
				if !word(r) {
					break
				}
				end += n
			}
			n = end - i
		}
		if !unicode.IsSpace(r) {
			out = append(out, s[i:i+n])
		}
		i += n
	}
	return out
}

func word(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
