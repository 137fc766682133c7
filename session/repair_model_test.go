package session_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"putcut/blocks"
	"putcut/refusal"
	"putcut/session"
	"putcut/text"
)

// TestRepairsAgainstModel compares edits of one op in small files with every
// repair the contract knows: an edit that parses is never touched, and one that
// is mended was mended in the only cheapest way.
func TestRepairsAgainstModel(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	engine := blocks.New(blocks.Options{})
	defer engine.Close()
	parses := func(lang, body string) bool {
		tree, err := engine.Parse(ctx, lang, text.FromBody([]byte(body), text.Format{Encoding: text.UTF8}))
		return err == nil && tree.Parsed() && !tree.HasErrors()
	}
	kinds := []struct {
		name, lang string
		frame      [2]string
		pool       []string
	}{
		{"a.go", "go", [2]string{"package a\nfunc f() {\n", "}\n"}, []string{"if x {", "a()", "b()", "}", "}", "{", "for {", "} else {"}},
		{"a.json", "json", [2]string{"[\n", "]\n"}, []string{"1,", "2", "[", "]", "{", "}", "],", "\"a\":", "1"}},
		{"a.js", "javascript", [2]string{"", ""}, []string{"f(", ")", "if (x) {", "}", "a;", "-", "2", "{", "try {", "} finally {"}},
	}
	count := map[string]int{}
	for range 1500 {
		k := kinds[r.Intn(len(kinds))]
		lines := strings.Split(strings.TrimSuffix(k.frame[0], "\n"), "\n")
		if k.frame[0] == "" {
			lines = nil
		}
		head := len(lines)
		for range 2 + r.Intn(6) {
			lines = append(lines, k.pool[r.Intn(len(k.pool))])
		}
		tail := len(lines)
		if k.frame[1] != "" {
			lines = append(lines, strings.TrimSuffix(k.frame[1], "\n"))
		}
		join := func(l []string) string { return strings.Join(l, "\n") + "\n" }
		if !parses(k.lang, join(lines)) {
			continue
		}
		first := head + 1 + r.Intn(tail-head)
		last := min(len(lines), first+r.Intn(3))
		// A body near the truth: what stands there, a row changed, more of the
		// neighbours than there should be, or less.
		from, to := max(0, first-1-r.Intn(3)), min(len(lines), last+r.Intn(3))
		rows := slices.Clone(lines[from:to])
		switch r.Intn(3) {
		case 0:
			rows[r.Intn(len(rows))] = k.pool[r.Intn(len(k.pool))]
		case 1:
			i := r.Intn(len(rows))
			rows = slices.Insert(rows, i, k.pool[r.Intn(len(k.pool))])
		default:
			if len(rows) > 1 {
				i := r.Intn(len(rows))
				rows = slices.Delete(rows, i, i+1)
			}
		}
		build := func(start, end int, rows []string) string {
			out := slices.Clone(lines[:start])
			out = append(out, rows...)
			return join(append(out, lines[end:]...))
		}
		literal := build(first-1, last, rows)
		if literal == join(lines) {
			continue
		}
		// Every repair: rows dropped at either end that restate as many lines
		// next to the span, one line kept.
		best, goods, weak := 0, map[string]bool{}, map[int]map[string]bool{}
		n, same := len(rows), 0
		found := map[int]map[string]bool{}
		for a := 0; a <= n; a++ {
			for b := 0; a+b <= n; b++ {
				strict := a <= first-1 && slices.Equal(rows[:a], lines[first-1-a:first-1]) && b <= len(lines)-last && slices.Equal(rows[n-b:], lines[last:last+b])
				for keep := range 3 {
					cost := a + b
					s, e := first-1, last
					switch keep {
					case 1:
						s++
						cost++
					case 2:
						e--
						cost++
					}
					if cost == 0 || s > e {
						continue
					}
					body := build(s, e, rows[a:n-b])
					if body == join(lines) && strict && (same == 0 || cost < same) {
						same = cost
					}
					if body == join(lines) || !parses(k.lang, body) {
						continue
					}
					m := found
					if !strict {
						m = weak
					}
					if m[cost] == nil {
						m[cost] = map[string]bool{}
					}
					m[cost][body] = true
				}
			}
		}
		for c := 1; c < 20 && best == 0; c++ {
			if len(found[c]) > 0 && (same == 0 || c <= same) {
				best, goods = c, found[c]
			}
		}
		cheaper := false // part of a restated run would do: literal is an answer too
		for c := range weak {
			cheaper = cheaper || c <= best
		}
		s, root := open(t, session.Options{}, map[string]string{k.name: join(lines)})
		tag := string(read(t, s, k.name, "").Tag)
		op := fmt.Sprintf("PUT %d.=%d:\n+%s\n", first, last, strings.Join(rows, "\n+"))
		_, err := s.Edit(ctx, session.EditRequest{Path: k.name, Tag: tag, Ops: op})
		got := get(t, root, k.name)
		what := fmt.Sprintf("%q, %q", join(lines), op)
		switch {
		case err != nil && refusal.As(err).Code == refusal.RepairAmbiguous:
			count["ambiguous"]++
			if strings.Contains(refusal.As(err).What, "another reading") {
				count["another reading"]++
			} else if len(goods) < 2 && len(weak[best]) == 0 {
				t.Errorf("%s: ambiguous, and the repairs are %v", what, goods)
			}
		case err != nil:
			t.Errorf("%s: %v", what, err)
		case got == literal:
			count["literal"]++
			if !parses(k.lang, literal) && len(goods) == 1 && !cheaper {
				count["literal, with a repair"]++
				t.Errorf("%s: applied literally, and the one repair is %v", what, goods)
			}
		default:
			count["repaired"]++
			if parses(k.lang, literal) {
				t.Errorf("%s: the literal result parses, and %q was written", what, got)
			}
			if len(goods) != 1 || !goods[got] {
				t.Errorf("%s: %q was written, and the cheapest repairs are %v", what, got, goods)
			}
		}
		s.Close()
		if t.Failed() {
			return
		}
	}
	t.Log(count)
}
