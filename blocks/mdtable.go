package blocks

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	gparser "github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
)

// A tableNode is a table in the tree of a Markdown text. rows are where its
// rows begin, that of dashes left out.
type tableNode struct {
	ast.BaseBlock
	rows []int
}

var kindTable = ast.NewNodeKind("Table")

func (*tableNode) Kind() ast.NodeKind { return kindTable }

func (n *tableNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// tables finds the tables in paragraphs. It stands in for the parser's own
// extension, which brings a renderer along and prepares it whenever a program
// starts.
type tables struct{}

// Transform makes a table of the rows of a paragraph from the first row of
// dashes on that has a row above it; that row is the header, and what stands
// above it stays a paragraph. A header with more cells than the row of dashes
// is none.
func (tables) Transform(p *ast.Paragraph, r gtext.Reader, _ gparser.Context) {
	lines, src := p.Lines(), r.Source()
	for i := 1; i < lines.Len(); i++ {
		dashes := lines.At(i)
		columns := delimiters(dashes.Value(src))
		if columns == 0 {
			continue
		}
		header := lines.At(i - 1)
		header = header.TrimLeftSpace(src)
		header = header.TrimRightSpace(src)
		if cells(header.Value(src)) > columns {
			return
		}
		t := &tableNode{rows: []int{lines.At(i - 1).Start}}
		for j := i + 1; j < lines.Len(); j++ {
			t.rows = append(t.rows, lines.At(j).Start)
		}
		lines.SetSliced(0, i-1)
		p.Parent().InsertAfter(p.Parent(), p, t)
		if lines.Len() == 0 {
			p.Parent().RemoveChild(p.Parent(), p)
			return
		}
		last := lines.At(i - 2)
		last.Stop-- // its terminator
		lines.Set(i-2, last)
		return
	}
}

// delimiters is the number of columns that a row of dashes sets up, 0 for any
// other row.
func delimiters(row []byte) int {
	indent := 0
	for _, c := range row {
		if c == ' ' {
			indent++
		} else if c == '\t' {
			indent += 4 - indent%4
		} else {
			break
		}
	}
	if indent > 3 || len(bytes.Trim(row, "-")) == 0 {
		return 0
	}
	const spaces = " \t\r\n"
	columns := bytes.Split(row, []byte("|"))
	if len(bytes.Trim(columns[0], spaces)) == 0 {
		columns = columns[1:]
	}
	if n := len(columns); n > 0 && len(bytes.Trim(columns[n-1], spaces)) == 0 {
		columns = columns[:n-1]
	}
	for _, c := range columns {
		c = bytes.Trim(c, spaces)
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
