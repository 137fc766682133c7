package dialects

import (
	"strings"

	"putcut/ops"
	"putcut/refusal"
	"putcut/text"
)

// A Format names an edit format.
type Format string

// The formats.
const (
	Replacements  Format = "replacements"   // JSON: path, expected_revision, edits of old_text and new_text
	Anchors       Format = "anchors"        // JSON: edits of path, anchor, text, mode, expectCount
	SearchReplace Format = "search-replace" // SEARCH/REPLACE blocks of chat-style tools
	ApplyPatch    Format = "apply_patch"    // the *** Begin Patch envelope
	UnifiedDiff   Format = "diff"           // diff -u and git diff
	WholeFile     Format = "whole"          // the whole new content
)

// Formats lists the formats, in the order of their documentation.
func Formats() []Format {
	return []Format{Replacements, Anchors, SearchReplace, ApplyPatch, UnifiedDiff, WholeFile}
}

// An Input is one edit in one format.
type Input struct {
	Format Format
	Text   string
	// Path is the file of a WholeFile whose Text is the content itself, the
	// file of SEARCH/REPLACE blocks that name none, and the file of a unified
	// diff of one file whatever its header rows say.
	Path string
	// Expected is the revision that the file at Path must have, or empty.
	Expected text.Revision
}

// Limits bound one call. A zero field means its default.
type Limits struct {
	InputBytes       int // of all inputs; 16 MiB
	Edits            int // in one JSON object; 128
	ReplacementBytes int // new text in one JSON object; 1 MiB
	Hunks            int // edits, blocks and hunks in all; 4,096
	Files            int // different paths; 64
	FileBytes        int // the new text of a file; 16 MiB
}

func (l Limits) filled() Limits {
	for _, f := range []struct {
		v   *int
		def int
	}{
		{&l.InputBytes, 16 << 20}, {&l.Edits, 128}, {&l.ReplacementBytes, 1 << 20},
		{&l.Hunks, 4096}, {&l.Files, 64}, {&l.FileBytes, 16 << 20},
	} {
		if *f.v == 0 {
			*f.v = f.def
		}
	}
	return l
}

// Options say how a call works. The zero value is the contract's.
type Options struct {
	Limits Limits
	// Exact turns the relaxations off.
	Exact bool
	// Strip is how many leading components the names in a unified diff lose,
	// plus one; 0 means: the prefixes git writes, where they stand.
	Strip int
}

// A Batch is what the inputs of a call mean: files in the order in which they
// are first named.
type Batch struct {
	Files []*File
	// DryRun says that an input asked for a preview.
	DryRun bool
}

// A File is what a call does to one file. Exactly one of these holds: it is
// created (Create, Old is empty), removed (Remove, New is nil), or edited,
// moved, or both.
type File struct {
	// Path is the file as the input names it.
	Path string
	// Old is the text all edits were resolved against; OldRaw and OldRevision
	// are its bytes and their revision, zero when the file is created.
	Old         *text.Text
	OldRaw      []byte
	OldRevision text.Revision
	// Expected is the revision that the input demanded; it was compared.
	Expected text.Revision

	// Splices and Final make New out of Old: ops.Apply(Old, Splices, Final).
	// Splices may be empty when only the final newline changes. With Unmarked,
	// New is that text without its byte order mark.
	Splices []ops.Splice
	Final   ops.Final
	New     *text.Text
	Map     ops.LineMap

	Create, Remove bool
	Unmarked       bool
	// MoveTo is the destination of a move, or empty.
	MoveTo string
	// Whole says that the input gave the whole content, so that its text
	// proves nothing of what it replaces: the caller proves the version.
	Whole bool

	// Ops are the same change as ops, without a tag; nil when they cannot say
	// it, and then Unsayable says why.
	Ops       []ops.Op
	Unsayable []string

	// Matched are the lines of Old whose content the input itself proved, in
	// order and apart. They satisfy provenance. A splice may take in one line
	// more, whose own characters stay, when a change joins it to one of them.
	// A removal by apply_patch and an append to the end of a file prove none.
	Matched []Range
	Report  Report
}

// A Range is lines First to Last of a text, from 1, inclusive.
type Range struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// Changed reports whether the file would be another one: bytes, name or
// existence.
func (f *File) Changed() bool {
	return f.Create || f.Remove || f.MoveTo != "" || len(f.Splices) > 0 || f.Final != ops.KeepFinal
}

// Tag is the tag of the old text, and NEW for a file that is created.
func (f *File) Tag() string {
	if f.Create {
		return ops.NewFile
	}
	return string(f.Old.Tag())
}

