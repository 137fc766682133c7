package dialects

import (
	"strings"

	"putcut/refusal"
)

const (
	addFile    = "*** Add File: "
	deleteFile = "*** Delete File: "
	updateFile = "*** Update File: "
	moveTo     = "*** Move to: "
	endOfFile  = "*** End of File"
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
)

// A chunk is one chunk of an update: the anchors of its @@ rows, then rows that
// stay, go and come.
type chunk struct {
	row     int
	anchors []string
	rows    []patchRow
	atEnd   bool
}

type patchRow struct {
	mark byte // ' ', '-' or '+'
	text string
}

// old are the rows that the chunk expects in the file.
func (c chunk) old() []string {
	var out []string
	for _, r := range c.rows {
		if r.mark != '+' {
			out = append(out, r.text)
		}
	}
	return out
}

// A fileHunk is one file of the envelope.
type fileHunk struct {
	row    int
	kind   string // one of the headers
	path   string
	moveTo string
	lines  []string // of an added file
	chunks []chunk
}

// applyPatch reads the *** Begin Patch envelope. Old rows match whole lines
// exactly. A chunk is where its old rows occur once; else once after the chunk
// before; else right below its @@ anchors, inside the lines that these govern.
func (l *lowering) applyPatch(s string) error {
	hunks, err := parseEnvelope(s)
	if err != nil {
		return err
	}
	for _, h := range hunks {
		if err := l.fileHunk(h); err != nil {
			e := refusal.As(located(err, h.path))
			if e.Row == 0 {
				e.Row = h.row
			}
			return e
		}
	}
	return nil
}

func (l *lowering) fileHunk(h fileHunk) error {
	switch h.kind {
	case addFile:
		if err := l.next(); err != nil {
			return err
		}
		w, err := l.open(h.path)
		if err != nil {
			return err
		}
		content := strings.Join(h.lines, "\n")
		if len(h.lines) > 0 {
			content += "\n"
		}
		if err := w.createWith([]byte(content)); err != nil {
			return err
		}
		l.note(w, h.row, span{}, nil, "a new file")
		return nil
	case deleteFile:
		if err := l.next(); err != nil {
			return err
		}
		w, err := l.openOld(h.path)
		if err != nil {
			return err
		}
		if err := w.removeIt(); err != nil {
			return err
		}
		l.note(w, h.row, span{0, w.old.Size()}, nil, "removed")
		return nil
	}
	w, err := l.openOld(h.path)
	if err != nil {
		return err
	}
	if h.moveTo != "" {
		if err := w.moveIt(h.moveTo); err != nil {
			return err
		}
	}
	cursor := 0 // gap after the chunk before
	for _, c := range h.chunks {
		if err := l.next(); err != nil {
			return err
		}
		end, err := l.chunk(w, c, cursor)
		if err != nil {
			e := refusal.As(located(err, h.path))
			e.Row, e.Op = c.row, l.edit
			return e
		}
		cursor = max(cursor, end)
	}
	return nil
}

// chunk resolves one chunk and returns the gap after it.
func (l *lowering) chunk(w *work, c chunk, cursor int) (end int, err error) {
	name := "chunk " + itoa(l.edit)
	old := c.old()
	if len(old) == 0 {
		return l.appendChunk(w, c, name)
	}
	found := w.locator().find(old)
	start, note := -1, ""
	switch {
	case c.atEnd:
		at := w.old.Len() - len(old)
		if at < 0 || !w.locator().equal(at, old) {
			e := w.miss(name, strings.Join(old, "\n"))
			if len(found) > 0 {
				e.What = "the text of " + name + " is marked as the end of the file, and occurs elsewhere: " + w.listAt(w.offsets(found), len(found))
			}
			return 0, e
		}
		start = at
	case len(found) == 1:
		start = found[0]
	case len(found) > 1 && len(c.anchors) > 0:
		start, note, err = w.anchored(name, c.anchors, old, found, cursor)
		if err != nil {
			return 0, err
		}
	case len(found) > 1:
		var after []int
		for _, g := range found {
			if g >= cursor {
				after = append(after, g)
			}
		}
		if cursor == 0 || len(after) != 1 {
			return 0, w.ambiguous(name, w.offsets(found), len(found), nil)
		}
		start = after[0]
		note = "the only place after the chunk before it; the text also occurs " + itoa(len(found)-1) + " times earlier"
	}
	shift := Shift{}
	var relaxed []Relaxation
	if start < 0 {
		p, err := l.resolveRows(w, name, old, c.fresh())
		if err != nil {
			return 0, err
		}
		if p.n != len(old) || len(p.relaxed) > 0 && p.relaxed[0] != RelaxedIndent {
			// The rows that stay cannot be told apart in decoded text.
			l.putRows(w, name, c.row, p, old, "")
			return p.start + p.n, nil
		}
		start, relaxed = p.start, p.relaxed
		from, _ := indentOf(old[firstText(old)])
		to, _ := indentOf(string(w.old.Line(start + 1 + firstText(old))))
		shift, _ = ShiftBetween(from, to)
	}
	return l.putChunk(w, c, start, shift, relaxed, note)
}

