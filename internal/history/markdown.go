package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// markdown is the tally as two tables.
func (t *tally) markdown(files int, seed uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s` (seed %d): %d changed files of %d packages, two versions each.\n\n", command(), seed, files, len(releases))
	t.correctTable(&b)
	t.mistakeTable(&b)
	return b.String()
}

// command is how this run was started.
func command() string {
	return strings.Join(append([]string{"go run ./internal/history"}, os.Args[1:]...), " ")
}

func (t *tally) correctTable(b *strings.Builder) {
	names := slices.Collect(maps.Keys(t.languages))
	slices.SortFunc(names, func(x, y string) int {
		if d := t.languages[y].files - t.languages[x].files; d != 0 {
			return d
		}
		return strings.Compare(x, y)
	})
	var all correct
	rest := 0
	if len(names) == 0 {
		return
	}
	b.WriteString("| correct edits | files | scripts | byte-exact | warned though right | new file does not parse |\n|---|--:|--:|--:|--:|--:|\n")
	row := func(name string, c *correct) {
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", name, c.files, c.scripts, c.exact, c.alarmed, c.broken)
	}
	sum := func(into, c *correct) {
		into.files += c.files
		into.scripts += c.scripts
		into.exact += c.exact
		into.alarmed += c.alarmed
		into.broken += c.broken
	}
	var others correct
	for _, name := range names {
		c := t.languages[name]
		sum(&all, c)
		if c.files < 20 {
			sum(&others, c)
			rest++
			continue
		}
		row(name, c)
	}
	if rest > 0 {
		row(fmt.Sprintf("%d others", rest), &others)
	}
	row("**all**", &all)
	b.WriteByte('\n')
}

func (t *tally) mistakeTable(b *strings.Builder) {
	tried := 0
	for _, m := range t.mistakes {
		for _, n := range m.by {
			tried += n
		}
	}
	if tried == 0 {
		return
	}
	b.WriteString("| one mistake | tried | right | refused | warned | lost lines listed | only printed | silently wrong |\n|---|--:|--:|--:|--:|--:|--:|--:|\n")
	var all spoilt
	row := func(name string, m spoilt) {
		n := 0
		for _, by := range m.by {
			n += by
		}
		share := func(v verdict) string { return fmt.Sprintf("%.1f %%", 100*float64(m.by[v])/float64(max(n, 1))) }
		fmt.Fprintf(b, "| %s | %d | %s | %s | %s | %s | %s | %s |\n", name, n, share(right), share(refused), share(warned), share(listed), share(printed), share(silent))
	}
	for i, m := range t.mistakes {
		row(mistakes[i].name, m)
		for v, n := range m.by {
			all.by[v] += n
		}
		all.mended += m.mended
		all.mangled += m.mangled
		all.unprinted += m.unprinted
	}
	row("**all**", all)
	fmt.Fprintf(b, "\n%d of the right ones were mended by a proved repair; %d of the warned ones were repaired into something else than was meant, and say what was done. Old numbers under a new tag were accepted %d times for a line that had not been printed under that tag.\n", all.mended, all.mangled, all.unprinted)
}
