//go:build unix

package blocks

import "golang.org/x/sys/unix"

// workerMemory bounds a worker's address space.
const workerMemory = 3 << 30

func limitProcess() {
	unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: workerMemory, Max: workerMemory})
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}