// A Report says how the edits of one file were resolved.
type Report struct {
	Edits    []EditReport      `json:"edits,omitempty"`
	Modes    []ModeChange      `json:"modes,omitempty"`
	Warnings []refusal.Warning `json:"warnings,omitempty"`
	// Added and Removed count lines.
	Added   int `json:"added"`
	Removed int `json:"removed"`
}

// An EditReport says where one edit landed in the old text.
type EditReport struct {
	// Input and Edit are the number of the input and of the edit, block, chunk
	// or hunk within it, both from 1. Row is its row in the input, or 0.
	Input  int    `json:"input"`
	Edit   int    `json:"edit"`
	Row    int    `json:"row,omitempty"`
	Format Format `json:"format"`
	// Start and End bound what was matched; End is exclusive. Start equals
	// End for an insertion that leans on nothing.
	Start Position `json:"start"`
	End   Position `json:"end"`
	Lines Range    `json:"lines"`
	// Relaxed names the relaxations that were needed; none is literal.
	Relaxed []Relaxation `json:"relaxed,omitempty"`
	// Note is a remark on how the place was found, or empty.
	Note string `json:"note,omitempty"`
}

// A Position is one place in three units, each from 0.
type Position struct {
	Byte  int `json:"byte"`
	Rune  int `json:"code_point"`
	UTF16 int `json:"utf16"`
}

// A Relaxation names what gave way so that a text matched.
type Relaxation string

// The relaxations.
const (
	RelaxedEOL    Relaxation = "eol"            // CRLF against LF
	RelaxedIndent Relaxation = "indentation"    // a constant shift
	RelaxedJSON   Relaxation = "json"           // decoded whole, as a JSON string body
	RelaxedSeq    Relaxation = "json-sequences" // decoded sequence by sequence
	RelaxedOffset Relaxation = "offset"         // a hunk found away from its stated line
)

// A ModeChange is a change of mode that a diff asks for. It is reported, never
// applied. Old is empty for a new file, New for a removed one.
type ModeChange struct {
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// Lower resolves inputs against the current texts of src. The first edit that
// cannot be resolved is the answer, a *refusal.Error; then nothing of the batch
// counts. Cost: linear in inputs and texts for literal matches; a miss costs a
// bounded number of further passes.
func Lower(src Source, inputs []Input, opt Options) (*Batch, error) {
	l := &lowering{src: src, opt: opt, lim: opt.Limits.filled(), files: map[string]*work{}}
	total := 0
	for _, in := range inputs {
		if total += len(in.Text); total > l.lim.InputBytes {
			return nil, refusal.New(refusal.Limit, "the input has more than %d bytes", l.lim.InputBytes).WithNext("Split it into several calls")
		}
	}
	for i, in := range inputs {
		l.input, l.format, l.edit = i+1, in.Format, 0
		if err := l.lower(in); err != nil {
			return nil, err
		}
	}
	if len(l.order) == 0 {
		return nil, refusal.New(refusal.InvalidArgument, "the input holds no edit").WithNext("Send at least one")
	}
	b := &Batch{DryRun: l.dry}
	for _, w := range l.order {
		f, err := w.finish(l.lim)
		if err != nil {
			return nil, located(err, w.path)
		}
		b.Files = append(b.Files, f)
	}
	return b, nil
}

func (l *lowering) lower(in Input) error {
	if in.Expected != "" && in.Path != "" {
		w, err := l.open(in.Path)
		if err != nil {
			return err
		}
		if err := w.expect(in.Expected); err != nil {
			return err
		}
	}
	if in.Format != WholeFile {
		in.Text = strings.TrimPrefix(in.Text, "\ufeff") // it belongs to no row
	}
	switch in.Format {
	case Replacements:
		return l.replacements(in.Text)
	case Anchors:
		return l.anchors(in.Text)
	case SearchReplace:
		return l.searchReplace(in)
	case ApplyPatch:
		return l.applyPatch(in.Text)
	case UnifiedDiff:
		return l.unifiedDiff(in)
	case WholeFile:
		return l.wholeFile(in)
	}
	names := make([]string, 0, 6)
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return refusal.New(refusal.InvalidArgument, "there is no edit format called %q", in.Format).
		WithNext("Use one of %s", strings.Join(names, ", "))
}

// located adds a path to a refusal, and makes a refusal of any other error.
func located(err error, path string) error {
	e := refusal.As(err)
	if e == nil {
		e = &refusal.Error{Code: refusal.IO, What: err.Error(), Err: err}
	}
	return e.At(path)
}
