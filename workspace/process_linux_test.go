package workspace

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"putcut/refusal"
)

// child starts this test binary again for one test, as another process on the
// same tree.
func child(t *testing.T, tr *tree, env ...string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(append(os.Environ(), "WORKSPACE_TEST_ROOT="+tr.dir, "WORKSPACE_TEST_STATE="+tr.state), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	return cmd, out
}

// versioned is the n-th content of a file: a reader can tell a whole one from
// a torn one.
func versioned(name string, n int) string {
	row := fmt.Sprintf("%s version %d\n", name, n)
	return row + strings.Repeat(row, 200+n%50) + "end of " + row
}

func versionOf(name, data string) (int, error) {
	row, _, _ := strings.Cut(data, "\n")
	n, err := strconv.Atoi(strings.TrimPrefix(row, name+" version "))
	if err != nil || data != versioned(name, n) {
		return 0, fmt.Errorf("torn: %.60q… of %d bytes", data, len(data))
	}
	return n, nil
}

var killFiles = []string{"a", "d/b", "d/c", "e", "f"}

// A process that commits several files again and again is killed; after every
// recovery all files are of one version, no older than the last one that the
// process was told of, and readers never see half a file.
func TestKill(t *testing.T) {
	if tr := childTree(t); tr != nil {
		killChild(tr)
		return
	}
	for _, inPlace := range []bool{false, true} {
		t.Run(fmt.Sprintf("in place %v", inPlace), func(t *testing.T) { killLoop(t, inPlace) })
	}
}

func killChild(tr *tree) {
	t := tr.t
	ctx := context.Background()
	w := tr.open(Options{Durability: None})
	w.chunk = 4096
	for {
		var targets []*Target
		for _, f := range killFiles {
			targets = append(targets, target(t, w, f))
		}
		unlock, err := w.Lock(ctx, targets...)
		must(t, err)
		var changes []Change
		next := 0
		for i, f := range killFiles {
			old, err := w.Read(ctx, targets[i], nil, 1<<20)
			must(t, err)
			n, err := versionOf(f, string(old))
			must(t, err)
			if i > 0 && next != n+1 {
				t.Fatalf("%s has version %d, not %d", f, n, next-1)
			}
			next = n + 1
			changes = append(changes, Change{Target: targets[i], Old: old, New: []byte(versioned(f, next))})
		}
		extra := create(t, w, "n/"+strconv.Itoa(next%2), "x")
		if extra.Target.Exists {
			extra = Change{Target: extra.Target, Old: []byte("x"), Remove: true}
		}
		_, err = w.Commit(ctx, append(changes, extra))
		must(t, err)
		unlock()
		fmt.Printf("%d\n", next)
	}
}

func killLoop(t *testing.T, inPlace bool) {
	tr := newTree(t, nil)
	for _, f := range killFiles {
		tr.put(f, versioned(f, 0))
	}
	readable := killFiles
	if inPlace {
		must(t, os.Link(tr.path("e"), tr.path("e2")))
		must(t, os.Link(tr.path("a"), tr.path("a2")))
		readable = []string{"d/b", "d/c", "f"}
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	var reads int
	readers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			for _, f := range readable {
				b, err := os.ReadFile(tr.path(f))
				if err == nil {
					_, err = versionOf(f, string(b))
				}
				if err != nil {
					t.Errorf("a reader of %s saw: %v", f, err)
					return
				}
				reads++
			}
		}
	})
	rng := rand.New(rand.NewPCG(1, 2))
	last, finished, back, commits := 0, 0, 0, 0
	for round := range killRounds {
		cmd, out := child(t, tr)
		lines := bufio.NewScanner(out)
		if !lines.Scan() {
			t.Fatal("the process said nothing")
		}
		acked, _ := strconv.Atoi(lines.Text())
		kill := time.AfterFunc(time.Duration(rng.IntN(8000))*time.Microsecond, func() { cmd.Process.Kill() })
		for lines.Scan() {
			if n, err := strconv.Atoi(lines.Text()); err == nil {
				acked = n
			}
		}
		kill.Stop()
		cmd.Wait()
		recovered := settle(t, tr, nil, fmt.Sprintf("round %d", round))
		for _, r := range recovered {
			if r.Action == Finished {
				finished++
			} else {
				back++
			}
		}
		version := -1
		for _, f := range killFiles {
			n, err := versionOf(f, tr.get(f))
			if err != nil {
				t.Fatalf("round %d: %s: %v; recovery: %v", round, f, err, recovered)
			}
			if version >= 0 && n != version {
				t.Fatalf("round %d: %s has version %d, others %d; recovery: %v", round, f, n, version, recovered)
			}
			version = n
		}
		if version < acked || version > acked+1 || version <= last {
			t.Fatalf("round %d: version %d after %d was acknowledged and %d was seen", round, version, acked, last)
		}
		if all := tr.list(); strings.Contains(all, ".putcut") {
			t.Fatalf("round %d: left over: %.2000s", round, all)
		}
		commits += version - last
		last = version
	}
	close(stop)
	readers.Wait()
	t.Logf("%d kills, %d commits of %d files, %d finished and %d rolled back by recovery, %d whole reads",
		killRounds, commits, len(killFiles)+1, finished, back, reads)
}

