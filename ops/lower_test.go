package ops

import (
	"errors"
	"fmt"
	"testing"

	"putcut/refusal"
)

func TestHeads(t *testing.T) {
	for _, c := range []struct {
		op   Op
		want string
	}{
		{Op{Verb: Put, Place: Place{Span, 2, 3}}, "PUT 2.=3:"},
		{Op{Verb: Put, Place: Place{Block, 4, 4}}, "PUT 4*:"},
		{Op{Verb: Put, Place: Place{Before, 1, 1}}, "PUT <1:"},
		{Op{Verb: Put, Place: Place{After, 9, 9}}, "PUT >9:"},
		{Op{Verb: Put, Place: Place{Kind: Tail}}, "PUT >$:"},
		{Op{Verb: Put, Place: Place{AfterBlock, 4, 4}}, "PUT >4*:"},
		{Op{Verb: Put, Place: Place{After, 9, 9}, Paste: true}, "PUT >9"},
		{Op{Verb: Put, Place: Place{Span, 2, 2}, Paste: true, Register: "a"}, "PUT 2.=2 @a"},
		{Op{Verb: Cut, Place: Place{Span, 2, 2}}, "CUT 2.=2"},
		{Op{Verb: Cut, Place: Place{Block, 2, 2}, Register: "x-1"}, "CUT 2* @x-1"},
		{Op{Verb: Rem}, "REM"},
		{Op{Verb: Mv, Dest: "a b.txt"}, "MV a b.txt"},
		{Op{Verb: Mv, Dest: ` a\"`}, `MV " a\\\""`},
		{Op{Verb: Mv, Dest: ""}, `MV ""`},
		{Op{Verb: Mv, Dest: `"q"`}, `MV "\"q\""`},
	} {
		if got := c.op.Head(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.op, got, c.want)
		}
	}
	if (Place{}).String() != "" {
		t.Error("no place is written as one")
	}
}

func TestCheckBounds(t *testing.T) {
	span := func(a, b int) Place { return Place{Span, a, b} }
	for _, c := range []struct {
		place Place
		lines int
		want  string
	}{
		{span(1, 3), 3, ""},
		{span(3, 3), 3, ""},
		{Place{Before, 1, 1}, 0, ""},
		{Place{Kind: Tail}, 0, ""},
		{Place{}, 0, ""},
		{Place{After, 3, 3}, 3, ""},
		{Place{Before, 3, 3}, 3, ""},
		{span(3, 4), 3, "`PUT 3.=4:` names line 4, but under this tag the file has lines 1 to 3. Use numbers printed under this tag."},
		{span(4, 5), 3, "`PUT 4.=5:` names line 4, but under this tag the file has lines 1 to 3. Use numbers printed under this tag."},
		{span(0, 1), 3, "`PUT 0.=1:` names line 0, but under this tag the file has lines 1 to 3. Use numbers printed under this tag."},
		{span(2, 2), 1, "`PUT 2.=2:` names line 2, but under this tag the file has line 1 only. Use numbers printed under this tag."},
		{span(1, 1), 0, "`PUT 1.=1:` names line 1, but under this tag the file is empty. Use numbers printed under this tag."},
		{span(3, 2), 3, "`PUT 3.=2:` is reversed: its first line 3 comes after its last line 2. Both numbers are lines, the first one first: `2.=3`."},
		{Place{After, 4, 4}, 3, "`PUT >4:` names line 4, but under this tag the file has lines 1 to 3. Use numbers printed under this tag, or `PUT >$:` for the end of the file."},
		{Place{After, 1, 1}, 0, "`PUT >1:` names line 1, but under this tag the file is empty. Use numbers printed under this tag, or `PUT >$:` for the end of the file."},
		{Place{Before, 4, 4}, 3, "`PUT <4:` names line 4, but under this tag the file has lines 1 to 3. Use numbers printed under this tag, or `PUT >$:` for the end of the file."},
		{Place{Block, 4, 4}, 3, "`PUT 4*:` names line 4, but under this tag the file has lines 1 to 3. Use numbers printed under this tag."},
		{Place{AfterBlock, 4, 4}, 3, "`PUT >4*:` names line 4, but under this tag the file has lines 1 to 3. Use numbers printed under this tag, or `PUT >$:` for the end of the file."},
	} {
		err := CheckBounds(Op{Verb: Put, Place: c.place, Row: 2, Column: 1}, c.lines)
		want := c.want
		if want != "" {
			want = "EDIT_RANGE_INVALID: rejected, nothing was written. script row 2, column 1: " + want
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%v of %d:\n got %s\nwant %s", c.place, c.lines, got, want)
		}
	}
}

