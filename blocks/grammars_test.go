//go:build cgo

package blocks

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"putcut/grammars"
)

// A grammar of a version that the runtime refuses gives no tree at all; a
// module update can bring one in silently.
func TestGrammars(t *testing.T) {
	for _, name := range grammars.Names() {
		l := grammars.Lookup(name)
		if l.InGo() {
			continue
		}
		g := load(l)
		if g == nil {
			t.Errorf("%s: no grammar", name)
			continue
		}
		if v := g.version(); v < 13 || v > 14 {
			t.Errorf("%s: grammar version %d", name, v)
		}
		c := g.parse(context.Background(), nil, nil, &budget{time.Second})
		if c == nil {
			t.Errorf("%s: an empty text does not parse", name)
			continue
		}
		if n, _ := g.flatten(c); len(n) == 0 {
			t.Errorf("%s: no root", name)
		}
		c.close()
	}
}

// A table that names a kind its grammar does not have says nothing, silently.
func TestTableKinds(t *testing.T) {
	for _, name := range grammars.Names() {
		l := grammars.Lookup(name)
		var s *syntax
		if l.InGo() {
			s = goSyntax(l)
		} else {
			s = load(l).syntax
		}
		have := map[string]bool{}
		for _, k := range s.kinds {
			have[k] = true
		}
		check := func(list string, kinds ...string) {
			for _, k := range kinds {
				if !have[k] {
					t.Errorf("%s: %s: no kind %q", name, list, k)
				}
			}
		}
		check("Containers", l.Containers...)
		check("Headers", l.Headers...)
		check("Parts", l.Parts...)
		check("Attached", l.Attached...)
		check("Comments", l.Comments...)
		check("Clauses", l.Clauses...)
		check("Cases", l.Cases...)
		check("Opaque", l.Opaque...)
		check("OneRow", l.OneRow...)
		check("Heredocs", l.Heredocs...)
		check("NoTail", l.NoTail...)
		check("Closers", l.Closers...)
		check("Inside", l.Inside...)
		for _, g := range l.LabelGroups {
			check("LabelGroups", g.Key, g.Value)
		}
		for _, f := range l.Followers {
			check("Followers", append(slices.Clone(f.Value), f.Key)...)
		}
		for _, d := range l.Docs {
			check("Docs", append(append([]string{d.Kind}, d.To...), d.Except...)...)
		}
		for _, d := range l.Decls {
			check("Decls", append([]string{d.Kind}, d.Within...)...)
			if d.Each != "" {
				check("Decls", d.Each)
			}
			for _, path := range strings.Split(d.Name, "|") {
				for _, step := range strings.Split(path, "/") {
					if k, ok := strings.CutPrefix(strings.TrimSuffix(step, "*"), "@"); ok {
						check("Decls", k)
					}
				}
			}
		}
	}
}

// Every language has its fuzz target.
func TestFuzzTargets(t *testing.T) {
	src, err := os.ReadFile("fuzz_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range grammars.Names() {
		if !strings.Contains(string(src), `fuzz(f, "`+name+`")`) {
			t.Errorf("no fuzz target for %s", name)
		}
	}
}
