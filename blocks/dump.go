package blocks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"putcut/grammars"
	"putcut/text"
)

// Dump prints the syntax tree of a text, one node a row, for those who write
// language tables: its lines, its kind (anonymous ones quoted) with its field,
// and the start of its text.
func Dump(lang string, doc *text.Text) string {
	l := grammars.Lookup(lang)
	if l == nil {
		return "unknown language\n"
	}
	var t *Tree
	if l.InGo() {
		s, nodes := parseInGo(l, source(doc))
		t = newTree(s, doc, nodes)
	} else {
		g := load(l)
		if g == nil {
			return "no grammar\n"
		}
		c := g.parse(context.Background(), source(doc), nil, &budget{time.Minute})
		if c == nil {
			return "out of time\n"
		}
		defer c.close()
		nodes, _ := g.nodes(c, true, nil)
		t = newTree(g.syntax, doc, nodes)
	}
	var b strings.Builder
	depth := make([]int, len(t.nodes))
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.parent >= 0 {
			depth[i] = depth[n.parent] + 1
		}
		kind := t.kindName(int32(i))
		if n.flags&named == 0 {
			kind = fmt.Sprintf("%q", kind)
		}
		if f := t.field(n.field); f != "" {
			kind = f + ": " + kind
		}
		if n.flags&missing != 0 {
			kind += " (missing)"
		}
		s := string(t.src[n.start:t.textEnd(int32(i))])
		if len(s) > 30 {
			s = s[:30]
		}
		fmt.Fprintf(&b, "%4d-%-4d %s%s %q\n", n.row+1, t.lastRow(int32(i))+1, strings.Repeat("  ", depth[i]), kind, s)
	}
	return b.String()
}
