package search

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"putcut/refusal"
	"putcut/text"
)

// plainLines is the meaning of a search: the pattern on every line alone.
func plainLines(t interface{ Fatal(...any) }, pattern string, fold bool, raw []byte) []int {
	tx, err := text.Decode(raw, "")
	if err != nil {
		return nil
	}
	if fold {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for n := 1; n <= tx.Len(); n++ {
		if re.Match(tx.Line(n)) {
			out = append(out, n)
		}
	}
	return out
}

func exactLines(t interface{ Fatal(...any) }, o Options, raw []byte) []int {
	q, err := Compile(o)
	if err != nil {
		t.Fatal(err)
	}
	s := newScanner(context.Background(), q)
	f, _, err := s.small(raw, "f")
	if err != nil && !errors.Is(err, errBinary) && refusal.CodeOf(err) != refusal.Encoding {
		t.Fatal(err)
	}
	return f.Matches
}

var lineTests = []struct {
	name, pattern, raw string
	literal, fold      bool
	want               []int
}{
	{name: "plain", pattern: "b", raw: "a\nb\nab\n", want: []int{2, 3}},
	{name: "no final newline", pattern: "b$", raw: "b\nab", want: []int{1, 2}},
	{name: "no line after the last break", pattern: "^$", raw: "a\n", want: nil},
	{name: "empty lines", pattern: "^$", raw: "a\n\n\r\nb", want: []int{2, 3}},
	{name: "empty file", pattern: "", raw: "", want: nil},
	{name: "empty pattern", pattern: "", raw: "a\n\nb", want: []int{1, 2, 3}},
	{name: "end before CRLF", pattern: "b$", raw: "ab\r\nb\nb\r\n", want: []int{1, 2, 3}},
	{name: "CR of CRLF is no content", pattern: `\r`, raw: "a\r\nb\rc\n\r\n", want: []int{2}},
	{name: "dot does not take the CR", pattern: `a.$`, raw: "a\r\nab\r\n", want: []int{2}},
	{name: "CR at the end without LF", pattern: `a\r$`, raw: "b\na\r", want: []int{2}},
	{name: "CR only", pattern: "^b$", raw: "a\rb\rab\rb", want: []int{2, 4}},
	{name: "CR only, literal", pattern: "b", literal: true, raw: "a\rb\rab\r", want: []int{2, 3}},
	{name: "CR only, class that holds CR", pattern: `a\sb`, raw: "a\rb\ra b\r", want: []int{3}},
	{name: "never over lines", pattern: `a\s+b`, raw: "a\nb\na \t b\n", want: []int{3}},
	{name: "negated class", pattern: `a[^x]b`, raw: "a\nb\nazb\n", want: []int{3}},
	{name: "dot all", pattern: `(?s)a.*b`, raw: "a\nb\nab\n", want: []int{3}},
	{name: "text anchors are the line's", pattern: `\Ab\z`, raw: "ab\nb\nba\nb", want: []int{2, 4}},
	{name: "BOM is not in line 1", pattern: "^a", raw: "\ufeffa\n\ufeffa\n", want: []int{1}},
	{name: "UTF-16LE", pattern: "^ä$", raw: "\xff\xfea\x00\n\x00\xe4\x00\r\x00\n\x00", want: []int{2}},
	{name: "UTF-16BE", pattern: "b", raw: "\xfe\xff\x00a\x00\n\x00b", want: []int{2}},
	{name: "UTF-16 of odd length", pattern: "a", raw: "\xff\xfea\x00a", want: nil},
	{name: "binary", pattern: "a", raw: "a\n\x00", want: nil},
	{name: "invalid UTF-8", pattern: "caf.$", raw: "caf\xe9\ncafé\n", want: []int{1, 2}},
	{name: "invalid UTF-8 is U+FFFD", pattern: "\ufffd", raw: "a\xff\nb\n\ufffd\n", want: []int{1, 3}},
	{name: "invalid UTF-8, bytes", pattern: "f\xe9", literal: true, raw: "caf\xe9\ncafé\n", want: []int{1}},
	{name: "literal metacharacters", pattern: "a.b(", literal: true, raw: "a.b(\naxb(\n", want: []int{1}},
	{name: "literal CR", pattern: "a\r", literal: true, raw: "a\r\na\rb\n", want: []int{2}},
	{name: "literal, case", pattern: "Straße", literal: true, fold: true, raw: "STRAßE\nstrasse\nSTRAẞE\n", want: []int{1, 3}},
	{name: "Kelvin sign", pattern: "ok", fold: true, raw: "OK\no\u212a\nab\n", want: []int{1, 2}},
	{name: "long s", pattern: "session", fold: true, raw: "SESSION\nſeſſion\n", want: []int{1, 2}},
	{name: "case of a part", pattern: "(?i:ab)C", raw: "aBC\nABc\nabC\n", want: []int{1, 3}},
	{name: "alternatives", pattern: "foo|ba[rz]", raw: "bar\nbax\nfoo\nbaz\n", want: []int{1, 3, 4}},
	{name: "one needle, two tries in a line", pattern: "foo$", raw: "foo foo\nfoo x\nx foo", want: []int{1, 3}},
	{name: "words", pattern: `\bab\b`, raw: "ab\ncab\nab c\nab_\n\xe9ab\n", want: []int{1, 3, 5}},
	{name: "repeat", pattern: "(ab){2,3}c", raw: "abc\nababc\n", want: []int{2}},
	{name: "optional only", pattern: "x?", raw: "a\n\n", want: []int{1, 2}},
}

func TestLines(t *testing.T) {
	for _, tt := range lineTests {
		t.Run(tt.name, func(t *testing.T) {
			got := exactLines(t, Options{Pattern: tt.pattern, Literal: tt.literal, IgnoreCase: tt.fold}, []byte(tt.raw))
			if !slices.Equal(got, tt.want) {
				t.Errorf("lines %v, want %v", got, tt.want)
			}
			if tt.literal {
				return
			}
			if want := plainLines(t, tt.pattern, tt.fold, []byte(tt.raw)); !slices.Equal(got, want) {
				t.Errorf("lines %v, plain matching gives %v", got, want)
			}
		})
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{Pattern: "a(b"}, "INVALID_ARGUMENT: rejected, nothing was written. the pattern is no RE2 regular expression: missing closing ): `a(b`. Mend it, or set literal to search for it as plain text."},
		{Options{Pattern: "a{1001}"}, "INVALID_ARGUMENT: rejected, nothing was written. the pattern is no RE2 regular expression: invalid repeat count: `{1001}`. Mend it, or set literal to search for it as plain text."},
		{Options{Pattern: `(?=a)`}, "INVALID_ARGUMENT: rejected, nothing was written. the pattern is no RE2 regular expression: invalid or unsupported Perl syntax: `(?=`. Mend it, or set literal to search for it as plain text."},
		{Options{Pattern: strings.Repeat("a{1000}", 20)}, "INVALID_ARGUMENT: rejected, nothing was written. the pattern is too large once its repeats are written out. Use smaller repeat counts."},
		{Options{Pattern: strings.Repeat("a", MaxPattern+1)}, "INVALID_ARGUMENT: rejected, nothing was written. the pattern has 16385 bytes and may have 16384."},
		{Options{Pattern: "a\nb", Literal: true}, "INVALID_ARGUMENT: rejected, nothing was written. the pattern holds a line break, and lines are matched one by one. Search for one of its lines."},
		{Options{Pattern: `a;\r?\n`}, "INVALID_ARGUMENT: rejected, nothing was written. the pattern asks for a line break, and lines are matched one by one. Use ^ and $ for the ends of a line, or search for one of the lines."},
		{Options{Pattern: "a\xff", Literal: true, IgnoreCase: true}, "INVALID_ARGUMENT: rejected, nothing was written. the pattern is not valid UTF-8, so its case cannot be ignored."},
		{Options{Pattern: "a\xff"}, "INVALID_ARGUMENT: rejected, nothing was written. the pattern is no RE2 regular expression: invalid UTF-8: `\xff`. Mend it, or set literal to search for it as plain text."},
		{Options{Pattern: "a", Context: -1}, "INVALID_ARGUMENT: rejected, nothing was written. context is -1 and must be 0 to 1000."},
		{Options{Pattern: "a", Mode: 9}, "INVALID_ARGUMENT: rejected, nothing was written. there is no search mode 9."},
		{Options{Pattern: "a", Workers: -1}, "INVALID_ARGUMENT: rejected, nothing was written. a bound of the search is negative."},
		{Options{Pattern: "a", Glob: "[a"}, "INVALID_ARGUMENT: rejected, nothing was written. the glob \"[a\" is malformed: a bracket or brace is not closed, or a backslash stands at the end. Use globs such as *.go, src/**/*.{ts,tsx} or !*_test.go, separated by commas."},
	} {
		_, err := Compile(tt.o)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%.40q:\n got %v\nwant %s", tt.o.Pattern, err, tt.want)
		}
		if !errors.Is(err, refusal.InvalidArgument) {
			t.Errorf("%.40q: code %v", tt.o.Pattern, refusal.CodeOf(err))
		}
	}
}

