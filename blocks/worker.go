package blocks

import (
	"time"
)

func newWorker(timeout time.Duration, cacheBytes int64) parser {
	return &local{timeout: timeout, keep: cacheBytes > 0}
}

// WorkerMain takes over when the environment says that this process is a
// parse worker, and never returns then.
func WorkerMain() {}
