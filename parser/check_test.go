package parser

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"putcut/ops"
	"putcut/refusal"
)

func TestLimits(t *testing.T) {
	sections := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "[f%d#1A2B]\nREM\n", i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, script string
		limits       Limits
		row          int // of the refusal, -1 when there is none
	}{
		{"default bytes", "[n#1A2B]\nPUT 1.=1:\n+" + strings.Repeat("x", 1<<20-20), Limits{}, -1},
		{"a byte more", "[n#1A2B]\nPUT 1.=1:\n+" + strings.Repeat("x", 1<<20-19), Limits{}, 0},
		{"bytes", "[n#1A2B]\nREM\n", Limits{Bytes: 12}, 0},
		{"default ops", "[n#1A2B]\n" + strings.Repeat("PUT <1 @r\n", 512), Limits{}, -1},
		{"an op more", "[n#1A2B]\n" + strings.Repeat("PUT <1 @r\n", 513), Limits{}, 514},
		{"default files", sections(64), Limits{}, -1},
		{"a file more", sections(65), Limits{}, 129},
		{"one file often", strings.Repeat("[n#1A2B]\nPUT <1 @r\n", 65), Limits{}, -1},
		{"sections without ops", strings.Repeat("[n#1A2B]\n", 600), Limits{}, 513},
		{"default rows", "[n#1A2B]\nPUT 1.=1:\n" + strings.Repeat("+\n", 100_000), Limits{}, -1},
		{"a row more", "[n#1A2B]\nPUT 1.=1:\n" + strings.Repeat("+\n", 100_001), Limits{}, 100_003},
		{"empty rows count", "[n#1A2B]\nPUT 1.=1:\n+\n\n\n+\n", Limits{Lines: 3}, 6},
		{"blank rows that end a body do not", "[n#1A2B]\nPUT 1.=1:\n+\n\n\n\n", Limits{Lines: 1}, -1},
		{"rows of several bodies", "[n#1A2B]\nPUT 1.=1:\n+\nPUT 2.=2:\n+\n+\n", Limits{Lines: 2}, 6},
	} {
		_, err := Parse(c.script, c.limits)
		switch e := refusal.As(err); {
		case err == nil:
			if c.row != -1 {
				t.Errorf("%s: accepted", c.name)
			}
		case c.row == -1 || e.Code != refusal.Limit || e.Row != c.row:
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestCheckSection(t *testing.T) {
	cut := ops.Op{Verb: ops.Cut, Place: ops.Place{Kind: ops.Span, First: 1, Last: 1}, Register: "r", Row: 7, Column: 1}
	put := ops.Op{Verb: ops.Put, Place: ops.Place{Kind: ops.Tail}, Rows: []string{"x"}}
	paste := ops.Op{Verb: ops.Put, Place: ops.Place{Kind: ops.Block, First: 2, Last: 2}, Paste: true}
	mv := ops.Op{Verb: ops.Mv, Dest: "m"}
	rem := ops.Op{Verb: ops.Rem}
	for i, c := range []struct {
		list      []ops.Op
		ok, newOK bool
	}{
		{nil, false, false},
		{[]ops.Op{put}, true, true},
		{[]ops.Op{put, put}, true, false},
		{[]ops.Op{put, mv}, true, false},
		{[]ops.Op{mv, mv}, false, false},
		{[]ops.Op{rem}, true, false},
		{[]ops.Op{rem, put}, false, false},
		{[]ops.Op{cut, put}, true, false},
		{[]ops.Op{cut, put, cut}, false, false},
		{[]ops.Op{paste}, false, false},
	} {
		for _, r := range []struct {
			err error
			ok  bool
		}{{CheckSection(c.list), c.ok}, {CheckNew(c.list), c.newOK}} {
			if (r.err == nil) != r.ok {
				t.Errorf("%d: %v", i, r.err)
			}
			if r.err != nil && !errors.Is(r.err, refusal.ParseFailed) {
				t.Errorf("%d: %v", i, r.err)
			}
		}
	}
	e := refusal.As(CheckSection([]ops.Op{cut, put, cut}))
	if e.Op != 3 || e.Row != 7 || e.Column != 1 {
		t.Errorf("place of the op: %+v", e)
	}
}

// TestPositions checks where ops and sections say they start.
func TestPositions(t *testing.T) {
	res, err := Parse("\ufeff```\n\n[é#1A2B]\n\n \tCUT 1.=1\n\nPUT >2:\n+x\n\n[b#1A2B]\nREM\n```\n", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, s := range res.Script.Sections {
		got = append(got, s.Row)
		for _, o := range s.Ops {
			got = append(got, o.Row, o.Column)
		}
	}
	if want := "[3 5 3 7 1 10 11 1]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
