// Command putcut reads and edits files for coding agents: it prints lines under
// a tag, and applies scripts that name those lines, all or nothing.
//
// It is a thin front of package session. Each sub-command has a file of its own
// with a constructor NewCmdX and a function xRun that does the work on injected
// streams.
//
// Exit codes: 0 done; 1 refused, nothing was written; 2 the command line could
// not be understood; 3 a file or a stream failed.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"putcut/blocks"
)

func main() {
	blocks.WorkerMain()
	os.Exit(runProcess())
}

func runProcess() int {
	// A call that is cancelled before its first change changes nothing, and one
	// that is cancelled later is finished.
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	return Run(ctx, SystemStreams(), os.Args[1:])
}
