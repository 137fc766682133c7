package session

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"putcut/blocks"
	"putcut/grammars"
	"putcut/ops"
	"putcut/refusal"
	"putcut/snapshots"
	"putcut/text"
)

// languageOf is the language of a file by its name and its whole text, which
// tells C++ headers from those of C; "" when it is unknown.
func languageOf(name string, t *text.Text) string { return grammars.Detect(name, t.Body()) }

// resolveBlock finds the construct that opens on an op's line, in the tagged
// version.
func (p *Plan) resolveBlock(ctx context.Context, sec *section, op ops.Op) (BlockSpan, error) {
	if sec.base == nil {
		return BlockSpan{}, p.mismatch(sec, "the text under this tag is no longer kept, so its constructs cannot be told")
	}
	fail := func(err error) error {
		if e := refusal.As(err); e != nil {
			e.What = fmt.Sprintf("`%s`: %s", op.Head(), e.What)
			e.Row, e.Column = op.Row, op.Column
			return e
		}
		return err
	}
	tree, err := p.s.engine.Parse(ctx, languageOf(sec.target.Name, sec.base), sec.base)
	if err != nil {
		return BlockSpan{}, fail(err)
	}
	span, err := tree.Span(op.Place.First)
	if err != nil {
		return BlockSpan{}, fail(err)
	}
	return BlockSpan{AnchorLine: op.Place.First, Start: span.Start, End: span.End, Op: strings.TrimSuffix(op.Head(), ":")}, nil
}

// sameEnclosing refuses a proof when the declarations around an anchor have
// other names in the live text.
func (p *Plan) sameEnclosing(ctx context.Context, sec *section, end *snapshots.Version, anchors []snapshots.Range, offset int, now func(int) int) error {
	old := end.Text()
	lang := languageOf(sec.target.Name, sec.live.Text)
	if lang == "" || old == nil {
		return nil
	}
	was, err := p.s.engine.Parse(ctx, lang, old)
	if err != nil {
		return ctx.Err()
	}
	is, err := p.s.engine.Parse(ctx, lang, sec.live.Text)
	if err != nil {
		return ctx.Err()
	}
	if !was.Parsed() || !is.Parsed() {
		return nil
	}
	for _, a := range anchors {
		for _, n := range []int{a.First, a.Last} {
			x, y := was.Enclosing(n), is.Enclosing(n+offset)
			if !slices.Equal(x, y) {
				return p.mismatchAt(sec, fmt.Sprintf("someone else changed the file since #%s: line %d, which was in %s, is in %s now", sec.tag, n, nesting(x), nesting(y)), now)
			}
		}
	}
	return nil
}

func nesting(names []string) string {
	if len(names) == 0 {
		return "no declaration"
	}
	return "`" + strings.Join(names, ".") + "`"
}

// declarations are the names that came, went and changed between two trees.
// One that went and one that came where it was, of one kind, is a renaming.
func declarations(before, after *blocks.Tree, m ops.LineMap) *Declarations {
	gone, came := outlineDifference(before.Outline(), after.Outline())
	if len(gone)+len(came) == 0 {
		return nil
	}
	// Those that came, by kind, depth and where they came: first come, first matched.
	type key struct {
		kind  string
		depth int
		spot
	}
	at := map[key][]int{}
	for i, c := range came {
		k := key{c.Kind, c.Depth, newSpot(m, c.Start)}
		at[k] = append(at[k], i)
	}
	d := &Declarations{}
	renamed := make([]bool, len(came))
	for _, g := range gone {
		k := key{g.Kind, g.Depth, oldSpot(m, g.Start)}
		if list := at[k]; len(list) > 0 {
			d.Renamed = append(d.Renamed, [2]string{g.Path, came[list[0]].Path})
			renamed[list[0]], at[k] = true, list[1:]
			continue
		}
		d.Removed = append(d.Removed, g.Path)
	}
	for i, c := range came {
		if !renamed[i] {
			d.Added = append(d.Added, c.Path)
		}
	}
	return d
}

// A spot is a place that two texts have in common: a hunk, from 1, or a line of
// the new text that is a line of the old one too.
type spot struct{ hunk, line int }

// oldSpot is the spot of line n of the old text.
func oldSpot(m ops.LineMap, n int) spot {
	if now := m.New(n); now != 0 {
		return spot{line: now}
	}
	hunks := m.Hunks()
	return spot{hunk: 1 + sort.Search(len(hunks), func(i int) bool { return hunks[i].OldEnd >= n })}
}

// newSpot is the spot of line n of the new text.
func newSpot(m ops.LineMap, n int) spot {
	hunks := m.Hunks()
	i := sort.Search(len(hunks), func(i int) bool { return hunks[i].NewEnd >= n })
	if i < len(hunks) && n > hunks[i].NewStart {
		return spot{hunk: i + 1}
	}
	return spot{line: n}
}

// outlineDifference takes two outlines as multisets of kind and qualified name.
func outlineDifference(before, after []blocks.Decl) (gone, came []blocks.Decl) {
	type key struct{ kind, path string }
	had := map[key]int{}
	for _, d := range before {
		had[key{d.Kind, d.Path}]++
	}
	for _, d := range after {
		k := key{d.Kind, d.Path}
		if had[k] > 0 {
			had[k]--
			continue
		}
		came = append(came, d)
	}
	for i := len(before) - 1; i >= 0; i-- {
		k := key{before[i].Kind, before[i].Path}
		if had[k] > 0 {
			had[k]--
			gone = append(gone, before[i])
		}
	}
	slices.Reverse(gone)
	return gone, came
}
