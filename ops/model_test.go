package ops

import (
	"strings"

	"putcut/text"
)

// The reference model: a slow, obvious reading of the contract's text model.
// A text is a list of lines with their terminators; applying builds the new
// list and asks every rule of whole lists.

type modelLine struct {
	text, eol string
	from      int // the line's number in the old text, 0 for a new one
}

func modelSplit(s string) []modelLine {
	var out []modelLine
	sep := "\n"
	if !strings.Contains(s, "\n") && strings.Contains(s, "\r") {
		sep = "\r"
	}
	for s != "" {
		line, rest, found := strings.Cut(s, sep)
		s = rest
		l := modelLine{text: line, from: len(out) + 1}
		switch {
		case !found:
		case sep == "\n" && strings.HasSuffix(line, "\r"):
			l.text, l.eol = line[:len(line)-1], "\r\n"
		default:
			l.eol = sep
		}
		out = append(out, l)
	}
	return out
}

// modelEOL is the terminator of rows that land between gaps start and end.
func modelEOL(lines []modelLine, start, end int) string {
	if start > 0 && lines[start-1].eol != "" {
		return lines[start-1].eol
	}
	if end < len(lines) && lines[end].eol != "" {
		return lines[end].eol
	}
	count := map[string]int{}
	for _, l := range lines {
		count[l.eol]++
	}
	switch {
	case count["\r"] > 0:
		return "\r"
	case count["\r\n"] > count["\n"]:
		return "\r\n"
	}
	return "\n"
}

// modelApply is what the body becomes. Kept is Result.Kept.
func modelApply(body string, splices []Splice, final Final) (lines []modelLine, kept bool) {
	old := modelSplit(body)
	crOnly := len(old) > 0 && old[0].eol == "\r"
	at := 0
	for _, s := range splices {
		lines = append(lines, old[at:s.Start]...)
		eol := modelEOL(old, s.Start, s.End)
		rows, eols := s.Rows, s.EOLs
		if crOnly && eols == nil {
			rows = nil
			for _, r := range s.Rows {
				rows = append(rows, strings.Split(r, "\r")...)
			}
		}
		for i, r := range rows {
			l := modelLine{text: r, eol: eol}
			if eols != nil && eols[i] != text.None {
				l.eol = string(eols[i])
			}
			// What was the last line is none any more: it gets the terminator
			// that goes with the place.
			if n := len(lines); n > 0 && lines[n-1].eol == "" {
				lines[n-1].eol = eol
			}
			lines = append(lines, l)
		}
		at = s.End
	}
	lines = append(lines, old[at:]...)
	if len(lines) == 0 {
		return nil, false
	}
	terminated := len(old) == 0 || old[len(old)-1].eol != ""
	switch final {
	case AddFinal:
		terminated = true
	case DropFinal:
		terminated = false
	}
	last := &lines[len(lines)-1]
	switch {
	case terminated && last.eol == "":
		last.eol = modelEOL(old, len(old), len(old))
	case !terminated && last.eol != "" && last.text == "":
		kept = true
	case !terminated:
		last.eol = ""
	}
	return lines, kept
}

func modelBytes(lines []modelLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text)
		b.WriteString(l.eol)
	}
	return b.String()
}

// describe writes a text and everything it says of itself, so that two texts
// can be compared whole.
func describe(t *text.Text) string {
	var b strings.Builder
	for n := 1; n <= t.Len(); n++ {
		b.WriteString(itoa(t.Offset(n)) + " " + strings.ToUpper(t.EOL(n).Name()) + " ")
		b.Write(t.Line(n))
		b.WriteByte(0)
	}
	for _, flag := range []bool{t.CROnly(), t.Valid(), t.Mixed(), t.FinalNewline()} {
		if flag {
			b.WriteByte('+')
		} else {
			b.WriteByte('-')
		}
	}
	return b.String() + t.CommonEOL().Name() + string(t.Tag())
}
