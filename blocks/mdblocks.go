package blocks

import "bytes"

// Blocks of Markdown, read as CommonMark describes it: row by row, each row
// first matched against the containers that are open, then looked at for the
// starts of blocks. Inlines are not read, since none opens a construct.

type mdKind uint8

const (
	mdDocument mdKind = iota
	mdQuote
	mdList
	mdItem
	// Those above hold blocks, those below rows.
	mdParagraph
	mdHeading
	mdFence
	mdCode
	mdHTML
	mdBreak
	mdTable
	mdReference // the definition of a link
)

// A mdBlock is one block. Offsets are of the text.
type mdBlock struct {
	kind     mdKind
	at       int // the first byte
	last     int // some byte of the last row, its terminator at most
	children []*mdBlock
	rows     []mdRow // of a paragraph, a heading, a table but for its row of dashes

	level  int  // of a heading
	mark   byte // of a list or a fence
	count  int  // marks of a fence
	indent int  // of an item: columns before its content
	html   mdHTMLKind
}

// A mdRow is the text of a row without the blanks before it.
type mdRow struct{ from, to int }

// A mdReader reads a text. open are the blocks that are not closed, each the
// last child of the one before; the first is the document.
type mdReader struct {
	src  []byte
	open []*mdBlock

	// The row at hand from what is not consumed yet.
	at, end int // end is before the terminator
	column  int
	pad     int // columns of a tab at at-1 that are not consumed

	// The next byte that is no blank and its column, as long as at is not
	// beyond it: each of the items that a row is inside of asks for it.
	lead       int
	leadColumn int

	// Which open blocks a row is inside of that is blank from one of them on,
	// for the blocks that end with a tip: rows of nothing are many.
	calm struct {
		tip      *mdBlock
		from, to int
	}

	// Where the row has a byte that keeps it from being a break of that mark.
	other     int
	otherMark byte
}

func readMarkdown(src []byte) *mdBlock {
	r := &mdReader{src: src, open: []*mdBlock{{kind: mdDocument}}}
	for at := 0; at < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			end = at + i
		}
		r.at, r.end, r.column, r.pad, r.other, r.lead = at, end, 0, 0, -1, -1
		r.row()
		at = end + 1
	}
	r.closeTo(1)
	return r.open[0]
}

func (r *mdReader) tip() *mdBlock { return r.open[len(r.open)-1] }

// indent is how many columns of blanks are next, and what comes after them.
func (r *mdReader) indent() (columns, at int) {
	if r.lead >= r.at {
		return r.leadColumn - r.column, r.lead
	}
	columns = r.pad
blanks:
	for at = r.at; at < r.end; at++ {
		switch r.src[at] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - (r.column+columns)%4
		default:
			break blanks
		}
	}
	r.lead, r.leadColumn = at, r.column+columns
	return columns, at
}

// skip consumes up to n columns of blanks.
func (r *mdReader) skip(n int) {
	for n > 0 {
		if r.pad == 0 {
			if r.at == r.end {
				return
			}
			switch r.src[r.at] {
			case ' ':
				r.pad = 1
			case '\t':
				r.pad = 4 - r.column%4
			default:
				return
			}
			r.at++
		}
		k := min(n, r.pad)
		n, r.pad, r.column = n-k, r.pad-k, r.column+k
	}
}

// take consumes bytes that are no blanks, after all blanks before them.
func (r *mdReader) take(n int) {
	columns, at := r.indent()
	r.at, r.column, r.pad = at+n, r.column+columns+n, 0
}

func mdBlank(b []byte) bool { return len(bytes.Trim(b, mdSpaces)) == 0 }

const mdSpaces = " \t\r\n"