func TestNeedles(t *testing.T) {
	for _, tt := range []struct {
		pattern, want string
	}{
		{`\w+\.Lock\(\)`, `[.Lock()]`},
		{`return nil, err`, `[return nil, err] sure`},
		{`^return nil$`, `[return nil]`},
		{`foo|bar`, `[bar foo] sure`},
		{`foo|b.*r`, `[]`},
		{`(foo|bar)+baz`, `[baz]`},
		{`x(foo|bar)\d`, `[xbar xfoo]`},
		{`[ab]cd`, `[acd bcd] sure`},
		{`(?:abc){2,}`, `[abc]`},
		{`(?:abc)?`, `[]`},
		{`(?i)readmemstats`, `[readmem] folded`},
		{`(?i)kiss`, `[]`},
		{`a|b`, `[]`},
		{`.*`, `[]`},
		{`\bTODO\b`, `[TODO]`},
		{`ab\r`, "[ab\r]"},
		{"a\ufffdbcd", `[]`},
		{`[a-z]+_[a-z]+`, `[_]`},
	} {
		m, err := compileMatcher(tt.pattern, false, false)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, n := range m.needles {
			list = append(list, string(n.text))
		}
		got := fmt.Sprint(list)
		if m.sure {
			got += " sure"
		}
		if m.folded {
			got += " folded"
		}
		if got != tt.want {
			t.Errorf("%s: needles %s, want %s", tt.pattern, got, tt.want)
		}
	}
}

