package blocks

import (
	"iter"
	"strings"

	"putcut/grammars"
)

// A node is one node of a syntax tree in a flat preorder array. Its layout is
// that of flat_node in sitter.h: C code fills arrays of it.
//
// The array holds no node below one that lies on a single row, unless the
// language's table needs to look inside; so a tree is small, and resolving a
// row never touches the C tree.
type node struct {
	start, end   uint32 // byte offsets; end is exclusive and may take in blanks
	row, last    uint32 // rows from 0; last is the row of the offset end
	parent, next int32  // indices; next is just past the subtree
	kind, field  uint16
	flags, _     uint16
}

// The flags of a node.
const (
	named   = 1 << iota
	isError // the parser skipped what is here
	missing // the parser made this up
	broken  // there is one of both inside
)

// The flags of a kind, as in sitter.h.
const (
	kindNamed = 1 << iota
	kindDeep
	kindKeep
	kindSkip // line ends that are tokens
)

// What a kind is in a language's table, as bits.
const (
	container uint32 = 1 << iota
	header
	part
	attached
	comment
	clause
	opaque
	oneRow
	heredoc
	noTail
	opener
	closer
	labelGroup
	follower
	declares
	caseItem
	lead
	unfinished
	directive
)

// A syntax is what is fixed about the trees of one language: its table with
// kinds as numbers. It is immutable and shared.
type syntax struct {
	lang   *grammars.Language
	kinds  []string
	fields []string
	is     []uint32 // by kind: bits
	about  []byte   // by kind: the KIND flags of sitter.h
	decls  map[uint16][]grammars.Decl
	docs   map[uint16][]grammars.Doc
}

var brackets = map[string]string{"{": "}", "(": ")", "[": "]", "do": "end", "${": "}", "#{": "}", "{|": "|}", "@{": "}"}

func newSyntax(l *grammars.Language, kinds, fields []string) *syntax {
	s := &syntax{lang: l, kinds: kinds, fields: fields, is: make([]uint32, len(kinds)), about: make([]byte, len(kinds)),
		decls: map[uint16][]grammars.Decl{}, docs: map[uint16][]grammars.Doc{}}
	at := kindsByName(kinds)
	set := func(bit uint32, names ...string) {
		for _, n := range names {
			for k := range at.named(n) {
				s.is[k] |= bit
			}
		}
	}
	set(container, l.Containers...)
	set(header, l.Headers...)
	set(part, l.Parts...)
	set(attached, l.Attached...)
	set(comment, "comment")
	set(comment, l.Comments...)
	set(clause, l.Clauses...)
	set(caseItem, l.Cases...)
	set(lead, l.Leads...)
	set(unfinished, l.Unfinished...)
	set(directive, l.Directives)
	set(opaque, l.Opaque...)
	set(oneRow, l.OneRow...)
	set(heredoc, l.Heredocs...)
	set(noTail, l.NoTail...)
	set(closer, l.Closers...)
	for o, c := range brackets {
		set(opener, o)
		set(closer, c)
	}
	for _, g := range l.LabelGroups {
		set(labelGroup, g.Key)
	}
	for _, f := range l.Followers {
		set(follower, f.Value...)
	}
	for _, d := range l.Docs {
		for k := range at.named(d.Kind) {
			s.docs[k] = append(s.docs[k], d)
		}
	}
	deep := func(names ...string) {
		for _, n := range names {
			for k := range at.named(n) {
				s.about[k] |= kindDeep
			}
		}
	}
	deep(l.Inside...)
	for _, d := range l.Decls {
		set(declares, d.Kind)
		deep(d.Kind)
		for k := range at.named(d.Kind) {
			s.decls[k] = append(s.decls[k], d)
		}
	}
	for i, k := range kinds {
		if k != "" && strings.TrimSpace(k) == "" {
			s.about[i] |= kindSkip
		}
	}
	for i, bits := range s.is {
		if bits&(opener|closer|clause|directive|follower|comment|attached) != 0 {
			s.about[i] |= kindKeep
		}
	}
	// A label group's first label may be an anonymous token.
	for _, g := range l.LabelGroups {
		for i := range at.named(g.Value) {
			s.about[i] |= kindKeep
		}
	}
	return s
}

// A kindIndex finds kinds by name; several may share one.
type kindIndex struct {
	first map[string]uint16
	next  []uint16 // the next kind of that name; itself for the last
}

func kindsByName(kinds []string) kindIndex {
	x := kindIndex{make(map[string]uint16, len(kinds)), make([]uint16, len(kinds))}
	for i := len(kinds) - 1; i >= 0; i-- {
		k := uint16(i)
		x.next[i] = k
		if n, ok := x.first[kinds[i]]; ok {
			x.next[i] = n
		}
		x.first[kinds[i]] = k
	}
	return x
}

func (x kindIndex) named(name string) iter.Seq[uint16] {
	return func(yield func(uint16) bool) {
		k, ok := x.first[name]
		for ok && yield(k) {
			ok = x.next[k] != k
			k = x.next[k]
		}
	}
}

func (s *syntax) kindIs(kind uint16, bits uint32) bool {
	return int(kind) < len(s.is) && s.is[kind]&bits != 0
}

// name is the kind's name; error nodes have one that no table lists.
func (s *syntax) name(kind uint16) string {
	if int(kind) < len(s.kinds) {
		return s.kinds[kind]
	}
	return "ERROR"
}

func (s *syntax) field(id uint16) string {
	if int(id) < len(s.fields) {
		return s.fields[id]
	}
	return ""
}
