package text

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"

	"putcut/refusal"
)

// modelLine is a line of the model: a slow, obvious reading of the contract.
type modelLine struct{ text, eol string }

func modelSplit(s string) []modelLine {
	var out []modelLine
	sep := "\n"
	if !strings.Contains(s, "\n") && strings.Contains(s, "\r") {
		sep = "\r"
	}
	for s != "" {
		line, rest, found := strings.Cut(s, sep)
		s = rest
		switch {
		case !found:
			out = append(out, modelLine{line, ""})
		case sep == "\n" && strings.HasSuffix(line, "\r"):
			out = append(out, modelLine{line[:len(line)-1], "\r\n"})
		default:
			out = append(out, modelLine{line, sep})
		}
	}
	return out
}

func modelTag(s string) Tag {
	var b strings.Builder
	for _, l := range modelSplit(s) {
		b.WriteString(strings.TrimRight(l.text, " \t\r"))
		if l.eol != "" {
			b.WriteByte('\n')
		}
	}
	return Tag(strings.ToUpper(string(RevisionOf([]byte(b.String()))[:4])))
}

// checkModel holds everything a text says of itself against the model.
func checkModel(t *testing.T, got *Text) {
	t.Helper()
	body := string(got.Body())
	want := modelSplit(body)
	if got.Len() != len(want) {
		t.Fatalf("%q has %d lines, want %d", body, got.Len(), len(want))
	}
	counts := map[string]int{}
	at := 0
	for i, l := range want {
		n := i + 1
		if string(got.Line(n)) != l.text || string(got.EOL(n)) != l.eol {
			t.Fatalf("%q: line %d is %q %q, want %q %q", body, n, got.Line(n), got.EOL(n), l.text, l.eol)
		}
		if got.Offset(i) != at {
			t.Fatalf("%q: gap %d is at %d, want %d", body, i, got.Offset(i), at)
		}
		for off := at; off < at+len(l.text)+len(l.eol); off++ {
			if got.LineAt(off) != n {
				t.Fatalf("%q: byte %d is on line %d, want %d", body, off, got.LineAt(off), n)
			}
		}
		at += len(l.text) + len(l.eol)
		counts[l.eol]++
		if got.LineValid(n) != utf8.ValidString(l.text) {
			t.Fatalf("%q: line %d valid is %v", body, n, got.LineValid(n))
		}
	}
	if got.Offset(len(want)) != len(body) || got.LineAt(len(body)) != len(want) {
		t.Fatalf("%q: the end is at %d, on line %d", body, got.Offset(len(want)), got.LineAt(len(body)))
	}
	common := LF
	switch {
	case counts["\r"] > 0:
		common = CR
	case counts["\r\n"] > counts["\n"]:
		common = CRLF
	}
	if got.CommonEOL() != common {
		t.Fatalf("%q: the common terminator is %q, want %q", body, got.CommonEOL(), common)
	}
	if got.Mixed() != (counts["\n"] > 0 && counts["\r\n"] > 0) {
		t.Fatalf("%q: mixed is %v", body, got.Mixed())
	}
	if got.CROnly() != (!strings.Contains(body, "\n") && strings.Contains(body, "\r")) {
		t.Fatalf("%q: CR only is %v", body, got.CROnly())
	}
	if got.Valid() != utf8.ValidString(body) {
		t.Fatalf("%q: valid is %v", body, got.Valid())
	}
	if got.FinalNewline() != (len(want) == 0 || want[len(want)-1].eol != "") {
		t.Fatalf("%q: final newline is %v", body, got.FinalNewline())
	}
	if got.Tag() != modelTag(body) {
		t.Fatalf("%q: the tag is %s, want %s", body, got.Tag(), modelTag(body))
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		body  string
		lines []string // text and terminator, glued
		eol   EOL
	}{
		{"", nil, LF},
		{"a", []string{"a"}, LF},
		{"\n", []string{"\n"}, LF},
		{"a\n", []string{"a\n"}, LF},
		{"a\n\n", []string{"a\n", "\n"}, LF},
		{"a\nb", []string{"a\n", "b"}, LF},
		{"a\r\nb\r\n", []string{"a\r\n", "b\r\n"}, CRLF},
		{"a\r\nb\n", []string{"a\r\n", "b\n"}, LF}, // a tie is LF
		{"a\r\nb\r\nc\n", []string{"a\r\n", "b\r\n", "c\n"}, CRLF},
		{"\r\n", []string{"\r\n"}, CRLF},
		{"a\rb\rc", []string{"a\r", "b\r", "c"}, CR},
		{"\r", []string{"\r"}, CR},
		{"a\r\r", []string{"a\r", "\r"}, CR},
		{"a\rb\nc", []string{"a\rb\n", "c"}, LF}, // a lone CR is content
		{"a\n\rb", []string{"a\n", "\rb"}, LF},
		{"a\r\r\nb\r", []string{"a\r\r\n", "b\r"}, CRLF},
		{"a\u0085b\u2028c\fd\ve\n", []string{"a\u0085b\u2028c\fd\ve\n"}, LF},
		{"\xff\n\xfe", []string{"\xff\n", "\xfe"}, LF},
	} {
		got := FromBody([]byte(c.body), Format{Encoding: UTF8})
		var lines []string
		for n := 1; n <= got.Len(); n++ {
			lines = append(lines, string(got.Line(n))+string(got.EOL(n)))
		}
		if fmt.Sprintf("%q", lines) != fmt.Sprintf("%q", c.lines) {
			t.Errorf("%q: %q, want %q", c.body, lines, c.lines)
		}
		if got.CommonEOL() != c.eol {
			t.Errorf("%q: common terminator %q, want %q", c.body, got.CommonEOL(), c.eol)
		}
		checkModel(t, got)
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a\nb\n", "a\r\nb\r\n", true},
		{"a\nb\n", "a\rb", true},
		{"a\nb\n", "a\nb", true},
		{"a\nb\n", "a\nb \n", false}, // blanks count
		{"a\n", "a\n\n", false},
		{"", "", true},
		{"", "\n", false},
		{"a\rb\n", "a\nb\n", false},
	} {
		a, b := FromBody([]byte(c.a), Format{}), FromBody([]byte(c.b), Format{})
		if Equal(a, b) != c.want || Equal(b, a) != c.want || !Equal(a, a) {
			t.Errorf("%q, %q: %v", c.a, c.b, !c.want)
		}
	}
}

