//go:build cgo && unix

package blocks

import (
	"bytes"
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"putcut/refusal"
	"putcut/text"
)

const small = "package p\n\nfunc f() {\n\tx()\n}\n"

func span(t *testing.T, e *Engine, lang, src string, line int) (Span, error) {
	t.Helper()
	tree, err := e.Parse(context.Background(), lang, text.FromBody([]byte(src), text.Format{}))
	if err != nil {
		t.Fatal(err)
	}
	return tree.Span(line)
}

func TestWorkerSurvivesDeath(t *testing.T) {
	e := New(Options{Worker: true, CacheBytes: -1})
	defer e.Close()
	want := Span{3, 5}
	if got, err := span(t, e, "go", small, 3); got != want {
		t.Fatal(got, err)
	}
	w := e.parser.(*worker)
	w.mu.Lock()
	w.cmd.Process.Kill()
	w.mu.Unlock()
	if got, err := span(t, e, "go", small, 3); got != want {
		t.Fatalf("after the worker died: %v, %v", got, err)
	}
	// In process this input would take seconds that no time limit bounds.
	bomb := "class X { a x = " + strings.Repeat("a<", 20000)
	start := time.Now()
	_, err := span(t, e, "csharp", bomb, 1)
	if refusal.CodeOf(err) != refusal.BlockUnresolved || !strings.Contains(err.Error(), "out of time") {
		t.Errorf("a text that hangs the parser: %v after %v", err, time.Since(start))
	}
	if got, err := span(t, e, "go", small, 3); got != want {
		t.Errorf("after a kill: %v, %v", got, err)
	}
}

func TestWorkerAgreesWithLocal(t *testing.T) {
	remote, here := New(Options{Worker: true}), New(Options{})
	defer remote.Close()
	defer here.Close()
	src := megabyte()[:20000]
	for i := range 4 {
		d := text.FromBody(edited(src, i), text.Format{})
		a, err := remote.Parse(context.Background(), "go", d)
		if err != nil {
			t.Fatal(err)
		}
		b, err := here.Parse(context.Background(), "go", d)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(nodeBytes(a.nodes), nodeBytes(b.nodes)) {
			t.Fatalf("edit %d: other nodes", i)
		}
	}
	for _, c := range []struct{ lang, src string }{{"markdown", "# a\n\nb\nc\n"}, {"make", "a:\n\tb\n"}, {"", "x"}, {"yaml", "a: ["}} {
		d := text.FromBody([]byte(c.src), text.Format{})
		a, _ := remote.Parse(context.Background(), c.lang, d)
		b, _ := here.Parse(context.Background(), c.lang, d)
		for line := 1; line <= d.Len(); line++ {
			sa, ea := a.Span(line)
			sb, eb := b.Span(line)
			if sa != sb || (ea == nil) != (eb == nil) || ea != nil && ea.Error() != eb.Error() {
				t.Errorf("%s:%d: %v %v, want %v %v", c.lang, line, sa, ea, sb, eb)
			}
		}
	}
}

func TestWorkerCancelled(t *testing.T) {
	e := New(Options{Worker: true, CacheBytes: -1})
	defer e.Close()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	bomb := "class X { a x = " + strings.Repeat("a<", 20000)
	if _, err := e.Parse(ctx, "csharp", text.FromBody([]byte(bomb), text.Format{})); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	if got, err := span(t, e, "go", small, 3); got != (Span{3, 5}) {
		t.Errorf("after a cancelled parse: %v, %v", got, err)
	}
}

// Answers from a worker are checked before they are used.
func TestUnsoundNodes(t *testing.T) {
	good := []node{{end: 4, parent: -1, next: 2}, {start: 1, end: 3, parent: 0, next: 2}}
	src := []byte("abcd")
	if !sound(good, src) {
		t.Fatal("a sound tree is refused")
	}
	for i, spoil := range []func([]node){
		func(n []node) { n[0].end = 5 },
		func(n []node) { n[1].start = 4 },
		func(n []node) { n[0].parent = 0 },
		func(n []node) { n[1].parent = 1 },
		func(n []node) { n[1].parent = -1 },
		func(n []node) { n[1].next = 3 },
		func(n []node) { n[1].next = 1 },
		func(n []node) { n[0].row = 9 },
	} {
		bad := append([]node(nil), good...)
		spoil(bad)
		if sound(bad, src) {
			t.Errorf("spoiled tree %d passes", i)
		}
	}
}

func TestConcurrentQuestions(t *testing.T) {
	e := New(Options{})
	defer e.Close()
	src := megabyte()[:30000]
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range 5 {
				d := text.FromBody(edited(src, (i+j)%3), text.Format{})
				tree, err := e.Parse(context.Background(), "go", d)
				if err != nil {
					t.Error(err)
					return
				}
				if s, err := tree.Span(4); s.End != 20 {
					t.Errorf("span %v %v", s, err)
				}
				tree.Spans()
				tree.Outline()
				tree.Enclosing(10)
			}
		}()
	}
	wg.Wait()
}

func TestMain(m *testing.M) {
	WorkerMain()
	os.Exit(m.Run())
}
