package snapshots

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"putcut/text"
)

// rows makes a text of one line a word.
func rows(s string) *text.Text {
	body := strings.Join(strings.Fields(s), "\n") + "\n"
	if s == "" {
		body = ""
	}
	return text.FromBody([]byte(body), text.Format{})
}

func TestProof(t *testing.T) {
	r := func(pairs ...int) []Range {
		var out []Range
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, Range{pairs[i], pairs[i+1]})
		}
		return out
	}
	for _, c := range []struct {
		name, old, live string
		anchors         []Range
		offset          int
		why             string
	}{
		{"change elsewhere", "a b c d e", "a b c d X", r(2, 2), 0, ""},
		{"moved down", "a b c d e", "X Y a b c d e", r(3, 3), 2, ""},
		{"moved up", "a b c d e", "c d e", r(4, 4), -2, ""},
		{"a span moved", "a b c d e", "X a b c d e", r(2, 4), 1, ""},
		{"no anchors", "a b", "x y", nil, 0, ""},
		{"the line itself changed", "a b c", "a X c", r(2, 2), 0, "line 2 has changed"},
		{"the line is gone", "a b c", "a c", r(2, 2), 0, "line 2 has changed"},
		{"one line of the span changed", "a b c d", "a b X d", r(2, 4), 0, "line 3 has changed"},
		{"torn apart", "a b c d", "a b X c d", r(2, 3), 0, "the lines that the edit leans on have moved apart: one by +0, line 3 by +1"},
		{"two anchors moved otherwise", "a b c d e f", "a b X c d e f", r(1, 1, 5, 5), 0, "the lines that the edit leans on have moved apart: one by +0, line 5 by +1"},

		{"unique, the line above changed", "a b c d", "a X c d", r(3, 3), 0, ""},
		{"unique, the line below changed", "a b c d e", "a b c X e", r(3, 3), 0, ""},
		{"unique, both changed", "a b c d e", "a X c Y e", r(3, 3), 0, "line 3 is unchanged, but neither line next to it is where it was"},
		{"not unique, both stand", "} b } d X", "} b } d Y", r(3, 3), 0, ""},
		{"not unique, the line above changed", "} b } d", "} X } d", r(3, 3), 0, "line 3 is unchanged, but its text is not unique and a line next to it has changed"},
		{"not unique, the line below changed", "} b } d }", "} b } X }", r(3, 3), 0, "line 3 is unchanged, but its text is not unique and a line next to it has changed"},
		{"unique before, twice now", "a b c d", "a X c d c", r(3, 3), 0, "line 3 is unchanged, but its text is not unique and a line next to it has changed"},
		{"twice before, unique now", "a b c d c", "a X c d", r(3, 3), 0, "line 3 is unchanged, but its text is not unique and a line next to it has changed"},

		{"the head in both", "a b c", "a X c", r(1, 1), 0, ""},
		{"the head then, not now", "a b c", "Y a X c", r(1, 1), 0, "line 1 is unchanged, but neither line next to it is where it was"},
		{"the tail in both", "a b c", "a X c", r(3, 3), 0, ""},
		{"the tail in both, moved", "a b c", "Y a X c", r(3, 3), 1, ""},
		{"the tail then, not now", "a b c", "a X c Y", r(3, 3), 0, "line 3 is unchanged, but neither line next to it is where it was"},
		{"not unique at the head, which it still is", "} b } d", "} b } X", r(1, 1), 0, ""},
		{"the only line", "a", "a X", r(1, 1), 0, ""},

		{"neighbours are no anchors: both sides of a span", "a b c d e", "X b c d e", r(2, 3), 0, ""},
		{"neighbours are no anchors: a run of ranges", "a b c d e", "a b c d Y", r(2, 2, 3, 3, 4, 4), 0, ""},
		{"a run of ranges, nothing holds it", "a b c d e", "X b c d Y", r(2, 2, 3, 3, 4, 4), 0, "line 2 is unchanged, but neither line next to it is where it was"},
		{"a run of ranges, one not unique", "a b } d } e", "a b } d X e", r(2, 2, 3, 3, 4, 4), 0, "line 3 is unchanged, but its text is not unique and a line next to it has changed"},
		{"the whole file", "a b", "a b", r(1, 2), 0, ""},
		{"out of the text", "a b", "a b", r(2, 3), 0, "line 3 has changed"},
	} {
		p := NewProof(rows(c.old), rows(c.live))
		offset, why := p.Check(c.anchors)
		if why != c.why || why == "" && offset != c.offset {
			t.Errorf("%s: %+d %q, want %+d %q", c.name, offset, why, c.offset, c.why)
		}
	}
}

