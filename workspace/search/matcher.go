package search

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"putcut/refusal"
)

// A matcher finds the lines that a pattern matches. What a match means is
// settled by one thing, the pattern on one line alone; all else here only
// leaves out lines that cannot match.
type matcher struct {
	// needles are strings of which every matching line holds at least one; nil
	// when none are known. folded says that they are in lower case and found
	// in any case; sure says that a line that holds one matches.
	needles []needle
	folded  bool
	sure    bool
	// line is the pattern for one line. It is nil when sure, and for plain text,
	// whose one needle then is the pattern.
	line *regexp.Regexp
	// block matches in a run of LF lines wherever line matches in one of them,
	// and maybe elsewhere; blockCR does where lines may end in CRLF. Both are
	// nil when there are needles or when they would not pay.
	block, blockCR *regexp.Regexp
	// window is how many bytes block is given at a time: as many as the fastest
	// engine of package regexp takes for a program of this size.
	window int
	// size is the number of instructions of the program.
	size int
}

// maxProgram is the most instructions of a pattern. The time of a match grows
// with their number times the length of the line.
const maxProgram = 10_000

func badPattern(format string, args ...any) *refusal.Error {
	return refusal.New(refusal.InvalidArgument, format, args...)
}

// compileMatcher prepares a pattern. Errors: InvalidArgument.
func compileMatcher(pattern string, literal, ignoreCase bool) (*matcher, error) {
	if len(pattern) > MaxPattern {
		return nil, badPattern("the pattern has %d bytes and may have %d", len(pattern), MaxPattern)
	}
	if literal {
		if strings.Contains(pattern, "\n") {
			return nil, badPattern("the pattern holds a line break, and lines are matched one by one").
				WithNext("Search for one of its lines")
		}
		if !ignoreCase && pattern != "" {
			return &matcher{
				needles: []needle{newNeedle(pattern, false)},
				sure:    !strings.Contains(pattern, "\r"),
			}, nil
		}
		if !utf8.ValidString(pattern) {
			return nil, badPattern("the pattern is not valid UTF-8, so its case cannot be ignored")
		}
		pattern = regexp.QuoteMeta(pattern)
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, badPattern("the pattern is no RE2 regular expression: %s", reason(err)).
			WithNext("Mend it, or set literal to search for it as plain text")
	}
	if ignoreCase {
		pattern = "(?i)" + pattern
		if tree, err = syntax.Parse(pattern, syntax.Perl); err != nil {
			return nil, badPattern("the pattern is no RE2 regular expression: %s", reason(err))
		}
	}
	if asksForBreak(tree) {
		return nil, badPattern("the pattern asks for a line break, and lines are matched one by one").
			WithNext("Use ^ and $ for the ends of a line, or search for one of the lines")
	}
	// Asked before anything is compiled, since compiling takes the memory.
	if cost(tree) > maxProgram {
		return nil, badPattern("the pattern is too large once its repeats are written out").
			WithNext("Use smaller repeat counts")
	}
	m := &matcher{}
	if m.line, err = regexp.Compile(pattern); err != nil {
		return nil, badPattern("the pattern is no RE2 regular expression: %s", reason(err))
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, badPattern("the pattern is no RE2 regular expression: %s", reason(err))
	}
	m.size = len(prog.Inst)
	f := study(tree)
	m.needles, m.folded = f.needles()
	if m.sure = m.needles != nil && f.whole(); m.sure {
		m.line = nil
	}
	if m.needles == nil {
		m.setBlock(pattern)
	}
	return m, nil
}

func reason(err error) string {
	if e, ok := err.(*syntax.Error); ok {
		return e.Code.String() + ": `" + e.Expr + "`"
	}
	return err.Error()
}

// asksForBreak reports whether the pattern spells out a line break. A class
// that merely includes it, like \s, does not.
func asksForBreak(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral {
		for _, r := range re.Rune {
			if r == '\n' {
				return true
			}
		}
	}
	for _, sub := range re.Sub {
		if asksForBreak(sub) {
			return true
		}
	}
	return false
}

// cost is about the number of instructions of a tree, repeats written out.
func cost(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += cost(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, 1<<30)
}

// Where the engine of package regexp that keeps a bit for every pair of
// instruction and offset stops being used.
const (
	bitEngineSize = 500
	bitEngineBits = 256 << 10
)

// setBlock makes the block pattern. A pattern that is not made to cost little
// on many lines at once is left to the lines one by one.
func (m *matcher) setBlock(pattern string) {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || m.size > bitEngineSize/2 {
		return
	}
	lf, err := regexp.Compile(inBlock(tree, false).String())
	if err != nil {
		return
	}
	cr, err := regexp.Compile(inBlock(tree, true).String())
	if err != nil {
		return
	}
	m.block, m.blockCR = lf, cr
	m.window = max(bitEngineBits/(m.size+8)/2, 1<<10)
}

