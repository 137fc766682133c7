//go:build soak

package dialects

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"putcut/ops"
	"putcut/text"
)

// TestSizes writes the changes of up to 1,000 files between two source trees
// in every format, lowers each back to the same text, and prints how much a
// model would have to write. Names and revisions count; what the formats let a
// model leave out is left out: context grows only until the place is unique.
//
//	PUTCUT_OLD_TREE=… PUTCUT_NEW_TREE=… go test -tags soak -run TestSizes -v ./dialects
func TestSizes(t *testing.T) {
	before, now := os.Getenv("PUTCUT_OLD_TREE"), os.Getenv("PUTCUT_NEW_TREE")
	if before == "" || now == "" {
		t.Skip("PUTCUT_OLD_TREE and PUTCUT_NEW_TREE are not set")
	}
	// Several pairs of trees are lists, like PATH.
	old, fresh := tree{}, tree{}
	news := filepath.SplitList(now)
	for i, dir := range filepath.SplitList(before) {
		for name, s := range readTree(t, dir) {
			old[fmt.Sprintf("%d/%s", i, name)] = s
		}
		for name, s := range readTree(t, news[i]) {
			fresh[fmt.Sprintf("%d/%s", i, name)] = s
		}
	}
	var names []string
	for name, s := range old {
		x, err := text.Decode([]byte(s), "")
		if w, ok := fresh[name]; ok && w != s && err == nil && x.Valid() && !strings.Contains(s+w, "\r") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	sizes, tokens, refused := map[Format]int{}, map[Format]int{}, map[Format]int{}
	count := func(f Format, s string) {
		sizes[f] += len(s)
		tokens[f] += roughTokens(s)
	}
	const script = Format("PUT/CUT script")
	changes := 0
	for _, name := range names {
		if changes == 1000 {
			break
		}
		src := MapSource{name: []byte(old[name])}
		b, err := Lower(src, []Input{{Format: WholeFile, Path: name, Text: fresh[name]}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := b.Files[0]
		if len(f.Unsayable) > 0 {
			continue
		}
		said := map[Format]string{script: f.Script(), WholeFile: fresh[name]}
		diff, _ := b.Diff()
		said[UnifiedDiff] = diff
		var sr, ap strings.Builder
		var pairs []string
		fmt.Fprintf(&sr, "%s\n", name)
		for _, g := range unique(f, 0) {
			o, n := g.texts(f)
			if o == "" {
				continue
			}
			sr.WriteString("<<<<<<< SEARCH\n" + o + "=======\n" + n + ">>>>>>> REPLACE\n")
			pairs = append(pairs, o, n)
		}
		fmt.Fprintf(&ap, "*** Begin Patch\n*** Update File: %s\n", name)
		for _, g := range unique(f, 3) {
			ap.WriteString("@@\n" + g.rows(f))
		}
		ap.WriteString("*** End Patch\n")
		said[SearchReplace], said[ApplyPatch] = sr.String(), ap.String()
		said[Replacements] = strings.Replace(set(old[name], pairs...), `"path":"f"`, `"path":"`+name+`"`, 1)
		changes++
		for format, s := range said {
			count(format, s)
			in := Input{Format: format, Text: s}
			switch format {
			case script:
				continue
			case WholeFile:
				in.Path = name
			}
			got, err := Lower(src, []Input{in}, Options{Exact: true})
			if err != nil {
				refused[format]++
				t.Logf("%s: %s: %v", name, format, err)
				continue
			}
			if !bytes.Equal(got.Files[0].New.Body(), f.New.Body()) {
				t.Errorf("%s: %s makes another text", name, format)
			}
		}
	}
	t.Logf("%d changed files", changes)
	for _, f := range []Format{script, UnifiedDiff, ApplyPatch, SearchReplace, Replacements, WholeFile} {
		t.Logf("| %-15s | %9d | %9d | %.2f | %d refused |", f, sizes[f], tokens[f], float64(tokens[f])/float64(tokens[script]), refused[f])
	}
}

// roughTokens counts words of up to 8 letters, digits by threes, runs of
// blanks, and every other character, which is near what byte-pair encoders do.
func roughTokens(s string) int {
	n := 0
	for i := 0; i < len(s); n++ {
		kind := func(c byte) int {
			switch {
			case c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80:
				return 8
			case c >= '0' && c <= '9':
				return 3
			case c == ' ' || c == '\t':
				return 16
			}
			return 1
		}
		most := kind(s[i])
		j := i + 1
		for j < len(s) && j-i < most && kind(s[j]) == most {
			j++
		}
		// A blank before a word is part of the word.
		if s[i] == ' ' && j == i+1 && j < len(s) && kind(s[j]) == 8 {
			n--
		}
		i = j
	}
	return n
}

// A group is neighbouring hunks with the lines around them that make them unique.
type group struct {
	lo, hi int // gaps of the old text
	hunks  []ops.Hunk
}

func (g group) texts(f *File) (old, now string) {
	first, last := g.hunks[0], g.hunks[len(g.hunks)-1]
	a, b := first.NewStart-(first.OldStart-g.lo), last.NewEnd+(g.hi-last.OldEnd)
	return lined(f.Old, g.lo, g.hi), lined(f.New, a, b)
}

func lined(t *text.Text, from, to int) string {
	var b strings.Builder
	for n := from + 1; n <= to; n++ {
		b.Write(t.Line(n))
		b.WriteByte('\n')
	}
	s := b.String()
	if to == t.Len() && !t.FinalNewline() {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

func (g group) rows(f *File) string {
	var b strings.Builder
	put := func(mark string, t *text.Text, from, to int) {
		for n := from + 1; n <= to; n++ {
			b.WriteString(mark + string(t.Line(n)) + "\n")
		}
	}
	at := g.lo
	for _, h := range g.hunks {
		put(" ", f.Old, at, h.OldStart)
		put("-", f.Old, h.OldStart, h.OldEnd)
		put("+", f.New, h.NewStart, h.NewEnd)
		at = h.OldEnd
	}
	put(" ", f.Old, at, g.hi)
	return b.String()
}

// unique groups the hunks of a file and widens each group by lines around it,
// at least least of them, until its old lines occur once.
func unique(f *File, least int) []group {
	w := &work{old: f.Old}
	var out []group
	for _, h := range f.Map.Hunks() {
		out = append(out, group{h.OldStart, h.OldEnd, []ops.Hunk{h}})
	}
	for i := range out {
		out[i].lo, out[i].hi = max(0, out[i].lo-least), min(f.Old.Len(), out[i].hi+least)
	}
	for i := 0; i < len(out); {
		if i+1 < len(out) && out[i].hi > out[i+1].lo {
			out[i].hi = max(out[i].hi, out[i+1].hi)
			out[i].hunks = append(out[i].hunks, out[i+1].hunks...)
			out = slices.Delete(out, i+1, i+2)
			continue
		}
		g := &out[i]
		if i > 0 && g.lo < out[i-1].hi {
			i--
			continue
		}
		var rows []string
		for n := g.lo + 1; n <= g.hi; n++ {
			rows = append(rows, string(f.Old.Line(n)))
		}
		if (g.lo > 0 || g.hi < f.Old.Len()) && !(len(rows) > 0 && once(w, rows, lined(f.Old, g.lo, g.hi))) {
			g.lo, g.hi = max(0, g.lo-1), min(f.Old.Len(), g.hi+1)
			continue
		}
		i++
	}
	return out
}

func once(w *work, rows []string, s string) bool {
	_, n := occurrences(w.old.Body(), s, 2)
	return n == 1 && len(w.locator().find(rows)) == 1
}
