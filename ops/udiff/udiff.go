// Package udiff writes changes as unified diffs in git's form, such that `git
// apply` and GNU `patch` make of the old bytes exactly the new ones: mixed
// terminators, missing final newlines, byte order marks and names that need
// quotes included.
//
// It works from the hunks of a line map and the two texts, so that a diff
// cannot disagree with what was applied. It writes bytes as they are on disk;
// a UTF-16 text, which no diff can carry, is written decoded, and the caller is
// told. It does no I/O. It may import text and ops.
package udiff

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"putcut/ops"
	"putcut/text"
)

// Context is the number of unchanged lines around a change.
const Context = 3

// A File is the change of one file.
type File struct {
	// Path is the file's name, slashes between its parts.
	Path string
	// MoveTo is its new name, or empty.
	MoveTo string
	// Old is nil for a new file, New for a removed one.
	Old, New *text.Text
	// Hunks are where the two differ; nil for a new or removed file. Lines
	// outside of them may differ in their terminators.
	Hunks []ops.Hunk
	// Mode is the file's mode as git writes it, for new and removed files;
	// empty is 100644.
	Mode string
}

// Append writes the diff of a file to dst; nothing when the file does not
// change. Exact is false when the bytes on disk cannot stand in a diff.
// Cost: linear in both texts.
func Append(dst []byte, f File) (out []byte, exact bool) {
	old, okOld := sideOf(f.Old)
	now, okNew := sideOf(f.New)
	exact = okOld && okNew
	mode := f.Mode
	if mode == "" {
		mode = "100644"
	}
	from, to := f.Path, f.Path
	if f.MoveTo != "" {
		to = f.MoveTo
	}
	hunks := f.Hunks
	if f.Old == nil || f.New == nil {
		hunks = []ops.Hunk{{OldEnd: old.lines(), NewEnd: now.lines()}}
	} else if old.lines() != f.Old.Len() || now.lines() != f.New.Len() {
		// Where CR ends lines a diff sees one line, and it sees one where there
		// is nothing but a byte order mark.
		hunks = []ops.Hunk{{OldEnd: old.lines(), NewEnd: now.lines()}}
	}
	hunks = exactHunks(old, now, hunks)
	if f.Old != nil && f.New != nil && len(hunks) == 0 && f.MoveTo == "" {
		return dst, exact
	}
	dst = fmt.Appendf(dst, "diff --git %s %s\n", gitName("a/"+from), gitName("b/"+to))
	oldName, newName := name("a/"+from), name("b/"+to)
	switch {
	case f.Old == nil:
		dst = fmt.Appendf(dst, "new file mode %s\n", mode)
		oldName = "/dev/null"
		if len(hunks) == 0 {
			dst = append(dst, "index 0000000..e69de29\n"...)
		}
	case f.New == nil:
		dst = fmt.Appendf(dst, "deleted file mode %s\n", mode)
		newName = "/dev/null"
		if len(hunks) == 0 {
			dst = append(dst, "index e69de29..0000000\n"...)
		}
	case f.MoveTo != "":
		dst = fmt.Appendf(dst, "rename from %s\nrename to %s\n", Quote(from), Quote(to))
	}
	if len(hunks) == 0 {
		return dst, exact
	}
	dst = fmt.Appendf(dst, "--- %s\n+++ %s\n", oldName, newName)
	return appendHunks(dst, old, now, hunks), exact
}

// gitName is a name in a `diff --git` row. Blanks are quoted too: where that row
// is all there is to go by, patch takes a bare name to end at the first one.
func gitName(s string) string {
	if strings.Contains(s, " ") {
		return quoted(s)
	}
	return Quote(s)
}

// name is a name in a --- or +++ row; one with blanks is ended by a tab.
func name(s string) string {
	q := Quote(s)
	if q == s && strings.Contains(s, " ") {
		return s + "\t"
	}
	return q
}

// Quote is a name as git writes it: bare, or in quotes with C escapes when it
// holds control characters, quotes or backslashes.
func Quote(s string) string {
	bare := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == 0x7f || c == '"' || c == '\\' {
			bare = false
		}
	}
	if bare {
		return s
	}
	return quoted(s)
}