func TestArrange(t *testing.T) {
	op := func(k PlaceKind, a, b, row int) Op { return Op{Verb: Put, Place: Place{k, a, b}, Row: row, Column: 1} }
	spotOf := func(o Op) Spot {
		switch o.Place.Kind {
		case Span:
			return Lines(o.Place.First, o.Place.Last)
		case Before:
			if o.Place.First == 1 {
				return Head()
			}
			return BeforeLine(o.Place.First)
		case Tail:
			return TailOf(9)
		}
		return AfterLine(o.Place.First)
	}
	for _, c := range []struct {
		name string
		ops  []Op
		want string // order of ops, or the refusal
	}{
		{"sorted", []Op{op(Span, 5, 6, 1), op(Span, 1, 2, 2), op(After, 8, 8, 3)}, "[1 0 2]"},
		{"one gap: above, then below, script order in each", []Op{op(Before, 5, 5, 1), op(After, 4, 4, 2), op(Before, 5, 5, 3), op(After, 4, 4, 4)}, "[1 3 0 2]"},
		{"the gaps at the edges of a span", []Op{op(Span, 4, 6, 1), op(After, 6, 6, 2), op(Before, 4, 4, 3), op(After, 3, 3, 4), op(Before, 7, 7, 5)}, "[3 2 0 1 4]"},
		{"head before all else at gap 0", []Op{op(Span, 1, 1, 1), op(Before, 1, 1, 2)}, "[1 0]"},
		{"tail with the last line", []Op{op(Tail, 0, 0, 1), op(After, 9, 9, 2), op(Span, 9, 9, 3)}, "[2 0 1]"},
		{"spans that touch", []Op{op(Span, 3, 4, 1), op(Span, 1, 2, 2), op(Span, 5, 5, 3)}, "[1 0 2]"},
		{"spans that share a line", []Op{op(Span, 1, 3, 1), op(Span, 3, 4, 2)}, "script row 2, column 1: `PUT 3.=4:` and `PUT 1.=3:` (script row 1) overlap: both take line 3. Make one op of the two, or keep them apart."},
		{"spans that share lines, first one later", []Op{op(Span, 3, 6, 1), op(Span, 1, 4, 2)}, "script row 2, column 1: `PUT 1.=4:` and `PUT 3.=6:` (script row 1) overlap: both take lines 3-4. Make one op of the two, or keep them apart."},
		{"span in a span", []Op{op(Span, 1, 9, 1), op(Span, 4, 5, 2)}, "script row 2, column 1: `PUT 4.=5:` and `PUT 1.=9:` (script row 1) overlap: both take lines 4-5. Make one op of the two, or keep them apart."},
		{"same span", []Op{op(Span, 2, 2, 1), op(Span, 2, 2, 2)}, "script row 2, column 1: `PUT 2.=2:` and `PUT 2.=2:` (script row 1) overlap: both take line 2. Make one op of the two, or keep them apart."},
		{"gap in a span", []Op{op(Span, 2, 5, 1), op(After, 3, 3, 2)}, "script row 2, column 1: `PUT >3:` and `PUT 2.=5:` (script row 1) overlap: the gap lies inside lines 2-5. Make one op of the two, or keep them apart."},
		{"gap in a span, gap first", []Op{op(Before, 4, 4, 1), op(Span, 2, 5, 2)}, "script row 2, column 1: `PUT 2.=5:` and `PUT <4:` (script row 1) overlap: the gap lies inside lines 2-5. Make one op of the two, or keep them apart."},
	} {
		placed := make([]Placed, len(c.ops))
		for i, o := range c.ops {
			placed[i] = Placed{spotOf(o), i}
		}
		sorted, err := Arrange(c.ops, placed)
		got := fmt.Sprint(err)
		if err == nil {
			order := []int{}
			for _, p := range sorted {
				order = append(order, p.Op)
			}
			got = fmt.Sprint(order)
		} else {
			if !errors.Is(err, refusal.RangeInvalid) {
				t.Errorf("%s: %v", c.name, err)
			}
			c.want = "EDIT_RANGE_INVALID: rejected, nothing was written. " + c.want
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		for i := range placed {
			if placed[i].Op != i {
				t.Errorf("%s: the input was reordered", c.name)
			}
		}
	}
}
