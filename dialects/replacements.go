package dialects

import (
	"strings"

	"putcut/refusal"
	"putcut/text"
)

// replacementSet is the JSON of exact replacements in one file.
type replacementSet struct {
	Path     string        `json:"path"`
	Expected string        `json:"expected_revision"`
	Edits    []replacement `json:"edits"`
}

type replacement struct {
	Old *string `json:"old_text"`
	New *string `json:"new_text"`
}

var replacementKeys = []string{"path", "expected_revision", "edits", "old_text", "new_text"}

// replacements reads one object {path, expected_revision, edits: [{old_text,
// new_text}…]}, or an array of them for several files.
func (l *lowering) replacements(s string) error {
	var sets []replacementSet
	var err error
	if strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), "[") {
		err = decodeStrict(s, &sets, replacementKeys)
	} else {
		sets = make([]replacementSet, 1)
		err = decodeStrict(s, &sets[0], replacementKeys)
	}
	if err != nil {
		return err
	}
	edits, size := 0, 0
	for _, set := range sets {
		edits += len(set.Edits)
		for _, e := range set.Edits {
			if e.New != nil {
				size += len(*e.New)
			}
		}
	}
	if err := l.checkJSONLimits(edits, size); err != nil {
		return err
	}
	for _, set := range sets {
		if err := l.replacementSet(set); err != nil {
			return err
		}
	}
	return nil
}

// checkJSONLimits holds edits and new text of one JSON input to their limits.
func (l *lowering) checkJSONLimits(edits, size int) error {
	if edits > l.lim.Edits {
		return refusal.New(refusal.Limit, "the input holds %d edits, and %d is the limit", edits, l.lim.Edits).WithNext("Split it into several calls")
	}
	if size > l.lim.ReplacementBytes {
		return refusal.New(refusal.Limit, "the new text has %d bytes, and %d is the limit", size, l.lim.ReplacementBytes).WithNext("Split it into several calls")
	}
	return nil
}

func (l *lowering) replacementSet(set replacementSet) error {
	if set.Path == "" {
		return refusal.New(refusal.InvalidArgument, "`path` is missing").WithNext("Name the file to be changed")
	}
	if set.Expected == "" {
		return refusal.New(refusal.InvalidArgument, "`expected_revision` is missing").At(set.Path).
			WithNext("Give the revision that a read or the last edit of the file reported")
	}
	if len(set.Edits) == 0 {
		return refusal.New(refusal.InvalidArgument, "`edits` is empty or missing").At(set.Path).WithNext("Send at least one edit")
	}
	w, err := l.openOld(set.Path)
	if err != nil {
		return err
	}
	if err := w.expect(text.Revision(set.Expected)); err != nil {
		return err
	}
	for i, r := range set.Edits {
		if err := l.next(); err != nil {
			return err
		}
		name := "edits[" + itoa(i) + "]"
		if err := l.replace(w, name, r); err != nil {
			e := refusal.As(located(err, set.Path))
			e.Op = i + 1
			return e
		}
	}
	return nil
}

func (l *lowering) replace(w *work, name string, r replacement) error {
	switch {
	case r.Old == nil || r.New == nil:
		return refusal.New(refusal.InvalidArgument, "%s lacks `old_text` or `new_text`", name).WithNext("Give both; an empty `new_text` deletes")
	case *r.Old == "":
		return refusal.New(refusal.InvalidArgument, "%s has an empty `old_text`", name).
			WithNext("Insert by keeping the surrounding text: put it into both `old_text` and `new_text`")
	}
	o, err := l.resolve(w, name, *r.Old, *r.New)
	if err != nil {
		return err
	}
	l.putChars(w, name, o, o.span, below)
	return nil
}

// putChars records a change of characters.
func (l *lowering) putChars(w *work, name string, o outcome, leansOn span, r rank) {
	note := ""
	if strings.Contains(o.new, "\n") && !strings.Contains(o.new, "\r\n") && w.old.CommonEOL() == text.CRLF {
		note = "its new lines end in LF, the file's in CRLF; they were taken as they stand"
	}
	i := l.note(w, 0, leansOn, o.relaxed, note)
	w.proves(leansOn)
	claim := leansOn
	if o.lo == o.hi {
		claim = o.span
	}
	if string(w.old.Body()[o.lo:o.hi]) == o.new {
		w.warn(refusal.OpNoChange, 0, name+" changes nothing: the text already is what it puts there")
	}
	w.bytes = append(w.bytes, change{span: o.span, new: o.new, claim: claim, rank: r, edit: i})
}
