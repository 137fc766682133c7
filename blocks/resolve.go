package blocks

import "bytes"

// A reason says why a row opens nothing.
type reason uint8

const (
	fine reason = iota
	isBlank
	isCloser
	isContinuation
	isOpaque
	isOneRow
	isBroken
	isShared
)

// resolve answers for one row, from 0: the last row of the construct that
// opens on it, or why there is none.
//
// The construct is found from the inside out: the innermost node that starts
// at the row's first byte that is no blank, then its ancestors as long as they
// start there too and are no containers. What stands before it in an ancestor
// may only be attached to it.
func (t *Tree) resolve(row uint32) (uint32, reason) {
	c := t.leads[row]
	if c == none {
		return 0, isBlank
	}
	i := t.first[row]
	if i < 0 {
		return 0, t.inside(c)
	}
	if p := t.nodes[i].parent; p >= 0 && t.kind(p, opaque) && t.nodes[p].start < c {
		return 0, t.opaqueOrCloser(i, p)
	}
	leaf, inner := i, int32(-1)
	for {
		if t.nodes[leaf].flags&named != 0 {
			inner = leaf
		}
		if t.kind(leaf, opaque) && leaf != i {
			break
		}
		d := t.childAt(leaf, c)
		if d < 0 {
			break
		}
		leaf = d
	}
	if inner < 0 {
		if t.kind(leaf, clause) {
			return t.finish(row, leaf, t.clauseEnd(leaf))
		}
		inner = leaf
	}
	x := t.climb(inner, c)
	n := &t.nodes[x]
	if n.flags&isError != 0 {
		return 0, isBroken
	}
	if n.flags&named == 0 {
		return t.bare(row, x)
	}
	p := n.parent
	switch {
	case t.kind(x, part|header|container):
		if t.delimited(x) {
			break
		}
		return 0, isContinuation
	case p >= 0 && t.kind(p, header) && !t.delimited(x):
		return 0, isContinuation
	case p >= 0 && t.kind(p, labelGroup) && t.kindName(x) == t.lang.LabelGroups.Of(t.kindName(p)):
		if t.label(p, t.after(x)) >= 0 {
			return 0, isOneRow
		}
		return t.finish(row, x, t.extent(p, c))
	case t.kind(x, labelGroup) && n.start == c:
		if l := t.label(x, t.child(x)); l >= 0 && t.label(x, t.after(l)) >= 0 && t.nodes[t.label(x, t.after(l))].row > row {
			return 0, isOneRow
		}
	case t.kind(x, oneRow):
		return 0, isOneRow
	case t.kind(x, directive):
		return t.conditional(row, x)
	case t.continued(x) || t.operand(x):
		return 0, isContinuation
	case p >= 0 && t.nodes[p].flags&isError != 0 && !t.kind(x, declares|comment) && !t.delimited(x):
		return 0, isBroken
	}
	if n.start == c && (t.kind(x, attached) || t.isDoc(x)) {
		if d := t.target(x); d >= 0 {
			return t.finish(row, d, t.elementEnd(d, t.extent(d, t.nodes[d].start)))
		}
	}
	end := t.extent(x, c)
	if t.kind(x, lead) {
		end = t.elementEnd(x, end)
	}
	return t.finish(row, x, end)
}

// childAt is the child of i that starts at offset c and has a text.
func (t *Tree) childAt(i int32, c uint32) int32 {
	for d := t.child(i); d >= 0 && t.nodes[d].start <= c; d = t.after(d) {
		if t.nodes[d].start == c && t.nodes[d].end > c {
			return d
		}
	}
	return -1
}

func (t *Tree) climb(x int32, c uint32) int32 {
	if t.kind(x, comment) {
		return x
	}
	for {
		p := t.nodes[x].parent
		if p <= 0 || t.kind(p, container|header|opaque) || t.nodes[p].flags&isError != 0 {
			return x
		}
		if t.kind(p, labelGroup) && t.nodes[p].start != c {
			return x
		}
		if t.nodes[p].start != c && !t.ledTo(p, x) {
			return x
		}
		x = p
	}
}

// ledTo reports whether all that stands before child x in p is attached.
func (t *Tree) ledTo(p, x int32) bool {
	some := t.nodes[x].start > t.nodes[p].start
	found := !some
	for d := t.child(p); d >= 0 && d != x; d = t.after(d) {
		switch {
		case t.empty(d), t.kind(d, comment):
		case t.onlyAttached(d):
			found = true
		default:
			return false
		}
	}
	return found
}

