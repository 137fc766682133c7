package dialects

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"putcut/refusal"
)

// A Shift is a constant change of indentation: every line that is not blank
// has Add put before it, or Remove taken off its start. At most one of them is
// not empty.
type Shift struct {
	Add    string `json:"add,omitempty"`
	Remove string `json:"remove,omitempty"`
}

// Zero reports whether the shift changes nothing.
func (s Shift) Zero() bool { return s.Add == "" && s.Remove == "" }

// Apply shifts every line of a text that is not blank. ok is false when a line
// does not start with what is to be taken off. Cost: linear.
func (s Shift) Apply(text string) (shifted string, ok bool) {
	if s.Zero() {
		return text, true
	}
	var b strings.Builder
	for rest := text; rest != ""; {
		line := rest
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			line = rest[:i+1]
		}
		rest = rest[len(line):]
		if blank(line) {
			b.WriteString(line)
			continue
		}
		if !strings.HasPrefix(line, s.Remove) {
			return "", false
		}
		b.WriteString(s.Add)
		b.WriteString(line[len(s.Remove):])
	}
	return b.String(), true
}

// ShiftBetween is the shift that makes to of from, where both are indentations
// and one ends in the other. Tabs never stand for blanks.
func ShiftBetween(from, to string) (s Shift, ok bool) {
	switch {
	case strings.HasSuffix(to, from):
		return Shift{Add: to[:len(to)-len(from)]}, true
	case strings.HasSuffix(from, to):
		return Shift{Remove: from[:len(from)-len(to)]}, true
	}
	return Shift{}, false
}

const blanks = " \t"

// blank reports whether a line holds nothing but blanks and its terminator.
func blank(line string) bool { return strings.Trim(line, " \t\r\n") == "" }

// indentOf splits a line into its indentation and the rest.
func indentOf(line string) (indent, rest string) {
	rest = strings.TrimLeft(line, blanks)
	return line[:len(line)-len(rest)], rest
}

// An IndentMatch is a run of whole lines that equals a pattern once leading
// blanks are ignored, and lines of blanks alone count as empty.
type IndentMatch struct {
	// Start and End are byte offsets in the stream. End is after the last
	// line's terminator if the pattern ends in one, else before it.
	Start, End int64
	Lines      Range
	// Shift takes the pattern's indentation to the stream's, where Constant
	// says that it is the same on every line that is not blank.
	Shift    Shift
	Constant bool
}

// MatchIndent finds every run of lines in a stream that equals the lines of a
// pattern, leading blanks aside, and returns the first max of them and how
// many there are. A pattern without a line that is not blank matches nothing.
//
// The stream is read once. Memory is bounded by the pattern: longer lines of
// the stream are skipped over, not kept; so are indentations longer than the
// pattern's longest by more than 4 KiB, which then count as no constant shift.
// Cost: linear in the stream. The error is the reader's.
func MatchIndent(r io.Reader, pattern string, max int) (matches []IndentMatch, total int, err error) {
	rows, ended := splitText(pattern)
	p := newIndentPattern(rows)
	if p == nil {
		return nil, 0, nil
	}
	s := lineScanner{r: bufio.NewReaderSize(r, 32<<10), maxRest: p.maxRest, maxIndent: p.maxIndent + 4<<10}
	n := len(p.rests)
	ring := make([]scanned, n)
	state := 0
	for {
		line, err := s.next()
		if errors.Is(err, io.EOF) {
			return matches, total, nil
		}
		if err != nil {
			return matches, total, err
		}
		ring[(line.n-1)%n] = line
		for state > 0 && (state == n || !p.same(state, line)) {
			state = p.fail[state-1]
		}
		if p.same(state, line) {
			state++
		}
		if state < n {
			continue
		}
		if !ended || line.ended {
			total++
			if len(matches) < max {
				first := ring[line.n%n]
				m := IndentMatch{Start: first.start, End: line.start + line.size, Lines: Range{first.n, line.n}}
				if ended {
					m.End = line.end
				}
				m.Shift, m.Constant = p.shift(ring, first.n)
				matches = append(matches, m)
			}
		}
	}
}

// An indentPattern is a pattern without its indentation, with the failure
// function of its lines.
type indentPattern struct {
	indents, rests     []string
	fail               []int
	maxRest, maxIndent int
}

func newIndentPattern(rows []string) *indentPattern {
	p := &indentPattern{}
	some := false
	for _, r := range rows {
		in, rest := indentOf(r)
		if rest == "" {
			in = ""
		}
		some = some || rest != ""
		p.indents, p.rests = append(p.indents, in), append(p.rests, rest)
		p.maxRest, p.maxIndent = max(p.maxRest, len(rest)), max(p.maxIndent, len(in))
	}
	if !some {
		return nil
	}
	p.fail = failures(p.rests)
	return p
}

func (p *indentPattern) same(i int, line scanned) bool {
	return !line.long && line.rest == p.rests[i]
}

// shift compares the indentation of the lines in the ring with the pattern's.
func (p *indentPattern) shift(ring []scanned, first int) (s Shift, constant bool) {
	n, have := len(p.rests), false
	for i := range n {
		if p.rests[i] == "" {
			continue
		}
		line := ring[(first-1+i)%n]
		here, ok := ShiftBetween(p.indents[i], line.indent)
		if !ok || line.deep || have && here != s {
			return Shift{}, false
		}
		s, have = here, true
	}
	return s, true
}

