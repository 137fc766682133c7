package session

import (
	"fmt"
	"strings"

	"putcut/dialects"
	"putcut/ops"
)

// relaxedWords say what gave way so that a text matched.
var relaxedWords = map[dialects.Relaxation]string{
	dialects.RelaxedEOL:    "CRLF taken for LF",
	dialects.RelaxedIndent: "shifted by a constant indentation",
	dialects.RelaxedJSON:   "decoded as a JSON string",
	dialects.RelaxedSeq:    "JSON escape sequences decoded",
	dialects.RelaxedOffset: "away from the stated line",
}

// Text is the model-facing form of a change, then, a row each, what was
// remarkable in how its edits were resolved: what gave way so that a text
// matched, a final newline that came or went, modes that were not changed, and
// an activation.
func (r *ApplyResult) Text() string {
	var b strings.Builder
	b.WriteString(r.ChangeResult.Text())
	b.WriteString(ResolvedText(r.Reports))
	b.WriteString(r.ActivationText())
	return b.String()
}

// ActivationText is a row about the activation. There is none when nothing was
// activated and nothing failed.
func (r *ApplyResult) ActivationText() string {
	switch {
	case r.Activation == Activated:
		return "activation: activated\n"
	case r.Activation.Failed():
		return fmt.Sprintf("activation failed, and the edit stays: %s\n", r.Activation)
	}
	return ""
}

// ResolvedText is what was remarkable in how edits were resolved, a row each;
// edits that matched as they stand have none.
func ResolvedText(reports []ApplyReport) string {
	var b strings.Builder
	inputs := 0
	for _, r := range reports {
		for _, e := range r.Edits {
			inputs = max(inputs, e.Input)
		}
	}
	for _, r := range reports {
		for _, e := range r.Edits {
			var how []string
			for _, x := range e.Relaxed {
				if x == dialects.RelaxedOffset && e.Note != "" {
					continue // the note says it better
				}
				how = append(how, relaxedWords[x])
			}
			if e.Note != "" && e.Note != "a new file" && e.Note != "removed" {
				how = append(how, e.Note)
			}
			if len(how) == 0 {
				continue
			}
			which := fmt.Sprintf("edit %d", e.Edit)
			if inputs > 1 {
				which = fmt.Sprintf("input %d, edit %d", e.Input, e.Edit)
			}
			fmt.Fprintf(&b, "%s: %s matched %s: %s\n", r.Path, which, lineSpan(e.Lines.First, e.Lines.Last), strings.Join(how, "; "))
		}
		switch r.Final {
		case finalAdded:
			fmt.Fprintf(&b, "%s: a final newline was added\n", r.Path)
		case finalDropped:
			fmt.Fprintf(&b, "%s: the final newline was dropped\n", r.Path)
		}
		b.WriteString(modesText(r.Path, r.Modes))
	}
	return b.String()
}

// modesText names changes of mode, which are reported and never applied.
func modesText(path string, modes []dialects.ModeChange) string {
	var b strings.Builder
	for _, m := range modes {
		switch {
		case m.Old == "":
			fmt.Fprintf(&b, "%s: mode %s was not set\n", path, m.New)
		case m.New != "":
			fmt.Fprintf(&b, "%s: mode %s → %s was not applied\n", path, m.Old, m.New)
		}
	}
	return b.String()
}

const (
	finalAdded   = "added"
	finalDropped = "dropped"
)

// ReportOf is the report of a lowered file.
func ReportOf(f *dialects.File) ApplyReport {
	r := ApplyReport{Path: f.Path, Report: f.Report}
	switch f.Final {
	case ops.AddFinal:
		r.Final = finalAdded
	case ops.DropFinal:
		if f.Old.Len() > 0 {
			r.Final = finalDropped
		}
	}
	return r
}
