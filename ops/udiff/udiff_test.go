package udiff

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"putcut/ops"
	"putcut/text"
)

func decode(t testing.TB, s, label string) *text.Text {
	t.Helper()
	x, err := text.Decode([]byte(s), label)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestAppend(t *testing.T) {
	many := strings.Repeat("x\n", 20)
	one := func(from, to, nfrom, nto int) []ops.Hunk {
		return []ops.Hunk{{OldStart: from, OldEnd: to, NewStart: nfrom, NewEnd: nto}}
	}
	for _, c := range []struct {
		name     string
		f        File
		old, now string // "-" is none
		want     string
	}{
		{"change", File{Path: "f", Hunks: one(1, 2, 1, 2)}, "a\nb\nc\n", "a\nB\nc\n", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"restated lines", File{Path: "f", Hunks: one(0, 3, 0, 3)}, "a\nb\nc\n", "a\nB\nc\n", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"nothing", File{Path: "f", Hunks: one(0, 1, 0, 1)}, "a\n", "a\n", ""},
		{"insertion at the head", File{Path: "f", Hunks: one(0, 0, 0, 1)}, "a\n", "0\na\n", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n+0\n a\n"},
		{"far apart", File{Path: "f", Hunks: append(one(0, 0, 0, 1), one(20, 20, 21, 22)...)}, many, "a\n" + many + "b\n",
			"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n+a\n x\n x\n x\n@@ -18,3 +19,4 @@\n x\n x\n x\n+b\n"},
		{"append to an unterminated line", File{Path: "f", Hunks: one(1, 1, 1, 2)}, "a", "a\nb",
			"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n"},
		{"final newline alone", File{Path: "f"}, "a\nb", "a\nb\n", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		{"crlf", File{Path: "f", Hunks: one(0, 1, 0, 1)}, "a\r\nb\r\n", "A\r\nb\r\n", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\r\n+A\r\n b\r\n"},
		{"new", File{Path: "d/f"}, "-", "a\n", "diff --git a/d/f b/d/f\nnew file mode 100644\n--- /dev/null\n+++ b/d/f\n@@ -0,0 +1 @@\n+a\n"},
		{"new and empty", File{Path: "f", Mode: "100755"}, "-", "", "diff --git a/f b/f\nnew file mode 100755\nindex 0000000..e69de29\n"},
		{"removed", File{Path: "f"}, "a\nb", "-", "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n"},
		{"removed and empty", File{Path: "f"}, "", "-", "diff --git a/f b/f\ndeleted file mode 100644\nindex e69de29..0000000\n"},
		{"moved", File{Path: "f", MoveTo: "g h"}, "a\n", "a\n", "diff --git a/f \"b/g h\"\nrename from f\nrename to g h\n"},
		{"moved and changed", File{Path: "f", MoveTo: "g h", Hunks: one(0, 1, 0, 1)}, "a\n", "b\n", "diff --git a/f \"b/g h\"\nrename from f\nrename to g h\n--- a/f\n+++ b/g h\t\n@@ -1 +1 @@\n-a\n+b\n"},
		{"quoted", File{Path: "\té\"\\\x01", Hunks: one(0, 1, 0, 1)}, "a\n", "b\n", "diff --git \"a/\\t\\303\\251\\\"\\\\\\001\" \"b/\\t\\303\\251\\\"\\\\\\001\"\n--- \"a/\\t\\303\\251\\\"\\\\\\001\"\n+++ \"b/\\t\\303\\251\\\"\\\\\\001\"\n@@ -1 +1 @@\n-a\n+b\n"},
		{"byte order mark", File{Path: "f", Hunks: one(0, 1, 0, 1)}, "\ufeffa\n", "\ufeffb\n", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-\ufeffa\n+\ufeffb\n"},
		{"mark alone", File{Path: "f", Hunks: one(0, 0, 0, 1)}, "\ufeff", "\ufeffb\n", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-\ufeff\n\\ No newline at end of file\n+\ufeffb\n"},
		{"cr alone", File{Path: "f", Hunks: one(1, 2, 1, 2)}, "a\rb\r", "a\rc\r", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\rb\r\n\\ No newline at end of file\n+a\rc\r\n\\ No newline at end of file\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.old != "-" {
				c.f.Old = decode(t, c.old, "")
			}
			if c.now != "-" {
				c.f.New = decode(t, c.now, "")
			}
			got, exact := Append(nil, c.f)
			if string(got) != c.want || !exact {
				t.Errorf("exact %v, got\n%s\nwant\n%s", exact, got, c.want)
			}
		})
	}
	latin, now := decode(t, "caf\xe9\n", "windows-1252"), decode(t, "th\xe9\n", "windows-1252")
	if got, exact := Append(nil, File{Path: "f", Old: latin, New: now, Hunks: one(0, 1, 0, 1)}); !exact || !bytes.Contains(got, []byte("-caf\xe9\n+th\xe9\n")) {
		t.Errorf("%v %q", exact, got)
	}
	wide, now := decode(t, "\xff\xfea\x00\n\x00", ""), decode(t, "\xff\xfeb\x00\n\x00", "")
	if got, exact := Append(nil, File{Path: "f", Old: wide, New: now, Hunks: one(0, 1, 0, 1)}); exact || !bytes.Contains(got, []byte("-a\n+b\n")) {
		t.Errorf("%v %q", exact, got)
	}
}

// genText is a random text of few different lines, so that diffs have much to
// get wrong, with mixed terminators and at times without a final one.
func genText(r *rand.Rand) string {
	var b strings.Builder
	eols := []string{"\n"}
	switch r.Intn(6) {
	case 0:
		eols = []string{"\r\n"}
	case 1:
		eols = []string{"\n", "\r\n"}
	case 2:
		eols = []string{"\r"}
	}
	words := []string{"", "a", "b", " b", "- a", "+ b", "-- x", "++ y", "\\ No newline", "@@ -1 +1 @@", "diff --git a b", "é", "c\r", "}", "\t", "a"}
	if r.Intn(12) == 0 {
		b.WriteString("\ufeff")
	}
	for range r.Intn(30) {
		b.WriteString(words[r.Intn(len(words))])
		b.WriteString(eols[r.Intn(len(eols))])
	}
	s := b.String()
	if r.Intn(3) == 0 {
		s = strings.TrimSuffix(s, eols[0])
	}
	return s
}

// genEdit applies random splices through the kernel.
func genEdit(r *rand.Rand, t *text.Text) ops.Result {
	var list []ops.Splice
	at := 0
	for at <= t.Len() && r.Intn(4) > 0 {
		start := at + r.Intn(t.Len()-at+1)
		end := start + r.Intn(min(3, t.Len()-start)+1)
		var rows []string
		for range r.Intn(4) {
			rows = append(rows, []string{"a", "b", "", "new", "-- z"}[r.Intn(5)])
		}
		list = append(list, ops.Splice{Start: start, End: end, Rows: rows})
		at = end + 1
	}
	return ops.Apply(t, list, ops.Final(r.Intn(3)))
}

// TestSystemTools has git apply and patch apply what was written.
func TestSystemTools(t *testing.T) {
	tools := [][]string{{"git", "apply", "--whitespace=nowarn", "../d"}, {"patch", "-s", "-p1", "--no-backup-if-mismatch", "-i", "../d"}}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool[0]); err != nil {
			t.Skip(err)
		}
	}
	names := []string{"plain", "with blank", "dir/x", "q\"uote", "back\\slash", "é/ü", "tab\there"}
	for round := range 6 {
		r := rand.New(rand.NewSource(int64(round)))
		var diff []byte
		old, want := map[string]string{}, map[string]string{}
		for i := range 60 {
			name := fmt.Sprintf("%s%d", names[r.Intn(len(names))], i)
			a := genText(r)
			x := decode(t, a, "")
			f := File{Path: name, Old: x}
			old[name] = a
			switch r.Intn(10) {
			case 0: // new
				delete(old, name)
				want[name] = a
				f.Old, f.New = nil, x
			case 1: // removed
			case 2, 3: // moved
				res := genEdit(r, x)
				f.New, f.Hunks, f.MoveTo = res.Text, res.Map.Hunks(), "moved/"+name
				b, err := res.Text.Encode()
				if err != nil {
					t.Fatal(err)
				}
				want[f.MoveTo] = string(b)
			default:
				res := genEdit(r, x)
				f.New, f.Hunks = res.Text, res.Map.Hunks()
				b, err := res.Text.Encode()
				if err != nil {
					t.Fatal(err)
				}
				want[name] = string(b)
			}
			diff, _ = Append(diff, f)
		}
		for _, tool := range tools {
			dir := t.TempDir()
			tree := filepath.Join(dir, "tree")
			if err := os.MkdirAll(tree, 0o777); err != nil {
				t.Fatal(err)
			}
			for name, s := range old {
				p := filepath.Join(tree, name)
				if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(p, []byte(s), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "d"), diff, 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(tool[0], tool[1:]...)
			cmd.Dir = tree
			cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+dir, "LC_ALL=C")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("round %d: %v: %v\n%s", round, tool, err, out)
			}
			got := map[string]string{}
			err := filepath.WalkDir(tree, func(p string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				b, err := os.ReadFile(p)
				rel, _ := filepath.Rel(tree, p)
				got[rel] = string(b)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			for name, s := range want {
				if g, ok := got[name]; !ok || g != s {
					t.Errorf("round %d: %s: %q: got %q (%v), want %q, was %q", round, tool[0], name, g, ok, s, old[name])
				}
				delete(got, name)
			}
			for name := range got {
				t.Errorf("round %d: %s: %q is left", round, tool[0], name)
			}
		}
	}
}
