package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"putcut/refusal"
	"putcut/session"
	"putcut/text"
	"putcut/workspace"
)

// edits makes every edit of the benchmark another one.
var edits int

// BenchmarkEdit compares a whole edit, unsynced, with reading the file, hashing
// its bytes once and writing as many bytes beside it. Run:
//
//	go test -run - -bench Edit ./session
func BenchmarkEdit(b *testing.B) {
	var buf bytes.Buffer
	for i := 0; buf.Len() < 7<<20; i++ {
		fmt.Fprintf(&buf, "line %d of a text that is long enough to matter here\n", i)
	}
	dir := b.TempDir()
	name := filepath.Join(dir, "n.txt")
	if err := os.WriteFile(name, buf.Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
	b.Run("bare", func(b *testing.B) {
		b.SetBytes(int64(buf.Len()))
		for b.Loop() {
			raw, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			text.RevisionOf(raw)
			if err := os.WriteFile(name+".new", raw, 0o644); err != nil {
				b.Fatal(err)
			}
			if err := os.Rename(name+".new", name+".other"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("edit", func(b *testing.B) {
		s, err := session.Open([]string{dir}, session.Options{Workspace: workspace.Options{StateDir: b.TempDir(), Durability: workspace.None}})
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		r, err := s.Read(ctx, session.ReadRequest{Path: "n.txt", Ranges: "1-100"})
		if err != nil {
			b.Fatal(err)
		}
		tag := string(r.Tag)
		b.SetBytes(int64(buf.Len()))
		for b.Loop() {
			edits++
			req := session.EditRequest{Path: "n.txt", Tag: tag, Ops: fmt.Sprintf("PUT 50.=50:\n+version %d", edits)}
			res, err := s.Edit(ctx, req)
			if errors.Is(err, refusal.TagMismatch) { // one of many tags stands for two texts: say it again
				res, err = s.Edit(ctx, req)
			}
			if err != nil {
				b.Fatal(session.ErrorText(err))
			}
			tag = string(res.Files[0].Tag)
		}
	})
}

// The memory an edit takes at its peak is at most three times the file: the text
// that was read, the new one, and what a hash, an index and the runtime need.
func TestPeakMemoryOfAnEdit(t *testing.T) {
	const size = 15 << 20
	row := strings.Repeat("x", 63) + "\n"
	s, _ := open(t, session.Options{}, map[string]string{"n.txt": strings.Repeat(row, size/len(row))})
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	r := read(t, s, "n.txt", "1-10")
	done := make(chan struct{})
	peak := make(chan uint64)
	go func() {
		var most uint64
		var m runtime.MemStats
		for {
			select {
			case <-done:
				peak <- most
				return
			default:
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse)
			}
		}
	}()
	edit(t, s, "n.txt", string(r.Tag), "PUT 5.=5:\n+y")
	close(done)
	if got := float64(<-peak-before.HeapInuse) / size; got > 3 {
		t.Errorf("an edit took %.2f times the file at its peak", got)
	} else {
		t.Logf("%.2f times the file", got)
	}
}
