package dialects

import (
	"testing"

	"putcut/refusal"
)

func TestUnifiedDiff(t *testing.T) {
	src := MapSource{
		"f":     []byte("one\ntwo\nthree\nfour\n"),
		"d/f":   []byte("one\ntwo\n"),
		"bare":  []byte("a\nb"),
		"crlf":  []byte("one\r\ntwo\r\n"),
		"empty": nil,
		"bom":   []byte("\ufeffa\nb\n"),
		"a b":   []byte("x\n"),
		"\té\"": []byte("x\n"),
		"cr":    []byte("a\rb\r"),
		"a/x":   []byte("x\n"),
		"latin": []byte("caf\xe9\nx\n"),
		"long":  []byte("0\n0\n0\none\ntwo\n"),
		"t.old": []byte("x\n"),
	}
	const body = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
	for _, c := range []struct{ name, in, path, want string }{
		{"diff -u", "--- f\t2024-01-01 00:00:00.000000000 +0000\n+++ f\t2024-01-02 00:00:00 +0000\n" + body, "f", "one\n2\nthree\nfour\n"},
		{"git", "diff --git a/f b/f\nindex 1234567..89abcde 100644\n--- a/f\n+++ b/f\n" + body, "f", "one\n2\nthree\nfour\n"},
		{"git without prefixes", "diff --git d/f d/f\n--- d/f\n+++ d/f\n@@ -1 +1 @@\n-one\n+1\n", "d/f", "1\ntwo\n"},
		{"git, a folder called a", "diff --git a/x a/x\n--- a/x\n+++ a/x\n@@ -1 +1 @@\n-x\n+y\n", "a/x", "y\n"},
		{"mnemonic prefixes", "diff --git i/f w/f\n--- i/f\n+++ w/f\n" + body, "f", "one\n2\nthree\nfour\n"},
		{"reversed", "diff --git b/f a/f\n--- b/f\n+++ a/f\n" + body, "f", "one\n2\nthree\nfour\n"},
		{"renamed by hand", "--- t.old\n+++ t.new\n@@ -1 +1 @@\n-x\n+y\n", "t.old", "y\n"},
		{"mail around", "From abc\nSubject: x\n\n---\n f | 2 +-\n\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n" + body + "-- \n2.39.5\n\n", "f", "one\n2\nthree\nfour\n"},
		{"index row of svn", "Index: f\n=====\n--- f\t(revision 1)\n+++ f\t(working copy)\n" + body, "f", "one\n2\nthree\nfour\n"},
		{"section name", "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@ func x() { @@ }\n one\n-two\n+2\n three\n", "f", "one\n2\nthree\nfour\n"},
		{"no context", "--- a/f\n+++ b/f\n@@ -2 +2,2 @@\n-two\n+2\n+2b\n", "f", "one\n2\n2b\nthree\nfour\n"},
		{"removal only", "--- a/f\n+++ b/f\n@@ -2,2 +1,0 @@\n-two\n-three\n", "f", "one\nfour\n"},
		{"content like headers", "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n one\n+-- a/q\n+++ b/q\n-two\n", "f", "one\n-- a/q\n++ b/q\nthree\nfour\n"},
		{"final newline dropped", "--- a/f\n+++ b/f\n@@ -4 +4 @@\n-four\n+four\n\\ No newline at end of file\n", "f", "one\ntwo\nthree\nfour"},
		{"final newline added", "--- a/bare\n+++ b/bare\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", "bare", "a\nb\n"},
		{"none on both sides", "--- a/bare\n+++ b/bare\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n", "bare", "A\nb"},
		{"append after it", "--- a/bare\n+++ b/bare\n@@ -2 +2,2 @@\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n", "bare", "a\nb\nc"},
		{"crlf rows", "--- a/crlf\n+++ b/crlf\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\r\n", "crlf", "one\r\n2\r\n"},
		{"crlf to lf", "--- a/crlf\n+++ b/crlf\n@@ -2 +2 @@\n-two\r\n+two\n", "crlf", "one\r\ntwo\n"},
		{"crlf lost", "--- a/crlf\n+++ b/crlf\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n", "crlf", "one\r\n2\r\n3\r\n"},
		{"crlf gained", "--- a/f\r\n+++ b/f\r\n@@ -1,2 +1,2 @@\r\n one\r\n-two\r\n+2\r\n", "f", "one\n2\nthree\nfour\n"},
		{"crlf all of it", "--- a/crlf\r\n+++ b/crlf\r\n@@ -1,2 +1,2 @@\r\n one\r\n-two\r\n+2\r\n", "crlf", "one\r\n2\r\n"},
		{"new", "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..1234567\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n", "n", "a\nb\n"},
		{"new, plain", "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n", "n", "a"},
		{"new, by its time", "--- n\t1970-01-01 00:00:00.000000000 +0000\n+++ n\t2024-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+a\n", "n", "a\n"},
		{"new, crlf in transit", "--- /dev/null\r\n+++ b/n\r\n@@ -0,0 +1 @@\r\n+a\r\n", "n", "a\n"},
		{"new in a folder b", "diff --git b/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n", "b/n", "a\n"},
		{"new and empty", "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n", "n", ""},
		{"removed", "diff --git a/d/f b/d/f\ndeleted file mode 100644\n--- a/d/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n", "d/f", "<gone>"},
		{"removed, empty", "diff --git a/empty b/empty\ndeleted file mode 100644\nindex e69de29..0000000\n", "empty", "<gone>"},
		{"removed by its blob alone", "diff --git a/d/f b/d/f\ndeleted file mode 100644\nindex 814f4a4..0000000\n", "d/f", "<gone>"},
		{"filled", "--- a/empty\n+++ b/empty\n@@ -0,0 +1 @@\n+a\n", "empty", "a\n"},
		{"emptied", "--- a/d/f\n+++ b/d/f\n@@ -1,2 +0,0 @@\n-one\n-two\n", "d/f", ""},
		{"byte order mark", "--- a/bom\n+++ b/bom\n@@ -1,2 +1,2 @@\n \ufeffa\n-b\n+c\n", "bom", "\ufeffa\nc\n"},
		{"byte order mark goes", "--- a/bom\n+++ b/bom\n@@ -1,2 +1,2 @@\n-\ufeffa\n+a\n b\n", "bom", "a\nb\n"},
		{"byte order mark goes, the line changes", "--- a/bom\n+++ b/bom\n@@ -1,2 +1,2 @@\n-\ufeffa\n+A\n b\n", "bom", "A\nb\n"},
		{"byte order mark goes, rows come above", "--- a/bom\n+++ b/bom\n@@ -1,2 +1,3 @@\n-\ufeffa\n+0\n+a\n b\n", "bom", "0\na\nb\n"},
		{"byte order mark goes, rows come below", "--- a/bom\n+++ b/bom\n@@ -1,2 +1,3 @@\n-\ufeffa\n+a\n+1\n b\n", "bom", "a\n1\nb\n"},
		{"byte order mark goes, rows come around", "--- a/bom\n+++ b/bom\n@@ -1,2 +1,4 @@\n-\ufeffa\n+0\n+a\n+1\n b\n", "bom", "0\na\n1\nb\n"},
		{"byte order mark goes, the next line too", "--- a/bom\n+++ b/bom\n@@ -1,2 +1 @@\n-\ufeffa\n-b\n+a\n", "bom", "a\n"},
		{"byte order mark goes with its line", "--- a/bom\n+++ b/bom\n@@ -1,2 +1 @@\n-\ufeffa\n b\n", "bom", "b\n"},
		{"byte order mark goes, a final newline too", "--- a/bom\n+++ b/bom\n@@ -1,2 +1,2 @@\n-\ufeffa\n-b\n+a\n+b\n\\ No newline at end of file\n", "bom", "a\nb"},
		{"byte order mark comes", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+\ufeffone\n", "f", "\ufeffone\ntwo\nthree\nfour\n"},
		{"byte order mark on both sides", "--- a/bom\n+++ b/bom\n@@ -1,2 +1,2 @@\n-\ufeffa\n+\ufeffA\n b\n", "bom", "\ufeffA\nb\n"},
		{"name with a blank", "diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-x\n+y\n", "a b", "y\n"},
		{"name in quotes", "diff --git \"a/\\t\\303\\251\\\"\" \"b/\\t\\303\\251\\\"\"\n--- \"a/\\t\\303\\251\\\"\"\n+++ \"b/\\t\\303\\251\\\"\"\n@@ -1 +1 @@\n-x\n+y\n", "\té\"", "y\n"},
		{"cr alone", "--- a/cr\n+++ b/cr\n@@ -1 +1 @@\n-a\rb\r\n\\ No newline at end of file\n+a\rc\r\n\\ No newline at end of file\n", "cr", "a\rc\r"},
		{"bytes", "--- a/latin\n+++ b/latin\n@@ -1,2 +1,2 @@\n-caf\xe9\n+th\xe9\n x\n", "latin", "th\xe9\nx\n"},
		{"empty row is context", "--- a/n1\n+++ b/n1\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "n1", "a\n\nc\n"},
		{"off by three", "--- a/long\n+++ b/long\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", "long", "0\n0\n0\none\n2\n"},
		{"last row cut short", "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-one\n+1\n two", "f", "1\ntwo\nthree\nfour\n"},
	} {
		src["n1"] = []byte("a\n\nb\n")
		t.Run(c.name, func(t *testing.T) {
			f, err := lowerOne(t, src, UnifiedDiff, c.in, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if f.Path != c.path || after(f) != c.want {
				t.Errorf("%s: %q, want %q", f.Path, after(f), c.want)
			}
		})
	}
}

func TestUnifiedDiffReports(t *testing.T) {
	src := MapSource{"long": []byte("0\n0\n0\none\ntwo\n"), "crlf": []byte("one\r\ntwo\r\n"), "f": []byte("x\ny\n")}
	f, err := lowerOne(t, src, UnifiedDiff, "--- a/long\n+++ b/long\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", Options{})
	if err != nil || len(f.Report.Edits[0].Relaxed) != 1 || f.Report.Edits[0].Relaxed[0] != RelaxedOffset || f.Report.Edits[0].Note != "stated for line 1, found at line 4" || f.Matched[0] != (Range{4, 5}) {
		t.Errorf("%+v %v", f.Report, err)
	}
	f, err = lowerOne(t, src, UnifiedDiff, "diff --git a/f b/g\nold mode 100644\nnew mode 100755\nsimilarity index 50%\nrename from f\nrename to g\n--- a/f\n+++ b/g\n@@ -1,2 +1,2 @@\n-x\n+z\n y\n", Options{})
	if err != nil || f.Path != "f" || f.MoveTo != "g" || f.Report.Modes[0] != (ModeChange{"100644", "100755"}) {
		t.Fatalf("%+v %v", f, err)
	}
	if got := f.Script(); got != "[f#"+f.Tag()+"]\nPUT 1.=1:\n+z\nMV g\n" {
		t.Errorf("%q", got)
	}
	f, err = lowerOne(t, src, UnifiedDiff, "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", Options{})
	if err != nil || f.Changed() || len(f.Report.Modes) != 1 {
		t.Errorf("%+v %v", f, err)
	}
	f, err = lowerOne(t, src, UnifiedDiff, "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n", Options{})
	if err != nil || f.Report.Modes[0] != (ModeChange{"", "100755"}) {
		t.Errorf("%+v %v", f, err)
	}
	f, err = lowerOne(t, src, UnifiedDiff, "diff --git a/f b/h\nsimilarity index 50%\ncopy from f\ncopy to h\n--- a/f\n+++ b/h\n@@ -1,2 +1,2 @@\n-x\n+z\n y\n", Options{})
	if err != nil || f.Path != "h" || !f.Create || after(f) != "z\ny\n" {
		t.Errorf("%+v %v", f, err)
	}
	f, err = lowerOne(t, src, UnifiedDiff, "--- p/q/f\n+++ r/s/f\n@@ -1 +1 @@\n-x\n+z\n", Options{Strip: 3})
	if err != nil || f.Path != "f" {
		t.Errorf("%+v %v", f, err)
	}
	b, err := Lower(src, []Input{{Format: UnifiedDiff, Path: "f", Text: "--- what.orig\n+++ ever\n@@ -1 +1 @@\n-x\n+z\n"}}, Options{})
	if err != nil || b.Files[0].Path != "f" {
		t.Error(err)
	}
	// A hunk without any old row is placed by the id of the old blob.
	f, err = lowerOne(t, src, UnifiedDiff, "diff --git a/f b/f\nindex b77b4eb..1234567 100644\n--- a/f\n+++ b/f\n@@ -1,0 +2 @@\n+q\n", Options{})
	if err != nil || after(f) != "x\nq\ny\n" {
		t.Errorf("%+v %v", f, err)
	}
}

func TestUnifiedDiffRefusals(t *testing.T) {
	src := MapSource{"f": []byte("one\ntwo\nthree\nfour\n"), "g": []byte("one\n"), "rep": []byte("a\nx\na\nx\n"), "bare": []byte("a\nb"), "bom": []byte("\ufeffa\n"), "wide": []byte("\xff\xfea\x00\n\x00"), "mix": []byte("one\r\ntwo\n")}
	const head = "--- a/f\n+++ b/f\n"
	for _, c := range []struct {
		name, in string
		code     refusal.Code
		parts    []string
	}{
		{"nothing", "hello\n", refusal.ParseFailed, []string{"no file of a unified diff"}},
		{"empty", "", refusal.ParseFailed, nil},
		{"hunk without names", "@@ -1 +1 @@\n-one\n+1\n", refusal.ParseFailed, []string{"without the `---` and `+++` rows"}},
		{"names without hunk", "diff --git a/f b/f\n" + head, refusal.ParseFailed, []string{"followed by no hunk"}},
		{"no numbers", "diff --git a/f b/f\n" + head + "@@ x @@\n-one\n", refusal.ParseFailed, []string{"no line numbers"}},
		{"too few rows", head + "@@ -1,3 +1,3 @@\n one\n-two\n+2\n", refusal.ParseFailed, []string{"script row 6: the hunk at row 3 ends early", "says 3 old and 3 new rows, and it has 2 and 2"}},
		{"too few rows, then a file", head + "@@ -1,3 +1,3 @@\n one\n-two\n+2\ndiff --git a/g b/g\n", refusal.ParseFailed, []string{"ends early"}},
		{"too many rows", head + "@@ -1,2 +1,2 @@\n one\n-two\n+2\n three\n", refusal.ParseFailed, []string{"script row 7: the hunk at row 3 has more rows"}},
		{"too many old", head + "@@ -1 +1,2 @@\n one\n-two\n+2\n", refusal.ParseFailed, []string{"has more rows"}},
		{"line 0", head + "@@ -0,1 +1 @@\n-one\n+1\n", refusal.ParseFailed, []string{"no line numbers"}},
		{"does not stand there", head + "@@ -1,2 +1,2 @@\n one\n-zwei\n+2\n", refusal.TextNotFound, []string{"f: script row 3: the text of hunk 1 (2 lines) does not stand at line 1, nor anywhere else", "line 2 is `two` where the edit has `zwei`"}},
		{"off and ambiguous", "--- a/rep\n+++ b/rep\n@@ -2,2 +2,2 @@\n a\n-x\n+y\n", refusal.TextAmbiguous, []string{"matches 2 regions", "line 2, where it should be, is none of them"}},
		{"blanks are content", head + "@@ -1,2 +1,2 @@\n one\n-two \n+2\n", refusal.TextNotFound, []string{"blanks at the end"}},
		{"no shift of indentation", head + "@@ -1,2 +1,2 @@\n  one\n-  two\n+  2\n", refusal.TextNotFound, nil},
		{"insertion without context", head + "@@ -2,0 +3 @@\n+x\n", refusal.TextNotFound, []string{"holds no line of the file"}},
		{"final newline differs", "--- a/bare\n+++ b/bare\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", refusal.TextNotFound, nil},
		{"end marked too early", head + "@@ -1,2 +1,2 @@\n-one\n+1\n\\ No newline at end of file\n two\n", refusal.ParseFailed, []string{"follows the one that is marked"}},
		{"end of file in the middle", head + "@@ -1 +1 @@\n-one\n+1\n\\ No newline at end of file\n", refusal.TextNotFound, []string{"ends the file without a newline"}},
		{"mixed endings", "--- a/mix\n+++ b/mix\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", refusal.TextNotFound, nil},
		{"hunks in disorder", head + "@@ -3 +3 @@\n-three\n+3\n@@ -1 +1 @@\n-one\n+1\n", refusal.RangeInvalid, []string{"hunk 2 comes before"}},
		{"binary", "diff --git a/f b/f\nindex 1..2\nGIT binary patch\nliteral 1\n", refusal.Binary, nil},
		{"binary, plain", "Binary files a/f and b/f differ\n", refusal.Binary, nil},
		{"symlink", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+f\n\\ No newline at end of file\n", refusal.NotRegular, nil},
		{"combined", "diff --cc f\n", refusal.ParseFailed, []string{"two old sides"}},
		{"context diff", "*** f\n--- f\n***************\n", refusal.ForeignFormat, nil},
		{"twice", head + "@@ -1 +1 @@\n-one\n+1\n" + head + "@@ -2 +2 @@\n-two\n+2\n", refusal.InvalidArgument, []string{"changes the file twice"}},
		{"both exist", "--- g\n+++ f\n@@ -1 +1 @@\n-one\n+1\n", refusal.InvalidArgument, []string{"names g and f, and both exist"}},
		{"no file", "--- a/q\n+++ b/q\n@@ -1 +1 @@\n-one\n+1\n", refusal.NotFound, []string{"q: script row 1"}},
		{"new over a file", "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+one\n", refusal.Exists, nil},
		{"new with old rows", "--- /dev/null\n+++ b/n\n@@ -1 +1 @@\n-one\n+1\n", refusal.ParseFailed, nil},
		{"removes a part", "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n", refusal.TextNotFound, []string{"as it was with 8 bytes, and it has 19"}},
		{"removes and keeps", "--- a/f\n+++ /dev/null\n@@ -1,2 +1 @@\n-one\n two\n", refusal.ParseFailed, []string{"leaves lines"}},
		{"removes what is not empty", "diff --git a/f b/f\ndeleted file mode 100644\nindex e69de29..0000000\n", refusal.TextNotFound, []string{"19 bytes"}},
		{"byte order mark moves", "--- a/bom\n+++ b/bom\n@@ -1 +1,2 @@\n+0\n \ufeffa\n", refusal.Encoding, []string{"the hunk moves the file's byte order mark"}},
		{"second byte order mark", "--- a/bom\n+++ b/bom\n@@ -1 +1 @@\n-a\n+\ufeffa\n", refusal.Encoding, []string{"adds a second one"}},
		{"byte order mark of UTF-16", "--- a/wide\n+++ b/wide\n@@ -1 +1 @@\n-\ufeffa\n+a\n", refusal.Encoding, []string{"removes one that UTF-16 needs"}},
		{"half a rename", "diff --git a/f b/g\nrename from f\n", refusal.ParseFailed, []string{"one side"}},
		{"bad quotes", "diff --git \"a/f b/f\n--- \"a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+1\n", refusal.ParseFailed, []string{"cannot be read"}},
		{"names that cannot be split", "diff --git a/f b/q\nold mode 100644\nnew mode 100755\n", refusal.ParseFailed, []string{"cannot be told apart"}},
		{"both null", "--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+a\n", refusal.ParseFailed, nil},
		{"nul", "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\x00\n", refusal.Binary, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Lower(src, []Input{{Format: UnifiedDiff, Text: c.in}}, Options{})
			wantRefusal(t, err, c.code, c.parts...)
		})
	}
	_, err := Lower(src, []Input{{Format: UnifiedDiff, Text: head + "@@ -1 +1 @@\n-one\n+1\n"}}, Options{Strip: 4})
	wantRefusal(t, err, refusal.ParseFailed, "too few parts")
}
