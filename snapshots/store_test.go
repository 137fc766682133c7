package snapshots

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"putcut/ops"
	"putcut/text"
)

func snap(s string) Snap {
	raw := []byte(s)
	return SnapOf(text.FromBody(raw, text.Format{Encoding: text.UTF8}), raw, "")
}

// none displays nothing beside what is inherited.
var none []Range

// edit advances a path by splices and returns the new snap and version.
func edit(s *Store, key string, from Snap, splices ...ops.Splice) (Snap, *Version) {
	res := ops.Apply(from.Text, splices, ops.KeepFinal)
	to := SnapOf(res.Text, res.Text.Body(), "")
	return to, s.Advance(key, from, to, res.Map, none)
}

func put(start, end int, rows ...string) ops.Splice {
	return ops.Splice{Start: start, End: end, Rows: rows}
}

func shown(s *Store, v *Version) []int {
	out := []int{}
	for n := 1; n <= v.Lines; n++ {
		if s.Shown(v, n) {
			out = append(out, n)
		}
	}
	return out
}

func TestLineSet(t *testing.T) {
	var s LineSet
	if s.Has(0) || s.Has(-1) || s.Has(1) || s.Len() != 0 {
		t.Error("the empty set has lines")
	}
	want := []int{1, 63, 64, 65, 128, 1000}
	for _, n := range []int{1000, 64, 1, 65, 63, 128, 64} {
		s.Add(n)
	}
	var got []int
	s.Each(func(n int) { got = append(got, n) })
	if !slices.Equal(got, want) || s.Len() != len(want) {
		t.Errorf("%v, %d of them", got, s.Len())
	}
	for n := -1; n <= 1100; n++ {
		if s.Has(n) != slices.Contains(want, n) {
			t.Errorf("line %d: %v", n, s.Has(n))
		}
	}
}

func TestATextThatComesBackIsTheSameVersion(t *testing.T) {
	s := NewStore(Limits{})
	a, b := snap("a\nb\n"), snap("a\nc\n")
	va := s.Observe("f", a)
	s.Show(va, 1, 2, 3, 0, -1) // only lines there are
	if got := shown(s, va); !slices.Equal(got, []int{1, 2}) || s.ShownCount(va) != 2 {
		t.Errorf("displayed: %v", got)
	}
	if s.Observe("f", a) != va {
		t.Error("the same text is another version")
	}
	vb := s.Observe("f", b)
	if vb == va || vb.ID == va.ID || s.Latest("f") != vb {
		t.Error("another text is the same version")
	}
	if s.Observe("f", a) != va || s.Latest("f") != va || s.ShownCount(va) != 2 {
		t.Error("the text that came back is another version")
	}
	// Terminators make no other version. Blanks do, and so does the presence of
	// the last terminator, since it has another tag; but lines did not change.
	if s.Observe("f", snap("a\r\nb\r\n")) != va {
		t.Error("terminators make another version")
	}
	bare := s.Observe("f", snap("a\nb"))
	if bare == va || !bare.Is(a) || !va.Is(snap("a\nb")) {
		t.Error("the final newline counts as a line, or not as a tag")
	}
	if maps, end := s.Chain("f", va); len(maps) != 1 || end != bare || maps[0].New(2) != 2 {
		t.Error("the final newline ends a chain")
	}
	if blank := snap("a \nb\n"); blank.Tag != a.Tag {
		t.Error("blanks at the end of a line change the tag")
	} else if s.Observe("f", blank) == va {
		t.Error("blanks at the end of a line make no other version")
	}
	if got := s.Find("f", a.Tag); len(got) != 2 || got[1] != va {
		t.Errorf("found %v", got)
	}
	if s.Find("g", a.Tag) != nil || s.Latest("g") != nil {
		t.Error("another path has versions")
	}
	labelled := a
	labelled.Label = "latin1"
	if v := s.Observe("f", labelled); v == va || v.Label != "latin1" {
		t.Error("an encoding that was named is not remembered")
	}
}

