package blocks

import (
	"fmt"

	"putcut/refusal"
)

// Span is the construct that opens on a line, from 1. Its Start is the line.
// The error is a *refusal.Error with code BlockUnresolved whose message says
// why nothing opens there, names the nearest construct above that covers the
// line and the nearest opener below, and for a construct of one line the plain
// form. Cost: the line's ancestors and their children, once a line.
func (t *Tree) Span(line int) (Span, error) {
	if t.refused != nil {
		return Span{}, t.refused.refusal()
	}
	if line < 1 || line > t.text.Len() {
		return Span{}, refusal.New(refusal.BlockUnresolved, "line %d is out of range: the file has %s", line, count(t.text.Len(), "line")).
			WithNext("Name a line of the file")
	}
	end, why := t.at(line)
	if why == fine {
		return Span{line, end}, nil
	}
	return Span{}, t.decline(line, why)
}

// Spans are the spans of all lines, index 0 for line 1; the zero Span says
// that nothing opens on the line.
func (t *Tree) Spans() []Span {
	out := make([]Span, t.text.Len())
	if t.refused != nil {
		return out
	}
	for i := range out {
		if end, why := t.at(i + 1); why == fine {
			out[i] = Span{i + 1, end}
		}
	}
	return out
}

// at is the memoised answer for a line: the last line of what opens there.
func (t *Tree) at(line int) (int, reason) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.ends[line-1]; e != 0 {
		return int(e), t.why[line-1]
	}
	last, why := t.resolve(uint32(line - 1))
	e := int32(last + 1)
	if why != fine {
		e = -1
	}
	t.ends[line-1], t.why[line-1] = e, why
	return int(e), why
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (t *Tree) decline(line int, why reason) *refusal.Error {
	e := refusal.New(refusal.BlockUnresolved, "")
	switch why {
	case isBlank:
		e.What = fmt.Sprintf("line %d is blank, so no construct opens there", line)
	case isCloser:
		e.What = fmt.Sprintf("line %d closes a construct and opens none", line)
	case isContinuation:
		e.What = fmt.Sprintf("line %d goes on with a construct that began above and opens none of its own", line)
	case isOpaque:
		e.What = fmt.Sprintf("line %d is inside a text that is not parsed (a string, a comment, a paragraph or the like), so no construct opens there", line)
	case isOneRow:
		e.What = fmt.Sprintf("the construct on line %d is one line long", line)
		e.Next = fmt.Sprintf("Use the plain form: `PUT %d.=%d:` to replace it, `CUT %d.=%d` to delete it, `PUT >%d:` to insert after it", line, line, line, line, line)
	case isBroken:
		e.What = fmt.Sprintf("the construct on line %d contains a syntax error, so where it ends cannot be proved", line)
	case isShared:
		e.What = fmt.Sprintf("the last line of the construct on line %d is shared with what follows it", line)
	}
	above, below := t.nearestAbove(line), t.nearestBelow(line)
	if above.Start > 0 {
		e.What += fmt.Sprintf("; the construct around it is %d*, lines %d to %d", above.Start, above.Start, above.End)
	}
	if below.Start > 0 {
		e.What += fmt.Sprintf("; the next one below opens on line %d, lines %d to %d", below.Start, below.Start, below.End)
	}
	if e.Next == "" {
		switch {
		case above.Start > 0 || below.Start > 0:
			e.Next = fmt.Sprintf("Name a line that opens a construct, or give the lines themselves: `PUT %d.=M:`, `CUT %d.=M`, `PUT >M:`", line, line)
		default:
			e.Next = fmt.Sprintf("Give the lines themselves: `PUT %d.=M:`, `CUT %d.=M`, `PUT >M:`", line, line)
		}
	}
	return e
}

// nearestAbove is the smallest construct that opens above a line and covers it.
func (t *Tree) nearestAbove(line int) Span {
	off := t.leads[line-1]
	if off == none {
		off = uint32(t.text.Offset(line - 1))
	}
	seen := line
	for i := t.deepest(off); i >= 0; i = t.nodes[i].parent {
		l := int(t.nodes[i].row) + 1
		if l >= seen {
			continue
		}
		// The construct may open on an attached row above the node's own.
		seen = l
		if end, why := t.at(l); why == fine && end >= line {
			return Span{l, end}
		}
	}
	return Span{}
}

// lookahead bounds the search for an opener below.
const lookahead = 2000

func (t *Tree) nearestBelow(line int) Span {
	for l := line + 1; l <= min(t.text.Len(), line+lookahead); l++ {
		if end, why := t.at(l); why == fine {
			return Span{l, end}
		}
	}
	return Span{}
}
