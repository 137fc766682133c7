package session

import (
	"fmt"
	"strconv"
	"strings"

	"putcut/refusal"
	"putcut/text"
)

// elision stands between runs of rows that do not touch, and after a cut row.
const elision = "…"

// maxText bounds the text of a refusal and of a result, in bytes.
const maxText = 10_000

// Text is the model-facing form of a read: the header row, then N:text rows.
func (r *ReadResult) Text() string {
	var b strings.Builder
	header(&b, r.Path, r.Tag)
	rowsText(&b, r.Rows)
	if len(r.Rows) == 0 && r.TotalLines == 0 {
		b.WriteString("(the file is empty)\n")
	}
	for _, n := range r.Notices {
		fmt.Fprintf(&b, "(%s)\n", n)
	}
	return b.String()
}

// Text is the model-facing form of a search.
func (r *GrepResult) Text() string {
	var b strings.Builder
	for i := range r.Files {
		f := &r.Files[i]
		header(&b, f.Path, f.Tag)
		switch r.Mode {
		case Count:
			fmt.Fprintf(&b, "(%s)\n", plural(f.Count, "matching line"))
		case Content:
			rowsText(&b, f.Rows)
		}
	}
	if len(r.Files) == 0 {
		b.WriteString("(no matches)\n")
	}
	for _, n := range r.Notices {
		fmt.Fprintf(&b, "(%s)\n", n)
	}
	return b.String()
}

// Text is the model-facing form of a change. Per file: the header row with the
// new tag, what each op did, the changed regions in N:text rows under that tag,
// the rows that went as -N:text under their old numbers, and what moved.
func (r *ChangeResult) Text() string {
	var b strings.Builder
	for i := range r.Files {
		r.fileText(&b, &r.Files[i])
	}
	for _, w := range r.Warnings {
		where := ""
		if w.Path != "" && len(r.Files) > 1 {
			where = w.Path + ": "
		}
		fmt.Fprintf(&b, "warning %s: %s%s\n", w.Code, where, w.Message)
	}
	switch {
	case r.DryRun:
		b.WriteString("dry run: nothing was written\n")
	case r.planned:
		b.WriteString("planned: nothing is written yet\n")
	case r.Call == "" && !r.Durable:
		b.WriteString("(not on stable storage yet)\n")
	case r.Call == "":
	case !r.Durable:
		fmt.Fprintf(&b, "call %s (not on stable storage yet)\n", r.Call)
	default:
		fmt.Fprintf(&b, "call %s\n", r.Call)
	}
	return b.String()
}

// done reports whether the change was made, as opposed to planned or tried.
func (r *ChangeResult) done() bool { return !r.DryRun && !r.planned }

func (r *ChangeResult) fileText(b *strings.Builder, f *FileChange) {
	switch {
	case f.Kind == Removed && !r.done():
		fmt.Fprintf(b, "%s would be removed (%s)\n", f.Path, plural(f.Removed, "line"))
	case f.Kind == Removed:
		fmt.Fprintf(b, "%s is removed (%s)\n", f.Path, plural(f.Removed, "line"))
	default:
		header(b, f.Path, f.Tag)
		verb := string(f.Kind)
		if !r.done() {
			verb = "would be " + verb
		}
		fmt.Fprintf(b, "%s: +%d -%d lines", verb, f.Added, f.Removed)
		if f.From != "" {
			fmt.Fprintf(b, ", from %s", f.From)
		}
		b.WriteByte('\n')
	}
	for _, o := range f.Ops {
		if o.Op == "write" || o.Op == "" {
			continue
		}
		fmt.Fprintf(b, "%s: %s\n", strings.TrimSuffix(o.Op, ":"), landed(o))
	}
	for _, s := range f.Blocks {
		fmt.Fprintf(b, "%d* is lines %d-%d\n", s.AnchorLine, s.Start, s.End)
	}
	rowsText(b, f.Rows)
	if f.Unprinted > 0 {
		fmt.Fprintf(b, "(%s of the changed regions not printed)\n", plural(f.Unprinted, "row"))
	}
	for _, g := range f.Gone {
		fmt.Fprintf(b, "-%d:%s%s\n", g.N, g.Text, cutMark(g))
	}
	if f.GoneMore > 0 {
		fmt.Fprintf(b, "(%s that went not printed)\n", plural(f.GoneMore, "more row"))
	}
	for _, s := range f.Shifts {
		to := elision
		if s.To != 0 {
			to = strconv.Itoa(s.To)
		}
		fmt.Fprintf(b, "old %d-%s → %+d\n", s.From, to, s.Delta)
	}
	if d := f.Declarations; d != nil {
		nameRow(b, "declarations added", d.Added)
		nameRow(b, "declarations removed", d.Removed)
		for _, n := range d.Renamed {
			fmt.Fprintf(b, "declaration renamed: %s → %s\n", n[0], n[1])
		}
	}
	for i, e := range f.SyntaxErrors {
		if i == 10 {
			fmt.Fprintf(b, "(%s not printed)\n", plural(len(f.SyntaxErrors)-i, "more syntax error"))
			break
		}
		fmt.Fprintf(b, "syntax error introduced at %d:%d: %s\n", e.Line, e.Column, e.Message)
	}
	if f.Unseen > 0 {
		fmt.Fprintf(b, "%s destroyed that never had been displayed\n", plural(f.Unseen, "line"))
	}
	for _, t := range f.Superseded {
		fmt.Fprintf(b, "numbers read under #%s stay good with #%s\n", t, t)
	}
}

