package session_test

import (
	"strings"
	"testing"

	"putcut/refusal"
	"putcut/session"
)

// A warning of likelihood never changes what is written, and quotes rows under
// their new numbers.
func TestLikelyMistakes(t *testing.T) {
	for _, test := range []struct {
		name, file, old, ops string
		want                 []string // code, then the message from its start; none for no warning
	}{
		{
			name: "two rows below", file: "n.txt", old: "a\nb\nc\nd\n", ops: "PUT 1.=1:\n+A\n+b\n+c",
			want: []string{"W_ECHO", "`PUT 1.=1:` puts lines 2-3, which repeat lines 4-5 below them, from `b` to `c`; if they were meant as context, `CUT 2.=3`"},
		},
		{
			name: "three rows above, a blank one among them", file: "n.txt", old: "a\n\nb\nc\nd\n", ops: "PUT 4.=4:\n+a\n+\n+b\n+C",
			want: []string{"W_ECHO", "`PUT 4.=4:` puts lines 4-6, which repeat lines 1-3 above them, from `a` to `b`; if they were meant as context, `CUT 4.=6`"},
		},
		{
			name: "one row, past a blank line", file: "n.txt", old: "a\n\nb\nc\n", ops: "PUT 1.=1:\n+A\n+b",
			want: []string{"W_ECHO", "`PUT 1.=1:` puts line 2, which repeats line 4 below it: `b`; if it was meant as context, `CUT 2.=2`"},
		},
		{name: "the neighbour was repeated before", file: "n.txt", old: "a\nb\nb\nc\n", ops: "PUT 1.=2:\n+A\n+b"},
		{name: "two rows were repeated before", file: "n.txt", old: "x\na\nb\na\nb\nc\n", ops: "PUT 1.=3:\n+X\n+a\n+b"},
		{name: "an insert that repeats nothing", file: "n.txt", old: "a\nb\n", ops: "PUT >1:\n+c"},
		{
			name: "a blank row beside a blank line", file: "n.txt", old: "one\n\ntwo\n", ops: "PUT 1.=1:\n+ONE\n+",
			want: []string{"W_ECHO", "`PUT 1.=1:` puts line 2, a blank line beside one, and the file had no two in a row; if it was meant as context, `CUT 2.=2`"},
		},
		{name: "a third blank line that replaces a line", file: "n.txt", old: "one\n\n\ntwo\n", ops: "PUT 1.=1:\n+ONE\n+"},
		{name: "two blank lines are usual here", file: "n.txt", old: "one\n\ntwo\n\n\nthree\n", ops: "PUT >1:\n+half\n+"},
		{
			name: "one line too low", file: "n.txt", old: "start here\nlimit := max(first, 10)\nreturn nothing\nend\n", ops: "PUT 3.=3:\n+limit := max(first, 20)",
			want: []string{"W_ECHO", "`PUT 3.=3:` puts line 3, which looks like a new form of line 2 above it and of none it replaced: `limit := max(first, 20)`, and above `limit := max(first, 10)`"},
		},
		{
			name: "one line short", file: "n.txt", old: "zzzzzzzz\nlimit := max(first, 10)\nend\n", ops: "PUT 1.=1:\n+limit := max(first, 20)",
			want: []string{"W_ECHO", "`PUT 1.=1:` puts line 1, which looks like a new form of line 2 below it"},
		},
		{name: "a pattern of the file", file: "n.txt", old: "limit := max(first, 8)\nlimit := max(first, 10)\nreturn nothing\nend\n", ops: "PUT 3.=3:\n+limit := max(first, 20)"},
		{
			name: "a list one row short", file: "n.txt", old: "deps:\n  alpha-parser 4.74.0 stable\n  beta-runner 17.0.0 stable\n  gamma-kit 4.9.0 stable\nend\n",
			ops:  "PUT 2.=3:\n+  alpha-parser 4.79.0 stable\n+  beta-runner 17.4.1 stable\n+  gamma-kit 4.10.0 stable",
			want: []string{"W_ECHO", "`PUT 2.=3:` puts line 4, which looks like a new form of line 5 below it"},
		},
		{
			name: "a list one row too low", file: "n.txt", old: "deps:\n  alpha parser, first of all\n  beta runner, fast\n  gamma kit of tools\nend\n",
			ops:  "PUT 3.=4:\n+  alpha parser, first of many\n+  beta runner, slow",
			want: []string{"W_ECHO", "`PUT 3.=4:` puts line 3, which looks like a new form of line 2 above it"},
		},
		{name: "a row added to one that stays", file: "n.txt", old: "import os\nimport testing\n\nimport frankban/quicktest\n", ops: "PUT 2.=3:\n+import testing\n+\n+import frankban/logg"},
		{name: "an import beside one that looks like it", file: "n.txt", old: "// head\nconst { a } = require('../lib/first')\nrun()\n", ops: "PUT 1.=1:\n+const { b } = require('../lib/second')"},
		{name: "a list that grows by a row", file: "n.txt", old: "one := first(a)\ntwo := second(b)\nend\n", ops: "PUT 1.=1:\n+one := first(c)\n+ten := tenth(d, e, f)"},
		{
			name: "an insert with a blank row beside a blank line", file: "n.txt", old: "one\n\ntwo\n", ops: "PUT >1:\n+half\n+",
			want: []string{"W_ECHO", "`PUT >1:` puts line 3, a blank line beside one, and the file had no two in a row; if it was meant as context, `CUT 3.=3`"},
		},
		{
			name: "a third blank line where two are usual", file: "n.txt", old: "one\n\n\ntwo\n", ops: "PUT >1:\n+half\n+",
			want: []string{"W_ECHO", "`PUT >1:` puts line 3, a blank line beside one, and the file had no 3 in a row; if it was meant as context, `CUT 3.=3`"},
		},
		{name: "a blank row and nothing else", file: "n.txt", old: "one\n\ntwo\n", ops: "PUT >1:\n+"},
		{
			name: "spaces among tabs", file: "n.txt", old: "a\n\tb\n\tc\n\td\n\te\n", ops: "PUT 2.=2:\n+    B",
			want: []string{"W_INDENT", "`PUT 2.=2:` indents with spaces, and every line that the file keeps indents with tabs: line 2 is now `    B`"},
		},
		{
			name: "tabs among spaces", file: "n.txt", old: "a\n  b\n  c\n  d\n  e\n", ops: "PUT >2:\n+\tB\n+end",
			want: []string{"W_INDENT", "`PUT >2:` indents with tabs, and every line that the file keeps indents with spaces: line 3 is now `\tB`"},
		},
		{name: "a file that mixes", file: "n.txt", old: "a\n\tb\n  c\n\td\n\te\n", ops: "PUT 2.=2:\n+    B"},
		{
			name: "a file that mixes, and lines around that do not", file: "n.txt", old: "  x\n" + strings.Repeat("-\n", 10) + "\ta\n\tb\n\tc\n", ops: "PUT 13.=13:\n+    B",
			want: []string{"W_INDENT", "`PUT 13.=13:` indents with spaces, and every line around indents with tabs: line 13 is now `    B`"},
		},
		{name: "an insert below the last indented line", file: "n.txt", old: "  x\n" + strings.Repeat("-\n", 10) + "\ta\n\tb\n\tc\nd\n", ops: "PUT >14:\n+    B"},
		{name: "too few lines to say", file: "n.txt", old: "a\n\tb\n\tc\n", ops: "PUT 2.=2:\n+    B"},
		{name: "the whole file in another unit", file: "n.txt", old: "a\n\tb\n\tc\n\td\n\te\n", ops: "PUT 2.=5:\n+  b\n+  c\n+  d\n+  e"},
		{name: "comments aligned with one space", file: "n.txt", old: "a\n\tb\n\tc\n\td\n\te\n", ops: "PUT 2.=2:\n+ * b"},
		{
			name: "the head of a function goes and its body stays", file: "m.py",
			old: "def f():\n    a()\n\ndef g():\n    b()\n    c()\n", ops: "PUT 2.=4:\n+    x()",
			want: []string{"W_SPLIT", "`PUT 2.=4:` took the first line of `g`, which ended on line 6, and left the rest of it: line 3, `    b()`, is in `f` now"},
		},
		{name: "a function gets another name", file: "m.py", old: "def f():\n    a()\n\ndef g():\n    b()\n", ops: "PUT 2.=4:\n+    x()\n+\n+def h():"},
		{name: "a function is unwrapped", file: "m.py", old: "def g():\n    b()\n    c()\n", ops: "PUT 1.=3:\n+b()\n+c()"},
		{
			name: "a line break that was escaped", file: "n.txt", old: "a\nb\n", ops: "PUT 1.=1:\n+x()\\n\\ty()",
			want: []string{"W_ESCAPES", "row 1 of the body of `PUT 1.=1:` holds a backslash and a letter"},
		},
		{name: "an escape in a string", file: "n.txt", old: "a\nb\n", ops: "PUT 1.=1:\n+print(\"x\\n\")"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, _ := open(t, session.Options{}, map[string]string{test.file: test.old})
			r := read(t, s, test.file, "")
			res := edit(t, s, test.file, string(r.Tag), test.ops)
			if len(test.want) == 0 {
				if len(res.Warnings) > 0 {
					t.Errorf("warned: %v", res.Warnings)
				}
				return
			}
			if len(res.Warnings) != 1 || string(res.Warnings[0].Code) != test.want[0] || !strings.HasPrefix(res.Warnings[0].Message, test.want[1]) {
				t.Errorf("got %v\nwant one %s: %s", res.Warnings, test.want[0], test.want[1])
			}
		})
	}
}

// The op that a warning names mends the file in one more edit, without a read.
func TestAnEchoIsMendedByTheOpItNames(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"n.txt": "a\nb\nc\nd\n"})
	r := read(t, s, "n.txt", "")
	res := edit(t, s, "n.txt", string(r.Tag), "PUT 2.=2:\n+a\n+B\n+c\n+d")
	var cuts []string
	for _, w := range res.Warnings {
		_, rest, _ := strings.Cut(w.Message, "context, `")
		if cut, ok := strings.CutSuffix(rest, "`"); w.Code == refusal.Echo && ok {
			cuts = append(cuts, cut)
		}
	}
	edit(t, s, "n.txt", string(res.Files[0].Tag), strings.Join(cuts, "\n"))
	if got := get(t, root, "n.txt"); got != "a\nB\nc\nd\n" {
		t.Errorf("%q after %q", got, cuts)
	}
}
