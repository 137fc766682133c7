package parser

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutRow splits s after its first row: the row without LF and without one CR
// before it, and what follows. Cost: linear in the row.
func cutRow(s string) (row, rest string) {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		row, rest = s[:i], s[i+1:]
	} else {
		row = s
	}
	return dropCR(row), rest
}

func dropCR(row string) string {
	if n := len(row); n > 0 && row[n-1] == '\r' {
		return row[:n-1]
	}
	return row
}

func splitRows(s string) []string {
	rows := make([]string, 0, strings.Count(s, "\n")+1)
	for s != "" {
		var row string
		row, s = cutRow(s)
		rows = append(rows, row)
	}
	return rows
}

const blanks = " \t"

func isBlank(row string) bool { return strings.Trim(row, blanks) == "" }

// A header row in parts. tag is as written, of either case.
type headerRow struct{ path, tag string }

// parseHeader takes a whole row as a header, trailing blanks aside. The tag is
// what stands after the last #, so a path may hold # and ] itself.
func parseHeader(row string) (h headerRow, ok bool) {
	if row == "" || row[0] != '[' {
		return h, false
	}
	row = strings.TrimRight(row, blanks)
	hash := strings.LastIndexByte(row, '#')
	if hash < 0 || row[len(row)-1] != ']' {
		return h, false
	}
	h = headerRow{path: row[1:hash], tag: row[hash+1 : len(row)-1]}
	return h, isTag(h.tag) && !isBlank(h.path)
}

func isTag(s string) bool { return isHex(s, 4, 4) || s == "NEW" || s == "new" }

func isHex(s string, least, most int) bool {
	if len(s) < least || len(s) > most {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

// likeHeader reports whether a row is meant as a header and is none: indented,
// or with a tag of another length or case.
func likeHeader(row string) bool {
	row = strings.Trim(row, blanks)
	if _, ok := parseHeader(row); ok {
		return true
	}
	hash := strings.LastIndexByte(row, '#')
	if hash < 2 || row[0] != '[' || row[len(row)-1] != ']' || isBlank(row[1:hash]) {
		return false
	}
	tag := row[hash+1 : len(row)-1]
	return isHex(tag, 3, 8) || strings.EqualFold(tag, "new")
}

// The markers of the envelope.
const (
	beginMarker = "*** Begin Patch"
	endMarker   = "*** End Patch"
	abortMarker = "*** Abort"
)

// markerOf is the marker that the row is, trailing blanks aside, or "".
func markerOf(row string) string {
	if !strings.HasPrefix(row, "***") {
		return ""
	}
	switch row = strings.TrimRight(row, blanks); row {
	case beginMarker, endMarker, abortMarker:
		return row
	}
	return ""
}

// nearMarker is the marker a row seems to mean without being it, or "". What
// other formats write in rows of stars counts with them, as "foreign".
func nearMarker(row string) string {
	row = strings.Trim(row, blanks)
	stars := len(row) - len(strings.TrimLeft(row, "*"))
	if stars < 2 || stars > 5 {
		return ""
	}
	words := strings.Fields(strings.ToLower(row[stars:]))
	if len(words) == 0 {
		return ""
	}
	first := strings.TrimRight(words[0], ":*")
	second := ""
	if len(words) > 1 {
		second = strings.TrimRight(words[1], ":*")
	}
	switch {
	case first == "begin" || first == "beginpatch":
		return beginMarker
	case first == "end" && second == "of":
		return "foreign"
	case first == "end" || first == "endpatch":
		return endMarker
	case first == "abort":
		return abortMarker
	case (first == "update" || first == "add" || first == "delete" || first == "move") && (second == "file" || second == "to"):
		return "foreign"
	}
	return ""
}

// fenceOf takes a row as a Markdown fence: its run of backquotes or tildes and
// the info string after it.
func fenceOf(row string) (run, info string, ok bool) {
	row = strings.Trim(row, blanks)
	if !strings.HasPrefix(row, "```") && !strings.HasPrefix(row, "~~~") {
		return "", "", false
	}
	n := len(row) - len(strings.TrimLeft(row, row[:1]))
	info = strings.Trim(row[n:], blanks)
	if row[0] == '`' && strings.Contains(info, "`") {
		return "", "", false
	}
	return row[:n], info, true
}

// isNumbered reports whether a row has the form of reader output, N:text.
func isNumbered(row string) bool { return numberEnd(row) > 0 }

// numberEnd is the offset just past the colon of an N:text row, or 0.
func numberEnd(row string) int {
	i := 0
	for i < len(row) && row[i] >= '0' && row[i] <= '9' {
		i++
	}
	if i == 0 || i == len(row) || row[i] != ':' {
		return 0
	}
	return i + 1
}

// isElision reports whether a row stands for rows that were left out.
func isElision(row string) bool {
	row = strings.Trim(row, blanks+"/*#-<!>;")
	return row == "…" || row == "..." || strings.HasPrefix(row, "... ") || strings.HasPrefix(row, "… ")
}

// quote shows a piece of a script in backquotes, at most 60 runes of it, with
// what cannot be seen as escapes.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('`')
	for n := 0; s != ""; n++ {
		if n == 60 {
			b.WriteString("…")
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '\t':
			b.WriteString(`\t`)
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	b.WriteByte('`')
	return b.String()
}

// column is the column of the byte at offset at of a row, in runes from 1.
func column(row string, at int) int { return utf8.RuneCountInString(row[:at]) + 1 }
