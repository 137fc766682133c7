package ops

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"putcut/text"
)

func textOf(s string) *text.Text {
	return text.FromBody([]byte(s), text.Format{Encoding: text.UTF8})
}

func put(start, end int, rows ...string) Splice { return Splice{Start: start, End: end, Rows: rows} }

func TestApply(t *testing.T) {
	for _, c := range []struct {
		name, old string
		splices   []Splice
		final     Final
		want      string
		kept      bool
	}{
		{"nothing", "a\nb\n", nil, 0, "a\nb\n", false},
		{"replace", "a\nb\nc\n", []Splice{put(1, 2, "B")}, 0, "a\nB\nc\n", false},
		{"replace by more", "a\nb\nc\n", []Splice{put(1, 2, "B", "BB")}, 0, "a\nB\nBB\nc\n", false},
		{"cut", "a\nb\nc\n", []Splice{put(1, 2)}, 0, "a\nc\n", false},
		{"head", "a\n", []Splice{put(0, 0, "x")}, 0, "x\na\n", false},
		{"tail", "a\n", []Splice{put(1, 1, "x")}, 0, "a\nx\n", false},
		{"two at one gap, in order", "a\nb\n", []Splice{put(1, 1, "x"), put(1, 1, "y"), put(1, 2, "z")}, 0, "a\nx\ny\nz\n", false},
		{"empty file", "", []Splice{put(0, 0, "x")}, 0, "x\n", false},
		{"empty file, empty row", "", []Splice{put(0, 0, "")}, 0, "\n", false},
		{"all lines", "a\nb\n", []Splice{put(0, 2)}, 0, "", false},
		{"all lines, unterminated", "a\nb", []Splice{put(0, 2)}, 0, "", false},
		{"dollar signs and backslashes", "a\n", []Splice{put(0, 1, `$& $$ \1 \n %s`)}, 0, `$& $$ \1 \n %s` + "\n", false},

		{"crlf", "a\r\nb\r\n", []Splice{put(1, 2, "B", "C")}, 0, "a\r\nB\r\nC\r\n", false},
		{"crlf head", "a\r\n", []Splice{put(0, 0, "x")}, 0, "x\r\na\r\n", false},
		{"mixed: line above", "a\r\nb\nc\r\n", []Splice{put(2, 2, "x")}, 0, "a\r\nb\nx\nc\r\n", false},
		{"mixed: line above a span", "a\r\nb\nc\n", []Splice{put(1, 2, "x")}, 0, "a\r\nx\r\nc\n", false},
		{"mixed: the line above goes too", "a\r\nb\nc\n", []Splice{put(0, 1), put(1, 1, "x")}, 0, "x\r\nb\nc\n", false},
		{"mixed: line below at the head", "a\r\nb\n", []Splice{put(0, 1, "x")}, 0, "x\nb\n", false},
		{"mixed: untouched lines stay", "a\r\nb\nc\r\nd", []Splice{put(1, 2, "B")}, 0, "a\r\nB\r\nc\r\nd", false},
		{"most frequent", "a\r\nb\r\nc\nd", []Splice{put(0, 4, "x", "y")}, 0, "x\r\ny", false},
		{"a tie is LF", "a\r\nb\nc", []Splice{put(0, 3, "x", "y")}, 0, "x\ny", false},
		{"CR only", "a\rb\r", []Splice{put(1, 2, "B", "C")}, 0, "a\rB\rC\r", false},
		{"CR only, row with a CR", "a\rb\r", []Splice{put(1, 2, "B\rC")}, 0, "a\rB\rC\r", false},
		{"lone CR is content", "a\rb\nc\n", []Splice{put(1, 2, "x\ry")}, 0, "a\rb\nx\ry\n", false},

		{"unterminated: replace the last", "a\nb", []Splice{put(1, 2, "B")}, 0, "a\nB", false},
		{"unterminated: add a last", "a\nb", []Splice{put(2, 2, "c")}, 0, "a\nb\nc", false},
		{"unterminated, one line: add", "a", []Splice{put(1, 1, "b")}, 0, "a\nb", false},
		{"unterminated crlf: add", "a\r\nb", []Splice{put(2, 2, "c", "d")}, 0, "a\r\nb\r\nc\r\nd", false},
		{"unterminated: cut the last", "a\nb\nc", []Splice{put(2, 3)}, 0, "a\nb", false},
		{"unterminated crlf: cut the last", "a\r\nb", []Splice{put(1, 2)}, 0, "a", false},
		{"unterminated: empty row", "a", []Splice{put(1, 1, "")}, 0, "a\n\n", true},
		{"unterminated crlf: empty row", "x\r\na", []Splice{put(2, 2, "")}, 0, "x\r\na\r\n\r\n", true},
		{"unterminated: cut down to an empty row", "a\n\nb", []Splice{put(2, 3)}, 0, "a\n\n", true},
		{"unterminated: empty row alone", "a", []Splice{put(0, 1, "")}, 0, "\n", true},
		{"terminated: cut the last", "a\nb\n", []Splice{put(1, 2)}, 0, "a\n", false},
		{"add the final newline", "a\nb", []Splice{put(0, 1, "A")}, AddFinal, "A\nb\n", false},
		{"drop the final newline", "a\r\nb\r\n", []Splice{put(0, 1, "A")}, DropFinal, "A\r\nb", false},
		{"drop it from an empty row", "a\n\n", nil, DropFinal, "a\n\n", true},

		{"the last LF goes, a CR stays", "a\rb\nc", []Splice{put(1, 2)}, 0, "a\rb", false},
		{"the first LF comes", "a\rb", []Splice{{Start: 1, End: 1, Rows: []string{"x"}, EOLs: []text.EOL{text.LF}}}, 0, "a\rx\nb", false},
		{"CR last and unterminated, a row after it", "a\nb\r", []Splice{put(2, 2, "c")}, 0, "a\nb\r\nc", false},
		{"own terminators", "a\nb\n", []Splice{{Start: 1, End: 1, Rows: []string{"x", "y"}, EOLs: []text.EOL{text.CRLF, text.LF}}}, 0, "a\nx\r\ny\nb\n", false},
		{"own terminator missing before kept lines", "a\nb\nc\n", []Splice{{Start: 0, End: 0, Rows: []string{"x"}, EOLs: []text.EOL{text.None}}, put(1, 1, "y")}, 0, "x\na\ny\nb\nc\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.final == KeepFinal && c.splices == nil && c.old != c.want {
				t.Fatal("bad case")
			}
			got := check(t, c.old, c.splices, c.final)
			if string(got.Text.Body()) != c.want || got.Kept != c.kept {
				t.Errorf("%q becomes %q, kept %v; want %q, %v", c.old, got.Text.Body(), got.Kept, c.want, c.kept)
			}
		})
	}
}

