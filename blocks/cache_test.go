//go:build cgo

package blocks

import (
	"bytes"
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"putcut/grammars"
	"putcut/text"
)

func TestCacheParsesOnce(t *testing.T) {
	e := New(Options{})
	defer e.Close()
	a, _ := e.Parse(context.Background(), "go", text.FromBody([]byte(small2), text.Format{}))
	b, _ := e.Parse(context.Background(), "go", text.FromBody([]byte(small2), text.Format{}))
	if a != b {
		t.Error("one text was parsed twice")
	}
	c, _ := e.Parse(context.Background(), "python", text.FromBody([]byte(small2), text.Format{}))
	if a == c {
		t.Error("two languages share a tree")
	}
}

const small2 = "package p\n\nfunc f() {\n\tx()\n}\n"

func TestCacheBudget(t *testing.T) {
	e := New(Options{CacheBytes: 1 << 20})
	defer e.Close()
	for i := range 200 {
		src := strings.ReplaceAll(small2, "x()", strings.Repeat("x()\n\t", 50+i))
		e.Parse(context.Background(), "go", text.FromBody([]byte(src), text.Format{}))
	}
	if e.cache.used > 1<<20 {
		t.Errorf("the cache holds %d bytes", e.cache.used)
	}
	sum := int64(0)
	for el := e.cache.order.Front(); el != nil; el = el.Next() {
		sum += el.Value.(*entry).cost
	}
	if sum != e.cache.used || len(e.cache.entries) != e.cache.order.Len() {
		t.Errorf("the books do not balance: %d in entries, %d counted", sum, e.cache.used)
	}
}

// A tree that was made from an earlier one is the tree that a parse from
// nothing makes, for random edits of the grammars' own test texts.
func TestIncrementalEqualsFull(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.jsonl")
	if len(files) == 0 {
		t.Skip("no texts")
	}
	r := rand.New(rand.NewPCG(1, 2))
	p := &local{timeout: 10 * time.Second, keep: true}
	for _, f := range files {
		for _, rec := range sampleTexts(t, f) {
			l := grammars.Lookup(grammars.Detect(rec.path, nil))
			if l == nil || l.InGo() {
				continue
			}
			src := []byte(rec.text)
			cur := p.parse(context.Background(), l, src, nil)
			for range 25 {
				next := mutate(r, src)
				got := p.parse(context.Background(), l, next, cur.state)
				want := p.parse(context.Background(), l, next, nil)
				if !bytes.Equal(nodeBytes(got.nodes), nodeBytes(want.nodes)) {
					t.Errorf("%s: other nodes after an edit", rec.path)
				}
				if want.state != nil {
					want.state.release(p.drop)
				}
				if got.state == nil {
					continue
				}
				if cur.state != nil {
					cur.state.release(p.drop)
				}
				cur, src = got, next
			}
			if cur.state != nil {
				cur.state.release(p.drop)
			}
		}
	}
}

// mutate drops, doubles or swaps whole lines, or changes a word.
func mutate(r *rand.Rand, src []byte) []byte {
	lines := bytes.SplitAfter(bytes.Clone(src), []byte("\n"))
	i := r.IntN(len(lines))
	switch r.IntN(4) {
	case 0:
		lines = append(lines[:i], lines[i+1:]...)
	case 1:
		lines = append(lines[:i], append([][]byte{lines[i]}, lines[i:]...)...)
	case 2:
		j := r.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
	default:
		if w := bytes.IndexAny(lines[i], "abcdefghijklmnopqrstuvwxyz"); w >= 0 {
			lines[i] = bytes.Replace(lines[i], lines[i][w:w+1], []byte("zz"), 1)
		}
	}
	return bytes.Join(lines, nil)
}
