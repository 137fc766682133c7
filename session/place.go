package session

import (
	"context"
	"fmt"

	"putcut/ops"
	"putcut/refusal"
	"putcut/snapshots"
)

// placeOps checks, in the tagged version, bounds, blocks and overlaps.
func (p *Plan) placeOps(ctx context.Context) error {
	for _, sec := range p.sections {
		if err := p.place(ctx, sec); err != nil {
			return sec.fail(err)
		}
	}
	return nil
}

func (p *Plan) place(ctx context.Context, sec *section) error {
	lines := 0
	if sec.version != nil {
		lines = sec.version.Lines
	}
	sec.anchors = make([]anchor, len(sec.ops))
	placed := make([]ops.Placed, 0, len(sec.ops))
	for i, op := range sec.ops {
		if err := ops.CheckBounds(op, lines); err != nil {
			return err
		}
		pl := op.Place
		spot := ops.Spot{}
		switch pl.Kind {
		case ops.NoPlace:
			continue
		case ops.Tail:
			spot = ops.TailOf(lines)
		case ops.Before:
			if pl.First == 1 {
				spot = ops.Head()
				break
			}
			spot = ops.BeforeLine(pl.First)
			sec.anchors[i] = anchor{pl.First, pl.First}
		case ops.After:
			spot = ops.AfterLine(pl.First)
			sec.anchors[i] = anchor{pl.First, pl.First}
		case ops.Span:
			spot = ops.Lines(pl.First, pl.Last)
			sec.anchors[i] = anchor{pl.First, pl.Last}
		case ops.Block, ops.AfterBlock:
			b, err := p.resolveBlock(ctx, sec, op)
			if err != nil {
				return err
			}
			sec.blocks = append(sec.blocks, b)
			sec.anchors[i] = anchor{b.Start, b.End}
			spot = ops.Lines(b.Start, b.End)
			if pl.Kind == ops.AfterBlock {
				spot = ops.AfterLine(b.End)
			}
		}
		placed = append(placed, ops.Placed{Spot: spot, Op: i})
	}
	sorted, err := ops.Arrange(sec.ops, placed)
	if err != nil {
		return err
	}
	return p.checkTwins(sec, sorted)
}

// checkTwins handles a tag that several kept versions carry: it may be used
// only where all of them agree about the lines the ops lean on.
func (p *Plan) checkTwins(sec *section, placed []ops.Placed) error {
	sec.placed = placed
	if len(sec.found) < 2 || sec.confirmed && sec.live.Tag == sec.tag {
		return nil
	}
	for _, a := range sec.anchors {
		if a.none() {
			continue
		}
		for n := a.first; n <= a.last; n++ {
			for _, v := range sec.found {
				if v != sec.version && !sameLine(sec, v, n) {
					return p.twinMismatch(sec, n)
				}
			}
		}
	}
	return nil
}

// sameLine reports whether line n of another version is that of the tagged one.
// A version whose text is no longer kept agrees with nothing.
func sameLine(sec *section, v *snapshots.Version, n int) bool {
	t := v.Text()
	return sec.base != nil && t != nil && n <= t.Len() && string(t.Line(n)) == string(sec.base.Line(n))
}

func (p *Plan) twinMismatch(sec *section, n int) error {
	err := p.mismatch(sec, fmt.Sprintf("#%s stands for %d texts of this file that this session has seen, and line %d is not the same in all of them", sec.tag, len(sec.found), n))
	if sec.live.Tag != sec.tag {
		return err
	}
	e := refusal.As(err)
	e.Next = "If the lines shown are the ones meant, send the same call again: it then means the text as it is now"
	return confirmable{e}
}

// carry gives every op its place in the live text, through a function that says
// where a line of the tagged version is now.
func (sec *section) carry(now func(n int) int, lines int) []ops.Placed {
	out := make([]ops.Placed, 0, len(sec.ops))
	for i, op := range sec.ops {
		a := sec.anchors[i]
		var spot ops.Spot
		switch op.Place.Kind {
		case ops.NoPlace:
			continue
		case ops.Tail:
			spot = ops.TailOf(lines)
		case ops.Before:
			spot = ops.Head()
			if !a.none() {
				spot = ops.BeforeLine(now(a.first))
			}
		case ops.After:
			spot = ops.AfterLine(now(a.first))
		case ops.AfterBlock:
			spot = ops.AfterLine(now(a.last))
		default:
			spot = ops.Lines(now(a.first), now(a.last))
		}
		out = append(out, ops.Placed{Spot: spot, Op: i})
	}
	return out
}
