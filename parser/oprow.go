package parser

import (
	"strings"
)

// A part is one token of an op row.
type part struct {
	kind       byte
	start, end int
}

// The kinds of parts. They spell the shape of a row: `PUT 2.=3 @r` is "ns n@"
// after its verb.
const (
	partWord     = 'w'
	partLine     = 'n'
	partSep      = 's' // .=
	partSlipSep  = 'S' // a misspelling of .= with one reading
	partRegister = '@'
	partEnd      = '$'
	partStar     = '*'
	partBefore   = '<'
	partAfter    = '>'
	partColon    = ':'
	partOther    = '?'
)

// mostParts is more than any op row has.
const mostParts = 10

// scanParts appends the parts of row[at:] to dst. Whatever is not a part of
// the language becomes one partOther up to the next blank, and so does all
// that follows too many parts.
func scanParts(dst []part, row string, at int) []part {
	for at < len(row) {
		if len(dst) == mostParts {
			return append(dst, part{partOther, at, len(row)})
		}
		c := row[at]
		end := at + 1
		kind := byte(partOther)
		switch {
		case c == ' ' || c == '\t':
			at++
			continue
		case isDigit(c):
			for end < len(row) && isDigit(row[end]) {
				end++
			}
			kind = partLine
		case c == '<' || c == '>' || c == '$' || c == '*' || c == ':':
			kind = c
		case c == '@':
			for end < len(row) && isName(row[end]) {
				end++
			}
			if n := end - at - 1; n >= 1 && n <= 32 && (end == len(row) || strings.IndexByte(" \t:", row[end]) >= 0) {
				kind = partRegister
			}
		default:
			end = at + sepLen(row[at:])
			switch sep := row[at:end]; sep {
			case ".=":
				kind = partSep
			case "..", "-", "…", "=", "–":
				kind = partSlipSep
			}
		}
		if kind == partLine && end < len(row) && isName(row[end]) && row[end] != '-' {
			kind = partOther
		}
		if kind == partOther {
			end = max(end, at+1)
			for end < len(row) && row[end] != ' ' && row[end] != '\t' && !(isSepByte(c) && isDigit(row[end])) {
				end++
			}
		}
		dst = append(dst, part{kind, at, end})
		at = end
	}
	return dst
}

// sepLen is the length of the run of characters that could be meant as a
// separator between two lines, so that `..=` is one wrong part, not two right ones.
func sepLen(s string) int {
	n := 0
	for n < len(s) && isSepByte(s[n]) {
		switch {
		case s[n] < 0x80:
			n++
		case strings.HasPrefix(s[n:], "…") || strings.HasPrefix(s[n:], "–") || strings.HasPrefix(s[n:], "—"):
			n += len("…")
		default:
			return n
		}
	}
	return n
}

func isSepByte(c byte) bool {
	return c == '.' || c == '=' || c == '-' || c == ',' || c == '~' || c == 0xe2
}
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isName(c byte) bool   { return isLetter(c) || isDigit(c) || c == '_' || c == '-' }

// putShapes and cutShapes hold what may follow the verb, accepted slips
// included; strict holds what the grammar of the contract has.
var putShapes, cutShapes, strictPlaces = shapes()

func shapes() (put, cut map[string]bool, strict map[string]bool) {
	put, cut, strict = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, place := range []string{"n", "nsn", "nSn", "n*", "<n", ">n", ">$", ">n*"} {
		for _, tail := range []string{"", ":", "@", "@:"} {
			put[place+tail] = true
			if place[0] == 'n' {
				cut[place+tail] = true
			}
			if place != "n" && place != "nSn" {
				strict[place+tail] = true
			}
		}
	}
	return put, cut, strict
}

// shapeOf spells the kinds of parts; 8 are more than any op has.
func shapeOf(parts []part, buf *[8]byte) string {
	if len(parts) > len(buf) {
		return "?"
	}
	for i, p := range parts {
		buf[i] = p.kind
	}
	return string(buf[:len(parts)])
}

// An opness says how much a row is an op.
type opness uint8

