package blocks

import (
	"bytes"
	"sort"
	"sync"

	"putcut/grammars"
)

// goParsers are the languages that are parsed in Go. Each feeds a builder and
// must accept any bytes.
var goParsers = map[string]struct {
	kinds []string
	parse func(*builder)
}{
	"markdown": {markdownKinds, parseMarkdown},
	"make":     {makeKinds, parseMake},
	"xml":      {xmlKinds, parseXML},
	"protobuf": {protoKinds, parseProto},
}

var (
	goMu       sync.Mutex
	goSyntaxes = map[string]*syntax{}
)

func goSyntax(l *grammars.Language) *syntax {
	goMu.Lock()
	defer goMu.Unlock()
	s := goSyntaxes[l.Name]
	if s == nil {
		s = newSyntax(l, goParsers[l.Name].kinds, []string{"", "name"})
		goSyntaxes[l.Name] = s
	}
	return s
}

// parseInGo gives no nodes when the parser panics, which none should.
func parseInGo(l *grammars.Language, src []byte) (s *syntax, nodes []node) {
	s = goSyntax(l)
	defer func() {
		if recover() != nil {
			nodes = nil
		}
	}()
	b := &builder{src: src, kinds: map[string]uint16{}}
	for i, k := range s.kinds {
		b.kinds[k] = uint16(i)
	}
	b.starts = rowStarts(src)
	b.open(s.kinds[0], 0)
	goParsers[l.Name].parse(b)
	for len(b.stack) > 0 {
		b.close(len(src))
	}
	return s, b.nodes
}

// rowStarts are the offsets where rows start.
func rowStarts(src []byte) []uint32 {
	starts := []uint32{0}
	for i := 0; ; {
		n := bytes.IndexByte(src[i:], '\n')
		if n < 0 {
			return starts
		}
		i += n + 1
		starts = append(starts, uint32(i))
	}
}

// A builder makes the flat tree of a language that is parsed in Go. The first
// kind of a language is its root.
type builder struct {
	src    []byte
	kinds  map[string]uint16
	starts []uint32 // where rows start
	nodes  []node
	stack  []int32
}

func (b *builder) rowOf(off uint32) uint32 {
	return uint32(sort.Search(len(b.starts), func(i int) bool { return b.starts[i] > off }) - 1)
}

// open begins a node; what is added until close is inside it.
func (b *builder) open(kind string, at int) {
	parent := int32(-1)
	if len(b.stack) > 0 {
		parent = b.stack[len(b.stack)-1]
	}
	b.stack = append(b.stack, int32(len(b.nodes)))
	b.nodes = append(b.nodes, node{start: uint32(at), row: b.rowOf(uint32(at)), parent: parent, kind: b.kinds[kind], flags: named})
}

// close ends the innermost open node before the offset at.
func (b *builder) close(at int) {
	i := b.stack[len(b.stack)-1]
	b.stack = b.stack[:len(b.stack)-1]
	n := &b.nodes[i]
	n.end = uint32(max(at, int(n.start)))
	n.last = b.rowOf(n.end)
	n.next = int32(len(b.nodes))
	if n.flags&broken != 0 && n.parent >= 0 {
		b.nodes[n.parent].flags |= broken
	}
}

// leaf adds a node without children.
func (b *builder) leaf(kind string, from, to int) {
	b.open(kind, from)
	b.close(to)
}

// token adds an anonymous node.
func (b *builder) token(kind string, from, to int) {
	b.open(kind, from)
	b.nodes[len(b.nodes)-1].flags = 0
	b.close(to)
}

// name adds the node that carries the name of the innermost open node.
func (b *builder) name(from, to int) {
	b.open("name", from)
	b.nodes[len(b.nodes)-1].field = 1
	b.close(to)
}

// bad adds an error node.
func (b *builder) bad(from, to int) {
	b.open("ERROR", from)
	b.nodes[len(b.nodes)-1].flags |= isError | broken
	b.close(to)
}
