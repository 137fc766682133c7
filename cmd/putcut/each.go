package main

import "context"

// each does the same for every path. One that fails is reported and does not
// stop the others, unless ctx is cancelled; the exit code is that of the first.
func each(ctx context.Context, s *Streams, name string, asJSON bool, paths []string, do func(path string) error) error {
	var first error
	for _, path := range paths {
		err := do(path)
		if err == nil {
			continue
		}
		if len(paths) == 1 || ctx.Err() != nil {
			return err
		}
		report(s, name, asJSON, err)
		if first == nil {
			first = quietError(exitCode(err))
		}
	}
	return first
}
