package session

import (
	"putcut/refusal"
	"putcut/text"
)

// A ReadRequest asks for lines of a file.
type ReadRequest struct {
	Path string `json:"path"`
	// Ranges is a list such as "40-80,200-"; empty means the whole file.
	Ranges string `json:"ranges,omitempty"`
	// Encoding is a WHATWG label; empty means UTF-8, or UTF-16 by its mark.
	Encoding string `json:"encoding,omitempty"`
	// MaxColumns is the most characters of a line to print; 0 means 2,000.
	MaxColumns int `json:"max_columns,omitempty"`
}

// A ReadResult is what a read prints. Tag is empty for a file over the size
// limit. Shown are runs of printed lines, first and last; Clipped are lines that
// were cut or could not be printed unaltered, which do not count as displayed.
type ReadResult struct {
	Path         string               `json:"path"`
	Tag          text.Tag             `json:"tag,omitempty"`
	Revision     text.Revision        `json:"revision,omitempty"`
	TotalLines   int                  `json:"total_lines"`
	Shown        [][2]int             `json:"shown"`
	Clipped      []int                `json:"clipped"`
	EOL          string               `json:"eol"`
	Encoding     string               `json:"encoding"`
	BOM          bool                 `json:"bom"`
	FinalNewline bool                 `json:"final_newline"`
	Notices      []string             `json:"notices,omitempty"`
	Rows         []refusal.ExcerptRow `json:"-"`
}

// A GrepMode says what grep prints.
type GrepMode string

// The modes of grep. The empty value means Content.
const (
	Content GrepMode = "content"
	Files   GrepMode = "files"
	Count   GrepMode = "count"
)

// A GrepRequest asks for lines that match a pattern, in RE2 syntax.
type GrepRequest struct {
	Pattern    string   `json:"pattern"`
	Path       string   `json:"path,omitempty"`
	Glob       string   `json:"glob,omitempty"`
	IgnoreCase bool     `json:"ignore_case,omitempty"`
	Literal    bool     `json:"literal,omitempty"`
	Context    int      `json:"context,omitempty"`
	Mode       GrepMode `json:"mode,omitempty"`
	// Limit is the most matches to print; 0 means 200.
	Limit int `json:"limit,omitempty"`
}

// A GrepResult is what grep found, files in order of their paths.
type GrepResult struct {
	Mode    GrepMode   `json:"mode"`
	Files   []GrepFile `json:"files"`
	Matches int        `json:"matches"`
	Notices []string   `json:"notices,omitempty"`
}

// A GrepFile is one file with matches.
type GrepFile struct {
	Path  string               `json:"path"`
	Tag   text.Tag             `json:"tag,omitempty"`
	Count int                  `json:"count"`
	Lines []int                `json:"lines,omitempty"`
	Rows  []refusal.ExcerptRow `json:"-"`
}

// A WriteRequest creates or replaces a whole file.
type WriteRequest struct {
	Path string `json:"path"`
	// Content is the whole new content; nil is a missing argument.
	Content *string `json:"content"`
	// Expect is "absent", or the current tag of the file.
	Expect           string        `json:"expect"`
	ExpectedRevision text.Revision `json:"expected_revision,omitempty"`
	DryRun           bool          `json:"dry_run,omitempty"`
}

// An EditRequest edits one file.
type EditRequest struct {
	Path             string        `json:"path"`
	Tag              string        `json:"tag"`
	Ops              string        `json:"ops"`
	ExpectedRevision text.Revision `json:"expected_revision,omitempty"`
	DryRun           bool          `json:"dry_run,omitempty"`
}

// A PatchRequest edits many files, all or nothing.
type PatchRequest struct {
	Script string `json:"script"`
	// ExpectedRevisions are preconditions by path.
	ExpectedRevisions map[string]text.Revision `json:"expected_revisions,omitempty"`
	DryRun            bool                     `json:"dry_run,omitempty"`
}

// An UndoRequest puts back what a call changed; an empty Call is the latest.
type UndoRequest struct {
	Call   string `json:"call,omitempty"`
	DryRun bool   `json:"dry_run,omitempty"`
}

// A ChangeKind says what became of a file.
type ChangeKind string