func TestAdvance(t *testing.T) {
	s := NewStore(Limits{})
	a := snap("1\n2\n3\n4\n5\n6\n")
	va := s.Observe("f", a)
	s.Show(va, 1, 2, 3, 4, 6)
	// Line 3 is replaced by two: 1 and 2 stay, 4 and 6 move.
	res := ops.Apply(a.Text, []ops.Splice{put(2, 3, "x", "y")}, ops.KeepFinal)
	b := SnapOf(res.Text, res.Text.Body(), "")
	vb := s.Advance("f", a, b, res.Map, []Range{{4, 4}})
	if got := shown(s, vb); !slices.Equal(got, []int{1, 2, 4}) {
		t.Errorf("displayed after the edit: %v", got)
	}
	if got := shown(s, va); !slices.Equal(got, []int{1, 2, 3, 4, 6}) {
		t.Errorf("the older version now has %v", got)
	}
	maps, end := s.Chain("f", va)
	if len(maps) != 1 || end != vb || maps[0].New(6) != 7 || maps[0].New(3) != 0 {
		t.Errorf("chain %v %v", maps, end)
	}
	// Where line 6 as printed under the older tag went, and line 3.
	if tag, now, ok := s.Origin("f", vb, 6); !ok || tag != a.Tag || now != 7 {
		t.Errorf("line 6: %s %d %v", tag, now, ok)
	}
	if tag, now, ok := s.Origin("f", vb, 3); !ok || tag != a.Tag || now != 0 {
		t.Errorf("line 3: %s %d %v", tag, now, ok)
	}
	if _, _, ok := s.Origin("f", vb, 5); ok {
		t.Error("line 5 was never displayed and has an origin")
	}
	if _, _, ok := s.Origin("f", va, 6); ok {
		t.Error("the first version has an origin")
	}
	if _, _, ok := s.Origin("g", vb, 6); ok {
		t.Error("another path has an origin")
	}
}

func TestChain(t *testing.T) {
	s := NewStore(Limits{})
	a := snap("1\n2\n3\n")
	va := s.Observe("f", a)
	b, vb := edit(s, "f", a, put(0, 0, "x"))
	c, vc := edit(s, "f", b, put(2, 3))
	lines := func(v *Version) []int {
		maps, _ := s.Chain("f", v)
		var out []int
		for n := 1; n <= v.Lines; n++ {
			at := n
			for _, m := range maps {
				at = m.New(at)
			}
			out = append(out, at)
		}
		return out
	}
	if got := lines(va); !slices.Equal(got, []int{2, 0, 3}) {
		t.Errorf("from the first: %v", got)
	}
	if got := lines(vb); !slices.Equal(got, []int{1, 2, 0, 3}) {
		t.Errorf("from the second: %v", got)
	}
	// An undo is an edit like any other, and carrying starts where the file
	// last was the version: line 2, which the edits cut, is there again.
	res := ops.Apply(c.Text, []ops.Splice{put(0, 3, "1", "2", "3")}, ops.KeepFinal)
	if v := s.Advance("f", c, a, ops.MapOf(3, 3, []ops.Hunk{{OldStart: 0, OldEnd: 1}, {OldStart: 2, OldEnd: 2, NewStart: 1, NewEnd: 2}}), none); v != va || res.Text.Len() != 3 {
		t.Fatal("the text that came back is another version")
	}
	if maps, end := s.Chain("f", va); len(maps) != 0 || end != va {
		t.Errorf("the live version has %d maps", len(maps))
	}
	if got := lines(vc); !slices.Equal(got, []int{0, 1, 3}) {
		t.Errorf("from the third, through the undo: %v", got)
	}
	// Someone else's change ends the chain.
	s.Observe("f", snap("1\n2\n3\n4\n"))
	if maps, end := s.Chain("f", vc); len(maps) != 1 || end != va {
		t.Errorf("a chain leads through someone else's change: %d maps", len(maps))
	}
	if maps, end := s.Chain("f", &Version{}); maps != nil || end == nil {
		t.Error("an unknown version has a chain")
	}
	if maps, end := s.Chain("g", va); maps != nil || end != va {
		t.Error("another path has a chain")
	}
	// Terminators alone are no change of lines.
	w := s.Observe("f", snap("1\r\n2\r\n3\r\n4\r\n"))
	if w != s.Latest("f") {
		t.Error("terminators make another version")
	}
}

