package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkApply takes turns between `git apply` and `putcut apply` of one
// changed line in a file of 100, whole processes, so that whatever else the
// machine does meets both, and reports the ratios of medians and of minima.
// putcut syncs the new content and the folder, git neither. `putcut version` is
// there to tell the start of the program from its work, and the program in
// testdata/bare to tell what no durable apply with these libraries can go below.
func BenchmarkApply(b *testing.B) {
	git, err := exec.LookPath("git")
	if err != nil {
		b.Skip("there is no git")
	}
	dir := b.TempDir()
	program, bare := filepath.Join(dir, "putcut"), filepath.Join(dir, "bare")
	for name, folder := range map[string]string{program: ".", bare: "./testdata/bare"} {
		if out, err := exec.Command("go", "build", "-o", name, folder).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	env := append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "HOME="+dir, "PUTCUT_SESSION=", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.Output()
		if err != nil {
			b.Fatalf("%s %v: %v", name, args, err)
		}
		return string(out)
	}
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	run(git, "init", "-q", ".")
	var prose, source strings.Builder
	source.WriteString("package p\n\n")
	for i := range 100 {
		fmt.Fprintf(&prose, "line %d of some text\n", i+1)
		if i < 98 {
			fmt.Fprintf(&source, "var v%d = %d\n", i, i)
		}
	}
	for _, c := range []struct{ name, text, row string }{
		{"n.txt", prose.String(), "changed"},
		{"n.go", source.String(), "var changed = 1"},
	} {
		b.Run(strings.TrimPrefix(filepath.Ext(c.name), "."), func(b *testing.B) {
			put(c.name, c.text)
			put("a.put", fmt.Sprintf("%s\nPUT 50.=50:\n+%s\n", strings.TrimSpace(run(program, "tag", c.name)), c.row))
			put("a.diff", run(program, "apply", "a.put", "--dry-run", "--diff"))
			var times [4][]time.Duration
			clock := func(i int, name string, args ...string) {
				put(c.name, c.text)
				start := time.Now()
				run(name, args...)
				times[i] = append(times[i], time.Since(start))
			}
			for b.Loop() {
				clock(0, git, "apply", "a.diff")
				clock(1, program, "apply", "a.put")
				clock(2, program, "version")
				clock(3, bare, c.name, "50", c.row)
			}
			at := func(i, part int) float64 {
				slices.Sort(times[i])
				return float64(times[i][len(times[i])*part/100]) / 1e6
			}
			b.ReportMetric(at(0, 50), "git-ms")
			b.ReportMetric(at(1, 50), "apply-ms")
			b.ReportMetric(at(2, 50)/at(0, 50), "version/git")
			b.ReportMetric(at(3, 50)/at(0, 50), "bare/git")
			b.ReportMetric(at(1, 50)/at(0, 50), "apply/git")
			b.ReportMetric(at(1, 50)/at(3, 50), "apply/bare")
			b.ReportMetric(at(1, 0)/at(0, 0), "least-apply/git")
			b.ReportMetric(at(3, 0)/at(0, 0), "least-bare/git")
		})
	}
}
