package session

import (
	"putcut/ops/udiff"
)

// differ writes the unified diff of a call from the hunks that were applied,
// so that it cannot disagree with them. Files that no longer fit are left out
// whole, and cut says so.
type differ struct {
	out   []byte
	limit int
	cut   bool
	// decoded says that bytes on disk cannot stand in a diff.
	decoded bool
}

func (d *differ) String() string { return string(d.out) }

func (d *differ) add(sec *section) {
	f := udiff.File{Path: sec.target.Name, Old: sec.live.Text, New: sec.cut.Text, Hunks: sec.cut.Map.Hunks()}
	switch {
	case sec.create:
		f.Old, f.Hunks = nil, nil
	case sec.removes():
		f.New, f.Hunks = nil, nil
	case sec.dest != nil:
		f.MoveTo = sec.dest.Name
	}
	added := 0
	for _, h := range f.Hunks {
		added += sec.cut.Text.Offset(h.NewEnd) - sec.cut.Text.Offset(h.NewStart)
	}
	if whole := f.Old == nil && sec.cut.Text.Size() > d.limit || f.New == nil && sec.live.Text.Size() > d.limit; whole || added > d.limit {
		d.cut = true // not worth writing only to throw it away
		return
	}
	if out, exact := udiff.Append(d.out, f); len(out) <= d.limit {
		d.out, d.decoded = out, d.decoded || !exact
		return
	}
	d.cut = true
}
