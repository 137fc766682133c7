//go:build soak

package dialects

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"putcut/text"
)

// TestRealTrees takes two versions of a source tree, PUTCUT_OLD_TREE and
// PUTCUT_NEW_TREE, both ways: the diff that git makes of them is lowered to
// scripts, which make the new tree; and the new contents are lowered to scripts,
// whose diff git apply and patch apply.
func TestRealTrees(t *testing.T) {
	needTools(t, "git", "patch")
	before, now := os.Getenv("PUTCUT_OLD_TREE"), os.Getenv("PUTCUT_NEW_TREE")
	if before == "" || now == "" {
		t.Skip("PUTCUT_OLD_TREE and PUTCUT_NEW_TREE are not set")
	}
	texts := func(dir string) tree {
		tr := readTree(t, dir)
		for name, s := range tr {
			if x, err := text.Decode([]byte(s), ""); err != nil || x.Format().Encoding != text.UTF8 {
				delete(tr, name)
			}
		}
		return tr
	}
	old, want := texts(before), texts(now)
	for name, s := range old {
		if w, ok := want[name]; ok && w == s {
			delete(old, name)
			delete(want, name)
		}
	}
	opt := Options{Limits: Limits{Files: 1 << 20, Hunks: 1 << 20, InputBytes: 1 << 30}}
	dir := t.TempDir()
	old.write(t, dir)
	run(t, dir, false, "git", "init", "-q")
	run(t, dir, false, "git", "add", "-A")
	run(t, dir, false, "git", "commit", "-qm", "x")
	run(t, dir, false, "git", "rm", "-rqf", ".")
	want.write(t, dir)
	run(t, dir, false, "git", "add", "-A", "-f")
	d := run(t, dir, false, "git", "diff", "--cached", "-M")

	start := time.Now()
	b, err := Lower(old.source(), []Input{{Format: UnifiedDiff, Text: d}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	lowered := time.Since(start)
	check(t, b)
	old.with(t, b).equal(t, "diff", want)
	said, unsaid := 0, 0
	for _, f := range b.Files {
		if len(f.Unsayable) > 0 {
			unsaid++
			t.Logf("%s: %q", f.Path, f.Unsayable)
		} else {
			said++
		}
	}
	t.Logf("%d files, %d bytes of diff, lowered in %v; %d said as scripts, %d not", len(b.Files), len(d), lowered, said, unsaid)

	var inputs []Input
	for name, s := range want {
		inputs = append(inputs, Input{Format: WholeFile, Path: name, Text: s})
	}
	whole, err := Lower(old.source(), inputs, opt)
	if err != nil {
		t.Fatal(err)
	}
	check(t, whole)
	for _, which := range []*Batch{b, whole} {
		ours, exact := which.Diff()
		if !exact {
			t.Error("the diff is not exact")
		}
		for _, tool := range [][]string{{"git", "apply", "--whitespace=nowarn", "../d"}, {"patch", "-s", "-p1", "--no-backup-if-mismatch", "-i", "../d"}} {
			top := t.TempDir()
			at := filepath.Join(top, "t")
			if err := os.Mkdir(at, 0o777); err != nil {
				t.Fatal(err)
			}
			old.write(t, at)
			if err := os.WriteFile(filepath.Join(top, "d"), []byte(ours), 0o666); err != nil {
				t.Fatal(err)
			}
			run(t, at, false, tool[0], tool[1:]...)
			got := readTree(t, at)
			if which == whole { // it removes nothing
				for name := range got {
					if _, ok := want[name]; !ok {
						delete(got, name)
					}
				}
			}
			got.equal(t, strings.Join(tool[:2], " "), want)
		}
	}
}
