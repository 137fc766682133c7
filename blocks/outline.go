package blocks

import (
	"strings"

	"putcut/grammars"
)

// A Decl is a declaration: its name, what the language calls it, its lines
// (both inclusive, from 1; rows attached above it are left out), how many
// declarations it is nested in, and its name qualified by theirs.
type Decl struct {
	Name, Kind string
	Start, End int
	Depth      int
	Path       string
}

// Outline lists the declarations in the order of their lines; what the
// language's table calls a declaration. The caller must not change it. Cost:
// linear in the tree, once.
func (t *Tree) Outline() []Decl {
	if t.refused != nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.declsDone {
		t.decls, t.declsDone = t.outline(), true
	}
	return t.decls
}

// Enclosing names the declarations that cover a line, outermost first.
func (t *Tree) Enclosing(line int) []string {
	var out []string
	for _, d := range t.Outline() {
		if d.Start > line {
			break
		}
		if d.End >= line {
			out = append(out, d.Name)
		}
	}
	return out
}

func (t *Tree) outline() []Decl {
	n := 0
	for i := range t.nodes {
		if t.kind(int32(i), declares) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	out := make([]Decl, 0, n)
	type open struct {
		next int32
		path string
	}
	var stack []open
	var made []Decl
	for i := int32(0); int(i) < len(t.nodes); i++ {
		for len(stack) > 0 && i >= stack[len(stack)-1].next {
			stack = stack[:len(stack)-1]
		}
		if !t.kind(i, declares) {
			continue
		}
		for _, d := range t.syntax.decls[t.nodes[i].kind] {
			made = t.declared(made[:0], i, d)
			for j := range made {
				made[j].Depth = len(stack)
				made[j].Path = t.qualify(i, d, made[j].Name)
				if len(stack) > 0 {
					made[j].Path = stack[len(stack)-1].path + t.separator() + made[j].Path
				}
			}
			out = append(out, made...)
			if len(made) > 0 {
				if len(made) == 1 {
					stack = append(stack, open{t.nodes[i].next, made[0].Path})
				}
				break
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (t *Tree) separator() string {
	if s := t.lang.Separator; s != "" {
		return s
	}
	return "."
}

// declared appends what node i declares under rule d: one name, or one for each
// spec of a group.
func (t *Tree) declared(out []Decl, i int32, d grammars.Decl) []Decl {
	if len(d.Within) > 0 && (t.nodes[i].parent < 0 || !contains(d.Within, t.kindName(t.nodes[i].parent))) {
		return out
	}
	if d.Needs != "" && t.find(i, d.Needs) < 0 {
		return out
	}
	as := d.As
	if d.Word != "" {
		w := t.find(i, d.Word)
		if w < 0 {
			return out
		}
		as = d.Words.Of(t.rowText(w))
		if as == "" {
			return out
		}
	}
	if d.Each == "" {
		name := t.nameOf(i, d.Name)
		if name == "" {
			return out
		}
		return append(out, t.decl(name, as, i))
	}
	for j := i + 1; j < t.nodes[i].next; {
		if t.kindName(j) != d.Each {
			if t.depthBelow(i, j) < 3 {
				j++
			} else {
				j = t.nodes[j].next
			}
			continue
		}
		if name := t.nameOf(j, d.Name); name != "" {
			out = append(out, t.decl(name, as, j))
		}
		j = t.nodes[j].next
	}
	if len(out) == 1 {
		out[0].Start, out[0].End = t.linesOf(i)
	}
	return out
}

func (t *Tree) depthBelow(top, i int32) (n int) {
	for i = t.nodes[i].parent; i != top && i >= 0; i = t.nodes[i].parent {
		n++
	}
	return n
}

func (t *Tree) decl(name, as string, i int32) Decl {
	from, to := t.linesOf(i)
	return Decl{Name: name, Kind: as, Start: from, End: to}
}

// linesOf are a declaration's lines without attached rows at its head.
func (t *Tree) linesOf(i int32) (from, to int) {
	c, row := t.nodes[i].start, t.nodes[i].row
	for d := t.firstOwn(i); d >= 0; d = t.firstOwn(d) {
		if t.nodes[d].start == c && t.nodes[d].row == row && t.child(d) < 0 {
			break
		}
		c, row = t.nodes[d].start, t.nodes[d].row
	}
	return int(row) + 1, int(max(t.rowOf(t.extent(i, c)), row)) + 1
}

// firstOwn is the first child that is not attached, or -1.
func (t *Tree) firstOwn(i int32) int32 {
	for d := t.child(i); d >= 0; d = t.after(d) {
		if !t.empty(d) && !t.kind(d, comment) && !t.onlyAttached(d) {
			return d
		}
	}
	return -1
}

func (t *Tree) qualify(i int32, d grammars.Decl, name string) string {
	if d.Receiver == "" {
		return name
	}
	r := t.find(i, d.Receiver)
	if r < 0 {
		return name
	}
	s := strings.Trim(t.rowText(r), "() ")
	if j := strings.IndexAny(s, "[<"); j >= 0 {
		s = s[:j]
	}
	words := strings.Fields(s)
	if len(words) == 0 {
		return name
	}
	return strings.TrimLeft(words[len(words)-1], "*&") + t.separator() + name
}

func (t *Tree) nameOf(i int32, spec string) string {
	if spec == "" {
		spec = "name"
	}
	for more := true; more; {
		var alt string
		alt, spec, more = strings.Cut(spec, "|")
		if lit, ok := strings.CutPrefix(alt, "="); ok {
			return lit
		}
		if kinds, ok := strings.CutPrefix(alt, "+"); ok {
			if s := t.joined(i, strings.Split(kinds, ",")); s != "" {
				return s
			}
			continue
		}
		if n := t.find(i, alt); n >= 0 {
			if s := t.rowText(n); s != "" {
				return s
			}
		}
	}
	return ""
}

// joined is the texts of the leading children of the given kinds.
func (t *Tree) joined(i int32, kinds []string) string {
	var parts []string
	for d := t.child(i); d >= 0 && contains(kinds, t.kindName(d)); d = t.after(d) {
		parts = append(parts, strings.Trim(t.rowText(d), `"'`))
	}
	return strings.Join(parts, " ")
}

// find follows a path of fields and kinds from node i; -1 when it leads nowhere.
func (t *Tree) find(i int32, path string) int32 {
	for more := true; more; {
		var step string
		step, path, more = strings.Cut(path, "/")
		again := strings.HasSuffix(step, "*")
		step = strings.TrimSuffix(step, "*")
		d := t.step(i, step)
		if d < 0 && !again {
			return -1
		}
		for again && d >= 0 {
			i = d
			d = t.step(i, step)
		}
		if d >= 0 {
			i = d
		}
	}
	return i
}

func (t *Tree) step(i int32, step string) int32 {
	kind, byKind := strings.CutPrefix(step, "@")
	if !byKind {
		for d := t.child(i); d >= 0; d = t.after(d) {
			if f := t.nodes[d].field; f != 0 && t.field(f) == step {
				return d
			}
		}
		return -1
	}
	for d := t.child(i); d >= 0; d = t.after(d) {
		if t.kindName(d) == kind {
			return d
		}
	}
	return -1
}

// maxLabel bounds a name in an outline, in bytes.
const maxLabel = 120

// isWord reports whether b has no blanks, as far as ASCII shows.
func isWord(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// rowText is a node's text on one row.
func (t *Tree) rowText(i int32) string {
	n := &t.nodes[i]
	b := t.src[n.start:min(t.textEnd(i), n.start+4*maxLabel)]
	if len(b) <= maxLabel && isWord(b) { // most names
		return string(b)
	}
	s := strings.Join(strings.Fields(string(b)), " ")
	if len(s) > maxLabel {
		s = strings.ToValidUTF8(s[:maxLabel], "") + "…"
	}
	return s
}
