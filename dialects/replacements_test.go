package dialects

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"putcut/ops"
	"putcut/refusal"
)

func set(old string, pairs ...string) string {
	type e struct {
		Old string `json:"old_text"`
		New string `json:"new_text"`
	}
	var edits []e
	for i := 0; i+1 < len(pairs); i += 2 {
		edits = append(edits, e{pairs[i], pairs[i+1]})
	}
	b, err := json.Marshal(map[string]any{"path": "f", "expected_revision": rev(old), "edits": edits})
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestReplacements(t *testing.T) {
	for _, c := range []struct {
		name, old string
		pairs     []string
		want      string
		script    string // without header; "-" when it cannot be said
		relaxed   []Relaxation
	}{
		{"a word", "one\ntwo\nthree\n", []string{"two", "2"}, "one\n2\nthree\n", "PUT 2.=2:\n+2\n", nil},
		{"inside a line", "abcdef\n", []string{"cd", "XY"}, "abXYef\n", "PUT 1.=1:\n+abXYef\n", nil},
		{"two in one line", "abcdef\n", []string{"a", "A", "f", "F"}, "AbcdeF\n", "PUT 1.=1:\n+AbcdeF\n", nil},
		{"out of order", "a\nb\nc\n", []string{"c", "C", "a", "A"}, "A\nb\nC\n", "PUT 1.=1:\n+A\nPUT 3.=3:\n+C\n", nil},
		{"all see the original", "a b\n", []string{"a", "b", "b", "a"}, "b a\n", "PUT 1.=1:\n+b a\n", nil},
		{"insertion by keeping", "a\nc\n", []string{"a\n", "a\nb\n"}, "a\nb\nc\n", "PUT >1:\n+b\n", nil},
		{"insertion at the head", "a\n", []string{"a", "x\na"}, "x\na\n", "PUT <1:\n+x\n", nil},
		{"deletion of a line", "a\nb\nc\n", []string{"b\n", ""}, "a\nc\n", "CUT 2.=2\n", nil},
		{"deletion joins lines", "a\nb\nc\n", []string{"\nb", "b"}, "ab\nc\n", "PUT 1.=2:\n+ab\n", nil},
		{"deletion of all", "a\n", []string{"a\n", ""}, "", "CUT 1.=1\n", nil},
		{"no-op", "a\nb\n", []string{"a", "a", "b", "c"}, "a\nc\n", "PUT 2.=2:\n+c\n", nil},
		{"final newline dropped", "a\nb\n", []string{"b\n", "b"}, "a\nb", "-", nil},
		{"final newline added", "a\nb", []string{"b", "b\n"}, "a\nb\n", "-", nil},
		{"none stays none", "a\nb", []string{"b", "c"}, "a\nc", "PUT 2.=2:\n+c\n", nil},
		{"crlf literal", "a\r\nb\r\n", []string{"a\r\nb", "A\r\nB"}, "A\r\nB\r\n", "PUT 1.=2:\n+A\n+B\n", nil},
		{"crlf: new lf stays", "a\r\nb\r\n", []string{"a", "x\ny"}, "x\ny\r\nb\r\n", "-", nil},
		{"crlf relaxed", "a\r\nb\r\nc\r\n", []string{"a\nb", "A\nB\nC"}, "A\r\nB\r\nC\r\nc\r\n", "PUT 1.=2:\n+A\n+B\n+C\n", []Relaxation{RelaxedEOL}},
		{"lf relaxed", "a\nb\n", []string{"a\r\nb", "A\r\nB"}, "A\nB\n", "PUT 1.=2:\n+A\n+B\n", []Relaxation{RelaxedEOL}},
		{"indent deeper", "{\n\t\tif x {\n\n\t\t\ty()\n\t\t}\n}\n", []string{"if x {\n\n\ty()\n}\n", "if z {\n\ty()\n}\n"}, "{\n\t\tif z {\n\t\t\ty()\n\t\t}\n}\n",
			"PUT 2.=3:\n+\t\tif z {\n", []Relaxation{RelaxedIndent}},
		{"indent shallower", "  a(\n    b\n", []string{"      a(\n        b\n", "      c(\n        b\n"}, "  c(\n    b\n", "PUT 1.=1:\n+  c(\n", []Relaxation{RelaxedIndent}},
		{"json whole", "say(\"a\\n\")\n\tx\n", []string{`say(\"a\\n\")\n\tx`, `say(\"b\\n\")`}, "say(\"b\\n\")\n", "PUT 1.=2:\n+say(\"b\\n\")\n", []Relaxation{RelaxedJSON}},
		{"json mixed", "a \"q\"\n\tb\n", []string{"a \\\"q\\\"\n\tb", "c \\\"q\\\""}, "c \"q\"\n", "PUT 1.=2:\n+c \"q\"\n", []Relaxation{RelaxedSeq}},
		{"cr alone ends lines", "a\rb\rc\r", []string{"b", "B"}, "a\rB\rc\r", "PUT 2.=2:\n+B\n", nil},
		{"cr file gets lf", "a\rb\r", []string{"b", "B\n"}, "a\rB\n\r", "-", nil},
		{"unicode", "𝒳é\nb\n", []string{"b", "ß"}, "𝒳é\nß\n", "PUT 2.=2:\n+ß\n", nil},
		{"bom kept", "\ufeffa\n", []string{"a", "b"}, "\ufeffb\n", "PUT 1.=1:\n+b\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := lowerOne(t, MapSource{"f": []byte(c.old)}, Replacements, set(c.old, c.pairs...), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := after(f); got != c.want {
				t.Fatalf("got %q, want %q", got, c.want)
			}
			want := "[f#" + f.Tag() + "]\n" + c.script
			if c.script == "-" {
				want = ""
			}
			if got := f.Script(); got != want {
				t.Errorf("script %q, want %q", got, want)
			}
			if (len(f.Unsayable) > 0) != (c.script == "-") {
				t.Errorf("unsayable: %q", f.Unsayable)
			}
			if got := fmt.Sprint(f.Report.Edits[0].Relaxed); got != fmt.Sprint(c.relaxed) {
				t.Errorf("relaxed %v, want %v", got, c.relaxed)
			}
		})
	}
}

