package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func found(t testing.TB, root *os.Root, start string, o Options) ([]File, Report) {
	t.Helper()
	q, err := Compile(o)
	if err != nil {
		t.Fatal(err)
	}
	var out []File
	r, err := q.Run(context.Background(), root, start, func(f File) error {
		out = append(out, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, r
}

// randomTree has names whose order as names is not that of their paths.
func randomTree(t testing.TB, seed uint64, files int) (*os.Root, []string) {
	rng := rand.New(rand.NewPCG(seed, 0))
	names := []string{"a", "a-", "a.b", "a0", "b", ".h", "é", "B", "a/", "a-/", "a.b/", "b/", "c/"}
	content := map[string]string{}
	for range files {
		p := ""
		for range rng.IntN(6) {
			if n := names[rng.IntN(len(names))]; strings.HasSuffix(n, "/") {
				p += n
			}
		}
		p += fmt.Sprintf("%s%d", names[rng.IntN(8)], rng.IntN(5))
		content[p] = "hit\n"
		if rng.IntN(3) == 0 {
			content[p] = strings.Repeat("hit and text\n", rng.IntN(3000))
		}
	}
	_, root := tree(t, content)
	var want []string
	for p, s := range content {
		if s != "" {
			want = append(want, p)
		}
	}
	slices.Sort(want)
	return root, want
}

func TestOrderDoesNotDependOnWorkers(t *testing.T) {
	root, want := randomTree(t, 7, 1500)
	for _, workers := range []int{1, 2, 3, 16} {
		fs, r := found(t, root, "", Options{Pattern: "hit", Workers: workers})
		var got []string
		for _, f := range fs {
			got = append(got, f.Path)
			if int(f.Count) != f.Text.Len() {
				t.Errorf("%s: %d of %d lines", f.Path, f.Count, f.Text.Len())
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: %d files, want %d, or not in order", workers, len(got), len(want))
		}
		if r.Matched != len(want) || r.Failed != 0 {
			t.Errorf("%+v", r)
		}
	}
}

func TestItemOrderIsPathOrder(t *testing.T) {
	items := []item{{"a", true}, {"a", false}, {"a-", true}, {"a-", false}, {"a.b", false}, {"a0", false}, {"a0", true}, {"ab", true}, {"é", false}}
	for _, x := range items {
		for _, y := range items {
			p := map[bool]string{true: "/z"}
			if got, want := x.compare(y), cmp.Compare(x.name+p[x.dir], y.name+p[y.dir]); got != want {
				t.Errorf("%v, %v: %d, want %d", x, y, got, want)
			}
		}
	}
}

// More results than may lie ready, taken slowly, by a reader that waits for
// work to be done ahead: nothing hangs, and little is held.
func TestResultsAreBounded(t *testing.T) {
	content := map[string]string{}
	big := strings.Repeat("hit\n", 1<<18)
	for i := range 100 {
		content[fmt.Sprintf("%c/%d", 'a'+i%7, i)] = big
	}
	_, root := tree(t, content)
	q, err := Compile(Options{Pattern: "hit", Mode: Count, Workers: 8})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	r, err := q.Run(context.Background(), root, "", func(f File) error {
		n++
		for range 20 {
			runtime.Gosched()
		}
		return nil
	})
	if err != nil || n != 100 || r.Matched != 100 {
		t.Errorf("%v, %d files, %+v", err, n, r)
	}
}

func TestStopAndErrorsOfTheReceiver(t *testing.T) {
	root, want := randomTree(t, 3, 400)
	q, err := Compile(Options{Pattern: "hit", Workers: 4})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for _, tt := range []struct{ give, want error }{{ErrStop, nil}, {fmt.Errorf("x: %w", ErrStop), nil}, {broken, broken}} {
		n := 0
		_, err := q.Run(context.Background(), root, "", func(f File) error {
			if n++; n == 5 {
				return tt.give
			}
			return nil
		})
		if err != tt.want || n != 5 {
			t.Errorf("%v after %d files", err, n)
		}
		if _, err := q.Run(context.Background(), root, want[0], func(File) error { return tt.give }); err != tt.want {
			t.Errorf("single file: %v", err)
		}
	}
}

func TestCancel(t *testing.T) {
	root, _ := randomTree(t, 4, 400)
	q, err := Compile(Options{Pattern: "hit", Workers: 4})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	_, err = q.Run(ctx, root, "", func(File) error {
		if n++; n == 3 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 3 {
		t.Errorf("%v after %d files", err, n)
	}
	if _, err = q.Run(ctx, root, "", func(File) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFailuresAreCounted(t *testing.T) {
	dir, root := tree(t, map[string]string{
		"a":          "hit\n",
		"odd":        "\xff\xfeh\x00x",
		"z":          "hit\n",
		"bin":        "hit\x00",
		"closed/in":  "hit\n",
		".gitignore": "",
		".git/HEAD":  "hit\n",
	})
	want := []string{"odd"}
	if os.Getuid() != 0 {
		for _, n := range []string{"a", "closed"} {
			if err := os.Chmod(filepath.Join(dir, n), 0); err != nil {
				t.Fatal(err)
			}
		}
		defer os.Chmod(filepath.Join(dir, "closed"), 0o700)
		want = []string{"a", "closed", "odd"}
	}
	fs, r := found(t, root, "", Options{Pattern: "hit"})
	var got []string
	for _, p := range r.Problems {
		got = append(got, p.Path)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) || r.Failed != len(want) || r.Binary != 1 || len(fs)+len(want) != 4 {
		t.Errorf("%d files, %+v", len(fs), r)
	}
}

func TestProblemsAreBounded(t *testing.T) {
	content := map[string]string{}
	for i := range MaxProblems + 10 {
		content[fmt.Sprint(i)] = "\xff\xfex"
	}
	_, root := tree(t, content)
	if _, r := found(t, root, "", Options{Pattern: "x"}); len(r.Problems) != MaxProblems || r.Failed != MaxProblems+10 {
		t.Errorf("%+v", r)
	}
}

func TestEmptyPatternListsTextFiles(t *testing.T) {
	_, root := tree(t, map[string]string{"a.go": "", "b.md": "x", "c.go": "\x00", "d/e.go": "x", ".hidden.go": "x", ".gitignore": "d\n"})
	fs, _ := found(t, root, "", Options{Mode: Files, Glob: "*.go"})
	var got []string
	for _, f := range fs {
		got = append(got, f.Path)
	}
	if !slices.Equal(got, []string{".hidden.go", "a.go"}) {
		t.Error(got)
	}
}

func TestVeryDeepTree(t *testing.T) {
	dir, root := tree(t, map[string]string{"a": "hit\n"})
	// Deeper than a path can name: made through handles, one by one.
	at, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.Repeat("d", 200)
	for range 30 {
		if err := at.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := at.WriteFile("f", []byte("hit\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		next, err := at.OpenRoot(name)
		if err != nil {
			t.Fatal(err)
		}
		at.Close()
		at = next
	}
	at.Close()
	fs, r := found(t, root, "", Options{Pattern: "hit"})
	if len(fs) != 22 || r.Failed != 1 {
		t.Errorf("%d files, %+v", len(fs), r)
	}
}
