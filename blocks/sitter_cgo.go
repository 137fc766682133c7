//go:build cgo

package blocks

/*
#cgo CFLAGS: -O2
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include "sitter.h"
*/
import "C"

import (
	"context"
	"runtime"
	"sync"
	"unsafe"

	"putcut/grammars"
)

// compiled says that this build has the C grammars.
const compiled = true

// A grammar is a C grammar ready for use.
type grammar struct {
	*syntax
	ptr unsafe.Pointer
}

var (
	grammarsMu sync.Mutex
	loaded     = map[string]*grammar{}
)

// load returns the grammar of a language, nil when there is none.
func load(l *grammars.Language) *grammar {
	grammarsMu.Lock()
	defer grammarsMu.Unlock()
	if g, ok := loaded[l.Name]; ok {
		return g
	}
	ptr := l.Pointer()
	if ptr == nil {
		loaded[l.Name] = nil
		return nil
	}
	cl := (*C.TSLanguage)(ptr)
	kinds := make([]string, C.ts_language_symbol_count(cl))
	fields := make([]string, C.ts_language_field_count(cl)+1)
	names := make([]C.name, len(kinds)+len(fields))
	C.putcut_names(cl, (*C.name)(unsafe.SliceData(names)), C.uint32_t(len(kinds)), C.uint32_t(len(fields)))
	for i, n := range names {
		// The names are constants of the grammar.
		s := unsafe.String((*byte)(unsafe.Pointer(n.text)), int(n.len))
		if i < len(kinds) {
			kinds[i] = s
		} else {
			fields[i-len(kinds)] = s
		}
	}
	g := &grammar{newSyntax(l, kinds, fields), ptr}
	for i := range kinds {
		if names[i].named {
			g.about[i] |= kindNamed
		}
	}
	loaded[l.Name] = g
	return g
}

// A cTree owns a tree in C memory. It must be closed, and is used by one
// goroutine at a time.
type cTree struct {
	t   *C.TSTree
	src []byte
}

func (c *cTree) close() {
	if c != nil && c.t != nil {
		C.ts_tree_delete(c.t)
		c.t = nil
	}
}

func (c *cTree) copy() *cTree { return &cTree{C.ts_tree_copy(c.t), c.src} }

type edit struct {
	start, oldEnd, newEnd uint32
	at                    [6]uint32 // row and column of start, oldEnd, newEnd
}

func (c *cTree) edit(e edit) {
	a := e.at
	u := func(i int) C.uint32_t { return C.uint32_t(a[i]) }
	C.putcut_edit(c.t, C.uint32_t(e.start), C.uint32_t(e.oldEnd), C.uint32_t(e.newEnd), u(0), u(1), u(2), u(3), u(4), u(5))
}

// parse parses src with a parser of its own; old may be an edited tree of
// which the unchanged parts are used again. nil says that it was cut short.
func (g *grammar) parse(ctx context.Context, src []byte, old *cTree, b *budget) *cTree {
	if ctx.Err() != nil || b.left <= 0 {
		return nil
	}
	var p *C.char
	if len(src) > 0 {
		p = (*C.char)(unsafe.Pointer(unsafe.SliceData(src)))
	}
	var o *C.TSTree
	if old != nil {
		o = old.t
	}
	// The parser polls the flag. What is bounded is the time this thread spends
	// on the parse, so that a busy machine gives the answers of an idle one; the
	// time on the wall has a bound of its own, far above.
	flag := (*C.size_t)(C.calloc(1, C.size_t(unsafe.Sizeof(C.size_t(0)))))
	defer C.free(unsafe.Pointer(flag))
	var w watch
	w.start(ctx, b.left, func() { *flag = 1 })
	t := C.putcut_parse(g.ptr, o, p, C.uint32_t(len(src)), 0, flag)
	b.left -= w.stop()
	runtime.KeepAlive(src)
	if t == nil {
		return nil
	}
	return &cTree{t, src}
}

// flatten copies the tree's nodes to Go memory; nil says that there are too
// many. ids identify their subtrees while the tree lives.
func (g *grammar) flatten(c *cTree) ([]node, []uint64) { return g.nodes(c, false, nil) }

// A basis is the flat form of the tree from which another was made by an edit.
type basis struct {
	nodes []node
	ids   []uint64
	edit  edit
}

func (g *grammar) nodes(c *cTree, all bool, from *basis) ([]node, []uint64) {
	// The scratch arrays are used again, so that their pages are.
	s, _ := scratches.Get().(*scratch)
	if s == nil {
		s = new(scratch)
	}
	defer scratches.Put(s)
	bytes := int(C.ts_node_end_byte(C.ts_tree_root_node(c.t)))
	s.grow(max(bytes/6, min(bytes/2, 1<<10)) + 64)
	var old *C.flat_old
	var pin runtime.Pinner
	defer pin.Unpin()
	if from != nil {
		pin.Pin(unsafe.SliceData(from.nodes))
		pin.Pin(unsafe.SliceData(from.ids))
		e := from.edit
		old = &C.flat_old{
			nodes: (*C.flat_node)(unsafe.Pointer(unsafe.SliceData(from.nodes))), ids: (*C.uint64_t)(unsafe.SliceData(from.ids)), len: C.uint32_t(len(from.nodes)),
			start: C.uint32_t(e.start), old_end: C.uint32_t(e.oldEnd), new_end: C.uint32_t(e.newEnd),
			row: C.uint32_t(e.at[0]), old_row: C.uint32_t(e.at[2]), new_row: C.uint32_t(e.at[4]),
		}
	}
	for {
		size := len(s.nodes)
		n := int(C.putcut_flatten(c.t, (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(g.about))), C.uint32_t(len(g.about)), C.bool(all), (*C.char)(unsafe.Pointer(unsafe.SliceData(c.src))), old,
			(*C.flat_node)(unsafe.Pointer(unsafe.SliceData(s.nodes))), (*C.uint64_t)(unsafe.SliceData(s.ids)), C.uint32_t(size)))
		if n <= size && n > size/2 && size < 1<<12 {
			// Handing over small arrays is cheaper than copying them.
			nodes, ids := s.nodes[:n:n], s.ids[:n:n]
			s.nodes, s.ids = nil, nil
			return nodes, ids
		}
		if n <= size {
			return append([]node(nil), s.nodes[:n]...), append([]uint64(nil), s.ids[:n]...)
		}
		if size >= maxNodes {
			return nil, nil
		}
		s.grow(4 * size)
	}
}

type scratch struct {
	nodes []node
	ids   []uint64
}

func (s *scratch) grow(n int) {
	if len(s.nodes) < n {
		s.nodes, s.ids = make([]node, n), make([]uint64, n)
	}
}

var scratches sync.Pool

const maxNodes = 1 << 23

// version is the version of the grammar's tables.
func (g *grammar) version() int { return int(C.ts_language_version((*C.TSLanguage)(g.ptr))) }
