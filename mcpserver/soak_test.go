//go:build soak

package mcpserver

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// stdioStep is 1 for every case of the suite over stdio.
const stdioStep = 1

// TestSoak is a minute of 32 agents on one tree: no lost edit, no cross-talk,
// and memory that does not grow with the number of calls.
func TestSoak(t *testing.T) {
	begin := time.Now()
	var mu sync.Mutex
	var heaps []uint64
	next := begin.Add(10 * time.Second)
	times := edit32(t, sharedFiles, func(int) bool {
		now := time.Now()
		mu.Lock()
		if now.After(next) {
			next = now.Add(10 * time.Second)
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			heaps = append(heaps, m.HeapAlloc)
		}
		mu.Unlock()
		return now.Sub(begin) < time.Minute
	})
	t.Logf("%d edits, p50 %v, p99 %v, heap every 10 s: %v", len(times), quantile(times, 0.5), quantile(times, 0.99), heaps)
	// Histories fill up to their bounds first; from half time on nothing grows.
	if n := len(heaps); n >= 4 && heaps[n-1] > heaps[n/2]*3/2 {
		t.Errorf("the heap grew from %d to %d bytes", heaps[n/2], heaps[n-1])
	}
}
