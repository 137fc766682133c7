package dialects

import (
	"testing"

	"putcut/refusal"
)

func TestAnchors(t *testing.T) {
	src := MapSource{"f": []byte("a\nfoo(1)\nfoo(2)\nz\n"), "g": []byte("x = foo\n")}
	for _, c := range []struct{ name, in, f, g string }{
		{"insert after, inside a line", `{"edits":[{"path":"f","anchor":"foo(1","text":", 2","mode":"insertAfter"}]}`, "a\nfoo(1, 2)\nfoo(2)\nz\n", ""},
		{"insert before", `{"edits":[{"path":"f","anchor":"foo(2)","text":"bar()\n","mode":"insertBefore"}]}`, "a\nfoo(1)\nbar()\nfoo(2)\nz\n", ""},
		{"replace all of two", `{"edits":[{"path":"f","anchor":"foo","text":"bar","mode":"replace","expectCount":2}]}`, "a\nbar(1)\nbar(2)\nz\n", ""},
		{"two files", `{"edits":[{"path":"f","anchor":"z","text":"y","mode":"replace"},{"path":"g","anchor":"foo","text":"bar","mode":"replace"}]}`, "a\nfoo(1)\nfoo(2)\ny\n", "x = bar\n"},
		{"one path in two spellings", `{"edits":[{"path":"f","anchor":"z","text":"y","mode":"replace"},{"path":"./f","anchor":"a","text":"b","mode":"replace"}]}`, "b\nfoo(1)\nfoo(2)\ny\n", ""},
		{"after one and before the next", `{"edits":[{"path":"f","anchor":"foo(2)","text":"B","mode":"insertBefore"},{"path":"f","anchor":"foo(1)\n","text":"A","mode":"insertAfter"}]}`, "a\nfoo(1)\nABfoo(2)\nz\n", ""},
		{"order of edits", `{"edits":[{"path":"f","anchor":"z","text":"1","mode":"insertAfter"},{"path":"f","anchor":"z","text":"2","mode":"insertAfter"}]}`, "a\nfoo(1)\nfoo(2)\nz12\n", ""},
		{"empty text deletes", `{"edits":[{"path":"f","anchor":"foo(1)\n","text":"","mode":"replace"}]}`, "a\nfoo(2)\nz\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := Lower(src, []Input{{Format: Anchors, Text: c.in}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			check(t, b)
			got := map[string]string{}
			for _, f := range b.Files {
				got[f.Path] = after(f)
			}
			if got["f"] != c.f || got["g"] != c.g {
				t.Errorf("%q", got)
			}
		})
	}
	for _, c := range []struct {
		name, in string
		code     refusal.Code
		parts    []string
	}{
		{"more than expected", `{"edits":[{"path":"f","anchor":"a","text":"","mode":"replace"},{"path":"f","anchor":"foo","text":"","mode":"replace"}]}`, refusal.TextAmbiguous,
			[]string{"the anchor of edits[1] occurs 2 times, and `expectCount` is 1: line 2 (byte 2), line 3 (byte 9)"}},
		{"fewer than expected", `{"edits":[{"path":"f","anchor":"foo","text":"","mode":"replace","expectCount":3}]}`, refusal.TextNotFound, []string{"occurs 2 times, and `expectCount` is 3"}},
		{"none of two", `{"edits":[{"path":"f","anchor":"fooo(","text":"","mode":"replace","expectCount":2}]}`, refusal.TextNotFound, []string{"occurs 0 times, and `expectCount` is 2", "nearest candidate is line 2"}},
		{"none", `{"edits":[{"path":"g","anchor":"nothing","text":"","mode":"replace"}]}`, refusal.TextNotFound, []string{"edits[0] does not occur"}},
		{"count 0", `{"edits":[{"path":"f","anchor":"foo","text":"","mode":"replace","expectCount":0}]}`, refusal.InvalidArgument, []string{"`expectCount` 0"}},
		{"mode", `{"edits":[{"path":"f","anchor":"foo","text":"","mode":"after"}]}`, refusal.InvalidArgument, []string{`"after"`, "insertAfter, insertBefore or replace"}},
		{"mode case", `{"edits":[{"path":"f","anchor":"foo","text":"","Mode":"replace"}]}`, refusal.ParseFailed, []string{`no key "Mode"`}},
		{"empty anchor", `{"edits":[{"path":"f","anchor":"","text":"","mode":"replace"}]}`, refusal.InvalidArgument, []string{"`anchor`"}},
		{"no text", `{"edits":[{"path":"f","anchor":"a","mode":"replace"}]}`, refusal.InvalidArgument, []string{"`text`"}},
		{"no path", `{"edits":[{"anchor":"a","text":"","mode":"replace"}]}`, refusal.InvalidArgument, []string{"`path`"}},
		{"no file", `{"edits":[{"path":"h","anchor":"a","text":"","mode":"replace"}]}`, refusal.NotFound, nil},
		{"none at all", `{"edits":[]}`, refusal.InvalidArgument, nil},
		{"overlap with itself", `{"edits":[{"path":"h2","anchor":"aa","text":"b","mode":"replace","expectCount":2}]}`, refusal.RangeInvalid, []string{"overlap"}},
		{"inside a replaced one", `{"edits":[{"path":"f","anchor":"foo(1)","text":"b","mode":"replace"},{"path":"f","anchor":"o(1","text":"b","mode":"insertAfter"}]}`, refusal.RangeInvalid, []string{"edits[1] and edits[0] overlap at line 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			src["h2"] = []byte("aaa\n")
			_, err := Lower(src, []Input{{Format: Anchors, Text: c.in}}, Options{})
			wantRefusal(t, err, c.code, c.parts...)
		})
	}
	b, err := Lower(src, []Input{{Format: Anchors, Text: `{"dryRun":true,"edits":[{"path":"f","anchor":"a\n","text":"b\nc\n","mode":"replace"}]}`}}, Options{})
	if err != nil || !b.DryRun || b.Files[0].Report.Added != 2 || b.Files[0].Report.Removed != 1 {
		t.Errorf("%+v %v", b, err)
	}
	if d, exact := b.Diff(); !exact || d != "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,4 +1,5 @@\n-a\n+b\n+c\n foo(1)\n foo(2)\n z\n" {
		t.Errorf("%q", d)
	}
}
