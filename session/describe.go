package session

import (
	"slices"

	"putcut/refusal"
	"putcut/snapshots"
	"putcut/text"
)

const (
	echoContext = 2  // lines shown on each side of a changed region
	echoRows    = 60 // rows of one region; the middle of a longer one is left out
)

// describe makes the result of a plan, without what only the commit can know.
func (p *Plan) describe() *ChangeResult {
	res := &ChangeResult{DryRun: p.dry, planned: true, Warnings: append([]refusal.Warning{}, p.warnings...)}
	d := differ{limit: p.s.lim.DiffBytes}
	budget := maxText
	for _, sec := range p.sections {
		p.remarks(sec)
		res.Warnings = append(res.Warnings, sec.warnings...)
		f := p.describeFile(sec)
		f.fit(&budget)
		res.Files = append(res.Files, f)
		d.add(sec)
	}
	res.Diff, res.DiffCut, res.DiffDecoded = d.String(), d.cut, d.decoded
	return res
}

func (p *Plan) describeFile(sec *section) FileChange {
	f := FileChange{
		Path: sec.target.Name, Kind: Modified, OldTag: sec.tag,
		OldRevision: sec.live.Revision, NewRevision: sec.newSnap.Revision,
		Blocks: sec.blocks, SyntaxErrors: sec.syntax, Declarations: sec.decls,
		Unseen: max(0, sec.unseen),
	}
	switch {
	case sec.create:
		f.Kind = Created
	case sec.removes():
		f.Kind, f.NewRevision = Removed, ""
		f.Removed = sec.live.Text.Len()
		return f
	case sec.dest != nil:
		f.Kind, f.From, f.Path = Moved, sec.target.Name, sec.dest.Name
	}
	m := sec.cut.Map
	f.Added, f.Removed = m.Counts()
	for i, h := range m.Hunks() {
		if i < len(sec.splices) {
			f.Ops = append(f.Ops, OpSpan{
				Op:       sec.opName(sec.splices[i].Op),
				OldStart: h.OldStart + 1, OldEnd: h.OldEnd,
				NewStart: h.NewStart + 1, NewEnd: h.NewEnd,
			})
		}
	}
	for _, s := range m.Shifts() {
		f.Shifts = append(f.Shifts, ShiftRow(s))
	}
	if p.tool != "write" { // whoever writes a whole file knows its rows
		f.Rows, f.Unprinted = sec.echo(p.s.lim.Columns)
		f.Gone, f.GoneMore = sec.goneRows(p.s.lim.GoneRows, p.s.lim.Columns)
	}
	return f
}

// fit leaves out the rows that no longer fit into the text of the result: what
// is not printed is not displayed.
func (f *FileChange) fit(budget *int) {
	within := func(rows []refusal.ExcerptRow) int {
		for i, r := range rows {
			if *budget -= len(r.Text) + 8; *budget < 0 {
				*budget = 0
				return i
			}
		}
		return len(rows)
	}
	n := within(f.Rows)
	f.Unprinted += len(f.Rows) - n
	f.Rows = f.Rows[:n]
	n = within(f.Gone)
	f.GoneMore += len(f.Gone) - n
	f.Gone = f.Gone[:n]
}

// opName is the op as the caller wrote it, in canonical spelling; a write has none.
func (sec *section) opName(i int) string {
	if i < len(sec.heads) {
		return sec.heads[i]
	}
	if i >= len(sec.ops) {
		return "write"
	}
	return sec.ops[i].Head()
}

// echo is the changed regions of the new text with their context.
func (sec *section) echo(columns int) (rows []refusal.ExcerptRow, unprinted int) {
	t := sec.cut.Text
	var regions [][2]int
	for _, h := range sec.cut.Map.Hunks() {
		first, last := max(1, h.NewStart+1-echoContext), min(t.Len(), h.NewEnd+echoContext)
		if n := len(regions); n > 0 && first <= regions[n-1][1]+1 {
			regions[n-1][1] = max(last, regions[n-1][1])
			continue
		}
		regions = append(regions, [2]int{first, last})
	}
	for _, r := range regions {
		for n := r[0]; n <= r[1]; n++ {
			if r[1]-r[0] >= echoRows && n == r[0]+echoRows/2 {
				skip := r[1] - echoRows/2 + 1
				unprinted += skip - n
				n = skip
			}
			rows = append(rows, row(t, n, columns))
		}
	}
	return rows, unprinted
}

// goneRows are the lines that went and are not restated by the rows that took
// their place, at most limit an op.
func (sec *section) goneRows(limit, columns int) (rows []refusal.ExcerptRow, more int) {
	for _, s := range sec.splices {
		restated := map[string]int{}
		for _, r := range s.Rows {
			restated[r]++
		}
		shown := 0
		for n := s.Start + 1; n <= s.End; n++ {
			if l := sec.live.Text.Line(n); restated[string(l)] > 0 {
				restated[string(l)]--
				continue
			}
			if shown++; shown > limit {
				more++
				continue
			}
			rows = append(rows, row(sec.live.Text, n, columns))
		}
	}
	return rows, more
}

// shown are the lines of the new text that the result displays: the echoed
// ones, and the rows the call wrote, if the caller authored them.
func (sec *section) shown(echo []refusal.ExcerptRow, authored bool) []snapshots.Range {
	var out []snapshots.Range
	for _, n := range displayed(echo) {
		out = append(out, snapshots.Range{First: n, Last: n})
	}
	hunks, t := sec.cut.Map.Hunks(), sec.cut.Text
	if !authored || sec.cut.Reread || len(hunks) != len(sec.splices) {
		return out
	}
	for _, h := range hunks {
		if t.Valid() {
			out = append(out, snapshots.Range{First: h.NewStart + 1, Last: h.NewEnd})
			continue
		}
		for n := h.NewStart + 1; n <= h.NewEnd; n++ {
			if t.LineValid(n) {
				out = append(out, snapshots.Range{First: n, Last: n})
			}
		}
	}
	return out
}

// superseded are the tags whose numbers stay good although the text is no
// longer the live one: that of the call, if only this session's edits lie in
// between, and that of the text before it, if anything was displayed under it.
func (p *Plan) superseded(sec *section, v *snapshots.Version) []text.Tag {
	var out []text.Tag
	add := func(t text.Tag) {
		if t != "" && t != v.Tag && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	if sec.how != drifted && !p.s.opt.Detached {
		add(sec.tag)
	}
	for _, known := range p.s.store.Find(sec.target.Key, sec.live.Tag) {
		if p.s.store.ShownCount(known) > 0 {
			add(sec.live.Tag)
		}
	}
	return out
}
