package golden

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseErrors(t *testing.T) {
	const step = "-- read n --\n"
	for _, c := range []struct{ archive, want string }{
		{"", "archive:1: the archive holds no step, so it shows nothing"},
		{"prose\n-- file n --\na\n", "archive:1: the archive holds no step, so it shows nothing"},
		{"prose\n\n-- nonsense n --\n" + step, `archive:3: there is no section of the kind "nonsense"`},
		{"-- file n --\na\nb\n-- file n --\n" + step, "archive:4: there is a section for n already"},
		{"-- file ../n --\n" + step, `archive:1: the path "../n" is not a clean relative path inside the root`},
		{"-- file a/../../n --\n" + step, `archive:1: the path "a/../../n" is not a clean relative path inside the root`},
		{"-- file /etc/n --\n" + step, `archive:1: the path "/etc/n" is not a clean relative path inside the root`},
		{"-- file a//n --\n" + step, `archive:1: the path "a//n" is not a clean relative path inside the root`},
		{"-- file . --\n" + step, "archive:1: a path is missing"},
		{"-- file \"a\\x00b\" --\n" + step, `archive:1: the path "a\x00b" holds control characters or is not UTF-8`},
		{"-- file a\\b --\n" + step, `archive:1: the path "a\\b" holds a backslash; write slashes`},
		{"-- hardlink n to=../x --\n" + step, `archive:1: the path "../x" is not a clean relative path inside the root`},
		{"-- link n --\n" + step, "archive:1: `link` needs where it leads: to=TARGET"},
		{"-- file n mode=4755 --\n" + step, `archive:1: mode is octal permission bits such as 0755, not "4755"`},
		{"-- file n crlf cr --\n" + step, "archive:1: `crlf` and `cr` exclude each other"},
		{"-- file n crlf crlf --\n" + step, "archive:1: the spelling `crlf` is given twice, or beside its opposite"},
		{"-- file n quoted bom --\n" + step, "archive:1: `quoted` and `base64` spell the exact bytes, so no other spelling stands beside them"},
		{"-- file n quoted --\nabc\n" + step, "archive:1: row 1 of the body is no string literal: abc"},
		{"-- file n base64 --\n*\n" + step, "archive:1: the body is no base64: illegal base64 data at input byte 0"},
		{"-- file n no-eol --\n" + step, "archive:1: `no-eol` needs a body"},
		{"-- file n lines=0 --\na\n" + step, `archive:1: lines is a number from 1, not "0"`},
		{"-- file n lines=99999999999 --\naaaa\n" + step, "archive:1: the bodies of the archive stand for more than 67108864 bytes"},
		{"-- file \"n --\n" + step, `archive:1: a quoted word does not end: "n`},
		{"-- edit n {{tag n --\n", "archive:1: a placeholder does not end: {{tag n"},
		{"-- read n nowhere=1 --\n", "archive:1: there is no argument `nowhere`"},
		{"-- read n path=m --\n", "archive:1: the argument `path` is given twice"},
		{"-- edit n 0000 ops=x --\n", "archive:1: the argument `ops` is given twice"},
		{"-- read n max_columns=many --\n", "archive:1: the argument `max_columns` is a whole number, not \"many\""},
		{"-- edit n dry_run=maybe --\n", "archive:1: the argument `dry_run` is true or false, not \"maybe\""},
		{"-- patch n --\n", "archive:1: `patch` has no place for the word \"n\""},
		{"-- read n 1-2 more --\n", "archive:1: `read` has no place for the word \"more\""},
		{"-- read n --\nbody\n", "archive:1: `read` takes no body"},
		{"-- read n quoted --\n", "archive:1: `read` takes no body, so a spelling of it means nothing"},
		{step + "-- file m --\n", "archive:2: `file` comes before the first step; use `outside` for what changes later"},
		{step + "-- want --\nx\n-- want --\n", "archive:4: `want` stands directly after the step it is about"},
		{"-- want --\nx\n" + step, "archive:1: `want` stands directly after the step it is about"},
		{"-- options --\na=1\n\nb\n" + step, `archive:4: an option is ` + "`key=value`" + `, not "b"`},
		{"-- options --\na=1\na=1\n" + step, "archive:3: the option `a` is given twice"},
		{"-- k=v --\n", "archive:1: a marker starts with the kind of its section"},
		{strings.Repeat("-- dir d --\n", maxSections+1), fmt.Sprintf("archive:1: the archive has %d sections, and %d is the limit", maxSections+1, maxSections)},
	} {
		_, err := Parse([]byte(c.archive))
		var bad *SyntaxError
		if !errors.As(err, &bad) || err.Error() != c.want {
			t.Errorf("%.80q:\n got %v\nwant %s", c.archive, err, c.want)
		}
	}
	if _, err := Parse(make([]byte, maxArchive+1)); err == nil {
		t.Error("an archive over the limit is accepted")
	}
}

