package ops

import (
	"fmt"
	"strings"
	"testing"

	"putcut/text"
)

// BenchmarkApply compares splicing a file of 50,000 lines with copying its
// bytes once. The bounds are one op <= 3x copy, and 200 ops <= 1.5x one op.
//
//	go test ./ops -run '^$' -bench Apply -count 5
func BenchmarkApply(b *testing.B) {
	var s strings.Builder
	for n := range 50_000 {
		fmt.Fprintf(&s, "%sif value[%d] != nil { // step %d\n", strings.Repeat("\t", n%5), n, n*7919%1000)
	}
	old := text.FromBody([]byte(s.String()), text.Format{Encoding: text.UTF8})
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(int64(old.Size()))
		for b.Loop() {
			sink = append([]byte(nil), old.Body()...)
		}
	})
	for _, ops := range []int{1, 200} {
		var splices []Splice
		for i := range ops {
			at := 25_000
			if ops > 1 {
				at = 100 + i*old.Len()/(ops+1)
			}
			splices = append(splices, Splice{Start: at, End: at + 2, Rows: []string{"\treplaced", "\tby", "\tthree"}})
		}
		b.Run(fmt.Sprintf("%dop", ops), func(b *testing.B) {
			b.SetBytes(int64(old.Size()))
			for b.Loop() {
				sink = Apply(old, splices, KeepFinal).Text.Body()
			}
		})
	}
}

var sink []byte