// pattern draws a pattern over a small alphabet, so that it often matches.
func pattern(depth int) *rapid.Generator[string] {
	atom := rapid.SampledFrom([]string{"a", "b", "ab", "ba", "k", "s", "aka", "K", "é", "\u212a", ".", `\s`, `\S`, `\w`, `\W`, "[^a]", "[ab]", "[a-k]", `[\r\n]`, `\r`, "^", "$", `\b`, `\B`, `\A`, `\z`, "(?s:.)", "(?m:^)", "(?m:$)", "(?i:ab)", "(?i:k)", "\ufffd", "_", `\x{10ffff}`, ""})
	if depth == 0 {
		return atom
	}
	return rapid.Custom(func(t *rapid.T) string {
		sub := pattern(depth - 1)
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return atom.Draw(t, "atom")
		case 1:
			return "(?:" + sub.Draw(t, "sub") + ")" + rapid.SampledFrom([]string{"*", "+", "?", "{2}", "{1,3}", "{0,2}", "*?", "+?"}).Draw(t, "times")
		case 2:
			return "(" + sub.Draw(t, "left") + "|" + sub.Draw(t, "right") + ")"
		}
		return sub.Draw(t, "first") + sub.Draw(t, "second")
	})
}

func body(most int) *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{"a", "b", "ab", "ba", "k", "s", "aka", "K", "A", "B", "é", "\u212a", "ſ", " ", "\n", "\n", "\r\n", "\r", "\xff", "\xe2\x84", "_", "\ufffd", "\t"})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, most).Draw(t, "pieces"), "")
	})
}

func TestLinesAreThoseOfPlainMatching(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Pattern: pattern(3).Draw(t, "pattern"), IgnoreCase: rapid.Bool().Draw(t, "fold")}
		raw := []byte(body(40).Draw(t, "body"))
		got := exactLines(t, o, raw)
		if want := plainLines(t, o.Pattern, o.IgnoreCase, raw); !slices.Equal(got, want) {
			t.Fatalf("lines %v, want %v", got, want)
		}
	})
}

func FuzzLines(f *testing.F) {
	for _, tt := range lineTests {
		f.Add(tt.pattern, []byte(tt.raw), tt.literal, tt.fold)
	}
	f.Fuzz(func(t *testing.T, pattern string, raw []byte, literal, fold bool) {
		o := Options{Pattern: pattern, Literal: literal, IgnoreCase: fold}
		if _, err := Compile(o); err != nil {
			return
		}
		got := exactLines(t, o, raw)
		plain := pattern
		if literal {
			if !regexpTakes(pattern) {
				return
			}
			plain = regexp.QuoteMeta(pattern)
		}
		if want := plainLines(t, plain, fold, raw); !slices.Equal(got, want) {
			t.Fatalf("lines %v, want %v", got, want)
		}
	})
}

// regexpTakes reports whether a plain string means the same as a pattern: not
// when it has bytes that are not UTF-8, or U+FFFD, which matches those.
func regexpTakes(s string) bool { return !strings.Contains(strings.ToValidUTF8(s, "\ufffd"), "\ufffd") }

// A match on one long line ends when it is cancelled.
func TestLongLineIsCancelled(t *testing.T) {
	m, err := compileMatcher(`x[ab]{900}[ab]{900}y|[^a]{5}q+$`, false, false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := m.in(ctx, []byte(strings.Repeat("xab", 4<<20)), '\n')
	if s.matches(0, len(s.b)) {
		t.Error("matched")
	}
}
