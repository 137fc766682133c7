package ops

// A Script is what a caller asks for: sections, in the order written.
type Script struct {
	Sections []Section
}

// A Section is the ops for one file.
type Section struct {
	// Path is the file as the header names it, and empty for a bare op list.
	Path string
	// Tag is 4 upper-case hex digits, or NewFile; empty for a bare op list.
	Tag string
	// Row is the row of the header in the script, from 1.
	Row int
	Ops []Op
}

// NewFile is the tag of a section that creates its file.
const NewFile = "NEW"

// A Verb says what an op does.
type Verb uint8

// The verbs.
const (
	Put Verb = iota + 1
	Cut
	Rem
	Mv
)

var verbNames = [...]string{Put: "PUT", Cut: "CUT", Rem: "REM", Mv: "MV"}

func (v Verb) String() string { return verbNames[v] }

// A PlaceKind says what the numbers of a place mean.
type PlaceKind uint8

// The kinds of places.
const (
	NoPlace    PlaceKind = iota
	Span                 // First.=Last, inclusive
	Block                // First*, the construct that opens on line First
	Before               // <First
	After                // >First
	Tail                 // >$
	AfterBlock           // >First*
)

// A Place is where an op works. Line numbers count from 1 and are those of the
// tagged version. Last equals First except in a span of several lines.
type Place struct {
	Kind        PlaceKind
	First, Last int
}

// Gap reports whether the place lies between lines.
func (p Place) Gap() bool { return p.Kind >= Before }

// An Op is one step of a section. No op sees another op's effect.
//
//	PUT with Paste false: Rows replace the place, or go into the gap.
//	PUT with Paste true:  the register's lines do.
//	CUT:                  the place is deleted and captured in the register.
//	REM, MV:              the file is removed, or moved to Dest.
//
// An empty Register is the anonymous one.
type Op struct {
	Verb     Verb
	Place    Place
	Paste    bool
	Register string
	Rows     []string
	Dest     string
	// Row and Column are where the op starts in the script, from 1.
	Row, Column int
}
