package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zeebo/blake3"
)

// BenchmarkTag10MB compares tagging 10 MB of source text with digesting its
// bytes. The bound is tag <= 2x bare; crlf and blanks show what normalising costs.
//
//	go test ./text -run '^$' -bench Tag10MB -count 5
func BenchmarkTag10MB(b *testing.B) {
	source := func(eol string) []byte {
		var s strings.Builder
		for n := 0; s.Len() < 10_000_000; n++ {
			fmt.Fprintf(&s, "%sif value[%d] != nil { // step %d%s", strings.Repeat("\t", n%5), n, n*7919%1000, eol)
		}
		return []byte(s.String()[:10_000_000])
	}
	plain := source("\n")
	b.Run("bare", func(b *testing.B) {
		b.SetBytes(int64(len(plain)))
		h := blake3.New()
		var sum [32]byte
		for b.Loop() {
			h.Reset()
			h.Write(plain)
			h.Sum(sum[:0])
		}
	})
	for _, c := range []struct {
		name string
		body []byte
	}{{"tag", plain}, {"crlf", source("\r\n")}, {"blanks", source("  \n")}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.body)))
			t := FromBody(c.body, Format{Encoding: UTF8})
			for b.Loop() {
				t.Tag()
			}
		})
	}
}