// fresh are the rows that stand in place of the old ones.
func (c chunk) fresh() []string {
	var out []string
	for _, r := range c.rows {
		if r.mark != '-' {
			out = append(out, r.text)
		}
	}
	return out
}

// firstText is the index of the first row that is not blank.
func firstText(rows []string) int {
	for i, r := range rows {
		if !blank(r) {
			return i
		}
	}
	return 0
}

// putChunk records each run of rows that go and come as a change of its own,
// so that rows that stay are not touched.
func (l *lowering) putChunk(w *work, c chunk, start int, shift Shift, relaxed []Relaxation, note string) (end int, err error) {
	n := len(c.old())
	region := span{w.old.Offset(start), w.old.Offset(start + n)}
	i := l.note(w, c.row, region, relaxed, note)
	w.proves(region)
	at := start
	run := lineChange{start: at, end: at, edit: i, rank: above}
	touched := false
	flush := func() {
		if run.start < run.end || len(run.rows) > 0 {
			w.lines = append(w.lines, run)
			touched = true
		}
		run = lineChange{start: at, end: at, edit: i}
	}
	for _, r := range c.rows {
		switch r.mark {
		case '-':
			at++
			run.end = at
		case '+':
			s, ok := shift.Apply(r.text)
			if !ok {
				return 0, refusal.New(refusal.TextNotFound, "the old rows of the chunk match with less indentation, and its new row %s has too little to take away", show(r.text)).
					WithNext("Copy the lines with the indentation they have in the file")
			}
			run.rows = append(run.rows, s)
		default:
			flush()
			at++
			run.start, run.end = at, at
		}
	}
	flush()
	if !touched {
		w.warn(refusal.OpNoChange, c.row, "the chunk changes nothing: it holds no `-` and no `+` row")
	}
	return start + n, nil
}

// appendChunk is a chunk of `+` rows alone: they go to the end of the file.
func (l *lowering) appendChunk(w *work, c chunk, name string) (end int, err error) {
	if len(c.anchors) > 0 {
		return 0, refusal.New(refusal.TextAmbiguous, "%s has `+` rows alone under an @@ row, which some tools put below that row and others at the end of the file", name).
			WithNext("Add the line above or below the new ones, as a row that starts with a blank")
	}
	n := w.old.Len()
	i := l.note(w, c.row, span{w.old.Size(), w.old.Size()}, nil, "at the end of the file")
	ch := lineChange{start: n, end: n, edit: i}
	for _, r := range c.rows {
		ch.rows = append(ch.rows, r.text)
	}
	w.lines = append(w.lines, ch)
	return n, nil
}

// anchored picks, of several places, the first below the chunk's @@ anchors,
// when it lies inside the lines that the last anchor governs: none between them
// stands as far left as the anchor and is no bracket of it.
func (w *work) anchored(name string, anchors, old []string, found []int, cursor int) (start int, note string, err error) {
	from := cursor
	line := 0
	for _, a := range anchors {
		var hits []int
		exact := false
		for n := from + 1; n <= w.old.Len(); n++ {
			s := string(w.old.Line(n))
			switch {
			case s == a:
				if !exact {
					hits, exact = nil, true
				}
				hits = append(hits, n)
			case !exact && strings.Trim(s, blanks) == strings.Trim(a, blanks):
				hits = append(hits, n)
			}
		}
		if len(hits) != 1 {
			what := "occurs nowhere after line " + itoa(from)
			if len(hits) > 1 {
				what = "is at lines"
				for i, n := range hits[:min(len(hits), most)] {
					if i > 0 {
						what += ","
					}
					what += " " + itoa(n)
				}
			}
			e := w.ambiguous(name, w.offsets(found), len(found), nil)
			e.What += "; its anchor " + show("@@ "+a) + " does not tell them apart: it " + what
			return 0, "", e
		}
		line = hits[0]
		from = line
	}
	for _, g := range found {
		// The anchor's own line may be the chunk's first.
		if g < from-1 {
			continue
		}
		if !w.governs(line, g+1) {
			break
		}
		return g, "the first place below its anchor at line " + itoa(line) + "; the text occurs " + itoa(len(found)) + " times", nil
	}
	e := w.ambiguous(name, w.offsets(found), len(found), nil)
	e.What += "; none of them lies in the lines that its anchor at line " + itoa(line) + " governs"
	return 0, "", e
}

