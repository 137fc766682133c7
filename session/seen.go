package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"putcut/ops"
	"putcut/refusal"
	"putcut/text"
)

// checkSeen asks provenance: every line that is destroyed or leaned on was
// displayed under the tag. Unseen lines are revealed, and displayed if all of
// them fit in full.
func (p *Plan) checkSeen(context.Context) error {
	if p.s.opt.Detached {
		return nil
	}
	var first *refusal.Error
	var moved text.Tag // an older tag under which the number was another line
	type reveal struct {
		sec  *section
		rows []refusal.ExcerptRow
	}
	var shown []reveal
	budget := p.s.budget()
	whole := true
	for _, sec := range p.sections {
		if sec.create {
			continue
		}
		lines := p.unseen(sec)
		if len(lines) == 0 {
			continue
		}
		var rows []refusal.ExcerptRow
		all := false
		if sec.base != nil {
			rows, all = p.s.reveal(sec.base, lines, budget)
		}
		whole = whole && all
		shown = append(shown, reveal{sec, rows})
		if first == nil {
			var what string
			what, moved = p.unseenText(sec, lines)
			first = refusal.New(refusal.LinesUnseen, "%s", what).At(sec.named)
		}
		first.Excerpts = append(first.Excerpts, refusal.Excerpt{Path: sec.target.Name, Tag: string(sec.tag), Rows: rows})
	}
	if first == nil {
		return nil
	}
	if !whole && p.undecodable() {
		return first.WithNext("Lines that are not valid UTF-8 cannot be shown exactly: read the file with its `encoding` (for example windows-1252), and edit under that tag")
	}
	if !whole {
		return first.WithNext("Not all of these lines could be shown in full, so none counts as displayed: read them (`ranges`), then send the call again")
	}
	for _, r := range shown {
		if r.sec.version.Is(r.sec.live) {
			r.sec.version = p.s.observe(r.sec.target, r.sec.live)
		}
		p.s.store.Show(r.sec.version, displayed(r.rows)...)
	}
	if moved != "" {
		return first.WithNext("If the line of #%s was meant, send the edit under #%s with the numbers read there; only if the lines shown above are meant, send the same call again: they count as displayed now", moved, moved)
	}
	return first.WithNext("They are shown above and count as displayed now: if the edit is still right, send the same call again")
}

// undecodable reports whether an unseen line cannot be shown as it is.
func (p *Plan) undecodable() bool {
	for _, sec := range p.sections {
		if sec.create || sec.base == nil || sec.base.Valid() {
			continue
		}
		if slices.ContainsFunc(p.unseen(sec), func(n int) bool { return !sec.base.LineValid(n) }) {
			return true
		}
	}
	return false
}

// unseen lists the lines of the tagged version that the section needs and that
// were not displayed under its tag.
func (p *Plan) unseen(sec *section) []int {
	var out []int
	ask := func(n int) {
		for _, v := range sec.found {
			if p.s.store.Shown(v, n) && (v == sec.version || sameLine(sec, v, n)) {
				return
			}
		}
		out = append(out, n)
	}
	for i, a := range sec.anchors {
		switch {
		case a.none():
		case sec.ops[i].Place.Kind == ops.AfterBlock:
			ask(a.first)
			ask(a.last)
		default:
			for n := a.first; n <= a.last; n++ {
				ask(n)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// unseenText says which lines were not displayed. When one of them was, under an
// older tag of this session, it says where that line went and names the tag.
func (p *Plan) unseenText(sec *section, lines []int) (what string, moved text.Tag) {
	what = fmt.Sprintf("%s not displayed under #%s", lineList(lines), sec.tag)
	tag, now, ok := p.s.store.Origin(sec.target.Key, sec.version, lines[0])
	switch {
	case !ok || now == lines[0]:
		return what, ""
	case now == 0:
		return what + fmt.Sprintf("; line %d as printed under #%s is gone", lines[0], tag), ""
	}
	return what + fmt.Sprintf("; line %d as printed under #%s is line %d under #%s", lines[0], tag, now, sec.tag), tag
}

// lineList is "line 4 was" or "lines 4, 6-7 were", shortened.
func lineList(lines []int) string {
	var parts []string
	for i := 0; i < len(lines); {
		j := i
		for j+1 < len(lines) && lines[j+1] == lines[j]+1 {
			j++
		}
		if len(parts) == 6 {
			parts = append(parts, "…")
			break
		}
		if i == j {
			parts = append(parts, fmt.Sprint(lines[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", lines[i], lines[j]))
		}
		i = j + 1
	}
	if len(lines) == 1 {
		return "line " + parts[0] + " was"
	}
	return "lines " + strings.Join(parts, ", ") + " were"
}

// revealBudget is what a refusal may still print.
type revealBudget struct{ lines, chars int }

func (s *Session) budget() *revealBudget {
	return &revealBudget{s.lim.RevealLines, s.lim.RevealChars}
}

// reveal prints lines of a text within a budget; all says that every line was
// printed in full.
func (s *Session) reveal(t *text.Text, lines []int, b *revealBudget) (rows []refusal.ExcerptRow, all bool) {
	all = true
	for _, n := range lines {
		r := row(t, n, s.lim.RevealColumns)
		if !b.take(r) {
			return rows, false
		}
		all = all && !r.Cut
		rows = append(rows, r)
	}
	return rows, all
}

func (b *revealBudget) take(r refusal.ExcerptRow) bool {
	chars := len([]rune(r.Text))
	if b.lines == 0 || chars > b.chars {
		return false
	}
	b.lines--
	b.chars -= chars
	return true
}
