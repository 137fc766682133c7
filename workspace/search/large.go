package search

import (
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"putcut/refusal"
)

// A stream reads a file from its start with offsets of its own.
type stream struct {
	f   file
	off int64
}

func (r *stream) Read(p []byte) (int, error) {
	n, err := r.f.ReadAt(p, r.off)
	r.off += int64(n)
	return n, err
}

// decoded is the text of a file from its start, without a byte order mark.
func decoded(f file) (io.Reader, error) {
	var head [3]byte
	n, _, err := fill(&stream{f: f}, head[:])
	switch {
	case err != nil:
		return nil, err
	case utf16(head[:n]):
		dec := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
		return transform.NewReader(&stream{f: f}, dec), nil
	case string(head[:n]) == bom:
		return &stream{f, int64(n)}, nil
	}
	return &stream{f: f}, nil
}

// lineEnd finds out which byte ends lines in a file of any size. It reads on
// only as long as there is no line feed.
func (s *scanner) lineEnd(f file) (byte, error) {
	r, err := decoded(f)
	if err != nil {
		return 0, err
	}
	cr := false
	for {
		if err := s.ctx.Err(); err != nil {
			return 0, err
		}
		n, end, err := fill(r, s.buf)
		if err != nil {
			return 0, err
		}
		if bytes.IndexByte(s.buf[:n], 0) >= 0 {
			return 0, errBinary
		}
		if bytes.IndexByte(s.buf[:n], '\n') >= 0 {
			return '\n', nil
		}
		cr = cr || bytes.IndexByte(s.buf[:n], '\r') >= 0
		if end {
			if cr {
				return '\r', nil
			}
			return '\n', nil
		}
	}
}

// large searches a file that is not handed over whole, as a stream. Its memory
// is the buffer, at most the longest line and MaxLine, and the rows kept.
func (s *scanner) large(f file, path string) (File, bool, error) {
	sep, err := s.lineEnd(f)
	if err != nil {
		return File{}, false, err
	}
	r, err := decoded(f)
	if err != nil {
		return File{}, false, err
	}
	defer func() {
		if len(s.buf) > bufferSize {
			s.buf = make([]byte, bufferSize)
		}
	}()
	rows := &rowKeeper{file: File{Path: path, Large: true}, opts: &s.q.opts, sep: sep}
	for n, end := 0, false; !end; {
		if err := s.ctx.Err(); err != nil {
			return File{}, false, err
		}
		if n == len(s.buf) {
			if n >= MaxLine {
				return File{}, false, refusal.New(refusal.TooLarge, "a line is longer than %d bytes", MaxLine)
			}
			s.buf = append(s.buf, make([]byte, len(s.buf))...)
		}
		var k int
		if k, end, err = fill(r, s.buf[n:]); err != nil {
			return File{}, false, err
		}
		if bytes.IndexByte(s.buf[n:n+k], 0) >= 0 {
			return File{}, false, errBinary
		}
		n += k
		last := n
		if !end {
			last = bytes.LastIndexByte(s.buf[:n], sep) + 1
		}
		if s.block(s.buf[:last], rows) {
			break
		}
		n = copy(s.buf, s.buf[last:n])
	}
	return rows.file, rows.file.Count > 0, s.ctx.Err()
}

// block searches whole lines of a large file, and reports whether that is
// enough of it.
func (s *scanner) block(b []byte, rows *rowKeeper) (enough bool) {
	find := s.q.matcher.in(s.ctx, b, rows.sep)
	done := 0 // where the first line that rows has not heard of starts
	for {
		start, after, ok := find.next(done)
		if !ok {
			rows.pass(find, done, len(b))
			return false
		}
		rows.pass(find, done, start)
		rows.match(find, start, after)
		if s.q.opts.Mode == Files {
			return true
		}
		done = after
	}
}

// A rowKeeper gathers the rows of a large file.
type rowKeeper struct {
	file File
	opts *Options
	sep  byte
	line int // lines so far
	size int // bytes of rows kept
	// shown is the last line kept as a row, after the last line wanted as
	// context of a match above it.
	shown, after int
	matches      int
	// before are the last lines of earlier blocks, for context, at most Context.
	before []Row
}

// pass hears of the lines without a match from offset from to offset to.
func (k *rowKeeper) pass(s *search, from, to int) {
	if k.opts.Mode != Content {
		return
	}
	at := from
	for k.line < k.after && at < to {
		after := s.after(at)
		k.line++
		k.keep(row(k.line, s.line(at, after)))
		at = after
	}
	if at == to {
		return
	}
	// Of what remains, only the last lines can be context of a match below.
	first := to
	for n := 0; n < k.opts.Context && first > at; n++ {
		first = at + bytes.LastIndexByte(s.b[at:first-1], k.sep) + 1
	}
	k.line += bytes.Count(s.b[at:first], []byte{k.sep})
	for ; first < to; first = at {
		at = s.after(first)
		k.line++
		if len(k.before) == k.opts.Context {
			k.before = append(k.before[:0], k.before[1:]...)
		}
		k.before = append(k.before, row(k.line, s.line(first, at)))
	}
}

// match hears of a line that matches.
func (k *rowKeeper) match(s *search, start, after int) {
	k.file.Count++
	if k.opts.Mode != Content {
		return
	}
	k.line++
	if k.matches == k.opts.MaxMatches {
		k.file.Cut = true
		k.before = k.before[:0]
		return
	}
	k.matches++
	for _, r := range k.before {
		if r.N > k.shown && r.N >= k.line-k.opts.Context {
			k.keep(r)
		}
	}
	k.before = k.before[:0]
	r := row(k.line, s.line(start, after))
	r.Match = true
	k.keep(r)
	k.after = k.line + k.opts.Context
}

// keep keeps a row if there is room.
func (k *rowKeeper) keep(r Row) {
	if k.size += len(r.Text) + 64; k.size > MaxRows {
		k.file.Cut = true
		return
	}
	k.shown = r.N
	k.file.Rows = append(k.file.Rows, r)
}

func row(n int, line []byte) Row {
	kept := line
	if len(kept) > MaxRow {
		end := MaxRow
		for end > MaxRow-utf8.UTFMax && !utf8.RuneStart(kept[end]) {
			end--
		}
		kept = kept[:end]
	}
	return Row{N: n, Text: bytes.Clone(kept), Cut: len(kept) < len(line)}
}
