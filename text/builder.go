package text

import (
	"bytes"
	"unicode/utf8"
)

// A Builder makes a new text out of runs of an old one and new rows, in order,
// without scanning the kept runs again. The splice kernel is its one user.
type Builder struct {
	old    *Text
	body   []byte
	ends   []uint32
	counts [3]int
	valid  bool
	tail   EOL // the terminator written last, as it was written
}

// Builder returns a builder for a text derived from t, with room for size
// bytes and lines lines.
func (t *Text) Builder(size, lines int) *Builder {
	return &Builder{
		old: t, body: make([]byte, 0, size), ends: make([]uint32, 0, lines),
		counts: t.counts, valid: true,
	}
}

// Keep appends the lines between gaps from and to as they are.
func (b *Builder) Keep(from, to int) {
	if from >= to {
		return
	}
	lo, hi := b.old.Offset(from), b.old.Offset(to)
	shift := uint32(len(b.body)) - uint32(lo) // wraps when text shrinks; so does the addition below
	b.body = append(b.body, b.old.body[lo:hi]...)
	n := len(b.ends)
	b.ends = append(b.ends, b.old.ends[from:to]...)
	if shift != 0 {
		for i, moved := 0, b.ends[n:]; i < len(moved); i++ {
			moved[i] += shift
		}
	}
	b.tail = b.old.EOL(to)
}

// Drop leaves out the lines between gaps from and to.
func (b *Builder) Drop(from, to int) {
	for n := from + 1; n <= to; n++ {
		b.count(b.old.EOL(n), -1)
	}
}

// Row appends a line with its terminator, which must not be None.
func (b *Builder) Row(row string, eol EOL) {
	b.body = append(append(b.body, row...), eol...)
	b.ends = append(b.ends, uint32(len(b.body)))
	b.valid = b.valid && utf8.ValidString(row)
	b.tail = eol
	b.count(b.ending(), 1)
}

// ending is how the last line reads: a CR that ends a line's text and the LF
// written after it are one terminator.
func (b *Builder) ending() EOL {
	at := len(b.body) - 2
	if b.tail == LF && at >= b.start() && b.body[at] == '\r' {
		return CRLF
	}
	return b.tail
}

// start is where the last line starts.
func (b *Builder) start() int {
	if len(b.ends) < 2 {
		return 0
	}
	return int(b.ends[len(b.ends)-2])
}

// Lines is the number of lines so far.
func (b *Builder) Lines() int { return len(b.ends) }

// Terminated reports whether the last line so far has a terminator; so does no line at all.
func (b *Builder) Terminated() bool { return len(b.ends) == 0 || b.tail != None }

// Terminate gives the last line a terminator. Joined says that the text of the
// line is another one now, since it ended in a CR that became part of the terminator.
func (b *Builder) Terminate(eol EOL) (joined bool) {
	b.body = append(b.body, eol...)
	b.ends[len(b.ends)-1] = uint32(len(b.body))
	b.tail = eol
	b.count(b.ending(), 1)
	return b.ending() != eol
}

// Unterminate takes the terminator off the last line, as it was written. It
// refuses, and returns false, when that line is empty, since without its
// terminator an empty last line would be no line.
func (b *Builder) Unterminate() bool {
	if len(b.body)-b.start() == len(b.tail) {
		return false
	}
	b.count(b.ending(), -1)
	b.body = b.body[:len(b.body)-len(b.tail)]
	b.ends[len(b.ends)-1] = uint32(len(b.body))
	b.tail = None
	return true
}

func (b *Builder) count(eol EOL, by int) {
	switch eol {
	case LF:
		b.counts[0] += by
	case CRLF:
		b.counts[1] += by
	case CR:
		b.counts[2] += by
	}
}

// Text returns the new text. Reindexed says that the rule for lone CRs is
// another one than in the old text (the last LF went, or the first one came),
// so that line numbers of the new text bear no relation to what was appended,
// or that what begins the text is a byte order mark now.
func (b *Builder) Text() (t *Text, reindexed bool) {
	if f := b.old.format; !f.BOM && bytes.HasPrefix(b.body, []byte(bom)) && f.marked() {
		f.BOM = true
		return FromBody(b.body[len(bom):], f), true
	}
	hasLF := b.counts[0]+b.counts[1] > 0
	crOnly := !hasLF && bytes.IndexByte(b.body, '\r') >= 0
	if crOnly != b.old.crOnly && (crOnly || bytes.IndexByte(b.body, '\r') >= 0) {
		return FromBody(b.body, b.old.format), true
	}
	valid := b.valid && b.old.valid
	if !valid {
		valid = utf8.Valid(b.body)
	}
	return &Text{body: b.body, ends: b.ends, format: b.old.format, crOnly: crOnly, valid: valid, counts: b.counts}, false
}
