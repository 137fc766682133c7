package blocks

import "bytes"

// freeTail reports whether nothing but separators and a comment follows the
// offset end on its row, so that whole rows can be replaced without taking a
// piece of a neighbour along.
func (t *Tree) freeTail(end uint32) bool {
	row := t.rowOf(end)
	rest := t.src[end:t.text.Offset(int(row)+1)]
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n\f\v")
		if len(rest) == 0 {
			return true
		}
		switch rest[0] {
		case ',', ';':
			rest = rest[1:]
			continue
		case '\\':
			// A row that goes on in the next one, as in a macro or a command.
			rest = rest[1:]
			if len(bytes.TrimLeft(rest, " \t\r\n")) == 0 {
				return true
			}
			return false
		}
		break
	}
	// A comment: the node that starts here says so.
	off := uint32(len(t.src)) - uint32(len(t.src)-int(t.text.Offset(int(row)+1))) - uint32(len(rest))
	return t.commentAt(off)
}

// commentAt reports whether a comment starts at the offset.
func (t *Tree) commentAt(off uint32) bool {
	i := int32(0)
	if len(t.nodes) == 0 {
		return false
	}
	for {
		if t.nodes[i].start == off && t.kind(i, comment) {
			return true
		}
		next := int32(-1)
		for d := t.child(i); d >= 0 && t.nodes[d].start <= off; d = t.after(d) {
			if t.nodes[d].end > off {
				next = d
				break
			}
		}
		if next < 0 {
			return false
		}
		i = next
	}
}

// deepest is the innermost node that covers the offset.
func (t *Tree) deepest(off uint32) int32 {
	if len(t.nodes) == 0 {
		return -1
	}
	i := int32(0)
	for {
		next := int32(-1)
		for d := t.child(i); d >= 0 && t.nodes[d].start <= off; d = t.after(d) {
			if t.nodes[d].end > off {
				next = d
				break
			}
		}
		if next < 0 {
			return i
		}
		i = next
	}
}

// inside says why a row at whose first byte no node starts opens nothing.
func (t *Tree) inside(c uint32) reason {
	i := t.deepest(c)
	if i < 0 {
		return isContinuation
	}
	if t.nodes[i].flags&isError != 0 {
		return isBroken
	}
	if t.kind(i, comment|opaque|heredoc) || t.child(i) < 0 {
		return isOpaque
	}
	return isContinuation
}

// opaqueOrCloser tells the closing row of a string or a fence from its text.
func (t *Tree) opaqueOrCloser(i, p int32) reason {
	if t.textEnd(i) == t.textEnd(p) {
		return isCloser
	}
	return isOpaque
}
