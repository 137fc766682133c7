package dialects

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"putcut/refusal"
	"putcut/text"
)

// fuzzFormat lowers hostile input against a hostile file. Whatever comes out
// keeps the promises of every batch; whatever does not is a refusal.
func fuzzFormat(f *testing.F, format Format, seeds ...string) {
	for _, s := range seeds {
		f.Add(s, "one\ntwo\nthree\n")
		f.Add(s, "a\r\n\tb\r\n")
	}
	f.Fuzz(func(t *testing.T, in, file string) {
		src := MapSource{"f": []byte(file)}
		for _, opt := range []Options{{}, {Exact: true}} {
			b, err := Lower(src, []Input{{Format: format, Text: in}, {Format: WholeFile, Path: "g", Text: "g\n"}}, opt)
			if err != nil {
				e := refusal.As(err)
				if e == nil {
					t.Fatalf("no refusal: %v", err)
				}
				if !utf8.ValidString(e.Error()) && utf8.ValidString(in) && utf8.ValidString(file) {
					t.Errorf("message is not valid UTF-8: %q", e.Error())
				}
				continue
			}
			check(t, b)
			b.Diff()
			if opt.Exact {
				for _, f := range b.Files {
					for _, e := range f.Report.Edits {
						if len(e.Relaxed) > 0 && e.Relaxed[0] != RelaxedOffset && !f.Create && f.Path != "g" {
							t.Errorf("relaxed %v though exact", e.Relaxed)
						}
					}
				}
			}
		}
	})
}

func FuzzReplacements(f *testing.F) {
	fuzzFormat(f, Replacements, set("one\ntwo\nthree\n", "two", "2"), set("a\r\n\tb\r\n", "a\nb", "c"), `[{"path":"f"}]`, `{"path":"\ud800"}`)
}

func FuzzAnchors(f *testing.F) {
	fuzzFormat(f, Anchors, `{"edits":[{"path":"f","anchor":"two","text":"2","mode":"replace"}]}`, `{"edits":[{"path":"f","anchor":"\\tb","text":"\n","mode":"insertAfter","expectCount":1}]}`)
}

func FuzzSearchReplace(f *testing.F) {
	fuzzFormat(f, SearchReplace, "f\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n", "`f`\n```\n------- SEARCH\r\nb\r\n=======\r\n+++++++ REPLACE", "f\n<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n")
}

func FuzzApplyPatch(f *testing.F) {
	fuzzFormat(f, ApplyPatch, envelope("*** Update File: f\n@@ one\n-two\n+2\n three\n*** End of File\n"), envelope("*** Update File: f\n*** Move to: h\n@@\n a\n\n-b\n+c\n"),
		envelope("*** Add File: n\n+a\n*** Delete File: f\n"))
}

func FuzzUnifiedDiff(f *testing.F) {
	fuzzFormat(f, UnifiedDiff, "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
		"diff --git a/f b/n\nold mode 100644\nnew mode 100755\nrename from f\nrename to n\n--- \"a/f\"\n+++ b/n\t\n@@ -1 +1 @@\n-a\r\n+b\n\\ No newline at end of file\n",
		"diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\r\n-\tb\r\n", "diff --git a/n b/n\nnew file mode 100644\n", "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x")
}

func FuzzWholeFile(f *testing.F) {
	fuzzFormat(f, WholeFile, "x/f.go\n```go\none\n2\n```\n", "n/a.go\n~~~\n```\n~~~\n")
}

// FuzzExactReplacement compares with the obvious: a text that occurs once is
// replaced, byte for byte, and every other success is a reported relaxation.
func FuzzExactReplacement(f *testing.F) {
	f.Add("one\ntwo\n", "two", "2\n3")
	f.Add("a\r\nb\r\nc", "b\nc", "x\ny")
	f.Add("a\n\tb\n\t\tc\n", "b\n\tc\n", "d\n")
	f.Add("\"q\"\\n\n", `\"q\"`, `\n`)
	f.Add("a\rb\r", "a", "b\n")
	f.Add("aaa\n", "aa", "b")
	f.Fuzz(func(t *testing.T, old, find, repl string) {
		doc, err := text.Decode([]byte(old), "")
		if err != nil || !utf8.ValidString(find) || !utf8.ValidString(repl) || find == "" {
			t.Skip()
		}
		body := string(doc.Body())
		file, err := lowerOne(t, MapSource{"f": []byte(old)}, Replacements, set(old, find, repl), Options{})
		_, n := occurrences([]byte(body), find, 0)
		switch {
		case err != nil:
			if n == 1 && doc.Accepts(repl) && doc.Format().CanEncode(repl) && !strings.Contains(repl, "\x00") {
				t.Fatalf("refused: %v", err)
			}
		case n == 1:
			if got, want := string(file.New.Body()), strings.Replace(body, find, repl, 1); got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
			if len(file.Report.Edits[0].Relaxed) > 0 {
				t.Fatal("relaxed though literal")
			}
		case n > 1:
			t.Fatalf("applied though it occurs %d times", n)
		case len(file.Report.Edits[0].Relaxed) == 0:
			t.Fatal("applied without an occurrence and without a report")
		}
	})
}

