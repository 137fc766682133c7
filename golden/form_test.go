package golden

import (
	"bytes"
	"testing"
)

func TestForms(t *testing.T) {
	for _, c := range []struct {
		marker, body, want string
	}{
		{"now n", "", ""},
		{"now n", "a\nb\n", "a\nb\n"},
		{"now n no-eol", "a\nb\n", "a\nb"},
		{"now n crlf", "a\nb\n", "a\r\nb\r\n"},
		{"now n crlf no-eol", "a\nb\n", "a\r\nb"},
		{"now n cr", "a\nb\n", "a\rb\r"},
		{"now n bom", "a\n", "\xef\xbb\xbfa\n"},
		{"now n bom", "", "\xef\xbb\xbf"},
		{"now n utf-16le bom", "é\U0001F600\n", "\xff\xfe\xe9\x00\x3d\xd8\x00\xde\n\x00"},
		{"now n utf-16be bom no-eol", "é\n", "\xfe\xff\x00\xe9"},
		{"now n utf-16be", "a\n", "\x00a\x00\n"},
		{"now n quoted", "\"a\\r\\n\"\n\"b\"\n`\\x`\n", "a\r\nb\\x"},
		{"now n quoted", "\"\\xff\\x00\"\n", "\xff\x00"},
		{"now n quoted", "\"-- x --\\n\"\n", "-- x --\n"},
		{"now n quoted", "", ""},
		{"now n base64", "YQ0K\nYg==\n", "a\r\nb"},
		{"now n lines=3", "row {{n}}\n", "row 1\nrow 2\nrow 3\n"},
		{"now n lines=2 no-eol crlf", "{{n}}\n", "1\r\n2"},
	} {
		s := section{marker: c.marker, body: []byte(c.body)}
		if err := s.parse(maxExpanded); err != nil {
			t.Errorf("%s: %v", c.marker, err)
		} else if string(s.data) != c.want {
			t.Errorf("%s: %q, want %q", c.marker, s.data, c.want)
		}
	}
}

func TestSpellPicksThePlainestForm(t *testing.T) {
	for _, c := range []struct{ data, form, body string }{
		{"", "", ""},
		{"a\n", "", "a\n"},
		{"a", " no-eol", "a\n"},
		{"a\r\nb\r\n", " crlf", "a\nb\n"},
		{"a\r\nb", " crlf no-eol", "a\nb\n"},
		{"a\rb\r", " cr", "a\nb\n"},
		{"\xef\xbb\xbfa\n", " bom", "a\n"},
		{"\xff\xfea\x00\n\x00", " utf-16le bom", "a\n"},
		{"\xfe\xff\x00a", " utf-16be bom no-eol", "a\n"},
		{"a\r\nb\n", " quoted", "\"a\\r\\n\"\n\"b\\n\"\n"},
		{"-- a --\n", " quoted", "\"-- a --\\n\"\n"},
		{"\xff", " quoted", "\"\\xff\"\n"},
		{"\xff\xfe\x00\xd8", " quoted", "\"\\xff\\xfe\\x00\\xd8\"\n"}, // half a surrogate pair
		{"a\u2028b\n", " quoted", "\"a\\u2028b\\n\"\n"},
	} {
		body, f := spell([]byte(c.data), form{})
		if f.String() != c.form || string(body) != c.body {
			t.Errorf("%q: %q%s, want %q%s", c.data, body, f, c.body, c.form)
		}
	}
	if body, f := spell([]byte("ab"), form{base64: true}); !f.base64 || string(body) != "YWI=\n" {
		t.Errorf("a form that holds the bytes is not kept: %q%s", body, f)
	}
}

// FuzzSpell: whatever the bytes, the spelling stands for them and survives txtar.
func FuzzSpell(f *testing.F) {
	for _, s := range []string{"", "a", "a\r\n", "\r", "\xff\xfe\x00\xd8", "\xfe\xff", "-- a --\n", "\xef\xbb\xbf\r\n\n", "{{tag n}}\n", "a\n-- b --"} {
		f.Add([]byte(s), uint8(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, bits uint8) {
		want := form{}
		for i, name := range []string{"crlf", "no-eol", "bom", "utf-16le", "utf-16be", "base64", "cr", "quoted"} {
			if bits == uint8(i+1) {
				flags[name](&want)
			}
		}
		body, got := spell(data, want)
		ar := []byte("-- now n" + got.String() + " --\n" + string(body) + "-- read n --\n")
		s, err := Parse(ar)
		if err != nil {
			t.Fatalf("%v in\n%s", err, ar)
		}
		if len(s.sections) != 2 || !bytes.Equal(s.sections[0].data, data) {
			t.Fatalf("%q came back as %q through\n%s", data, s.sections[0].data, ar)
		}
	})
}

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []token
	}{
		{`read n.txt 1-2`, []token{{value: "read"}, {value: "n.txt"}, {value: "1-2"}}},
		{`a "b c" k="d e"`, []token{{value: "a"}, {value: "b c", quoted: true}, {key: "k", value: "d e"}}},
		{`edit n {{tag a b.txt}}`, []token{{value: "edit"}, {value: "n"}, {value: "{{tag a b.txt}}"}}},
		{`x k=`, []token{{value: "x"}, {key: "k"}}},
		{`x "k=v"`, []token{{value: "x"}, {value: "k=v", quoted: true}}},
		{`x k={{root}}/n y`, []token{{value: "x"}, {key: "k", value: "{{root}}/n"}, {value: "y"}}},
		{`x =v`, []token{{value: "x"}, {value: "=v"}}},
	} {
		got, err := tokens(c.in)
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%s: %v %v", c.in, got, err)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: word %d is %+v, want %+v", c.in, i, got[i], c.want[i])
			}
		}
	}
}
