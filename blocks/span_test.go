//go:build cgo

package blocks

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"putcut/refusal"
	"putcut/text"
)

func tree(t *testing.T, o Options, lang, src string) *Tree {
	t.Helper()
	e := New(o)
	defer e.Close()
	tr, err := e.Parse(context.Background(), lang, text.FromBody([]byte(src), text.Format{}))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

const declines = `package p

func f() {
	s := ` + "`" + `
text
` + "`" + `
	x.
		y()
	if a {
		b()
	} else if c {
		d()
	}
}

func broken() {
	x := := 1
}

var a = g(func() {
	x()
}, func() {
	y()
}); var b = 1
`

// Every decline says why, names the construct around the line and the next one
// below, and the next step.
func TestDeclineMessages(t *testing.T) {
	const head = "EDIT_BLOCK_UNRESOLVED: rejected, nothing was written. "
	const give = " Name a line that opens a construct, or give the lines themselves: "
	tr := tree(t, Options{}, "go", declines)
	for _, c := range []struct {
		line int
		want string
	}{
		{0, "line 0 is out of range: the file has 24 lines. Name a line of the file."},
		{25, "line 25 is out of range: the file has 24 lines. Name a line of the file."},
		{2, "line 2 is blank, so no construct opens there; the next one below opens on line 3, lines 3 to 14." + give + "`PUT 2.=M:`, `CUT 2.=M`, `PUT >M:`."},
		{1, "the construct on line 1 is one line long; the next one below opens on line 3, lines 3 to 14. Use the plain form: `PUT 1.=1:` to replace it, `CUT 1.=1` to delete it, `PUT >1:` to insert after it."},
		{5, "line 5 is inside a text that is not parsed (a string, a comment, a paragraph or the like), so no construct opens there; the construct around it is 4*, lines 4 to 6; the next one below opens on line 7, lines 7 to 8." + give + "`PUT 5.=M:`, `CUT 5.=M`, `PUT >M:`."},
		{8, "the construct on line 8 is one line long; the construct around it is 7*, lines 7 to 8; the next one below opens on line 9, lines 9 to 13. Use the plain form: `PUT 8.=8:` to replace it, `CUT 8.=8` to delete it, `PUT >8:` to insert after it."},
		{11, "line 11 closes a construct and opens none; the construct around it is 9*, lines 9 to 13." + give + "`PUT 11.=M:`, `CUT 11.=M`, `PUT >M:`."},
		{14, "line 14 closes a construct and opens none; the construct around it is 3*, lines 3 to 14." + give + "`PUT 14.=M:`, `CUT 14.=M`, `PUT >M:`."},
		{16, "the construct on line 16 contains a syntax error, so where it ends cannot be proved." + " Give the lines themselves: `PUT 16.=M:`, `CUT 16.=M`, `PUT >M:`."},
		{20, "the last line of the construct on line 20 is shared with what follows it." + " Give the lines themselves: `PUT 20.=M:`, `CUT 20.=M`, `PUT >M:`."},
	} {
		_, err := tr.Span(c.line)
		if err == nil {
			t.Errorf("line %d resolves", c.line)
			continue
		}
		if !errors.Is(err, refusal.BlockUnresolved) {
			t.Errorf("line %d: code %s", c.line, refusal.CodeOf(err))
		}
		if got := err.Error(); got != head+c.want {
			t.Errorf("line %d:\n got %s\nwant %s", c.line, got, head+c.want)
		}
	}
}

func TestWholeFileDeclines(t *testing.T) {
	for _, c := range []struct {
		name, lang, src string
		opt             Options
		want            string
	}{
		{"unknown", "", "a {\n}\n", Options{}, "the language of the file is unknown, so blocks are unsupported in it"},
		{"unsupported", "cobol", "a {\n}\n", Options{}, "blocks are unsupported in cobol"},
		{"large", "go", small, Options{MaxBytes: 10}, "the file has 29 bytes, which is too large for blocks (the limit is 10)"},
		{"deep", "json", strings.Repeat("[", 2000), Options{}, "the file is not parsed: brackets are nested too deeply"},
		{"time", "go", string(megabyte()), Options{Timeout: time.Millisecond}, "parsing the file was out of time or memory"},
	} {
		tr := tree(t, c.opt, c.lang, c.src)
		for _, line := range []int{1, 2, 99} {
			_, err := tr.Span(line)
			e := refusal.As(err)
			if e == nil || e.Code != refusal.BlockUnresolved || e.What != c.want {
				t.Errorf("%s, line %d: %v", c.name, line, err)
			}
		}
		if got := tr.Unparsed(); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
		if tr.HasErrors() || tr.Parsed() || len(tr.Outline()) > 0 || len(tr.Errors()) > 0 {
			t.Errorf("%s: a text without a tree says more than that", c.name)
		}
	}
}

// Terminators do not matter to what resolves.
func TestTerminators(t *testing.T) {
	for _, eol := range []string{"\n", "\r\n", "\r"} {
		src := strings.ReplaceAll("package p\n\n// F does.\nfunc F() {\n\tx()\n}\n\nvar a = []int{\n\t1,\n}", "\n", eol)
		spans := tree(t, Options{}, "go", src).Spans()
		want := map[int]int{3: 6, 4: 6, 8: 10}
		for i, s := range spans {
			if s.End != want[i+1] {
				t.Errorf("%q: line %d resolves to %v, want its end to be %d", eol, i+1, s, want[i+1])
			}
		}
	}
}

// Keys stay when lines move, so that the errors of an edit are a difference.
func TestErrorKeys(t *testing.T) {
	before := tree(t, Options{}, "go", declines).Errors()
	after := tree(t, Options{}, "go", strings.Replace(declines, "package p\n", "package p\n\nvar moved = 1\n", 1)).Errors()
	if len(before) != 1 || len(after) != 1 || before[0].Key != after[0].Key || before[0].Line+2 != after[0].Line {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if e := before[0]; e.Line != 17 || e.Column != 7 || e.Message != "unexpected `:=`" {
		t.Errorf("error %+v", e)
	}
}

func TestEnclosing(t *testing.T) {
	tr := tree(t, Options{}, "python", "class A:\n    def f(self):\n        return 1\n\nx = 1\n")
	for line, want := range map[int]string{1: "A", 3: "A f", 5: ""} {
		if got := strings.Join(tr.Enclosing(line), " "); got != want {
			t.Errorf("line %d is in %q, want %q", line, got, want)
		}
	}
}

// A respelling must not change what a text is that parses, and must leave every
// byte in its place in one that does not.
func TestRespelled(t *testing.T) {
	tr := tree(t, Options{}, "rust", "struct S<const N: usize = 16> {\n    a: u8,\n}\n\nfn f() {\n    let g = async |x: u8| {\n        x\n    };\n}\n")
	if tr.HasErrors() {
		t.Errorf("errors: %+v", tr.Errors())
	}
	if s, err := tr.Span(6); s != (Span{6, 8}) {
		t.Errorf("the closure is %v, %v", s, err)
	}
	if d := tr.Outline(); len(d) != 2 || d[0].Name != "S" || d[1].Name != "f" {
		t.Errorf("outline %+v", d)
	}
}

func TestParseable(t *testing.T) {
	for lang, want := range map[string]bool{"go": true, "markdown": false, "": false, "cobol": false, "make": true} {
		if Parseable(lang) != want {
			t.Errorf("Parseable(%q) is %v", lang, !want)
		}
	}
}