// onlyAttached reports whether a node is attached, or holds nothing else.
func (t *Tree) onlyAttached(i int32) bool {
	if t.kind(i, attached) {
		return true
	}
	d := t.child(i)
	if d < 0 {
		return false
	}
	for ; d >= 0; d = t.after(d) {
		if !t.empty(d) && !t.kind(d, comment) && !t.onlyAttached(d) {
			return false
		}
	}
	return true
}

// bare answers for a row that starts with a keyword or a punctuation mark that
// is no node of the grammar's own: an opening bracket opens what it delimits.
func (t *Tree) bare(row uint32, x int32) (uint32, reason) {
	if t.kind(x, opener) {
		want := brackets[t.kindName(x)]
		for d := t.after(x); d >= 0; d = t.after(d) {
			if t.kindName(d) == want && t.nodes[d].flags&(named|missing) == 0 {
				return t.finish(row, x, t.textEnd(d))
			}
		}
	}
	if p := t.nodes[x].parent; p >= 0 && t.nodes[p].flags&isError != 0 {
		return 0, isBroken
	}
	if t.kind(x, closer) || t.closing(t.nodes[x].start) {
		return 0, isCloser
	}
	return 0, isContinuation
}

func (t *Tree) closing(off uint32) bool {
	switch t.src[off] {
	case '}', ')', ']':
		return true
	}
	return bytes.HasPrefix(t.src[off:], []byte("</")) || bytes.HasPrefix(t.src[off:], []byte("/>"))
}

// finish checks a construct whose text ends before the offset end: one row, an
// error inside, a last row shared with something else.
func (t *Tree) finish(row uint32, x int32, end uint32) (uint32, reason) {
	last := t.rowOf(end)
	if t.spoiled(row, max(row, last)) {
		return 0, isBroken
	}
	if last <= row {
		return 0, isOneRow
	}
	if !t.freeTail(end) {
		return 0, isShared
	}
	return last, fine
}

// delimited reports whether a node starts with an opening bracket and ends
// with its closing one.
func (t *Tree) delimited(i int32) bool {
	d := t.child(i)
	if d < 0 || !t.kind(d, opener) || t.nodes[d].flags&missing != 0 {
		return false
	}
	want, last := brackets[t.kindName(d)], d
	for ; d >= 0; d = t.after(d) {
		if !t.empty(d) {
			last = d
		}
	}
	return t.kindName(last) == want
}

// label is the first label of a label group at or after its child d, or -1.
func (t *Tree) label(group, d int32) int32 {
	want := t.lang.LabelGroups.Of(t.kindName(group))
	for ; d >= 0; d = t.after(d) {
		if t.kindName(d) == want {
			return d
		}
		if t.nodes[d].flags&named != 0 && !t.kind(d, comment) {
			return -1
		}
	}
	return -1
}

// extent is the offset where the construct x ends: trailing comments that are
// not indented below it, followers and heredocs taken into account. c is where
// it starts.
func (t *Tree) extent(x int32, c uint32) uint32 {
	row := t.nodes[x].row
	col := t.column(c, t.rowOf(c+1))
	var end uint32
	if t.kind(x, clause) {
		end = t.clauseEnd(x)
	} else {
		end = t.end(x, col)
	}
	if t.kind(x, clause|caseItem) {
		end = t.below(x, col, end)
	}
	for y := x; t.kind(y, unfinished); {
		d := t.after(y)
		for d >= 0 && (t.empty(d) || t.kind(d, comment)) {
			d = t.after(d)
		}
		if d < 0 || t.nodes[d].flags&named == 0 || t.nodes[d].row <= t.lastRow(y) {
			break
		}
		y = d
		end = t.end(d, col)
	}
	for d := t.after(x); d >= 0; d = t.after(d) {
		if t.empty(d) || t.kind(d, comment) {
			continue
		}
		if !t.kind(d, follower) || !contains(t.lang.Followers.Of(t.kindName(x)), t.kindName(d)) {
			break
		}
		end = t.end(d, col)
	}
	return t.withHeredocs(x, row, end)
}

// continued reports whether x is the rest of an unfinished sibling above.
func (t *Tree) continued(x int32) bool {
	if len(t.lang.Unfinished) == 0 || t.nodes[x].parent < 0 {
		return false
	}
	prev := int32(-1)
	for d := t.child(t.nodes[x].parent); d >= 0 && d != x; d = t.after(d) {
		if !t.empty(d) && !t.kind(d, comment) {
			prev = d
		}
	}
	return prev >= 0 && t.kind(prev, unfinished) && t.lastRow(prev) < t.nodes[x].row
}

