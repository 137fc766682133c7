package workspace

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var benchData = bytes.Repeat([]byte("x := 1\n"), 3000) // 21 KB

// bareReplace is the least that a durable replacement is: write, fsync, rename,
// fsync of the folder.
func bareReplace(b *testing.B, dir, name string, data []byte) {
	f, err := os.OpenFile(filepath.Join(dir, "temp"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	must(b, err)
	_, err = f.Write(data)
	must(b, err)
	must(b, f.Sync())
	must(b, f.Close())
	must(b, os.Rename(filepath.Join(dir, "temp"), filepath.Join(dir, name)))
	d, err := os.Open(dir)
	must(b, err)
	must(b, d.Sync())
	must(b, d.Close())
}

// BenchmarkRatio takes turns between the bare system calls and commits, so that
// whatever else the machine does meets both, and reports ratios of medians: one
// file against one bare replacement, ten in one commit against ten of them.
func BenchmarkRatio(b *testing.B) {
	tr := newTree(b, nil)
	for i := range 10 {
		tr.put(fmt.Sprint("f", i), string(benchData))
	}
	w := tr.open(Options{})
	other := bytes.Clone(benchData)
	other[0] = 'y'
	both := [2][]byte{benchData, other}
	have := [10]int{}
	replaceFiles := func(n int) {
		var changes []Change
		for i := range n {
			changes = append(changes, Change{Target: target(b, w, fmt.Sprint("f", i)), Old: both[have[i]], New: both[1-have[i]]})
			have[i] = 1 - have[i]
		}
		_, err := doCommit(w, changes...)
		must(b, err)
	}
	var times [4][]time.Duration
	clock := func(i int, f func()) {
		start := time.Now()
		f()
		times[i] = append(times[i], time.Since(start))
	}
	for b.Loop() {
		clock(0, func() { bareReplace(b, tr.dir, "bare0", benchData) })
		clock(1, func() { replaceFiles(1) })
		clock(2, func() {
			for i := range 10 {
				bareReplace(b, tr.dir, fmt.Sprint("bare", i), benchData)
			}
		})
		clock(3, func() { replaceFiles(10) })
	}
	median := func(i int) float64 {
		slices.Sort(times[i])
		return float64(times[i][len(times[i])/2])
	}
	b.ReportMetric(median(0)/1e6, "bare-ms")
	b.ReportMetric(median(1)/median(0), "one/bare")
	b.ReportMetric(median(3)/median(2), "ten/10bare")
}

func BenchmarkCommit(b *testing.B) {
	for _, files := range []int{1, 10} {
		for _, d := range []Durability{Full, None} {
			b.Run(fmt.Sprintf("files=%d/durability=%d", files, d), func(b *testing.B) {
				tr := newTree(b, nil)
				var names []string
				for i := range files {
					names = append(names, fmt.Sprint("f", i))
					tr.put(names[i], string(benchData))
				}
				w := tr.open(Options{Durability: d})
				other := bytes.Clone(benchData)
				other[0] = 'y'
				old, now := benchData, other
				for b.Loop() {
					var changes []Change
					for _, n := range names {
						changes = append(changes, Change{Target: target(b, w, n), Old: old, New: now})
					}
					_, err := doCommit(w, changes...)
					must(b, err)
					old, now = now, old
				}
			})
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	tr := newTree(b, nil)
	deep := "a/b/c/d/e/f/file.go"
	tr.put("file.go", "x")
	tr.put(deep, "x")
	w := tr.open(Options{})
	for _, p := range []string{"file.go", deep} {
		b.Run(p, func(b *testing.B) {
			for b.Loop() {
				target(b, w, p)
			}
		})
	}
}

func BenchmarkLock(b *testing.B) {
	tr := newTree(b, nil)
	tr.put("f", "x")
	w := tr.open(Options{})
	t := target(b, w, "f")
	for b.Loop() {
		unlock, err := w.Lock(context.Background(), t)
		must(b, err)
		unlock()
	}
}

func BenchmarkReadUnchanged(b *testing.B) {
	tr := newTree(b, nil)
	data := bytes.Repeat([]byte("x := 1\n"), 10<<20/7)
	tr.put("f", string(data))
	w := tr.open(Options{})
	t := target(b, w, "f")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		_, err := w.Read(context.Background(), t, data, 1<<30)
		must(b, err)
	}
}

// BenchmarkWhole is an edit of 10 MB without syncs, against reading and
// writing the same bytes.
func BenchmarkWhole(b *testing.B) {
	data := bytes.Repeat([]byte("x := 1\n"), 10<<20/7)
	other := bytes.Clone(data)
	other[0] = 'y'
	b.Run("bare", func(b *testing.B) {
		tr := newTree(b, nil)
		tr.put("f", string(data))
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			_, err := os.ReadFile(tr.path("f"))
			must(b, err)
			must(b, os.WriteFile(tr.path("f"), other, 0o644))
		}
	})
	b.Run("commit", func(b *testing.B) {
		tr := newTree(b, nil)
		tr.put("f", string(data))
		w := tr.open(Options{Durability: None})
		b.SetBytes(int64(len(data)))
		old, now := data, other
		for b.Loop() {
			t := target(b, w, "f")
			_, err := w.Read(context.Background(), t, old, 1<<30)
			must(b, err)
			_, err = w.Commit(context.Background(), []Change{{Target: t, Old: old, New: now, OldRevision: "-", NewRevision: "-"}})
			must(b, err)
			old, now = now, old
		}
	})
}

func TestMain(m *testing.M) {
	unix.Umask(0o022)
	os.Exit(m.Run())
}
