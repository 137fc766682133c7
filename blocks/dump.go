package blocks

import (
	"fmt"
	"strings"
)

// Dump prints the tree, one node a row, for those who write language tables:
// its lines, its kind (anonymous ones quoted) with its field, and the start of
// its text.
func (t *Tree) Dump() string {
	var b strings.Builder
	if t.refused != nil {
		return t.refused.what + "\n"
	}
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
