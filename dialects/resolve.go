package dialects

import (
	"bytes"
	"slices"
	"strings"

	"putcut/refusal"
)

// resolve finds the one place a text of characters means, and what to put
// there. name is the edit's name in messages.
func (l *lowering) resolve(w *work, name, old, repl string) (outcome, error) {
	at, total := occurrences(w.old.Body(), old, most)
	if total == 1 {
		return outcome{span: span{at[0], at[0] + len(old)}, new: repl}, nil
	}
	if total > 1 {
		return outcome{}, w.ambiguous(name, at, total, nil)
	}
	return l.resolveRelaxed(w, name, old, repl)
}

func (l *lowering) resolveRelaxed(w *work, name, old, repl string) (outcome, error) {
	var outs []outcome
	var crowds []crowd
	if l.mayRelax(w) {
		outs, crowds = relax(w.old, old, repl)
	}
	switch {
	case len(crowds) > 0:
		return outcome{}, w.ambiguous(name, crowds[0].at, crowds[0].total, crowds[0].relaxed)
	case len(outs) == 1:
		return outs[0], nil
	case len(outs) > 1:
		at := make([]int, 0, len(outs))
		for _, o := range outs {
			at = append(at, o.lo)
		}
		e := w.ambiguous(name, at, len(at), nil)
		e.What = name + " does not occur as written, and may mean " + w.listAt(at, len(at)) + ", depending on what is read into it"
		return outcome{}, e
	}
	return outcome{}, w.miss(name, old)
}

// relaxBytes bounds what the relaxations of one call read, by file sizes, so
// that many edits of a large file that all miss cannot take for ever.
const relaxBytes = 1 << 29

// mayRelax reports whether relaxations may still be tried.
func (l *lowering) mayRelax(w *work) bool {
	l.relaxed += int64(w.old.Size())
	return !l.opt.Exact && l.relaxed <= relaxBytes
}

// A placed is a run of whole lines that rows mean: n lines after gap start, and
// the rows that take their place.
type placed struct {
	start, n int
	repl     []string
	relaxed  []Relaxation
}

// resolveRows finds the one run of whole lines that rows mean. Relaxations
// change repl, the rows that take their place, along.
func (l *lowering) resolveRows(w *work, name string, rows, repl []string) (placed, error) {
	found := w.locator().find(rows)
	if len(found) == 1 {
		return placed{found[0], len(rows), repl, nil}, nil
	}
	if len(found) > 1 {
		return placed{}, w.ambiguous(name, w.offsets(found), len(found), nil)
	}
	var outs []placed
	var crowds []crowd
	if l.mayRelax(w) {
		outs, crowds = w.relaxRows(rows, repl)
	}
	switch {
	case len(crowds) > 0:
		return placed{}, w.ambiguous(name, crowds[0].at, crowds[0].total, crowds[0].relaxed)
	case len(outs) == 1:
		return outs[0], nil
	case len(outs) > 1:
		gaps := make([]int, 0, len(outs))
		for _, o := range outs {
			gaps = append(gaps, o.start)
		}
		e := w.ambiguous(name, w.offsets(gaps), len(gaps), nil)
		e.What = name + " does not occur as written, and may mean " + w.listAt(w.offsets(gaps), len(gaps)) + ", depending on what is read into it"
		return placed{}, e
	}
	return placed{}, w.miss(name, strings.Join(rows, "\n"))
}

