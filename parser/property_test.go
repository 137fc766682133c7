package parser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"putcut/ops"
	"putcut/refusal"
)

// withoutPlaces drops what a script says about its own text.
func withoutPlaces(s ops.Script) ops.Script {
	out := ops.Script{}
	for _, sec := range s.Sections {
		sec.Row = 0
		list := make([]ops.Op, len(sec.Ops))
		for i, op := range sec.Ops {
			op.Row, op.Column = 0, 0
			list[i] = op
		}
		sec.Ops = list
		out.Sections = append(out.Sections, sec)
	}
	return out
}

var bodyText = rapid.OneOf(
	rapid.StringMatching(`[ -~]{0,12}`),
	rapid.SampledFrom([]string{"", " ", "\r", "x\r", "+", "-x", "PUT 2.=3:", "CUT 1", "REM", "mv a b", "[a#1A2B]", "[a#new]",
		"*** End Patch", "*** Begin Patch", "*** Abort", "```", "~~~", "3:x", "…", "\x00", "\xff\xfe", "é\u2028", "@@ -1 +1 @@", "<<<<<<< SEARCH"}),
)

var pathText = rapid.OneOf(
	rapid.StringMatching(`[a-z#\]\[ ."\\/é]{1,10}`).Filter(func(s string) bool { return !isBlank(s) }),
	rapid.SampledFrom([]string{"a", "a b", "a#1A2B", "a]#1A2B]", " a ", `"a"`, `\`, "a\r", "é/ü"}),
)

// drawOp draws an op that may stand in any section, under what stands above it.
func drawOp(t *rapid.T, names map[string]bool) ops.Op {
	line := rapid.IntRange(0, 40)
	rows := rapid.SliceOfN(bodyText, 1, 5)
	name := rapid.StringMatching(`[A-Za-z0-9_-]{1,32}`)
	place := func(kinds ...ops.PlaceKind) ops.Place {
		p := ops.Place{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		if p.Kind != ops.Tail {
			p.First = line.Draw(t, "line")
		}
		p.Last = p.First
		if p.Kind == ops.Span {
			p.Last = line.Draw(t, "last")
		}
		return p
	}
	all := []ops.PlaceKind{ops.Span, ops.Block, ops.Before, ops.After, ops.Tail, ops.AfterBlock}
	switch rapid.IntRange(0, 4).Draw(t, "op") {
	case 0:
		return ops.Op{Verb: ops.Cut, Place: place(all[:2]...)}
	case 1:
		n := name.Draw(t, "name")
		for names[n] {
			n = fmt.Sprintf("n%d", len(names))
		}
		names[n] = true
		return ops.Op{Verb: ops.Cut, Place: place(all[:2]...), Register: n}
	case 2:
		return ops.Op{Verb: ops.Put, Place: place(all[2:]...), Paste: true}
	case 3:
		return ops.Op{Verb: ops.Put, Place: place(all...), Paste: true, Register: name.Draw(t, "name")}
	}
	return ops.Op{Verb: ops.Put, Place: place(all...), Rows: rows.Draw(t, "rows")}
}

func drawOps(t *rapid.T, names map[string]bool) []ops.Op {
	if rapid.IntRange(0, 9).Draw(t, "rem") == 0 {
		return []ops.Op{{Verb: ops.Rem}}
	}
	var list []ops.Op
	for range rapid.IntRange(1, 5).Draw(t, "ops") {
		list = append(list, drawOp(t, names))
	}
	if rapid.IntRange(0, 3).Draw(t, "mv") == 0 {
		list = append(list, ops.Op{Verb: ops.Mv, Dest: pathText.Draw(t, "dest")})
	}
	return list
}

func drawScript(t *rapid.T) ops.Script {
	var s ops.Script
	names := map[string]bool{}
	for range rapid.IntRange(1, 4).Draw(t, "sections") {
		sec := ops.Section{Path: pathText.Draw(t, "path"), Tag: rapid.StringMatching(`[0-9A-F]{4}`).Draw(t, "tag")}
		if rapid.IntRange(0, 5).Draw(t, "new") == 0 {
			sec.Tag = ops.NewFile
			sec.Ops = []ops.Op{{Verb: ops.Put, Place: ops.Place{Kind: ops.Tail}, Rows: rapid.SliceOfN(bodyText, 1, 5).Draw(t, "rows")}}
		} else {
			sec.Ops = drawOps(t, names)
		}
		s.Sections = append(s.Sections, sec)
	}
	return s
}

// TestRoundTrip: what is printed reads back the same, without remarks on spelling.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawScript(t)
		text := Format(want)
		crlf := text
		if !strings.Contains(text, "\r") {
			crlf = strings.ReplaceAll(text, "\n", "\r\n")
		}
		for _, src := range []string{text, crlf, "\n" + text + "\n \n", beginMarker + "\n" + text + endMarker} {
			res, err := Parse(src, Limits{})
			if err != nil {
				t.Fatalf("%q: %v", src, err)
			}
			if d := cmp.Diff(want, withoutPlaces(res.Script)); d != "" {
				t.Fatalf("%q: %s", src, d)
			}
			for _, w := range res.Warnings {
				if w.Code != refusal.RowIsOp {
					t.Fatalf("%q: %+v", src, w)
				}
			}
		}
	})
}

func TestRoundTripOps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := ops.Script{Sections: []ops.Section{{Ops: drawOps(t, map[string]bool{})}}}
		text := FormatOps(want.Sections[0].Ops)
		res, err := ParseOps(text, Limits{})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if d := cmp.Diff(want, withoutPlaces(res.Script)); d != "" {
			t.Fatalf("%q: %s", text, d)
		}
	})
}

// misspell writes an op in a way that is accepted with a warning.
func misspell(t *rapid.T, op ops.Op, cutAbove bool) (text string, slipped bool) {
	verb, place, tail := op.Verb.String(), formatPlace(op.Place), ""
	if rapid.Bool().Draw(t, "lower") {
		verb, slipped = strings.ToLower(verb), true
	}
	if op.Place.Kind == ops.Span {
		sep := rapid.SampledFrom([]string{".=", "..", "-", "…", "=", "–"}).Draw(t, "sep")
		blank := rapid.SampledFrom([]string{"", " ", "\t "}).Draw(t, "blank")
		slipped = slipped || sep != ".="
		place = fmt.Sprintf("%d%s%s%s%d", op.Place.First, blank, sep, blank, op.Place.Last)
		if op.Place.First == op.Place.Last && rapid.Bool().Draw(t, "one") {
			place, slipped = fmt.Sprint(op.Place.First), true
		}
	}
	if op.Register != "" {
		tail = " @" + op.Register
	}
	colon := op.Verb == ops.Put && !op.Paste
	canDrop := colon && !(op.Place.Gap() && cutAbove)
	canAdd := op.Verb == ops.Cut || op.Register != ""
	if (canDrop || canAdd) && rapid.Bool().Draw(t, "colon") {
		colon, slipped = !colon, true
	}
	if colon {
		tail += rapid.SampledFrom([]string{":", " :", ": "}).Draw(t, "blanks")
	}
	text = verb + " " + place + tail + "\n"
	for _, r := range op.Rows {
		text += "+" + r + "\n"
		if strings.HasSuffix(r, "\r") {
			text = text[:len(text)-1] + "\r\n"
		}
	}
	return text, slipped
}

// TestSlips: accepted misspellings, in any combination, mean the op they name,
// and each misspelled op gets one warning with its row.
func TestSlips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := map[string]bool{}
		var list []ops.Op
		var src string
		var slipped []int
		cutAbove := false
		for range rapid.IntRange(1, 6).Draw(t, "ops") {
			op := drawOp(t, names)
			row := strings.Count(src, "\n") + 1
			text, slip := misspell(t, op, cutAbove)
			if slip {
				slipped = append(slipped, row)
			}
			cutAbove = cutAbove || op.Verb == ops.Cut && op.Register == ""
			src += text
			list = append(list, op)
		}
		res, err := ParseOps(src, Limits{})
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		if d := cmp.Diff(list, withoutPlaces(res.Script).Sections[0].Ops); d != "" {
			t.Fatalf("%q: %s", src, d)
		}
		var got []int
		for _, w := range res.Warnings {
			if w.Code == refusal.Spelling {
				got = append(got, w.Row)
			}
		}
		if d := cmp.Diff(slipped, got); d != "" {
			t.Fatalf("%q: rows of warnings: %s", src, d)
		}
	})
}

// TestShapes: the table of shapes and the grammar agree on what an op row is.
func TestShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"3", ".=", "..", "*", "<", ">", "$", "@r", ":", "x", "@"}), 0, 6).Draw(t, "pieces")
		verb := rapid.SampledFrom([]string{"PUT", "CUT"}).Draw(t, "verb")
		row := verb + " " + strings.Join(pieces, " ")
		tree, err := grammar().ParseString("", row)
		if accepted := err == nil && len(tree.Ops) == 1; accepted != (opnessOf(row) == exact) {
			t.Fatalf("%q: grammar says %v (%v)", row, accepted, err)
		}
	})
}

// rowsOf draws scripts that are wrong in every way at once.
var wildRow = rapid.OneOf(bodyText, rapid.Map(bodyText, func(s string) string { return "+" + s }),
	rapid.SampledFrom([]string{"PUT 2.=3:", "PUT 2", "put >3", "CUT 1-2:", "CUT 4 @r", "SWAP 2..3:", "DEL 4", "INS.PRE 3:", "Put 3:", "PUT 1,2:",
		"PUT 2.=2: x", "REM", "rem", "MV a", "MV \"", "[n#1A2B]", "[n#1a2b]", "[n#NEW]", " [n#1A2B]", "*** Begin Patch", "*** End Patch", "*** End patch",
		"```", "~~~", "", " ", "# x", "2:x", "- x", "PUT >$:", "PUT 99999999999:", "  + x", "  PUT 2.=2:"}))

// checkParse holds for every text: no panic, a refusal that is one, a
// corrected script that parses, and a canonical form that is stable.
func checkParse(t interface {
	Fatalf(string, ...any)
	Helper()
}, src string, bare bool) {
	t.Helper()
	parse := Parse
	if bare {
		parse = ParseOps
	}
	res, err := parse(src, Limits{})
	if err != nil {
		e := refusal.As(err)
		if e == nil || e.Code == "" || e.What == "" || e.Next == "" {
			t.Fatalf("%q: refusal without its parts: %#v", src, err)
		}
		if rows := strings.Count(src, "\n") + 1; e.Row < 0 || e.Row > rows {
			t.Fatalf("%q: row %d of %d", src, e.Row, rows)
		}
		if e.Script == "" {
			return
		}
		if res, err = parse(e.Script, Limits{}); err != nil {
			t.Fatalf("%q: corrected script %q: %v", src, e.Script, err)
		}
		if again := Format(res.Script); again != e.Script {
			t.Fatalf("%q: corrected script %q is not canonical: %q", src, e.Script, again)
		}
		return
	}
	text := Format(res.Script)
	again, err := parse(text, Limits{Bytes: 1 << 30})
	if err != nil {
		t.Fatalf("%q: canonical %q: %v", src, text, err)
	}
	if d := cmp.Diff(withoutPlaces(res.Script), withoutPlaces(again.Script)); d != "" {
		t.Fatalf("%q: canonical %q: %s", src, text, d)
	}
	for _, w := range again.Warnings {
		if w.Code != refusal.RowIsOp {
			t.Fatalf("%q: canonical %q: %+v", src, text, w)
		}
	}
}

func TestWild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(wildRow, 0, 8).Draw(t, "rows")
		src := strings.Join(rows, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol"))
		checkParse(t, src, rapid.Bool().Draw(t, "bare"))
	})
}
