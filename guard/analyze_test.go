package guard

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func brief(ws []Write) []string {
	var out []string
	for _, w := range ws {
		s := string(w.Kind) + " " + w.Target
		if !w.Literal {
			s += "!"
		}
		out = append(out, s)
	}
	return out
}

func TestWriting(t *testing.T) {
	if len(writing) < 60 {
		t.Errorf("%d commands that write; want at least 60", len(writing))
	}
	for _, tt := range writing {
		t.Run(tt.name, func(t *testing.T) {
			r := Analyze(tt.command)
			if r.ParseError != "" || r.Truncated {
				t.Errorf("parse error %q, truncated %t", r.ParseError, r.Truncated)
			}
			if got, want := strings.Join(brief(r.Writes), "\n"), strings.Join(tt.want, "\n"); got != want {
				t.Errorf("%s\ngot:\n%s\nwant:\n%s", tt.command, got, want)
			}
			for _, w := range r.Writes {
				if w.Row < 1 || w.Column < 1 {
					t.Errorf("no position: %+v", w)
				}
			}
		})
	}
}

func TestReading(t *testing.T) {
	if len(reading) < 60 {
		t.Errorf("%d commands that only read; want at least 60", len(reading))
	}
	for _, tt := range reading {
		t.Run(tt.name, func(t *testing.T) {
			r := Analyze(tt.command)
			if r.ParseError != "" || r.Truncated || len(r.Writes) != 0 {
				t.Errorf("%s\ngot %q, parse error %q, truncated %t", tt.command, brief(r.Writes), r.ParseError, r.Truncated)
			}
		})
	}
}

