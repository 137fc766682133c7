package blocks

import (
	"bytes"
	"context"
	"regexp"
	"time"
	"unicode/utf8"

	"putcut/grammars"
)

// local parses in this process. What is known to crash or hang a grammar is
// bounded before it is handed over.
type local struct {
	timeout time.Duration
	keep    bool
	// unbounded leaves out the bounds on the input: the process may die.
	unbounded bool
}

func (p *local) close()        {}
func (p *local) drop(s *state) { s.tree.close() }

func (p *local) parse(ctx context.Context, l *grammars.Language, src []byte, prev *state) result {
	if why := bounded(l, src); why != "" && !p.unbounded {
		return result{refused: tooDeep(why)}
	}
	if l.InGo() {
		s, nodes := parseInGo(l, src)
		if nodes == nil {
			return result{refused: &whole{"the parser failed on the file", plain}}
		}
		return result{syntax: s, nodes: nodes}
	}
	g := load(l)
	if g == nil {
		return result{refused: unsupported(l.Name)}
	}
	fed := src
	if l.Name == "jsonc" {
		fed = withoutTrailingCommas(src)
	}
	b := &budget{p.timeout}
	if prev != nil && prev.tree != nil {
		// The nodes of a text without errors do not depend on how they were
		// found; error recovery may, so a text with errors is parsed anew.
		if tree, edit := g.reparse(ctx, fed, prev, b); tree != nil {
			nodes, ids := g.nodes(tree, false, &basis{prev.nodes, prev.ids, edit})
			if nodes != nil && nodes[0].flags&broken == 0 {
				return p.finish(g, fed, tree, nodes, ids)
			}
			tree.close()
		}
	}
	b.left = p.timeout
	tree := g.parse(ctx, fed, nil, b)
	if tree == nil {
		return result{refused: outOfTime}
	}
	nodes, ids := g.flatten(tree)
	if nodes == nil {
		tree.close()
		return result{refused: outOfTime}
	}
	b.left = p.timeout // all further tries together
	if nodes[0].flags&broken != 0 && len(l.Respellings) > 0 {
		tree, fed, nodes, ids = p.respell(ctx, g, b, tree, fed, nodes, ids)
	}
	tree, fed, nodes, ids = p.isolate(ctx, g, b, tree, fed, nodes, ids)
	return p.finish(g, fed, tree, nodes, ids)
}

// finish keeps the tree for the next parse of a similar text. One with errors
// is not worth it: the next text is likely to have them too, and is then
// parsed anew.
func (p *local) finish(g *grammar, src []byte, tree *cTree, nodes []node, ids []uint64) result {
	r := result{syntax: g.syntax, nodes: nodes}
	if p.keep && nodes[0].flags&broken == 0 && len(ids) == len(nodes) {
		r.state = newState(src, tree)
		r.state.nodes, r.state.ids = nodes, ids
	} else {
		tree.close()
	}
	return r
}

func errorCount(nodes []node) (n int) {
	for i := range nodes {
		if nodes[i].flags&(isError|missing) != 0 {
			n++
		}
	}
	return n
}

// reparse parses src with what is unchanged of an earlier tree. It also returns
// the edit that it found.
func (g *grammar) reparse(ctx context.Context, src []byte, prev *state, b *budget) (*cTree, edit) {
	p, s := common(prev.src, src)
	for p > 0 && p < len(src) && !utf8.RuneStart(src[p]) || p > 0 && p < len(prev.src) && !utf8.RuneStart(prev.src[p]) {
		p--
	}
	for s > 0 && !utf8.RuneStart(src[len(src)-s]) {
		s--
	}
	e := edit{start: uint32(p), oldEnd: uint32(len(prev.src) - s), newEnd: uint32(len(src) - s)}
	r, c := point(prev.src, p)
	r2, c2 := point(prev.src, len(prev.src)-s)
	r3, c3 := point(src, len(src)-s)
	e.at = [6]uint32{r, c, r2, c2, r3, c3}
	old := prev.tree.copy()
	defer old.close()
	old.edit(e)
	return g.parse(ctx, src, old, b), e
}

// point is the row and the column, in bytes, of an offset; both from 0.
func point(src []byte, off int) (row, col uint32) {
	return uint32(bytes.Count(src[:off], []byte{'\n'})), uint32(off - 1 - bytes.LastIndexByte(src[:off], '\n'))
}

// respell parses a text with errors again with the language's respellings
// applied around the errors, all of them and then one rule at a time, and
// keeps what leaves fewer errors.
func (p *local) respell(ctx context.Context, g *grammar, b *budget, tree *cTree, src []byte, nodes []node, ids []uint64) (*cTree, []byte, []node, []uint64) {
	errs := errorCount(nodes)
	try := func(rules []grammars.Respelling) bool {
		other := respelled(rules, src, nodes)
		if other == nil {
			return false
		}
		again := g.parse(ctx, other, nil, b)
		if again == nil {
			return false
		}
		if mended, known := g.flatten(again); mended != nil && errorCount(mended) < errs {
			tree.close()
			tree, src, nodes, ids, errs = again, other, mended, known, errorCount(mended)
			return true
		}
		again.close()
		return false
	}
	for range respellRounds {
		better := try(g.lang.Respellings)
		if !better && len(src) <= respellBytes {
			for i := range g.lang.Respellings {
				better = try(g.lang.Respellings[i:i+1]) || better
			}
		}
		if !better || errs == 0 {
			break
		}
	}
	return tree, src, nodes, ids
}

const (
	respellRounds = 3
	respellBytes  = 256 << 10 // texts over this are not tried rule by rule
	respellRows   = 2         // how near to an error a match must be
)

// respelled is the source with rules applied near the errors, nil when none
// matches. It has the same length and the same line ends.
func respelled(rules []grammars.Respelling, src []byte, nodes []node) []byte {
	var bad []rowRange
	for i := range nodes {
		if n := &nodes[i]; n.flags&(isError|missing) != 0 {
			bad = append(bad, rowRange{n.row - min(n.row, respellRows), n.last + respellRows})
		}
	}
	b := builder{starts: rowStarts(src)}
	near := func(off int) bool {
		row := b.rowOf(uint32(off))
		for _, r := range bad {
			if r.from <= row && row <= r.to {
				return true
			}
		}
		return false
	}
	var out []byte
	for _, r := range rules {
		cur := either(out, src)
		for at := 0; at <= len(cur); {
			m := next(r.Pattern(), cur, at)
			if m == nil {
				break
			}
			from, to := m[2], m[3]
			if from >= 0 && len(r.With) <= to-from && near(from) {
				if out == nil {
					out = bytes.Clone(src)
					cur = out
				}
				n := copy(out[from:to], r.With)
				for i := from + n; i < to; i++ {
					if out[i] != '\n' && out[i] != '\r' {
						out[i] = ' '
					}
				}
			}
			at = max(m[0]+1, to)
		}
	}
	return out
}

func next(re *regexp.Regexp, src []byte, at int) []int {
	m := re.FindSubmatchIndex(src[at:])
	if len(m) < 4 {
		return nil
	}
	for i := range m {
		if m[i] >= 0 {
			m[i] += at
		}
	}
	return m
}