// relaxRows is relax for whole lines. Terminators are no part of rows, so the
// one thing to say of CRLF is that each row of the edit brought its CR along.
func (w *work) relaxRows(rows, repl []string) (outs []placed, crowds []crowd) {
	t := w.old
	add := func(rows, repl []string, how Relaxation) {
		found := w.locator().find(rows)
		if len(found) > 1 {
			crowds = append(crowds, crowd{[]Relaxation{how}, w.offsets(found), len(found)})
		}
		if len(found) != 1 {
			return
		}
		outs = addPlaced(outs, placed{found[0], len(rows), repl, []Relaxation{how}})
	}
	if bare, ok := stripCR(rows); ok {
		if fresh, ok := stripCR(repl); ok || len(repl) == 0 {
			add(bare, fresh, RelaxedEOL)
		}
	}
	if dec, how, ok := decodeJSONText(strings.Join(rows, "\n")); ok {
		add(rowsOf(dec), unescapeRows(repl), how)
	}
	if t.CROnly() {
		return outs, crowds
	}
	pattern := strings.Join(rows, "\n")
	matches, total, err := MatchIndent(bytes.NewReader(t.Body()), pattern, most)
	switch {
	case err != nil || total == 0:
	case total > 1:
		c := crowd{relaxed: []Relaxation{RelaxedIndent}, total: total}
		for _, m := range matches {
			c.at = append(c.at, int(m.Start))
		}
		crowds = append(crowds, c)
	default:
		m := matches[0]
		if !m.Constant || m.Shift.Zero() {
			break
		}
		var fresh []string
		if len(repl) > 0 {
			s, ok := m.Shift.Apply(strings.Join(repl, "\n"))
			if !ok {
				break
			}
			fresh = strings.Split(s, "\n")
		}
		outs = addPlaced(outs, placed{m.Lines.First - 1, len(rows), fresh, []Relaxation{RelaxedIndent}})
	}
	return outs, crowds
}

func addPlaced(list []placed, p placed) []placed {
	for _, o := range list {
		if o.start == p.start && o.n == p.n && slices.Equal(o.repl, p.repl) {
			return list
		}
	}
	return append(list, p)
}

// rowsOf splits decoded text into rows; a terminator at its end opens no row.
func rowsOf(s string) []string {
	rows, _ := splitText(s)
	return rows
}

func unescapeRows(rows []string) []string {
	if len(rows) == 0 {
		return nil
	}
	dec, _, ok := decodeJSONText(strings.Join(rows, "\n"))
	if !ok {
		return rows
	}
	return rowsOf(dec)
}

// stripCR takes the CR off the end of every row; ok is false when a row has none.
func stripCR(rows []string) ([]string, bool) {
	out := make([]string, len(rows))
	for i, r := range rows {
		s, had := strings.CutSuffix(r, "\r")
		if !had {
			return nil, false
		}
		out[i] = s
	}
	return out, len(rows) > 0
}

func (w *work) offsets(gaps []int) []int {
	out := make([]int, 0, most)
	for _, g := range gaps[:min(len(gaps), most)] {
		out = append(out, w.old.Offset(g))
	}
	return out
}

// ambiguous refuses a text that matches more than once.
func (w *work) ambiguous(name string, at []int, total int, relaxed []Relaxation) *refusal.Error {
	how := ""
	switch {
	case len(relaxed) == 0:
	case relaxed[0] == RelaxedIndent:
		how = " once leading blanks are ignored"
	case relaxed[0] == RelaxedEOL:
		how = " once CRLF and LF count as the same"
	default:
		how = " once its JSON escapes are decoded"
	}
	if how != "" {
		how = " does not occur as written, and" + how
	}
	e := refusal.New(refusal.TextAmbiguous, "the text of %s%s matches %s regions: %s", name, how, count(total), w.listAt(at, total)).At(w.path)
	for _, off := range at {
		e.Excerpts = append(e.Excerpts, w.excerpt(w.old.LineAt(off), w.old.LineAt(off)))
	}
	e.Excerpts = mergeExcerpts(e.Excerpts)
	return e.WithNext("Give more context, so that the text occurs once")
}

func count(n int) string {
	if n >= countMax {
		return "at least " + itoa(n)
	}
	return itoa(n)
}

// listAt names places by line and byte offset.
func (w *work) listAt(at []int, total int) string {
	var b strings.Builder
	for i, off := range at {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("line " + itoa(w.old.LineAt(off)) + " (byte " + itoa(off) + ")")
	}
	if total > len(at) {
		b.WriteString(", and " + itoa(total-len(at)) + " more")
	}
	return b.String()
}