func TestFields(t *testing.T) {
	tests := []struct {
		name, command string
		want          Write
	}{
		{
			"redirection of a simple command", "ls -l\n  echo hi >> sub/../a.txt",
			Write{Kind: Append, Target: "sub/../a.txt", Literal: true, Path: "a.txt", Command: "echo", Row: 2, Column: 11, SuggestedTool: "edit"},
		},
		{
			"redirection of a block", "{ ls; } > a.txt",
			Write{Kind: Redirect, Target: "a.txt", Literal: true, Path: "a.txt", Row: 1, Column: 9, SuggestedTool: "write"},
		},
		{
			"heredoc", "/bin/cat > a.txt <<E\nx\nE",
			Write{Kind: Heredoc, Target: "a.txt", Literal: true, Path: "a.txt", Command: "cat", Row: 1, Column: 10, SuggestedTool: "write"},
		},
		{
			"operand behind wrappers", "cd src && sudo timeout 5 sed -i s/a/b/ a.go",
			Write{Kind: InPlace, Target: "a.go", Literal: true, Path: "src/a.go", Command: "sed", Via: []string{"sudo", "timeout"}, Row: 1, Column: 40, SuggestedTool: "edit"},
		},
		{
			"program in quotes", "bash -c 'cd d\n cp a b'",
			Write{Kind: Copy, Target: "b", Literal: true, Path: "d/b", Command: "cp", Via: []string{"bash"}, Row: 2, Column: 7, SuggestedTool: "write"},
		},
		{
			"program in a program", `bash -c "sh -c 'echo > x'"`,
			Write{Kind: Redirect, Target: "x", Literal: true, Path: "x", Command: "echo", Via: []string{"bash", "sh"}, Row: 1, Column: 22, SuggestedTool: "write"},
		},
		{
			"program that is computed", `bash -c "echo \"\$A\" > x"`,
			Write{Kind: Redirect, Target: "x", Literal: true, Path: "x", Command: "echo", Via: []string{"bash"}, Row: 1, Column: 9, SuggestedTool: "write"},
		},
		{
			"python in a here-document", "python3 - <<'EOF'\nimport os\n\nopen('a', 'w')\nEOF",
			Write{Kind: Interpreter, Target: "a", Literal: true, Path: "a", Command: "python3", Row: 4, Column: 1, SuggestedTool: "write"},
		},
		{
			"python that reads too is an edit", `python3 -c "s = open('a').read(); open('a', 'w').write(s)"`,
			Write{Kind: Interpreter, Target: "a", Literal: true, Path: "a", Command: "python3", Row: 1, Column: 35, SuggestedTool: "edit"},
		},
		{
			"absolute", "cd /x; echo > /y/z",
			Write{Kind: Redirect, Target: "/y/z", Literal: true, Path: "/y/z", Command: "echo", Row: 1, Column: 13, SuggestedTool: "write"},
		},
		{
			"home", "echo > ~/z",
			Write{Kind: Redirect, Target: "~/z", Literal: true, Path: "~/z", Command: "echo", Row: 1, Column: 6, SuggestedTool: "write"},
		},
		{
			"a directory called tilde", "echo > '~/z'",
			Write{Kind: Redirect, Target: "~/z", Literal: true, Path: "./~/z", Command: "echo", Row: 1, Column: 6, SuggestedTool: "write"},
		},
		{
			"directory that is not known", "cd $D; echo > z",
			Write{Kind: Redirect, Target: "z", Literal: true, Command: "echo", Row: 1, Column: 13, SuggestedTool: "write"},
		},
		{
			"directory of a subshell", "(cd d; ls); echo > z",
			Write{Kind: Redirect, Target: "z", Literal: true, Path: "z", Command: "echo", Row: 1, Column: 18, SuggestedTool: "write"},
		},
		{
			"cd or exit", "cd d || exit 1; echo > z",
			Write{Kind: Redirect, Target: "z", Literal: true, Path: "d/z", Command: "echo", Row: 1, Column: 22, SuggestedTool: "write"},
		},
		{
			"cd in a branch", "if x; then cd d; fi; echo > z",
			Write{Kind: Redirect, Target: "z", Literal: true, Command: "echo", Row: 1, Column: 27, SuggestedTool: "write"},
		},
		{
			"cd in a loop", "while x; do cd d; done; echo > z",
			Write{Kind: Redirect, Target: "z", Literal: true, Command: "echo", Row: 1, Column: 30, SuggestedTool: "write"},
		},
		{
			"git -C", "git -C sub checkout -- a",
			Write{Kind: Restore, Target: "a", Literal: true, Path: "sub/a", Command: "git", Row: 1, Column: 24},
		},
		{
			"env -C", "env -C sub touch a",
			Write{Kind: Touch, Target: "a", Literal: true, Path: "sub/a", Command: "touch", Via: []string{"env"}, Row: 1, Column: 18, SuggestedTool: "write"},
		},
		{
			"patch in the command", "patch -p1 -d sub <<'EOF'\n--- a/x\n+++ b/x\nEOF",
			Write{Kind: Patch, Target: "x", Literal: true, Path: "sub/x", Command: "patch", Row: 3, Column: 1, SuggestedTool: "patch"},
		},
		{
			"columns are bytes", "echo é > x",
			Write{Kind: Redirect, Target: "x", Literal: true, Path: "x", Command: "echo", Row: 1, Column: 9, SuggestedTool: "write"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Analyze(tt.command)
			if len(r.Writes) != 1 {
				t.Fatalf("writes: %+v", r.Writes)
			}
			if got := r.Writes[0]; !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	got, err := json.Marshal(Analyze(`sudo cp a b; ls > "$X"`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"writes":[{"kind":"copy","target":"b","literal":true,"path":"b","command":"cp","via":["sudo"],"row":1,"column":11,"suggestedTool":"write"},` +
		`{"kind":"redirect","target":"$X","literal":false,"command":"ls","row":1,"column":17,"suggestedTool":"write"}]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got, _ = json.Marshal(Analyze(`ls`))
	if string(got) != `{"writes":[]}` {
		t.Errorf("got %s", got)
	}
}

func TestPaths(t *testing.T) {
	r := Analyze("echo > a; echo >> ./a; cd x; echo > b; echo > $c")
	if got := strings.Join(r.Paths(), " "); got != "a x/b" {
		t.Errorf("got %q", got)
	}
	want := "redirect by echo: a; use write\nappend by echo: ./a; use edit\nredirect by echo: b (x/b); use write\nredirect by echo: $c (not literal); use write\n"
	if got := r.String(); got != want {
		t.Errorf("got %q", got)
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		command, err string
		want         []string
	}{
		{"cp a b\nif x", `row 2, column 1: "if <cond>" must be followed by "then"`, w("copy b")},
		{"echo 'abc", "row 1, column 6: reached EOF without closing quote '", nil},
		{"cp a b\nbash -c 'cp c d; ('", "row 2, column 18: reached EOF without matching ( with )", w("copy b", "copy d")},
	}
	for _, tt := range tests {
		r := Analyze(tt.command)
		if got := strings.Join(brief(r.Writes), "\n"); got != strings.Join(tt.want, "\n") || r.ParseError != tt.err {
			t.Errorf("%q: got %q, %q", tt.command, got, r.ParseError)
		}
	}
}

// TestBounds has commands that were made to be expensive: none may crash or
// take long. With the tag "soak" they are as large as commands can be.
func TestBounds(t *testing.T) {
	const full = hostileSize
	fill := func(s string) string { return strings.Repeat(s, full/len(s)) }
	nest := func(open, mid, shut string, n int) string {
		return strings.Repeat(open, n) + mid + strings.Repeat(shut, n)
	}
	quoted := "echo > x"
	for range 14 {
		quoted = "bash -c " + "'" + strings.ReplaceAll(quoted, "'", `'\''`) + "'"
		if len(quoted) > full {
			break
		}
	}
	tests := []struct{ name, command string }{
		{"too long", strings.Repeat(" ", MaxCommand+1)},
		{"open subshells", fill("(")},
		{"open blocks", fill("{ ")},
		{"open substitutions", fill("$(")},
		{"open quotes and substitutions", fill(`"$(`)},
		{"open expansions", fill("${a:-")},
		{"open backquotes", fill("`")},
		{"open arithmetic", "echo $((" + fill("(")},
		{"long arithmetic", "echo $((1" + fill("+1") + "))"},
		{"power", "echo $((1" + fill("**1") + "))"},
		{"ternary", "echo $((1" + fill("?1:1") + "))"},
		{"open ifs", fill("if ")},
		{"open whiles", fill("while ")},
		{"nots", fill("! ")},
		{"times", fill("time ")},
		{"functions", fill("f() ")},
		{"cases", fill("case a in a) ")},
		{"coprocs", fill("coproc ")},
		{"closed subshells", nest("(", "cp a b", ")", 200_000)},
		{"closed substitutions", nest("$(", "cp a b", ")", 100_000)},
		{"echo in echo", nest("echo $(", "echo a", ")", 500)},
		{"quoted echo in echo", nest(`echo "$(`, "echo a b", `)"`, 500)},
		{"pipes in echo", nest(`echo "$(`, "cp a b", `)" | sh`, 200)},
		{"tests", "[[ " + fill("! ") + " a ]]"},
		{"open tests", "[[ " + fill("( ")},
		{"and", "a" + fill("&&a")},
		{"and with writes", "a" + fill("&&a>b")},
		{"pipes", "a" + fill("|a")},
		{"or", "a" + fill("||a")},
		{"statements", fill("cp a b;")},
		{"many targets", fill(">a ")},
		{"here-documents", "cat " + fill("<<E ") + "\n"},
		{"closed here-documents", fill("cat <<E\nx\nE\n")},
		{"words", "sed -i " + fill("a ")},
		{"braces", "cp " + strings.Repeat("{a,b}", 1000)},
		{"open braces", "cp " + fill("{")},
		{"nested braces", "cp " + nest("{a,", "b", "}", 100_000)},
		{"sequence", "cp a {1..100000000}"},
		{"loops", nest("for i in a b; do ", "cp $i c", "; done", 300)},
		{"functions that call twice", doubling()},
		{"recursion", "f() { f; f; cp a b; }; f"},
		{"mutual recursion", "f() { g; }; g() { f; cp a b; }; f"},
		{"doubling variable", strings.Repeat("a=$a$a;", 100) + "a=xy;" + strings.Repeat("a=$a$a;", 100) + "cp a $a"},
		{"doubling arguments", "set -- a b;" + strings.Repeat(`set -- "$@" "$@";`, 100)},
		{"doubling array", "a=(x y);" + strings.Repeat(`a=("${a[@]}" "${a[@]}");`, 100)},
		{"long value used often", "a=xy;" + strings.Repeat("a=$a$a;", 100) + fill("cp a $a;")},
		{"long value in arguments", "a=xy;" + strings.Repeat("a=$a$a;", 22) + `set -- "$a"; ` + strings.Repeat(`set -- "$@" "$@"; `, 9) + fill(`eval "$@"; echo "$@" | sh; `)},
		{"nested programs", quoted},
		{"many programs", fill("sh -c 'cp a b';")},
		{"eval of itself", "f() { eval f; eval f; }; f"},
		{"wrappers", fill("sudo ") + "cp a b"},
		{"find", "find " + fill("-exec cp a b ; ")},
		{"sed script", "sed '" + fill("w a\n") + "'"},
		{"sed addresses", "sed '" + fill("/[") + "'"},
		{"ed script", "ed a <<'E'\n" + fill("w b\n") + "E\n"},
		{"patch text", "git apply <<'E'\n" + fill("+++ b/x\n") + "E\n"},
		{"python calls", "python3 - <<'E'\n" + fill("open('a','w')\n") + "E\n"},
		{"python copies", "python3 - <<'E'\n" + fill("copy(a)\n") + "E\n"},
		{"python open brackets", "python3 - <<'E'\n" + fill("open(") + "\nE\n"},
		{"python nested brackets", "python3 - <<'E'\n" + nest("open(", "1", ")", 100_000) + "\nE\n"},
		{"python chain", "python3 - <<'E'\n" + fill("a.") + "open('w')\nE\n"},
		{"python chain of calls", "python3 - <<'E'\n" + fill("open('w').") + "open('w')\nE\n"},
		{"python sum", "python3 - <<'E'\nopen(" + fill("a+") + "a, 'w')\nE\n"},
		{"python bindings", "python3 - <<'E'\n" + fill("a=a\n") + "E\n"},
		{"python doubling", "python3 - <<'E'\n" + pythonDoubling() + "open(z29,'w')\nE\n"},
		{"python exec", "python3 -c " + fill(`exec\(`)},
		{"perl quotes", "perl -e '" + fill("q(") + "'"},
		{"perl bare calls", "perl -e '" + fill("open a ") + "'"},
		{"perl substitutions", "perl -e '" + fill("s{a}") + "'"},
		{"perl here-documents", "perl - <<'E'\n" + fill("<<A,") + "\nE\n"},
		{"javascript regexps", "node - <<'E'\n" + fill("=/[") + "\nE\n"},
		{"javascript templates", "node - <<'E'\n" + fill("`${") + "\nE\n"},
		{"javascript arrows", "node - <<'E'\n" + fill("(a)=>") + "\nE\n"},
		{"javascript parameters", "node - <<'E'\n" + nest("(", "a", ")=>a", 100_000) + "\nE\n"},
		{"ruby percent", "ruby - <<'E'\n" + fill("%q(") + "\nE\n"},
		{"ruby bare calls", "ruby - <<'E'\n" + fill("open a,") + "\nE\n"},
		{"awk prints", "awk '" + fill("print a ") + "'"},
		{"zero bytes", fill("\x00")},
		{"bytes that are not UTF-8", fill("\xff>\xfe ")},
		{"marks", fill(opaqueOpen+"0"+opaqueClose) + "; cp a " + opaqueOpen + "99" + opaqueClose},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			r := Analyze(tt.command)
			if d := time.Since(start); d > 30*time.Second {
				t.Errorf("took %v", d)
			} else if testing.Verbose() && d > 200*time.Millisecond {
				t.Logf("%v, %d writes, truncated %t, %s", d, len(r.Writes), r.Truncated, r.ParseError)
			}
			if strings.HasPrefix(r.ParseError, failed) {
				t.Error(r.ParseError)
			}
			if len(r.Writes) > maxWrites {
				t.Errorf("%d writes", len(r.Writes))
			}
		})
	}
}

// doubling is functions of which each calls the next twice.
func doubling() string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "f%d() { f%d; f%d; }; ", i, i+1, i+1)
	}
	return b.String() + "f40() { cp a b; }; f0"
}

