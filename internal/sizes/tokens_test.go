package main

import (
	"testing"

	"putcut/dialects"
)

func TestTokens(t *testing.T) {
	for s, want := range map[string]int{
		"":                        0,
		"word":                    1,
		" word":                   1,
		"two words":               2,
		"camelCase":               2,
		"HTTPServer":              2, // a run of capitals is not cut
		"internationalization":    3,
		"123456":                  2,
		"<<<<<<< SEARCH\n":        3,
		"{\n":                     1,
		"\t\treturn nil, err\n":   6,
		"        indented":        2,
		"\n\n\n":                  1,
		"é":                       1,
		"\xff\xfe":                1,
		"+\tx := f(1)\n":          7,
		"[main.go#1A2B]\nPUT 3.=": 12,
	} {
		if got := tokens(s); got != want {
			t.Errorf("%q is %d tokens, want %d", s, got, want)
		}
	}
}

// What every format says makes the same file.
func TestSay(t *testing.T) {
	for _, c := range []change{
		{"a.txt", []byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), []byte("1\ntwo\n3\n4\n5\n6\n7\n7a\n8\n9\n")},
		{"same.txt", []byte("}\n}\n}\nx\n}\n}\n}\n"), []byte("}\n}\n}\nx\n}\nnew\n}\n}\n")},
		{"cut.txt", []byte("a\nb\nc\nd\n"), []byte("a\nd\n")},
		{"one.txt", []byte("a\n"), []byte("b\n")},
		{"open.txt", []byte("a\nb"), []byte("a\nc")},
		{"quoted.txt", []byte("say \"a\\n\"\n<&>\n"), []byte("say \"b\\n\"\n<&>\n")},
	} {
		tab := measure([]module{{files: []change{c}}})
		if tab.changes != 1 {
			t.Errorf("%s: not all formats make it: odd %d, refused by %v", c.path, tab.odd, tab.over)
		}
	}
}

// An insertion below lines that are in one place needs them only once.
func TestInsertion(t *testing.T) {
	src := dialects.MapSource{"f": []byte("a\nb\nc\n")}
	b, err := dialects.Lower(src, []dialects.Input{{Format: dialects.WholeFile, Path: "f", Text: "a\nb\nnew\nc\n"}}, dialects.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := anchors(b.Files[0]), `{"edits":[{"path":"f","anchor":"b\n","text":"new\n","mode":"insertAfter"}]}`+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
