package session

import (
	"context"
	"fmt"

	"putcut/ops"
	"putcut/refusal"
)

// checkVersion proves that the numbers mean what they meant when they were
// printed, and gives every op its place in the live text.
func (p *Plan) checkVersion(ctx context.Context) error {
	p.identify()
	for _, sec := range p.sections {
		if sec.create {
			continue
		}
		if call := p.s.applied(sec.key); call != "" && !sec.version.Is(sec.live) {
			p.s.mint(sec.target, sec.live)
			e := refusal.New(refusal.AlreadyApplied, "this very edit was applied already, by call %s; the file is now #%s", call, sec.live.Tag).At(sec.named)
			return e.WithNext("Go on from `[%s#%s]`; to repeat the edit on purpose, read the lines and send it under that tag", sec.target.Name, sec.live.Tag)
		}
	}
	for _, sec := range p.sections {
		if sec.create {
			sec.placed, _ = ops.Arrange(sec.ops, sec.carry(nil, 0))
			continue
		}
		if err := p.relate(ctx, sec); err != nil {
			return sec.fail(err)
		}
	}
	return nil
}

// relate decides how the live text came out of the tagged one.
func (p *Plan) relate(ctx context.Context, sec *section) error {
	if sec.version.Is(sec.live) {
		sec.how = direct
		return nil
	}
	if sec.whole() {
		return p.mismatch(sec, fmt.Sprintf("the file is no longer the text printed under #%s, and REM and MV need that very text", sec.tag))
	}
	maps, end := p.s.store.Chain(sec.target.Key, sec.version)
	own := func(n int) int {
		for _, m := range maps {
			if n = m.New(n); n == 0 {
				break
			}
		}
		return n
	}
	if end.Is(sec.live) {
		sec.how = carried
		if why := sec.gone(own); why != "" {
			return p.mismatchAt(sec, why+" by an edit of this session", own)
		}
		p.carryTo(sec, own)
		for _, a := range sec.anchors {
			if !a.none() && own(a.first) != a.first {
				sec.warn(refusal.Remapped, 0, fmt.Sprintf("the numbers under #%s were carried through this session's own edits: line %d is line %d now", sec.tag, a.first, own(a.first)))
				break
			}
		}
		return nil
	}
	sec.how = drifted
	if sec.endsOnly() {
		p.carryTo(sec, own)
		sec.warn(refusal.Drift, 0, fmt.Sprintf("someone else changed the file since #%s; what goes to its head or tail was put there all the same", sec.tag))
		return nil
	}
	return p.prove(ctx, sec, own, end)
}

// carryTo places the ops in the live text.
func (p *Plan) carryTo(sec *section, now func(int) int) {
	placed, err := ops.Arrange(sec.ops, sec.carry(now, sec.live.Text.Len()))
	if err != nil {
		// Carrying keeps the order of lines, so what did not overlap does not now.
		panic("session: carried ops overlap: " + err.Error())
	}
	sec.placed = placed
}

// gone says which anchor is no longer there as it was, or "" when all are.
func (sec *section) gone(now func(int) int) string {
	for i, a := range sec.anchors {
		if a.none() {
			continue
		}
		start := now(a.first)
		for n := a.first; n <= a.last; n++ {
			m := now(n)
			if m == 0 {
				return fmt.Sprintf("line %d, which `%s` leans on, was replaced or cut since #%s", n, sec.ops[i].Head(), sec.tag)
			}
			if m != start+n-a.first {
				return fmt.Sprintf("lines %d to %d, which `%s` takes together, were set apart since #%s", a.first, a.last, sec.ops[i].Head(), sec.tag)
			}
		}
	}
	return ""
}
