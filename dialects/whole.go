package dialects

import (
	"bytes"
	"strings"

	"putcut/refusal"
	"putcut/text"
)

// wholeFile takes the whole content of a file: the input itself when it comes
// with a path, else chat-style, a row that names a file above a Markdown fence
// that holds its content, for any number of files.
func (l *lowering) wholeFile(in Input) error {
	if in.Path != "" {
		if err := l.next(); err != nil {
			return err
		}
		return l.putWhole(in.Path, 0, in.Text)
	}
	return l.fencedFiles(in.Text)
}

func (l *lowering) putWhole(name string, row int, content string) error {
	w, err := l.open(name)
	if err != nil {
		return err
	}
	if !w.exists {
		if err := w.createWith([]byte(content)); err != nil {
			return err
		}
		l.note(w, row, span{}, nil, "a new file")
		return nil
	}
	if err := w.idle("given whole"); err != nil {
		return err
	}
	body, f := cutBOM([]byte(content))
	if old := w.old.Format(); f.BOM && !old.BOM {
		if old.Encoding != text.UTF8 {
			return refusal.New(refusal.Encoding, "the content starts with a byte order mark, and the file, in %s, has none", old.Encoding).At(name).WithNext("Leave it out")
		}
		body = []byte(content) // what starts a text becomes its mark
	}
	var relaxed []Relaxation
	if crlf := w.old.CommonEOL() == text.CRLF && !w.old.Mixed(); crlf && bytes.IndexByte(body, '\n') >= 0 && bytes.IndexByte(body, '\r') < 0 {
		body = bytes.ReplaceAll(body, []byte("\n"), []byte("\r\n"))
		relaxed = []Relaxation{RelaxedEOL}
	}
	w.whole, w.content = true, body
	if bytes.Equal(body, w.old.Body()) {
		w.warn(refusal.OpNoChange, row, "the content is what the file holds already")
	}
	l.note(w, row, span{0, w.old.Size()}, relaxed, "")
	return nil
}

// fencedFiles reads path rows and fences.
func (l *lowering) fencedFiles(s string) error {
	rows := inputRows(s)
	above := ""
	found := false
	for i := 0; i < len(rows); i++ {
		run, info, ok := fence(rows[i].text)
		if !ok {
			if t := strings.Trim(rows[i].text, blanks); t != "" {
				above = t
			}
			continue
		}
		name := pathIn(above)
		if name == "" {
			name = pathInInfo(info)
		}
		if name == "" {
			return at(refusal.ParseFailed, i+1, "no row above this fence names the file it holds").WithNext("Write the path in a row of its own above the fence")
		}
		body, end, err := fenced(rows, i, run)
		if err != nil {
			return err
		}
		if err := l.next(); err != nil {
			return err
		}
		if err := l.putWhole(name, i+1, body); err != nil {
			return err
		}
		found, above, i = true, "", end
	}
	if !found {
		return refusal.New(refusal.ParseFailed, "the input holds no fence with a file").WithNext("Write a path, and below it the content in a fence; or give the path beside the content")
	}
	return nil
}

// fenced is the content of a fence that opens at row i, and the row that
// closes it. A row that could open a fence inside of it makes the end
// uncertain, so it is refused.
func fenced(rows []inputRow, i int, run string) (body string, end int, err error) {
	var b strings.Builder
	for j := i + 1; j < len(rows); j++ {
		r, info, ok := fence(rows[j].text)
		if ok && r[0] == run[0] && len(r) >= len(run) {
			if info != "" {
				return "", 0, at(refusal.ParseFailed, j+1, "the content holds a row that opens a fence, so where it ends is uncertain").
					WithNext("Use a longer fence around the file than any inside of it")
			}
			return b.String(), j, nil
		}
		b.WriteString(rows[j].text)
		b.WriteString(rows[j].eol)
	}
	return "", 0, at(refusal.ParseFailed, i+1, "the fence is not closed").WithNext("Close it with a row %s", run)
}

// fence takes a row as a Markdown fence.
func fence(row string) (run, info string, ok bool) {
	row = strings.Trim(row, " \t\r")
	if !strings.HasPrefix(row, "```") && !strings.HasPrefix(row, "~~~") {
		return "", "", false
	}
	n := len(row) - len(strings.TrimLeft(row, row[:1]))
	info = strings.Trim(row[n:], blanks)
	if row[0] == '`' && strings.Contains(info, "`") {
		return "", "", false
	}
	return row[:n], info, true
}

// pathIn is the path that a row of chat names: a word, or what stands in
// backquotes or bold, with marks around it dropped. It is empty when the row
// is prose.
func pathIn(row string) string {
	s := strings.Trim(row, " \t\r#*:")
	if a := strings.IndexByte(s, '`'); a >= 0 {
		b := strings.IndexByte(s[a+1:], '`')
		if b < 0 || strings.Count(s, "`") != 2 {
			return ""
		}
		s = s[a+1 : a+1+b]
	}
	s = strings.Trim(s, " \t*:")
	for _, lead := range []string{"File:", "file:", "Path:", "path:", "Filename:", "filename:"} {
		s = strings.TrimLeft(strings.TrimPrefix(s, lead), blanks)
	}
	if s == "" || strings.ContainsAny(s, " \t<>\"") || !pathLike(s) {
		return ""
	}
	return s
}

// pathInInfo is the path in a fence's info string: `go path/file.go`,
// `go:path/file.go`, `path=file.go`.
func pathInInfo(info string) string {
	f := strings.FieldsFunc(info, func(r rune) bool { return r == ' ' || r == ':' || r == '=' || r == '"' })
	if len(f) == 0 {
		return ""
	}
	if s := f[len(f)-1]; pathLike(s) {
		return s
	}
	return ""
}

func pathLike(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	switch s {
	case "Makefile", "Dockerfile", "LICENSE", "README", "Gemfile", "Rakefile", "Justfile", "Procfile":
		return true
	}
	return strings.Contains(s, "/") || dot >= 0 && dot < len(s)-1
}

// An inputRow is a row of the input with its terminator.
type inputRow struct{ text, eol string }

// inputRows splits an input into rows. A CR that stands before the LF of every
// row belongs to the terminators; else it belongs to the rows.
func inputRows(s string) []inputRow {
	crlf := strings.Count(s, "\r\n") == strings.Count(s, "\n")
	rows := make([]inputRow, 0, strings.Count(s, "\n")+1)
	for s != "" {
		r := inputRow{text: s}
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			r = inputRow{s[:i], "\n"}
			s = s[i+1:]
			if crlf {
				r = inputRow{r.text[:i-1], "\r\n"}
			}
		} else {
			s = ""
		}
		rows = append(rows, r)
	}
	return rows
}

// at is a refusal that points at a row of the input.
func at(code refusal.Code, row int, format string, args ...any) *refusal.Error {
	e := refusal.New(code, format, args...)
	e.Row = row
	return e
}
