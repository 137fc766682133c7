package blocks

// A Decl is a declaration: its name, what it is, its lines (both inclusive,
// from 1, attached rows left out), how deep it is nested, and its qualified
// name.
type Decl struct {
	Name, Kind string
	Start, End int
	Depth      int
	Path       string
}

// Outline lists the declarations in the order of their lines. The caller must
// not change it.
func (t *Tree) Outline() []Decl { return nil }

// Enclosing names the declarations around a line, outermost first.
func (t *Tree) Enclosing(line int) []string { return nil }
