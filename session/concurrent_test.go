package session_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"putcut/session"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Many goroutines edit one file under the one tag they all read: every edit
// lands exactly once, at its own line.
func TestEditsOfOnePathTakeTurns(t *testing.T) {
	const n = 60
	s, root := open(t, session.Options{}, map[string]string{"n.txt": lines(n)})
	tag := string(read(t, s, "n.txt", "").Tag)
	var wg sync.WaitGroup
	for i := 1; i <= n; i++ {
		wg.Go(func() {
			ops := fmt.Sprintf("PUT >%d:\n+after %d", i, i)
			if i%3 == 0 {
				ops = fmt.Sprintf("PUT %d.=%d:\n+new %d", i, i, i)
			}
			if _, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: ops}); err != nil {
				t.Error(session.ErrorText(err))
			}
		})
	}
	wg.Wait()
	var want strings.Builder
	for i := 1; i <= n; i++ {
		if i%3 == 0 {
			fmt.Fprintf(&want, "new %d\n", i)
			continue
		}
		fmt.Fprintf(&want, "l%d\nafter %d\n", i, i)
	}
	if got := get(t, root, "n.txt"); got != want.String() {
		t.Errorf("got:\n%s", got)
	}
}

// Patches over overlapping sets of files neither deadlock nor lose an edit.
func TestPatchesOverSeveralPaths(t *testing.T) {
	const files, calls = 6, 40
	all := map[string]string{}
	for i := range files {
		all[fmt.Sprintf("f%d.txt", i)] = "top\nend\n"
	}
	s, root := open(t, session.Options{}, all)
	tags := make([]string, files)
	for i := range tags {
		tags[i] = string(read(t, s, fmt.Sprintf("f%d.txt", i), "").Tag)
	}
	var wg sync.WaitGroup
	for c := range calls {
		wg.Go(func() {
			var b strings.Builder
			for _, f := range []int{c % files, (c + 1 + c%3) % files} {
				fmt.Fprintf(&b, "[f%d.txt#%s]\nPUT >1:\n+call %d\n", f, tags[f], c)
			}
			if _, err := s.Patch(ctx, session.PatchRequest{Script: b.String()}); err != nil {
				t.Error(session.ErrorText(err))
			}
		})
	}
	wg.Wait()
	for c := range calls {
		for _, f := range []int{c % files, (c + 1 + c%3) % files} {
			if got := get(t, root, fmt.Sprintf("f%d.txt", f)); strings.Count(got, fmt.Sprintf("call %d\n", c)) != 1 {
				t.Errorf("call %d is not exactly once in f%d.txt:\n%s", c, f, got)
			}
		}
	}
}

// Random edits under random older tags, against a model that knows each line by
// an identity of its own: an accepted edit does what the model says, and a
// refused one was one whose lines are gone.
func TestOlderTagsKeepTheirNumbers(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 7))
			s, root := open(t, session.Options{}, map[string]string{"n.txt": lines(12)})
			type known struct {
				tag string
				ids []int
			}
			next := 12
			live := make([]int, 12)
			text := map[int]string{}
			for i := range live {
				live[i] = i
				text[i] = fmt.Sprintf("l%d", i+1)
			}
			var seen []known
			look := func() {
				seen = append(seen, known{string(read(t, s, "n.txt", "").Tag), append([]int(nil), live...)})
			}
			look()
			for step := range 40 {
				k := seen[rng.IntN(len(seen))]
				if len(k.ids) == 0 {
					continue
				}
				a := rng.IntN(len(k.ids))
				z := min(len(k.ids)-1, a+rng.IntN(3))
				id := next
				next++
				text[id] = fmt.Sprintf("x%d", id)
				var ops string
				var want []int
				// Where the lines a to z are now, if they still stand together.
				at := -1
				for i, l := range live {
					if l == k.ids[a] {
						at = i
					}
				}
				together := at >= 0 && at+z-a < len(live)
				for i := a; together && i <= z; i++ {
					together = live[at+i-a] == k.ids[i]
				}
				possible := together
				switch rng.IntN(3) {
				case 0:
					ops = fmt.Sprintf("PUT %d.=%d:\n+x%d", a+1, z+1, id)
					if together {
						want = append(append(append(want, live[:at]...), id), live[at+z-a+1:]...)
					}
				case 1:
					ops = fmt.Sprintf("PUT >%d:\n+x%d", a+1, id)
					if possible = at >= 0; possible {
						want = append(append(append(want, live[:at+1]...), id), live[at+1:]...)
					}
				case 2:
					ops = fmt.Sprintf("CUT %d.=%d", a+1, z+1)
					if together {
						want = append(append(want, live[:at]...), live[at+z-a+1:]...)
					}
				}
				_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: k.tag, Ops: ops})
				if possible != (err == nil) {
					t.Fatalf("step %d: %q under %s: possible is %v, error %v", step, ops, k.tag, possible, err)
				}
				if err == nil {
					live = want
				}
				var b strings.Builder
				for _, l := range live {
					b.WriteString(text[l] + "\n")
				}
				if got := get(t, root, "n.txt"); got != b.String() {
					t.Fatalf("step %d: %q under %s: got\n%swant\n%s", step, ops, k.tag, got, b.String())
				}
				if rng.IntN(4) == 0 {
					look()
				}
			}
		})
	}
}
