package dialects

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A tree is the files of a folder, by path.
type tree map[string]string

func (tr tree) source() MapSource {
	m := MapSource{}
	for name, s := range tr {
		m[name] = []byte(s)
	}
	return m
}

func (tr tree) write(t testing.TB, dir string) {
	t.Helper()
	for name, s := range tr {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func readTree(t testing.TB, dir string) tree {
	t.Helper()
	tr := tree{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		tr[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// with is the tree after a batch.
func (tr tree) with(t testing.TB, b *Batch) tree {
	t.Helper()
	out := tree{}
	for name, s := range tr {
		out[name] = s
	}
	for _, f := range b.Files {
		delete(out, f.Path)
	}
	for _, f := range b.Files {
		switch {
		case f.Remove:
		case f.MoveTo != "":
			out[f.MoveTo] = after(f)
		default:
			out[f.Path] = after(f)
		}
	}
	return out
}

func (tr tree) equal(t testing.TB, what string, want tree) {
	t.Helper()
	for name, s := range want {
		if got, ok := tr[name]; !ok || got != s {
			t.Errorf("%s: %q: got %q (%v), want %q", what, name, got, ok, s)
		}
	}
	for name := range tr {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %q is left", what, name)
		}
	}
}

func run(t testing.TB, dir string, ok1 bool, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil && !(ok1 && cmd.ProcessState.ExitCode() == 1) {
		t.Fatalf("%s %q: %v\n%s", name, args, err, errs.String())
	}
	return string(out)
}

func needTools(t testing.TB, names ...string) {
	t.Helper()
	for _, n := range names {
		if _, err := exec.LookPath(n); err != nil {
			t.Skip(err)
		}
	}
}

var words = []string{"", "a", "b", " b", "- a", "+ b", "-- x", "++ y", "\\ No newline", "@@ -1 +1 @@", "é", "}", "\tx", "a", "func f() {", "*** End Patch", "=======", "c\r"}

// genFile is a random text, with mixed terminators and at times without a
// final newline.
func genFile(r *rand.Rand, distinct bool) string {
	var b strings.Builder
	eols := [][]string{{"\n"}, {"\n"}, {"\n"}, {"\r\n"}, {"\n", "\r\n"}}[r.Intn(5)]
	for i := range r.Intn(40) {
		if distinct && r.Intn(2) == 0 {
			fmt.Fprintf(&b, "line %d", i)
		} else {
			b.WriteString(words[r.Intn(len(words))])
		}
		b.WriteString(eols[r.Intn(len(eols))])
	}
	s := b.String()
	if r.Intn(3) == 0 {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// mutate changes some lines of a text.
func mutate(r *rand.Rand, s string) string {
	lines := strings.SplitAfter(s, "\n")
	var out []string
	for _, l := range lines {
		switch r.Intn(12) {
		case 0:
		case 1:
			out = append(out, words[r.Intn(len(words))]+"\n", l)
		case 2:
			out = append(out, "changed "+l)
		case 3:
			out = append(out, strings.TrimRight(l, "\r\n")+"\r\n")
		default:
			out = append(out, l)
		}
	}
	s = strings.Join(out, "")
	if r.Intn(6) == 0 {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// genTrees is a tree and what became of it.
func genTrees(r *rand.Rand, n int) (old, now tree) {
	old, now = tree{}, tree{}
	names := []string{"plain", "with blank", "dir/x", "q\"uote", "back\\slash", "é/ü", "tab\there", "a/b", "b/a"}
	for i := range n {
		name := fmt.Sprintf("%s%d", names[r.Intn(len(names))], i)
		s := genFile(r, true)
		switch r.Intn(10) {
		case 0:
			now[name] = s
		case 1:
			old[name] = s
		case 2, 3:
			old[name] = s
			now["moved/"+name] = mutate(r, s)
		default:
			old[name] = s
			now[name] = mutate(r, s)
		}
	}
	return old, now
}

// TestDiffsOfSystem lowers what git diff and diff -u write of random trees: the
// outcome is what git apply makes, and the diffs written of it apply again.
func TestDiffsOfSystem(t *testing.T) {
	needTools(t, "git", "diff", "patch")
	opt := Options{Limits: Limits{Files: 1000, Hunks: 100_000}}
	for round := range 3 {
		r := rand.New(rand.NewSource(int64(round)))
		old, now := genTrees(r, 60)
		dir := t.TempDir()
		old.write(t, dir)
		run(t, dir, false, "git", "init", "-q")
		run(t, dir, false, "git", "add", "-A")
		run(t, dir, false, "git", "commit", "-qm", "x", "--allow-empty")
		run(t, dir, false, "git", "rm", "-rqf", "--ignore-unmatch", ".")
		now.write(t, dir)
		run(t, dir, false, "git", "add", "-A")
		for _, args := range [][]string{{"-M"}, {"--no-renames"}, {"-U1", "-M"}, {"-U0", "--no-renames"}, {"--no-prefix"}, {"-M", "--full-index", "--src-prefix=i/", "--dst-prefix=w/"}, {"-D"}, {"-C", "--find-copies-harder"}} {
			d := run(t, dir, false, "git", append([]string{"diff", "--cached"}, args...)...)
			b, err := Lower(old.source(), []Input{{Format: UnifiedDiff, Text: d}}, opt)
			if err != nil {
				t.Fatalf("round %d: git diff %v: %v\n%s", round, args, err, d)
			}
			check(t, b)
			old.with(t, b).equal(t, fmt.Sprint("round ", round, " git diff ", args), now)
			if round > 1 {
				continue
			}
			ours, exact := b.Diff()
			if !exact {
				t.Error("not exact")
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
				readTree(t, at).equal(t, fmt.Sprint("round ", round, " ", tool), now)
			}
		}
		// diff -ruN knows no renames and no names that need quotes in part.
		top := t.TempDir()
		for _, tr := range []tree{old, now} {
			for name := range tr {
				if old[name] == "" && now[name] == "" {
					delete(tr, name) // without content there is nothing to see
				}
			}
		}
		old.write(t, filepath.Join(top, "a"))
		now.write(t, filepath.Join(top, "b"))
		d := run(t, top, true, "diff", "-ruN", "a", "b")
		b, err := Lower(old.source(), []Input{{Format: UnifiedDiff, Text: d}}, opt)
		if err != nil {
			t.Fatalf("round %d: diff -ruN: %v\n%s", round, err, d)
		}
		check(t, b)
		got := old.with(t, b)
		for name, s := range now {
			// diff -N cannot tell an empty file from none.
			if s == "" && got[name] == "" {
				delete(now, name)
				delete(got, name)
			}
		}
		got.equal(t, fmt.Sprint("round ", round, " diff -ruN"), now)
	}
}

// TestGeneratedFormats writes one random change in every text format. Each
// outcome is the change, or a refusal of the format's own limits.
func TestGeneratedFormats(t *testing.T) {
	applied := map[Format]int{}
	for seed := range 3000 {
		r := rand.New(rand.NewSource(int64(seed)))
		old := genFile(r, true)
		lines := strings.SplitAfter(old, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		if len(lines) < 3 {
			continue
		}
		lo := r.Intn(len(lines) - 1)
		hi := lo + 1 + r.Intn(min(4, len(lines)-lo-1))
		fresh := []string{"new\n", "lines\n", "\n", "  new\n"}[:r.Intn(5)]
		find, repl := strings.Join(lines[lo:hi], ""), strings.Join(fresh, "")
		src := MapSource{"f": []byte(old)}
		try := func(format Format, in, want string) {
			f, err := lowerOne(t, src, format, in, Options{Exact: true})
			if err != nil {
				return
			}
			applied[format]++
			if got := after(f); got != want {
				t.Fatalf("seed %d, %s: got %q, want %q\n%s", seed, format, got, want, in)
			}
		}
		want := strings.Join(lines[:lo], "") + repl + strings.Join(lines[hi:], "")
		try(Replacements, set(old, find, repl), want)
		// Rows take the file's terminators.
		if strings.Contains(old, "\r") {
			continue
		}
		rows := strings.TrimSuffix(find, "\n")
		try(SearchReplace, "f\n<<<<<<<<< SEARCH\n"+rows+"\n=========\n"+repl+">>>>>>>>> REPLACE\n", want)
		var b strings.Builder
		for _, l := range lines[lo:hi] {
			b.WriteString("-" + strings.TrimSuffix(l, "\n") + "\n")
		}
		for _, l := range fresh {
			b.WriteString("+" + l)
		}
		try(ApplyPatch, envelope("*** Update File: f\n@@\n"+b.String()), want)
	}
	for _, f := range []Format{Replacements, SearchReplace, ApplyPatch} {
		if applied[f] < 500 {
			t.Errorf("%s: %d applied; the generator finds too little", f, applied[f])
		}
	}
}
