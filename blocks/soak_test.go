//go:build cgo && linux && soak

package blocks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"putcut/grammars"
	"putcut/text"
)

// resident is the resident memory of this process in MiB.
func resident(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(string(b), "\n") {
		var kb int
		if n, _ := fmt.Sscanf(l, "VmRSS: %d kB", &kb); n == 1 {
			return kb >> 10
		}
	}
	t.Fatal("no VmRSS")
	return 0
}

// A minute of parses with and without errors, edits, evictions and refusals
// leaves memory where it was after the first few seconds.
func TestSoak(t *testing.T) {
	for _, worker := range []bool{false, true} {
		t.Run(fmt.Sprintf("worker=%v", worker), func(t *testing.T) {
			e := New(Options{CacheBytes: 16 << 20, Worker: worker})
			defer e.Close()
			tables, _ := filepath.Glob("testdata/*.jsonl")
			var texts []sample
			for _, f := range tables {
				texts = append(texts, sampleTexts(t, f)...)
			}
			big := megabyte()[:200000]
			base, start := 0, time.Now()
			for i := 0; time.Since(start) < time.Minute; i++ {
				s := texts[i%len(texts)]
				lang := grammars.Detect(s.path, nil)
				for _, body := range []string{s.text, s.text + fmt.Sprint("\n", i), s.text[:len(s.text)/2]} {
					tree, err := e.Parse(context.Background(), lang, text.FromBody([]byte(body), text.Format{}))
					if err != nil {
						t.Fatal(err)
					}
					tree.Spans()
					tree.Outline()
				}
				if i%20 == 0 {
					e.Parse(context.Background(), "go", text.FromBody(edited(big, i), text.Format{}))
				}
				if base == 0 && time.Since(start) > 15*time.Second {
					runtime.GC()
					base = resident(t)
				}
			}
			runtime.GC()
			end := resident(t)
			t.Logf("%d MiB after 15 s, %d MiB after a minute", base, end)
			if end > base+base/4+16 {
				t.Errorf("memory grew from %d to %d MiB", base, end)
			}
		})
	}
}
