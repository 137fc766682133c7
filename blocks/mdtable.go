package blocks

import "bytes"

// tableOf splits the rows of a paragraph at the first row of dashes that has a
// row above it: what stands above that header, and the table, nil for none. A
// header with more cells than the row of dashes is none.
func tableOf(src []byte, rows []mdRow) (text []mdRow, table *mdBlock) {
	for i := 1; i < len(rows); i++ {
		if rows[i].deep {
			continue
		}
		columns := delimiters(src[rows[i].from:rows[i].to])
		if columns == 0 {
			continue
		}
		header := rows[i-1]
		if cells(bytes.Trim(src[header.from:header.to], mdSpaces)) > columns {
			return rows, nil
		}
		t := &mdBlock{kind: mdTable, at: header.from, last: rows[len(rows)-1].from, rows: append([]mdRow{header}, rows[i+1:]...)}
		return rows[:i-1], t
	}
	return rows, nil
}

// delimiters is the number of columns that a row of dashes sets up, 0 for any
// other row.
func delimiters(row []byte) int {
	if len(bytes.Trim(row, "-")) == 0 {
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
