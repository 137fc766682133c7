package parser

import (
	"fmt"
	"strings"

	"putcut/refusal"
)

// bodyStyle says how the rows of a body are written.
type bodyStyle uint8

const (
	plusRows  bodyStyle = iota // each row has its +
	bareRows                   // no row has
	mixedRows                  // some have
)

// A body is what stands under an op row, judged.
type body struct {
	style bodyStyle
	// rows are the final content, in the styles that have one meaning.
	rows []string
	// filled is the first blank row read as an empty line, and 0 for none.
	filled int
	// opRow is the first + row that is a valid op, and opRows how many are.
	opRow, opRows int
	// fault is why the body has no single meaning.
	fault *problem
	first int // the row it starts on
	count int // how many rows it has
}

// judgeBody reads the rows of a body. Cost: one pass; rows are substrings of text.
func judgeBody(text string, first int, bare bool) *body {
	b := &body{first: first}
	b.rows = make([]string, 0, strings.Count(text, "\n")+1)
	var plus, other, blank, blanked int
	for rest := text; rest != ""; b.count++ {
		var row string
		row, rest = cutRow(rest)
		if row != "" && row[0] == '+' {
			plus++
			row = row[1:]
			if startsWithVerb(row) && opnessOf(row) == exact {
				if b.opRows == 0 {
					b.opRow = first + b.count
				}
				b.opRows++
			}
			b.rows = append(b.rows, row)
			continue
		}
		b.rows = append(b.rows, row)
		switch {
		case row == "":
			if blank == 0 {
				b.filled = first + b.count
			}
			blank++
		case isBlank(row):
			if blanked == 0 {
				blanked = first + b.count
			}
		default:
			other++
		}
	}
	switch {
	case other == 0:
		b.style = plusRows
		if blanked > 0 {
			b.fault = at(blanked, 1, "the row between two `+` rows holds blanks and no `+`, so it is either an empty line or a line of blanks").
				next("Write `+` for an empty line").
				cured(blanked, 1, "+")
		}
	case plus == 0:
		b.style, b.filled = bareRows, 0
		b.fault = judgeBare(b, bare)
	default:
		b.style = mixedRows
		b.fault = judgeMixed(text, first)
	}
	return b
}

// startsWithVerb is a quick no for rows that cannot be an exact op.
func startsWithVerb(row string) bool {
	if row != "" && (row[0] == ' ' || row[0] == '\t') {
		row = strings.TrimLeft(row, blanks)
	}
	if len(row) < 3 {
		return false
	}
	switch row[0] {
	case 'P', 'C', 'R', 'M', 'p', 'c':
		return strings.HasPrefix(row, "MV") || verbOf(row[:3]) != ""
	}
	return false
}

// judgeBare looks for a row by which a body without + could mean something else.
func judgeBare(b *body, bare bool) *problem {
	for i, row := range b.rows {
		n := b.first + i
		if isBlank(row) {
			continue
		}
		why := ""
		switch t := strings.TrimLeft(row, blanks); {
		case diffSign(row, strings.Join(b.rows[i+1:min(i+2, len(b.rows))], "")) != "":
			return foreign(n, diffSign(row, strings.Join(b.rows[i+1:min(i+2, len(b.rows))], "")), row, bare)
		case row[0] == '-':
			return at(n, 1, quote(row)+" starts with `-`; there are no `-` rows, and as content it needs a `+` in front").
				next("Give every row that is content its `+`, as in " + quote("+"+row) + "; lines that go are named by the numbers of an op alone")
		case t[0] == '+':
			p := at(n, column(row, len(row)-len(t)), quote(row)+" has blanks before its `+`; a body row starts with `+` in the first column").
				next("Start every body row with `+` in the first column")
			if rows := dedent(b.rows); rows != nil {
				p.cured(b.first, b.count, rows...)
			}
			return p
		case isNumbered(row):
			p := at(n, 1, quote(row)+" has the form of reader output, `N:text`; body rows are the new text alone, each with `+`").
				next("Write " + quote("+"+row[numberEnd(row):]) + ", or " + quote("+"+row) + " when the number is content")
			if rows := unnumber(b.rows); rows != nil {
				p.cured(b.first, b.count, rows...)
			}
			return p
		case opnessOf(row) != notOp:
			why = "looks like an op"
		case likeHeader(row):
			why = "looks like a header"
		case nearMarker(row) != "":
			why = "looks like a marker"
		}
		if _, _, ok := fenceOf(row); ok {
			why = "looks like a fence"
		}
		if why != "" {
			return at(n, 1, quote(row)+" stands among body rows without `+` and "+why).
				next("Give every row that is content its `+`, as in " + quote("+"+row))
		}
	}
	return nil
}