func TestApplyPanicsOnABrokenInvariant(t *testing.T) {
	for name, splices := range map[string][]Splice{
		"overlap":      {put(0, 2), put(1, 2)},
		"out of order": {put(1, 2), put(0, 1)},
		"reversed":     {put(2, 1)},
		"past the end": {put(1, 3)},
		"terminators":  {{Start: 0, End: 1, Rows: []string{"x"}, EOLs: []text.EOL{}}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			Apply(textOf("a\nb\n"), splices, KeepFinal)
		})
	}
}

func TestApplyKeepsFormat(t *testing.T) {
	old, err := text.Decode([]byte("\xff\xfea\x00\r\x00\n\x00"), "")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := Apply(old, []Splice{put(1, 1, "é")}, KeepFinal).Text.Encode()
	if want := "\xff\xfea\x00\r\x00\n\x00\xe9\x00\r\x00\n\x00"; err != nil || string(raw) != want {
		t.Errorf("%q %v, want %q", raw, err, want)
	}
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// check applies and holds everything that comes out against the model.
func check(t fataler, old string, splices []Splice, final Final) Result {
	t.Helper()
	src := textOf(old)
	got := Apply(src, splices, final)
	if string(src.Body()) != old {
		t.Fatalf("the old text was changed")
	}
	lines, kept := modelApply(old, splices, final)
	want := modelBytes(lines)
	if string(got.Text.Body()) != want || got.Kept != kept {
		t.Fatalf("%q with %+v becomes %q, kept %v; the model says %q, %v", old, splices, got.Text.Body(), got.Kept, want, kept)
	}
	if a, b := describe(got.Text), describe(textOf(want)); a != b {
		t.Fatalf("%q with %+v:\nthe built text is  %q\nreading it again is %q", old, splices, a, b)
	}
	checkMap(t, src, got, lines)
	return got
}

// checkMap holds a line map against what the model knows of its lines. Where
// reading the new text again divides it into other lines, the map may only
// lose lines, never name a wrong one.
func checkMap(t fataler, old *text.Text, got Result, lines []modelLine) {
	t.Helper()
	m := got.Map
	if m.OldLen() != old.Len() || m.NewLen() != got.Text.Len() {
		t.Fatalf("the map is of %d to %d lines, the texts have %d and %d", m.OldLen(), m.NewLen(), old.Len(), got.Text.Len())
	}
	where := map[int]int{}
	for i, l := range lines {
		if l.from > 0 {
			where[l.from] = i + 1
		}
	}
	again := modelSplit(modelBytes(lines))
	same := len(again) == len(lines)
	for i := range again {
		same = same && again[i].text == lines[i].text
	}
	back := m.Invert()
	for n := 0; n <= old.Len()+1; n++ {
		now := m.New(n)
		if same && now != where[n] {
			t.Fatalf("%q to %q: line %d is at %d, the map says %d (%v)", old.Body(), got.Text.Body(), n, where[n], now, m.Hunks())
		}
		if now == 0 {
			continue
		}
		if string(got.Text.Line(now)) != string(old.Line(n)) {
			t.Fatalf("%q to %q: line %d is %q, the map leads to %d, %q", old.Body(), got.Text.Body(), n, old.Line(n), now, got.Text.Line(now))
		}
		if back.New(now) != n {
			t.Fatalf("the inverse leads from %d to %d, not %d", now, back.New(now), n)
		}
		// Untouched lines keep their bytes, the terminator of a last line aside.
		if n < old.Len() && now < got.Text.Len() && got.Text.EOL(now) != old.EOL(n) {
			t.Fatalf("line %d had %q and has %q", n, old.EOL(n), got.Text.EOL(now))
		}
	}
	added, removed := m.Counts()
	if added-removed != m.NewLen()-m.OldLen() {
		t.Fatalf("+%d -%d does not lead from %d to %d lines", added, removed, m.OldLen(), m.NewLen())
	}
	moved := map[int]int{}
	for _, s := range m.Shifts() {
		to := s.To
		if to == 0 {
			to = m.OldLen()
		}
		for n := s.From; n <= to; n++ {
			moved[n] = s.Delta
		}
	}
	for n := 1; n <= m.OldLen(); n++ {
		want := 0
		if now := m.New(n); now != 0 {
			want = now - n
		}
		if moved[n] != want {
			t.Fatalf("the shifts move line %d by %d, the map by %d (%v, %v)", n, moved[n], want, m.Hunks(), m.Shifts())
		}
	}
}

// FuzzApply: a body and a program of splices, against the model.
func FuzzApply(f *testing.F) {
	for _, body := range []string{"", "a", "a\nb\n", "a\r\nb\nc", "a\rb\rc", "a\rb\nc\r", "\n\n", "\xff\n\r\n", "a\nb\r", "\r", "a\r\r\nb\n"} {
		for _, prog := range []string{"", "\x00\x01\x02ab", "\x01\x00\x01\x03\x00\x02", "\x02\x01\x02\x01\x01\x00\x01\x04", "\x01\x01\x00\x01\x01\x01"} {
			f.Add([]byte(body), []byte(prog), uint8(0))
		}
	}
	rows := []string{"", "x", "y\rz", "\r", "é", "\xff", "w\r", "long row"}
	f.Fuzz(func(t *testing.T, body, prog []byte, final uint8) {
		if len(body) > 1<<12 || len(prog) > 1<<8 {
			return
		}
		next := func() int {
			if len(prog) == 0 {
				return 0
			}
			b := prog[0]
			prog = prog[1:]
			return int(b)
		}
		n := textOf(string(body)).Len()
		var splices []Splice
		at := 0
		for len(prog) > 0 {
			s := Splice{Start: min(n, at+next()%8)}
			s.End = min(n, s.Start+next()%4)
			for i := next() % 4; i > 0; i-- {
				s.Rows = append(s.Rows, rows[next()%len(rows)])
			}
			at = s.End
			splices = append(splices, s)
		}
		check(t, string(body), splices, Final(final%3))
	})
}

// TestApplyAgainstTheModel is the fuzz target with terminators of the rows' own.
func TestApplyAgainstTheModel(t *testing.T) {
	row := rapid.SampledFrom([]string{"", "x", "y", "é", "a b", "\t"})
	rapid.Check(t, func(t *rapid.T) {
		eols := rapid.SampledFrom([][]string{{"\n"}, {"\r\n"}, {"\n", "\r\n"}}).Draw(t, "eols")
		var b strings.Builder
		for range rapid.IntRange(0, 12).Draw(t, "lines") {
			b.WriteString(row.Draw(t, "line") + rapid.SampledFrom(eols).Draw(t, "eol"))
		}
		b.WriteString(row.Draw(t, "last"))
		n := textOf(b.String()).Len()
		var splices []Splice
		at := 0
		for range rapid.IntRange(0, 5).Draw(t, "splices") {
			s := Splice{Start: rapid.IntRange(at, n).Draw(t, "start")}
			s.End = rapid.IntRange(s.Start, n).Draw(t, "end")
			s.Rows = rapid.SliceOfN(row, 0, 3).Draw(t, "rows")
			if rapid.Bool().Draw(t, "own") {
				s.EOLs = make([]text.EOL, len(s.Rows))
				for i := range s.EOLs {
					s.EOLs[i] = rapid.SampledFrom([]text.EOL{text.LF, text.CRLF, text.None}).Draw(t, "own eol")
				}
			}
			at = s.End
			splices = append(splices, s)
		}
		check(t, b.String(), splices, Final(rapid.IntRange(0, 2).Draw(t, "final")))
	})
}

// spotOp is an op placed in a text, with the lines it leans on.
type spotOp struct {
	spot        Spot
	first, last int // anchors; 0 means none
	rows        []string
}

// carry places the op in a later text.
func (o spotOp) carry(m LineMap) Spot {
	switch {
	case o.first == 0 && o.spot.order == atHead:
		return Head()
	case o.first == 0:
		return TailOf(m.NewLen())
	case o.spot.order == after:
		return AfterLine(m.New(o.first))
	case o.spot.order == before:
		return BeforeLine(m.New(o.first))
	}
	return Lines(m.New(o.first), m.New(o.last))
}

// TestInterleaving: two edits of one version that do not touch give the same
// lines together, one after the other, and the other way round.
func TestInterleaving(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 14).Draw(t, "lines")
		var b strings.Builder
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&b, "line %d%s", i, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol"))
		}
		old := textOf(b.String())
		if rapid.Bool().Draw(t, "unterminated") {
			old = textOf(strings.TrimRight(b.String(), "\r\n"))
		}
		draw := func(name string, lo, hi int) spotOp {
			o := spotOp{first: rapid.IntRange(lo, hi).Draw(t, name)}
			o.last = rapid.IntRange(o.first, hi).Draw(t, name+" last")
			o.rows = rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y", ""}), 0, 3).Draw(t, name+" rows")
			switch rapid.IntRange(0, 2).Draw(t, name+" kind") {
			case 0:
				o.spot = AfterLine(o.first)
			case 1:
				o.spot = BeforeLine(o.first)
			default:
				o.spot = Lines(o.first, o.last)
			}
			return o
		}
		mid := rapid.IntRange(2, n-1).Draw(t, "between") // a line neither touches
		a, c := draw("a", 1, mid-1), draw("c", mid+1, n)
		if rapid.Bool().Draw(t, "tail") {
			c = spotOp{spot: TailOf(n), rows: c.rows}
		}
		one := func(t *text.Text, s Spot, o spotOp) Result {
			return Apply(t, []Splice{put(s.Start, s.End, o.rows...)}, KeepFinal)
		}
		both := Apply(old, []Splice{put(a.spot.Start, a.spot.End, a.rows...), put(c.spot.Start, c.spot.End, c.rows...)}, KeepFinal).Text
		ra := one(old, a.spot, a)
		ac := one(ra.Text, c.carry(ra.Map), c).Text
		rc := one(old, c.spot, c)
		ca := one(rc.Text, a.carry(rc.Map), a).Text
		if !text.Equal(both, ac) || !text.Equal(both, ca) {
			t.Fatalf("together %q\na, c      %q\nc, a      %q", both.Body(), ac.Body(), ca.Body())
		}
	})
}

func TestLineMap(t *testing.T) {
	// Lines 3-4 of 8 became three, a row was put after 6, line 8 went.
	m := MapOf(8, 9, []Hunk{{2, 4, 2, 5}, {6, 6, 7, 8}, {7, 8, 9, 9}})
	for n, want := range []int{0, 1, 2, 0, 0, 6, 7, 9, 0, 0} {
		if m.New(n) != want {
			t.Errorf("line %d is at %d, want %d", n, m.New(n), want)
		}
	}
	if m.New(-1) != 0 || Identity(3).New(3) != 3 || Identity(3).New(4) != 0 || (LineMap{}).New(1) != 0 {
		t.Error("edges")
	}
	if got, want := fmt.Sprint(m.Shifts()), "[{5 6 1} {7 7 2}]"; got != want {
		t.Errorf("shifts %s, want %s", got, want)
	}
	if a, r := m.Counts(); a != 4 || r != 3 {
		t.Errorf("+%d -%d", a, r)
	}
	if got := MapOf(3, 4, []Hunk{{1, 1, 1, 2}}).Shifts(); !slices.Equal(got, []Shift{{2, 0, 1}}) {
		t.Errorf("%v: a shift to the end has the end 0", got)
	}
}