// inBlock is a tree for a block of lines from one for a line: what may match a
// line break may not, and the ends of the text are those of a line. With cr,
// ends are not asserted at all, since "a CR and a break follow" is nothing that
// a pattern can assert without taking the CR.
func inBlock(re *syntax.Regexp, cr bool) *syntax.Regexp {
	switch re.Op {
	case syntax.OpAnyChar:
		return &syntax.Regexp{Op: syntax.OpAnyCharNotNL}
	case syntax.OpBeginText:
		return &syntax.Regexp{Op: syntax.OpBeginLine}
	case syntax.OpEndText, syntax.OpEndLine:
		if cr {
			return &syntax.Regexp{Op: syntax.OpEmptyMatch}
		}
		return &syntax.Regexp{Op: syntax.OpEndLine}
	case syntax.OpCharClass:
		out := &syntax.Regexp{Op: syntax.OpCharClass}
		for i := 0; i+1 < len(re.Rune); i += 2 {
			lo, hi := re.Rune[i], re.Rune[i+1]
			if lo > '\n' || hi < '\n' {
				out.Rune = append(out.Rune, lo, hi)
				continue
			}
			if lo < '\n' {
				out.Rune = append(out.Rune, lo, '\n'-1)
			}
			if hi > '\n' {
				out.Rune = append(out.Rune, '\n'+1, hi)
			}
		}
		if len(out.Rune) == 0 {
			return &syntax.Regexp{Op: syntax.OpNoMatch}
		}
		return out
	}
	out := *re
	out.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		out.Sub[i] = inBlock(sub, cr)
	}
	return &out
}

// A search goes over one body of text. The body starts at the start of a line.
type search struct {
	m   *matcher
	ctx context.Context
	b   []byte
	// sep ends a line: LF, or CR in a text of CR lines.
	sep   byte
	block *regexp.Regexp
	hits  hits
}

func (m *matcher) in(ctx context.Context, b []byte, sep byte) *search {
	s := &search{m: m, ctx: ctx, b: b, sep: sep}
	if m.block != nil && sep == '\n' {
		s.block = m.block
		if bytes.IndexByte(b, '\r') >= 0 {
			s.block = m.blockCR
		}
	}
	return s
}

// next is the first matching line that starts at or after at, itself the start
// of a line: the offsets of its start and of the start of the line after it.
// ok is false when there is none, or when the search was cancelled.
func (s *search) next(at int) (start, after int, ok bool) {
	switch {
	case s.m.needles != nil:
		return s.nextNeedle(at)
	case s.block != nil:
		return s.nextBlock(at)
	}
	for at < len(s.b) && s.ctx.Err() == nil {
		after = s.after(at)
		if s.matches(at, after) {
			return at, after, true
		}
		at = after
	}
	return 0, 0, false
}

// after is the start of the line after the one that holds offset at.
func (s *search) after(at int) int {
	if i := bytes.IndexByte(s.b[at:], s.sep); i >= 0 {
		return at + i + 1
	}
	return len(s.b)
}

func (s *search) nextNeedle(at int) (start, after int, ok bool) {
	for at < len(s.b) {
		i := s.hits.next(s.m, s.b, at)
		if i < 0 {
			return 0, 0, false
		}
		start = at + bytes.LastIndexByte(s.b[at:i], s.sep) + 1
		after = s.after(i)
		if s.m.sure || s.matches(start, after) {
			return start, after, true
		}
		if s.ctx.Err() != nil {
			return 0, 0, false
		}
		at = after
	}
	return 0, 0, false
}

func (s *search) nextBlock(at int) (start, after int, ok bool) {
	for at < len(s.b) {
		if s.ctx.Err() != nil {
			return 0, 0, false
		}
		end := min(at+s.m.window, len(s.b))
		if i := bytes.LastIndexByte(s.b[at:end], '\n'); i >= 0 {
			end = at + i + 1
		} else {
			// One line longer than the window.
			after = s.after(at)
			if s.matches(at, after) {
				return at, after, true
			}
			at = after
			continue
		}
		loc := s.block.FindIndex(s.b[at:end])
		// At the very end, past the last break, there is no line.
		if loc == nil || at+loc[0] >= end {
			at = end
			continue
		}
		i := at + loc[0]
		start = at + bytes.LastIndexByte(s.b[at:i], '\n') + 1
		after = s.after(i)
		if s.matches(start, after) {
			return start, after, true
		}
		at = after
	}
	return 0, 0, false
}

// line is the line from start to after without its terminator.
func (s *search) line(start, after int) []byte {
	l := s.b[start:after]
	if n := len(l); n > 0 && l[n-1] == s.sep {
		l = l[:n-1]
		if n > 1 && s.sep == '\n' && l[n-2] == '\r' {
			l = l[:n-2]
		}
	}
	return l
}

// slow is the number of steps, instructions times bytes, that a match may take
// without being cancelled.
const slow = 1 << 24

func (s *search) matches(start, after int) bool {
	l := s.line(start, after)
	if s.m.line == nil {
		return bytes.Contains(l, s.m.needles[0].text)
	}
	if len(l)*s.m.size > slow && len(l) > 1<<10 {
		return s.m.line.MatchReader(&runes{b: l, ctx: s.ctx})
	}
	return s.m.line.Match(l)
}

// runes feeds a long line to a match that a cancelled context ends.
type runes struct {
	b   []byte
	n   int
	ctx context.Context
}

func (r *runes) ReadRune() (rune, int, error) {
	if r.n++; r.n&1023 == 0 && r.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	if len(r.b) == 0 {
		return 0, 0, io.EOF
	}
	c, w := rune(r.b[0]), 1
	if c >= utf8.RuneSelf {
		c, w = utf8.DecodeRune(r.b)
	}
	r.b = r.b[w:]
	return c, w, nil
}