// judgeMixed refuses a body in which some rows have + and some have not.
func judgeMixed(text string, first int) *problem {
	rows := splitRows(text)
	bad := 0 // index of the first bare row
	for bad < len(rows) && (rows[bad] == "" || rows[bad][0] == '+') {
		bad++
	}
	row := rows[bad]
	n := first + bad
	p := at(n, 1, quote(row)+" has no `+` and other rows of the body have; in a body either all rows have it or none")
	var minus, other, odd int
	lastPlus := 0
	for i, r := range rows {
		switch {
		case r != "" && r[0] == '+':
			lastPlus = i
		case isBlank(r):
		case r[0] == '-':
			minus++
		case isElision(r) || isNumbered(r) || opnessOf(r) != notOp || likeHeader(r) || nearMarker(r) != "" || strings.TrimLeft(r, blanks)[0] == '+':
			odd++
		default:
			other++
		}
	}
	_, _, fence := fenceOf(row)
	switch {
	case isElision(row):
		return p.next("Leave the row out: an op changes the lines it names and nothing else, so what stays is not written")
	case fence && bad == len(rows)-1:
		return p.next("Leave the fence out, or write "+quote("+"+row)+" when it is content").cured(n, 1)
	case minus > 0:
		p.refusal.What = quote(row) + " stands among `+` rows; there are no `-` rows and no context rows, since the numbers of the op say what goes"
		if row[0] != '-' {
			p.refusal.What = quote(row) + " has no `+`; there are no `-` rows and no context rows, since the numbers of the op say what goes"
		}
		p.next("Leave out the `-` rows and keep the `+` rows")
		if other == 0 && odd == 0 {
			for i, r := range rows {
				if r != "" && r[0] == '-' {
					p.cured(first+i, 1)
				}
			}
		}
		return p
	case isNumbered(row):
		return p.next("Write the new text alone, each row with `+` and without a line number")
	}
	p.next("Write " + quote("+"+row) + " when the row is content, else leave it out")
	if _, _, any := fenceOf(row); odd > 0 || any {
		return p
	}
	if i := first + lastPlus; n > i && bad > 0 && isBlank(rows[bad-1]) {
		return p // more likely prose after the script
	} else if n > i && isComment(row) {
		return p // a remark on what comes next, as likely as content
	}
	for i, r := range rows {
		if r == "" || r[0] != '+' {
			if isBlank(r) {
				r = ""
			}
			p.cured(first+i, 1, "+"+r)
		}
	}
	return p
}

func isComment(row string) bool {
	for _, sign := range []string{"#", "//", "--", "/*", "<!--", "%", ";"} {
		if strings.HasPrefix(row, sign) {
			return true
		}
	}
	return false
}

// dedent takes the same blanks off rows that then all start with +, or is nil.
func dedent(rows []string) []string {
	indent := rows[0][:len(rows[0])-len(strings.TrimLeft(rows[0], blanks))]
	out := make([]string, len(rows))
	for i, r := range rows {
		if isBlank(r) {
			out[i] = "+"
			continue
		}
		cut, ok := strings.CutPrefix(r, indent)
		if !ok || cut[0] != '+' {
			return nil
		}
		out[i] = cut
	}
	return out
}

// unnumber takes the numbers off rows that all have the form N:text, or is nil.
func unnumber(rows []string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		end := numberEnd(r)
		if end == 0 {
			return nil
		}
		out[i] = "+" + r[end:]
	}
	return out
}

// prefixed is the body's rows as they should have been written.
func (b *body) prefixed() []string {
	out := make([]string, len(b.rows))
	for i, r := range b.rows {
		out[i] = "+" + r
	}
	return out
}

// warnings are the remarks on a body that was accepted.
func (b *body) warnings(opRow int) []refusal.Warning {
	var ws []refusal.Warning
	if b.first > opRow+1 {
		ws = append(ws, refusal.Warning{Code: refusal.Spelling, Row: opRow + 1, Message: fmt.Sprintf(
			"blank rows between the op and its first body row are not part of the body; an empty line is a row with `+` alone (script row %d)", opRow+1)})
	}
	if b.filled > 0 {
		ws = append(ws, refusal.Warning{Code: refusal.Spelling, Row: b.filled, Message: fmt.Sprintf(
			"the empty row between `+` rows is read as `+`, an empty line (script row %d)", b.filled)})
	}
	if b.style == bareRows {
		taken := "it is taken as it stands"
		if len(b.rows) > 1 {
			taken = fmt.Sprintf("its %d rows are taken as they stand", len(b.rows))
		}
		ws = append(ws, refusal.Warning{Code: refusal.BodyUnprefixed, Row: b.first, Message: fmt.Sprintf(
			"the body has no `+`; %s (script row %d)", taken, b.first)})
	}
	if b.opRows > 0 {
		more := ""
		if b.opRows > 1 {
			more = fmt.Sprintf(", and %d more", b.opRows-1)
		}
		ws = append(ws, refusal.Warning{Code: refusal.RowIsOp, Row: b.opRow, Message: fmt.Sprintf(
			"%s is a valid op with a `+` in front%s, and was written as text (script row %d)", quote(b.rows[b.opRow-b.first]), more, b.opRow)})
	}
	return ws
}