// operand reports whether x is an operator expression that is the right side
// of one of its own kind that began on a row above: where operators associate
// to the right, every later row of the expression looks like one by itself.
func (t *Tree) operand(x int32) bool {
	n := &t.nodes[x]
	if n.parent < 0 {
		return false
	}
	p := &t.nodes[n.parent]
	return p.kind == n.kind && p.row < n.row && contains(operators, t.kindName(x))
}

var operators = []string{"binary_expression", "binary_operator", "binary", "binary_operation", "boolean_operator", "infix_expression"}

// elementEnd moves end to the end of an element that has no node of its own
// and begins with x: before the next separator or closing bracket.
func (t *Tree) elementEnd(x int32, end uint32) uint32 {
	for d := t.after(x); d >= 0; d = t.after(d) {
		if t.empty(d) {
			continue
		}
		if t.nodes[d].flags&named == 0 || t.kind(d, comment) || !t.kind(x, lead) {
			break
		}
		end = t.textEnd(d)
	}
	return end
}

// conditional pairs directives of conditional compilation that are siblings: a
// row with #if goes to its #endif, one with #else or #elseif to before the
// next of its level.
func (t *Tree) conditional(row uint32, x int32) (uint32, reason) {
	word := t.directiveWord(x)
	if word == "endif" {
		return 0, isCloser
	}
	if word != "if" && word != "else" && word != "elseif" {
		return 0, isOneRow
	}
	prev, depth := x, 0
	for d := t.after(x); d >= 0; d = t.after(d) {
		if t.empty(d) {
			continue
		}
		if t.kind(d, directive) {
			switch w := t.directiveWord(d); {
			case w == "if":
				depth++
			case w == "endif" && depth > 0:
				depth--
			case w == "endif" && word == "if":
				return t.finish(row, d, t.textEnd(d))
			case (w == "endif" || w == "else" || w == "elseif") && depth == 0 && word != "if":
				return t.finish(row, prev, t.textEnd(prev))
			}
		}
		prev = d
	}
	return 0, isBroken
}