func nameRow(b *strings.Builder, what string, names []string) {
	if len(names) == 0 {
		return
	}
	const most = 12
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	fmt.Fprintf(b, "%s: %s%s\n", what, strings.Join(names, ", "), more)
}

// landed says what became of an op: `old lines 4-6 → new line 4`.
func landed(o OpSpan) string {
	none := func(first, last int) bool { return last < first }
	switch {
	case none(o.OldStart, o.OldEnd) && none(o.NewStart, o.NewEnd):
		return "nothing"
	case none(o.OldStart, o.OldEnd):
		return "new " + lineSpan(o.NewStart, o.NewEnd)
	case none(o.NewStart, o.NewEnd):
		return "old " + lineSpan(o.OldStart, o.OldEnd) + " gone"
	}
	return "old " + lineSpan(o.OldStart, o.OldEnd) + " → new " + lineSpan(o.NewStart, o.NewEnd)
}

func lineSpan(first, last int) string {
	if first == last {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d-%d", first, last)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func header(b *strings.Builder, path string, tag text.Tag) {
	b.WriteByte('[')
	b.WriteString(path)
	if tag != "" {
		b.WriteByte('#')
		b.WriteString(string(tag))
	}
	b.WriteString("]\n")
}

func cutMark(r refusal.ExcerptRow) string {
	if r.Cut {
		return elision
	}
	return ""
}

// rowsText writes N:text rows; an elision row stands between runs.
func rowsText(b *strings.Builder, rows []refusal.ExcerptRow) {
	for i, r := range rows {
		if i > 0 && r.N != rows[i-1].N+1 {
			b.WriteString(elision + "\n")
		}
		b.WriteString(strconv.Itoa(r.N))
		b.WriteByte(':')
		b.WriteString(r.Text)
		b.WriteString(cutMark(r))
		b.WriteByte('\n')
	}
}

// ErrorText is the model-facing form of a refusal, or of any other error: the
// code and that nothing was written, what was wrong and where, the current
// facts, and the one next step.
func ErrorText(err error) string {
	e := refusal.As(err)
	if e == nil {
		e = &refusal.Error{Code: refusal.IO, What: err.Error()}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: rejected, nothing was written\n", e.Code)
	b.WriteString(clip(e.Where()+sentence(e.What), 900))
	b.WriteByte('\n')
	for _, x := range e.Excerpts {
		header(&b, x.Path, text.Tag(x.Tag))
		rowsText(&b, x.Rows)
	}
	if e.Next != "" {
		fmt.Fprintf(&b, "next: %s\n", clip(sentence(e.Next), 500))
	}
	if e.Script != "" {
		b.WriteString("corrected script:\n")
		if room := maxText - b.Len(); len(e.Script) > room {
			b.WriteString(clip(e.Script, max(0, room-100)))
			b.WriteString("\n")
		} else {
			b.WriteString(e.Script)
		}
	}
	return b.String()
}

func sentence(s string) string { return strings.TrimSuffix(s, ".") + "." }