func TestTags(t *testing.T) {
	// Texts that differ in what normalising drops have one tag.
	for _, group := range [][]string{
		{"a\nb\n", "a\r\nb\r\n", "a\rb\r", "\ufeffa\nb\n", "a \nb\t \n", "a\r\r\nb\n"},
		{"a\nb", "a\r\nb", "a\rb", "a\nb \t", "a\nb\r"},
		{"", "\ufeff", " ", "\t\t"},
		{"\n\n", " \n\t\n", "\r\r"},
	} {
		for _, s := range group[1:] {
			a, err := Decode([]byte(group[0]), "")
			if err != nil {
				t.Fatal(err)
			}
			b, err := Decode([]byte(s), "")
			if err != nil {
				t.Fatal(err)
			}
			if a.Tag() != b.Tag() {
				t.Errorf("%q has the tag %s, %q has %s", group[0], a.Tag(), s, b.Tag())
			}
		}
	}
	// BLAKE3 of the empty input and of "abc" are published.
	for s, want := range map[string]string{
		"":    "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
		"abc": "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
	} {
		x := FromBody([]byte(s), Format{Encoding: UTF8})
		tag, rev := x.Stamp([]byte(s))
		if string(rev) != want || string(tag) != strings.ToUpper(want[:4]) || RevisionOf([]byte(s)) != rev {
			t.Errorf("%q: %s %s", s, tag, rev)
		}
	}
}

// TestStampDigestsTheRawBytes: the digest of the text may stand for that of
// the file only where both are the same bytes, which equal lengths do not show.
func TestStampDigestsTheRawBytes(t *testing.T) {
	for _, c := range []struct{ raw, label string }{
		{"a\nb\n", ""},
		{"a \nb\n", ""},
		{"\ufeffa\n", ""},
		{"\xff\xfe\x2d\x4e\x2d\x4e", ""}, // as long in UTF-16 with its mark as in UTF-8
		{"\x94\x39\xda\x33", "gb18030"},  // four bytes here and in UTF-8
		{"\xe9\x00", "utf-16le"},
		{"\xe9\n", "windows-1252"},
	} {
		x, err := Decode([]byte(c.raw), c.label)
		if err != nil {
			t.Fatalf("%q: %v", c.raw, err)
		}
		tag, rev := x.Stamp([]byte(c.raw))
		if rev != RevisionOf([]byte(c.raw)) {
			t.Errorf("%q %s: the revision is not the digest of the raw bytes", c.raw, c.label)
		}
		if tag != x.Tag() {
			t.Errorf("%q: two tags", c.raw)
		}
	}
}

