package blocks

import (
	"bytes"
	"regexp"
	"sync"
)

var markdownKinds = []string{
	"document", "section", "heading", "paragraph", "fence", "code", "quote", "list", "item", "table", "row", "html", "break", "front_matter", "name", "ERROR",
}

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
	m.children(readMarkdown(src))
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
func (m *markdownBuilder) children(parent *mdBlock) {
	var sections []int // levels
	end := 0
	for _, c := range parent.children {
		if c.kind == mdHeading {
			for len(sections) > 0 && sections[len(sections)-1] >= c.level {
				m.close(end)
				sections = sections[:len(sections)-1]
			}
			m.open("section", c.at)
			sections = append(sections, c.level)
		}
		end = max(end, m.add(c))
	}
	for range sections {
		m.close(end)
	}
}

// add adds one block and returns where it ends.
func (m *markdownBuilder) add(b *mdBlock) int {
	end := m.rowEnd(b.last)
	switch b.kind {
	case mdHeading:
		m.open("heading", b.at)
		if len(b.rows) > 0 {
			last := b.rows[len(b.rows)-1]
			m.name(b.rows[0].from, last.from+len(bytes.TrimRight(m.src[last.from:last.to], mdSpaces)))
		}
		m.close(end)
	case mdParagraph:
		m.leaf("paragraph", b.at, end)
	case mdFence:
		m.leaf("fence", b.at, end)
	case mdCode:
		m.leaf("code", b.at, end)
	case mdHTML:
		m.leaf("html", b.at, end)
	case mdBreak:
		m.leaf("break", b.at, end)
	case mdQuote:
		end = m.container("quote", b)
	case mdList:
		end = m.container("list", b)
	case mdItem:
		end = m.container("item", b)
	case mdTable:
		m.open("table", b.at)
		for i, row := range b.rows {
			end = m.rowEnd(row.from)
			m.leaf("row", row.from, end)
			if i == 0 {
				end = m.rowEnd(min(end+1, len(m.src))) // the row of dashes
			}
		}
		m.close(end)
	}
	return end
}

func (m *markdownBuilder) container(kind string, b *mdBlock) int {
	m.open(kind, b.at)
	end := m.rowEnd(b.at)
	at := len(m.nodes)
	m.children(b)
	for i := at; i < len(m.nodes); i++ {
		end = max(end, int(m.nodes[i].end))
	}
	m.close(end)
	return end
}
