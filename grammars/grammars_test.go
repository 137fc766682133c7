package grammars_test

import (
	"testing"

	"putcut/grammars"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct{ path, first, want string }{
		{"a.go", "", "go"},
		{"dir/A.GO", "", "go"},
		{`dir\a.Py`, "", "python"},
		{"x.d.ts", "", "typescript"},
		{"x.tsx", "", "tsx"},
		{"x.jsx", "", "javascript"},
		{"x.mjs", "", "javascript"},
		{"a/Dockerfile", "", "dockerfile"},
		{"Dockerfile.dev", "", "dockerfile"},
		{"prod.Dockerfile", "", "dockerfile"},
		{"Makefile", "", "make"},
		{"GNUmakefile", "", "make"},
		{"rules.mk", "", "make"},
		{".bashrc", "", "bash"},
		{"tsconfig.json", "", "jsonc"},
		{"tsconfig.build.json", "", "jsonc"},
		{"package.json", "", "json"},
		{"go.mod", "", ""},
		{"Cargo.lock", "", "toml"},
		{"main.tf", "", "hcl"},
		{"pom.xml", "", "xml"},
		{"icon.svg", "", "xml"},
		{"README.MD", "", "markdown"},
		{"run", "#!/bin/sh\n", "bash"},
		{"run", "#!/usr/bin/env -S python3.12 -u\n", "python"},
		{"run", "#!/usr/bin/env FOO=1 node\r\n", "javascript"},
		{"run", "\ufeff#!/usr/bin/ruby\n", "ruby"},
		{"run", "#!\n", ""},
		{"run", "#", ""},
		{"run", "", ""},
		{"run.bak", "#!/bin/sh\n", ""},
		{"a.py.bak", "", ""},
		{"", "", ""},
		{".", "", ""},
		{"notes.xyz", "", ""},
		{"x.vue", "", "vue"},
	} {
		if got := grammars.Detect(c.path, []byte(c.first)); got != c.want {
			t.Errorf("Detect(%q, %q) = %q, want %q", c.path, c.first, got, c.want)
		}
	}
}

// Two languages must not claim one name, and names are matched in lower case.
func TestDetectTables(t *testing.T) {
	seen := map[string]string{}
	for _, name := range grammars.Names() {
		l := grammars.Lookup(name)
		for _, group := range [][]string{l.Extensions, l.Files, l.Interpreters} {
			for _, s := range group {
				for _, r := range s {
					if r >= 'A' && r <= 'Z' {
						t.Errorf("%s: %q has an upper-case letter, so it never matches", name, s)
						break
					}
				}
			}
		}
		for _, s := range append(append([]string{}, l.Extensions...), l.Files...) {
			if other := seen[s]; other != "" && other != name {
				t.Errorf("%q is claimed by %s and %s", s, other, name)
			}
			seen[s] = name
		}
	}
}
