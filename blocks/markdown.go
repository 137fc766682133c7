package blocks

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/yuin/goldmark/ast"
	gparser "github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var markdownKinds = []string{
	"document", "section", "heading", "paragraph", "fence", "code", "quote", "list", "item", "table", "row", "html", "break", "front_matter", "name", "ERROR",
}

// markdown parses blocks alone: inlines cannot open a construct, and leaving
// them out keeps the parse linear in what matters.
var markdown = sync.OnceValue(func() gparser.Parser {
	return gparser.NewParser(
		gparser.WithBlockParsers(gparser.DefaultBlockParsers()...),
		gparser.WithParagraphTransformers(append(gparser.DefaultParagraphTransformers(), util.Prioritized(tables{}, 200))...),
	)
})

var frontMatter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\A(---|\+\+\+)[ \t]*\r?\n[^\r\n]*[\w"'#}\]]`)
})

func parseMarkdown(b *builder) {
	src := b.src
	if end := frontMatterEnd(src); end > 0 {
		b.leaf("front_matter", 0, end)
		// The parser of the rest must not see it, and offsets must stay.
		src = bytes.Clone(src)
		for i := range src[:end] {
			if src[i] != '\n' && src[i] != '\r' {
				src[i] = ' '
			}
		}
	}
	m := &markdownBuilder{builder: b, src: src}
	m.children(markdown().Parse(gtext.NewReader(src)))
}

// frontMatterEnd is the offset after the closing row of front matter, 0 when
// the text has none.
func frontMatterEnd(src []byte) int {
	m := frontMatter().FindSubmatch(src)
	if m == nil {
		return 0
	}
	fence := m[1]
	for at := bytes.IndexByte(src, '\n') + 1; at < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			end = at + i
		}
		row := bytes.TrimRight(src[at:end], " \t\r")
		if bytes.Equal(row, fence) {
			return end
		}
		at = end + 1
	}
	return 0
}

type markdownBuilder struct {
	*builder
	src []byte
}

// rowEnd is the offset of the end of the row that holds off.
func (m *markdownBuilder) rowEnd(off int) int {
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
func (m *markdownBuilder) children(parent ast.Node) {
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
func (m *markdownBuilder) start(n ast.Node) int {
	at := n.Pos()
	if t, ok := n.(*tableNode); ok {
		at = t.rows[0]
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
func (m *markdownBuilder) add(n ast.Node) int {
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
	case *tableNode:
		m.open("table", from)
		for i, at := range n.rows {
			for at < len(m.src) && (m.src[at] == ' ' || m.src[at] == '\t') {
				at++
			}
			end = m.rowEnd(at)
			m.leaf("row", at, end)
			if i == 0 {
				end = m.rowEnd(min(end+1, len(m.src))) // the row of dashes
			}
		}
		m.close(end)
	}
	return end
}

func (m *markdownBuilder) container(kind string, from, end int, n ast.Node) int {
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
func (m *markdownBuilder) fenceEnd(from, end int) int {
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
