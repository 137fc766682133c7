package dialects

import (
	"strconv"
	"strings"

	"putcut/refusal"
)

// A fileDiff is one file of a unified diff.
type fileDiff struct {
	row              int
	git              bool   // it has a `diff --git` row
	gitNames         string // the rest of that row
	oldName, newName string // of the --- and +++ rows, as written, unquoted
	named            bool   // it has those rows
	from, to         string // of rename and copy rows
	copied           bool
	created, deleted bool
	oldEpoch         bool // the --- row carries the time that stands for no file
	newEpoch         bool
	oldMode, newMode string
	oldID            string // the old blob's abbreviated id
	hunks            []diffHunk
}

// A diffHunk is one hunk; rows carry their terminators.
type diffHunk struct {
	row                int
	oldStart, oldCount int
	newStart, newCount int
	rows               []patchRow
	crlf               bool // its header row ends in CRLF
}

// A diffReader reads rows without LF, with their CR.
type diffReader struct {
	rows []string
	i    int
}

func (r *diffReader) more() bool { return r.i < len(r.rows) }

// peek is the row k rows ahead, without its CR, or "".
func (r *diffReader) peek(k int) string {
	if r.i+k >= len(r.rows) {
		return ""
	}
	return strings.TrimSuffix(r.rows[r.i+k], "\r")
}

func (r *diffReader) fail(code refusal.Code, format string, args ...any) *refusal.Error {
	return at(code, min(r.i+1, max(len(r.rows), 1)), format, args...)
}

// parseDiff reads a unified diff. Rows outside of files are skipped, as patch
// does with mail headers and commit messages.
func parseDiff(s string) ([]*fileDiff, error) {
	s = strings.TrimSuffix(s, "\n")
	r := &diffReader{rows: strings.Split(s, "\n")}
	var out []*fileDiff
	for r.more() {
		row := r.peek(0)
		var fd *fileDiff
		var err error
		switch {
		case strings.HasPrefix(row, "diff --git "):
			fd, err = r.gitFile()
		case strings.HasPrefix(row, "diff --cc "), strings.HasPrefix(row, "diff --combined "), strings.HasPrefix(row, "@@@ "):
			return nil, r.fail(refusal.ParseFailed, "a combined diff has two old sides").WithNext("Make the diff against one parent")
		case strings.HasPrefix(row, "--- ") && strings.HasPrefix(r.peek(1), "+++ ") && strings.HasPrefix(r.peek(2), "@@ -"):
			fd = &fileDiff{row: r.i + 1}
			if err = r.names(fd); err == nil {
				err = r.hunks(fd)
			}
		case strings.HasPrefix(row, "@@ -") && strings.HasSuffix(hunkRanges(row), " @@"):
			return nil, r.fail(refusal.ParseFailed, "a hunk stands here without the `---` and `+++` rows that name its file").WithNext("Send the diff with its header rows")
		case strings.HasPrefix(row, "Binary files ") && strings.HasSuffix(row, " differ"):
			return nil, r.fail(refusal.Binary, "the diff says that binary files differ, and not how").WithNext("Leave binary files out of the diff")
		case strings.HasPrefix(row, "*** ") && strings.HasPrefix(r.peek(1), "--- ") && strings.HasPrefix(r.peek(2), "****"):
			return nil, r.fail(refusal.ForeignFormat, "this is a context diff").WithNext("Make a unified diff: `diff -u`")
		default:
			r.i++
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, fd)
	}
	if len(out) == 0 {
		return nil, at(refusal.ParseFailed, 1, "the input holds no file of a unified diff").
			WithNext("Send `--- old`, `+++ new` and hunks with line numbers, as `diff -u` or `git diff` writes them")
	}
	return out, nil
}