func (r *mdReader) row() {
	matched := r.match()
	tip := r.tip()
	whole := matched == len(r.open) || matched == len(r.open)-1 && tip.kind >= mdParagraph
	if whole && tip.kind > mdParagraph && r.goesOn(tip) {
		return
	}
	tip = r.tip()
	started := false // a block on this row, so the row is no continuation
	columns := 0
	for !mdBlank(r.src[r.at:r.end]) {
		var at int
		columns, at = r.indent()
		paragraph := !started && tip.kind == mdParagraph
		if columns >= 4 {
			if !paragraph {
				r.closeTo(matched)
				r.add(&mdBlock{kind: mdCode, at: at, last: at})
				return
			}
			break
		}
		// A paragraph of this very container, not one that the row is a lazy
		// continuation of.
		own := paragraph && matched == len(r.open)-1
		line := r.src[at:r.end]
		switch c := line[0]; {
		case c == '>':
			r.closeTo(matched)
			r.add(&mdBlock{kind: mdQuote, at: at})
			r.take(1)
			r.skip(1)
		case c == '#' && r.atx(line, at, matched):
			return
		case (c == '`' || c == '~') && r.fence(line, at, matched):
			return
		case c == '<' && r.startHTML(line, at, matched, paragraph):
			return
		case (c == '=' || c == '-') && own && underline(line):
			r.closeTo(matched)
			parent := r.tip()
			text := parent.children[len(parent.children)-1]
			if text.kind != mdParagraph {
				// It was no paragraph after all, so this row starts anew.
				tip = r.tip()
				continue
			}
			text.kind, text.level, text.last = mdHeading, 1, at
			if c == '-' {
				text.level = 2
			}
			return
		case (c == '-' || c == '*' || c == '_') && r.thematic(at):
			r.closeTo(matched)
			r.add(&mdBlock{kind: mdBreak, at: at, last: at})
			r.open = r.open[:len(r.open)-1]
			return
		default:
			if !r.item(line, at, columns, matched, own) {
				goto text
			}
		}
		started = true
		matched = len(r.open)
	}
text:
	if mdBlank(r.src[r.at:r.end]) {
		r.closeTo(matched)
		return
	}
	_, at := r.indent()
	inside := !started && matched == len(r.open)-1 // no lazy continuation
	switch tip := r.tip(); {
	case tip.kind == mdParagraph && !started:
		tip.rows = append(tip.rows, mdRow{at, r.end})
		tip.last = at
		if inside && columns < 4 {
			r.startTable(tip)
		}
		return
	case tip.kind == mdTable && inside:
		tip.rows = append(tip.rows, mdRow{at, r.end})
		tip.last = at
		return
	}
	r.closeTo(matched)
	r.add(&mdBlock{kind: mdParagraph, at: at, last: at, rows: []mdRow{{from: at, to: r.end}}})
}

// match consumes what the open containers have on every row, and returns how
// many of the open blocks the row is inside, rows of text aside.
func (r *mdReader) match() int {
	for i, b := range r.open {
		switch b.kind {
		case mdQuote:
			columns, at := r.indent()
			if columns > 3 || at == r.end || r.src[at] != '>' {
				return i
			}
			r.take(1)
			r.skip(1)
		case mdItem:
			columns, at := r.indent()
			switch {
			case mdBlank(r.src[at:r.end]):
				r.skip(columns)
				return r.matchBlank(i)
			case columns >= b.indent:
				r.skip(b.indent)
			default:
				return i
			}
		case mdDocument, mdList:
		default:
			return i
		}
	}
	return len(r.open)
}

// matchBlank is match from open block i on, for the rest of a row that is blank.
func (r *mdReader) matchBlank(i int) int {
	if tip := r.tip(); r.calm.tip != tip || r.calm.from != i {
		to := i
		for to < len(r.open) && (r.open[to].kind == mdList || r.open[to].kind == mdItem && len(r.open[to].children) > 0) {
			to++ // an item begins with one blank row at most
		}
		r.calm.tip, r.calm.from, r.calm.to = tip, i, to
	}
	return r.calm.to
}

// goesOn gives the row to an open block of rows, or closes the block. The
// answer is whether the row is used up.
func (r *mdReader) goesOn(b *mdBlock) bool {
	columns, at := r.indent()
	blank := mdBlank(r.src[at:r.end])
	switch b.kind {
	case mdFence:
		b.last = r.end
		if columns < 4 && !blank {
			n := run(r.src[at:r.end], b.mark)
			if n >= b.count && mdBlank(r.src[at+n:r.end]) {
				r.open = r.open[:len(r.open)-1]
			}
		}
		return true
	case mdCode:
		if blank {
			return true
		}
		if columns >= 4 {
			b.last = at
			return true
		}
	case mdTable:
		if !blank && columns < 4 {
			return false // unless another block starts, a row of it
		}
	case mdHTML:
		if !b.html.untilBlank() {
			b.last = r.end
			if b.html.ends(r.src[r.at:r.end]) {
				r.open = r.open[:len(r.open)-1]
			}
			return true
		}
		if !blank {
			b.last = at
			return true
		}
	}
	r.open = r.open[:len(r.open)-1]
	return false
}

// closeTo closes all but the first n open blocks.
func (r *mdReader) closeTo(n int) {
	for len(r.open) > n {
		b := r.tip()
		r.open = r.open[:len(r.open)-1]
		if b.kind == mdParagraph {
			parent := r.tip()
			parent.children = append(parent.children[:len(parent.children)-1], r.split(b)...)
		}
	}
}

// add opens a block inside the innermost open one; a list that it is no item of
// ends.
func (r *mdReader) add(b *mdBlock) {
	if r.tip().kind == mdList && b.kind != mdItem {
		r.open = r.open[:len(r.open)-1]
	}
	parent := r.tip()
	parent.children = append(parent.children, b)
	r.open = append(r.open, b)
}

