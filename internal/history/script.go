package main

import (
	"fmt"
	"slices"
	"strings"

	"znkr.io/diff"
)

// A change puts Rows in place of the lines after gap Start up to End of the
// old text, counted from 0. A script is a list of them in order, apart from
// each other by at least one line.
type change struct {
	Start, End int
	Rows       []string
}

// minimal is the shortest script: one change a hunk.
func minimal(old, now []string) []change {
	opts := []diff.Option{diff.Context(0)}
	if len(old)+len(now) < 4000 {
		opts = append(opts, diff.Minimal())
	}
	var out []change
	for _, h := range diff.Hunks(old, now, opts...) {
		out = append(out, change{h.PosX, h.EndX, now[h.PosY:h.EndY]})
	}
	return out
}

// joined is a script whose hunks are joined when at most gap lines lie between
// them, as people and models write them.
func joined(old []string, list []change, gap int) []change {
	var out []change
	for _, c := range list {
		if n := len(out); n > 0 && c.Start-out[n-1].End <= gap {
			p := &out[n-1]
			p.Rows = slices.Concat(p.Rows, old[p.End:c.Start], c.Rows)
			p.End = c.End
			continue
		}
		out = append(out, change{c.Start, c.End, slices.Clone(c.Rows)})
	}
	return out
}

// apply is the plain meaning of a script.
func apply(old []string, list []change) []string {
	var out []string
	at := 0
	for _, c := range list {
		out = append(out, old[at:c.Start]...)
		out = append(out, c.Rows...)
		at = c.End
	}
	return append(out, old[at:]...)
}

// op writes one change in the language of scripts, its rows after prefix.
func op(c change, prefix string) string {
	var b strings.Builder
	switch {
	case c.Start == c.End && c.Start == 0:
		b.WriteString("PUT <1:\n")
	case c.Start == c.End:
		fmt.Fprintf(&b, "PUT >%d:\n", c.Start)
	case len(c.Rows) == 0:
		fmt.Fprintf(&b, "CUT %d.=%d\n", c.Start+1, c.End)
	default:
		fmt.Fprintf(&b, "PUT %d.=%d:\n", c.Start+1, c.End)
	}
	for _, r := range c.Rows {
		b.WriteString(prefix + r + "\n")
	}
	return b.String()
}

func script(list []change) string {
	var b strings.Builder
	for _, c := range list {
		b.WriteString(op(c, "+"))
	}
	return b.String()
}
