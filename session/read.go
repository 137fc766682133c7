package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"putcut/refusal"
	"putcut/snapshots"
	"putcut/text"
	"putcut/workspace"
)

// maxColumns bounds max_columns, so that one line still fits on a page.
const maxColumns = 10_000

// Read prints lines of a file under its tag and records them as displayed. The
// page is bounded; what it leaves out is named in a notice. Errors: InvalidArgument,
// NotFound, NotRegular, Binary, Encoding, OutsideWorkspace, IO.
func (s *Session) Read(ctx context.Context, req ReadRequest) (*ReadResult, error) {
	s.emit(ctx, Event{Step: StepRequested, Tool: "read", Files: []EventFile{{Path: req.Path}}})
	res, err := s.read(ctx, req)
	if err != nil {
		s.forgetPath(req.Path)
		return nil, s.refuse(ctx, "read", false, []EventFile{{Path: req.Path}}, at(err, req.Path))
	}
	s.emit(ctx, Event{Step: StepRead, Tool: "read", Files: []EventFile{{
		Path: res.Path, Tag: res.Tag, OldRevision: res.Revision, Shown: res.Shown,
	}}})
	return res, nil
}

func (s *Session) read(ctx context.Context, req ReadRequest) (*ReadResult, error) {
	ranges, err := parseRanges(req.Ranges)
	if err != nil {
		return nil, err
	}
	if err := text.KnownEncoding(req.Encoding); err != nil {
		return nil, err
	}
	columns := req.MaxColumns
	switch {
	case columns == 0:
		columns = s.lim.Columns
	case columns < 0 || columns > maxColumns:
		return nil, refusal.New(refusal.InvalidArgument, "max_columns is %d, and it may be 1 to %d", columns, maxColumns).WithNext("Leave it out, or send a number in that range")
	}
	t, err := s.resolve(req.Path)
	if err != nil {
		return nil, err
	}
	if !t.Exists {
		return nil, notFound(req.Path)
	}
	s.forgetPending(t.Key)
	snap, err := s.load(ctx, t, req.Encoding)
	if isTooLarge(err) && req.Encoding == "" {
		return s.readStream(ctx, t, ranges, columns)
	}
	if err != nil {
		return nil, err
	}
	res := readResult(t, snap)
	p := newPage(s.lim, columns)
	for _, r := range ranges {
		last := r[1]
		if last == 0 || last > res.TotalLines {
			if last != 0 || r[0] > res.TotalLines && r[0] > 1 {
				res.Notices = append(res.Notices, askedFor(r, res.TotalLines))
			}
			last = res.TotalLines
		}
		for n := r[0]; n <= last; n++ {
			if !p.add(row(snap.Text, n, columns)) {
				p.leftOut(n, r, ranges, res.TotalLines)
				break
			}
		}
		if p.full {
			break
		}
	}
	v := s.observe(t, snap)
	s.store.Show(v, displayed(p.rows)...)
	if !snap.Text.Valid() && snap.Text.Format().Encoding == text.UTF8 {
		res.Notices = append(res.Notices, "the file is not valid UTF-8; bytes that are not are shown as U+FFFD, such lines do not count as displayed, and only ASCII can be inserted (or read it again with `encoding`)")
	}
	p.finish(res)
	return res, nil
}

// readResult is what a read says of a file, without any rows.
func readResult(t *workspace.Target, snap snapshots.Snap) *ReadResult {
	return &ReadResult{
		Path: t.Name, Tag: snap.Tag, Revision: snap.Revision, TotalLines: snap.Text.Len(),
		Shown: [][2]int{}, Clipped: []int{},
		EOL: eolName(snap.Text), Encoding: snap.Text.Format().Encoding, BOM: snap.Text.Format().BOM,
		FinalNewline: snap.Text.Len() > 0 && snap.Text.FinalNewline(),
	}
}

func eolName(t *text.Text) string {
	if t.Mixed() {
		return "mixed"
	}
	if t.Len() == 0 || t.Len() == 1 && !t.FinalNewline() {
		return text.None.Name()
	}
	return t.CommonEOL().Name()
}

func rangeText(r [2]int) string {
	switch r[1] {
	case 0:
		return strconv.Itoa(r[0]) + "-"
	case r[0]:
		return strconv.Itoa(r[0])
	}
	return strconv.Itoa(r[0]) + "-" + strconv.Itoa(r[1])
}

