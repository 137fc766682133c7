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
		{"x.h", "", "c"},
		{"x.h", "int class;\nstruct namespace { int template; };\nint using(int);\n", "c"},
		{"x.h", "#ifndef X_H\n#define X_H\n\nclass A : public B {\n};\n#endif\n", "cpp"},
		{"dir/x.H", "class A;\n", "cpp"},
		{"x.h", "class EXPORT A final\n{\n};\n", "cpp"},
		{"x.h", "enum class E : int { a };\n", "cpp"},
		{"x.h", "#import <A/A.h>\n@protocol P <NSObject>\n- (void)a;\n@end\n", ""},
		{"x.h", "namespace a {\n}\n  @interface\tB : NSObject\n@end\n", ""},
		{"x.h", "/**\n@interface A\n@class B\n*/\nint a; // @end\n", "c"},
		{"x.h", "@interfaces\n", "c"},
		{"x.h", "  namespace a::b {\n", "cpp"},
		{"x.h", "namespace\n", "c"},
		{"x.h", "namespace {\r\n", "cpp"},
		{"x.h", "inline namespace v1 {\n", "cpp"},
		{"x.h", "template <typename T> T f();\n", "cpp"},
		{"x.h", "template<>\n", "cpp"},
		{"x.h", "using std::string;\n", "cpp"},
		{"x.h", "using T = int;\n", "cpp"},
		{"x.h", "using namespace std;\n", "cpp"},
		{"x.h", "// class A {\n/* namespace a {\n class B {\n*/ int x;\n", "c"},
		{"x.h", "/* a */ class A {\n", "cpp"},
		{"x.h", "/* a // */ class A { // b\n", "cpp"},
		{"x.h", "#ifdef __cplusplus\nextern \"C\" {\nnamespace a {\n#endif\nint f(void);\n", "c"},
		{"x.h", "#if defined(__cplusplus)\nclass A;\n#else\ntypedef struct A A;\n#endif\n", "c"},
		{"x.h", "#ifndef __cplusplus\ntypedef int bool;\n#else\nclass A;\n#endif\n", "c"},
		{"x.h", "# if !defined(__cplusplus)\n# error no\n# endif\nclass A;\n", "cpp"},
		{"x.h", "#if __cplusplus >= 201103L\n#if X\nclass A;\n#endif\n#endif\nint x;\n", "c"},
		{"x.h", "#ifdef X\n#ifdef __cplusplus\n#endif\nclass A;\n#endif\n", "cpp"},
		{"x.h", "#endif\n#else\nclass A;\n", "cpp"},
		{"x.h", "#if (defined(__cplusplus))\nclass A;\n#endif\n", "c"},
		{"x.h", "#if(__cplusplus > 1)\nclass A;\n#endif\n", "c"},
		{"x.h", "#if X && defined(__cplusplus)\nclass A;\n#endif\n", "c"},
		{"x.h", "#if X && !(defined (__cplusplus))\n#else\nclass A;\n#endif\n", "c"},
		{"x.h", "#ifdef X\nint x;\n#elif defined(__cplusplus)\nclass A;\n#else\nint y;\n#endif\n", "c"},
		{"x.h", "#ifdef X\nint x;\n#elif defined(__cplusplus)\nint z;\n#else\nint y;\n#endif\nclass A;\n", "cpp"},
		{"x.h", "#ifdef __cplusplus\n#elif X\n#else\nclass A;\n#endif\n", "cpp"},
		{"x.h", "#if 0\nclass A;\n#endif\n", "c"},
		{"x.h", "#if 0\n#else\nclass A;\n#endif\n", "cpp"},
		{"x.h", "#define X \\\n  class A { \\\n};\nint x;\n", "c"},
		{"x.h", "#define ALL \"/*\"\nclass A;\n", "cpp"},
		{"x.h", "int q = '\"'; // class\nchar *s = \"\\\"//\"; /*\nclass A;\n*/\n", "c"},
		{"x.h", "@class A;\n@interface B\n@end\n", ""},
		{"x.h", "#define MAKE(x) \\\n  x\nint f(int class);\n", "c"},
		{"x.c", "class A;\n", "c"},
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
