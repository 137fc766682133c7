package session

import (
	"slices"

	"putcut/ops"
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
		f := p.describeFile(sec, &budget)
		res.Files = append(res.Files, f)
		d.add(sec)
	}
	res.Diff, res.DiffCut, res.DiffDecoded = d.String(), d.cut, d.decoded
	return res
}

// describeFile describes one file of a result, whose rows share the budget of
// bytes with those of the files after it.
func (p *Plan) describeFile(sec *section, budget *int) FileChange {
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
		rows, unprinted := sec.echo(p.s.lim.Columns)
		gone, more := sec.goneRows(p.s.lim.GoneRows, p.s.lim.Columns)
		f.Unprinted, f.GoneMore = unprinted, more
		f.fit(rows, gone, sec.cut.Map.Hunks(), budget)
	}
	return f
}

// A goneRow is a line that went. It is an outer one where it is the first or
// the last that its op took, which is what a range too long takes.
type goneRow struct {
	refusal.ExcerptRow
	outer bool
}

// fit leaves out the rows that do not fit into what is left of the text of the
// result. First come the outer ones of the lines that went, for half of it, then
// the rows at the edges of the changed regions, and the lines around them: they
// tell what a wrong range did. What is not printed is not displayed.
func (f *FileChange) fit(rows []refusal.ExcerptRow, gone []goneRow, hunks []ops.Hunk, budget *int) {
	keepRows, keepGone := make([]bool, len(rows)), make([]bool, len(gone))
	half := *budget / 2
	*budget -= half
	for i, g := range gone {
		keepGone[i] = g.outer && afford(&half, g.ExcerptRow)
	}
	*budget += half
	inner := innerRows(rows, hunks)
	for _, in := range []bool{false, true} {
		for i, r := range rows {
			if inner[i] == in {
				keepRows[i] = afford(budget, r)
			}
		}
	}
	for i, g := range gone {
		if !g.outer {
			keepGone[i] = afford(budget, g.ExcerptRow)
		}
	}
	for i, r := range rows {
		if keepRows[i] {
			f.Rows = append(f.Rows, r)
		} else {
			f.Unprinted++
		}
	}
	for i, g := range gone {
		if keepGone[i] {
			f.Gone = append(f.Gone, g.ExcerptRow)
		} else {
			f.GoneMore++
		}
	}
}

// innerRows tells which rows were written by an op and are neither its first
// nor its last.
func innerRows(rows []refusal.ExcerptRow, hunks []ops.Hunk) []bool {
	inner := make([]bool, len(rows))
	at := 0
	for i, r := range rows {
		for at < len(hunks) && hunks[at].NewEnd < r.N {
			at++
		}
		inner[i] = at < len(hunks) && r.N > hunks[at].NewStart+1 && r.N < hunks[at].NewEnd
	}
	return inner
}

// afford takes a row from a budget of bytes. The first that does not fit ends it.
func afford(budget *int, r refusal.ExcerptRow) bool {
	*budget = max(0, *budget-len(r.Text)-8)
	return *budget > 0
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
// their place, at most limit an op: the first and the last of them.
func (sec *section) goneRows(limit, columns int) (rows []goneRow, more int) {
	for _, s := range sec.splices {
		restated := map[string]int{}
		for _, r := range s.Rows {
			restated[r]++
		}
		var lines []int
		for n := s.Start + 1; n <= s.End; n++ {
			if l := sec.live.Text.Line(n); restated[string(l)] > 0 {
				restated[string(l)]--
				continue
			}
			lines = append(lines, n)
		}
		if over := len(lines) - limit; over > 0 {
			more += over
			lines = slices.Delete(lines, limit-limit/2, limit-limit/2+over)
		}
		for i, n := range lines {
			rows = append(rows, goneRow{row(sec.live.Text, n, columns), i == 0 || i == len(lines)-1})
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
