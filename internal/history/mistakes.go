package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// A mistake is a slip that models make, as a way to spoil change i of a script.
// spoil returns the calls to send, of which the last holds the slip, or false
// when there is no place for it. meant, when set, is the text that was wanted
// where that is not the new file.
type mistake struct {
	name  string
	spoil func(r *rand.Rand, old, now []string, list []change, i int) (calls []string, ok bool)
	meant func(old, now []string, list []change, i int) []string
}

var mistakes = []mistake{
	{name: "body repeats the line(s) below", spoil: bodies(echoBelow)},
	{name: "body repeats the line(s) above", spoil: bodies(echoAbove)},
	{name: "body repeats both sides", spoil: bodies(echoBoth)},
	{name: "range one line too long", spoil: bodies(tooLong)},
	{name: "range starts one line early", spoil: bodies(early)},
	{name: "range one line short", spoil: bodies(short)},
	{name: "range off by one", spoil: bodies(offByOne)},
	{name: "old number under a new tag", spoil: stale, meant: staleMeant},
	{name: "closing row left out of the body", spoil: bodies(droppedCloser)},
	{name: "body without `+`", spoil: unprefixed},
	{name: "tabs for spaces, or spaces for tabs", spoil: bodies(otherIndent)},
}

// bodies makes a mistake of a way to spoil one change within the room between
// its neighbours: floor is where the change before ends, ceiling where the one
// after starts.
func bodies(f func(r *rand.Rand, old []string, c change, floor, ceiling int) (change, bool)) func(*rand.Rand, []string, []string, []change, int) ([]string, bool) {
	return func(r *rand.Rand, old, now []string, list []change, i int) ([]string, bool) {
		floor, ceiling := 0, len(old)
		if i > 0 {
			floor = list[i-1].End
		}
		if i+1 < len(list) {
			ceiling = list[i+1].Start
		}
		c, ok := f(r, old, list[i], floor, ceiling)
		if !ok {
			return nil, false
		}
		spoilt := slices.Clone(list)
		spoilt[i] = c
		if slices.Equal(apply(old, spoilt), now) {
			return nil, false // it makes no difference here
		}
		return []string{script(spoilt)}, true
	}
}

func echoBelow(r *rand.Rand, old []string, c change, _, ceiling int) (change, bool) {
	n := min(1+r.IntN(3), ceiling-c.End)
	c.Rows = slices.Concat(c.Rows, old[c.End:c.End+n])
	return c, n > 0 && len(c.Rows) > n
}

func echoAbove(r *rand.Rand, old []string, c change, floor, _ int) (change, bool) {
	n := min(1+r.IntN(3), c.Start-floor)
	c.Rows = slices.Concat(old[c.Start-n:c.Start], c.Rows)
	return c, n > 0 && len(c.Rows) > n
}

func echoBoth(r *rand.Rand, old []string, c change, floor, ceiling int) (change, bool) {
	a, ok := echoAbove(r, old, c, floor, ceiling)
	if !ok {
		return c, false
	}
	return echoBelow(r, old, a, floor, ceiling)
}

func tooLong(_ *rand.Rand, _ []string, c change, _, ceiling int) (change, bool) {
	c.End++
	return c, c.Start < c.End-1 && c.End <= ceiling
}

func early(_ *rand.Rand, _ []string, c change, floor, _ int) (change, bool) {
	c.Start--
	return c, c.Start+1 < c.End && c.Start >= floor
}

func short(_ *rand.Rand, _ []string, c change, _, _ int) (change, bool) {
	c.End--
	return c, c.Start < c.End
}

func offByOne(r *rand.Rand, _ []string, c change, floor, ceiling int) (change, bool) {
	by := 1 - 2*r.IntN(2)
	c.Start, c.End = c.Start+by, c.End+by
	return c, c.Start >= floor && c.End <= ceiling && c.Start >= 0
}

// droppedCloser leaves out a last row that only closes.
func droppedCloser(_ *rand.Rand, _ []string, c change, _, _ int) (change, bool) {
	n := len(c.Rows) - 1
	if n < 1 || !closes(c.Rows[n]) {
		return c, false
	}
	c.Rows = c.Rows[:n]
	return c, true
}

func closes(row string) bool {
	s := strings.TrimSpace(row)
	if s == "end" || s == "fi" || s == "done" || s == "esac" || strings.HasPrefix(s, "</") && strings.Count(s, "<") == 1 {
		return true
	}
	return s != "" && strings.Trim(s, ")]};,") == "" && strings.ContainsAny(s, ")]}")
}

// otherIndent indents the whole body in the other unit.
func otherIndent(_ *rand.Rand, _ []string, c change, _, _ int) (change, bool) {
	c.Rows = slices.Clone(c.Rows)
	some := false
	for i, r := range c.Rows {
		rest := strings.TrimLeft(r, " \t")
		lead := r[:len(r)-len(rest)]
		switch {
		case rest == "" || lead == "":
		case strings.Trim(lead, "\t") == "":
			c.Rows[i], some = strings.Repeat("    ", len(lead))+rest, true
		case strings.Trim(lead, " ") == "" && len(lead) >= 2:
			c.Rows[i], some = strings.Repeat("\t", (len(lead)+3)/4)+rest, true
		}
	}
	return c, some
}

// stale sends one change, and then another with the numbers from before it
// under the tag from after it.
func stale(_ *rand.Rand, old, now []string, list []change, i int) ([]string, bool) {
	if i+1 >= len(list) {
		return nil, false
	}
	a, b := list[i], list[i+1]
	if len(a.Rows) == a.End-a.Start {
		return nil, false // nothing moved
	}
	return []string{script([]change{a}), script([]change{b})}, true
}

func staleMeant(old, _ []string, list []change, i int) []string {
	return apply(old, list[i:i+2])
}

// unprefixed leaves the `+` out of one body.
func unprefixed(_ *rand.Rand, _, _ []string, list []change, i int) ([]string, bool) {
	if len(list[i].Rows) == 0 {
		return nil, false
	}
	var b strings.Builder
	for j, c := range list {
		prefix := "+"
		if i == j {
			prefix = ""
		}
		b.WriteString(op(c, prefix))
	}
	return []string{b.String()}, true
}
