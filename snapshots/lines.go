package snapshots

import "math/bits"

// A LineSet is a set of line numbers, from 1. The zero value is empty. It costs
// one bit a line up to the highest.
type LineSet struct{ words []uint64 }

// Add adds line n.
func (s *LineSet) Add(n int) {
	w := (n - 1) >> 6
	for len(s.words) <= w {
		s.words = append(s.words, 0)
	}
	s.words[w] |= 1 << ((n - 1) & 63)
}

// Has reports whether line n is in the set.
func (s *LineSet) Has(n int) bool {
	w := (n - 1) >> 6
	return n > 0 && w < len(s.words) && s.words[w]&(1<<((n-1)&63)) != 0
}

// Len is the number of lines in the set.
func (s *LineSet) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Each calls f with every line, in order.
func (s *LineSet) Each(f func(n int)) {
	for i, w := range s.words {
		for w != 0 {
			b := bits.TrailingZeros64(w)
			f(i<<6 + b + 1)
			w &^= 1 << b
		}
	}
}
