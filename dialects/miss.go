package dialects

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"putcut/refusal"
	"putcut/text"
)

// miss explains why a text does not occur: where its first line does, whether
// the file changed since it was shown, how many regions match when leading
// blanks are ignored, and what differs in the nearest candidate.
func (w *work) miss(name, old string) *refusal.Error {
	rows, _ := splitText(old)
	for len(rows) > 1 && blank(rows[len(rows)-1]) {
		rows = rows[:len(rows)-1]
	}
	lead := 0
	for lead < len(rows)-1 && blank(rows[lead]) {
		lead++
	}
	var b strings.Builder
	b.WriteString("the text of " + name)
	if len(rows) > 1 {
		b.WriteString(" (" + itoa(len(rows)) + " lines)")
	}
	b.WriteString(" does not occur in the file")
	b.WriteString(w.firstLine(rows[lead]))
	if len(rows) > 1 {
		found, total, err := MatchIndent(bytes.NewReader(w.old.Body()), strings.Join(rows, "\n"), most)
		if err == nil && total > 0 {
			at := make([]int, len(found))
			for i, m := range found {
				at[i] = int(m.Start)
			}
			b.WriteString(". " + regions(total) + " once leading blanks are ignored, at " + w.listAt(at, total) + ", but by no constant shift of indentation")
		}
	}
	e := refusal.New(refusal.TextNotFound, "").At(w.path)
	if near, ok := nearest(w.old, rows); ok {
		b.WriteString(". The nearest candidate is " + near.lines() + ": " + near.difference(w.old, rows))
		e.Excerpts = []refusal.Excerpt{w.excerpt(near.first, min(near.last, near.first+39))}
	}
	b.WriteString(w.sinceShown(old))
	e.What = b.String()
	return e.WithNext("Copy the lines as they are now, blanks included, and send the edit again")
}

func regions(n int) string {
	if n == 1 {
		return "1 region matches"
	}
	return itoa(n) + " regions match"
}

// firstLine says where the first line of a text occurs by itself.
func (w *work) firstLine(row string) string {
	s := strings.Trim(row, " \t\r")
	if s == "" {
		return ""
	}
	at, total := occurrences(w.old.Body(), s, countMax)
	if total == 0 {
		return ". Its first line " + show(s) + " occurs nowhere"
	}
	var lines []int
	for _, off := range at {
		if n := w.old.LineAt(off); len(lines) == 0 || lines[len(lines)-1] != n {
			lines = append(lines, n)
		}
	}
	out := ". Its first line occurs at line"
	if len(lines) > 1 {
		out += "s"
	}
	for i, n := range lines[:min(len(lines), most)] {
		if i > 0 {
			out += ","
		}
		out += " " + itoa(n)
	}
	if len(lines) > most {
		out += " and " + itoa(len(lines)-most) + " more"
	}
	return out
}

// sinceShown says whether the file is what the client was last shown.
func (w *work) sinceShown(old string) string {
	if w.memory == nil {
		return ""
	}
	was, ok := w.memory()
	switch {
	case !ok:
		return ". The file was not read here before"
	case text.Equal(was, w.old):
		return ". The file has not changed since it was read"
	}
	if at, total := occurrences(was.Body(), old, 1); total == 1 {
		return ". The file changed since it was read; the text was at line " + itoa(was.LineAt(at[0])) + " then"
	}
	return ". The file changed since it was read; the text did not match then either"
}

// A candidate is the run of lines that is nearest to a text.
type candidate struct{ first, last int }

func (c candidate) lines() string {
	if c.first == c.last {
		return "line " + itoa(c.first)
	}
	return "lines " + itoa(c.first) + "-" + itoa(c.last)
}

// busy is how often a line may occur and still vote for an alignment.
const busy = 64

// nearest finds the run of lines with the most lines in common with rows,
// blanks at both ends of lines aside, or, when there is none, the line most
// like the first row. Cost: linear in both, and busy votes a row.
func nearest(t *text.Text, rows []string) (candidate, bool) {
	if t.Len() == 0 {
		return candidate{}, false
	}
	want := map[string][]int{}
	for i, r := range rows {
		if s := strings.Trim(r, " \t\r"); s != "" && len(want[s]) < busy {
			want[s] = append(want[s], i)
		}
	}
	votes := map[int]int{} // by number of the first line
	for n := 1; n <= t.Len(); n++ {
		for _, i := range want[strings.Trim(string(t.Line(n)), " \t\r")] {
			votes[n-i]++
		}
	}
	best, most := 0, 0
	for first, v := range votes {
		if v > most || v == most && first < best {
			best, most = first, v
		}
	}
	if most == 0 {
		first := slices.IndexFunc(rows, func(r string) bool { return !blank(r) })
		if first < 0 {
			return candidate{}, false
		}
		n, ok := likest(t, strings.Trim(rows[first], " \t\r"))
		if !ok {
			return candidate{}, false
		}
		best = n - first
	}
	c := candidate{max(best, 1), min(best+len(rows)-1, t.Len())}
	return c, c.first <= c.last && best >= 1
}

