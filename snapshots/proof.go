package snapshots

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"

	"znkr.io/diff"

	"putcut/ops"
	"putcut/text"
)

// fastLines is the number of lines from which the linear-logarithmic diff is used.
const fastLines = 20_000

// A Proof says where lines of an older text are in the live one, when someone
// else changed the file in between. It is a line diff and the counts that the
// rules below ask of it.
type Proof struct {
	old, live *text.Text
	m         ops.LineMap
	seed      maphash.Seed
	oldCount  map[uint64]int
	liveCount map[uint64]int
}

// NewProof diffs two texts, terminators aside.
// Cost: near-linear in the lines; it is bounded for any input.
func NewProof(old, live *text.Text) *Proof {
	p := &Proof{old: old, live: live, seed: maphash.MakeSeed()}
	a, b := p.hashes(old), p.hashes(live)
	p.oldCount, p.liveCount = counts(a), counts(b)
	opts := []diff.Option{diff.Context(0)}
	if len(a) > fastLines || len(b) > fastLines {
		opts = append(opts, diff.Fast())
	}
	found := diff.Hunks(a, b, opts...)
	hunks := make([]ops.Hunk, len(found))
	for i, h := range found {
		hunks[i] = ops.Hunk{OldStart: h.PosX, OldEnd: h.EndX, NewStart: h.PosY, NewEnd: h.EndY}
	}
	p.m = ops.MapOf(len(a), len(b), hunks)
	return p
}

func (p *Proof) hashes(t *text.Text) []uint64 {
	out := make([]uint64, t.Len())
	for n := range out {
		out[n] = maphash.Bytes(p.seed, t.Line(n+1))
	}
	return out
}

func counts(h []uint64) map[uint64]int {
	m := make(map[uint64]int, len(h))
	for _, x := range h {
		m[x]++
	}
	return m
}

// Now is where line n of the older text is in the live one, or 0. Lines that
// the diff pairs are compared in full, since it saw their hashes only.
func (p *Proof) Now(n int) int {
	m := p.m.New(n)
	if m == 0 || !bytes.Equal(p.old.Line(n), p.live.Line(m)) {
		return 0
	}
	return m
}

// A Range is the lines from First to Last of a text.
type Range struct{ First, Last int }

// Check proves that the anchors moved as they are: every line of them is
// unchanged and moved by one common offset, and every line is held in place by
// its neighbours, which are the nearest lines that are no anchors. A line whose
// text is unique in both texts needs one neighbour that moved alike; any other
// line needs each neighbour it has, and at least one. An edge of the file counts
// as a neighbour where it is the edge in both texts.
//
// It returns the offset, or why there is no proof.
//
// Cost: linear in the anchors' lines.
func (p *Proof) Check(anchors []Range) (offset int, why string) {
	known := false
	for _, a := range anchors {
		for n := a.First; n <= a.Last; n++ {
			m := p.Now(n)
			if m == 0 {
				return 0, fmt.Sprintf("line %d has changed", n)
			}
			if !known {
				known, offset = true, m-n
			}
			if m-n != offset {
				return 0, fmt.Sprintf("the lines that the edit leans on have moved apart: one by %+d, line %d by %+d", offset, n, m-n)
			}
		}
	}
	for _, a := range joined(anchors) {
		held, loose := p.held(a.First-1, a.Last+1, offset)
		for n := a.First; n <= a.Last; n++ {
			h := maphash.Bytes(p.seed, p.old.Line(n))
			unique := p.oldCount[h] == 1 && p.liveCount[h] == 1
			switch {
			case held == 0:
				return 0, fmt.Sprintf("line %d is unchanged, but neither line next to it is where it was", n)
			case loose > 0 && !unique:
				return 0, fmt.Sprintf("line %d is unchanged, but its text is not unique and a line next to it has changed", n)
			}
		}
	}
	return offset, ""
}

// joined sorts ranges and joins those that touch or overlap: all lines of one
// run of anchors have the same two neighbours.
func joined(ranges []Range) []Range {
	var out []Range
	sorted := slices.Clone(ranges)
	slices.SortFunc(sorted, func(a, b Range) int { return cmp.Compare(a.First, b.First) })
	for _, r := range sorted {
		if n := len(out); n > 0 && r.First <= out[n-1].Last+1 {
			out[n-1].Last = max(out[n-1].Last, r.Last)
			continue
		}
		out = append(out, r)
	}
	return out
}

// held counts the neighbours that moved by the offset, and those that did not.
func (p *Proof) held(above, below, offset int) (held, loose int) {
	if above == 0 {
		if offset == 0 {
			held++ // the head in both texts
		}
	} else if p.Now(above) == above+offset {
		held++
	} else {
		loose++
	}
	if below == p.old.Len()+1 {
		if p.old.Len()+offset == p.live.Len() {
			held++ // the tail in both texts
		}
	} else if p.Now(below) == below+offset {
		held++
	} else {
		loose++
	}
	return held, loose
}