// run is how often a text begins with a byte.
func run(b []byte, c byte) (n int) {
	for n < len(b) && b[n] == c {
		n++
	}
	return n
}

func (r *mdReader) atx(line []byte, at, matched int) bool {
	level := run(line, '#')
	if level > 6 || level < len(line) && bytes.IndexByte([]byte(mdSpaces), line[level]) < 0 {
		return false
	}
	from, to := at+level, r.end
	for from < to && bytes.IndexByte([]byte(mdSpaces), r.src[from]) >= 0 {
		from++
	}
	to = from + len(bytes.TrimRight(r.src[from:to], mdSpaces))
	// Marks at the end are decoration when a blank stands before them.
	text := bytes.TrimRight(r.src[from:to], "#")
	if len(text) == 0 {
		to = from
	} else if bare := bytes.TrimRight(text, mdSpaces); len(bare) < len(text) {
		to = from + len(bare)
	}
	r.closeTo(matched)
	h := &mdBlock{kind: mdHeading, at: at, last: at, level: level}
	if from < to {
		h.rows = []mdRow{{from: from, to: to}}
	}
	r.add(h)
	r.open = r.open[:len(r.open)-1]
	return true
}

func (r *mdReader) fence(line []byte, at, matched int) bool {
	n := run(line, line[0])
	if n < 3 || line[0] == '`' && bytes.IndexByte(line[n:], '`') >= 0 {
		return false
	}
	r.closeTo(matched)
	r.add(&mdBlock{kind: mdFence, at: at, last: at, mark: line[0], count: n})
	return true
}

// underline reports whether a row makes a heading of the paragraph above it.
func underline(line []byte) bool {
	return mdBlank(line[run(line, line[0]):])
}

// thematic reports whether a row is three or more of one mark, and blanks, from
// an offset on. Items inside each other ask it again and again of one row.
func (r *mdReader) thematic(at int) bool {
	mark, n := r.src[at], 0
	if mark == r.otherMark && at <= r.other {
		return false
	}
	for i, c := range r.src[at:r.end] {
		switch {
		case c == mark:
			n++
		case bytes.IndexByte([]byte(mdSpaces), c) < 0:
			r.other, r.otherMark = at+i, mark
			return false
		}
	}
	return n >= 3
}

// item starts an item, and a list if the item is not one of the list that is
// open. own says that the row may be text of an open paragraph.
func (r *mdReader) item(line []byte, at, columns, matched int, own bool) bool {
	width, mark := marker(line)
	if width == 0 {
		return false
	}
	rest := line[width:]
	empty := mdBlank(rest)
	if own && (empty || mark != line[0] && !bytes.Equal(bytes.TrimLeft(line[:width-1], "0"), []byte("1"))) {
		return false
	}
	r.closeTo(matched)
	if l := r.tip(); l.kind != mdList || l.mark != mark {
		if l.kind == mdList {
			r.open = r.open[:len(r.open)-1]
		}
		r.add(&mdBlock{kind: mdList, at: at, mark: mark})
	}
	i := &mdBlock{kind: mdItem, at: at}
	r.add(i)
	r.take(width)
	gap, _ := r.indent()
	if empty || gap > 4 {
		gap = 1
	}
	r.skip(gap)
	i.indent = columns + width + gap
	return true
}

// marker is the width of the marker that a row begins with, 0 for none, and
// what tells its list from others: the bullet, or what follows the number.
func marker(line []byte) (width int, mark byte) {
	switch c := line[0]; {
	case c == '-' || c == '+' || c == '*':
		width = 1
	case c >= '0' && c <= '9':
		for width < len(line) && line[width] >= '0' && line[width] <= '9' {
			width++
		}
		if width > 9 || width == len(line) || line[width] != '.' && line[width] != ')' {
			return 0, 0
		}
		width++
	default:
		return 0, 0
	}
	if width < len(line) && bytes.IndexByte([]byte(mdSpaces), line[width]) < 0 {
		return 0, 0
	}
	return width, line[width-1]
}

// split is what a paragraph turns out to be: definitions of links, and the text
// after them if there is any.
func (r *mdReader) split(p *mdBlock) []*mdBlock {
	var out []*mdBlock
	for len(p.rows) > 0 {
		n := definition(r.src, p.rows)
		if n == 0 {
			p.at = p.rows[0].from
			return append(out, p)
		}
		out = append(out, &mdBlock{kind: mdReference, at: p.rows[0].from, last: p.rows[n-1].from})
		p.rows = p.rows[n:]
	}
	return out
}
