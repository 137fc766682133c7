package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// tree writes files under a new folder and opens it.
func tree(t testing.TB, files map[string]string) (string, *os.Root) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		put(t, dir, name, content)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return dir, root
}

func put(t testing.TB, dir, name, content string) {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func walked(t testing.TB, root *os.Root, start, glob string) []string {
	t.Helper()
	var out []string
	if _, err := Walk(context.Background(), root, start, glob, func(p string) error {
		out = append(out, p)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// git runs git in dir with no settings but the repository's own.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_DIR="+filepath.Join(dir, ".git"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

func untracked(t testing.TB, dir string) []string {
	t.Helper()
	list := git(t, dir, "ls-files", "-o", "--exclude-standard", "-z")
	var out []string
	for p := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		if p != "" {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

func needGit(t testing.TB) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
}

const trickyRules = `# a comment
/rootonly.txt
build/
**/gen
a/**/z.txt
*.log
!keep.log
!spaced.log  
\!bang.txt
\#hash.txt
[a-c].md
vendor/*
!vendor/keep/
x/*/y
tmp/**
!tmp/k.txt
foo/bar
*.o
!/sub/ok.o
doc/*.txt
trail.txt   
esc\ space.txt
with space/**/deep.txt
node_modules
**/deep/**/f.js
cache/
!cache/
q?.c
[!x]1.h
dir/
!dir/in.txt
.env*
!.env.example
/top*
pre**post
**.cfg
brace{a,b}.txt
[[:digit:]]n.txt
[]x]br.txt
[é
end\
/only/*
!/only/this
é.txt
caf?.txt
"quoted"
a-[^a-c].x
cls[a/b]x
`

var trickyPaths = []string{"rootonly.txt", "s/rootonly.txt", "build/a", "s/build/a", "s2/build/x/y", "gen/a", "s/gen/a", "s/t/gen", "a/z.txt", "a/b/z.txt", "a/b/c/z.txt", "b/a/z.txt", "x.log", "s/x.log", "keep.log", "s/keep.log", "spaced.log", "!bang.txt", "#hash.txt", "a.md", "d.md", "s/b.md", "vendor/a.go", "vendor/keep/b.go", "vendor/sub/c.go", "x/1/y", "x/1/2/y", "s/x/1/y", "tmp/a", "tmp/k.txt", "tmp/b/c", "s/tmp/a", "foo/bar", "s/foo/bar", "foo/bar2", "k.o", "sub/ok.o", "sub/no.o", "doc/a.txt", "doc/s/a.txt", "s/doc/a.txt", "trail.txt", "esc space.txt", "with space/u/deep.txt", "with space/deep.txt", "node_modules/a.js", "p/node_modules/b.js", "deep/f.js", "s/deep/a/b/f.js", "cache/a", "q1.c", "q12.c", "qé.c", "a1.h", "x1.h", "é1.h", "dir/in.txt", ".env", ".env.local", ".env.example", "sub/nested.txt", "sub/deep2/nested.txt", "sub/only", "other/only", "topping", "s/topping", "prexpost", "prepost", "pre/post", "n.cfg", "s/n.cfg", "bracea.txt", "brace{a,b}.txt", "1n.txt", "xn.txt", "]br.txt", "xbr.txt", "[é", "end\\", "end", "only/that", "only/this", "only/d/e", "é.txt", "caf\xe9.txt", "café.txt", "\"quoted\"", "a-d.x", "a-b.x", "clsax", "cls/x", "excluded/a", "s/excluded", "crlf.txt"}

func TestIgnoresWhatGitIgnores(t *testing.T) {
	needGit(t)
	files := map[string]string{
		".gitignore":     trickyRules + "crlf.txt\r\n",
		"sub/.gitignore": "nested.txt\n/only\n",
	}
	for _, p := range trickyPaths {
		files[p] = ""
	}
	dir, root := tree(t, files)
	git(t, dir, "init", "-q")
	put(t, dir, ".git/info/exclude", "/excluded\nkeep.log\n")
	got, want := walked(t, root, "", ""), untracked(t, dir)
	if !slices.Equal(got, want) {
		for _, p := range want {
			if !slices.Contains(got, p) {
				t.Errorf("left out: %q", p)
			}
		}
		for _, p := range got {
			if !slices.Contains(want, p) {
				t.Errorf("not left out: %q", p)
			}
		}
	}
	if len(want) < 20 || len(want) > len(files)-20 {
		t.Errorf("git keeps %d of %d files: the tree tests nothing", len(want), len(files))
	}
}

// rounds is how many random trees are made: few by default, since each starts
// git twice.
func rounds() int {
	if testing.Short() {
		return 20
	}
	if n, err := strconv.Atoi(os.Getenv("IGNORE_ROUNDS")); err == nil {
		return n
	}
	return 25
}

// Random rules over random names, nested, against git itself.
func TestIgnoresLikeGitAtRandom(t *testing.T) {
	needGit(t)
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	name := func() string {
		s := pick("a", "b", "c", "ab", "-", "]", "é", "a b", ".x", "{a}", "[a", "!a", "#a", `a\`, "^")
		if rng.IntN(3) == 0 {
			s += pick("a", "b", ".c", "-", "\xe9")
		}
		return s
	}
	part := func() string {
		var b strings.Builder
		for range 1 + rng.IntN(3) {
			b.WriteString(pick("a", "b", "c", "*", "*", "?", "**", "[ab]", "[!a]", "[^b-]", "[a-c]", "[]a]", "[a", `\a`, `\*`, `\`, "é", " ", ".c", "{a}", "[[:alpha:]]", "[[:foo:]]", "[a-", "-", "!", "#", `[\]]`, "[é]", "[--a]", "[[a]", "[+-/]", "]", "[!]a]", "\t"))
		}
		return b.String()
	}
	row := func() string {
		s := pick("", "", "", "", "!", "!", "/", "!/", "**/", " ")
		for i := range 1 + rng.IntN(3) {
			if i > 0 {
				s += "/"
			}
			s += pick(part(), part(), "**", "a", "b")
		}
		return s + pick("", "", "", "/", "/**", " ", `\ `, "\r", "/*", "//")
	}
	for round := range rounds() {
		files := map[string]string{}
		dirs := []string{""}
		for range 6 {
			dirs = append(dirs, dirs[rng.IntN(len(dirs))]+"d"+name()+"/")
		}
		for range 6 {
			dirs = append(dirs, dirs[rng.IntN(len(dirs))]+pick("a", "b")+"/")
		}
		for range 60 {
			files[dirs[rng.IntN(len(dirs))]+"f"+name()] = ""
			files[dirs[rng.IntN(len(dirs))]+name()+".f"] = ""
		}
		for range 3 {
			var rows []string
			for range 1 + rng.IntN(6) {
				rows = append(rows, row())
			}
			files[dirs[rng.IntN(len(dirs))]+".gitignore"] = strings.Join(rows, "\n") + pick("\n", "")
		}
		dir, root := tree(t, files)
		git(t, dir, "init", "-q")
		put(t, dir, ".git/info/exclude", row()+"\n")
		got, want := walked(t, root, "", ""), untracked(t, dir)
		if !slices.Equal(got, want) {
			var b strings.Builder
			for p, s := range files {
				if strings.HasSuffix(p, ".gitignore") {
					fmt.Fprintf(&b, "%q: %q\n", p, s)
				}
			}
			exclude, _ := os.ReadFile(filepath.Join(dir, ".git/info/exclude"))
			fmt.Fprintf(&b, "exclude: %q\n", exclude)
			for _, p := range want {
				if !slices.Contains(got, p) {
					fmt.Fprintf(&b, "left out: %q\n", p)
				}
			}
			for _, p := range got {
				if !slices.Contains(want, p) {
					fmt.Fprintf(&b, "not left out: %q\n", p)
				}
			}
			t.Fatalf("round %d\n%s", round, b.String())
		}
	}
}

func TestIgnoreAboveStart(t *testing.T) {
	_, root := tree(t, map[string]string{
		".gitignore":          "*.log\n/out\n!keep.log\nsub/deep/no.txt\n",
		"sub/.gitignore":      "*.tmp\n",
		"sub/deep/.gitignore": "!x.tmp\nhere.txt\n",
		"sub/deep/a.log":      "", "sub/deep/keep.log": "", "sub/deep/x.tmp": "", "sub/deep/y.tmp": "", "sub/deep/no.txt": "", "sub/deep/here.txt": "",
		"out/a.log": "", "out/b.txt": "", "out/in/.gitignore": "b.txt\n", "out/in/b.txt": "", "out/in/c.log": "",
		".git/info/exclude": "ex.txt\n", "sub/deep/ex.txt": "", "out/ex.txt": "",
	})
	for _, tt := range []struct{ start, want string }{
		{"sub/deep", "sub/deep/.gitignore sub/deep/keep.log sub/deep/x.tmp"},
		{"sub", "sub/.gitignore sub/deep/.gitignore sub/deep/keep.log sub/deep/x.tmp"},
		// An ignored start is searched, and what is named above it counts no more.
		{"out", "out/a.log out/b.txt out/ex.txt out/in/.gitignore out/in/c.log"},
		{"out/in", "out/in/.gitignore out/in/c.log"},
		{"out/in/b.txt", "out/in/b.txt"},
		{"sub/deep/a.log", "sub/deep/a.log"},
	} {
		if got := strings.Join(walked(t, root, tt.start, ""), " "); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.start, got, tt.want)
		}
	}
	r, err := Walk(context.Background(), root, "", "", func(string) error { return nil })
	if err != nil || r.Ignored != 6 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestIgnoreFileThatIsALink(t *testing.T) {
	dir, root := tree(t, map[string]string{"rules": "a\n", "a": "", "b": ""})
	if err := os.Symlink("rules", filepath.Join(dir, ".gitignore")); err != nil {
		t.Skip(err)
	}
	if got := walked(t, root, "", ""); !slices.Equal(got, []string{"a", "b", "rules"}) {
		t.Error(got)
	}
}

// Rules made to be slow are not.
func TestRulesAreFast(t *testing.T) {
	g := parseRules([]byte(strings.Repeat("*a", 120)+"b\n"+strings.Repeat("**/a/", 100)+"b\n"+strings.Repeat("*a*/", 100)+"b\n"), "")
	path := strings.Repeat("aaaa/", 100) + strings.Repeat("a", 255)
	start := time.Now()
	if g.ignored(path, false) {
		t.Error("ignored")
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
}

func FuzzRules(f *testing.F) {
	f.Add([]byte(trickyRules), "a/b.c", true)
	f.Add([]byte("[é\n[a-\n[\\\n[[:x"), "é", false)
	f.Fuzz(func(t *testing.T, b []byte, p string, isDir bool) {
		parseRules(b, "").ignored(p, isDir)
	})
}
