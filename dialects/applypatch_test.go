package dialects

import (
	"strings"
	"testing"

	"putcut/refusal"
)

func envelope(s string) string { return "*** Begin Patch\n" + s + "*** End Patch\n" }

func TestApplyPatch(t *testing.T) {
	src := MapSource{
		"a.go":    []byte("one\ntwo\nthree\nfour\n"),
		"py.py":   []byte("class A:\n    def f(self):\n        x = 1\n        return x\n\n    def g(\n        self,\n    ):\n        x = 2\n        return x\n"),
		"bare":    []byte("a\nb"),
		"crlf.go": []byte("one\r\ntwo\r\n"),
		"rep":     []byte("x\ny\nx\ny\n"),
	}
	for _, c := range []struct{ name, in, path, want, move string }{
		{"replace", "*** Update File: a.go\n@@\n one\n-two\n+2\n three\n", "a.go", "one\n2\nthree\nfour\n", ""},
		{"no @@", "*** Update File: a.go\n-two\n+2\n", "a.go", "one\n2\nthree\nfour\n", ""},
		{"two chunks", "*** Update File: a.go\n@@\n-one\n+1\n@@\n-four\n+4\n", "a.go", "1\ntwo\nthree\n4\n", ""},
		{"two runs", "*** Update File: a.go\n@@\n-one\n two\n+2.5\n three\n-four\n", "a.go", "two\n2.5\nthree\n", ""},
		{"insert before", "*** Update File: a.go\n@@\n+0\n one\n", "a.go", "0\none\ntwo\nthree\nfour\n", ""},
		{"append alone", "*** Update File: a.go\n@@\n+five\n", "a.go", "one\ntwo\nthree\nfour\nfive\n", ""},
		{"append without a final newline", "*** Update File: bare\n+c\n", "bare", "a\nb\nc", ""},
		{"end of file", "*** Update File: rep\n@@\n x\n-y\n+z\n*** End of File\n", "rep", "x\ny\nx\nz\n", ""},
		{"after the chunk before", "*** Update File: rep\n@@\n-x\n-y\n-x\n+w\n@@\n-y\n+z\n", "rep", "w\nz\n", ""},
		{"anchored", "*** Update File: py.py\n@@ class A:\n@@     def f(self):\n-        return x\n+        return -x\n", "py.py",
			"class A:\n    def f(self):\n        x = 1\n        return -x\n\n    def g(\n        self,\n    ):\n        x = 2\n        return x\n", ""},
		{"anchored, trimmed, past a closer", "*** Update File: py.py\n@@ def g(\n-        return x\n+        return -x\n", "py.py",
			"class A:\n    def f(self):\n        x = 1\n        return x\n\n    def g(\n        self,\n    ):\n        x = 2\n        return -x\n", ""},
		{"move", "*** Update File: a.go\n*** Move to: b.go\n@@\n-one\n+1\n", "a.go", "1\ntwo\nthree\nfour\n", "b.go"},
		{"move alone", "*** Update File: a.go\n*** Move to: b.go\n", "a.go", "one\ntwo\nthree\nfour\n", "b.go"},
		{"add", "*** Add File: n/e.w\n+a\n+\n+b\n", "n/e.w", "a\n\nb\n", ""},
		{"add empty", "*** Add File: n\n", "n", "", ""},
		{"delete", "*** Delete File: a.go\n", "a.go", "<gone>", ""},
		{"empty row is context", "*** Update File: py.py\n@@\n     def g(\n         self,\n     ):\n-        x = 2\n+        x = 3\n", "py.py",
			"class A:\n    def f(self):\n        x = 1\n        return x\n\n    def g(\n        self,\n    ):\n        x = 3\n        return x\n", ""},
		{"empty row between", "*** Update File: py.py\n@@\n         return x\n\n     def g(\n-        self,\n", "py.py",
			"class A:\n    def f(self):\n        x = 1\n        return x\n\n    def g(\n    ):\n        x = 2\n        return x\n", ""},
		{"crlf file", "*** Update File: crlf.go\n@@\n-two\n+2\n+3\n", "crlf.go", "one\r\n2\r\n3\r\n", ""},
		{"shifted", "*** Update File: py.py\n@@\n def f(self):\n-    x = 1\n+    x = 5\n+\n     return x\n", "py.py",
			"class A:\n    def f(self):\n        x = 5\n\n        return x\n\n    def g(\n        self,\n    ):\n        x = 2\n        return x\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, in := range []string{envelope(c.in), "```\n" + envelope(c.in) + "```\n", "apply_patch <<'EOF'\n" + envelope(c.in) + "EOF\n", strings.ReplaceAll(envelope(c.in), "\n", "\r\n")} {
				f, err := lowerOne(t, src, ApplyPatch, in, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if f.Path != c.path || after(f) != c.want || f.MoveTo != c.move {
					t.Errorf("%s: %q, want %q", f.Path, after(f), c.want)
				}
				if len(f.Unsayable) > 0 && c.name != "add empty" {
					t.Errorf("unsayable: %q", f.Unsayable)
				}
			}
		})
	}
	for _, c := range []struct {
		name, in string
		code     refusal.Code
		parts    []string
	}{
		{"no begin", "*** Update File: a.go\n-one\n", refusal.ParseFailed, []string{"`*** Begin Patch` is missing"}},
		{"empty", "", refusal.ParseFailed, []string{"script row 1"}},
		{"no end", "*** Begin Patch\n*** Update File: a.go\n-one\n", refusal.ParseFailed, []string{"`*** End Patch` is missing"}},
		{"text after the end", envelope("*** Delete File: a.go\n") + "x\n", refusal.ParseFailed, []string{"script row 4"}},
		{"no file", envelope(""), refusal.ParseFailed, []string{"names no file"}},
		{"abort", "*** Begin Patch\n*** Abort\n", refusal.ParseFailed, []string{"aborted"}},
		{"odd header", envelope("*** Change File: a.go\n"), refusal.ParseFailed, []string{"is no file header"}},
		{"odd row", envelope("*** Update File: a.go\nfoo\n"), refusal.ParseFailed, []string{"script row 3", "`foo` starts with neither"}},
		{"row without +", envelope("*** Add File: n\nfoo\n"), refusal.ParseFailed, []string{"lacks its `+`"}},
		{"no chunk", envelope("*** Update File: a.go\n"), refusal.ParseFailed, []string{"no chunk and no move"}},
		{"empty chunk", envelope("*** Update File: a.go\n@@\n@@ x\n"), refusal.ParseFailed, []string{"chunk is empty"}},
		{"unified header", envelope("*** Update File: a.go\n@@ -1,2 +1,2 @@\n-one\n"), refusal.ParseFailed, []string{"hunk header of a unified diff"}},
		{"add over a file", envelope("*** Add File: a.go\n+x\n"), refusal.Exists, []string{"a.go: script row 2"}},
		{"update of nothing", envelope("*** Update File: zz\n-a\n"), refusal.NotFound, []string{"zz"}},
		{"delete of nothing", envelope("*** Delete File: zz\n"), refusal.NotFound, nil},
		{"ambiguous", envelope("*** Update File: rep\n-y\n+z\n"), refusal.TextAmbiguous, []string{"chunk 1 matches 2 regions: line 2 (byte 2), line 4 (byte 6)"}},
		{"ambiguous after", envelope("*** Update File: py.py\n@@\n class A:\n@@\n-        return x\n"), refusal.TextAmbiguous, nil},
		{"anchor nowhere", envelope("*** Update File: rep\n@@ q\n-y\n"), refusal.TextAmbiguous, []string{"occurs nowhere after line 0"}},
		{"anchor twice", envelope("*** Update File: rep\n@@ x\n-y\n"), refusal.TextAmbiguous, []string{"it is at lines 1, 3"}},
		{"anchor does not govern", envelope("*** Update File: py.py\n@@         x = 2\n@@ class B:\n-        return x\n"), refusal.TextAmbiguous, nil},
		{"plus rows under an anchor", envelope("*** Update File: a.go\n@@ one\n+x\n"), refusal.TextAmbiguous, []string{"some tools put below that row"}},
		{"not at the end", envelope("*** Update File: a.go\n@@\n-two\n*** End of File\n"), refusal.TextNotFound, []string{"marked as the end of the file, and occurs elsewhere: line 2"}},
		{"not found", envelope("*** Update File: a.go\n@@\n one\n-zwei\n+2\n"), refusal.TextNotFound, []string{"a.go: script row 3", "nearest candidate is lines 1-2: line 2 is `two` where the edit has `zwei`"}},
		{"moved onto itself", envelope("*** Update File: a.go\n*** Move to: ./a.go\n"), refusal.Exists, nil},
		{"deleted and changed", envelope("*** Update File: a.go\n-one\n*** Delete File: a.go\n"), refusal.InvalidArgument, []string{"edited and removed"}},
		{"overlap", envelope("*** Update File: a.go\n-one\n-two\n+x\n@@\n-two\n+y\n"), refusal.RangeInvalid, []string{"chunk 2 and chunk 1 overlap at line 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Lower(src, []Input{{Format: ApplyPatch, Text: c.in}}, Options{})
			wantRefusal(t, err, c.code, c.parts...)
		})
	}
}

// An anchor tells places apart only inside the lines that it governs.
func TestAnchorGoverns(t *testing.T) {
	src := MapSource{"f.go": []byte("func a() {\n\tnothing()\n}\n\nfunc b() {\n\treturn x\n}\n\nfunc c() {\n\treturn x\n}\n")}
	_, err := Lower(src, []Input{{Format: ApplyPatch, Text: envelope("*** Update File: f.go\n@@ func a() {\n-\treturn x\n")}}, Options{})
	wantRefusal(t, err, refusal.TextAmbiguous, "none of them lies in the lines that its anchor at line 1 governs")
	f, err := lowerOne(t, src, ApplyPatch, envelope("*** Update File: f.go\n@@ func c() {\n-\treturn x\n+\treturn y\n"), Options{})
	if err != nil || !strings.HasSuffix(after(f), "\treturn y\n}\n") || f.Report.Edits[0].Note == "" {
		t.Errorf("%v", err)
	}
}
