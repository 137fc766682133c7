package main

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"putcut/blocks"
)

// smallPairs are the pairs in testdata: three changes of a file in each of
// twelve languages.
func smallPairs(t *testing.T) []pair {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var out []pair
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(filepath.Base(name), ".txtar")
		for i := 0; i+1 < len(a.Files); i += 2 {
			old, now := a.Files[i].Data, a.Files[i+1].Data
			if why := leftOut(old, now); why != "" {
				t.Fatalf("%s: %s", name, why)
			}
			out = append(out, pair{Name: base + "/" + a.Files[i].Name, Path: base, Language: languageOf(base, now), Old: old, New: now})
		}
	}
	return out
}

func smallBench(t *testing.T) *bench {
	t.Helper()
	engine := blocks.New(blocks.Options{})
	b, err := newBench(t.TempDir(), engine)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.ws.Close(); engine.Close() })
	return b
}

// Correct scripts are applied byte for byte, without a warning.
func TestCorrectScripts(t *testing.T) {
	b, total, files := smallBench(t), newTally(), 0
	for _, p := range smallPairs(t) {
		if err := total.replayCorrect(b, p); err != nil {
			t.Fatal(err)
		}
		files++
	}
	if files < 36 || len(total.languages) < 12 {
		t.Errorf("%d pairs in %d languages; 36 in 12 were checked in", files, len(total.languages))
	}
	for name, c := range total.languages {
		if c.exact != c.scripts || c.alarmed > 0 || c.broken > 0 {
			t.Errorf("%s: %d of %d scripts byte-exact, %d warned, %d do not parse: %v", name, c.exact, c.scripts, c.alarmed, c.broken, c.codes)
		}
	}
}

// printedHere are the mistakes in these pairs that no warning names: the result
// only prints what is there now.
var printedHere = map[string]int{
	"body repeats the line(s) below":   1,
	"range one line too long":          1,
	"range starts one line early":      1,
	"range one line short":             11,
	"range off by one":                 5,
	"old number under a new tag":       1,
	"closing row left out of the body": 1,
}

// mangledHere are those that a repair made into something else.
var mangledHere = map[string]int{"range off by one": 1}

// Mistakes are never silent, and hardly ever only printed. The bounds are what
// the engine reaches on these pairs, so that a change of the rules is seen.
func TestPlantedMistakes(t *testing.T) {
	b, total := smallBench(t), newTally()
	for _, p := range smallPairs(t) {
		if err := total.replayMistakes(b, p, 1); err != nil {
			t.Fatal(err)
		}
	}
	for i, m := range mistakes {
		c := total.mistakes[i]
		n := 0
		for _, by := range c.by {
			n += by
		}
		t.Logf("%-40s %3d tried, %3d right, %3d refused, %3d warned, %3d listed, %3d printed, %3d silent, %d repaired into something else",
			m.name, n, c.by[right], c.by[refused], c.by[warned], c.by[listed], c.by[printed], c.by[silent], c.mangled)
		if c.unprinted > 0 {
			t.Errorf("%s: %d accepted for lines that were not printed under their tag", m.name, c.unprinted)
		}
		if n == 0 {
			t.Errorf("%s was planted nowhere", m.name)
		}
		if c.by[silent] > 0 {
			t.Errorf("%s: %d silently wrong", m.name, c.by[silent])
		}
		if most := printedHere[m.name]; c.by[printed] > most {
			t.Errorf("%s: %d named by no warning, want at most %d", m.name, c.by[printed], most)
		}
		if most := mangledHere[m.name]; c.mangled > most {
			t.Errorf("%s: %d repaired into something else than was meant, want at most %d", m.name, c.mangled, most)
		}
	}
}

func TestScripts(t *testing.T) {
	old := strings.Fields("a b c d e f g h")
	now := strings.Fields("A b c d e F f h x")
	small := minimal(old, now)
	if got, want := script(small), "PUT 1.=1:\n+A\nPUT >5:\n+F\nCUT 7.=7\nPUT >8:\n+x\n"; got != want {
		t.Errorf("minimal script:\n%swant:\n%s", got, want)
	}
	if got, want := script(joined(old, small, 3)), "PUT 1.=1:\n+A\nPUT 6.=8:\n+F\n+f\n+h\n+x\n"; got != want {
		t.Errorf("joined script:\n%swant:\n%s", got, want)
	}
	for _, list := range [][]change{small, joined(old, small, 3), joined(old, small, 9)} {
		if got := strings.Join(apply(old, list), " "); got != strings.Join(now, " ") {
			t.Errorf("got %s", got)
		}
	}
}