// gitFile reads a file that starts with `diff --git`.
func (r *diffReader) gitFile() (*fileDiff, error) {
	fd := &fileDiff{row: r.i + 1, git: true, gitNames: strings.TrimPrefix(r.peek(0), "diff --git ")}
	r.i++
	for r.more() {
		row := r.peek(0)
		key, rest := row, ""
		for _, k := range []string{
			"old mode ", "new mode ", "deleted file mode ", "new file mode ", "copy from ", "copy to ",
			"rename from ", "rename to ", "rename old ", "rename new ", "similarity index ", "dissimilarity index ", "index ",
		} {
			if v, ok := strings.CutPrefix(row, k); ok {
				key, rest = k, v
			}
		}
		switch key {
		case "old mode ":
			fd.oldMode = rest
		case "new mode ":
			fd.newMode = rest
		case "deleted file mode ":
			fd.deleted, fd.oldMode = true, rest
		case "new file mode ":
			fd.created, fd.newMode = true, rest
		case "copy from ", "rename from ", "rename old ", "copy to ", "rename to ", "rename new ":
			name, ok := unquoteName(rest)
			if !ok {
				return nil, r.fail(refusal.ParseFailed, "the name %s cannot be read", show(rest))
			}
			fd.copied = fd.copied || strings.HasPrefix(key, "copy")
			if strings.HasSuffix(key, "from ") || key == "rename old " {
				fd.from = name
			} else {
				fd.to = name
			}
		case "index ":
			ids, mode, _ := strings.Cut(rest, " ")
			fd.oldID, _, _ = strings.Cut(ids, "..")
			if mode != "" && fd.oldMode == "" && fd.newMode == "" {
				fd.oldMode, fd.newMode = mode, mode
			}
		case "similarity index ", "dissimilarity index ":
		default:
			switch {
			case row == "GIT binary patch", strings.HasPrefix(row, "Binary files "):
				return nil, r.fail(refusal.Binary, "the diff changes a binary file").WithNext("Leave binary files out of the diff")
			case strings.HasPrefix(row, "--- ") && strings.HasPrefix(r.peek(1), "+++ "):
				if err := r.names(fd); err != nil {
					return nil, err
				}
				return fd, r.hunks(fd)
			}
			return fd, nil
		}
		r.i++
	}
	return fd, nil
}

// names reads the --- and +++ rows.
func (r *diffReader) names(fd *fileDiff) error {
	for k, dst := range []*string{&fd.oldName, &fd.newName} {
		rest := r.peek(0)[len("--- "):]
		name, stamp, ok := nameAndTime(rest)
		if !ok {
			return r.fail(refusal.ParseFailed, "the name %s cannot be read", show(rest))
		}
		*dst = name
		if epoch(stamp) {
			if k == 0 {
				fd.oldEpoch = true
			} else {
				fd.newEpoch = true
			}
		}
		r.i++
	}
	fd.named = true
	return nil
}

// nameAndTime splits the rest of a --- or +++ row.
func nameAndTime(s string) (name, stamp string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		end := quotedEnd(s)
		if end < 0 {
			return "", "", false
		}
		name, ok = unquoteName(s[:end])
		return name, strings.TrimLeft(s[end:], " \t"), ok
	}
	name, stamp, _ = strings.Cut(s, "\t")
	return name, stamp, name != ""
}

// epoch reports whether a time is the one that stands for a file that is not there.
func epoch(stamp string) bool {
	return strings.HasPrefix(stamp, "1970-01-01 ") || strings.HasPrefix(stamp, "1969-12-31 ") || strings.HasPrefix(stamp, "Thu Jan  1 ") && strings.Contains(stamp, "1970")
}