func TestReplacementPositions(t *testing.T) {
	old := "\ufeff𝒳é\nb cd\n"
	f, err := lowerOne(t, MapSource{"f": []byte(old)}, Replacements, set(old, "cd", "x"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := f.Report.Edits[0]
	if e.Start != (Position{9, 5, 6}) || e.End != (Position{11, 7, 8}) || e.Lines != (Range{2, 2}) {
		t.Errorf("%+v", e)
	}
	if len(f.Matched) != 1 || f.Matched[0] != (Range{2, 2}) {
		t.Errorf("matched %v", f.Matched)
	}
	if f.Expected != f.OldRevision || f.OldRevision == "" {
		t.Errorf("revision %q %q", f.Expected, f.OldRevision)
	}
}

func TestReplacementRefusals(t *testing.T) {
	const old = "func a() {\n\tx := 1\n\treturn x\n}\n\nfunc b() {\n\tx := 2\n\treturn x\n}\n"
	src := MapSource{"f": []byte(old), "bin": []byte("a"), "latin": []byte("caf\xe9 x\n"), "dup": []byte("  a\n  b\n\n    a\n    b\n"), "esc": []byte("\"q\"\n\"q\"\n"), "mixed": []byte("a\r\nb\nc\r\n")}
	in := func(path string, pairs ...string) string {
		return strings.Replace(set(string(src[path]), pairs...), `"path":"f"`, `"path":"`+path+`"`, 1)
	}
	for _, c := range []struct {
		name, in string
		code     refusal.Code
		parts    []string
	}{
		{"wrong revision", strings.Replace(in("f", "func a", "func c"), rev(old), strings.Repeat("0", 64), 1), refusal.RevisionMismatch, []string{"f: the revision expected is 000"}},
		{"no revision", `{"path":"f","edits":[{"old_text":"a","new_text":"b"}]}`, refusal.InvalidArgument, []string{"`expected_revision` is missing"}},
		{"no file", `{"path":"g","expected_revision":"x","edits":[{"old_text":"a","new_text":"b"}]}`, refusal.NotFound, []string{"g: there is no such file"}},
		{"empty old", in("f", "", "b"), refusal.InvalidArgument, []string{"edits[0] has an empty `old_text`"}},
		{"no new", `{"path":"f","expected_revision":"` + rev(old) + `","edits":[{"old_text":"a"}]}`, refusal.InvalidArgument, []string{"edits[0] lacks"}},
		{"no edits", `{"path":"f","expected_revision":"` + rev(old) + `","edits":[]}`, refusal.InvalidArgument, []string{"`edits` is empty"}},
		{"unknown key", `{"path":"f","expectedRevision":"x","edits":[]}`, refusal.ParseFailed, []string{`there is no key "expectedRevision"`}},
		{"key twice", `{"path":"f","path":"g"}`, refusal.ParseFailed, []string{`"path" stands twice`}},
		{"trailing text", `{"path":"f"} x`, refusal.ParseFailed, []string{"text stands after the value"}},
		{"lone surrogate", `{"path":"\ud800"}`, refusal.ParseFailed, []string{"surrogate"}},
		{"wrong type", `{"path":3}`, refusal.ParseFailed, []string{`"path" must be of another type than number`}},
		{"empty", ``, refusal.ParseFailed, nil},
		{"twice", in("f", "return x", "return y"), refusal.TextAmbiguous, []string{"the text of edits[0] matches 2 regions: line 3 (byte 20), line 8 (byte 52)", "Give more context"}},
		{"overlapping itself", in("bin", "zz", "y"), refusal.TextNotFound, nil},
		{"overlap", in("f", "x := 1\n\treturn", "q", "return x\n}\n\n", "r"), refusal.RangeInvalid, []string{"edits[1] and edits[0] overlap at line 3"}},
		{"missing", in("f", "y := 1", "z"), refusal.TextNotFound, []string{"edits[0] does not occur", "The nearest candidate is line 2: line 2 is `\\tx := 1` where the edit has `y := 1`"}},
		{"trailing blank", in("f", "func b() { \n\tx := 2", "z"), refusal.TextNotFound, []string{"they differ in blanks at the end"}},
		{"no constant shift", in("f", "x := 1\n\t\t\treturn x", "z"), refusal.TextNotFound, []string{"1 region matches once leading blanks are ignored, at line 2 (byte 11), but by no constant shift", "Its first line occurs at line 2"}},
		{"case", in("f", "FUNC A() {\n\tX := 1", "z"), refusal.TextNotFound, []string{"occurs nowhere"}},
		{"shift twice", in("dup", "a\nb\n", "c\n"), refusal.TextAmbiguous, []string{"once leading blanks are ignored matches 2 regions: line 1 (byte 0), line 4 (byte 9)"}},
		{"decoded twice", in("esc", `\"q\"`, "c"), refusal.TextAmbiguous, []string{"once its JSON escapes are decoded matches 2 regions", "Give more context"}},
		{"mixed endings", in("mixed", "a\nb\nc", "A\nB\nC"), refusal.TextNotFound, nil},
		{"nul", in("f", "func a", "func \x00"), refusal.Binary, []string{"edits[0] holds a NUL"}},
		{"not ascii into bytes", in("latin", "x", "ß"), refusal.Encoding, []string{"not ASCII"}},
		{"not json", `*** Begin Patch`, refusal.ParseFailed, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Lower(src, []Input{{Format: Replacements, Text: c.in}}, Options{})
			wantRefusal(t, err, c.code, c.parts...)
		})
	}
	if _, err := Lower(src, []Input{{Format: Replacements, Text: in("f", "x := 1\nreturn", "q")}}, Options{Exact: true}); refusal.CodeOf(err) != refusal.TextNotFound {
		t.Errorf("exact: %v", err)
	}
	if f, err := lowerOne(t, src, Replacements, in("latin", "x", "y"), Options{}); err != nil || after(f) != "caf\xe9 y\n" {
		t.Errorf("byte-transparent: %v", err)
	}
}

func TestReplacementLimits(t *testing.T) {
	old := strings.Repeat("x", 10) + "\n"
	var pairs []string
	for i := range 129 {
		pairs = append(pairs, fmt.Sprint(i), "y")
	}
	src := MapSource{"f": []byte(old)}
	_, err := Lower(src, []Input{{Format: Replacements, Text: set(old, pairs...)}}, Options{})
	wantRefusal(t, err, refusal.Limit, "129 edits, and 128 is the limit")
	_, err = Lower(src, []Input{{Format: Replacements, Text: set(old, "xxxxxxxxxx", strings.Repeat("y", 1<<20+1))}}, Options{})
	wantRefusal(t, err, refusal.Limit, "the new text has 1048577 bytes, and 1048576 is the limit")
	if _, err = Lower(src, []Input{{Format: Replacements, Text: set(old, "xxxxxxxxxx", strings.Repeat("y", 1<<20))}}, Options{}); err != nil {
		t.Error(err)
	}
	_, err = Lower(src, []Input{{Format: Replacements, Text: strings.Repeat(" ", 11)}}, Options{Limits: Limits{InputBytes: 10}})
	wantRefusal(t, err, refusal.Limit, "more than 10 bytes")
	_, err = Lower(src, []Input{{Format: WholeFile, Path: "f", Text: "12345678901"}}, Options{Limits: Limits{FileBytes: 10}})
	wantRefusal(t, err, refusal.TooLarge, "would have 11 bytes")
	_, err = Lower(src, []Input{{Format: WholeFile, Path: "f", Text: "1"}, {Format: WholeFile, Path: "g", Text: "1"}}, Options{Limits: Limits{Files: 1}})
	wantRefusal(t, err, refusal.Limit, "more than 1 files")
	_, err = Lower(src, []Input{{Format: WholeFile, Path: "f", Text: "1"}, {Format: WholeFile, Path: "g", Text: "1"}}, Options{Limits: Limits{Hunks: 1}})
	wantRefusal(t, err, refusal.Limit, "more than 1 edits")
}

func TestFinalOnly(t *testing.T) {
	old := "a\nb"
	f, err := lowerOne(t, MapSource{"f": []byte(old)}, Replacements, set(old, "b", "b\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Splices) != 0 || f.Final != ops.AddFinal || !f.Changed() {
		t.Errorf("%+v %v", f.Splices, f.Final)
	}
	_, err = (&Batch{Files: []*File{f}}).Script()
	wantRefusal(t, err, refusal.InvalidArgument, "f: a final newline is added")
}
