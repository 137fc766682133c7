package dialects

import (
	"strings"
	"testing"

	"putcut/refusal"
)

func TestSearchReplace(t *testing.T) {
	src := MapSource{
		"a.go":    []byte("one\ntwo\nthree\nfour\n"),
		"crlf.go": []byte("one\r\ntwo\r\nthree"),
		"b c":     []byte("x\n"),
		"deep.go": []byte("\tif a {\n\t\tb()\n\t}\n"),
		"m.md":    []byte("a\n=======\nb\n"),
		"empty":   nil,
	}
	for _, c := range []struct{ name, in, path, want string }{
		{"plain", "a.go\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n", "a.go", "one\n2\nthree\nfour\n"},
		{"in a fence", "Sure:\n\n**a.go**\n```go\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n```\n", "a.go", "one\n2\nthree\nfour\n"},
		{"path in the fence", "```\na.go\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n```", "a.go", "one\n2\nthree\nfour\n"},
		{"path as a heading", "### `a.go`:\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE", "a.go", "one\n2\nthree\nfour\n"},
		{"two blocks, one path", "a.go\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n\nAnd then:\n\n<<<<<<< SEARCH\nfour\n=======\n>>>>>>> REPLACE\n", "a.go", "one\n2\nthree\n"},
		{"shared context", "a.go\n<<<<<<< SEARCH\none\ntwo\n=======\n1\ntwo\n>>>>>>> REPLACE\n<<<<<<< SEARCH\ntwo\nthree\n=======\ntwo\n3\n>>>>>>> REPLACE\n", "a.go", "1\ntwo\n3\nfour\n"},
		{"both sides of a gap", "a.go\n<<<<<<< SEARCH\nthree\n=======\nb\nthree\n>>>>>>> REPLACE\n<<<<<<< SEARCH\ntwo\n=======\ntwo\na\n>>>>>>> REPLACE\n", "a.go", "one\ntwo\na\nb\nthree\nfour\n"},
		{"dashes", "a.go\n------- SEARCH\ntwo\n=======\n2\n+++++++ REPLACE\n", "a.go", "one\n2\nthree\nfour\n"},
		{"original and updated", "a.go\n<<<<<<< ORIGINAL\ntwo\n=======\n2\n>>>>>>> UPDATED\n", "a.go", "one\n2\nthree\nfour\n"},
		{"longer markers", "m.md\n<<<<<<<<< SEARCH\n=======\nb\n=========\n=======\nc\n>>>>>>>>> REPLACE\n", "m.md", "a\n=======\nc\n"},
		{"crlf file", "crlf.go\n<<<<<<< SEARCH\ntwo\nthree\n=======\n2\n3\n>>>>>>> REPLACE\n", "crlf.go", "one\r\n2\r\n3"},
		{"crlf input", "a.go\r\n<<<<<<< SEARCH\r\ntwo\r\n=======\r\n2\r\n>>>>>>> REPLACE\r\n", "a.go", "one\n2\nthree\nfour\n"},
		{"path with a blank", "b c\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n", "b c", "y\n"},
		{"shifted", "deep.go\n<<<<<<< SEARCH\nif a {\n\tb()\n}\n=======\nif a {\n\tc()\n\n}\n>>>>>>> REPLACE\n", "deep.go", "\tif a {\n\t\tc()\n\n\t}\n"},
		{"new file", "new.go\n<<<<<<< SEARCH\n=======\na\nb\n>>>>>>> REPLACE\n", "new.go", "a\nb\n"},
		{"empty file", "empty\n<<<<<<< SEARCH\n=======\na\n>>>>>>> REPLACE\n", "empty", "a\n"},
		{"blank rows count", "a.go\n<<<<<<< SEARCH\ntwo\n=======\ntwo\n\n>>>>>>> REPLACE\n", "a.go", "one\ntwo\n\nthree\nfour\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := lowerOne(t, src, SearchReplace, c.in, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if f.Path != c.path || after(f) != c.want {
				t.Errorf("%s: %q, want %q", f.Path, after(f), c.want)
			}
			if len(f.Unsayable) > 0 {
				t.Errorf("unsayable: %q", f.Unsayable)
			}
		})
	}
	f, err := Lower(src, []Input{{Format: SearchReplace, Path: "a.go", Text: "<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n"}}, Options{})
	if err != nil || f.Files[0].Path != "a.go" {
		t.Error(err)
	}
	const block = "<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n"
	for _, c := range []struct {
		name, in string
		code     refusal.Code
		parts    []string
	}{
		{"no path", block, refusal.ParseFailed, []string{"script row 1", "names its file"}},
		{"no block", "hello\n", refusal.ParseFailed, []string{"no SEARCH/REPLACE block"}},
		{"no divider", "a.go\n<<<<<<< SEARCH\ntwo\n>>>>>>> REPLACE\n", refusal.ParseFailed, []string{"script row 4", "an end marker before the divider"}},
		{"not ended", "a.go\n<<<<<<< SEARCH\ntwo\n=======\n2\n", refusal.ParseFailed, []string{"`>>>>>>> REPLACE` is missing"}},
		{"two dividers", "m.md\n<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE\n", refusal.ParseFailed, []string{"script row 6", "a second divider", "use longer markers"}},
		{"nested", "a.go\n<<<<<<< SEARCH\n" + block, refusal.ParseFailed, []string{"another block's opening marker"}},
		{"stray end", "a.go\n" + block + ">>>>>>> REPLACE\n", refusal.ParseFailed, []string{"stands outside of a block"}},
		{"prose names another file", "a.go\n" + block + "Now crlf.go needs the same:\n" + block, refusal.ParseFailed, []string{"script row 7", "names crlf.go among other words"}},
		{"missing text", "a.go\n" + strings.Replace(block, "two", "zwei", 1), refusal.TextNotFound, []string{"a.go: script row 2", "block 1 does not occur"}},
		{"part of a line", "a.go\n" + strings.Replace(block, "two", "tw", 1), refusal.TextNotFound, nil},
		{"exists", "a.go\n<<<<<<< SEARCH\n=======\n2\n>>>>>>> REPLACE\n", refusal.Exists, []string{"not empty"}},
		{"no file", "q/r.go\n" + block, refusal.NotFound, []string{"q/r.go"}},
		{"overlap", "a.go\n<<<<<<< SEARCH\none\ntwo\n=======\n1\n2\n>>>>>>> REPLACE\n" + block, refusal.RangeInvalid, []string{"block 2 and block 1 overlap at line 2"}},
		{"after its own effect", "a.go\n" + block + "<<<<<<< SEARCH\n2\n=======\n3\n>>>>>>> REPLACE\n", refusal.TextNotFound, []string{"block 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Lower(src, []Input{{Format: SearchReplace, Text: c.in}}, Options{})
			wantRefusal(t, err, c.code, c.parts...)
		})
	}
}
