// History replays what really happened to public packages: it fetches two
// versions of each through its ordinary client, turns every changed text file
// into a script, applies it through package session and compares bytes. Then it
// plants one deliberate mistake per file and tabulates what became of it.
//
//	go run ./internal/history
//
// The tables it prints are Markdown, for the README. A seed decides where
// mistakes are planted, so a run can be repeated. It needs the commands go and
// npm, and the registries they ask.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"putcut/blocks"
)

var (
	ctx = context.Background()
	// wanted selects the outcomes that are printed as examples.
	wanted string
)

func main() {
	seed := flag.Uint64("seed", 1, "decides where mistakes are planted")
	archives := flag.String("npm", filepath.Join(os.TempDir(), "putcut-history"), "folder for what npm packs")
	perLanguage := flag.Int("each", 0, "most files of one package in one language; 0 is all")
	spoilt := flag.Int("spoil", 12, "most files of one package in one language in which mistakes are planted; 0 is all")
	flag.StringVar(&wanted, "show", "", "print examples of outcomes whose name holds this, such as `short:silent`")
	most := flag.Int("examples", 20, "most examples to print")
	only := flag.String("only", "", "correct or mistakes: leave the other out")
	flag.Parse()
	if err := run(*seed, *archives, *perLanguage, *spoilt, *most, *only); err != nil {
		fmt.Fprintln(os.Stderr, "history:", err)
		os.Exit(1)
	}
}

func run(seed uint64, archives string, perLanguage, spoilt, most int, only string) error {
	started := time.Now()
	pairs, out, err := collect(archives, perLanguage, spoilt)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d file changes, fetched in %.0f s; left out: %v\n", len(pairs), time.Since(started).Seconds(), out)
	started = time.Now()
	total, err := replay(pairs, seed, only)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "replayed in %.0f s\n", time.Since(started).Seconds())
	for i, e := range total.examples {
		if i == most {
			break
		}
		fmt.Fprintf(os.Stderr, "=== %s %s\n%s---\n%s\n", e.kind, e.name, e.script, e.result)
	}
	fmt.Print(total.markdown(len(pairs), seed))
	return nil
}

// collect fetches all releases and pairs their files, at most each files of one
// package in one language, of which at most spoilt are for mistakes, both spread
// evenly.
func collect(archives string, each, spoilt int) ([]pair, map[string]int, error) {
	if err := os.MkdirAll(archives, 0o755); err != nil {
		return nil, nil, err
	}
	var all []pair
	out := map[string]int{}
	for _, r := range releases {
		from, err := r.files(r.from, archives)
		if err != nil {
			return nil, nil, err
		}
		to, err := r.files(r.to, archives)
		if err != nil {
			return nil, nil, err
		}
		pairs, left := changed(r.name, from, to)
		for why, n := range left {
			out[why] += n
		}
		count, seen := map[string]int{}, map[string]int{}
		pairs = slices.DeleteFunc(pairs, func(p pair) bool {
			if len(minimal(lines(p.Old), lines(p.New))) <= maxHunks {
				return false
			}
			out["over 500 hunks"]++
			return true
		})
		for _, p := range pairs {
			count[p.Language]++
		}
		for _, p := range pairs {
			n, i := count[p.Language], seen[p.Language]
			seen[p.Language]++
			if !sampled(i, n, each) {
				out["over the number asked for"]++
				continue
			}
			p.Spoil = len(p.Old) <= maxSpoilt && sampled(i, n, spoilt)
			all = append(all, p)
		}
	}
	return all, out, nil
}

// sampled reports whether item i of n is one of most that are spread evenly; all
// are when most is 0.
func sampled(i, n, most int) bool { return most <= 0 || n <= most || (i+1)*most/n != i*most/n }

// replay tries all pairs, a few at a time, each in sessions of its own.
func replay(pairs []pair, seed uint64, only string) (*tally, error) {
	dir, err := os.MkdirTemp(fastDir(), "putcut-history-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		total = newTally()
		fault error
		work  = make(chan pair)
	)
	for i := range runtime.GOMAXPROCS(0) {
		engine := blocks.New(blocks.Options{})
		b, err := newBench(filepath.Join(dir, fmt.Sprint(i)), engine)
		if err != nil {
			return nil, err
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			t := newTally()
			for p := range work {
				var err error
				if only != "mistakes" {
					err = t.replayCorrect(b, p)
				}
				if err == nil && only != "correct" && p.Spoil {
					err = t.replayMistakes(b, p, seed)
				}
				if err != nil {
					mu.Lock()
					fault = err
					mu.Unlock()
				}
			}
			b.ws.Close()
			engine.Close()
			mu.Lock()
			total.add(t)
			mu.Unlock()
		}()
	}
	for _, p := range pairs {
		work <- p
	}
	close(work)
	wg.Wait()
	return total, fault
}

// fastDir is a folder in memory if there is one, else the usual one.
func fastDir() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}