// TestCarryForwardIsRereading: through any run of edits, the composed maps lead
// a line to where reading the file again finds it.
func TestCarryForwardIsRereading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewStore(Limits{})
		fresh := 0
		line := func() string { fresh++; return fmt.Sprintf("line %d", fresh) }
		var first strings.Builder
		for range rapid.IntRange(0, 12).Draw(t, "lines") {
			first.WriteString(line() + rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol"))
		}
		if rapid.Bool().Draw(t, "unterminated") {
			first.WriteString(line())
		}
		live := snap(first.String())
		versions := []*Version{s.Observe("f", live)}
		for range rapid.IntRange(0, 6).Draw(t, "edits") {
			var splices []ops.Splice
			at, n := 0, live.Text.Len()
			for range rapid.IntRange(1, 4).Draw(t, "splices") {
				sp := ops.Splice{Start: rapid.IntRange(at, n).Draw(t, "start")}
				sp.End = rapid.IntRange(sp.Start, n).Draw(t, "end")
				for range rapid.IntRange(0, 2).Draw(t, "rows") {
					sp.Rows = append(sp.Rows, line())
				}
				at = sp.End
				splices = append(splices, sp)
			}
			var v *Version
			live, v = edit(s, "f", live, splices...)
			versions = append(versions, v)
		}
		where := map[string]int{}
		for n := 1; n <= live.Text.Len(); n++ {
			where[string(live.Text.Line(n))] = n
		}
		for _, v := range versions {
			maps, end := s.Chain("f", v)
			if !end.Is(live) {
				t.Fatalf("the chain does not end at the live text")
			}
			for n := 1; n <= v.Lines; n++ {
				at := n
				for _, m := range maps {
					at = m.New(at)
				}
				if want := where[string(v.Text().Line(n))]; at != want {
					t.Fatalf("line %d %q is at %d, carried to %d", n, v.Text().Line(n), want, at)
				}
			}
		}
	})
}

func TestPathsBound(t *testing.T) {
	s := NewStore(Limits{Paths: 2})
	tag := snap("x\n").Tag
	va := s.Observe("a", snap("x\n"))
	s.Observe("b", snap("x\n"))
	s.Find("a", tag) // a use
	s.Observe("c", snap("x\n"))
	if s.Find("b", tag) != nil || len(s.Find("a", tag)) != 1 || len(s.Find("c", tag)) != 1 {
		t.Error("not the least recently used path went")
	}
	s.Observe("d", snap("x\n"))
	if va.Text() != nil {
		t.Error("the text of a path that went is still kept")
	}
	if s.bytes != 2*va.sizeForTest("x\n") {
		t.Errorf("%d bytes are accounted for", s.bytes)
	}
}

func (v *Version) sizeForTest(s string) int64 {
	x := snap(s)
	k := kept{x.Text, x.Raw}
	return k.size()
}

func TestSizeCountsWhatIsNotShared(t *testing.T) {
	raw := []byte("\xff\xfe\x2d\x4e\x2d\x4e") // as long as its text
	x, err := text.Decode(raw, "")
	if err != nil {
		t.Fatal(err)
	}
	if k := (kept{x, raw}); k.size() != 6+6+4 {
		t.Errorf("%d bytes", k.size())
	}
	plain := snap("abc\n")
	if k := (kept{plain.Text, plain.Raw}); k.size() != 4+4 {
		t.Errorf("%d bytes", k.size())
	}
}

