package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"putcut/blocks"
	"putcut/text"
	"putcut/workspace"
)

// longFile is a Go file of so many lines, a multiple of seven, and twelve ops
// far apart with rows that no repair mends.
func longFile(lines int) (content, ops string) {
	var b, o strings.Builder
	b.WriteString("package p\n\n")
	for n := range lines/7 - 1 {
		fmt.Fprintf(&b, "func f%d(x int) int {\n\tif x > %d {\n\t\treturn x\n\t}\n\treturn f%d(x)\n}\n\n", n, n, n)
	}
	b.WriteString("var (\n\ta = 1\n\tb = 2\n\tc = 3\n)\n")
	for k := range 12 {
		line := 3 + 7*((lines/84)*k) + 1 // the `if` of a function
		fmt.Fprintf(&o, "PUT %d.=%d:\n+\tif x > %d {\n+\t\treturn x +* )\n", line, line+1, k)
	}
	return b.String(), o.String()
}

func openLong(tb testing.TB, lines int) (*Session, string, string) {
	content, ops := longFile(lines)
	if n := strings.Count(content, "\n"); n != lines {
		tb.Fatalf("the file has %d lines", n)
	}
	root := tb.TempDir()
	if err := os.WriteFile(filepath.Join(root, "long.go"), []byte(content), 0o644); err != nil {
		tb.Fatal(err)
	}
	// The time limit of a parse is out of the way: what is asked here is whether
	// the counts alone decide.
	engine := blocks.New(blocks.Options{Timeout: time.Minute})
	s, err := Open([]string{root}, Options{Blocks: engine, Workspace: workspace.Options{StateDir: tb.TempDir(), Durability: workspace.None}})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close(); engine.Close() })
	ctx := context.Background()
	tag := text.Tag("")
	for from, total := 1, 1; from <= total; {
		r, err := s.Read(ctx, ReadRequest{Path: "long.go", Ranges: fmt.Sprintf("%d-", from)})
		if err != nil {
			tb.Fatal(err)
		}
		tag, total, from = r.Tag, r.TotalLines, r.Shown[len(r.Shown)-1][1]+1
	}
	return s, string(tag), ops
}

// The search for a repair gives up after 24 parses, and gives the same answer
// while all processors are busy.
func TestRepairSearchIsBounded(t *testing.T) {
	s, tag, ops := openLong(t, searchLines)
	plan := func() string {
		p, err := s.PlanEdit(context.Background(), EditRequest{Path: "long.go", Tag: tag, Ops: ops})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if p.parses == 0 || p.parses > 24 {
			t.Errorf("%d parses, want 1 to 24", p.parses)
		}
		return p.Result().Text()
	}
	quiet := plan()
	if !strings.Contains(quiet, "warning W_SYNTAX: ") {
		t.Errorf("no syntax error was named:\n%s", quiet)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	busy := plan()
	close(stop)
	wg.Wait()
	if busy != quiet {
		t.Errorf("another answer under load:\n%s\nwant:\n%s", busy, quiet)
	}
}

// BenchmarkRepairSearch compares a search that finds nothing with one parse of
// the same text after an edit:
//
//	go test -run - -bench RepairSearch ./session
func BenchmarkRepairSearch(b *testing.B) {
	s, tag, ops := openLong(b, 28_000)
	ctx := context.Background()
	b.Run("one parse", func(b *testing.B) {
		content, _ := longFile(28_000)
		tree, err := s.engine.Parse(ctx, "go", text.FromBody([]byte(content), text.Format{}))
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for b.Loop() {
			n++
			changed := strings.Replace(content, "return x\n", fmt.Sprintf("return x((%d\n", n), 1)
			if _, err := s.engine.ParseEdited(ctx, tree, text.FromBody([]byte(changed), text.Format{})); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("search", func(b *testing.B) {
		parses := 0
		for b.Loop() {
			p, err := s.PlanEdit(ctx, EditRequest{Path: "long.go", Tag: tag, Ops: ops})
			if err != nil {
				b.Fatal(err)
			}
			parses = p.parses
		}
		b.ReportMetric(float64(parses), "parses")
	})
}
