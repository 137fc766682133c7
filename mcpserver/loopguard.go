package mcpserver

import (
	"fmt"
	"slices"
	"sync"

	"putcut/refusal"
)

// stopAt is the counted refusal from which a result says to stop.
const stopAt = 3

// maxGuarded bounds the paths that are counted at one time.
const maxGuarded = 256

// handedOver are the refusals that hand over what the retry needs: the first of
// each on a path is part of normal work and not counted.
var handedOver = []refusal.Code{refusal.TagMismatch, refusal.TagUnknown, refusal.LinesUnseen}

// A loopGuard counts refusals per path of one session, so that a model that
// sends the same mistake again and again is told to stop, and its host can see
// it. A change that lands on the path clears the count.
type loopGuard struct {
	mu    sync.Mutex
	paths map[string]*attempts
}

type attempts struct {
	counted int
	free    []refusal.Code // those that were not counted
}

// refused counts a refusal and returns how many were counted on the path.
func (g *loopGuard) refused(key string, code refusal.Code) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.paths == nil || len(g.paths) >= maxGuarded && g.paths[key] == nil {
		g.paths = map[string]*attempts{}
	}
	a := g.paths[key]
	if a == nil {
		a = &attempts{}
		g.paths[key] = a
	}
	if slices.Contains(handedOver, code) && !slices.Contains(a.free, code) {
		a.free = append(a.free, code)
		return a.counted
	}
	a.counted++
	return a.counted
}

// landed clears the counts of paths that were changed, and of refusals that
// belonged to no path. The keys are asked for only if something is counted.
func (g *loopGuard) landed(keys func() []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.paths) == 0 {
		return
	}
	delete(g.paths, "")
	for _, k := range keys() {
		delete(g.paths, k)
	}
}

// advice is the row that goes with the counted refusal n, and "" for the first.
func advice(n int, path string, name func(string) string) string {
	on := ""
	if path != "" {
		on = " on " + clip(path)
	}
	switch {
	case n < 2:
		return ""
	case n < stopAt:
		return fmt.Sprintf("refusal %d%s: compare your call with the message below before you send another\n", n, on)
	case n < stopAt+2:
		return fmt.Sprintf("refusal %d%s: stop sending edits; `%s` the file again, whole, then make one small edit from what it prints\n", n, on, name("read"))
	}
	return fmt.Sprintf("refusal %d%s: give up this edit, say which change is missing and why, and end the turn\n", n, on)
}
