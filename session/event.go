package session

import (
	"putcut/refusal"
	"putcut/text"
)

// A Step is a stage of a call, as an observer sees it.
type Step string

// The steps. Every call begins with StepRequested. One that only reads goes on
// to StepRead; one that changes files to StepChecked, once its last gate before
// the commit is passed, then StepPlanned, then StepApplied. A dry run, a plan
// that is not committed, and Lower, which has no gates, end with StepPlanned.
// StepRefused ends a call instead of any of them but the first, and the commit
// of a plan begins where the plan ended.
const (
	StepRequested Step = "requested"
	StepRead      Step = "read"
	StepChecked   Step = "precondition_checked"
	StepPlanned   Step = "planned"
	StepApplied   Step = "applied"
	StepRefused   Step = "refused"
)

// An Event is one step of one call. Fields that a step does not know are zero.
// The observer must not change anything an event points to.
type Event struct {
	Step Step
	// Tool is the tool's name: read (Mint included), grep, write, edit, patch,
	// outline, undo, or apply for edits in other formats.
	Tool string
	// Call is the call's id, once it has changed something; when an undo is
	// requested, the id of the call to put back, if one was named.
	Call string
	// DryRun says that the call writes nothing whatever happens.
	DryRun bool
	// Files are the files of the call, as far as the step knows them: until the
	// call is checked, and when it is refused before, those it named, spelled
	// as it did. A script names its files only once it is parsed.
	Files []EventFile
	// Changes are the planned or applied changes with spans, echo and diff.
	Changes []FileChange
	// Warnings are those of the call so far.
	Warnings []refusal.Warning
	// Err is the refusal.
	Err *refusal.Error
}

// An EventFile is a file as a step of a call knows it.
type EventFile struct {
	Path        string
	Tag         text.Tag
	OldRevision text.Revision
	NewRevision text.Revision
	// Shown are the line numbers, first and last, that a read displayed.
	Shown [][2]int
}