func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if j := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c); j >= 0 {
			b.WriteByte('\\')
			b.WriteByte(`abtnvfr"\`[j])
			continue
		}
		if c < 0x20 || c >= 0x7f {
			fmt.Fprintf(&b, `\%03o`, c)
			continue
		}
		b.WriteByte(c)
	}
	b.WriteByte('"')
	return b.String()
}

// A side is the bytes of one file as a diff sees them: lines end in LF.
type side struct {
	raw []byte
	// text has the same bytes and lines, if it is not nil; else ends has the lines.
	text *text.Text
	ends []int
}

// sideOf returns the bytes of a text on disk; exact is false when they are no
// bytes a diff can hold, and the side is the decoded text.
func sideOf(t *text.Text) (s side, exact bool) {
	if t == nil {
		return side{}, true
	}
	exact = true
	f := t.Format()
	raw, err := t.Encode()
	if err != nil || f.Encoding == text.UTF16LE || f.Encoding == text.UTF16BE || bytes.IndexByte(raw, 0) >= 0 {
		raw, exact = t.Body(), false
	}
	s.raw = raw
	if len(raw) == t.Size() && !t.CROnly() {
		s.text = t
		return s, exact
	}
	for at := 0; at < len(raw); {
		i := bytes.IndexByte(raw[at:], '\n')
		if i < 0 {
			at = len(raw)
		} else {
			at += i + 1
		}
		s.ends = append(s.ends, at)
	}
	return s, exact
}

func (s side) lines() int {
	if s.text != nil {
		return s.text.Len()
	}
	return len(s.ends)
}

func (s side) line(n int) []byte { return s.raw[s.offset(n-1):s.offset(n)] }

func (s side) offset(gap int) int {
	if s.text != nil {
		return s.text.Offset(gap)
	}
	if gap == 0 {
		return 0
	}
	return s.ends[gap-1]
}

// exactHunks trims hunks to lines whose bytes differ, adds lines outside of
// them whose bytes differ nevertheless, and joins hunks that touch.
func exactHunks(old, now side, hunks []ops.Hunk) []ops.Hunk {
	var out []ops.Hunk
	add := func(h ops.Hunk) {
		if n := len(out); n > 0 && out[n-1].OldEnd == h.OldStart && out[n-1].NewEnd == h.NewStart {
			out[n-1].OldEnd, out[n-1].NewEnd = h.OldEnd, h.NewEnd
			return
		}
		out = append(out, h)
	}
	same := func(a, b int) bool { return bytes.Equal(old.line(a), now.line(b)) }
	kept := func(a, b, n int) {
		if bytes.Equal(old.raw[old.offset(a):old.offset(a+n)], now.raw[now.offset(b):now.offset(b+n)]) {
			return
		}
		for i := 1; i <= n; i++ {
			if !same(a+i, b+i) {
				add(ops.Hunk{OldStart: a + i - 1, OldEnd: a + i, NewStart: b + i - 1, NewEnd: b + i})
			}
		}
	}
	a, b := 0, 0
	for _, h := range hunks {
		kept(a, b, h.OldStart-a)
		a, b = h.OldEnd, h.NewEnd
		for h.OldStart < h.OldEnd && h.NewStart < h.NewEnd && same(h.OldStart+1, h.NewStart+1) {
			h.OldStart++
			h.NewStart++
		}
		for h.OldStart < h.OldEnd && h.NewStart < h.NewEnd && same(h.OldEnd, h.NewEnd) {
			h.OldEnd--
			h.NewEnd--
		}
		if h.OldStart < h.OldEnd || h.NewStart < h.NewEnd {
			add(h)
		}
	}
	if rest := old.lines() - a; rest > 0 {
		kept(a, b, rest)
	}
	return out
}

func appendHunks(dst []byte, old, now side, hunks []ops.Hunk) []byte {
	for i := 0; i < len(hunks); {
		j := i
		for j+1 < len(hunks) && hunks[j+1].OldStart-hunks[j].OldEnd <= 2*Context {
			j++
		}
		first, last := hunks[i], hunks[j]
		lead := min(Context, first.OldStart)
		trail := min(Context, old.lines()-last.OldEnd)
		dst = append(dst, "@@ -"...)
		dst = extent(dst, first.OldStart-lead, last.OldEnd+trail)
		dst = append(dst, " +"...)
		dst = extent(dst, first.NewStart-lead, last.NewEnd+trail)
		dst = append(dst, " @@\n"...)
		at := first.OldStart - lead
		for _, h := range hunks[i : j+1] {
			dst = rows(dst, ' ', old, at, h.OldStart)
			dst = rows(dst, '-', old, h.OldStart, h.OldEnd)
			dst = rows(dst, '+', now, h.NewStart, h.NewEnd)
			at = h.OldEnd
		}
		dst = rows(dst, ' ', old, at, last.OldEnd+trail)
		i = j + 1
	}
	return dst
}

// extent is one side of a hunk header: the first line and how many.
func extent(dst []byte, from, to int) []byte {
	switch to - from {
	case 0:
		return append(strconv.AppendInt(dst, int64(from), 10), ",0"...)
	case 1:
		return strconv.AppendInt(dst, int64(to), 10)
	}
	dst = strconv.AppendInt(dst, int64(from+1), 10)
	return strconv.AppendInt(append(dst, ','), int64(to-from), 10)
}

func rows(dst []byte, mark byte, s side, from, to int) []byte {
	for n := from + 1; n <= to; n++ {
		line := s.line(n)
		dst = append(append(dst, mark), line...)
		if line[len(line)-1] != '\n' {
			dst = append(dst, "\n\\ No newline at end of file\n"...)
		}
	}
	return dst
}