const (
	notOp opness = iota
	// vague rows could be the start of an op in prose or code: a lower-case
	// verb and something like a place that is none.
	vague
	// broken rows start as an op does and are none.
	broken
	// loose rows are ops by their spelling but could as well be content.
	loose
	// exact rows are ops and hardly anything else.
	exact
)

// opnessOf judges one row. Cost: linear in the row, and one comparison for
// most rows that are no op.
func opnessOf(row string) opness {
	t := strings.Trim(row, blanks)
	if t == "" {
		return notOp
	}
	if !isLetter(t[0]) {
		if isDigit(t[0]) && spanFirst(t) {
			return broken
		}
		return notOp
	}
	word := wordOf(t)
	rest := t[len(word):]
	upper, lower := caseOf(word)
	switch verbOf(word) {
	case "PUT", "CUT":
		return placedOpness(t, word, upper, lower)
	case "REM":
		switch {
		case rest == "":
			return bySpelling(upper, lower, loose)
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == ':' && upper:
			return brokenBySpelling(upper, lower)
		}
		return notOp
	case "MV":
		switch {
		case rest == "" || rest[0] == ':':
			return brokenBySpelling(upper, lower)
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '"':
			return bySpelling(upper, lower, loose)
		}
		return notOp
	}
	if _, ok := translate(t); ok {
		return broken
	}
	if r := strings.TrimLeft(rest, blanks); r != "" && r != rest && isDigit(r[0]) && spanFirst(r) {
		return broken // an unknown verb and a span
	}
	return notOp
}

// verbOf is the verb that a word is, whatever its case, or "".
func verbOf(word string) string {
	if len(word) == 2 || len(word) == 3 {
		for _, verb := range [...]string{"PUT", "CUT", "REM", "MV"} {
			if strings.EqualFold(word, verb) {
				return verb
			}
		}
	}
	return ""
}

func caseOf(word string) (upper, lower bool) {
	upper, lower = true, true
	for i := 0; i < len(word); i++ {
		upper = upper && (word[i] < 'a' || word[i] > 'z')
		lower = lower && (word[i] < 'A' || word[i] > 'Z')
	}
	return upper, lower
}

func bySpelling(upper, lower bool, whenLower opness) opness {
	switch {
	case upper:
		return exact
	case lower:
		return whenLower
	}
	return broken
}

func brokenBySpelling(upper, lower bool) opness {
	switch {
	case upper:
		return broken
	case lower:
		return vague
	}
	return notOp
}

func placedOpness(t, word string, upper, lower bool) opness {
	var space [12]part
	var buf [8]byte
	rest := t[len(word):]
	known := putShapes
	if strings.EqualFold(word, "CUT") {
		known = cutShapes
	}
	if len(rest) < 256 { // no op row with a place is longer
		shape := shapeOf(scanParts(space[:0], rest, 0), &buf)
		if known[shape] {
			if !upper && isDigit(rest[0]) {
				return notOp // an identifier such as cut3
			}
			if strictPlaces[shape] {
				return bySpelling(upper, lower, exact)
			}
			return bySpelling(upper, lower, loose)
		}
	}
	next := strings.TrimLeft(rest, blanks)
	switch {
	case upper && (next == "" || next != rest || strings.IndexByte("<>$*@:.", next[0]) >= 0 || isDigit(next[0])):
		return broken
	case lower && next != "" && (strings.IndexByte("<>$@", next[0]) >= 0 || next != rest && isDigit(next[0])):
		return vague
	}
	return notOp
}

// spanFirst reports whether a text starts with a span spelled as the contract
// spells it.
func spanFirst(t string) bool {
	i := 0
	for i < len(t) && isDigit(t[i]) {
		i++
	}
	t = strings.TrimLeft(t[i:], blanks)
	if i == 0 || !strings.HasPrefix(t, ".=") {
		return false
	}
	t = strings.TrimLeft(t[2:], blanks)
	return t != "" && isDigit(t[0])
}

// wordOf is the run of letters at the start of t; a dot followed by a letter
// joins two runs, as in INS.PRE.
func wordOf(t string) string {
	i := 0
	for i < len(t) && (isLetter(t[i]) || t[i] == '.' && i+1 < len(t) && isLetter(t[i+1])) {
		i++
	}
	return t[:i]
}
