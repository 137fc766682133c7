package dialects

import (
	"bytes"
	"strings"

	"putcut/text"
)

// An outcome is one way in which a text that did not match could.
type outcome struct {
	span
	new     string
	relaxed []Relaxation
}

// A crowd is a relaxation under which a text matches more than once.
type crowd struct {
	relaxed []Relaxation
	at      []int // the first places, as byte offsets
	total   int
}

// relax looks for the places that a text without any literal occurrence means:
// what proves exactly one, and what matches more often. A text with one
// outcome and no crowd is used; every other is refused.
func relax(t *text.Text, old, repl string) (outs []outcome, crowds []crowd) {
	body := t.Body()
	add := func(o outcome) {
		for _, have := range outs {
			if have.span == o.span && have.new == o.new {
				return
			}
		}
		outs = append(outs, o)
	}
	var index *eolIndex
	eol := func(old, repl string, relaxed []Relaxation) {
		if !strings.Contains(old, "\n") || t.CROnly() {
			return
		}
		if index == nil {
			x := indexEOL(body)
			index = &x
		}
		flat := strings.ReplaceAll(old, "\r\n", "\n")
		at, total := occurrences(index.body, flat, most)
		relaxed = append(relaxed, RelaxedEOL)
		if total > 1 {
			for i := range at {
				at[i] = index.raw(at[i])
			}
			crowds = append(crowds, crowd{relaxed, at, total})
		}
		if total != 1 {
			return
		}
		lo, hi := at[0], at[0]+len(flat)
		repl, ok := withEOL(repl, strings.Count(flat, "\n"), index.crlf(lo, hi))
		if ok {
			add(outcome{span{index.raw(lo), index.raw(hi)}, repl, relaxed})
		}
	}

	eol(old, repl, nil)
	if dec, how, ok := decodeJSONText(old); ok {
		fresh, _, _ := decodeJSONText(repl)
		at, total := occurrences(body, dec, most)
		switch {
		case total == 1:
			add(outcome{span{at[0], at[0] + len(dec)}, fresh, []Relaxation{how}})
		case total > 1:
			crowds = append(crowds, crowd{[]Relaxation{how}, at, total})
		default:
			eol(dec, fresh, []Relaxation{how})
		}
	}
	indent(t, old, repl, add, &crowds)
	return outs, crowds
}

// withEOL gives a replacement the terminators of the region it goes to: lines
// of it end in LF, crlf of them in CRLF. ok is false when they are mixed.
func withEOL(repl string, lines, crlf int) (string, bool) {
	flat := strings.ReplaceAll(repl, "\r\n", "\n")
	switch crlf {
	case 0:
		return flat, true
	case lines:
		return strings.ReplaceAll(flat, "\n", "\r\n"), true
	}
	return "", false
}

// indent adds the outcome of a constant shift of indentation.
func indent(t *text.Text, old, repl string, add func(outcome), crowds *[]crowd) {
	if t.CROnly() {
		return
	}
	matches, total, err := MatchIndent(bytes.NewReader(t.Body()), old, most)
	if err != nil || total == 0 {
		return
	}
	if total > 1 {
		c := crowd{relaxed: []Relaxation{RelaxedIndent}, total: total}
		for _, m := range matches {
			c.at = append(c.at, int(m.Start))
		}
		*crowds = append(*crowds, c)
		return
	}
	m := matches[0]
	if !m.Constant || m.Shift.Zero() {
		return
	}
	fresh, ok := m.Shift.Apply(repl)
	if !ok {
		return
	}
	o := outcome{span{int(m.Start), int(m.End)}, fresh, []Relaxation{RelaxedIndent}}
	region := t.Body()[o.lo:o.hi]
	lines, crlf := bytes.Count(region, []byte("\n")), bytes.Count(region, []byte("\r\n"))
	if lines > 0 && strings.Contains(fresh, "\n") {
		matched, ok := withEOL(fresh, lines, crlf)
		if !ok {
			return
		}
		if matched != fresh {
			o.new = matched
			o.relaxed = append(o.relaxed, RelaxedEOL)
		}
	}
	add(o)
}