func TestVersionsBound(t *testing.T) {
	s := NewStore(Limits{Versions: 3})
	var versions []*Version
	for i := range 5 {
		versions = append(versions, s.Observe("f", snap(fmt.Sprintf("%d\n", i))))
	}
	for i, v := range versions {
		kept := len(s.Find("f", v.Tag)) == 1
		if kept != (i >= 2) || kept != (v.Text() != nil) {
			t.Errorf("version %d: kept is %v, text %v", i, kept, v.Text() != nil)
		}
	}
	// A version that keeps coming back is one version, and the log is bounded too.
	for range 100 {
		s.Observe("f", snap("3\n"))
		s.Observe("f", snap("4\n"))
	}
	if len(s.Find("f", versions[4].Tag)) != 1 || s.Latest("f") != versions[4] {
		t.Error("a version that came back is lost")
	}
	h, _ := s.paths.Peek("f")
	if len(h.log) > 3*s.lim.LogPerEntry {
		t.Errorf("the log has %d entries", len(h.log))
	}
	if s.Find("f", versions[2].Tag) != nil {
		t.Error("the log of two versions keeps a third for ever")
	}
}

func TestTextBound(t *testing.T) {
	one := (&Version{}).sizeForTest("0123456789\n")
	s := NewStore(Limits{TextBytes: 2 * one})
	a, b, c := snap("0123456789\n"), snap("0123456788\n"), snap("0123456787\n")
	va := s.Observe("f", a)
	s.Show(va, 1)
	vb := s.Observe("f", b)
	s.Find("f", a.Tag) // a use
	vc := s.Observe("f", c)
	if va.Text() == nil || vb.Text() != nil || vc.Text() == nil || vb.Raw() != nil || string(va.Raw()) != "0123456789\n" {
		t.Error("not the least recently used text went")
	}
	if s.bytes != 2*one {
		t.Errorf("%d bytes kept, the bound is %d", s.bytes, 2*one)
	}
	// What else is known of it stays, and the text may come back.
	if got := s.Find("f", b.Tag); len(got) != 1 || got[0] != vb || vb.Revision != b.Revision || vb.Lines != 1 {
		t.Error("the version went with its text")
	}
	if !vb.Is(b) || vb.Is(a) || vb.Is(snap("0123456788\r\n")) {
		t.Error("a version without its text is compared by revision")
	}
	if s.Observe("f", b) != vb || vb.Text() == nil || va.Text() != nil {
		t.Error("the text that came back is not kept")
	}
	// One text over the bound is still kept: the live one is always needed.
	s = NewStore(Limits{TextBytes: 1})
	if v := s.Observe("f", a); v.Text() == nil {
		t.Error("the only text went")
	}
}

// TestCarryingWithoutTexts: maps and displayed lines stay when texts go.
func TestCarryingWithoutTexts(t *testing.T) {
	s := NewStore(Limits{TextBytes: 1})
	a := snap("1\n2\n3\n")
	va := s.Observe("f", a)
	s.Show(va, 3)
	b, vb := edit(s, "f", a, put(0, 0, "x"))
	_, vc := edit(s, "f", b, put(0, 0, "y"))
	if va.Text() != nil || vb.Text() != nil || vc.Text() == nil {
		t.Fatal("the bound did not bite")
	}
	maps, end := s.Chain("f", va)
	if len(maps) != 2 || end != vc || maps[1].New(maps[0].New(3)) != 5 || !s.Shown(va, 3) {
		t.Error("carrying was lost with the texts")
	}
}

func TestFileBound(t *testing.T) {
	s := NewStore(Limits{FileBytes: 4})
	v := s.Observe("f", snap("12345\n"))
	s.Show(v, 1)
	if v.Text() != nil || !s.Shown(v, 1) || v.Tag != snap("12345\n").Tag || s.bytes != 0 {
		t.Error("a file over the bound is retained, or not known")
	}
	if s.Observe("f", snap("12345\n")) != v {
		t.Error("a file over the bound is another version each time")
	}
	if w := s.Observe("f", snap("123\n")); w.Text() == nil {
		t.Error("a file at the bound is not retained")
	}
}