func askedFor(r [2]int, total int) string {
	what := "lines %s were"
	if r[0] == r[1] {
		what = "line %s was"
	}
	return fmt.Sprintf(what+" asked for; the file has %s", rangeText(r), countLines(total))
}

func countLines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return strconv.Itoa(n) + " lines"
}

// page collects rows up to its bounds.
type page struct {
	rows    []refusal.ExcerptRow
	notices []string
	bytes   int
	lines   int
	columns int
	full    bool
}

func newPage(lim Limits, columns int) *page {
	// Header, notices and elision rows live on the same page.
	return &page{bytes: lim.PageBytes - 1024, lines: lim.PageLines, columns: columns}
}

// add puts a row on the page if there is room. The first row always fits, cut
// if it must be.
func (p *page) add(r refusal.ExcerptRow) bool {
	cost := len(r.Text) + len(strconv.Itoa(r.N)) + 2
	if len(p.rows) == 0 && cost > p.bytes {
		r.Text, r.Cut = r.Text[:runePrefix([]byte(r.Text), p.bytes/4-16)], true
		cost = p.bytes
	}
	if p.lines == 0 || cost > p.bytes {
		p.full = true
		return false
	}
	p.lines--
	p.bytes -= cost
	p.rows = append(p.rows, r)
	return true
}

// leftOut notes what no longer fitted, from line n of range r on.
func (p *page) leftOut(n int, r [2]int, all [][2]int, total int) {
	rest := rangeText([2]int{n, r[1]})
	for _, o := range all {
		if o[0] > r[0] {
			rest += "," + rangeText(o)
		}
	}
	p.notices = append(p.notices, fmt.Sprintf("the page is full; read on with ranges %q (the file has %s)", rest, countLines(total)))
}

func (p *page) finish(res *ReadResult) {
	res.Rows, res.Shown = p.rows, runs(p.rows)
	res.Clipped = []int{}
	for _, r := range p.rows {
		if r.Cut {
			res.Clipped = append(res.Clipped, r.N)
		}
	}
	if len(res.Clipped) > 0 {
		res.Notices = append(res.Notices, fmt.Sprintf("rows marked … are not the whole or the exact line and do not count as displayed; lines are cut at %d characters (max_columns)", p.columns))
	}
	res.Notices = append(res.Notices, p.notices...)
}

// readStream prints lines of a file that is too large to edit. It has a header
// without a tag. Only LF and CRLF end lines here.
func (s *Session) readStream(ctx context.Context, t *workspace.Target, ranges [][2]int, columns int) (*ReadResult, error) {
	f, err := s.ws.OpenRead(t)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	res := &ReadResult{Path: t.Name, Encoding: text.UTF8, EOL: "lf"}
	p := newPage(s.lim, columns)
	br := bufio.NewReaderSize(f, 128<<10)
	if mark, _ := br.Peek(3); string(mark) == "\xef\xbb\xbf" {
		res.BOM = true
		br.Discard(3)
	}
	const room = 4 * maxColumns
	var line []byte
	n, at := 0, 0
	var full [2]int
	for {
		chunk, err := br.ReadSlice('\n')
		if len(line) < room {
			line = append(line, chunk[:min(len(chunk), room-len(line)+2)]...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		done := err == io.EOF
		if done && len(line) == 0 {
			break
		}
		n++
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		res.FinalNewline = !done
		for at < len(ranges) && ranges[at][1] != 0 && n > ranges[at][1] {
			at++
		}
		if full[0] == 0 && at < len(ranges) && n >= ranges[at][0] {
			one := text.FromBody(append([]byte(nil), line...), text.Format{Encoding: text.UTF8})
			r := refusal.ExcerptRow{N: n}
			if one.Len() > 0 {
				r = row(one, 1, columns)
				r.N = n
			}
			if !p.add(r) {
				full = [2]int{n, at}
			}
		}
		line = line[:0]
		if done {
			break
		}
	}
	res.TotalLines = n
	if full[0] != 0 {
		p.leftOut(full[0], ranges[full[1]], ranges, n)
	}
	for _, r := range ranges {
		if r[1] > n || r[0] > n && r[0] > 1 {
			res.Notices = append(res.Notices, askedFor(r, n))
		}
	}
	res.Notices = append(res.Notices, fmt.Sprintf("the file is over the limit of %d bytes: it can be read and searched, not edited, so it has no tag", s.lim.FileBytes))
	p.finish(res)
	return res, nil
}
