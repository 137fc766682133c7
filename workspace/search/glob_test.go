package search

import (
	"errors"
	"strings"
	"testing"
	"time"

	"putcut/refusal"
)

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		glob      string
		yes, no   string // files below the start folder, separated by blanks
		into, not string // folders that are, or are not, gone into
	}{
		{glob: "", yes: "a.md x/y"},
		{glob: "*.md", yes: "a.md x/b.md x/y/.md", no: "a.mdx x.md/c", into: "x x/y"},
		{glob: "src/*.go", yes: "src/a.go", no: "a.go src/x/a.go x/src/a.go", into: "src", not: "x source"},
		{glob: "src/**/*.go", yes: "src/a.go src/x/y/a.go", no: "a.go src/a.md", into: "src src/x", not: "x"},
		{glob: "/a.go", yes: "a.go", no: "x/a.go"},
		{glob: "./a.go", yes: "a.go", no: "x/a.go"},
		{glob: "**/a.go", yes: "a.go x/y/a.go", no: "x/ba.go", into: "x"},
		{glob: "*.{go,md}", yes: "a.go x/a.md", no: "a.txt"},
		{glob: "*.go,*.md", yes: "a.go x/a.md", no: "a.txt"},
		{glob: "{src/*.go,*.md}", yes: "src/a.go x/a.md", no: "a.go", into: "x src"},
		{glob: "{a,b{c,d}}.go", yes: "a.go bc.go bd.go", no: "b.go"},
		{glob: "!*.md", yes: "a.go x/b.go", no: "a.md x/a.md", into: "x"},
		{glob: "*.go,!*_test.go", yes: "a.go", no: "a_test.go x/a_test.go a.md"},
		{glob: "!*_test.go, *.go", yes: "a.go", no: "a_test.go a.md"},
		{glob: "!vendor", yes: "a", no: "x/vendor", into: "x", not: "vendor x/vendor"},
		{glob: "!vendor/**", yes: "a x/vendor/a", no: "vendor/a", into: "x x/vendor", not: "vendor"},
		{glob: "src/", yes: "src/a x/src/y/b", no: "a x/srcs/a"},
		{glob: "a/src/", yes: "a/src/x", no: "x/a/src/x src/x"},
		{glob: `a\,b`, yes: "a,b x/a,b", no: "a b"},
		{glob: `[,]`, yes: ",", no: "a"},
		{glob: `\!a`, yes: "!a", no: "a b"},
		{glob: `\{a`, yes: "{a", no: "a"},
		{glob: "[a-c].go", yes: "b.go", no: "d.go"},
		{glob: "q?.c", yes: "qä.c", no: "q.c"},
		{glob: "..a", yes: "..a", no: "a"},
	} {
		g, err := compileGlob(tt.glob)
		if err != nil {
			t.Errorf("%q: %v", tt.glob, err)
			continue
		}
		for _, c := range []struct {
			list      string
			dir, want bool
		}{{tt.yes, false, true}, {tt.no, false, false}, {tt.into, true, true}, {tt.not, true, false}} {
			for rel := range strings.FieldsSeq(c.list) {
				if got := g.picks(rel, c.dir); got != c.want {
					t.Errorf("%q picks %q (folder %v): %v, want %v", tt.glob, rel, c.dir, got, c.want)
				}
			}
		}
	}
}

func TestBadGlob(t *testing.T) {
	for _, s := range []string{
		"[", "[a", "[]", "{a", "a}", `a\`, "a,,b", ",", "!", "a,", "../a", "a/../b", "a//b", "x/./y", "/", "a\x00",
		strings.Repeat("a", MaxGlob+1), strings.Repeat("{a,b}", 10), "{" + strings.Repeat(",", MaxGlobItems) + "}", strings.Repeat("{a,b}", 800),
	} {
		start := time.Now()
		if _, err := compileGlob(s); !errors.Is(err, refusal.InvalidArgument) {
			t.Errorf("%.40q: %v", s, err)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("%.40q took %v", s, d)
		}
	}
}

// Stars must not multiply.
func TestGlobIsFast(t *testing.T) {
	name := strings.Repeat("a", 255)
	path := strings.Repeat("a/", 1000) + name
	start := time.Now()
	for _, s := range []string{strings.Repeat("*a", 100) + "b", strings.Repeat("**/a/", 100) + "b", strings.Repeat("**/*a*/", 100) + "b"} {
		g, err := compileGlob(s)
		if err != nil {
			t.Fatal(err)
		}
		if g.picks(path, false) {
			t.Errorf("%s picks", s)
		}
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
}

func FuzzGlob(f *testing.F) {
	for _, s := range []string{"*.go", "!a/**/{b,c}", `[a-\]]`, "{a,{b,}}", "[!a]*?", "**/x/", `\[`} {
		f.Add(s, "a/b/c.go")
	}
	f.Fuzz(func(t *testing.T, s, rel string) {
		g, err := compileGlob(s)
		if err != nil {
			if !errors.Is(err, refusal.InvalidArgument) {
				t.Fatal(err)
			}
			return
		}
		rel = strings.Trim(rel, "/")
		if rel == "" {
			return
		}
		// What a file is picked for, its folders are gone into.
		if g.picks(rel, false) {
			for i, c := range rel {
				if c == '/' && i > 0 && rel[i-1] != '/' && g != nil && len(g.leave) == 0 && !g.picks(rel[:i], true) {
					t.Fatalf("%q picks %q and does not go into %q", s, rel, rel[:i])
				}
			}
		}
	})
}
