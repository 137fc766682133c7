package dialects

import (
	"testing"

	"putcut/refusal"
	"putcut/text"
)

func TestWholeFile(t *testing.T) {
	src := MapSource{"f": []byte("a\nb\nc\n"), "crlf": []byte("a\r\nb\r\n"), "bom": []byte("\ufeffa\n"), "bare": []byte("a")}
	for _, c := range []struct{ name, path, in, want, script string }{
		{"one line", "f", "a\nB\nc\n", "a\nB\nc\n", "PUT 2.=2:\n+B\n"},
		{"insert and cut", "f", "0\na\nc\n", "0\na\nc\n", "PUT <1:\n+0\nCUT 2.=2\n"},
		{"keeps crlf", "crlf", "a\nB\n", "a\r\nB\r\n", "PUT 2.=2:\n+B\n"},
		{"cr given is cr taken", "crlf", "a\r\nb\n", "a\r\nb\n", ""},
		{"keeps a byte order mark", "bom", "b\n", "\ufeffb\n", "PUT 1.=1:\n+b\n"},
		{"brings a byte order mark", "f", "\ufeffb\n", "\ufeffb\n", "PUT 1.=3:\n+\ufeffb\n"},
		{"same mark", "bom", "\ufeffb\n", "\ufeffb\n", "PUT 1.=1:\n+b\n"},
		{"new", "n", "a\nb\n", "a\nb\n", "PUT >$:\n+a\n+b\n"},
		{"new without a final newline", "n", "a", "a", ""},
		{"new with crlf", "n", "a\r\nb\r\n", "a\r\nb\r\n", ""},
		{"new with a mark", "n", "\ufeffa\n", "\ufeffa\n", ""},
		{"final newline", "bare", "a\n", "a\n", ""},
		{"emptied", "f", "", "", "CUT 1.=3\n"},
		{"unchanged", "f", "a\nb\nc\n", "a\nb\nc\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := Lower(src, []Input{{Format: WholeFile, Path: c.path, Text: c.in}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			check(t, b)
			f := b.Files[0]
			if got := after(f); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			want := ""
			if c.script != "" {
				want = "[" + c.path + "#" + f.Tag() + "]\n" + c.script
			}
			if got := f.Script(); got != want {
				t.Errorf("script %q, want %q (%q)", got, want, f.Unsayable)
			}
			if f.Whole == f.Create || len(f.Matched) > 0 {
				t.Errorf("%+v", f)
			}
			if f.Changed() == (c.name == "unchanged") {
				t.Errorf("changed: %v", f.Changed())
			}
		})
	}
	b, err := Lower(src, []Input{{Format: WholeFile, Text: "Two files.\n\n`f`:\n\nn/a.go\n```go\npackage a\n```\n\n**crlf.md**\n````\n```sh\nls\n```\n````\n```go:x/y.go\ny\n```\n"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, b)
	for i, want := range []string{"n/a.go package a\n", "crlf.md ```sh\nls\n```\n", "x/y.go y\n"} {
		if got := b.Files[i].Path + " " + after(b.Files[i]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, c := range []struct {
		name string
		in   Input
		code refusal.Code
		part string
	}{
		{"no path", Input{Text: "Here:\n```\na\n```\n"}, refusal.ParseFailed, "no row above this fence"},
		{"open", Input{Text: "a.go\n```\na\n"}, refusal.ParseFailed, "not closed"},
		{"nested", Input{Text: "a.md\n```\n```sh\nls\n```\n```\n"}, refusal.ParseFailed, "script row 3: the content holds a row that opens a fence"},
		{"no fence", Input{Text: "a.go\n"}, refusal.ParseFailed, "no fence"},
		{"nul", Input{Path: "f", Text: "a\x00"}, refusal.Binary, "NUL"},
		{"bytes", Input{Path: "f", Text: "a\xff"}, refusal.Encoding, "not valid UTF-8"},
		{"revision", Input{Path: "f", Text: "a", Expected: "00"}, refusal.RevisionMismatch, "expected is 00"},
		{"revision of nothing", Input{Path: "n", Text: "a", Expected: "00"}, refusal.RevisionMismatch, "no such file"},
		{"format", Input{Format: "ed", Text: "a"}, refusal.InvalidArgument, `no edit format called "ed"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.in.Format == "" {
				c.in.Format = WholeFile
			}
			_, err := Lower(src, []Input{c.in}, Options{})
			wantRefusal(t, err, c.code, c.part)
		})
	}
	if b, err := Lower(src, []Input{{Format: WholeFile, Path: "f", Text: "x\n", Expected: text.RevisionOf(src["f"])}}, Options{}); err != nil || b.Files[0].Expected == "" {
		t.Error(err)
	}
}

func TestMixedFormats(t *testing.T) {
	src := MapSource{"f": []byte("one\ntwo\nthree\nfour\n"), "g": []byte("g\n")}
	b, err := Lower(src, []Input{
		{Format: Anchors, Text: `{"edits":[{"path":"f","anchor":"one","text":"1","mode":"replace"}]}`},
		{Format: SearchReplace, Path: "f", Text: "<<<<<<< SEARCH\nthree\n=======\n3\n>>>>>>> REPLACE\n"},
		{Format: UnifiedDiff, Text: "--- a/f\n+++ b/f\n@@ -4 +4 @@\n-four\n+4\n"},
		{Format: ApplyPatch, Text: envelope("*** Delete File: g\n*** Add File: h\n+h\n")},
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, b)
	if len(b.Files) != 3 || after(b.Files[0]) != "1\ntwo\n3\n4\n" || !b.Files[1].Remove || after(b.Files[2]) != "h\n" {
		t.Errorf("%+v", b.Files)
	}
	script, err := b.Script()
	if err != nil || script != "[f#"+b.Files[0].Tag()+"]\nPUT 1.=1:\n+1\nPUT 3.=4:\n+3\n+4\n[g#"+b.Files[1].Tag()+"]\nREM\n[h#NEW]\nPUT >$:\n+h\n" {
		t.Errorf("%v\n%s", err, script)
	}
	for _, c := range []struct {
		name string
		in   []Input
		code refusal.Code
	}{
		{"overlap", []Input{
			{Format: Anchors, Text: `{"edits":[{"path":"f","anchor":"two","text":"1","mode":"replace"}]}`},
			{Format: SearchReplace, Path: "f", Text: "<<<<<<< SEARCH\ntwo\n=======\n3\n>>>>>>> REPLACE\n"}}, refusal.RangeInvalid},
		{"whole and edited", []Input{
			{Format: WholeFile, Path: "f", Text: "x"},
			{Format: SearchReplace, Path: "f", Text: "<<<<<<< SEARCH\ntwo\n=======\n3\n>>>>>>> REPLACE\n"}}, refusal.InvalidArgument},
		{"edited and whole", []Input{
			{Format: SearchReplace, Path: "f", Text: "<<<<<<< SEARCH\ntwo\n=======\n3\n>>>>>>> REPLACE\n"},
			{Format: WholeFile, Path: "f", Text: "x"}}, refusal.InvalidArgument},
		{"created twice", []Input{{Format: WholeFile, Path: "n", Text: "x"}, {Format: WholeFile, Path: "n", Text: "x"}}, refusal.InvalidArgument},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Lower(src, c.in, Options{})
			wantRefusal(t, err, c.code)
		})
	}
}

type remembering struct {
	MapSource
	shown map[string]string
}

func (r remembering) Shown(path string) (*text.Text, bool) {
	s, ok := r.shown[path]
	if !ok {
		return nil, false
	}
	return text.FromBody([]byte(s), text.Format{Encoding: text.UTF8}), true
}

func TestMissSinceShown(t *testing.T) {
	src := remembering{MapSource{"f": []byte("a\nc\n"), "g": []byte("a\n"), "h": []byte("a\n")}, map[string]string{"f": "a\nb\nc\n", "g": "a\n"}}
	for path, part := range map[string]string{
		"f": "The file changed since it was read; the text was at line 2 then",
		"g": "The file has not changed since it was read",
		"h": "The file was not read here before",
	} {
		_, err := Lower(src, []Input{{Format: SearchReplace, Path: path, Text: "<<<<<<< SEARCH\nb\n=======\n3\n>>>>>>> REPLACE\n"}}, Options{})
		wantRefusal(t, err, refusal.TextNotFound, part)
	}
}
