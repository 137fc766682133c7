package snapshots

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"slices"
	"testing"
	"time"

	"znkr.io/diff"

	"putcut/text"
)

// outside are a text of 50,000 lines and what 100 changes by others made of it:
// lines changed, inserted and gone, in turn.
func outside(tb testing.TB) (old, live *text.Text) {
	var a, b bytes.Buffer
	for n := range 50_000 {
		row := fmt.Sprintf("\tcall(%d, value[%d]) // step %d\n", n%700, n, n%13)
		if n%3 == 0 {
			row = "}\n" // as repetitive as code is
		}
		a.WriteString(row)
		if n%500 != 250 {
			b.WriteString(row)
			continue
		}
		switch n / 500 % 3 {
		case 0:
			fmt.Fprintf(&b, "\tother(%d)\n", n)
		case 1:
			b.WriteString(row + row)
		}
	}
	return decoded(tb, a.Bytes()), decoded(tb, b.Bytes())
}

func decoded(tb testing.TB, raw []byte) *text.Text {
	t, err := text.Decode(raw, "")
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// hashed are the lines of a text as a diff compares them.
func hashed(seed maphash.Seed, t *text.Text) []uint64 {
	out := make([]uint64, t.Len())
	for n := range out {
		out[n] = maphash.Bytes(seed, t.Line(n+1))
	}
	return out
}

// bare is the diff alone, of lines that are hashed already.
func bare(x, y []uint64) int { return len(diff.Hunks(x, y, diff.Context(0), diff.Fast())) }

// BenchmarkProof compares a proof with the bare diff of the same hashed lines:
//
//	go test -run - -bench Proof ./snapshots
func BenchmarkProof(b *testing.B) {
	old, live := outside(b)
	seed := maphash.MakeSeed()
	x, y := hashed(seed, old), hashed(seed, live)
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			bare(x, y)
		}
	})
	b.Run("proof", func(b *testing.B) {
		for b.Loop() {
			p := NewProof(old, live)
			p.Check([]Range{{100, 120}})
		}
	})
}

// A proof costs at most twice the bare diff.
func TestProofAgainstTheBareDiff(t *testing.T) {
	old, live := outside(t)
	seed := maphash.MakeSeed()
	x, y := hashed(seed, old), hashed(seed, live)
	fastest := func(f func()) time.Duration {
		var all []time.Duration
		for range 7 {
			start := time.Now()
			f()
			all = append(all, time.Since(start))
		}
		return slices.Min(all)
	}
	var alone, whole time.Duration
	for range 3 { // a machine under load may disturb one side of one round
		alone = fastest(func() { bare(x, y) })
		whole = fastest(func() {
			if _, why := NewProof(old, live).Check([]Range{{100, 120}}); why != "" {
				t.Fatal(why)
			}
		})
		if whole <= 2*alone {
			break
		}
	}
	t.Logf("bare diff %v, proof %v: %.2f times", alone, whole, float64(whole)/float64(alone))
	if whole > 2*alone {
		t.Errorf("a proof takes %.2f times the bare diff", float64(whole)/float64(alone))
	}
}