// governs reports whether no line after line anchor and before line n stands
// as far left as the anchor, its own brackets and continuations aside.
func (w *work) governs(anchor, n int) bool {
	in, _ := indentOf(string(w.old.Line(anchor)))
	for i := anchor + 1; i < n; i++ {
		s := strings.TrimRight(string(w.old.Line(i)), " \t\r")
		here, rest := indentOf(s)
		if rest == "" || len(here) > len(in) {
			continue
		}
		if rest[0] == '{' {
			continue
		}
		if strings.IndexByte(")]}", rest[0]) >= 0 && strings.IndexByte("{:(", rest[len(rest)-1]) >= 0 {
			continue
		}
		return false
	}
	// The first row of the place must be inside as well, or be the anchor.
	if n > anchor && n <= w.old.Len() {
		here, rest := indentOf(string(w.old.Line(n)))
		return rest == "" || len(here) > len(in) || strings.IndexByte("{)]}", rest[0]) >= 0
	}
	return n == anchor
}

// parseEnvelope reads the envelope, with or without a fence or a here-document
// around it.
func parseEnvelope(s string) ([]fileHunk, error) {
	rows := inputRows(s)
	i := 0
	skip := func() {
		for i < len(rows) && blank(rows[i].text) {
			i++
		}
	}
	skip()
	closer := ""
	if i < len(rows) {
		t := strings.Trim(rows[i].text, " \t\r")
		if run, _, ok := fence(t); ok {
			closer = run
			i++
		} else if _, doc, ok := strings.Cut(t, "<<"); ok && (strings.HasPrefix(t, "<<") || strings.HasPrefix(t, "apply_patch ")) {
			closer = strings.Trim(strings.TrimLeft(doc, "-"), `'" `)
			i++
		}
	}
	skip()
	if i == len(rows) || strings.TrimRight(rows[i].text, " \t\r") != beginPatch {
		row := min(i+1, max(len(rows), 1))
		return nil, at(refusal.ParseFailed, row, "`%s` is missing", beginPatch).WithNext("Start with a row `%s` and end with a row `%s`", beginPatch, endPatch)
	}
	i++
	var out []fileHunk
	for ; i < len(rows); i++ {
		t := rows[i].text
		bare := strings.TrimRight(t, " \t\r")
		switch {
		case bare == endPatch:
			if i++; closer != "" {
				skip()
				if i < len(rows) && strings.Trim(rows[i].text, " \t\r") == closer {
					i++
				}
			}
			skip()
			if i < len(rows) {
				return nil, at(refusal.ParseFailed, i+1, "text stands after `%s`", endPatch).WithNext("Leave it out")
			}
			if len(out) == 0 {
				return nil, at(refusal.ParseFailed, i, "the patch names no file").WithNext("Add a `%s` row", strings.TrimRight(updateFile, " "))
			}
			return out, nil
		case strings.HasPrefix(t, "*** Abort"):
			return nil, at(refusal.ParseFailed, i+1, "the patch was aborted").WithNext("Send a whole patch")
		case bare == "":
			continue
		}
		h, next, err := parseFileHunk(rows, i)
		if err != nil {
			return nil, err
		}
		out = append(out, h)
		i = next - 1
	}
	return nil, at(refusal.ParseFailed, len(rows), "`%s` is missing", endPatch).WithNext("Send the whole patch")
}