// A scanned line of a stream. rest is what follows the indentation, without
// terminator. long says that rest is longer than any line of the pattern, deep
// that the indentation was not kept.
type scanned struct {
	n            int
	start, end   int64
	size         int64 // without terminator
	indent, rest string
	long, deep   bool
	ended        bool
}

type lineScanner struct {
	r                  *bufio.Reader
	maxRest, maxIndent int
	n                  int
	off                int64
}

// next reads one line and keeps what can matter of it.
func (s *lineScanner) next() (scanned, error) {
	s.n++
	line := scanned{n: s.n, start: s.off}
	var indent, rest []byte
	inIndent := true
	var last byte
	var size int64
	for {
		frag, err := s.r.ReadSlice('\n')
		s.off += int64(len(frag))
		if n := len(frag); n > 0 && frag[n-1] == '\n' {
			line.ended = true
			frag = frag[:n-1]
		}
		size += int64(len(frag))
		if len(frag) > 0 {
			last = frag[len(frag)-1]
		}
		if inIndent {
			k := 0
			for k < len(frag) && (frag[k] == ' ' || frag[k] == '\t') {
				k++
			}
			if room := s.maxIndent - len(indent); k > room {
				line.deep = true
			}
			indent = append(indent, frag[:min(k, s.maxIndent-len(indent))]...)
			frag = frag[k:]
			inIndent = len(frag) == 0
		}
		// One byte more than the pattern's longest tells a longer line, and one
		// may be the CR of the terminator.
		rest = append(rest, frag[:min(len(frag), s.maxRest+2-len(rest))]...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && (!errors.Is(err, io.EOF) || s.off == line.start) {
			return scanned{}, err
		}
		break
	}
	line.end = s.off
	line.size = size
	if line.ended && last == '\r' {
		line.size--
		if n := len(rest); n > 0 && rest[n-1] == '\r' && len(rest) <= s.maxRest+1 {
			rest = rest[:n-1]
		}
	}
	line.long = len(rest) > s.maxRest
	if line.rest = string(rest); line.rest != "" {
		line.indent = string(indent)
	}
	return line, nil
}

// ErrWindow is the cause of a refusal to align a window.
var ErrWindow = errors.New("no line boundary within the bound")

// AlignLines widens the window of bytes lo to hi of r to whole lines: start is
// after the LF before lo, or 0; end after the first LF at or after the window's
// last byte, or the end of r. An empty window gives the line that lo lies on.
// It reads at most bound bytes on either side; a line that reaches further is a
// Limit refusal with the cause ErrWindow. A window past the end of r, or one
// that is reversed, is RangeInvalid.
func AlignLines(r io.ReaderAt, lo, hi, bound int64) (start, end int64, err error) {
	if lo < 0 || hi < lo || bound < 0 {
		return 0, 0, refusal.New(refusal.RangeInvalid, "the window %d to %d is no range of bytes", lo, hi)
	}
	if hi > 0 {
		var b [1]byte
		if n, err := r.ReadAt(b[:], hi-1); n == 0 {
			if err == nil || errors.Is(err, io.EOF) {
				return 0, 0, refusal.New(refusal.RangeInvalid, "the window %d to %d reaches past the end", lo, hi)
			}
			return 0, 0, err
		}
	}
	if start, err = lineStart(r, lo, bound); err != nil {
		return 0, 0, err
	}
	from := hi
	if hi > lo {
		from = hi - 1
	}
	end, err = lineEnd(r, from, bound+hi-from)
	return start, end, err
}

const alignChunk = 4 << 10

func tooFar(bound int64) error {
	e := refusal.New(refusal.Limit, "a line reaches more than %d bytes beyond the window", bound)
	e.Err = ErrWindow
	return e
}

func lineStart(r io.ReaderAt, at, bound int64) (int64, error) {
	var buf [alignChunk]byte
	for pos := at; pos > 0; {
		n := min(alignChunk, pos, bound-(at-pos))
		if n <= 0 {
			// The byte before the bound may be the LF itself.
			if k, _ := r.ReadAt(buf[:1], pos-1); k == 1 && buf[0] == '\n' {
				return pos, nil
			}
			return 0, tooFar(bound)
		}
		got, err := r.ReadAt(buf[:n], pos-n)
		if int64(got) < n {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		for i := n - 1; i >= 0; i-- {
			if buf[i] == '\n' {
				return pos - n + i + 1, nil
			}
		}
		pos -= n
	}
	return 0, nil
}

func lineEnd(r io.ReaderAt, at, bound int64) (int64, error) {
	var buf [alignChunk]byte
	for pos := at; ; {
		n := min(alignChunk, bound-(pos-at))
		if n <= 0 {
			if k, err := r.ReadAt(buf[:1], pos); k == 0 && errors.Is(err, io.EOF) {
				return pos, nil
			}
			return 0, tooFar(bound)
		}
		got, err := r.ReadAt(buf[:n], pos)
		for i := range got {
			if buf[i] == '\n' {
				return pos + int64(i) + 1, nil
			}
		}
		pos += int64(got)
		if int64(got) < n {
			if err == nil || errors.Is(err, io.EOF) {
				return pos, nil
			}
			return 0, err
		}
	}
}
