package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// activationGrace is how long the pipes of a cancelled activation are waited
// for: a child of the shell may hold them open.
const activationGrace = 2 * time.Second

// runActivation runs the command that makes a change take effect, in the first
// root. The standard output is the result's, so the command's goes to the error
// stream. A cancelled call ends it.
func (opts *convertOptions) runActivation(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "sh", "-c", opts.activate)
	cmd.Dir = opts.dirs()[0]
	cmd.Stdout, cmd.Stderr = opts.Err, opts.Err
	cmd.WaitDelay = activationGrace
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrWaitDelay):
		return nil // it succeeded and left something running
	}
	return fmt.Errorf("`%s`: %w", opts.activate, err)
}