func pythonDoubling() string {
	var b strings.Builder
	b.WriteString("z0='ab'\n")
	for i := range 29 {
		fmt.Fprintf(&b, "z%d=z%d+z%d\n", i+1, i, i)
	}
	return b.String()
}

func FuzzAnalyze(f *testing.F) {
	for _, tt := range writing {
		f.Add(tt.command)
	}
	for _, tt := range reading {
		f.Add(tt.command)
	}
	f.Fuzz(func(t *testing.T, command string) {
		start := time.Now()
		check(t, Analyze(command))
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("took %v", d)
		}
	})
}

// FuzzInterpreters gives any text to every interpreter.
func FuzzInterpreters(f *testing.F) {
	for _, tt := range writing {
		f.Add(tt.command)
	}
	f.Fuzz(func(t *testing.T, prog string) {
		a := newAnalysis()
		for _, name := range []string{"python3", "node", "ruby", "perl", "php", "lua", "awk", "ed", "sh", "patch", "apply_patch"} {
			in := &input{text: prog, at: origin{position{1, 1}, true}}
			a.frame().call([]field{literal(name, position{1, 1})}, in)
		}
		for _, name := range []string{"awk", "sed", "ex"} {
			a.frame().call([]field{literal(name, position{1, 1}), {vals: []string{prog}, lit: true, at: origin{position{1, 1}, true}}}, nil)
		}
		check(t, a.report())
	})
}

func check(t *testing.T, r Report) {
	t.Helper()
	if strings.HasPrefix(r.ParseError, failed) {
		t.Error(r.ParseError)
	}
	if r.Writes == nil {
		t.Error("no list of writes")
	}
	for _, w := range r.Writes {
		if w.Row < 1 || w.Column < 1 || w.Kind == "" || w.Literal && w.Target == "" || !w.Literal && w.Path != "" {
			t.Errorf("%+v", w)
		}
	}
}