// likest is the line that shares the most with s at its two ends, if that is
// half of it.
func likest(t *text.Text, s string) (int, bool) {
	best, most := 0, len(s)/2
	for n := 1; n <= t.Len(); n++ {
		line := strings.Trim(string(t.Line(n)), " \t\r")
		a := 0
		for a < len(s) && a < len(line) && s[a] == line[a] {
			a++
		}
		b := 0
		for b < len(s)-a && b < len(line)-a && s[len(s)-1-b] == line[len(line)-1-b] {
			b++
		}
		if a+b > most {
			best, most = n, a+b
		}
	}
	return best, best > 0
}

// difference describes the first difference between rows and the candidate.
func (c candidate) difference(t *text.Text, rows []string) string {
	for i, r := range rows {
		n := c.first + i
		if n > t.Len() {
			return "the file ends before " + show(r)
		}
		have := string(t.Line(n))
		if have == r || i == 0 && strings.HasSuffix(have, r) || i == len(rows)-1 && i > 0 && strings.HasPrefix(have, r) {
			continue
		}
		return "line " + itoa(n) + " is " + show(have) + " where the edit has " + show(r) + kind(have, r)
	}
	return "the lines are the same, and their terminators are not"
}

// kind says what two unequal lines differ in, when it is one thing that is easy
// to overlook.
func kind(have, want string) string {
	trimBoth := func(s string) string { return strings.Trim(s, " \t\r") }
	switch {
	case strings.TrimRight(have, " \t\r") == strings.TrimRight(want, " \t\r"):
		return " (they differ in blanks at the end)"
	case trimBoth(have) == trimBoth(want):
		return " (they differ in leading blanks)"
	case strings.Join(strings.Fields(have), " ") == strings.Join(strings.Fields(want), " "):
		return " (they differ in blanks)"
	case plainMarks.Replace(have) == plainMarks.Replace(want):
		return " (they differ in quotes, dashes or special blanks)"
	case strings.EqualFold(have, want):
		return " (they differ in case)"
	}
	a := 0
	for a < len(have) && a < len(want) && have[a] == want[a] {
		a++
	}
	for a > 0 && (a < len(have) && !utf8.RuneStart(have[a]) || a < len(want) && !utf8.RuneStart(want[a])) {
		a--
	}
	return ", from column " + itoa(utf8.RuneCountInString(want[:a])+1) + " on"
}

// plainMarks maps look-alikes to ASCII, to name a difference; nothing is ever
// matched through it.
var plainMarks = strings.NewReplacer(
	"\u2018", "'", "\u2019", "'", "\u201a", "'", "\u201b", "'", "\u201c", `"`, "\u201d", `"`, "\u201e", `"`, "\u2033", `"`,
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "-", "\u2015", "-", "\u2212", "-",
	"\u00a0", " ", "\u2002", " ", "\u2003", " ", "\u2009", " ", "\u202f", " ", "\u3000", " ", "\u200b", "", "\ufeff", "",
	"\u2026", "...",
)

// show is a line in backquotes, at most 120 characters of it, with what cannot
// be seen as escapes.
func show(s string) string {
	var b strings.Builder
	b.WriteByte('`')
	for n, r := range []rune(cut(s, 600)) {
		if n == 120 {
			b.WriteString("…")
			break
		}
		switch {
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case !unicode.IsPrint(r) && r != ' ':
			b.WriteString(`\u` + hex4digits(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('`')
	return b.String()
}

func cut(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

func hex4digits(r rune) string {
	const digits = "0123456789abcdef"
	out := []byte{}
	for shift := 12; shift >= 0; shift -= 4 {
		out = append(out, digits[(r>>shift)&15])
	}
	return string(out)
}

// excerpt shows lines as they are now.
func (w *work) excerpt(first, last int) refusal.Excerpt {
	e := refusal.Excerpt{Path: w.path, Tag: string(w.old.Tag())}
	for n := max(first, 1); n <= min(last, w.old.Len()); n++ {
		line := w.old.Line(n)
		row := refusal.ExcerptRow{N: n, Text: string(line)}
		switch {
		case !w.old.LineValid(n):
			row.Text, row.Cut = strings.ToValidUTF8(row.Text, "\ufffd"), true
		case utf8.RuneCount(line) > 512:
			row.Text, row.Cut = string([]rune(row.Text)[:512]), true
		}
		e.Rows = append(e.Rows, row)
	}
	return e
}

// mergeExcerpts makes one excerpt of several of one file.
func mergeExcerpts(list []refusal.Excerpt) []refusal.Excerpt {
	if len(list) == 0 {
		return nil
	}
	out := list[0]
	for _, e := range list[1:] {
		out.Rows = append(out.Rows, e.Rows...)
	}
	slices.SortStableFunc(out.Rows, func(a, b refusal.ExcerptRow) int { return a.N - b.N })
	out.Rows = slices.CompactFunc(out.Rows, func(a, b refusal.ExcerptRow) bool { return a.N == b.N })
	return []refusal.Excerpt{out}
}