func (t *Tree) directiveWord(x int32) string {
	f := bytes.Fields(bytes.TrimLeft(t.src[t.nodes[x].start:t.textEnd(x)], "# \t"))
	if len(f) == 0 {
		return ""
	}
	return string(f[0])
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

// end is where x ends without trailing comments at column col or left of it.
func (t *Tree) end(x int32, col int) uint32 {
	if t.lang.ImplicitEnds != nil {
		if e := t.implicitEnd(x); e > 0 {
			return e
		}
	}
	all := t.kind(x, noTail)
	for {
		if t.kind(x, comment) || t.delimited(x) {
			return t.textEnd(x)
		}
		var kept, dropped int32 = -1, -1
		for d := t.child(x); d >= 0; d = t.after(d) {
			if t.empty(d) {
				continue
			}
			if t.kind(d, comment) && t.ownRow(d) && (all || t.column(t.nodes[d].start, t.nodes[d].row) <= col) {
				dropped = d
				continue
			}
			kept, dropped = d, -1
		}
		if kept < 0 {
			return t.textEnd(x)
		}
		if dropped < 0 && t.textEnd(kept) != t.textEnd(x) {
			return t.textEnd(x)
		}
		x = kept
	}
}

// implicitEnd is where an element without an end tag ends before a child that
// ends it, 0 when there is none.
func (t *Tree) implicitEnd(x int32) uint32 {
	tag := t.step(x, "@start_tag")
	if tag < 0 || t.step(x, "@end_tag") >= 0 {
		return 0
	}
	ends := t.lang.ImplicitEnds.Of(t.tagName(tag))
	if len(ends) == 0 {
		return 0
	}
	prev := tag
	for d := t.after(tag); d >= 0; d = t.after(d) {
		if inner := t.step(d, "@start_tag"); inner >= 0 && contains(ends, t.tagName(inner)) {
			return t.textEnd(prev)
		}
		if !t.empty(d) && !t.kind(d, comment) {
			prev = d
		}
	}
	// What ends its last child ends it too.
	if e := t.implicitEnd(prev); e > 0 && t.kindName(prev) == t.kindName(x) && contains(ends, t.tagName(t.step(prev, "@start_tag"))) {
		return e
	}
	return 0
}

func (t *Tree) tagName(tag int32) string {
	if n := t.step(tag, "@tag_name"); n >= 0 {
		return string(bytes.ToLower(t.src[t.nodes[n].start:t.nodes[n].end]))
	}
	return ""
}

// withHeredocs moves end past bodies that begin on the rows of the construct.
func (t *Tree) withHeredocs(x int32, row, end uint32) uint32 {
	if len(t.lang.Heredocs) == 0 {
		return end
	}
	last := t.rowOf(end)
	for p := x; p >= 0; p = t.nodes[p].parent {
		for d := t.after(p); d >= 0; d = t.after(d) {
			n := &t.nodes[d]
			if n.row > last {
				break
			}
			if t.kind(d, heredoc) && n.row >= row {
				if e := t.textEnd(d); e > end {
					end, last = e, t.rowOf(e)
				}
			}
		}
	}
	return end
}

// clauseEnd is where the clause that x opens ends. x is a clause node, or the
// keyword of a clause for which the grammar has no node.
func (t *Tree) clauseEnd(x int32) uint32 {
	n := &t.nodes[x]
	col := t.column(n.start, n.row)
	if n.flags&named != 0 {
		return t.cut(x, t.child(x), col)
	}
	return t.cut(n.parent, x, col)
}

// below moves end past the comments after x that are indented below column col.
func (t *Tree) below(x int32, col int, end uint32) uint32 {
	for d := t.after(x); d >= 0; d = t.after(d) {
		if t.empty(d) {
			continue
		}
		if !t.kind(d, comment) || !t.ownRow(d) || t.column(t.nodes[d].start, t.nodes[d].row) <= col {
			break
		}
		end = t.textEnd(d)
	}
	return end
}

// cut is where the run of p's children from first on ends: before the next
// clause. The clause's own keyword is first, or the first token of p.
func (t *Tree) cut(p, first int32, col int) uint32 {
	if first < 0 {
		return t.textEnd(p)
	}
	prev, lastNamed, depth := first, int32(-1), 0
	for d := t.after(first); d >= 0; d = t.after(d) {
		if t.empty(d) {
			continue
		}
		if t.kind(d, opener) && t.nodes[d].flags&named == 0 {
			depth++
		} else if depth > 0 && t.kind(d, closer) && t.nodes[d].flags&named == 0 {
			depth--
			prev = d
			continue
		}
		if t.kind(d, clause) && t.ownClause(d) {
			return t.end(prev, col)
		}
		if t.kind(d, comment) && t.ownRow(d) && t.column(t.nodes[d].start, t.nodes[d].row) <= col {
			continue
		}
		if t.kind(d, closer) && t.nodes[d].flags&named == 0 && t.ownRow(d) && t.column(t.nodes[d].start, t.nodes[d].row) <= col {
			break
		}
		prev = d
		if t.nodes[d].flags&named != 0 {
			lastNamed = d
		}
	}
	// `else if`: the clause holds a construct whose later clauses are its
	// siblings to a reader.
	if lastNamed >= 0 && lastNamed == prev && t.nodes[lastNamed].row == t.nodes[first].row && !t.delimited(lastNamed) && !t.kind(lastNamed, clause) {
		if d := t.child(lastNamed); d >= 0 {
			return t.cut(lastNamed, d, col)
		}
	}
	return t.end(prev, col)
}

// ownClause reports whether a clause is told from what stands before it: it
// begins a row, or follows a closing bracket.
func (t *Tree) ownClause(d int32) bool {
	if t.ownRow(d) {
		return true
	}
	lead := t.leads[t.nodes[d].row]
	return lead != none && t.src[lead] == '}'
}

// isDoc reports whether a comment is of the form that attaches.
func (t *Tree) isDoc(x int32) bool { return t.doc(x) != nil }

// target is the declaration that the attached node x belongs to, or -1: the
// next sibling that is not attached itself. A grammar may keep a comment as the
// last child of what stands before; then the search goes on one level up.
func (t *Tree) target(x int32) int32 {
	prev, level := x, x
	for {
		d := t.after(level)
		for d >= 0 && t.empty(d) {
			d = t.after(d)
		}
		if d < 0 {
			p := t.nodes[level].parent
			if p <= 0 || t.delimited(p) || !t.isDoc(prev) {
				return -1
			}
			level = p
			continue
		}
		level = d
		doc := t.isDoc(d)
		switch {
		case t.isDoc(prev) && t.nodes[d].row > t.lastRow(prev)+1:
			return -1
		case (t.kind(d, attached) || doc) && t.ownRow(d):
			prev = d
			continue
		case t.kind(d, comment) || t.nodes[d].flags&named == 0 || t.nodes[d].flags&isError != 0:
			return -1
		case t.isDoc(x) && !t.documents(x, d):
			return -1
		}
		return d
	}
}
