package session

import (
	"strings"
	"unicode/utf8"

	"putcut/refusal"
	"putcut/text"
)

// row is line n of t as it is printed: at most columns characters, bytes that
// are not UTF-8 as U+FFFD. Cut says that either made it another text.
func row(t *text.Text, n, columns int) refusal.ExcerptRow {
	line := t.Line(n)
	r := refusal.ExcerptRow{N: n}
	if len(line) > columns {
		if end := runePrefix(line, columns); end < len(line) {
			line, r.Cut = line[:end], true
		}
	}
	r.Text = string(line)
	if !t.Valid() && !utf8.ValidString(r.Text) {
		r.Text, r.Cut = strings.ToValidUTF8(r.Text, "\uFFFD"), true
	}
	return r
}

// runePrefix is the number of bytes that the first n characters of b take.
func runePrefix(b []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(b); n-- {
		if b[at] < utf8.RuneSelf {
			at++
			continue
		}
		_, size := utf8.DecodeRune(b[at:])
		at += size
	}
	return at
}

// displayed are the numbers of the rows that were printed in full.
func displayed(rows []refusal.ExcerptRow) []int {
	out := make([]int, 0, len(rows))
	for _, r := range rows {
		if !r.Cut {
			out = append(out, r.N)
		}
	}
	return out
}

// runs groups numbers in order into first and last of each run.
func runs(rows []refusal.ExcerptRow) [][2]int {
	out := [][2]int{}
	for _, r := range rows {
		if n := len(out); n > 0 && out[n-1][1] == r.N-1 {
			out[n-1][1] = r.N
			continue
		}
		out = append(out, [2]int{r.N, r.N})
	}
	return out
}
