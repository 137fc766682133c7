package session

import (
	"io/fs"

	"putcut/ops"
	"putcut/refusal"
	"putcut/snapshots"
	"putcut/text"
	"putcut/workspace"
)

// A section is what one call asks of one file, and what the gates have found
// out about it so far. Sections of one file are merged before any gate.
type section struct {
	named  string   // the path as the caller wrote it
	tag    text.Tag // upper case; empty when the section creates its file
	create bool
	row    int
	ops    []ops.Op
	seq    []int // by op: its place in the script, for registers
	expect text.Revision

	target *workspace.Target
	dest   *workspace.Target // of MV, or nil
	live   snapshots.Snap    // zero when the section creates its file

	// found are the kept versions with the tag, version the one whose numbers
	// the ops use, base its text or nil when that is no longer kept.
	found   []*snapshots.Version
	version *snapshots.Version
	base    *text.Text
	// confirmed says that the identical call was refused before, for
	// likelihood alone, and nothing came between.
	confirmed bool

	anchors []anchor // by op, numbers of the tagged version
	blocks  []BlockSpan
	how     way
	placed  []ops.Placed // in the live text, in the order in which rows stand

	rows     [][]string // by op: what it puts
	cut      ops.Result
	splices  []ops.Splice
	heads    []string // by op: what a lowered edit is called in results
	quoted   bool     // a lowered edit spelled out the rows it puts
	newRaw   []byte
	newSnap  snapshots.Snap
	mode     fs.FileMode // of a file that is made again; 0 for the usual one
	like     *workspace.ImageRef
	warnings []refusal.Warning
	key      string // what makes a call identical, for this path
	unseen   int    // destroyed lines that were never displayed

	syntax []SyntaxError
	decls  *Declarations
}

// way is how the live text relates to the tagged one.
type way uint8

const (
	direct  way = iota // it is the tagged text
	carried            // only this session's edits lie between
	drifted            // someone else changed it
)

// An anchor is what an op leans on, in numbers of one text: the lines First to
// Last, or none for the head, the tail, and ops on whole files.
type anchor struct{ first, last int }

func (a anchor) none() bool { return a.first == 0 }

// whole reports whether the section is about the file and not its lines.
func (sec *section) whole() bool {
	for _, op := range sec.ops {
		if op.Verb == ops.Rem || op.Verb == ops.Mv {
			return true
		}
	}
	return false
}

func (sec *section) removes() bool { return len(sec.ops) == 1 && sec.ops[0].Verb == ops.Rem }

// endsOnly reports whether every op puts something at the head or the tail.
func (sec *section) endsOnly() bool {
	for i := range sec.ops {
		if sec.whole() || !sec.anchors[i].none() {
			return false
		}
	}
	return true
}

func (sec *section) warn(code refusal.WarningCode, row int, msg string) {
	sec.warnings = append(sec.warnings, refusal.Warning{Code: code, Message: msg, Path: sec.named, Row: row})
}

// fail adds the section's path to a refusal.
func (sec *section) fail(err error) error { return at(err, sec.named) }

// opError is a refusal that points at an op.
func (sec *section) opError(code refusal.Code, op ops.Op, format string, args ...any) *refusal.Error {
	e := refusal.New(code, format, args...).At(sec.named)
	e.Row, e.Column = op.Row, op.Column
	return e
}