// quotedEnd is the offset after a name in quotes, or -1.
func quotedEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// unquoteName reads a name as git writes it, bare or in quotes with C escapes.
func unquoteName(s string) (string, bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, s != ""
	}
	if quotedEnd(s) != len(s) {
		return "", false
	}
	s = s[1 : len(s)-1]
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			return "", false
		}
		if j := strings.IndexByte(`abtnvfr"\`, s[i]); j >= 0 {
			b.WriteByte("\a\b\t\n\v\f\r\"\\"[j])
			continue
		}
		if i+3 > len(s) {
			return "", false
		}
		v, err := strconv.ParseUint(s[i:i+3], 8, 8)
		if err != nil {
			return "", false
		}
		b.WriteByte(byte(v))
		i += 2
	}
	return b.String(), b.Len() > 0
}

// hunkRanges is a hunk header up to its second @@.
func hunkRanges(row string) string {
	if i := strings.Index(row[2:], "@@"); i >= 0 {
		return row[:i+4]
	}
	return ""
}

// hunks reads the hunks of a file.
func (r *diffReader) hunks(fd *fileDiff) error {
	for r.more() && strings.HasPrefix(r.peek(0), "@@ ") {
		h, err := r.hunk()
		if err != nil {
			return err
		}
		fd.hunks = append(fd.hunks, h)
	}
	if len(fd.hunks) == 0 {
		return r.fail(refusal.ParseFailed, "the file's rows `---` and `+++` are followed by no hunk").WithNext("Send `@@ -start,count +start,count @@` and its rows")
	}
	return nil
}

func (r *diffReader) hunk() (diffHunk, error) {
	head := r.peek(0)
	h := diffHunk{row: r.i + 1, crlf: strings.HasSuffix(r.rows[r.i], "\r")}
	f := strings.Fields(hunkRanges(head))
	ok := len(f) == 4 && f[0] == "@@" && f[3] == "@@"
	if ok {
		var a, b bool
		h.oldStart, h.oldCount, a = hunkRange(f[1], '-')
		h.newStart, h.newCount, b = hunkRange(f[2], '+')
		ok = a && b
	}
	if !ok {
		return h, r.fail(refusal.ParseFailed, "the hunk header %s has no line numbers that can be read", show(head)).
			WithNext("Write `@@ -start,count +start,count @@`")
	}
	r.i++
	old, now := 0, 0
	oldEnded, newEnded := false, false
	last := byte(0)
	for {
		row := ""
		if r.more() {
			row = r.rows[r.i]
		}
		if strings.HasPrefix(row, `\ `) && len(h.rows) > 0 && last != 0 {
			p := &h.rows[len(h.rows)-1]
			p.text = strings.TrimSuffix(p.text, "\n")
			if h.crlf {
				p.text = strings.TrimSuffix(p.text, "\r")
			}
			oldEnded = oldEnded || last != '+'
			newEnded = newEnded || last != '-'
			last = 0
			r.i++
			continue
		}
		if old == h.oldCount && now == h.newCount {
			break
		}
		short := func() error {
			return r.fail(refusal.ParseFailed, "the hunk at row %d ends early: its header says %d old and %d new rows, and it has %d and %d", h.row, h.oldCount, h.newCount, old, now).
				WithNext("Correct the counts in the header, or send the whole hunk")
		}
		if !r.more() {
			return h, short()
		}
		mark, text := byte(' '), row
		if strings.TrimSuffix(row, "\r") != "" {
			mark, text = row[0], row[1:]
		}
		switch mark {
		case ' ':
			old++
			now++
		case '-':
			old++
		case '+':
			now++
		default:
			return h, short()
		}
		if old > h.oldCount || now > h.newCount {
			return h, r.fail(refusal.ParseFailed, "the hunk at row %d has more rows than the %d old and %d new ones of its header", h.row, h.oldCount, h.newCount).
				WithNext("Correct the counts in the header")
		}
		if mark != '+' && oldEnded || mark != '-' && newEnded {
			return h, r.fail(refusal.ParseFailed, "a row follows the one that is marked as the end of the file").WithNext("Put the mark `\\ No newline at end of file` after the last row of its side")
		}
		h.rows = append(h.rows, patchRow{mark, text + "\n"})
		last = mark
		r.i++
	}
	if next := r.peek(0); r.more() && next != "" {
		fine := next == "--" || next == "-- " || strings.HasPrefix(next, "--- ") && strings.HasPrefix(r.peek(1), "+++ ")
		if strings.IndexByte("+- ", next[0]) >= 0 && !fine {
			return h, r.fail(refusal.ParseFailed, "the hunk at row %d has more rows than the %d old and %d new ones of its header", h.row, h.oldCount, h.newCount).
				WithNext("Correct the counts in the header")
		}
	}
	return h, nil
}

// hunkRange reads -12,3 or +12.
func hunkRange(s string, sign byte) (start, count int, ok bool) {
	if s == "" || s[0] != sign {
		return 0, 0, false
	}
	a, b, two := strings.Cut(s[1:], ",")
	start, ok = number(a)
	count = 1
	if two && ok {
		count, ok = number(b)
	}
	if ok && start == 0 && count > 0 {
		return 0, 0, false
	}
	return start, count, ok
}

func number(s string) (int, bool) {
	if s == "" || len(s) > 9 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}
