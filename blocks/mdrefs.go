package blocks

import "bytes"

// definition is how many of a paragraph's first rows define the target of a
// link: `[label]: destination "title"`.
func definition(src []byte, rows []mdRow) int {
	if len(rows) == 0 || src[rows[0].from] != '[' {
		return 0
	}
	d := &definitionReader{src: src, rows: rows, at: rows[0].from}
	if !d.label() {
		return 0
	}
	d.blanks()
	if !d.destination() {
		return 0
	}
	plain := 0 // rows of the definition without a title
	if d.restBlank() {
		plain = d.row + 1
	}
	before, row := d.at, d.row
	d.blanks()
	if (d.at > before || d.row > row) && d.title() && d.restBlank() {
		return d.row + 1
	}
	return plain
}

// A definitionReader stands at a byte of a row; row is len(rows) at the end.
type definitionReader struct {
	src  []byte
	rows []mdRow
	row  int
	at   int
}

// peek is the next byte: LF at the end of a row, 0 at the end of all.
func (d *definitionReader) peek() byte {
	switch {
	case d.row == len(d.rows):
		return 0
	case d.at == d.rows[d.row].to:
		return '\n'
	}
	return d.src[d.at]
}

func (d *definitionReader) next() {
	if d.row == len(d.rows) {
		return
	}
	if d.at < d.rows[d.row].to {
		d.at++
		return
	}
	if d.row++; d.row < len(d.rows) {
		d.at = d.rows[d.row].from
	}
}

func (d *definitionReader) blanks() {
	for c := d.peek(); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = d.peek() {
		d.next()
	}
}

// restBlank reports whether nothing else stands on the row.
func (d *definitionReader) restBlank() bool {
	if d.row == len(d.rows) {
		return false
	}
	return mdBlank(d.src[d.at:d.rows[d.row].to])
}

// until passes what stands up to a byte, a backslash guarding what follows it.
// stop ends the search in vain.
func (d *definitionReader) until(end, stop byte) (text bool, ok bool) {
	for {
		c := d.peek()
		switch c {
		case 0:
			return false, false
		case end:
			d.next()
			return text, true
		case stop:
			return false, false
		case '\\':
			d.next()
			if d.peek() == 0 {
				return false, false
			}
		}
		text = text || bytes.IndexByte([]byte(mdSpaces), c) < 0
		d.next()
	}
}

func (d *definitionReader) label() bool {
	d.next()
	text, ok := d.until(']', '[')
	if !ok || !text || d.peek() != ':' {
		return false
	}
	d.next()
	return true
}

func (d *definitionReader) destination() bool {
	if d.peek() == '<' {
		row := d.row
		d.next()
		_, ok := d.until('>', '<')
		return ok && d.row == row
	}
	depth, n := 0, 0
	for ; ; n++ {
		c := d.peek()
		if c <= ' ' || c == 0x7f {
			break
		}
		if c == '\\' {
			d.next()
			if d.peek() <= ' ' {
				continue
			}
		} else if c == '(' {
			depth++
		} else if c == ')' {
			if depth--; depth < 0 {
				break
			}
		}
		d.next()
	}
	return n > 0 && depth <= 0
}

func (d *definitionReader) title() bool {
	var ok bool
	switch c := d.peek(); c {
	case '"', '\'':
		d.next()
		_, ok = d.until(c, 0)
	case '(':
		d.next()
		_, ok = d.until(')', '(')
	}
	return ok
}
