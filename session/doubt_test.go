package session_test

import (
	"strings"
	"testing"

	"putcut/refusal"
	"putcut/session"
)

// What is a doubt about the only smallest repair, and what is none.
func TestDoubt(t *testing.T) {
	const service = "class A {\n    private final Repository repository;\n    private final Clock clock;\n\n    A(Repository repository, Clock clock) {\n        this.repository = repository;\n        this.clock = clock;\n    }\n}\n"
	for _, test := range []struct {
		name, file, old, ops string
		want                 string // the new text, when the repair is made
		other                string // the other reading, when it is refused
	}{
		{
			// The row is one more of the lines above, not the new form of one.
			name: "a field beside fields", file: "A.java", old: service,
			ops:  "PUT 4.=8:\n+    private final Mailer mailer;\n+\n+    A(Repository repository, Clock clock, Mailer mailer) {\n+        this.repository = repository;\n+        this.clock = clock;\n+        this.mailer = mailer;",
			want: "class A {\n    private final Repository repository;\n    private final Clock clock;\n    private final Mailer mailer;\n\n    A(Repository repository, Clock clock, Mailer mailer) {\n        this.repository = repository;\n        this.clock = clock;\n        this.mailer = mailer;\n    }\n}\n",
		},
		{
			// One line higher would not parse either, so it explains nothing.
			name: "both neighbours are restated and the last line would be kept", file: "a.json",
			old:   "{\n  \"deps\": {\n    \"a\": \"1\",\n    \"b\": \"1\",\n    \"c\": \"1\"\n  },\n  \"x\": {\n    \"y\": 1\n  }\n}\n",
			ops:   "PUT 3.=5:\n+  \"deps\": {\n+    \"a\": \"2\",\n+    \"b\": \"2\",\n+    \"c\": \"2\"\n+  },",
			other: "`PUT 3.=5:`: row 5, `  },`, left out as restating line 6 below; `PUT 3.=5:`: row 1, `  \"deps\": {`, left out as restating line 2 above",
		},
		{
			name: "the last row is the first line, moved", file: "m.py",
			old:   "class A:\n    @x.setter\n    def x(self, value):\n        self.set(value)\n",
			ops:   "PUT 3.=4:\n+        self.set(value)\n+    def x(self, value):",
			other: "`PUT 3.=4:`: as written, since the body holds a row like the line kept",
		},
		{
			name: "the first row is the first line, indented", file: "m.yaml",
			old:   "config:\n  my:parent:\n    value: 1\n  other: 2\n",
			ops:   "PUT 2.=3:\n+    my:parent:\n+      value: 1",
			other: "`PUT 2.=3:`: as written, since the body holds a row like the line kept",
		},
		{
			// A row that only ends something says nothing about the line kept.
			name: "an `end` in the body", file: "m.rb",
			old:  "def f\n  a\nend\n",
			ops:  "PUT 2.=3:\n+  if b\n+    a\n+  end",
			want: "def f\n  if b\n    a\n  end\nend\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, root := open(t, session.Options{}, map[string]string{test.file: test.old})
			req := session.EditRequest{Path: test.file, Tag: string(read(t, s, test.file, "").Tag), Ops: test.ops}
			_, err := s.Edit(ctx, req)
			if test.other == "" {
				if err != nil {
					t.Fatal(session.ErrorText(err))
				}
				if got := get(t, root, test.file); got != test.want {
					t.Errorf("got\n%s", got)
				}
				return
			}
			e := wantCode(t, err, refusal.RepairAmbiguous)
			if _, other, _ := strings.Cut(e.What, "; (b) "); other != test.other {
				t.Errorf("the other reading of %q", e.What)
			}
			if got := get(t, root, test.file); got != test.old {
				t.Errorf("written:\n%s", got)
			}
			if _, err := s.Edit(ctx, req); err != nil {
				t.Errorf("the same call again: %v", err)
			}
		})
	}
}

// A refusal for one section of a patch is confirmed by the same patch, which
// then writes all of it as it stands.
func TestDoubtInAPatchIsConfirmed(t *testing.T) {
	const old = "class A:\n    @x.setter\n    def x(self, value):\n        self.set(value)\n"
	s, root := open(t, session.Options{}, map[string]string{"a.py": old, "b.py": old, "n.txt": "a\nb\n"})
	tags := map[string]string{}
	for _, name := range []string{"a.py", "b.py", "n.txt"} {
		tags[name] = string(read(t, s, name, "").Tag)
	}
	const body = "PUT 3.=4:\n+        self.set(value)\n+    def x(self, value):\n"
	req := session.PatchRequest{Script: "[n.txt#" + tags["n.txt"] + "]\nPUT 1.=1:\n+A\n[a.py#" + tags["a.py"] + "]\n" + body + "[b.py#" + tags["b.py"] + "]\n" + body}
	_, err := s.Patch(ctx, req)
	if e := wantCode(t, err, refusal.RepairAmbiguous); e.Path != "a.py" {
		t.Errorf("it names %q", e.Path)
	}
	if get(t, root, "n.txt") != "a\nb\n" {
		t.Error("a part of the patch was written")
	}
	if _, err := s.Patch(ctx, req); err != nil {
		t.Fatal(session.ErrorText(err))
	}
	const now = "class A:\n    @x.setter\n        self.set(value)\n    def x(self, value):\n"
	if a, b, n := get(t, root, "a.py"), get(t, root, "b.py"), get(t, root, "n.txt"); a != now || b != now || n != "A\nb\n" {
		t.Errorf("%q, %q, %q", a, b, n)
	}
}

// Where it is not asked what was displayed, a line that is not UTF-8 may be
// kept, and is quoted as it is printed.
func TestARepairQuotesValidText(t *testing.T) {
	s, root := open(t, session.Options{Detached: true}, map[string]string{"m.c": "int f()\n{\n  a();\n} // \xe9\n"})
	res := edit(t, s, "m.c", string(read(t, s, "m.c", "").Tag), "PUT 3.=4:\n+  b();\n+  c();")
	if got := get(t, root, "m.c"); got != "int f()\n{\n  b();\n  c();\n} // \xe9\n" {
		t.Errorf("%q", got)
	}
	if m := res.Warnings[0].Message; !strings.HasSuffix(m, "its last line `} // \uFFFD` was kept") {
		t.Errorf("%q", m)
	}
}
