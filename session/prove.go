package session

import (
	"context"
	"fmt"

	"putcut/refusal"
	"putcut/snapshots"
)

// prove carries the ops to a text that someone else changed: exactly through
// this session's own edits as far as they go, and from there by a proof over
// the line diff.
func (p *Plan) prove(ctx context.Context, sec *section, own func(int) int, end *snapshots.Version) error {
	old := end.Text()
	if old == nil {
		return p.mismatchAt(sec, fmt.Sprintf("the file has changed since #%s, and the text it had then is no longer kept", sec.tag), own)
	}
	if why := sec.gone(own); why != "" {
		return p.mismatchAt(sec, why+" by an edit of this session", own)
	}
	proof := snapshots.NewProof(old, sec.live.Text)
	now := func(n int) int {
		if m := own(n); m != 0 {
			return proof.Now(m)
		}
		return 0
	}
	var ranges []snapshots.Range
	for _, a := range sec.anchors {
		if !a.none() {
			ranges = append(ranges, snapshots.Range{First: own(a.first), Last: own(a.last)})
		}
	}
	offset, why := proof.Check(ranges)
	if why != "" {
		return p.mismatchAt(sec, fmt.Sprintf("someone else changed the file since #%s: %s", sec.tag, why), now)
	}
	if err := p.sameEnclosing(ctx, sec, end, ranges, offset, now); err != nil {
		return err
	}
	p.carryTo(sec, now)
	msg := fmt.Sprintf("someone else changed the file since #%s; the lines this edit leans on and the lines next to them are unchanged, so it was applied", sec.tag)
	if offset != 0 {
		msg += fmt.Sprintf(" %+d lines from where they were", offset)
	}
	sec.warn(refusal.Drift, 0, msg)
	return nil
}