// What becomes of a file.
const (
	Created  ChangeKind = "created"
	Modified ChangeKind = "modified"
	Removed  ChangeKind = "removed"
	Moved    ChangeKind = "moved" // with or without a change of its text
)

// A ChangeResult is what a call did, or, of a dry run, would do.
type ChangeResult struct {
	// Call is the id of a call that changed something; undo takes it.
	Call     string            `json:"call,omitempty"`
	DryRun   bool              `json:"dry_run,omitempty"`
	Files    []FileChange      `json:"files"`
	Warnings []refusal.Warning `json:"warnings"`
	// Diff is the change as a unified diff; DiffCut says that it was too long
	// and holds whole files only, as many as fit. DiffDecoded says that the
	// bytes of a file, UTF-16 say, cannot stand in a diff, so that it is written
	// decoded and no tool can apply it.
	Diff        string `json:"diff,omitempty"`
	DiffCut     bool   `json:"diff_cut,omitempty"`
	DiffDecoded bool   `json:"diff_decoded,omitempty"`
	// Durable says that the bytes are on stable storage.
	Durable bool `json:"durable"`

	planned bool // the commit is still to come
}

// A FileChange is what a call did to one file. Line numbers of the file as it
// was are old ones, of the file as it is new ones; a span of no lines has its
// end one before its start.
type FileChange struct {
	Path string     `json:"path"`
	Kind ChangeKind `json:"kind"`
	// From is the former path of a moved file.
	From string `json:"from,omitempty"`
	// Tag is the new tag; empty after a removal and in a dry run.
	Tag text.Tag `json:"tag,omitempty"`
	// OldTag is the tag the numbers of the call belonged to.
	OldTag      text.Tag      `json:"old_tag,omitempty"`
	OldRevision text.Revision `json:"old_revision,omitempty"`
	NewRevision text.Revision `json:"new_revision,omitempty"`
	Added       int           `json:"lines_added"`
	Removed     int           `json:"lines_removed"`
	Ops         []OpSpan      `json:"ops,omitempty"`
	Blocks      []BlockSpan   `json:"blocks,omitempty"`
	Shifts      []ShiftRow    `json:"shifts,omitempty"`
	// Superseded are tags of this session whose text is no longer the live one;
	// their numbers stay good with them.
	Superseded []text.Tag `json:"superseded,omitempty"`
	// Unseen is the number of destroyed lines that were never displayed.
	Unseen       int           `json:"unseen_destroyed,omitempty"`
	Declarations *Declarations `json:"declarations,omitempty"`
	SyntaxErrors []SyntaxError `json:"syntax_errors,omitempty"`

	// Rows are the changed regions with their context under the new tag.
	Rows []refusal.ExcerptRow `json:"-"`
	// Unprinted counts rows of the regions that were not printed.
	Unprinted int `json:"-"`
	// Gone are rows that went and are not restated, under their old numbers;
	// GoneMore counts those that are not listed.
	Gone     []refusal.ExcerptRow `json:"-"`
	GoneMore int                  `json:"-"`
}

// An OpSpan is where an op landed.
type OpSpan struct {
	Op       string `json:"op"`
	OldStart int    `json:"old_start"`
	OldEnd   int    `json:"old_end"`
	NewStart int    `json:"new_start"`
	NewEnd   int    `json:"new_end"`
}

// A BlockSpan is what N* resolved to, in numbers of the tagged version.
type BlockSpan struct {
	AnchorLine int    `json:"anchor_line"`
	Start      int    `json:"start"`
	End        int    `json:"end"`
	Op         string `json:"op"`
}

// A ShiftRow says that old lines From to To, 0 meaning the end, moved by Delta.
type ShiftRow struct {
	From  int `json:"from"`
	To    int `json:"to,omitempty"`
	Delta int `json:"delta"`
}

// Declarations are the names that came, went and changed.
type Declarations struct {
	Added   []string    `json:"added,omitempty"`
	Removed []string    `json:"removed,omitempty"`
	Renamed [][2]string `json:"renamed,omitempty"`
}

// A SyntaxError is one that an edit introduced, in new numbers.
type SyntaxError struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}
