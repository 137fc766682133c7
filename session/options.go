package session

import (
	"context"

	"putcut/blocks"
	"putcut/registers"
	"putcut/snapshots"
	"putcut/workspace"
)

// Limits bound what one call may ask and get. Zero values mean the defaults of
// the contract, section 13; each is the most that is allowed.
type Limits struct {
	ScriptBytes   int   // a script; 1 MiB
	Ops           int   // ops a call; 512
	Files         int   // files a call; 64
	ExpandedLines int   // rows a call writes, pastes expanded; 100,000
	FileBytes     int64 // a file that is edited; 16 MiB
	RevealLines   int   // unseen lines a refusal reveals; 40
	RevealColumns int   // characters of a revealed line; 512
	RevealChars   int   // characters of all revealed lines; 8,000
	PageBytes     int   // text of one read; 40 KiB
	PageLines     int   // rows of one read; 2,000
	Columns       int   // characters of a line that read prints; 2,000
	GrepFiles     int   // files that grep prints rows of; 200
	GoneRows      int   // rows an op took away that a result prints; 20
	DiffBytes     int   // unified diff in a result; 64 KiB
	Calls         int   // calls kept for undo; 64
	UndoBytes     int64 // bytes kept for undo; 64 MiB
	RepairParses  int   // texts that the search for a repair parses; 24
	RepairBytes   int   // bytes of those texts; 64 MiB
}

func (l Limits) filled() Limits {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&l.ScriptBytes, 1<<20)
	def(&l.Ops, 512)
	def(&l.Files, 64)
	def(&l.ExpandedLines, 100_000)
	def(&l.RevealLines, 40)
	def(&l.RevealColumns, 512)
	def(&l.RevealChars, 8000)
	def(&l.PageBytes, 40<<10)
	def(&l.PageLines, 2000)
	def(&l.Columns, 2000)
	def(&l.GrepFiles, 200)
	def(&l.GoneRows, 20)
	def(&l.DiffBytes, 64<<10)
	def(&l.Calls, 64)
	def(&l.RepairParses, 24)
	def(&l.RepairBytes, 64<<20)
	if l.FileBytes == 0 {
		l.FileBytes = 16 << 20
	}
	if l.UndoBytes == 0 {
		l.UndoBytes = 64 << 20
	}
	return l
}

// Options say how a session works. The zero value is a session in memory with
// the contract's defaults.
type Options struct {
	Limits    Limits
	Snapshots snapshots.Limits
	Registers registers.Limits
	Workspace workspace.Options

	// Blocks is the engine that parses files, when several sessions share one;
	// nil makes one for this session.
	Blocks *blocks.Engine

	// Detached is for scripts that come without a session: a tag is proved by
	// the live text alone, and provenance is not asked.
	Detached bool

	// Structure says what becomes of an edit that breaks a file's syntax.
	Structure Structure

	// Observer, when set, sees every step of every call. It must be safe for
	// concurrent use and return soon.
	Observer func(context.Context, Event)

	// Policy, when set, stands between the last gate and the commit. An error
	// refuses the call; one that is not a refusal becomes EDIT_POLICY.
	Policy func(context.Context, *Plan) error
}

// A Structure is a way to judge syntax.
type Structure string

// The ways. The empty value means Repair.
const (
	Repair      Structure = "repair" // mend by proof, else apply and warn
	WarnOnly    Structure = "warn"   // apply and warn
	RefuseError Structure = "refuse" // refuse what introduces a syntax error
	Off         Structure = "off"    // do not look
)