// parseFileHunk reads one file; next is the row after it.
func parseFileHunk(rows []inputRow, i int) (h fileHunk, next int, err error) {
	t := rows[i].text
	h.row = i + 1
	for _, kind := range []string{addFile, deleteFile, updateFile} {
		if p, ok := strings.CutPrefix(t, kind); ok {
			h.kind, h.path = kind, strings.Trim(p, " \t\r")
		}
	}
	if h.path == "" {
		return h, 0, at(refusal.ParseFailed, i+1, "%s is no file header", show(t)).
			WithNext("A file starts with `*** Add File: `, `*** Update File: ` or `*** Delete File: ` and its path")
	}
	i++
	switch h.kind {
	case deleteFile:
		return h, i, nil
	case addFile:
		for ; i < len(rows) && !strings.HasPrefix(rows[i].text, "*** "); i++ {
			r := rows[i].text
			if r == "" || r[0] != '+' {
				if blank(r) && blanksUntilStars(rows, i) {
					continue
				}
				return h, 0, at(refusal.ParseFailed, i+1, "the row %s of an added file lacks its `+`", show(r)).WithNext("Start every row of the file with `+`")
			}
			h.lines = append(h.lines, r[1:])
		}
		return h, i, nil
	}
	if i < len(rows) {
		if p, ok := strings.CutPrefix(rows[i].text, moveTo); ok {
			if h.moveTo = strings.Trim(p, " \t\r"); h.moveTo == "" {
				return h, 0, at(refusal.ParseFailed, i+1, "the destination is empty").WithNext("Name it")
			}
			i++
		}
	}
	for i < len(rows) {
		r := rows[i].text
		if strings.HasPrefix(r, "*** ") && strings.TrimRight(r, blanks) != endOfFile {
			break
		}
		if blank(r) && (len(h.chunks) == 0 || blanksUntilStars(rows, i)) {
			i++
			continue
		}
		c, n, err := parseChunk(rows, i)
		if err != nil {
			return h, 0, err
		}
		h.chunks = append(h.chunks, c)
		i = n
	}
	if len(h.chunks) == 0 && h.moveTo == "" {
		return h, 0, at(refusal.ParseFailed, h.row, "the update holds no chunk and no move").WithNext("Add rows that start with a blank, `-` or `+`")
	}
	return h, i, nil
}

// blanksUntilStars reports whether nothing but empty rows stands between row i
// and the next file header or the end of the patch.
func blanksUntilStars(rows []inputRow, i int) bool {
	for ; i < len(rows); i++ {
		if strings.HasPrefix(rows[i].text, "*** ") {
			return strings.TrimRight(rows[i].text, blanks) != endOfFile
		}
		if rows[i].text != "" {
			return false
		}
	}
	return true
}

func parseChunk(rows []inputRow, i int) (c chunk, next int, err error) {
	c.row = i + 1
	for ; i < len(rows); i++ {
		r := rows[i].text
		if r != "@@" && !strings.HasPrefix(r, "@@ ") {
			break
		}
		if strings.HasPrefix(r, "@@ -") && strings.HasSuffix(strings.TrimRight(r, blanks), "@@") {
			return c, 0, at(refusal.ParseFailed, i+1, "%s is a hunk header of a unified diff", show(r)).
				WithNext("Write `@@` alone, or `@@ ` and a line of the file above the change")
		}
		if a := strings.TrimPrefix(strings.TrimPrefix(r, "@@"), " "); strings.Trim(a, blanks) != "" {
			c.anchors = append(c.anchors, a)
		}
	}
	for ; i < len(rows); i++ {
		r := rows[i].text
		switch {
		case strings.TrimRight(r, blanks) == endOfFile:
			c.atEnd = true
			i++
			return c, i, c.check()
		case strings.HasPrefix(r, "*** "), r == "@@", strings.HasPrefix(r, "@@ "):
			return c, i, c.check()
		case r == "":
			if blanksUntilStars(rows, i) {
				return c, i, c.check()
			}
			c.rows = append(c.rows, patchRow{' ', ""})
		case r[0] == ' ' || r[0] == '-' || r[0] == '+':
			c.rows = append(c.rows, patchRow{r[0], r[1:]})
		default:
			return c, 0, at(refusal.ParseFailed, i+1, "the row %s starts with neither a blank, `-` nor `+`", show(r)).
				WithNext("Start rows that stay with a blank, rows that go with `-`, rows that come with `+`")
		}
	}
	return c, i, c.check()
}

func (c chunk) check() error {
	if len(c.rows) == 0 {
		return at(refusal.ParseFailed, c.row, "the chunk is empty").WithNext("Add rows that start with a blank, `-` or `+`")
	}
	return nil
}
