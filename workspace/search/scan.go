package search

import (
	"bytes"
	"context"
	"io"
	"slices"

	"putcut/refusal"
	"putcut/text"
)

// bufferSize is how much of a file is read at a time. It and what is searched
// in it stay in the processor's cache.
const bufferSize = 128 << 10

// headSize is how much of a file is looked at to tell whether it is binary when
// it is only listed.
const headSize = 8 << 10

// A scanner searches files, one after the other.
type scanner struct {
	q   *Query
	ctx context.Context
	buf []byte
}

func newScanner(ctx context.Context, q *Query) *scanner {
	return &scanner{q: q, ctx: ctx, buf: make([]byte, bufferSize)}
}

// visit searches one file. A file that is small, or has no match, is read once
// through the buffer. One that is larger than the buffer and seems to match is
// read again from the start, whole, and only that reading counts.
func (s *scanner) visit(open opener, path string) (File, bool, error) {
	if err := s.ctx.Err(); err != nil {
		return File{}, false, err
	}
	f, size, err := open()
	if err != nil {
		return File{}, false, err
	}
	defer f.Close()
	if s.q.matcher == nil {
		return s.listed(f, path)
	}
	if size > s.q.opts.MaxFileSize {
		return s.large(f, path)
	}
	n, whole, err := fill(f, s.buf)
	switch {
	case err != nil:
		return File{}, false, err
	case whole && int64(n) <= s.q.opts.MaxFileSize:
		return s.small(s.buf[:n], path)
	}
	maybe, err := s.passes(f, n)
	if err != nil || !maybe {
		return File{}, false, err
	}
	raw, err := s.readWhole(f, size)
	if err != nil {
		return File{}, false, err
	}
	if raw == nil {
		return s.large(f, path)
	}
	return s.exact(raw, path)
}

// fill reads until b is full or the file ends, which end tells.
func fill(r io.Reader, b []byte) (n int, end bool, err error) {
	for n < len(b) {
		k, err := r.Read(b[n:])
		n += k
		switch {
		case err == io.EOF:
			return n, true, nil
		case err != nil:
			return n, false, err
		}
	}
	return n, false, nil
}

// listed recognises a binary file by its head.
func (s *scanner) listed(f file, path string) (File, bool, error) {
	n, _, err := fill(f, s.buf[:min(headSize, len(s.buf))])
	if err != nil {
		return File{}, false, err
	}
	if b := s.buf[:n]; !utf16(b) && bytes.IndexByte(b, 0) >= 0 {
		return File{}, false, errBinary
	}
	return File{Path: path}, true, nil
}

// utf16 reports whether a text starts with a UTF-16 byte order mark.
func utf16(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff"))
}

const bom = "\xef\xbb\xbf"

// separator is the byte that ends lines in a whole text.
func separator(b []byte) byte {
	if bytes.IndexByte(b, '\n') < 0 && bytes.IndexByte(b, '\r') >= 0 {
		return '\r'
	}
	return '\n'
}

// small searches a whole file in the buffer, and copies it if it matches.
func (s *scanner) small(b []byte, path string) (File, bool, error) {
	if !utf16(b) {
		if bytes.IndexByte(b, 0) >= 0 {
			return File{}, false, errBinary
		}
		body := bytes.TrimPrefix(b, []byte(bom))
		if _, _, ok := s.q.matcher.in(s.ctx, body, separator(body)).next(0); !ok {
			return File{}, false, s.ctx.Err()
		}
	}
	return s.exact(bytes.Clone(b), path)
}

// passes reports whether a file of which n bytes are in the buffer, and more to
// come, may match. It errs on the side of yes.
func (s *scanner) passes(f file, n int) (bool, error) {
	if utf16(s.buf[:n]) {
		return true, nil
	}
	m := s.q.matcher
	from := 0 // where the lines not yet searched start
	if bytes.HasPrefix(s.buf[:n], []byte(bom)) {
		from = len(bom)
	}
	// severed says that the buffer starts within a line whose head, which holds
	// no needle, has been dropped.
	severed := false
	for seen, end := 0, false; ; {
		if bytes.IndexByte(s.buf[seen:n], 0) >= 0 {
			return false, errBinary
		}
		drop := 0
		switch after := bytes.IndexByte(s.buf[:n], '\n') + 1; {
		case severed && after == 0:
			if m.holds(s.buf[:n]) {
				return true, nil
			}
			drop = n - m.overlap()
		case severed:
			if m.holds(s.buf[:after]) {
				return true, nil
			}
			severed, from = false, after
		}
		if !severed {
			drop = n
			if !end {
				drop = from + bytes.LastIndexByte(s.buf[from:n], '\n') + 1
			}
			if drop == 0 {
				// One line fills the buffer. With needles it can be told in
				// pieces; without, the whole text is wanted.
				if m.needles == nil || m.holds(s.buf[:n]) {
					return true, nil
				}
				severed, drop = true, n-m.overlap()
			} else if _, _, ok := m.in(s.ctx, s.buf[from:drop], '\n').next(0); ok {
				return true, nil
			}
		}
		if err := s.ctx.Err(); err != nil || end {
			return false, err
		}
		n = copy(s.buf, s.buf[max(drop, 0):n])
		seen, from = n, 0
		k, eof, err := fill(f, s.buf[n:])
		if err != nil {
			return false, err
		}
		n += k
		end = eof
	}
}

// readWhole reads the file from its start. It is nil for a file that has grown
// over the limit.
func (s *scanner) readWhole(f file, size int64) ([]byte, error) {
	limit := s.q.opts.MaxFileSize
	raw := make([]byte, 0, min(size, limit)+1)
	for {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		if len(raw) == cap(raw) {
			raw = slices.Grow(raw, max(len(raw)/4, bufferSize))
		}
		room := raw[len(raw):min(cap(raw), len(raw)+8*bufferSize)]
		k, err := f.ReadAt(room, int64(len(raw)))
		raw = raw[:len(raw)+k]
		switch {
		case err == io.EOF:
			return raw, nil
		case err != nil:
			return nil, err
		case int64(len(raw)) > limit:
			return nil, nil
		}
	}
}

// exact searches a whole file, which the result keeps.
func (s *scanner) exact(raw []byte, path string) (File, bool, error) {
	t, err := text.Decode(raw, "")
	if err != nil {
		if refusal.CodeOf(err) == refusal.Binary {
			err = errBinary
		}
		return File{}, false, err
	}
	sep := byte('\n')
	if t.CROnly() {
		sep = '\r'
	}
	f := File{Path: path, Raw: raw, Text: t}
	find := s.q.matcher.in(s.ctx, t.Body(), sep)
	line, counted := 0, 0 // number of the line that starts at counted, less 1
	for at := 0; ; {
		start, after, ok := find.next(at)
		if !ok {
			break
		}
		f.Count++
		if s.q.opts.Mode == Files {
			break
		}
		if s.q.opts.Mode == Content {
			if len(f.Matches) < s.q.opts.MaxMatches {
				line += bytes.Count(t.Body()[counted:start], []byte{sep})
				counted = start
				f.Matches = append(f.Matches, line+1)
			} else {
				f.Cut = true
			}
		}
		at = after
	}
	return f, f.Count > 0, s.ctx.Err()
}