func TestDefaultBounds(t *testing.T) {
	if got, want := (Limits{}).filled(), (Limits{256, 64, 64 << 20, 8 << 20, 4}); got != want {
		t.Errorf("%+v", got)
	}
}

func TestMint(t *testing.T) {
	s := NewStore(Limits{Versions: 2})
	a := snap("a\n")
	va := s.Observe("f", a)
	s.Show(va, 1)
	if s.Mint("f", a) != va {
		t.Error("minting a version that is in the log makes another")
	}
	var minted []*Version
	for i := range 4 {
		minted = append(minted, s.Mint("f", snap(fmt.Sprintf("%d\n", i))))
	}
	if len(s.Find("f", a.Tag)) != 1 || va.Text() == nil || s.Latest("f") != va {
		t.Error("minting pushed out a displayed version")
	}
	for i, v := range minted {
		if kept := len(s.Find("f", v.Tag)) == 1; kept != (i >= 2) || kept != (v.Text() != nil) {
			t.Errorf("minted version %d: kept is %v", i, kept)
		}
	}
	// Lines revealed of a minted version keep it; the others go first.
	s.Show(minted[2], 1)
	v := s.Mint("f", snap("4\n"))
	if len(s.Find("f", minted[2].Tag)) != 1 || s.Find("f", minted[3].Tag) != nil || len(s.Find("f", v.Tag)) != 1 {
		t.Error("a displayed version went before one of which nothing was displayed")
	}
	// The version just minted is there whatever was displayed of the others.
	s.Show(v, 1)
	if v = s.Mint("f", snap("5\n")); len(s.Find("f", v.Tag)) != 1 {
		t.Error("a version that was just minted is not there")
	}
	// Observing takes it into the log.
	if s.Observe("f", snap("5\n")) != v || s.Latest("f") != v {
		t.Error("observing a minted text makes another version")
	}
}

func TestMove(t *testing.T) {
	s := NewStore(Limits{})
	a := snap("1\n2\n")
	va := s.Observe("a", a)
	s.Show(va, 2)
	_, vb := edit(s, "a", a, put(0, 0, "x"))
	old := s.Observe("b", snap("old\n"))
	m := s.Mint("a", snap("m\n"))
	s.Move("a", "b")
	if s.Find("a", va.Tag) != nil || s.Latest("a") != nil {
		t.Error("the old path still has versions")
	}
	if got := s.Find("b", va.Tag); len(got) != 1 || got[0] != va || !s.Shown(va, 2) || va.Text() == nil {
		t.Error("versions, displayed lines or texts did not move along")
	}
	if maps, end := s.Chain("b", va); len(maps) != 1 || end != vb {
		t.Error("line maps did not move along")
	}
	if len(s.Find("b", m.Tag)) != 1 {
		t.Error("minted versions did not move along")
	}
	if s.Find("b", old.Tag) != nil || old.Text() != nil {
		t.Error("what was known of the destination is still there")
	}
	s.Move("b", "b")
	s.Move("nowhere", "b")
	if s.Latest("b") != vb {
		t.Error("a move to itself, or of nothing, lost the history")
	}
}

func TestFindByBase(t *testing.T) {
	s := NewStore(Limits{})
	x := snap("x\n")
	s.Observe("src/a.go", x)
	s.Observe("lib/a.go", x)
	s.Observe("src/b.go", x)
	s.Observe("src/aa.go", x)
	var keys []string
	for _, c := range s.FindByBase("a.go", x.Tag) {
		keys = append(keys, c.Key)
		if !c.Version.Is(x) {
			t.Error("another version")
		}
	}
	if slices.Sort(keys); !slices.Equal(keys, []string{"lib/a.go", "src/a.go"}) {
		t.Errorf("%v", keys)
	}
	if s.FindByBase("a.go", "0000") != nil {
		t.Error("found under another tag")
	}
}

