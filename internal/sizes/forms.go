package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"putcut/dialects"
)

// script is the engine's own format, beside those of package dialects.
const script dialects.Format = "PUT/CUT script"

// forms are the formats of the table.
var forms = []dialects.Format{
	script, dialects.SearchReplace, dialects.Anchors, dialects.ApplyPatch,
	dialects.UnifiedDiff, dialects.Replacements, dialects.WholeFile,
}

// say writes the change of a file in every format. Where a format leaves a
// choice, it is the shortest that is safe: context grows only until a place is
// unique. apply_patch and diff take the three lines around that their tools
// write.
func say(f *dialects.File) map[dialects.Format]string {
	diff, _ := (&dialects.Batch{Files: []*dialects.File{f}}).Diff()
	_, diff, _ = strings.Cut(diff, "\n") // `diff --git` is git's own, no model need write it
	return map[dialects.Format]string{
		script:                 f.Script(),
		dialects.SearchReplace: searchReplace(f),
		dialects.Anchors:       anchors(f),
		dialects.ApplyPatch:    applyPatch(f),
		dialects.UnifiedDiff:   diff,
		dialects.Replacements:  replacements(f),
		dialects.WholeFile:     f.Path + "\n" + string(f.New.Body()),
	}
}

// input is what lowers a text back.
func input(f *dialects.File, format dialects.Format, s string) dialects.Input {
	if format == dialects.WholeFile {
		return dialects.Input{Format: format, Path: f.Path, Text: strings.TrimPrefix(s, f.Path+"\n")}
	}
	return dialects.Input{Format: format, Text: s}
}

func searchReplace(f *dialects.File) string {
	var b strings.Builder
	b.WriteString(f.Path + "\n")
	for _, g := range groups(f, 0) {
		old, now := g.sides(f)
		fmt.Fprintf(&b, "<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n", ended(old), ended(now))
	}
	return b.String()
}

// ended ends a last line that has no terminator, for formats of rows.
func ended(s string) string {
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}

func applyPatch(f *dialects.File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*** Begin Patch\n*** Update File: %s\n", f.Path)
	for _, g := range groups(f, 3) {
		b.WriteString("@@\n" + g.rows(f))
	}
	b.WriteString("*** End Patch\n")
	return b.String()
}

type replacement struct {
	Old string `json:"old_text"`
	New string `json:"new_text"`
}

func replacements(f *dialects.File) string {
	set := struct {
		Path     string        `json:"path"`
		Revision string        `json:"expected_revision"`
		Edits    []replacement `json:"edits"`
	}{Path: f.Path, Revision: string(f.OldRevision)}
	for _, g := range groups(f, 0) {
		old, now := g.sides(f)
		set.Edits = append(set.Edits, replacement{old, now})
	}
	return compact(set)
}

type anchored struct {
	Path   string `json:"path"`
	Anchor string `json:"anchor"`
	Text   string `json:"text"`
	Mode   string `json:"mode"`
}

func anchors(f *dialects.File) string {
	var set struct {
		Edits []anchored `json:"edits"`
	}
	for _, g := range groups(f, 0) {
		if above, rows, ok := insertion(f, g); ok {
			set.Edits = append(set.Edits, anchored{f.Path, above, rows, "insertAfter"})
			continue
		}
		old, now := g.sides(f)
		set.Edits = append(set.Edits, anchored{f.Path, old, now, "replace"})
	}
	return compact(set)
}

// insertion is a group that only inserts below lines which, alone, are in one
// place only; then nothing of them is written twice.
func insertion(f *dialects.File, g group) (above, rows string, ok bool) {
	h := g.hunks[0]
	if len(g.hunks) > 1 || h.OldStart < h.OldEnd {
		return "", "", false
	}
	body := string(f.Old.Body())
	for from := h.OldStart - 1; from >= max(0, h.OldStart-6); from-- {
		if above = lines(f.Old, from, h.OldStart); strings.HasSuffix(above, "\n") && once(body, above) {
			return above, lines(f.New, h.NewStart, h.NewEnd), true
		}
	}
	return "", "", false
}

// compact is JSON without blanks or needless escapes.
func compact(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(v)
	return b.String()
}

// argument is a text as the argument of a tool call. Formats of JSON are one
// already.
func argument(format dialects.Format, s string) string {
	if format == dialects.Anchors || format == dialects.Replacements {
		return s
	}
	return strings.TrimSuffix(compact(s), "\n")
}
