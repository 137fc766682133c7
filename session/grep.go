package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"putcut/refusal"
	"putcut/snapshots"
	"putcut/workspace"
	"putcut/workspace/search"
)

const (
	grepLimit    = 200    // matches printed when a call names no limit
	maxGrepLimit = 10_000 // the most it may name
)

// Grep searches files by lines and prints what matches with tags, so that the
// rows can be edited at once: rows printed in full are displayed. Modes Files
// and Count mint tags under which nothing is displayed. Ignored and binary files
// are left out. Errors: InvalidArgument, NotFound, OutsideWorkspace, IO.
func (s *Session) Grep(ctx context.Context, req GrepRequest) (*GrepResult, error) {
	s.emit(ctx, Event{Step: StepRequested, Tool: "grep", Files: []EventFile{{Path: req.Path}}})
	res, err := s.grep(ctx, req)
	if err != nil {
		return nil, s.refuse(ctx, "grep", false, []EventFile{{Path: req.Path}}, err)
	}
	files := make([]EventFile, len(res.Files))
	for i, f := range res.Files {
		files[i] = EventFile{Path: f.Path, Tag: f.Tag, Shown: runs(f.Rows)}
	}
	s.emit(ctx, Event{Step: StepRead, Tool: "grep", Files: files})
	return res, nil
}

func (s *Session) grep(ctx context.Context, req GrepRequest) (*GrepResult, error) {
	opt := search.Options{
		Pattern: req.Pattern, Literal: req.Literal, IgnoreCase: req.IgnoreCase,
		Glob: req.Glob, Context: req.Context, MaxFileSize: s.lim.FileBytes,
	}
	g := &grepping{s: s, req: req, left: req.Limit, page: newPage(s.lim, s.lim.Columns)}
	switch req.Mode {
	case "", Content:
		g.res.Mode, opt.Mode = Content, search.Content
	case Files:
		g.res.Mode, opt.Mode = Files, search.Files
	case Count:
		g.res.Mode, opt.Mode = Count, search.Count
	default:
		return nil, refusal.New(refusal.InvalidArgument, "there is no mode %q", req.Mode).WithNext("Use content, files or count")
	}
	switch {
	case req.Limit == 0:
		g.left = grepLimit
	case req.Limit < 0 || req.Limit > maxGrepLimit:
		return nil, refusal.New(refusal.InvalidArgument, "limit is %d, and it may be 1 to %d", req.Limit, maxGrepLimit)
	}
	if req.Pattern == "" && req.Mode != Files {
		return nil, refusal.New(refusal.InvalidArgument, "the argument `pattern` is missing").WithNext("Send a pattern, or use mode files to list files")
	}
	if req.Path != "" {
		if err := checkPath(req.Path); err != nil {
			return nil, err
		}
	}
	q, err := search.Compile(opt)
	if err != nil {
		return nil, err
	}
	starts := []string{req.Path}
	if req.Path == "" {
		starts = s.ws.Roots()
	}
	for _, start := range starts {
		if err := g.run(ctx, q, start); err != nil {
			return nil, err
		}
		if g.stopped {
			break
		}
	}
	return g.finish(), nil
}

// grepping is one search on its way.
type grepping struct {
	s       *Session
	req     GrepRequest
	res     GrepResult
	left    int
	page    *page
	stopped bool
	skipped int // files whose name cannot stand in a header row
	failed  int
	failing []string // the first files that failed, each with its reason
	binary  int
	why     string
}

func (g *grepping) run(ctx context.Context, q *search.Query, start string) error {
	handle, rel, err := g.s.ws.Start(start)
	if err != nil {
		return err
	}
	defer handle.Close()
	rep, err := q.Run(ctx, handle, rel, func(f search.File) error {
		name, err := g.s.ws.NameOf(start, f.Path)
		if err != nil {
			return err
		}
		if checkPath(name) != nil {
			g.skipped++
			return nil
		}
		return g.file(ctx, name, f)
	})
	g.failed += rep.Failed
	for _, problem := range rep.Problems {
		g.failing = append(g.failing, g.failure(start, problem))
	}
	g.binary += rep.Binary
	return at(err, start)
}

