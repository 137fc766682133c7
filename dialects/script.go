package dialects

import (
	"slices"
	"strings"

	"putcut/ops"
	"putcut/ops/udiff"
	"putcut/parser"
	"putcut/refusal"
)

// Section is the change of the file as a section of a script, under the tag
// of its old text. It is empty when the change cannot be said, and when there
// is none.
func (f *File) Section() (s ops.Section, ok bool) {
	if len(f.Unsayable) > 0 || len(f.Ops) == 0 {
		return ops.Section{}, false
	}
	return ops.Section{Path: f.Path, Tag: f.Tag(), Ops: f.Ops}, true
}

// Script is the section as text, header row included, or empty.
func (f *File) Script() string {
	s, ok := f.Section()
	if !ok {
		return ""
	}
	return parser.Format(ops.Script{Sections: []ops.Section{s}})
}

// checkScript reads the printed section back; what does not come back the same
// cannot be said.
func (f *File) checkScript() {
	s, ok := f.Section()
	if !ok {
		return
	}
	printed := f.Script()
	rows := strings.Count(printed, "\n") + 1
	res, err := parser.Parse(printed, parser.Limits{Bytes: len(printed) + 1, Ops: len(f.Ops) + 1, Files: 1, Lines: rows})
	same := err == nil && len(res.Script.Sections) == 1
	if same {
		got := res.Script.Sections[0]
		same = got.Path == s.Path && got.Tag == s.Tag && slices.EqualFunc(got.Ops, s.Ops, sameOp)
	}
	if !same {
		f.Ops = nil
		f.Unsayable = append(f.Unsayable, "the path or the destination cannot be written in a script")
	}
}

func sameOp(a, b ops.Op) bool {
	return a.Verb == b.Verb && a.Place == b.Place && a.Dest == b.Dest && slices.Equal(a.Rows, b.Rows)
}

// Script is the whole batch as one script. A change that ops cannot say is an
// InvalidArgument refusal that names the file and everything in the way, and
// the script of the other files comes with it. Files that do not change have
// no section.
func (b *Batch) Script() (string, error) {
	var out strings.Builder
	var bad *refusal.Error
	for _, f := range b.Files {
		if len(f.Unsayable) > 0 {
			if bad == nil {
				bad = refusal.New(refusal.InvalidArgument, "")
			} else {
				bad.What += "; "
			}
			bad.What += f.Path + ": " + strings.Join(f.Unsayable, ", ")
			continue
		}
		out.WriteString(f.Script())
	}
	if bad != nil {
		bad.What = "a script cannot say all of it: " + bad.What
		return out.String(), bad.WithNext("Apply the edit in its own format")
	}
	return out.String(), nil
}

// Diff is the batch as a unified diff in git's form. Exact is false when a
// file's encoding cannot be carried by a diff and its text was written decoded.
func (b *Batch) Diff() (diff string, exact bool) {
	exact = true
	var out []byte
	for _, f := range b.Files {
		var ok bool
		out, ok = udiff.Append(out, f.Diff())
		exact = exact && ok
	}
	return string(out), exact
}

// Diff is the change of the file as package udiff takes it.
func (f *File) Diff() udiff.File {
	d := udiff.File{Path: f.Path, MoveTo: f.MoveTo, Old: f.Old, New: f.New, Hunks: f.Map.Hunks()}
	if f.Create {
		d.Old = nil
	}
	if f.Remove {
		d.New = nil
	}
	return d
}
