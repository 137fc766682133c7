package blocks

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	gparser "github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The model of our reader of Markdown is goldmark's: what it makes of a text,
// in our nodes.

var modelMarkdown = gparser.NewParser(
	gparser.WithBlockParsers(gparser.DefaultBlockParsers()...),
	gparser.WithParagraphTransformers(append(gparser.DefaultParagraphTransformers(),
		util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
)

func modelOf(b *builder) {
	m := &modelBuilder{builder: b, src: b.src}
	m.children(modelMarkdown.Parse(gtext.NewReader(b.src)))
}

type modelBuilder struct {
	*builder
	src []byte
}

// rowEnd is the offset of the end of the row that holds off.
func (m *modelBuilder) rowEnd(off int) int {
	if off >= len(m.src) {
		return len(m.src)
	}
	if i := bytes.IndexByte(m.src[off:], '\n'); i >= 0 {
		return off + i
	}
	return len(m.src)
}

// children adds the blocks of a container. A heading opens a section that ends
// before the next heading of its level or a higher one.
func (m *modelBuilder) children(parent ast.Node) {
	type open struct{ level int }
	var sections []open
	end := 0
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		if h, ok := c.(*ast.Heading); ok {
			for len(sections) > 0 && sections[len(sections)-1].level >= h.Level {
				m.close(end)
				sections = sections[:len(sections)-1]
			}
			m.open("section", m.start(h))
			sections = append(sections, open{h.Level})
		}
		end = max(end, m.add(c))
	}
	for range sections {
		m.close(end)
	}
}

// start is where a block begins: its first byte that is no blank.
func (m *modelBuilder) start(n ast.Node) int {
	at := n.Pos()
	if t, ok := n.(*east.Table); ok && t.FirstChild() != nil {
		at = t.FirstChild().Pos()
	}
	if lines := linesOf(n); at < 0 && lines != nil && lines.Len() > 0 {
		at = lines.At(0).Start
	}
	at = min(max(at, 0), len(m.src))
	for at < len(m.src) && (m.src[at] == ' ' || m.src[at] == '\t') {
		at++
	}
	return at
}

func linesOf(n ast.Node) *gtext.Segments {
	if n.Type() == ast.TypeInline {
		return nil
	}
	return n.Lines()
}

// add adds one block and returns where it ends.
func (m *modelBuilder) add(n ast.Node) int {
	from := m.start(n)
	end := m.rowEnd(from)
	if lines := linesOf(n); lines != nil && lines.Len() > 0 {
		end = max(end, m.rowEnd(max(lines.At(lines.Len()-1).Stop-1, 0)))
	}
	switch n := n.(type) {
	case *ast.Heading:
		if lines := n.Lines(); m.src[from] != '#' && lines.Len() > 0 {
			// The underline is the row after the text.
			end = m.rowEnd(min(m.rowEnd(max(lines.At(lines.Len()-1).Stop-1, 0))+1, len(m.src)))
		}
		m.open("heading", from)
		if lines := n.Lines(); lines.Len() > 0 {
			m.name(lines.At(0).Start, max(lines.At(lines.Len()-1).Stop, lines.At(0).Start))
		}
		m.close(end)
	case *ast.Paragraph, *ast.TextBlock:
		m.leaf("paragraph", from, end)
	case *ast.FencedCodeBlock:
		end = m.fenceEnd(from, end)
		m.leaf("fence", from, end)
	case *ast.CodeBlock:
		m.leaf("code", from, end)
	case *ast.HTMLBlock:
		if n.HasClosure() {
			end = max(end, m.rowEnd(max(n.ClosureLine.Start, 0)))
		}
		m.leaf("html", from, end)
	case *ast.ThematicBreak:
		m.leaf("break", from, end)
	case *ast.Blockquote:
		end = m.container("quote", from, end, n)
	case *ast.List:
		end = m.container("list", from, end, n)
	case *ast.ListItem:
		end = m.container("item", from, end, n)
	case *east.Table:
		m.open("table", from)
		for r := n.FirstChild(); r != nil; r = r.NextSibling() {
			at := min(max(r.Pos(), 0), len(m.src))
			for at < len(m.src) && (m.src[at] == ' ' || m.src[at] == '\t') {
				at++
			}
			stop := m.rowEnd(at)
			if r == n.FirstChild() {
				m.leaf("row", at, stop)
				stop = m.rowEnd(min(stop+1, len(m.src))) // the row of dashes
			} else {
				m.leaf("row", at, stop)
			}
			end = max(end, stop)
		}
		m.close(end)
	}
	return end
}

func (m *modelBuilder) container(kind string, from, end int, n ast.Node) int {
	m.open(kind, from)
	at := len(m.nodes)
	m.children(n)
	for i := at; i < len(m.nodes); i++ {
		end = max(end, int(m.nodes[i].end))
	}
	m.close(end)
	return end
}

// fenceEnd is where a fence ends whose last row of content ends at end: after
// the closing row, if there is one.
func (m *modelBuilder) fenceEnd(from, end int) int {
	mark := m.src[from]
	n := 0
	for from+n < len(m.src) && m.src[from+n] == mark {
		n++
	}
	if end+1 > len(m.src) {
		return end
	}
	next := m.src[min(end+1, len(m.src)):m.rowEnd(min(end+1, len(m.src)))]
	row := bytes.TrimRight(bytes.TrimLeft(next, " \t>"), " \t\r")
	if len(row) >= n && len(bytes.Trim(row, string(mark))) == 0 {
		return end + 1 + len(next)
	}
	return end
}
