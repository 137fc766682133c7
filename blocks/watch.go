package blocks

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// wallFactor is how many times its processor time a parse may take on the wall.
const wallFactor = 10

// A watch calls a function once the calling thread has used its time, or the
// context is done. It holds the thread between start and stop.
type watch struct {
	clock   func() time.Duration
	used    time.Duration
	mu      sync.Mutex
	done    bool
	timer   *time.Timer
	release func() bool
}

func (w *watch) start(ctx context.Context, limit time.Duration, expire func()) {
	runtime.LockOSThread()
	w.clock = threadClock()
	began := time.Now()
	w.used = w.clock()
	fire := func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.done {
			expire()
		}
	}
	w.release = context.AfterFunc(ctx, fire)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(limit, func() {
		left := limit - (w.clock() - w.used)
		if left <= 0 || time.Since(began) > wallFactor*limit {
			fire()
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.done {
			w.timer.Reset(max(left, time.Millisecond))
		}
	})
}

// stop ends the watch and returns the time that was used; the function is not
// called any more.
func (w *watch) stop() time.Duration {
	spent := w.clock() - w.used
	w.mu.Lock()
	w.done = true
	w.timer.Stop()
	w.mu.Unlock()
	w.release()
	runtime.UnlockOSThread()
	return spent
}

// A budget is the processor time that is left for the parses of one text.
type budget struct{ left time.Duration }
