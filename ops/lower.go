package ops

import (
	"cmp"
	"slices"

	"putcut/refusal"
)

// A Spot is an op's place as gaps of one text: the lines Start+1 to End, or a
// gap when both are equal.
type Spot struct {
	Start, End int
	order      order
}

// order ranks what lands at one gap.
type order uint8

const (
	atHead order = iota // PUT <1, before anything else that lands at gap 0
	after               // rows that stick to the line above, and the tail
	before              // rows that stick to the line below
	span
)

// Head is the gap at the head of a text.
func Head() Spot { return Spot{0, 0, atHead} }

// TailOf is the gap at the tail of a text of n lines.
func TailOf(n int) Spot { return Spot{n, n, after} }

// AfterLine is the gap after line n.
func AfterLine(n int) Spot { return Spot{n, n, after} }

// BeforeLine is the gap before line n.
func BeforeLine(n int) Spot { return Spot{n - 1, n - 1, before} }

// Lines is the span of lines first to last.
func Lines(first, last int) Spot { return Spot{first - 1, last, span} }

// Gap reports whether the spot lies between lines.
func (s Spot) Gap() bool { return s.order != span }

// CheckBounds checks an op's numbers against a text of n lines. It knows
// nothing of blocks but the line they start on.
func CheckBounds(op Op, n int) error {
	p := op.Place
	bad := func(line int) error {
		have := "the file has lines 1 to " + itoa(n)
		switch n {
		case 0:
			have = "the file is empty"
		case 1:
			have = "the file has line 1 only"
		}
		e := refusal.New(refusal.RangeInvalid, "`%s` names line %d, but under this tag %s", op.Head(), line, have)
		e.Row, e.Column = op.Row, op.Column
		next := "Use numbers printed under this tag"
		if p.Gap() {
			next += ", or `PUT >$:` for the end of the file"
		}
		return e.WithNext("%s", next)
	}
	switch p.Kind {
	case NoPlace, Tail:
		return nil
	case Before:
		if p.First == 1 {
			return nil // the head, in an empty text too
		}
	case Span:
		if p.Last < p.First {
			e := refusal.New(refusal.RangeInvalid, "`%s` is reversed: its first line %d comes after its last line %d", op.Head(), p.First, p.Last)
			e.Row, e.Column = op.Row, op.Column
			return e.WithNext("Both numbers are lines, the first one first: `%d.=%d`", p.Last, p.First)
		}
	}
	if p.First < 1 || p.First > n {
		return bad(p.First)
	}
	if p.Kind == Span && p.Last > n {
		return bad(p.Last)
	}
	return nil
}

// A Placed is an op with its spot.
type Placed struct {
	Spot
	// Op is the op's index in the list that Arrange was given ops for.
	Op int
}

// Arrange sorts placed ops into the order in which their rows stand in the
// text: at one gap what sticks to the line above comes before what sticks to
// the line below, and script order within each. It refuses spans that share a
// line, and a gap strictly inside a span. The input keeps its order.
func Arrange(list []Op, placed []Placed) ([]Placed, error) {
	out := slices.Clone(placed)
	slices.SortStableFunc(out, func(a, b Placed) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.order, b.order))
	})
	for i := 1; i < len(out); i++ {
		a, b := out[i-1], out[i]
		if b.Start >= a.End {
			continue
		}
		if b.Op < a.Op {
			a, b = b, a
		}
		x, y := list[a.Op], list[b.Op]
		e := refusal.New(refusal.RangeInvalid, "`%s` and `%s` (script row %d) overlap: %s", y.Head(), x.Head(), x.Row, overlap(a, b))
		e.Row, e.Column = y.Row, y.Column
		return nil, e.WithNext("Make one op of the two, or keep them apart")
	}
	return out, nil
}

func overlap(a, b Placed) string {
	switch {
	case a.Gap():
		return "the gap lies inside lines " + itoa(b.Start+1) + "-" + itoa(b.End)
	case b.Gap():
		return "the gap lies inside lines " + itoa(a.Start+1) + "-" + itoa(a.End)
	}
	lo, hi := max(a.Start, b.Start)+1, min(a.End, b.End)
	if lo == hi {
		return "both take line " + itoa(lo)
	}
	return "both take lines " + itoa(lo) + "-" + itoa(hi)
}
