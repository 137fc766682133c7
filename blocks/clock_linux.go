package blocks

import (
	"time"

	"golang.org/x/sys/unix"
)

// The kernel's clock numbers for the processor time of another thread or
// process: see clock_getcpuclockid(3).
func threadClock() func() time.Duration         { return cpuClock(int32(^unix.Gettid()<<3 | 6)) }
func processClock(pid int) func() time.Duration { return cpuClock(int32(^pid<<3 | 2)) }

// cpuClock reads a clock of processor time; when the clock cannot be read, it
// is the time on the wall.
func cpuClock(id int32) func() time.Duration {
	began := time.Now()
	return func() time.Duration {
		var ts unix.Timespec
		if err := unix.ClockGettime(id, &ts); err != nil {
			return time.Since(began)
		}
		return time.Duration(ts.Nano())
	}
}
