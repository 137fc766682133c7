//go:build cgo && unix

package blocks

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"putcut/grammars"
	"putcut/text"
)

// megabyte is about 1 MiB of ordinary Go.
func megabyte() []byte {
	var b strings.Builder
	b.WriteString("package p\n\n")
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, `// F%[1]d does one thing.
func (t *T%[1]d) F%[1]d(ctx context.Context, xs []int, m map[string]int) (int, error) {
	total := 0
	for i, x := range xs {
		if x > %[1]d && m["a"] < 3 {
			total += x * i
		} else if x == 0 {
			return 0, fmt.Errorf("bad %%d in %%s", x, "F%[1]d")
		}
	}
	switch total %% 3 {
	case 0:
		t.log.Printf("total %%d", total)
	case 1:
		total++
	}
	return total, nil
}

`, i)
	}
	return []byte(b.String())
}

func doc(b []byte) *text.Text { return text.FromBody(b, text.Format{}) }

// edited is src with one line changed; n makes it different from others.
func edited(src []byte, n int) []byte {
	at := len(src) / 2
	at += strings.Index(string(src[at:]), "total := 0")
	return []byte(string(src[:at]) + fmt.Sprintf("total := %d", n+1) + string(src[at+len("total := 0"):]))
}

func BenchmarkBareParse(b *testing.B) {
	src := megabyte()
	g := load(grammars.Lookup("go"))
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		c := g.parse(context.Background(), src, nil, &budget{time.Minute})
		c.close()
	}
}

func benchFirst(b *testing.B, o Options) {
	src := megabyte()
	o.CacheBytes, o.Timeout = -1, time.Minute
	e := New(o)
	defer e.Close()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		t, _ := e.Parse(context.Background(), "go", doc(src))
		t.Span(1000)
	}
}

func benchNext(b *testing.B, o Options) {
	src := megabyte()
	o.CacheBytes, o.Timeout = 1<<30, time.Minute
	e := New(o)
	defer e.Close()
	d := doc(src)
	e.Parse(context.Background(), "go", d)
	for i := 0; b.Loop(); i++ {
		t, _ := e.Parse(context.Background(), "go", d)
		t.Span(1000 + i%1000)
	}
}

func benchEdited(b *testing.B, o Options) {
	src := megabyte()
	o.CacheBytes, o.Timeout = 1<<28, time.Minute
	e := New(o)
	defer e.Close()
	prev, _ := e.Parse(context.Background(), "go", doc(src))
	for i := 0; b.Loop(); i++ {
		t, _ := e.ParseEdited(context.Background(), prev, doc(edited(src, i)))
		t.Span(1000)
	}
}

func BenchmarkFirstQuestion(b *testing.B)          { benchFirst(b, Options{}) }
func BenchmarkNextQuestion(b *testing.B)           { benchNext(b, Options{}) }
func BenchmarkAfterOneLineEdit(b *testing.B)       { benchEdited(b, Options{}) }
func BenchmarkFirstQuestionWorker(b *testing.B)    { benchFirst(b, Options{Worker: true}) }
func BenchmarkAfterOneLineEditWorker(b *testing.B) { benchEdited(b, Options{Worker: true}) }

// processorTime is what this process and its waited-for children have used.
func processorTime() time.Duration {
	var a, b unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &a)
	unix.Getrusage(unix.RUSAGE_CHILDREN, &b)
	return time.Duration(a.Utime.Nano() + a.Stime.Nano() + b.Utime.Nano() + b.Stime.Nano())
}

// BenchmarkRatios compares the questions with a bare parse by processor time,
// turn by turn, so that a busy machine does not tilt the result.
func BenchmarkRatios(b *testing.B) {
	src := megabyte()
	g := load(grammars.Lookup("go"))
	cold := New(Options{CacheBytes: -1, Timeout: time.Minute})
	warm := New(Options{CacheBytes: 1 << 28, Timeout: time.Minute})
	defer warm.Close()
	ctx := context.Background()
	base := doc(src)
	prev, _ := warm.Parse(ctx, "go", base)
	var bare, first, next, after time.Duration
	took := func(f func()) time.Duration {
		runtime.GC()
		at := processorTime()
		f()
		return processorTime() - at
	}
	const many = 200
	for i := 0; b.Loop(); i++ {
		bare += took(func() { g.parse(ctx, src, nil, &budget{time.Minute}).close() })
		first += took(func() {
			t, _ := cold.Parse(ctx, "go", doc(src))
			t.Span(1000)
		})
		d := doc(edited(src, i))
		after += took(func() {
			t, _ := warm.ParseEdited(ctx, prev, d)
			t.Span(1000)
		})
		warm.Parse(ctx, "go", base)
		next += took(func() {
			for j := range many {
				t, _ := warm.Parse(ctx, "go", base)
				t.Span(1 + (i*many+j)%base.Len())
			}
		}) / many
	}
	b.ReportMetric(float64(bare.Milliseconds())/float64(b.N), "bare-ms")
	b.ReportMetric(float64(first)/float64(bare), "first/bare")
	b.ReportMetric(float64(next)/float64(first), "next/first")
	b.ReportMetric(float64(after)/float64(bare), "edited/bare")
}

func BenchmarkParts(b *testing.B) {
	src := megabyte()
	g := load(grammars.Lookup("go"))
	c := g.parse(context.Background(), src, nil, &budget{time.Minute})
	defer c.close()
	nodes, _ := g.flatten(c)
	d := doc(src)
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			doc(src)
		}
	})
	b.Run("bounded", func(b *testing.B) {
		for b.Loop() {
			bounded(g.lang, src)
		}
	})
	b.Run("flatten", func(b *testing.B) {
		for b.Loop() {
			g.flatten(c)
		}
		b.ReportMetric(float64(len(nodes)), "nodes")
	})
	b.Run("tree", func(b *testing.B) {
		for b.Loop() {
			newTree(g.syntax, d, nodes)
		}
	})
	b.Run("spans", func(b *testing.B) {
		for b.Loop() {
			newTree(g.syntax, d, nodes).Spans()
		}
	})
}
