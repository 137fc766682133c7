package blocks

import (
	"bytes"
	"sort"
	"sync"

	"putcut/text"
)

// A Span is a run of lines, both ends inclusive, from 1. The zero Span is none.
type Span struct{ Start, End int }

// A Tree answers questions about one text. It is immutable but for memoised
// answers, holds no C memory, and is safe for concurrent use.
type Tree struct {
	*syntax  // nil when there is no tree
	language string
	text     *text.Text
	src      []byte // the body
	nodes    []node
	refused  *whole // why there is no tree

	leads []uint32 // by row: offset of the first byte that is no blank; none for a blank row
	first []int32  // by row: the first node that starts there, or -1
	// bad are the rows that errors spoil, by their first row; a range's last row
	// is the largest up to there, so that one comparison answers.
	bad []rowRange

	mu        sync.Mutex
	ends      []int32 // memo by row: 0 unknown, n > 0 the span's last line, -1 none
	why       []reason
	decls     []Decl
	declsDone bool
}

type rowRange struct{ from, to uint32 }

const none = ^uint32(0)

// newTree indexes nodes of t's body. nodes may be empty.
func newTree(s *syntax, t *text.Text, nodes []node) *Tree {
	tr := &Tree{syntax: s, language: s.lang.Name, text: t, src: t.Body(), nodes: nodes}
	rows := t.Len()
	tr.leads = make([]uint32, rows)
	tr.first = make([]int32, rows)
	tr.ends = make([]int32, rows)
	tr.why = make([]reason, rows)
	at := 0
	for r := range rows {
		end := t.Offset(r + 1)
		i := at
		for i < end && blank(tr.src[i]) {
			i++
		}
		tr.leads[r], tr.first[r] = none, -1
		if i < end {
			tr.leads[r] = uint32(i)
		}
		at = end
	}
	for i := range nodes {
		n := &nodes[i]
		// Some scanners count the blanks before a token as part of it.
		if n.end > n.start && blank(tr.src[n.start]) && !s.kindIs(n.kind, opaque|heredoc) {
			tr.trimStart(n)
		}
		if int(n.row) < rows && tr.first[n.row] < 0 && n.start == tr.leads[n.row] && (n.end > n.start) {
			tr.first[n.row] = int32(i)
		}
		if n.flags&(isError|missing) != 0 {
			tr.addBad(int32(i))
		}
	}
	sort.Slice(tr.bad, func(i, j int) bool { return tr.bad[i].from < tr.bad[j].from })
	for i := 1; i < len(tr.bad); i++ {
		tr.bad[i].to = max(tr.bad[i].to, tr.bad[i-1].to)
	}
	return tr
}

func (t *Tree) trimStart(n *node) {
	at := n.start
	for at < n.end && blank(t.src[at]) {
		at++
	}
	if at < n.end {
		n.start, n.row = at, uint32(t.text.LineAt(int(at))-1)
	}
}

// addBad notes the rows that an error spoils: those of an error node's own
// pieces, not those of complete constructs that it happens to wrap.
func (t *Tree) addBad(i int32) {
	n := &t.nodes[i]
	whole := true
	for c := t.child(i); c >= 0; c = t.after(c) {
		if m := &t.nodes[c]; m.flags&named != 0 && m.flags&isError == 0 && t.lastRow(c) > m.row {
			whole = false
		}
	}
	if whole {
		t.bad = append(t.bad, rowRange{n.row, max(n.row, t.lastRow(i))})
		return
	}
	for c := t.child(i); c >= 0; c = t.after(c) {
		if m := &t.nodes[c]; m.row == t.lastRow(c) {
			t.bad = append(t.bad, rowRange{m.row, m.row})
		}
	}
}

// spoiled reports whether an error lies on rows from to to.
func (t *Tree) spoiled(from, to uint32) bool {
	i := sort.Search(len(t.bad), func(i int) bool { return t.bad[i].from > to })
	return i > 0 && t.bad[i-1].to >= from
}

func blank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}

// child is the first child, after the next sibling; -1 is none.
func (t *Tree) child(i int32) int32 {
	if i+1 < t.nodes[i].next {
		return i + 1
	}
	return -1
}

func (t *Tree) after(i int32) int32 {
	n := &t.nodes[i]
	if n.parent >= 0 && n.next < t.nodes[n.parent].next {
		return n.next
	}
	return -1
}

// empty reports whether a node has no text of its own: virtual tokens, and
// line ends that are tokens in some grammars.
func (t *Tree) empty(i int32) bool {
	n := &t.nodes[i]
	if n.start == n.end {
		return true
	}
	return blank(t.src[n.start]) && len(bytes.TrimLeft(t.src[n.start:n.end], " \t\r\n\f\v")) == 0
}

// textEnd is the offset just past the last byte of a node that is no blank.
func (t *Tree) textEnd(i int32) uint32 {
	n := &t.nodes[i]
	e := n.end
	for e > n.start && blank(t.src[e-1]) {
		e--
	}
	return e
}

// rowOf is the row of the byte before the offset end.
func (t *Tree) rowOf(end uint32) uint32 {
	if end == 0 {
		return 0
	}
	return uint32(t.text.LineAt(int(end-1)) - 1)
}

// lastRow is the row of a node's last byte that is no blank.
func (t *Tree) lastRow(i int32) uint32 {
	n := &t.nodes[i]
	if n.row == n.last {
		return n.row
	}
	e := t.textEnd(i)
	if e == n.start {
		return n.row
	}
	return t.rowOf(e)
}

func (t *Tree) kind(i int32, bits uint32) bool {
	return t.kindIs(t.nodes[i].kind, bits) && t.nodes[i].flags&isError == 0
}

func (t *Tree) kindName(i int32) string { return t.name(t.nodes[i].kind) }

// ownRow reports whether a node is the first on its row.
func (t *Tree) ownRow(i int32) bool {
	n := &t.nodes[i]
	return int(n.row) < len(t.leads) && t.leads[n.row] == n.start
}

// column is the offset of a node within its row, in bytes.
func (t *Tree) column(off, row uint32) int { return int(off) - t.text.Offset(int(row)) }
