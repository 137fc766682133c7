package dialects

import (
	"path"
	"slices"
	"strings"

	"putcut/refusal"
)

// A block is one SEARCH/REPLACE block. Rows are of the input, from 1.
type block struct {
	row          int // of the opening marker
	path         string
	search, repl []string
}

// searchReplace reads SEARCH/REPLACE blocks:
//
//	path/to/file
//	<<<<<<< SEARCH
//	lines as they are
//	=======
//	lines as they shall be
//	>>>>>>> REPLACE
//
// Markers have 5 to 40 characters; the divider and the end have as many as the
// opening one, so that longer markers may enclose shorter ones. `------- SEARCH`
// to `+++++++ REPLACE` and the words ORIGINAL and UPDATED are read alike. A
// block without a row that names a file belongs to the file of the block
// before. Prose and fences around blocks are skipped. An empty SEARCH creates
// its file, or fills an empty one.
func (l *lowering) searchReplace(in Input) error {
	blocks, err := l.parseBlocks(in)
	if err != nil {
		return err
	}
	if len(blocks) == 0 {
		return refusal.New(refusal.ParseFailed, "the input holds no SEARCH/REPLACE block").
			WithNext("Write a path, then `<<<<<<< SEARCH`, the old lines, `=======`, the new lines, `>>>>>>> REPLACE`")
	}
	for _, b := range blocks {
		if err := l.next(); err != nil {
			return err
		}
		if err := l.block(b); err != nil {
			e := refusal.As(located(err, b.path))
			e.Row, e.Op = b.row, l.edit
			return e
		}
	}
	return nil
}

func (l *lowering) block(b block) error {
	name := "block " + itoa(l.edit)
	w, err := l.open(b.path)
	if err != nil {
		return err
	}
	if len(b.search) == 0 {
		return l.fillBlock(w, name, b)
	}
	if w, err = l.openOld(b.path); err != nil {
		return err
	}
	p, err := l.resolveRows(w, name, b.search, b.repl)
	if err != nil {
		return err
	}
	l.putRows(w, name, b.row, p, b.search, "")
	return nil
}

// fillBlock is a block with an empty SEARCH.
func (l *lowering) fillBlock(w *work, name string, b block) error {
	switch {
	case !w.exists:
		content := strings.Join(b.repl, "\n")
		if len(b.repl) > 0 {
			content += "\n"
		}
		if err := w.createWith([]byte(content)); err != nil {
			return err
		}
		l.note(w, b.row, span{}, nil, "a new file")
		return nil
	case w.old.Size() == 0:
		if err := w.idle("filled"); err != nil {
			return err
		}
		i := l.note(w, b.row, span{}, nil, "")
		w.lines = append(w.lines, lineChange{rows: b.repl, edit: i})
		return nil
	}
	return refusal.New(refusal.Exists, "%s has an empty SEARCH, which creates its file, and the file exists and is not empty", name).
		WithNext("Put the lines that are there now into SEARCH")
}

// putRows records a change of whole lines, without the lines that it restates
// at both ends. search are the rows that were matched, as written.
func (l *lowering) putRows(w *work, name string, row int, p placed, search []string, note string) {
	region := span{w.old.Offset(p.start), w.old.Offset(p.start + p.n)}
	i := l.note(w, row, region, p.relaxed, note)
	w.proves(region)
	c := lineChange{start: p.start, end: p.start + p.n, rows: p.repl, edit: i}
	head := 0
	for c.start < c.end && len(c.rows) > 0 && string(w.old.Line(c.start+1)) == c.rows[0] {
		c.start++
		c.rows = c.rows[1:]
		head++
	}
	for c.start < c.end && len(c.rows) > 0 && string(w.old.Line(c.end)) == c.rows[len(c.rows)-1] {
		c.end--
		c.rows = c.rows[:len(c.rows)-1]
	}
	if head == 0 {
		c.rank = above
	}
	if c.start == c.end && len(c.rows) == 0 {
		w.warn(refusal.OpNoChange, row, name+" changes nothing: the lines already are what it puts there")
		return
	}
	w.lines = append(w.lines, c)
}

