package session

import (
	"context"
	"fmt"
	"strings"

	"putcut/blocks"
	"putcut/refusal"
	"putcut/text"
)

// An OutlineRequest asks for the declarations of a file.
type OutlineRequest struct {
	Path string `json:"path"`
}

// An OutlineResult is the declarations of a file in order, each with its first
// row as it stands in the file; rows printed in full are displayed.
type OutlineResult struct {
	Path         string        `json:"path"`
	Tag          text.Tag      `json:"tag"`
	Revision     text.Revision `json:"revision"`
	Language     string        `json:"language"`
	TotalLines   int           `json:"total_lines"`
	Declarations []Declaration `json:"declarations"`
	// Unparsed says why the file has no outline, for example that its language
	// is unknown, and is empty when it has one.
	Unparsed string   `json:"unparsed,omitempty"`
	Notices  []string `json:"notices,omitempty"`

	// Rows are the rows that are printed; those that are not cut count as
	// displayed, so whoever prints the result otherwise prints them too.
	Rows []refusal.ExcerptRow `json:"-"`
}

// A Declaration is a named construct. Start and End are lines, both inclusive.
// Name is qualified by the declarations around it.
type Declaration struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Depth int    `json:"depth"`

	row refusal.ExcerptRow
}

// Outline prints the declarations of a file under its tag. A file that cannot
// be parsed, because its language is unknown, say, has none and a reason.
// Errors: as Read.
func (s *Session) Outline(ctx context.Context, req OutlineRequest) (*OutlineResult, error) {
	s.emit(ctx, Event{Step: StepRequested, Tool: "outline", Files: []EventFile{{Path: req.Path}}})
	res, rows, err := s.outline(ctx, req)
	if err != nil {
		return nil, s.refuse(ctx, "outline", false, []EventFile{{Path: req.Path}}, at(err, req.Path))
	}
	s.emit(ctx, Event{Step: StepRead, Tool: "outline", Files: []EventFile{{Path: res.Path, Tag: res.Tag, OldRevision: res.Revision, Shown: runs(rows)}}})
	return res, nil
}

func (s *Session) outline(ctx context.Context, req OutlineRequest) (*OutlineResult, []refusal.ExcerptRow, error) {
	t, err := s.resolve(req.Path)
	if err != nil {
		return nil, nil, err
	}
	if !t.Exists {
		return nil, nil, notFound(req.Path)
	}
	s.forgetPending(t.Key)
	snap, err := s.load(ctx, t, "")
	if err != nil {
		return nil, nil, err
	}
	lang := languageOf(t.Name, snap.Text)
	tree, err := s.engine.Parse(ctx, lang, snap.Text)
	if err != nil {
		return nil, nil, err
	}
	res := &OutlineResult{
		Path: t.Name, Tag: snap.Tag, Revision: snap.Revision, Language: lang,
		TotalLines: snap.Text.Len(), Declarations: []Declaration{},
	}
	if res.Unparsed = tree.Unparsed(); lang == "" {
		res.Unparsed = "the language of this file is unknown"
	}
	p := newPage(s.lim, s.lim.Columns)
	for _, d := range tree.Outline() {
		r := row(snap.Text, d.Start, s.lim.Columns)
		if len(p.rows) > 0 && p.rows[len(p.rows)-1].N == d.Start { // two on one row
			res.Declarations = append(res.Declarations, declaration(d, refusal.ExcerptRow{}))
			continue
		}
		if !p.addText(8) || !p.add(r) {
			res.Notices = append(res.Notices, fmt.Sprintf("the page is full; declarations from line %d on are not listed", d.Start))
			break
		}
		res.Declarations = append(res.Declarations, declaration(d, r))
	}
	v := s.observe(t, snap)
	s.store.Show(v, displayed(p.rows)...)
	res.Rows = p.rows
	return res, p.rows, nil
}

func declaration(d blocks.Decl, r refusal.ExcerptRow) Declaration {
	return Declaration{Name: d.Path, Kind: d.Kind, Start: d.Start, End: d.End, Depth: d.Depth, row: r}
}

// Text is the model-facing form of an outline: the first row of each
// declaration as N:text, and `…M` below it when it ends on a later line M.
func (r *OutlineResult) Text() string {
	var b strings.Builder
	header(&b, r.Path, r.Tag)
	for _, d := range r.Declarations {
		if d.row.N == 0 {
			continue
		}
		fmt.Fprintf(&b, "%d:%s%s\n", d.row.N, d.row.Text, cutMark(d.row))
		if d.End > d.Start {
			fmt.Fprintf(&b, "%s%d\n", elision, d.End)
		}
	}
	switch {
	case r.Unparsed != "":
		fmt.Fprintf(&b, "(no outline: %s; use `grep` or `read`)\n", r.Unparsed)
	case len(r.Declarations) == 0:
		b.WriteString("(no declarations)\n")
	default:
		fmt.Fprintf(&b, "(%s of %s; `%sM` below a row: it ends on line M)\n", plural(len(r.Declarations), "declaration"), countLines(r.TotalLines), elision)
	}
	for _, n := range r.Notices {
		fmt.Fprintf(&b, "(%s)\n", n)
	}
	return b.String()
}