// Two processes and several goroutines in each add lines to one tree at
// random. Every accepted line is there exactly once, in every file of its
// commit; no refused line is.
func TestOracle(t *testing.T) {
	if tr := childTree(t); tr != nil {
		accepted, refused := oracleWork(tr, os.Getenv("WORKSPACE_TEST_NAME"))
		must(t, json.NewEncoder(os.Stdout).Encode([2]map[string][]string{accepted, refused}))
		os.Exit(0)
	}
	tr := newTree(t, map[string]string{"a": "", "b": "", "c/d": "", "c/e": "", "h": ""})
	must(t, os.Link(tr.path("h"), tr.path("c/h")))
	cmd, out := child(t, tr, "WORKSPACE_TEST_NAME=child")
	answer := make(chan []byte, 1)
	go func() {
		b, _ := io.ReadAll(out)
		answer <- b
	}()
	accepted, refused := oracleWork(tr, "parent")
	var theirs [2]map[string][]string
	must(t, json.Unmarshal(bytes.SplitN(<-answer, []byte("\n"), 2)[0], &theirs))
	must(t, cmd.Wait())
	files := map[string]string{}
	for _, f := range []string{"a", "b", "c/d", "c/e", "h", "c/h"} {
		files[f] = tr.get(f)
	}
	if files["h"] != files["c/h"] {
		t.Error("the hard link is broken")
	}
	lines := 0
	for _, set := range []map[string][]string{accepted, theirs[0]} {
		for token, in := range set {
			for _, f := range in {
				lines++
				if n := strings.Count(files[f], token+"\n"); n != 1 {
					t.Errorf("%s is %d times in %s", token, n, f)
				}
			}
		}
	}
	for _, set := range []map[string][]string{refused, theirs[1]} {
		for token, in := range set {
			for _, f := range in {
				if strings.Contains(files[f], token+"\n") {
					t.Errorf("%s was refused and is in %s", token, f)
				}
			}
		}
	}
	total := 0
	for f, data := range files {
		if f != "c/h" {
			total += strings.Count(data, "\n")
		}
	}
	if total != lines {
		t.Errorf("%d lines in the files, %d accepted", total, lines)
	}
	if strings.Contains(tr.list(), ".putcut") || len(tr.litter()) > 0 {
		t.Error("left over")
	}
	t.Logf("2 processes of 4 workers: %d commits accepted, %d refused, %d lines",
		len(accepted)+len(theirs[0]), len(refused)+len(theirs[1]), lines)
}

// oracleWork returns which tokens were accepted and refused, and for which files.
func oracleWork(tr *tree, name string) (accepted, refused map[string][]string) {
	w := tr.open(Options{Durability: None})
	accepted, refused = map[string][]string{}, map[string][]string{}
	var mu sync.Mutex
	var workers sync.WaitGroup
	for g := range 4 {
		workers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), uint64(len(name))))
			for i := range oracleEdits {
				token := fmt.Sprintf("%s-%d-%d", name, g, i)
				all := []string{"a", "b", "c/d", "c/e", []string{"h", "c/h"}[rng.IntN(2)]}
				rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
				in := all[:1+rng.IntN(3)]
				stale := rng.IntN(8) == 0
				err := oracleEdit(w, token, in, stale)
				mu.Lock()
				if err == nil {
					accepted[token] = in
				} else {
					refused[token] = in
					if !stale || !errors.Is(err, refusal.Conflict) {
						tr.t.Errorf("%s: %v", token, err)
					}
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return accepted, refused
}

func oracleEdit(w *Workspace, token string, in []string, stale bool) error {
	ctx := context.Background()
	var targets []*Target
	for _, f := range in {
		t, err := w.Resolve(f)
		if err != nil {
			return err
		}
		targets = append(targets, t)
	}
	unlock, err := w.Lock(ctx, targets...)
	if err != nil {
		return err
	}
	defer unlock()
	var changes []Change
	for i, t := range targets {
		old, err := w.Read(ctx, t, nil, 1<<20)
		if err != nil {
			return err
		}
		now := append(append([]byte{}, old...), token+"\n"...)
		if stale && i == len(targets)-1 {
			old = append([]byte("not what is there"), old...)
		}
		changes = append(changes, Change{Target: t, Old: old, New: now})
	}
	_, err = w.Commit(ctx, changes)
	return err
}