func TestTagIsLinear(t *testing.T) {
	// Blanks in a row, blank lines, and lone CRs must not be looked at twice.
	for _, unit := range []string{" ", "\n", " \n", "\r", "\r ", "x "} {
		body := []byte(strings.Repeat(unit, 1<<20))
		allocs := testing.AllocsPerRun(1, func() { FromBody(body, Format{}).Tag() })
		if allocs > 10 {
			t.Errorf("%q: %v allocations", unit, allocs)
		}
	}
}

func TestValidTag(t *testing.T) {
	for s, want := range map[string]bool{"00AF": true, "00af": true, "": false, "00A": false, "00AFF": false, "00AG": false, "00A\n": false, "00A@": false, "00A`": false} {
		if ValidTag(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name, raw, label, body string
		format                 Format
	}{
		{"empty", "", "", "", Format{Encoding: UTF8}},
		{"utf-8", "é\n", "", "é\n", Format{Encoding: UTF8}},
		{"mark", "\xef\xbb\xbfé\n", "", "é\n", Format{Encoding: UTF8, BOM: true}},
		{"mark alone", "\xef\xbb\xbf", "", "", Format{Encoding: UTF8, BOM: true}},
		{"two marks", "\xef\xbb\xbf\xef\xbb\xbfa", "", "\ufeffa", Format{Encoding: UTF8, BOM: true}},
		{"invalid", "\xe9\n", "", "\xe9\n", Format{Encoding: UTF8}},
		{"utf-16le", "\xff\xfea\x00\r\x00\n\x00", "", "a\r\n", Format{Encoding: UTF16LE, BOM: true}},
		{"utf-16be", "\xfe\xff\x00a\x00\n", "", "a\n", Format{Encoding: UTF16BE, BOM: true}},
		{"utf-16 mark alone", "\xff\xfe", "", "", Format{Encoding: UTF16LE, BOM: true}},
		{"pair", "\xff\xfe\x3d\xd8\x00\xde", "", "\U0001F600", Format{Encoding: UTF16LE, BOM: true}},
		{"pair be", "\xfe\xff\xd8\x3d\xde\x00", "", "\U0001F600", Format{Encoding: UTF16BE, BOM: true}},
		{"high alone", "\xff\xfe\x3d\xd8a\x00", "", "\xed\xa0\xbda", Format{Encoding: UTF16LE, BOM: true}},
		{"high at the end", "\xff\xfe\x3d\xd8", "", "\xed\xa0\xbd", Format{Encoding: UTF16LE, BOM: true}},
		{"low alone", "\xff\xfe\x00\xde", "", "\xed\xb8\x80", Format{Encoding: UTF16LE, BOM: true}},
		{"low, high", "\xfe\xff\xdf\xff\xd8\x00", "", "\xed\xbf\xbf\xed\xa0\x80", Format{Encoding: UTF16BE, BOM: true}},
		{"high, high, low", "\xfe\xff\xd8\x00\xd8\x3d\xde\x00", "", "\xed\xa0\x80\U0001F600", Format{Encoding: UTF16BE, BOM: true}},
		{"replacement character", "\xfe\xff\xff\xfd", "", "\ufffd", Format{Encoding: UTF16BE, BOM: true}},
		{"named utf-8", "é", "utf8", "é", Format{Encoding: UTF8, Named: true}},
		{"named utf-8, mark", "\xef\xbb\xbfé", "UTF-8", "é", Format{Encoding: UTF8, BOM: true, Named: true}},
		{"named utf-16le without a mark", "a\x00\n\x00", "utf-16le", "a\n", Format{Encoding: UTF16LE, Named: true}},
		{"named utf-16le with a mark", "\xff\xfea\x00", "utf-16", "a", Format{Encoding: UTF16LE, BOM: true, Named: true}},
		{"named utf-16be", "\x00a", "utf-16be", "a", Format{Encoding: UTF16BE, Named: true}},
		{"latin-1", "caf\xe9\r\n", "latin1", "café\r\n", Format{Encoding: "windows-1252", Named: true}},
		{"shift_jis", "\x93\xfa\x96\x7b\n", "sjis", "日本\n", Format{Encoding: "shift_jis", Named: true}},
		{"gbk", "\xc4\xe3\n", "gbk", "你\n", Format{Encoding: "gbk", Named: true}},
		{"euc-kr", "\xc7\xd1\n", "euc-kr", "한\n", Format{Encoding: "euc-kr", Named: true}},
		{"iso-2022-jp", "\x1b$B$\"\x1b(B\n", "iso-2022-jp", "あ\n", Format{Encoding: "iso-2022-jp", Named: true}},
	} {
		got, err := Decode([]byte(c.raw), c.label)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if string(got.Body()) != c.body || got.Format() != c.format {
			t.Errorf("%s: %q %+v, want %q %+v", c.name, got.Body(), got.Format(), c.body, c.format)
		}
		back, err := got.Encode()
		if err != nil || string(back) != c.raw {
			t.Errorf("%s: back on disk %q %v, want %q", c.name, back, err, c.raw)
		}
		checkModel(t, got)
	}
}

func TestDecodeRefusals(t *testing.T) {
	for _, c := range []struct{ name, raw, label, want string }{
		{"nul", "a\x00b", "", "EDIT_BINARY: rejected, nothing was written. the file is binary: there is a NUL byte at offset 1. Leave it to a tool for binary files."},
		{"nul behind a mark", "\xef\xbb\xbf\x00", "", "EDIT_BINARY: rejected, nothing was written. the file is binary: there is a NUL byte at offset 3. Leave it to a tool for binary files."},
		{"nul in utf-16", "\xff\xfe\x00\x00", "", "EDIT_BINARY: rejected, nothing was written. the file is binary: there is a NUL character at offset 2 of its UTF-16 text. Leave it to a tool for binary files."},
		{"odd utf-16", "\xff\xfea", "", "EDIT_ENCODING: rejected, nothing was written. the file has a UTF-16 byte order mark and an odd number of bytes (3). Mend or convert the file first."},
		{"nul, named", "a\x00", "latin1", "EDIT_BINARY: rejected, nothing was written. the file is binary: there is a NUL byte at offset 1. Leave it to a tool for binary files."},
		{"unknown label", "a", "klingon", "INVALID_ARGUMENT: rejected, nothing was written. there is no encoding called \"klingon\". Use a WHATWG label such as windows-1252, shift_jis, gbk or euc-kr, or leave encoding out."},
		{"no file encoding", "a", "x-user-defined", "INVALID_ARGUMENT: rejected, nothing was written. the encoding \"x-user-defined\" cannot be used for files."},
		{"replacement", "a", "replacement", "INVALID_ARGUMENT: rejected, nothing was written. the encoding \"replacement\" cannot be used for files."},
		{"not utf-8", "\xe9", "utf-8", "EDIT_ENCODING: rejected, nothing was written. the file is not valid utf-8: decoding it and encoding it again does not give the same bytes. Read it without an encoding, or name the right one."},
		{"not shift_jis", "\x80\xff\n", "shift_jis", "EDIT_ENCODING: rejected, nothing was written. the file is not valid shift_jis: decoding it and encoding it again does not give the same bytes. Read it without an encoding, or name the right one."},
		{"half a pair, named", "\x3d\xd8", "utf-16le", "EDIT_ENCODING: rejected, nothing was written. the file is not valid utf-16le: decoding it and encoding it again does not give the same bytes. Read it without an encoding, or name the right one."},
	} {
		_, err := Decode([]byte(c.raw), c.label)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
	}
}

// TestEveryLabel: no WHATWG label panics or gives other bytes back.
func TestEveryLabel(t *testing.T) {
	labels := []string{"866", "arabic", "big5", "cn-big5", "cp1251", "cp866", "euc-jp", "euc-kr", "gb18030", "gb2312", "gbk", "hebrew",
		"hz-gb-2312", "iso-2022-jp", "iso-2022-kr", "iso-8859-2", "iso-8859-8-i", "iso-8859-16", "koi8-r", "koi8-u", "ks_c_5601-1987", "latin1", "latin2",
		"macintosh", "shift_jis", "tis-620", "utf-16", "utf-16be", "utf-16le", "utf-8", "windows-1252", "windows-1258", "x-mac-cyrillic", "x-sjis", "x-user-defined"}
	raws := []string{"", "a\n", "\xef\xbb\xbfa", "\x80\x81\xfe\xff", "\x1b$B$\"", "\xa4\xa2\r\n", "~{<:~}\n", "\x8f\xa2\xaf", "\x0e\x0f"}
	for _, label := range labels {
		if err := KnownEncoding(label); err != nil {
			if _, lerr := htmlindex.Get(label); lerr == nil {
				t.Errorf("%s: %v", label, err)
			}
			continue
		}
		for _, raw := range raws {
			x, err := Decode([]byte(raw), label)
			if err != nil {
				if refusal.As(err) == nil {
					t.Errorf("%s, %q: %v is no refusal", label, raw, err)
				}
				continue
			}
			if back, err := x.Encode(); err != nil || string(back) != raw {
				t.Errorf("%s: %q comes back as %q, %v", label, raw, back, err)
			}
			checkModel(t, x)
		}
	}
}

func TestAcceptsAndCanEncode(t *testing.T) {
	decode := func(raw, label string) *Text {
		x, err := Decode([]byte(raw), label)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, c := range []struct {
		name            string
		text            *Text
		row             string
		accepts, encode bool
	}{
		{"utf-8", decode("a\n", ""), "é", true, true},
		{"invalid utf-8, ascii", decode("\xff\n", ""), "a", true, true},
		{"invalid utf-8, other", decode("\xff\n", ""), "é", false, true},
		{"row not utf-8", decode("a\n", ""), "\xff", false, true},
		{"utf-16", decode("\xff\xfea\x00", ""), "é\U0001F600", true, true},
		{"utf-16 with half a pair", decode("\xff\xfe\x00\xd8", ""), "é", true, true},
		{"latin-1 holds", decode("\xe9", "latin1"), "ü", true, true},
		{"latin-1 does not hold", decode("\xe9", "latin1"), "日", true, false},
		{"shift_jis does not hold", decode("\x93\xfa", "sjis"), "é", true, false},
		{"gb18030 holds all", decode("a", "gb18030"), "\U0001F600", true, true},
	} {
		if got := c.text.Accepts(c.row); got != c.accepts {
			t.Errorf("%s: accepts is %v", c.name, got)
		}
		if got := c.text.Format().CanEncode(c.row); got != c.encode {
			t.Errorf("%s: can encode is %v", c.name, got)
		}
	}
	for _, c := range []struct {
		body string
		f    Format
		want string
	}{
		{"日", Format{Encoding: "windows-1252", Named: true}, "EDIT_ENCODING: rejected, nothing was written. the new text has a character that windows-1252, the encoding of this file, cannot hold. Use characters of that encoding, or convert the file first."},
		{"\xff", Format{Encoding: UTF16LE, BOM: true}, "EDIT_ENCODING: rejected, nothing was written. the new text is not valid UTF-8, so it cannot be written as utf-16le."},
	} {
		if _, err := FromBody([]byte(c.body), c.f).Encode(); err == nil || err.Error() != c.want || !errors.Is(err, refusal.Encoding) {
			t.Errorf("%q: %v", c.body, err)
		}
	}
}

// FuzzText: any bytes are refused or come back as they were, and agree with the model.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a\r\nb\n", "a\rb", "\xef\xbb\xbfa", "\xff\xfe\x3d\xd8\x00\xde\n\x00", "\xfe\xff\xd8\x00\x00a", "\xff", "\x00", "a \t\r\n"} {
		f.Add([]byte(s), "")
		f.Add([]byte(s), "shift_jis")
		f.Add([]byte(s), "utf-16be")
	}
	f.Fuzz(func(t *testing.T, raw []byte, label string) {
		x, err := Decode(raw, label)
		if err != nil {
			if refusal.As(err) == nil {
				t.Fatalf("%v is no refusal", err)
			}
			return
		}
		back, err := x.Encode()
		if err != nil || !bytes.Equal(back, raw) {
			t.Fatalf("%q comes back as %q, %v", raw, back, err)
		}
		checkModel(t, x)
		if tag, rev := x.Stamp(raw); tag != x.Tag() || rev != RevisionOf(raw) {
			t.Fatalf("%q: stamped %s %s", raw, tag, rev)
		}
	})
}