// file adds one matching file to the result.
func (g *grepping) file(ctx context.Context, name string, f search.File) error {
	if workspace.Temporary(path.Base(f.Path)) {
		return nil // a commit of another process is under way
	}
	if g.left <= 0 {
		g.stop("the limit of the call is reached")
		return search.ErrStop
	}
	if !g.page.addText(len(name) + 12) {
		g.stop("the page is full")
		return search.ErrStop
	}
	out := GrepFile{Path: name, Count: f.Count}
	snap := snapshots.Snap{Text: f.Text, Raw: f.Raw}
	t, err := g.s.ws.Resolve(name)
	if err != nil || !t.Exists {
		return nil // it went while the tree was walked
	}
	switch {
	case f.Text == nil && !f.Large:
		// Only listed: read it for its tag.
		if snap, err = g.s.load(ctx, t, ""); err != nil {
			snap = snapshots.Snap{}
		}
	case f.Text != nil:
		snap = snapshots.SnapOf(f.Text, f.Raw, "")
	}
	out.Tag = snap.Tag
	if g.res.Mode != Content {
		if snap.Text != nil {
			g.s.mint(t, snap)
		}
		g.left--
		g.res.Matches += f.Count
		g.res.Files = append(g.res.Files, out)
		return nil
	}
	g.rows(&out, f)
	g.res.Files = append(g.res.Files, out)
	if snap.Text != nil {
		v := g.s.observe(t, snap)
		g.s.store.Show(v, displayed(out.Rows)...)
		if g.req.Path != "" && len(out.Rows) > 0 {
			if p, err := g.s.ws.Resolve(g.req.Path); err == nil && p.Key == t.Key {
				g.s.forgetPending(t.Key)
			}
		}
	}
	if g.stopped {
		return search.ErrStop
	}
	return nil
}

// rows adds the matching rows of a file with their context.
func (g *grepping) rows(out *GrepFile, f search.File) {
	add := func(r refusal.ExcerptRow) bool {
		if !g.page.add(r) {
			g.stop("the page is full")
			return false
		}
		out.Rows = append(out.Rows, r)
		return true
	}
	if f.Large {
		for _, r := range f.Rows {
			if r.Match {
				if g.left == 0 {
					g.stop("the limit of the call is reached")
					return
				}
				g.left--
				g.res.Matches++
				out.Lines = append(out.Lines, r.N)
			}
			text := clip(string(r.Text), g.s.lim.Columns)
			if !add(refusal.ExcerptRow{N: r.N, Text: text, Cut: r.Cut}) {
				return
			}
		}
		return
	}
	next := 1
	for i, n := range f.Matches {
		if g.left == 0 {
			g.stop("the limit of the call is reached")
			return
		}
		last := n
		if i+1 < len(f.Matches) {
			last = min(f.Text.Len(), n+g.req.Context, f.Matches[i+1]-1)
		} else {
			last = min(f.Text.Len(), n+g.req.Context)
		}
		for m := max(next, n-g.req.Context); m <= last; m++ {
			if !add(row(f.Text, m, g.s.lim.Columns)) {
				return
			}
		}
		next = last + 1
		g.left--
		g.res.Matches++
		out.Lines = append(out.Lines, n)
	}
}

// failure names a file that could not be searched, and says why.
func (g *grepping) failure(start string, p search.Problem) string {
	name, err := g.s.ws.NameOf(start, p.Path)
	if err != nil {
		name = p.Path
	}
	if checkPath(name) != nil {
		name = strconv.Quote(name)
	}
	why := p.Err.Error()
	var of *fs.PathError
	if e := refusal.As(p.Err); e != nil {
		why = e.What
	} else if errors.As(p.Err, &of) {
		why = of.Err.Error()
	}
	return name + " (" + why + ")"
}

// failures are the files that could not be searched, the first of them named:
// that nothing matched is not said of them.
func (g *grepping) failures() string {
	const named = 3
	slices.Sort(g.failing)
	list := strings.Join(g.failing[:min(named, len(g.failing))], ", ")
	if more := g.failed - named; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return plural(g.failed, "file") + " could not be read: " + list
}

func (g *grepping) stop(why string) { g.stopped, g.why = true, why }

func (g *grepping) finish() *GrepResult {
	res := &g.res
	if g.stopped {
		res.Notices = append(res.Notices, g.why+": there is more; narrow the search with `path`, `glob` or `pattern`, or raise `limit`")
	}
	for _, r := range res.Files {
		if r.Tag == "" {
			res.Notices = append(res.Notices, "files without a tag are over the size limit or cannot be decoded: they can be searched, not edited")
			break
		}
	}
	if g.skipped > 0 {
		res.Notices = append(res.Notices, plural(g.skipped, "file")+" skipped: control characters in the name")
	}
	if g.failed > 0 {
		res.Notices = append(res.Notices, g.failures())
	}
	for i := range res.Files {
		for _, r := range res.Files[i].Rows {
			if r.Cut {
				res.Notices = append(res.Notices, "rows marked … are not the whole or the exact line and do not count as displayed")
				return res
			}
		}
	}
	return res
}

// addText takes room for a text that is no row.
func (p *page) addText(n int) bool {
	if n > p.bytes {
		p.full = true
		return false
	}
	p.bytes -= n
	return true
}