func TestProofIgnoresTerminatorsAlone(t *testing.T) {
	p := NewProof(text.FromBody([]byte("a\nb\nc\n"), text.Format{}), text.FromBody([]byte("x\r\na\r\nb\r\nc"), text.Format{}))
	if offset, why := p.Check([]Range{{2, 2}}); offset != 1 || why != "" {
		t.Errorf("%d %s", offset, why)
	}
	p = NewProof(text.FromBody([]byte("a\nb\nc\n"), text.Format{}), text.FromBody([]byte("a\nb \nc\n"), text.Format{}))
	if _, why := p.Check([]Range{{2, 2}}); why != "line 2 has changed" {
		t.Errorf("blanks at the end of a line are no change: %q", why)
	}
}

// TestProofIsNeverWrong: what a proof leads to is the same text, whatever the
// two files are, and in files of unique lines it is the very line.
func TestProofIsNeverWrong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"a", "b", "c", "}", "x1", "x2", "x3", "x4"})
		old := rapid.SliceOfN(word, 1, 12).Draw(t, "old")
		live := rapid.SliceOfN(word, 0, 12).Draw(t, "live")
		a, b := rows(strings.Join(old, " ")), rows(strings.Join(live, " "))
		p := NewProof(a, b)
		first := rapid.IntRange(1, len(old)).Draw(t, "first")
		last := rapid.IntRange(first, len(old)).Draw(t, "last")
		offset, why := p.Check([]Range{{first, last}})
		if why != "" {
			return
		}
		for n := first; n <= last; n++ {
			if n+offset < 1 || n+offset > b.Len() || string(a.Line(n)) != string(b.Line(n+offset)) || p.Now(n) != n+offset {
				t.Fatalf("line %d of %v is said to be line %d of %v", n, old, n+offset, live)
			}
		}
	})
}

// TestProofOfLargeFiles: the fast way agrees about a change far from the anchor.
func TestProofOfLargeFiles(t *testing.T) {
	var a, b strings.Builder
	for n := range fastLines + 5000 {
		fmt.Fprintf(&a, "line %d\n", n%900)
		if n == 7 {
			b.WriteString("new\n")
		}
		fmt.Fprintf(&b, "line %d\n", n%900)
	}
	p := NewProof(text.FromBody([]byte(a.String()), text.Format{}), text.FromBody([]byte(b.String()), text.Format{}))
	if offset, why := p.Check([]Range{{20_000, 20_010}}); offset != 1 || why != "" {
		t.Errorf("%d %s", offset, why)
	}
	if p.Now(0) != 0 || p.Now(1<<30) != 0 || p.Now(1) != 1 {
		t.Error("edges")
	}
}

// TestProofOfManyRuns: anchors in any order that touch are one run, and many of
// them cost no more than their lines.
func TestProofOfManyRuns(t *testing.T) {
	p := NewProof(rows("a b c d e"), rows("a b c d Y"))
	if offset, why := p.Check([]Range{{4, 4}, {2, 2}, {3, 3}}); offset != 0 || why != "" {
		t.Errorf("%+d %q", offset, why)
	}
	p = NewProof(rows("a b c d e"), rows("X b c d Y"))
	if _, why := p.Check([]Range{{4, 4}, {2, 2}, {3, 3}}); why != "line 2 is unchanged, but neither line next to it is where it was" {
		t.Errorf("%q", why)
	}
	const runs, each = 500, 200
	var b strings.Builder
	for n := range runs * each {
		fmt.Fprintf(&b, "line %d\n", n)
	}
	p = NewProof(text.FromBody([]byte(b.String()), text.Format{}), text.FromBody([]byte(b.String()+"more\n"), text.Format{}))
	var anchors []Range
	for i := range runs {
		anchors = append(anchors, Range{i*each + 1, (i + 1) * each})
	}
	if offset, why := p.Check(anchors); offset != 0 || why != "" {
		t.Errorf("%+d %q", offset, why)
	}
}