// FuzzParse: any bytes are an archive or a refusal with a row, and what parses
// says the same again when it is written back.
func FuzzParse(f *testing.F) {
	f.Add([]byte("p\n-- file n.txt crlf --\na\n-- read n.txt 1-2 session=b --\n-- want has --\n1:a\n-- now n.txt --\n"))
	f.Add([]byte("-- options --\nops=3\n-- edit n {{tag@0 n}} dry_run=true --\nCUT 1\n-- refused EDIT_X --\n"))
	f.Add([]byte("-- link a to=../.. --\n-- outside a/b --\nx\n-- read a --\r\n"))
	f.Add([]byte("-- file n lines=99999 --\n{{n}}{{n}}\n-- patch --\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		var bad *SyntaxError
		if err != nil {
			if !errors.As(err, &bad) || bad.Line < 1 || bad.Line > bytes.Count(data, []byte{'\n'})+1 {
				t.Fatalf("%v", err)
			}
			return
		}
		again, err := Parse(s.Update(&Report{}))
		if err != nil || len(again.sections) != len(s.sections) {
			t.Fatalf("written back: %v", err)
		}
		for i := range s.sections {
			if !bytes.Equal(s.sections[i].data, again.sections[i].data) {
				t.Fatalf("section %d changed", i)
			}
		}
	})
}