// parseBlocks splits the input into blocks.
func (l *lowering) parseBlocks(in Input) ([]block, error) {
	rows := inputRows(in.Text)
	var out []block
	current := in.Path
	above, aboveRow := "", 0 // the last row that is no marker, fence or blank
	for i := 0; i < len(rows); i++ {
		m := markerOf(rows[i].text)
		if m.kind != opening {
			if m.kind != noMarker && m.clear {
				return nil, at(refusal.ParseFailed, i+1, "%s stands outside of a block", show(rows[i].text)).
					WithNext("Open each block with `<<<<<<< SEARCH`")
			}
			t := strings.Trim(rows[i].text, " \t\r")
			if _, info, ok := fence(t); ok {
				if p := pathInInfo(info); p != "" {
					above, aboveRow = p, i+1
				}
			} else if t != "" {
				above, aboveRow = t, i+1
			}
			continue
		}
		b := block{row: i + 1}
		var err error
		if b.path, err = l.blockPath(above, aboveRow, current); err != nil {
			return nil, err
		}
		if b.path == "" {
			return nil, at(refusal.ParseFailed, i+1, "no row above this block names its file").WithNext("Write the path in a row of its own above the block")
		}
		current, above = b.path, ""
		end, err := b.fill(rows, i, m)
		if err != nil {
			return nil, err
		}
		i = end
		out = append(out, b)
	}
	return out, nil
}

// fill reads the two sides of a block that opens at row i, and returns the row
// that ends it.
func (b *block) fill(rows []inputRow, i int, open marker) (end int, err error) {
	divided := false
	for j := i + 1; j < len(rows); j++ {
		m := markerOf(rows[j].text)
		if m.kind == noMarker || m.width != open.width || m.dashes != open.dashes && m.kind != divider {
			if divided {
				b.repl = append(b.repl, rows[j].text)
			} else {
				b.search = append(b.search, rows[j].text)
			}
			continue
		}
		switch {
		case m.kind == divider && !divided:
			divided = true
			continue
		case m.kind == closing && divided:
			return j, nil
		}
		what := "a second divider"
		switch m.kind {
		case opening:
			what = "another block's opening marker"
		case closing:
			what = "an end marker before the divider"
		}
		return 0, at(refusal.ParseFailed, j+1, "the block that opens at row %d holds %s, so its two sides are uncertain", b.row, what).
			WithNext("Where the text itself holds such a row, use longer markers around it: the divider and the end as long as the opening one")
	}
	want := "`" + strings.Repeat("=", open.width) + "`"
	if divided {
		want = "`" + strings.Repeat(">", open.width) + " REPLACE`"
		if open.dashes {
			want = "`" + strings.Repeat("+", open.width) + " REPLACE`"
		}
	}
	return 0, at(refusal.ParseFailed, b.row, "the block is not complete: %s is missing", want).WithNext("Send the whole block")
}

// blockPath is the file that the row above a block names, else the current
// one. A row of prose that names another file in passing is uncertain.
func (l *lowering) blockPath(above string, row int, current string) (string, error) {
	if above == "" {
		return current, nil
	}
	if p := pathIn(above); p != "" {
		return p, nil
	}
	if l.exists(above) {
		return above, nil
	}
	for _, word := range strings.FieldsFunc(above, func(r rune) bool { return strings.ContainsRune(" \t`*'\",;()[]", r) }) {
		word = strings.TrimRight(word, ".:")
		if current != "" && path.Clean(word) == path.Clean(current) || !pathLike(word) {
			continue
		}
		if l.exists(word) {
			return "", at(refusal.ParseFailed, row, "this row names %s among other words, so the file of the block below is uncertain", word).
				WithNext("Write the path in a row of its own")
		}
	}
	return current, nil
}

func (l *lowering) exists(name string) bool {
	if w := l.files[path.Clean(name)]; w != nil {
		return w.exists
	}
	// A file that is there and cannot be edited is still the one that is named.
	_, _, _, exists, _ := l.src.Load(name)
	return exists
}

// A markerKind says what a marker row does.
type markerKind uint8

const (
	noMarker markerKind = iota
	opening
	divider
	closing
)

// A marker is a marker row. dashes says that its family is that of
// `------- SEARCH`; clear that it can be nothing else.
type marker struct {
	kind   markerKind
	width  int
	dashes bool
	clear  bool
}

var (
	openWords  = []string{"SEARCH", "ORIGINAL"}
	closeWords = []string{"REPLACE", "UPDATED"}
)

func markerOf(row string) marker {
	row = strings.TrimRight(row, " \t\r")
	if row == "" || strings.IndexByte("<=>-+", row[0]) < 0 {
		return marker{}
	}
	n := len(row) - len(strings.TrimLeft(row, row[:1]))
	if n < 5 || n > 40 {
		return marker{}
	}
	word := row[n:]
	m := marker{width: n}
	switch c := row[0]; {
	case c == '=' && word == "":
		m.kind = divider
	case (c == '<' || c == '-') && word != "" && word[0] == ' ' && slices.Contains(openWords, word[1:]):
		m.kind, m.dashes, m.clear = opening, c == '-', true
	case (c == '>' || c == '+') && word != "" && word[0] == ' ' && slices.Contains(closeWords, word[1:]):
		m.kind, m.dashes, m.clear = closing, c == '+', true
	}
	return m
}
