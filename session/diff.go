package session

import (
	"bytes"
	"fmt"
	"strings"

	"putcut/ops"
	"putcut/text"
)

const diffContext = 3

// differ writes the unified diff of a call from the hunks that were applied,
// so that it cannot disagree with them. Files that no longer fit are left out
// whole, and cut says so.
type differ struct {
	b     strings.Builder
	limit int
	cut   bool
}

func (d *differ) String() string { return d.b.String() }

func (d *differ) add(sec *section) {
	var b strings.Builder
	switch {
	case sec.create:
		fmt.Fprintf(&b, "diff --git %s %s\nnew file mode 100644\n", gitPath("a/", sec.target.Name), gitPath("b/", sec.target.Name))
		hunksOf(&b, sec, "/dev/null", gitPath("b/", sec.target.Name), d.limit)
	case sec.removes():
		fmt.Fprintf(&b, "diff --git %s %s\ndeleted file mode 100644\n", gitPath("a/", sec.target.Name), gitPath("b/", sec.target.Name))
		gone := *sec
		gone.cut = ops.Result{
			Text: text.FromBody(nil, text.Format{}),
			Map:  ops.MapOf(sec.live.Text.Len(), 0, []ops.Hunk{{OldEnd: sec.live.Text.Len()}}),
		}
		hunksOf(&b, &gone, gitPath("a/", sec.target.Name), "/dev/null", d.limit)
	case sec.dest != nil:
		fmt.Fprintf(&b, "diff --git %s %s\nrename from %s\nrename to %s\n", gitPath("a/", sec.target.Name), gitPath("b/", sec.dest.Name),
			gitPath("", sec.target.Name), gitPath("", sec.dest.Name))
		hunksOf(&b, sec, gitPath("a/", sec.target.Name), gitPath("b/", sec.dest.Name), d.limit)
	default:
		hunksOf(&b, sec, gitPath("a/", sec.target.Name), gitPath("b/", sec.target.Name), d.limit)
	}
	if d.b.Len()+b.Len() > d.limit {
		d.cut = true
		return
	}
	d.b.WriteString(b.String())
}

// gitPath is a path as git writes it in a diff: bare, or quoted where it must be.
func gitPath(prefix, name string) string {
	if !strings.ContainsAny(name, "\"\\\t\n") {
		return prefix + name
	}
	return `"` + prefix + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`, "\n", `\n`).Replace(name) + `"`
}

// hunksOf writes the hunks of one file, as long as they stay under the limit.
func hunksOf(b *strings.Builder, sec *section, from, to string, limit int) {
	old, now := sec.live.Text, sec.cut.Text
	edges := finalEdges(trimmed(old, now, sec.cut.Map.Hunks()), old, now)
	if len(edges) == 0 {
		return
	}
	// git ends a name that holds blanks with a tab.
	tab := func(s string) string {
		if strings.Contains(s, " ") && s[0] != '"' {
			return s + "\t"
		}
		return s
	}
	fmt.Fprintf(b, "--- %s\n+++ %s\n", tab(from), tab(to))
	for i := 0; i < len(edges) && b.Len() <= limit; {
		j := i
		for j+1 < len(edges) && edges[j+1].OldStart-edges[j].OldEnd <= 2*diffContext {
			j++
		}
		group := edges[i : j+1]
		i = j + 1
		lead := min(diffContext, group[0].OldStart)
		trail := min(diffContext, old.Len()-group[len(group)-1].OldEnd)
		oldFrom, oldTo := group[0].OldStart-lead, group[len(group)-1].OldEnd+trail
		newFrom, newTo := group[0].NewStart-lead, group[len(group)-1].NewEnd+trail
		fmt.Fprintf(b, "@@ -%s +%s @@\n", diffRange(oldFrom, oldTo), diffRange(newFrom, newTo))
		at := oldFrom
		for _, h := range group {
			diffLines(b, ' ', old, at, h.OldStart)
			diffLines(b, '-', old, h.OldStart, h.OldEnd)
			diffLines(b, '+', now, h.NewStart, h.NewEnd)
			at = h.OldEnd
		}
		diffLines(b, ' ', old, at, oldTo)
	}
}

func diffRange(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(to)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func diffLines(b *strings.Builder, mark byte, t *text.Text, from, to int) {
	for n := from + 1; n <= to; n++ {
		b.WriteByte(mark)
		line := t.Body()[t.Offset(n-1):t.Offset(n)]
		b.Write(line)
		if !bytes.HasSuffix(line, []byte{'\n'}) {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// trimmed drops from each hunk the lines at its edges that did not change, and
// joins hunks that touch.
func trimmed(old, now *text.Text, hunks []ops.Hunk) []ops.Hunk {
	same := func(a, b int) bool {
		return bytes.Equal(old.Body()[old.Offset(a-1):old.Offset(a)], now.Body()[now.Offset(b-1):now.Offset(b)])
	}
	var out []ops.Hunk
	for _, h := range hunks {
		if n := len(out); n > 0 && out[n-1].OldEnd == h.OldStart {
			out[n-1].OldEnd, out[n-1].NewEnd = h.OldEnd, h.NewEnd
			continue
		}
		out = append(out, h)
	}
	kept := out[:0]
	for _, h := range out {
		for h.OldStart < h.OldEnd && h.NewStart < h.NewEnd && same(h.OldStart+1, h.NewStart+1) {
			h.OldStart++
			h.NewStart++
		}
		for h.OldStart < h.OldEnd && h.NewStart < h.NewEnd && same(h.OldEnd, h.NewEnd) {
			h.OldEnd--
			h.NewEnd--
		}
		if h.OldStart < h.OldEnd || h.NewStart < h.NewEnd {
			kept = append(kept, h)
		}
	}
	return kept
}

// finalEdges adds the last line to the hunks when it kept its text and changed
// its terminator, as it does when something is put after it or what followed goes.
func finalEdges(hunks []ops.Hunk, old, now *text.Text) []ops.Hunk {
	// Only a line next to a hunk's edge can have changed its terminator.
	out := make([]ops.Hunk, 0, len(hunks))
	for _, h := range hunks {
		if a, b := h.OldStart, h.NewStart; a > 0 && b > 0 && old.EOL(a) != now.EOL(b) &&
			(len(out) == 0 || out[len(out)-1].OldEnd < a) {
			h.OldStart--
			h.NewStart--
		}
		out = append(out, h)
	}
	if a, b := old.Len(), now.Len(); a > 0 && b > 0 && old.EOL(a) != now.EOL(b) {
		last := ops.Hunk{OldStart: a, OldEnd: a, NewStart: b, NewEnd: b}
		if n := len(out); n > 0 && out[n-1].OldEnd == a {
			return out
		}
		last.OldStart--
		last.NewStart--
		out = append(out, last)
	}
	return out
}