// TestManyGoroutines is for the race detector, and checks that nothing is lost
// that the bounds do not take.
func TestManyGoroutines(t *testing.T) {
	s := NewStore(Limits{TextBytes: 400, Versions: 8})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			key := fmt.Sprintf("dir/f%d", g%4)
			live := snap(fmt.Sprintf("%d\n2\n3\n", g))
			for i := range 60 {
				v := s.Observe(key, live)
				s.Show(v, 1, 3)
				s.Shown(v, 1)
				s.ShownCount(v)
				s.Mint(key, snap(fmt.Sprintf("m%d\n", i%3)))
				live, v = edit(s, key, live, put(1, 1, fmt.Sprintf("row %d", i)))
				s.Chain(key, v)
				s.Origin(key, v, 3)
				v.Is(live)
				for _, f := range s.Find(key, live.Tag) {
					if x := f.Text(); x != nil && x.Len() != f.Lines {
						t.Error("a version has another text")
					}
				}
				s.FindByBase("f1", live.Tag)
				if i%20 == 19 {
					s.Move(key, key+"x")
					s.Move(key+"x", key)
				}
			}
		}()
	}
	wg.Wait()
	if s.bytes < 0 || s.bytes > 400 && s.texts.Len() > 1 {
		t.Errorf("%d bytes in %d texts", s.bytes, s.texts.Len())
	}
	var sum int64
	for _, v := range s.texts.Keys() {
		n, _ := s.texts.Peek(v)
		sum += n
	}
	for _, v := range s.spare.Keys() {
		n, _ := s.spare.Peek(v)
		sum += n
	}
	if sum != s.bytes {
		t.Errorf("%d bytes are kept, %d accounted for", sum, s.bytes)
	}
}

// TestListingForgetsNothingDisplayed: whatever a search lists, files of which
// something was displayed keep their versions and their texts.
func TestListingForgetsNothingDisplayed(t *testing.T) {
	s := NewStore(Limits{Paths: 2, TextBytes: 150})
	read := s.Observe("read", snap("read\nread\n"))
	s.Show(read, 1)
	for i := range 50 {
		s.Mint(fmt.Sprintf("listed%d", i), snap(strings.Repeat("x", 20+i)+"\n"))
	}
	if got := s.Find("read", read.Tag); len(got) != 1 || got[0] != read || read.Text() == nil {
		t.Errorf("%v, text %v", got, read.Text())
	}
	if s.bytes > 150 {
		t.Errorf("%d bytes", s.bytes)
	}
	// The latest listed ones are known, and one that is read joins the others.
	late := snap(strings.Repeat("x", 69) + "\n")
	if len(s.Find("listed47", late.Tag)) != 0 || len(s.Find("listed49", late.Tag)) != 1 {
		t.Error("the bound of listed paths")
	}
	v := s.Observe("listed49", late)
	s.Mint("more", snap("1\n"))
	s.Mint("more2", snap("2\n"))
	s.Mint("more3", snap("3\n"))
	if got := s.Find("listed49", late.Tag); len(got) != 1 || got[0] != v || v.Text() == nil {
		t.Errorf("a listed file that was read: %v", got)
	}
	// A state keeps the two kinds apart.
	st, texts := s.State()
	again := NewStore(Limits{Paths: 2})
	if err := again.Restore(st, func(r text.Revision) ([]byte, error) { return texts[r], nil }); err != nil {
		t.Fatal(err)
	}
	if len(again.Find("read", read.Tag)) != 1 || len(again.Find("listed49", late.Tag)) != 1 || len(again.Find("more3", snap("3\n").Tag)) != 1 {
		t.Error("restored")
	}
}
