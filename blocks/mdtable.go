package blocks

import (
	"bytes"
	"strings"
)

// startTable makes a table of the last two rows of the open paragraph, if they
// are a header and a row of dashes with as many cells. What is above them stays
// a paragraph. The table goes on until a row is blank or starts another block;
// no row is a lazy continuation of it.
func (r *mdReader) startTable(p *mdBlock) {
	n := len(p.rows) - 2
	if n < 0 {
		return
	}
	header, dashes := p.rows[n], p.rows[n+1]
	columns := delimiters(r.src[dashes.from:dashes.to])
	if columns == 0 || cells(bytes.Trim(r.src[header.from:header.to], mdSpaces)) != columns {
		return
	}
	above := *p
	above.rows = p.rows[:n+1]
	var parts []*mdBlock
	switch parts = r.split(&above); {
	case len(above.rows) == 0:
		return // the header is the end of a definition
	case len(above.rows) == 1:
		parts = parts[:len(parts)-1]
	default:
		above.rows = above.rows[:len(above.rows)-1]
		above.last = above.rows[len(above.rows)-1].from
	}
	t := &mdBlock{kind: mdTable, at: header.from, last: dashes.from, rows: []mdRow{header}}
	parent := r.open[len(r.open)-2]
	parent.children = append(append(parent.children[:len(parent.children)-1], parts...), t)
	r.open[len(r.open)-1] = t
}

// delimiters is the number of columns that a row of dashes sets up, 0 for any
// other row.
func delimiters(row []byte) int {
	if len(row) == 0 || strings.IndexByte("|:-", row[0]) < 0 || len(bytes.Trim(row, "-")) == 0 {
		return 0
	}
	columns := bytes.Split(row, []byte("|"))
	if len(bytes.Trim(columns[0], mdSpaces)) == 0 {
		columns = columns[1:]
	}
	if n := len(columns); n > 0 && len(bytes.Trim(columns[n-1], mdSpaces)) == 0 {
		columns = columns[:n-1]
	}
	for _, c := range columns {
		c = bytes.Trim(c, mdSpaces)
		c = bytes.TrimPrefix(c, []byte(":"))
		c = bytes.TrimSuffix(c, []byte(":"))
		if len(c) == 0 || len(bytes.Trim(c, "-")) > 0 {
			return 0
		}
	}
	return len(columns)
}

// cells is the number of cells of a header row without the blanks at its ends.
// A bar after a backslash is text, in code spans too.
func cells(row []byte) int {
	at, end := 0, len(row)
	if end > 0 && row[0] == '|' {
		at++
	}
	if end > 0 && row[end-1] == '|' {
		end--
	}
	n := 0
	for ; at < end; at++ {
		n++
		for at < end && (row[at] != '|' || at > 0 && row[at-1] == '\\') {
			at++
		}
	}
	return n
}
