package dialects

import (
	"strings"
	"testing"
	"time"

	"putcut/refusal"
	"putcut/text"
)

// Inputs that would be quadratic if anything were.
func TestHostileSizes(t *testing.T) {
	blank := strings.Repeat("\n", 1<<20)
	as := strings.Repeat("a", 1<<20)
	start := time.Now()
	for _, c := range []struct {
		name, file string
		in         Input
	}{
		{"blank rows", blank, Input{Format: SearchReplace, Text: "f\n<<<<<<< SEARCH\n" + strings.Repeat("\n", 1<<18) + "=======\n>>>>>>> REPLACE\n"}},
		{"blank chunk", blank, Input{Format: ApplyPatch, Text: envelope("*** Update File: f\n@@\n" + strings.Repeat(" \n", 1<<18) + "-\n")}},
		{"blank hunk", blank + "x\n", Input{Format: UnifiedDiff, Text: "--- a/f\n+++ b/f\n@@ -900000,200000 +1,200001 @@\n" + strings.Repeat(" \n", 200000) + "+x\n"}},
		{"repeated text", as, Input{Format: Replacements, Text: set(as, as[:1<<19], "b")}},
		{"indented", strings.Repeat(" a\n", 1<<19), Input{Format: Replacements, Text: set(strings.Repeat(" a\n", 1<<19), strings.Repeat("  a\n", 1<<17), "b")}},
		{"backslashes", as, Input{Format: Replacements, Text: set(as, strings.Repeat(`\\`, 1<<19), "b")}},
		{"nested", "x", Input{Format: Anchors, Text: strings.Repeat("[", 1<<20)}},
		{"markers", "x", Input{Format: SearchReplace, Text: strings.Repeat("<<<<<<< SEARCH\n", 1<<16)}},
		{"names", "x", Input{Format: UnifiedDiff, Text: "diff --git " + strings.Repeat("a ", 1<<13) + "\nold mode 100644\n"}},
		{"fences", "x", Input{Format: WholeFile, Text: "a.go\n" + strings.Repeat("```\n", 1<<18)}},
	} {
		_, err := Lower(MapSource{"f": []byte(c.file)}, []Input{c.in}, Options{})
		if refusal.As(err) == nil {
			t.Errorf("%s: %v", c.name, err)
		} else if n := len(err.Error()); n > 20_000 {
			t.Errorf("%s: a message of %d bytes", c.name, n)
		}
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestPathsThatScriptsCannotName(t *testing.T) {
	src := MapSource{"a\nb": []byte("x\n"), "f": []byte("x\n")}
	b, err := Lower(src, []Input{{Format: WholeFile, Path: "a\nb", Text: "y\n"}}, Options{})
	if err != nil || len(b.Files[0].Unsayable) != 1 || b.Files[0].Script() != "" {
		t.Errorf("%v", err)
	}
	b, err = Lower(src, []Input{{Format: UnifiedDiff, Text: "diff --git a/f \"b/a\\nc\"\nrename from f\nrename to \"a\\nc\"\n"}}, Options{})
	if err != nil || b.Files[0].MoveTo != "a\nc" || len(b.Files[0].Unsayable) != 1 {
		t.Errorf("%v", err)
	}
	for _, p := range []string{"", " ", "a\x00b"} {
		_, err := Lower(src, []Input{{Format: ApplyPatch, Text: envelope("*** Update File: x\n*** Move to: y\n")}, {Format: UnifiedDiff, Path: p, Text: "x"}}, Options{})
		if refusal.As(err) == nil {
			t.Errorf("%q: %v", p, err)
		}
	}
}

// A file in another encoding is matched and changed decoded.
func TestEncodings(t *testing.T) {
	raw := []byte("\xff\xfea\x00\n\x00b\x00\n\x00")
	b, err := Lower(MapSource{"f": raw}, []Input{{Format: SearchReplace, Text: "f\n<<<<<<< SEARCH\nb\n=======\né\n>>>>>>> REPLACE\n"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, b)
	if got := after(b.Files[0]); got != "\xff\xfea\x00\n\x00\xe9\x00\n\x00" {
		t.Errorf("%q", got)
	}
	if _, exact := b.Diff(); exact {
		t.Error("a diff of UTF-16 is not exact")
	}
	latin, err := text.Decode([]byte("caf\xe9\n"), "windows-1252")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Lower(fixed{latin}, []Input{{Format: Anchors, Text: `{"edits":[{"path":"f","anchor":"café","text":" λ","mode":"insertAfter"}]}`}}, Options{})
	wantRefusal(t, err, refusal.Encoding, "cannot hold")
}

type fixed struct{ t *text.Text }

func (f fixed) Load(string) (*text.Text, []byte, text.Revision, bool, error) {
	raw, err := f.t.Encode()
	return f.t, raw, text.RevisionOf(raw), true, err
}
