//go:build !linux

package blocks

import "time"

func threadClock() func() time.Duration { return wallClock() }

func processClock(int) func() time.Duration { return wallClock() }

func wallClock() func() time.Duration {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}
