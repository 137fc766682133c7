package parser

import (
	"strconv"
	"strings"

	"putcut/ops"
)

// Format prints a script in its canonical form, every row ended by LF. Parse
// reads it back as the same script, positions aside, when the script is one
// that Parse could have returned: rows and paths hold no LF, and so on.
func Format(s ops.Script) string {
	var b strings.Builder
	for _, sec := range s.Sections {
		if sec.Path != "" || sec.Tag != "" {
			b.WriteString("[" + sec.Path + "#" + sec.Tag + "]\n")
		}
		formatOps(&b, sec.Ops)
	}
	return b.String()
}

// FormatOps prints a bare op list, for ParseOps.
func FormatOps(list []ops.Op) string {
	var b strings.Builder
	formatOps(&b, list)
	return b.String()
}

func formatOps(b *strings.Builder, list []ops.Op) {
	for _, op := range list {
		b.WriteString(formatOp(op))
		b.WriteByte('\n')
		for _, row := range op.Rows {
			b.WriteByte('+')
			b.WriteString(row)
			if strings.HasSuffix(row, "\r") {
				b.WriteByte('\r') // one CR that ends a row is dropped again
			}
			b.WriteByte('\n')
		}
	}
}

// formatOp is the op's own row, without body.
func formatOp(op ops.Op) string {
	s := op.Verb.String()
	switch op.Verb {
	case ops.Mv:
		return s + " " + formatDest(op.Dest)
	case ops.Put, ops.Cut:
		s += " " + formatPlace(op.Place)
		if op.Register != "" {
			s += " @" + op.Register
		} else if op.Verb == ops.Put && !op.Paste {
			s += ":"
		}
	}
	return s
}

func formatPlace(p ops.Place) string {
	first := strconv.Itoa(p.First)
	switch p.Kind {
	case ops.Span:
		return first + ".=" + strconv.Itoa(p.Last)
	case ops.Block:
		return first + "*"
	case ops.Before:
		return "<" + first
	case ops.After:
		return ">" + first
	case ops.Tail:
		return ">$"
	case ops.AfterBlock:
		return ">" + first + "*"
	}
	return ""
}

var destEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func formatDest(dest string) string {
	if dest == "" || dest[0] == '"' || strings.Trim(dest, blanks+"\r") != dest {
		return `"` + destEscapes.Replace(dest) + `"`
	}
	return dest
}

// unquoteDest is the destination of MV as it is meant. bad is the offset of
// what cannot be read, and what says why.
func unquoteDest(text string) (dest string, bad int, what string) {
	if text[0] != '"' {
		return text, 0, ""
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			if i+1 < len(text) {
				return "", i + 1, "text stands after the closing quote"
			}
			if b.Len() == 0 {
				return "", 0, "the destination is empty"
			}
			return b.String(), 0, ""
		case '\\':
			if i+1 == len(text) || text[i+1] != '"' && text[i+1] != '\\' {
				return "", i, "in a quoted destination `\\` is legal before `\"` and `\\` only"
			}
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, "the quoted destination is not closed"
}