// indentModel is MatchIndent, the obvious way.
func indentModel(s, pattern string) []IndentMatch {
	rows, ended := splitText(pattern)
	some := false
	for i := range rows {
		in, rest := indentOf(rows[i])
		_ = in
		some = some || rest != ""
	}
	if !some {
		return nil
	}
	type line struct {
		s          string
		start, end int
		ended      bool
	}
	var lines []line
	for off := 0; off < len(s); {
		end := len(s)
		l := line{start: off}
		if i := strings.IndexByte(s[off:], '\n'); i >= 0 {
			end, l.ended = off+i+1, true
		}
		l.end = end
		l.s = s[off:end]
		if l.ended {
			l.s = strings.TrimSuffix(strings.TrimSuffix(l.s, "\n"), "\r")
		}
		lines = append(lines, l)
		off = end
	}
	var out []IndentMatch
	for i := 0; i+len(rows) <= len(lines); i++ {
		m := IndentMatch{Start: int64(lines[i].start), Lines: Range{i + 1, i + len(rows)}, Constant: true}
		ok, have := true, false
		for j, r := range rows {
			a, x := indentOf(r)
			b, y := indentOf(lines[i+j].s)
			if x != y {
				ok = false
				break
			}
			if x == "" {
				continue
			}
			s, fits := ShiftBetween(a, b)
			if !fits || have && s != m.Shift {
				m.Constant = false
			}
			m.Shift, have = s, true
		}
		last := lines[i+len(rows)-1]
		if !ok || ended && !last.ended {
			continue
		}
		if m.End = int64(last.start + len(last.s)); ended {
			m.End = int64(last.end)
		}
		if !m.Constant {
			m.Shift = Shift{}
		}
		out = append(out, m)
	}
	return out
}

func FuzzMatchIndent(f *testing.F) {
	f.Add("a\n\tb\n\t\tc\n", "b\n\tc\n")
	f.Add("a\r\n  a\r\n\r\n a", "a\n\na")
	f.Add("x\nx\nx\ny\n", "x\nx\n y")
	f.Add("\r\r\n\t\r", "\r")
	f.Fuzz(func(t *testing.T, s, pattern string) {
		want := indentModel(s, pattern)
		got, total, err := MatchIndent(iotestReader{strings.NewReader(s)}, pattern, 1<<20)
		if err != nil || total != len(want) || len(got) != total {
			t.Fatalf("%d matches (%v), want %d", total, err, len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("got %+v, want %+v", got[i], want[i])
			}
		}
	})
}

// iotestReader hands out few bytes at a time.
type iotestReader struct{ r io.Reader }

func (r iotestReader) Read(p []byte) (int, error) { return r.r.Read(p[:min(len(p), 3)]) }

func FuzzUnescapeJSON(f *testing.F) {
	for _, s := range []string{`a\n`, `\ud83d\ude00`, `\ud83d`, `\u00e`, `\\n`, `"`, "a\tb", `\/`, `\x`, "\\u00E9\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want string
		err := json.Unmarshal([]byte(`"`+s+`"`), &want)
		got, ok := UnescapeJSON(s)
		if valid := err == nil && utf8.ValidString(s) && loneSurrogate(s) < 0; ok != valid || ok && got != want {
			t.Fatalf("%q %v, want %q %v (%v)", got, ok, want, valid, err)
		}
		seq, n := UnescapeJSONSequences(s)
		if ok && seq != got {
			t.Fatalf("by sequence %q, whole %q", seq, got)
		}
		if n == 0 && seq != s {
			t.Fatalf("%q changed without a sequence", seq)
		}
	})
}

func FuzzAlignLines(f *testing.F) {
	f.Add("one\ntwo\nthree", int64(5), int64(6), int64(10))
	f.Add("\n\n", int64(1), int64(1), int64(0))
	f.Add(strings.Repeat("x", 5000)+"\n", int64(4999), int64(5000), int64(4999))
	f.Fuzz(func(t *testing.T, s string, lo, hi, bound int64) {
		start, end, err := AlignLines(strings.NewReader(s), lo, hi, bound)
		if lo < 0 || hi < lo || bound < 0 || hi > int64(len(s)) {
			wantRefusal(t, err, refusal.RangeInvalid)
			return
		}
		wantStart := int64(bytes.LastIndexByte([]byte(s[:lo]), '\n') + 1)
		from := hi
		if hi > lo {
			from--
		}
		wantEnd := int64(len(s))
		if i := strings.IndexByte(s[from:], '\n'); i >= 0 {
			wantEnd = from + int64(i) + 1
		}
		near := lo-wantStart <= bound && wantEnd-hi <= bound
		if near != (err == nil) {
			t.Fatalf("%d-%d (%v), want %d-%d within %d", start, end, err, wantStart, wantEnd, bound)
		}
		if near && (start != wantStart || end != wantEnd) {
			t.Fatalf("%d-%d, want %d-%d", start, end, wantStart, wantEnd)
		}
		if !near {
			wantRefusal(t, err, refusal.Limit)
		}
	})
}
