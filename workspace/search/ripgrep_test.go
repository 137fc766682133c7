//go:build soak

package search

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestAgainstRipgrep searches the source of the standard library, or the folder
// in SEARCH_TREE, with this package and with rg in turn, compares the counts
// file by file, and prints the ratio of the best times. The time of rg includes
// the start of its process.
//
//	go test -tags soak -run Ripgrep -v ./workspace/search
func TestAgainstRipgrep(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("rg is not installed")
	}
	dir := os.Getenv("SEARCH_TREE")
	if dir == "" {
		dir = goSource(t)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, p := range benchPatterns {
		q, err := Compile(Options{Pattern: p.pattern, Literal: p.literal, IgnoreCase: p.fold, Mode: Count})
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"--no-config", "--hidden", "--no-require-git", "--no-ignore-dot", "--no-ignore-global", "-g", "!.git", "-c", "--with-filename"}
		if p.literal {
			args = append(args, "-F")
		}
		if p.fold {
			args = append(args, "-i")
		}
		args = append(args, "--", p.pattern)
		ours, theirs := time.Hour, time.Hour
		var got, want []string
		for range 7 {
			start := time.Now()
			got = got[:0]
			if _, err := q.Run(context.Background(), root, "", func(f File) error {
				got = append(got, f.Path+":"+strconv.Itoa(f.Count))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			ours = min(ours, time.Since(start))

			start = time.Now()
			cmd := exec.Command(rg, args...)
			cmd.Dir = dir
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			theirs = min(theirs, time.Since(start))
			want = strings.Split(strings.TrimSpace(string(out)), "\n")
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d files, rg finds %d, or other counts", p.name, len(got), len(want))
		}
		t.Logf("%-14s %4d files  %6.0f ms  rg %6.0f ms  ratio %.2f", p.name, len(got), float64(ours.Microseconds())/1e3, float64(theirs.Microseconds())/1e3, float64(ours)/float64(theirs))
	}
}
