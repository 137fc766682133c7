package session

import (
	"putcut/refusal"
	"putcut/text"
)

// A Step is a stage of a call, as an observer sees it.
type Step string

// The steps, in the order in which a call takes them. A call ends with Read,
// Planned (a dry run), Applied or Refused.
const (
	StepRead      Step = "read"
	StepRequested Step = "requested"
	StepChecked   Step = "precondition_checked"
	StepPlanned   Step = "planned"
	StepApplied   Step = "applied"
	StepRefused   Step = "refused"
)

// An Event is one step of one call. Fields that a step does not know are zero.
// The observer must not change anything an event points to.
type Event struct {
	Step Step
	// Tool is the tool's name: read, grep, write, edit, patch, outline, undo.
	Tool string
	// Call is the call's id, once it changes something.
	Call string
	// DryRun says that the call writes nothing whatever happens.
	DryRun bool
	// Files are the files of the call, as far as the step knows them.
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
