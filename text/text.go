// Package text is the text model: bytes on disk to numbered lines and back,
// tags and revisions. It answers where a line is, how it ends, what its bytes
// are, and how a text goes back to disk.
//
// It does no I/O and keeps no state. It may import refusal.
//
// # Notations
//
// Line numbers count from 1. A gap counts from 0: gap g lies after g lines, so
// gap 0 is the head of the file and gap Len() its tail. Byte offsets count
// from 0 and are offsets into Body, which is decoded, without a byte order
// mark. Columns, where they appear, count runes from 1.
//
// A line is the bytes before its terminator or before the end of the text.
// Terminators are LF and CRLF; CR is a terminator only in a text without any
// LF. A final terminator ends the last line and opens none.
//
// Terminators, byte order marks and the final newline are dealt with in this
// package and in the splice kernel of package ops, and nowhere else.
package text

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// An EOL is a line terminator: "\n", "\r\n", "\r", or "" for none.
type EOL string

// The terminators.
const (
	LF   EOL = "\n"
	CRLF EOL = "\r\n"
	CR   EOL = "\r"
	None EOL = ""
)

// Name is the terminator's usual name, "none" for the empty one.
func (e EOL) Name() string {
	switch e {
	case LF:
		return "lf"
	case CRLF:
		return "crlf"
	case CR:
		return "cr"
	}
	return "none"
}

// A Text is an immutable text with its line index. It is safe for concurrent
// use. The index costs four bytes a line.
type Text struct {
	body   []byte
	ends   []uint32 // ends[i] is the offset just past line i+1, its terminator included
	format Format
	crOnly bool
	valid  bool
	counts [3]int // lines ended by LF, CRLF, CR
}

// FromBody indexes decoded bytes. The text keeps body; the caller must not
// change it. Bodies of 4 GiB and more are not supported and panic.
// Cost: one pass, linear in len(body).
func FromBody(body []byte, format Format) *Text {
	if uint64(len(body)) > 1<<32-1 {
		panic("text: body over 4 GiB")
	}
	t := &Text{body: body, format: format, valid: utf8.Valid(body)}
	t.index()
	return t
}

func (t *Text) index() {
	b := t.body
	sep := byte('\n')
	n := bytes.Count(b, []byte{'\n'})
	if n == 0 && bytes.IndexByte(b, '\r') >= 0 {
		t.crOnly, sep = true, '\r'
		n = bytes.Count(b, []byte{'\r'})
	}
	if len(b) > 0 && b[len(b)-1] != sep {
		n++
	}
	t.ends = make([]uint32, 0, n)
	for at := 0; at < len(b); {
		i := bytes.IndexByte(b[at:], sep)
		if i < 0 {
			t.ends = append(t.ends, uint32(len(b)))
			break
		}
		at += i + 1
		t.ends = append(t.ends, uint32(at))
		switch {
		case t.crOnly:
			t.counts[2]++
		case at >= 2 && i > 0 && b[at-2] == '\r':
			t.counts[1]++
		default:
			t.counts[0]++
		}
	}
}

// Len is the number of lines.
func (t *Text) Len() int { return len(t.ends) }

// Size is the number of bytes of the body.
func (t *Text) Size() int { return len(t.body) }

// Body is the decoded text without a byte order mark. The caller must not change it.
func (t *Text) Body() []byte { return t.body }

// Format says how the text is stored on disk.
func (t *Text) Format() Format { return t.format }

// Valid reports whether the whole body is valid UTF-8.
func (t *Text) Valid() bool { return t.valid }

// CROnly reports whether CR is the terminator, which it is in a text that has
// a CR and no LF.
func (t *Text) CROnly() bool { return t.crOnly }

// Offset is the byte offset of gap g: where line g+1 starts. 0 <= g <= Len().
func (t *Text) Offset(g int) int {
	if g == 0 {
		return 0
	}
	return int(t.ends[g-1])
}

// LineAt is the number of the line that holds the byte at offset off, its
// terminator included, from 1. An offset at or past the end gives the last
// line, or 0 in an empty text.
func (t *Text) LineAt(off int) int {
	i := sort.Search(len(t.ends), func(i int) bool { return int(t.ends[i]) > off })
	return min(i+1, len(t.ends))
}

// Line is line n without its terminator. The caller must not change it.
func (t *Text) Line(n int) []byte {
	b := t.body[t.Offset(n-1):t.ends[n-1]]
	return b[: len(b)-len(t.EOL(n)) : len(b)-len(t.EOL(n))]
}

// EOL is the terminator of line n.
func (t *Text) EOL(n int) EOL {
	b := t.body[t.Offset(n-1):t.ends[n-1]]
	l := len(b)
	switch {
	case t.crOnly:
		if l > 0 && b[l-1] == '\r' {
			return CR
		}
	case l > 0 && b[l-1] == '\n':
		if l > 1 && b[l-2] == '\r' {
			return CRLF
		}
		return LF
	}
	return None
}

// FinalNewline reports whether the last line is terminated. An empty text has
// no last line and reports true, since whatever fills it is terminated.
func (t *Text) FinalNewline() bool {
	return t.Len() == 0 || t.EOL(t.Len()) != None
}

// CommonEOL is the most frequent terminator; a tie, and a text without any
// terminator, give LF.
func (t *Text) CommonEOL() EOL {
	switch {
	case t.counts[2] > 0:
		return CR
	case t.counts[1] > t.counts[0]:
		return CRLF
	}
	return LF
}

// Mixed reports whether lines end in different terminators.
func (t *Text) Mixed() bool { return t.counts[0] > 0 && t.counts[1] > 0 }

// LineValid reports whether line n is valid UTF-8, so that it can be shown unaltered.
func (t *Text) LineValid(n int) bool { return t.valid || utf8.Valid(t.Line(n)) }

// Equal reports whether two texts have the same lines. Terminators, the
// presence of the last one, byte order marks and encodings aside, every byte
// counts, blanks at the end of a line included.
// Cost: linear, and as fast as comparing memory when the bodies are equal.
func Equal(a, b *Text) bool {
	if a == b {
		return true
	}
	if a.Len() != b.Len() {
		return false
	}
	if bytes.Equal(a.body, b.body) {
		return true
	}
	for n := 1; n <= a.Len(); n++ {
		if !bytes.Equal(a.Line(n), b.Line(n)) {
			return false
		}
	}
	return true
}
