package blocks

import (
	"bytes"
	"context"
	"regexp"
	"sync"
)

// A splitter finds the statements of a language whose grammar does not recover
// from errors well, without parsing them: ranges of bytes, in order.
type splitter func(src []byte) [][2]int

var splitters = map[string]splitter{"sql": splitSQL, "dockerfile": splitDockerfile}

// isolate parses the statements that touch an error one by one, blanks those
// that are faulty by themselves and parses the whole again, so that an error
// declines its own statement alone. The blanked statements are error nodes of
// the result. It returns what it was given when that does not help.
func (p *local) isolate(ctx context.Context, g *grammar, b *budget, tree *cTree, src []byte, nodes []node, ids []uint64) (*cTree, []byte, []node, []uint64) {
	split := splitters[g.lang.Name]
	if split == nil || nodes[0].flags&broken == 0 {
		return tree, src, nodes, ids
	}
	masked := bytes.Clone(src)
	var bad [][2]int
	for _, pc := range split(src) {
		if !touched(nodes, pc) {
			continue
		}
		if ctx.Err() != nil {
			return tree, src, nodes, ids
		}
		// A statement may need the end of its row.
		text := append(bytes.Clone(src[pc[0]:pc[1]]), '\n')
		alone := g.parse(ctx, text, nil, b)
		if alone == nil {
			return tree, src, nodes, ids
		}
		found, known := g.flatten(alone)
		if found != nil && found[0].flags&broken != 0 {
			alone, text, found, _ = p.respell(ctx, g, b, alone, text, found, known)
		}
		alone.close()
		if found == nil || found[0].flags&broken != 0 {
			bad = append(bad, pc)
			blankOut(masked[pc[0]:pc[1]])
		} else {
			copy(masked[pc[0]:pc[1]], text[:pc[1]-pc[0]])
		}
	}
	again := g.parse(ctx, masked, nil, b)
	if again == nil {
		return tree, src, nodes, ids
	}
	out, known := g.flatten(again)
	if out == nil || errorCount(out)+len(bad) > errorCount(nodes) && out[0].flags&broken != 0 {
		again.close()
		return tree, src, nodes, ids
	}
	tree.close()
	if len(bad) == 0 {
		return again, masked, out, known
	}
	at := builder{starts: rowStarts(src)}
	for _, pc := range bad {
		n := node{start: uint32(pc[0]), end: uint32(pc[1]), next: int32(len(out)) + 1, kind: errorKind, flags: named | isError | broken}
		n.row, n.last = at.rowOf(n.start), at.rowOf(max(n.end, n.start+1)-1)
		out = append(out, n)
	}
	root := &out[0]
	root.flags |= broken
	root.next = int32(len(out))
	root.start, root.row = 0, 0
	root.end, root.last = uint32(len(src)), at.rowOf(uint32(len(src)))
	return again, masked, out, known
}

func touched(nodes []node, pc [2]int) bool {
	for i := range nodes {
		n := &nodes[i]
		if n.flags&(isError|missing) != 0 && int(n.start) <= pc[1] && pc[0] <= int(n.end) {
			return true
		}
	}
	return false
}

// errorKind is the kind that the runtime gives error nodes.
const errorKind = 0xffff

func blankOut(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}

var dollarTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\$\w*\$`) })

// splitSQL splits at semicolons outside strings, comments and dollar quotes.
func splitSQL(src []byte) [][2]int {
	var out [][2]int
	from := -1
	skip := func(i int, stop string, width int) int {
		if j := bytes.Index(src[min(i+width, len(src)):], []byte(stop)); j >= 0 {
			return i + width + j + len(stop)
		}
		return len(src)
	}
	for i := 0; i < len(src); {
		c := src[i]
		if blank(c) {
			i++
			continue
		}
		comment := c == '-' && bytes.HasPrefix(src[i:], []byte("--")) || c == '/' && bytes.HasPrefix(src[i:], []byte("/*"))
		if !comment && from < 0 {
			from = i
		}
		switch {
		case comment && c == '-':
			i = skip(i, "\n", 2)
		case comment:
			i = skip(i, "*/", 2)
		case c == '\'' || c == '"' || c == '`':
			i = skip(i, string(c), 1)
		case c == '$' && dollarTag().Match(src[i:]):
			tag := dollarTag().Find(src[i:])
			i = skip(i, string(tag), len(tag))
		case c == ';':
			i++
			out = append(out, [2]int{from, i})
			from = -1
		default:
			i++
		}
	}
	if from >= 0 {
		out = append(out, [2]int{from, len(bytes.TrimRight(src, " \t\r\n"))})
	}
	return out
}

var heredocTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<<-?\s*["']?(\w+)["']?`) })

// splitDockerfile splits into instructions: rows joined by backslashes,
// comments between them, and the heredocs that they open.
func splitDockerfile(src []byte) [][2]int {
	var out [][2]int
	for at := 0; at < len(src); {
		end := rowStop(src, at)
		row := bytes.TrimSpace(src[at:end])
		if len(row) == 0 || row[0] == '#' {
			at = end + 1
			continue
		}
		from := at
		for len(row) > 0 && row[len(row)-1] == '\\' && end < len(src) {
			next := end + 1
			end = rowStop(src, next)
			// A comment or a blank row inside does not end the instruction.
			row = bytes.TrimSpace(src[min(next, len(src)):end])
			for (len(row) == 0 || row[0] == '#') && end < len(src) {
				next = end + 1
				end = rowStop(src, next)
				row = bytes.TrimSpace(src[min(next, len(src)):end])
			}
		}
		for _, m := range heredocTag().FindAllSubmatch(src[from:end], -1) {
			for end < len(src) {
				next := end + 1
				end = rowStop(src, next)
				if bytes.Equal(bytes.TrimSpace(src[min(next, len(src)):end]), m[1]) {
					break
				}
			}
		}
		out = append(out, [2]int{from, end})
		at = end + 1
	}
	return out
}

func rowStop(src []byte, at int) int {
	at = min(at, len(src))
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(src)
}
