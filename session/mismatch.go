package session

import (
	"slices"

	"putcut/refusal"
)

// around is how many lines a mismatch shows on each side of an anchor.
const around = 2

// mismatch is EDIT_TAG_MISMATCH with the live tag and the current lines around
// every anchor, which thereby are displayed, so that the next call needs no read.
func (p *Plan) mismatch(sec *section, why string) error {
	return p.mismatchAt(sec, why, func(n int) int { return n })
}

// mismatchAt is mismatch with a guess of where lines went. Lines that are
// nowhere are looked for next to the nearest one above that is somewhere.
func (p *Plan) mismatchAt(sec *section, why string, now func(int) int) error {
	e := refusal.New(refusal.TagMismatch, "%s", why).At(sec.named)
	t := sec.live.Text
	var want []int
	anchors := sec.anchors
	if anchors == nil { // not placed yet: take the numbers as they stand
		for _, op := range sec.ops {
			if op.Place.First > 0 {
				anchors = append(anchors, anchor{op.Place.First, max(op.Place.First, op.Place.Last)})
			}
		}
	}
	most := 4 * p.s.lim.RevealLines // anchors may overlap; more is never shown
	for _, a := range anchors {
		if a.none() {
			continue
		}
		if len(want) > most {
			break // guessing is dear where much has gone
		}
		first, last := p.guess(a.first, now), p.guess(a.last, now)
		if last < first {
			last = first
		}
		for n := max(1, first-around); n <= min(t.Len(), last+around) && len(want) <= most; n++ {
			want = append(want, n)
		}
	}
	slices.Sort(want)
	want = slices.Compact(want)
	rows, _ := p.s.reveal(t, want, p.s.budget())
	if len(rows) == 0 {
		p.s.mint(sec.target, sec.live)
		e.Excerpts = []refusal.Excerpt{{Path: sec.target.Name, Tag: string(sec.live.Tag)}}
		return e.WithNext("The file is now #%s: read it and decide again", sec.live.Tag)
	}
	v := p.s.observe(sec.target, sec.live)
	p.s.store.Show(v, displayed(rows)...)
	e.Excerpts = []refusal.Excerpt{{Path: sec.target.Name, Tag: string(sec.live.Tag), Rows: rows}}
	return e.WithNext("Send the edit again with tag %s and the numbers shown above, or read more lines first", sec.live.Tag)
}

func (p *Plan) guess(n int, now func(int) int) int {
	for m := n; m > 0; m-- {
		if at := now(m); at > 0 {
			return at + n - m
		}
	}
	return n
}
