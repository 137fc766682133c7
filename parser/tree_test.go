package parser

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sameTree: the reader accepts what the grammar accepts, with the same tree.
func sameTree(t interface {
	Fatalf(string, ...any)
	Helper()
}, src string) {
	t.Helper()
	for _, bare := range []bool{false, true} {
		tokens, err := tokensOf(newScanner(src, 0, Limits{}.orDefaults(), bare))
		if err != nil {
			continue
		}
		got := readTree(tokens[:len(tokens)-1])
		want, err := parseTree(tokens)
		if err != nil {
			want = nil
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%q: the grammar says %v: %s", src, err, d)
		}
	}
}

func TestTreeIsTheGrammars(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range strings.Split(string(page), "\n") {
		if cells := strings.Split(row, " | "); len(cells) > 2 {
			if s, err := strconv.Unquote(strings.Trim(cells[2], "`")); err == nil {
				sameTree(t, s)
			}
		}
	}
	part := rapid.SampledFrom([]string{"3", "14", ".=", "..", "-", "*", "<", ">", "$", "@r", ":", "x", "@", "a b"})
	op := rapid.Custom(func(t *rapid.T) string {
		verb := rapid.SampledFrom([]string{"PUT", "CUT", "REM", "MV", "put", "cut", "rem", "mv"}).Draw(t, "verb")
		return verb + " " + strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "parts"), " ")
	})
	rows := rapid.SliceOfN(rapid.OneOf(wildRow, op, op), 0, 12)
	rapid.Check(t, func(t *rapid.T) { sameTree(t, strings.Join(rows.Draw(t, "rows"), "\n")) })
}

func FuzzTree(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src string) { sameTree(t, src) })
}