func run(t *testing.T, archive string, opts Options) (*Scenario, *Report) {
	t.Helper()
	s, err := Parse([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	opts.TempDir = t.TempDir()
	r, err := s.Run(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(opts.TempDir)
	if err != nil || len(left) > 0 {
		t.Errorf("the run left %v behind", left)
	}
	return s, r
}

// script is a front end whose tools do what a test says.
type script func(w Workspace, c Call) (Result, error)

func (f script) open(_ context.Context, w Workspace) (FrontEnd, error) { return scripted{f, w}, nil }

type scripted struct {
	f script
	w Workspace
}

func (s scripted) Call(_ context.Context, c Call) (Result, error) { return s.f(s.w, c) }
func (s scripted) Close() error                                   { return nil }

func TestReports(t *testing.T) {
	write := func(name, data string) script {
		return func(w Workspace, c Call) (Result, error) {
			return Result{Text: "done\n"}, os.WriteFile(filepath.Join(w.Root, name), []byte(data), 0o644)
		}
	}
	say := func(refused bool, text string) script {
		return func(Workspace, Call) (Result, error) { return Result{refused, text}, nil }
	}
	const n = "-- file n --\na\n"
	for _, c := range []struct {
		name, archive string
		front         script
		want          string
	}{
		{"as stated", n + "-- edit n --\n-- want --\ndone\n-- now n --\nb\n", write("n", "b\n"), ""},
		{"other text", n + "-- edit n --\n-- want --\nx\ny\n", say(false, "x\nz\n"),
			"archive:4: the result is another one\n    @@ -1,2 +1,2 @@\n     x\n    -y\n    +z\n"},
		{"unstated change", n + "-- edit n --\n", write("n", "b\n"),
			"archive:3: at the end n has other content, and no section after the last change says so\n    @@ -1,1 +1,1 @@\n    -a\n    +b\n"},
		{"unstated file", n + "-- edit n --\n", write("m", "b\n"),
			"archive:3: at the end m is there, and should not be, and no section after the last change says so\n    @@ -1,0 +1,1 @@\n    +b\n"},
		{"a read that writes", n + "-- read n --\n-- now n --\nb\n", write("n", "b\n"),
			"archive:3: the call may not change anything, and n has other content\n"},
		{"a dry run that writes", n + "-- edit n dry_run=true --\n-- now n --\nb\n", write("n", "b\n"),
			"archive:3: the call may not change anything, and n has other content\n"},
		{"refused unasked", n + "-- edit n --\n", say(true, "EDIT_X: no\n"),
			"archive:3: the call is refused, and nothing says that it should be\n    EDIT_X: no\n"},
		{"refused, not accepted", n + "-- edit n --\n-- want --\ndone\n", say(true, "EDIT_X: no\n"),
			"archive:4: the call is refused, and it should be accepted\n    EDIT_X: no\n"},
		{"accepted, not refused", n + "-- edit n --\n-- refused --\n", say(false, "done\n"),
			"archive:4: the call is accepted, and it should be refused\n    done\n"},
		{"other code", n + "-- edit n --\n-- refused EDIT_Y --\n", say(true, "EDIT_X: no\n"),
			"archive:4: the refusal is EDIT_X, and it should be EDIT_Y\n    EDIT_X: no\n"},
		{"unfilled refusal", n + "-- edit n --\n-- refused --\n", say(true, "EDIT_X: no\n"),
			"archive:4: the expectation is empty; run with update to fill it\n    EDIT_X: no\n"},
		{"code alone", n + "-- edit n --\n-- refused EDIT_X --\n", say(true, "EDIT_X: no\n"), ""},
		{"has in order", n + "-- edit n --\n-- want has --\na\nc\n", say(false, "xay\nb\nc\n"), ""},
		{"has out of order", n + "-- edit n --\n-- want has --\nc\na\n", say(false, "a\nc\n"),
			"archive:4: the result lacks \"a\", or has it before another row that should come first\n    a\n    c\n"},
		{"unfilled", n + "-- edit n --\n-- want --\n", say(false, "a\n"),
			"archive:4: the expectation is empty; run with update to fill it\n    a\n"},
		{"no such tag", n + "-- edit n {{tag n}} --\n-- want --\na\n", say(false, "a\n"),
			"archive:3: {{tag n}}: no result has printed a tag of n yet\n"},
		{"invisible difference", n + "-- edit n --\n-- want --\na\n", say(false, "a\r\n"),
			"archive:4: the result is another one\n    -\"a\\n\"\n    +\"a\\r\\n\"\n"},
		{"file is gone", n + "-- edit n --\n-- gone n --\n", say(false, "a\n"),
			"archive:4: n is there, and should not be\n    @@ -1,0 +1,1 @@\n    +a\n"},
		{"beside the root", n + "-- edit n --\n", write("../x", "b\n"),
			"archive:3: something appeared outside the root: ../x\n"},
		{"link kept", "-- file d/n --\na\n-- link l to=d/n --\n-- edit l --\n-- now d/n --\nb\n", write("l", "b\n"), ""},
		{"link replaced", "-- file n --\na\n-- link l to=n --\n-- edit l --\n",
			func(w Workspace, c Call) (Result, error) {
				os.Remove(filepath.Join(w.Root, "l"))
				return Result{}, os.WriteFile(filepath.Join(w.Root, "l"), nil, 0o644)
			},
			"archive:4: at the end l is a regular file, and should be a symbolic link, and no section after the last change says so\n"},
		{"mode lost", "-- file n mode=0755 --\na\n-- edit n --\n-- now n --\na\n",
			func(w Workspace, c Call) (Result, error) {
				return Result{}, os.Chmod(filepath.Join(w.Root, "n"), 0o644)
			},
			"archive:4: n has the mode 0644, and should have 0755\n"},
		{"outside through an escaping link", "-- link l to=.. --\n-- outside l/x --\na\n-- read n --\n", say(false, ""),
			"archive:2: mkdirat l: statat l: path escapes from parent\n"},
		{"outside onto a folder", "-- file d/n --\na\n-- outside d --\na\n-- read n --\n", say(false, ""),
			"archive:3: openat d: is a directory\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, r := run(t, c.archive, Options{Open: c.front.open})
			if got := r.Diff(); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
			if r.OK() != (c.want == "") {
				t.Error("OK and Diff disagree")
			}
		})
	}
}

func TestTagsArgumentsAndSessions(t *testing.T) {
	var got []string
	front := script(func(w Workspace, c Call) (Result, error) {
		got = append(got, fmt.Sprint(w.Session, " ", c.Tool, " ", c.Args))
		return Result{Text: fmt.Sprintf("[a b.txt#00%02d]\n%s\n", len(got)/2, w.Root)}, nil
	})
	_, r := run(t, `
-- read "a b.txt" --
-- want --
[a b.txt#0000]
{{root}}
-- read "a b.txt" 1-2 max_columns=7 session=other --
-- edit "a b.txt" {{tag a b.txt}} --
PUT 1:
+{{tag@0 a b.txt}} {{tags}} {{ tag x}}
-- want --
[a b.txt#{{tag a b.txt}}]
{{root}}
-- edit "a b.txt" {{tag@1 a b.txt}} literal --
+{{tag@0 a b.txt}}
-- write path=n expect=absent no-eol --
x
-- undo --
`, Options{Open: front.open})
	if !r.OK() {
		t.Fatal(r.Diff())
	}
	want := []string{
		" read map[path:a b.txt]",
		"other read map[max_columns:7 path:a b.txt ranges:1-2]",
		" edit map[ops:PUT 1:\n+0000 {{tags}} {{ tag x}}\n path:a b.txt tag:0001]",
		" edit map[ops:+{{tag@0 a b.txt}}\n path:a b.txt tag:0001]",
		" write map[content:x expect:absent path:n]",
		" undo map[]",
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("calls:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestUpdate(t *testing.T) {
	before := `Prose.

-- file n.txt crlf --
one
two
-- read n.txt --
-- want --
-- edit n.txt {{tag n.txt}} --
PUT 2.=2:
+TWO
-- want has --
modified
-- edit n.txt {{tag n.txt}} --
PUT 9.=9:
+nine
-- edit n.txt {{tag@0 n.txt}} --
CUT 1.=1
-- refused EDIT_OTHER --
wrong
`
	want := `Prose.

-- file n.txt crlf --
one
two
-- read n.txt --
-- want --
[n.txt#{{tag n.txt}}]
1:one
2:two
-- edit n.txt {{tag n.txt}} --
PUT 2.=2:
+TWO
-- want has --
modified
-- edit n.txt {{tag n.txt}} --
PUT 9.=9:
+nine
-- refused EDIT_RANGE_INVALID --
EDIT_RANGE_INVALID: rejected, nothing was written
n.txt: script row 1, column 1: ` + "`PUT 9.=9:`" + ` names line 9, but under this tag the file has lines 1 to 2.
next: Use numbers printed under this tag.
-- edit n.txt {{tag@0 n.txt}} --
CUT 1.=1
-- want --
[n.txt#{{tag n.txt}}]
modified: +0 -1 lines
CUT 1.=1: old line 1 gone
1:TWO
-1:one
old 2-… → -1
numbers read under #{{tag@0 n.txt}} stay good with #{{tag@0 n.txt}}
numbers read under #{{tag@1 n.txt}} stay good with #{{tag@1 n.txt}}
call c2
-- now n.txt crlf --
TWO
`
	s, r := run(t, before, Options{})
	if r.OK() {
		t.Fatal("the scenario should fail")
	}
	got := s.Update(r)
	if string(got) != want {
		t.Errorf("updated:\n%s\n%s", got, diffTexts(want, string(got)))
	}
	s, r = run(t, string(got), Options{})
	if !r.OK() {
		t.Errorf("the updated scenario fails:\n%s", r.Diff())
	}
	if string(s.Update(r)) != string(got) {
		t.Error("an update of what holds changes it")
	}
}

func TestUpdateKeepsLiteralTags(t *testing.T) {
	s, r := run(t, "-- file n.txt --\na\n-- read n.txt --\n-- want --\n[n.txt#0000]\n1:a\n", Options{})
	if got := string(s.Update(r)); !strings.Contains(got, "[n.txt#E56C]\n1:a\n") && strings.Contains(got, "{{tag") {
		t.Errorf("a literal tag became a placeholder:\n%s", got)
	}
}

// What came out as stated keeps its bytes also where some tags are written out.
func TestUpdateKeepsMixedTags(t *testing.T) {
	const stated = "-- want --\n[n.txt#{{tag n.txt}}]\n1:tag E56C\n"
	s, r := run(t, "-- file n.txt --\ntag E56C\n-- read n.txt --\n"+stated, Options{})
	if got := string(s.Update(r)); !r.OK() || !strings.Contains(got, stated) {
		t.Errorf("%s\nupdated:\n%s", r.Diff(), got)
	}
}

func TestUpdateOfPlaceholdersInTexts(t *testing.T) {
	s, r := run(t, "-- file n.txt --\n{{tag n.txt}} {{root}}\n-- read n.txt --\n-- want --\n", Options{})
	got := string(s.Update(r))
	if !strings.Contains(got, "-- want literal --\n[n.txt#") {
		t.Errorf("updated:\n%s", got)
	}
	if _, r := run(t, got, Options{}); !r.OK() {
		t.Error(r.Diff())
	}
}

func TestSkippedAndFailing(t *testing.T) {
	s, err := Parse([]byte("-- options --\nno_such=1\n-- read n --\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(context.Background(), Options{})
	if err != nil || r.Skipped != "the option `no_such`: unsupported operation" || !r.OK() {
		t.Errorf("%+v %v", r, err)
	}
	front := script(func(Workspace, Call) (Result, error) { return Result{}, errors.New("broken pipe") })
	s, _ = Parse([]byte("-- read n --\n"))
	if _, err := s.Run(context.Background(), Options{Open: front.open}); err == nil || err.Error() != "archive:1: the front end failed: broken pipe" {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Run(ctx, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestRunDir(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	if _, err := RunDir(ctx, dir, Options{}); err == nil {
		t.Error("a folder without archives passes")
	}
	put := func(name, data string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("b.txtar", "-- bad --\n")
	put("a.txtar", "-- file n --\na\n-- read n --\n-- want --\n")
	put("c.txt", "no archive")
	reports, err := RunDir(ctx, dir, Options{})
	if err != nil || len(reports) != 2 || reports[0].OK() || reports[1].OK() {
		t.Fatalf("%v %v", reports, err)
	}
	if want := filepath.Join(dir, "b.txtar") + ":1: there is no section of the kind \"bad\"\n"; reports[1].Diff() != want {
		t.Errorf("%s", reports[1].Diff())
	}
	r, err := RunFile(ctx, filepath.Join(dir, "a.txtar"), Options{Update: true})
	if err != nil || !r.OK() || !r.Updated {
		t.Fatalf("%+v %v", r, err)
	}
	r, err = RunFile(ctx, filepath.Join(dir, "a.txtar"), Options{Update: true})
	if err != nil || !r.OK() || r.Updated {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := RunDir(ctx, filepath.Join(dir, "missing"), Options{}); err == nil {
		t.Error("a missing folder passes")
	}
}
