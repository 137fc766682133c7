package dialects

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"putcut/ops"
	"putcut/refusal"
	"putcut/text"
)

// A lowering is one call under way.
type lowering struct {
	src   Source
	opt   Options
	lim   Limits
	files map[string]*work
	order []*work
	dry   bool

	input  int    // the input being read, from 1
	format Format // and its format
	edit   int    // the edit within it, from 1
	hunks  int    // edits so far, in all inputs

	relaxed int64 // bytes of the files that relaxations were tried in
}

// work is what has been found out about one file so far.
type work struct {
	path   string
	old    *text.Text
	raw    []byte
	rev    text.Revision
	exists bool

	expected text.Revision
	bytes    []change // changes of characters, in the order found
	lines    []lineChange
	create   bool
	content  []byte // of a file that is created or given whole
	format   text.Format
	whole    bool
	remove   bool
	moveTo   string
	unmark   bool // the byte order mark goes
	// rawBytes says that new text comes as the bytes of a file, not as text
	// whose encoding is known.
	rawBytes bool

	matched []Range
	report  Report
	spans   []span // by report entry
	memory  func() (*text.Text, bool)
	loc     *locator
}

// A span is bytes lo to hi of the old body.
type span struct{ lo, hi int }

// A change puts new in the place of bytes lo to hi of the old body. claim is
// what the edit leans on: no other change may reach into it.
type change struct {
	span
	new   string
	claim span
	rank  rank
	edit  int // index of its report entry
}

// A rank orders what lands at one place: what sticks to the text above comes
// before what sticks to the text below, and the order of the edits within each.
type rank uint8

const (
	below rank = iota // after what stands above
	above             // before what stands below
)

// A lineChange puts rows in the place of the lines between gaps start and end.
// The rows take the terminators that the contract gives new lines.
type lineChange struct {
	start, end int
	rows       []string
	rank       rank
	edit       int
}

// open returns the work on a file, loading it when it is first named.
func (l *lowering) open(name string) (*work, error) {
	if strings.Trim(name, " \t\r\n") == "" {
		return nil, refusal.New(refusal.InvalidArgument, "the edit names no file").WithNext("Name the file to be changed")
	}
	if strings.IndexByte(name, 0) >= 0 {
		return nil, refusal.New(refusal.InvalidArgument, "the path %q holds a NUL byte", name)
	}
	key := path.Clean(name)
	if w := l.files[key]; w != nil {
		return w, nil
	}
	if len(l.order) == l.lim.Files {
		return nil, refusal.New(refusal.Limit, "the edit names more than %d files", l.lim.Files).WithNext("Split it into several calls")
	}
	t, raw, rev, exists, err := l.src.Load(name)
	if err != nil {
		return nil, located(err, name)
	}
	w := &work{path: name, old: t, raw: raw, rev: rev, exists: exists}
	if !exists {
		w.old = text.FromBody(nil, text.Format{Encoding: text.UTF8})
	}
	if m, ok := l.src.(Memory); ok {
		w.memory = func() (*text.Text, bool) { return m.Shown(name) }
	}
	l.files[key] = w
	l.order = append(l.order, w)
	return w, nil
}

// openOld is open for a file that must exist.
func (l *lowering) openOld(name string) (*work, error) {
	w, err := l.open(name)
	if err != nil {
		return nil, err
	}
	if !w.exists {
		return nil, refusal.New(refusal.NotFound, "there is no such file").At(name).WithNext("Check the path, or create the file first")
	}
	if err := w.fresh("edited"); err != nil {
		return nil, err
	}
	return w, nil
}

// fresh refuses a file that another edit of the call creates, removes or
// gives whole.
func (w *work) fresh(verb string) error {
	what := ""
	switch {
	case w.create:
		what = "created"
	case w.remove:
		what = "removed"
	case w.whole:
		what = "given whole"
	default:
		return nil
	}
	return refusal.New(refusal.InvalidArgument, "the file is %s and %s in one call", what, verb).At(w.path).
		WithNext("Say what the file becomes in one edit")
}

// idle refuses a file that another edit of the call touches at all.
func (w *work) idle(verb string) error {
	if err := w.fresh(verb); err != nil {
		return err
	}
	if len(w.bytes)+len(w.lines) > 0 || w.moveTo != "" {
		return refusal.New(refusal.InvalidArgument, "the file is edited and %s in one call", verb).At(w.path).
			WithNext("Say what the file becomes in one edit")
	}
	return nil
}

// expect compares the file's revision with the one demanded.
func (w *work) expect(rev text.Revision) error {
	have := string(w.rev)
	if !w.exists {
		have = "none: there is no such file"
	}
	if !w.exists || w.rev != rev {
		return refusal.New(refusal.RevisionMismatch, "the revision expected is %s, and the file's is %s", rev, have).At(w.path).
			WithNext("Read the file again and make the edit for its revision")
	}
	w.expected = rev
	return nil
}

// createWith makes the file a new one with these bytes.
func (w *work) createWith(raw []byte) error {
	if w.exists {
		return refusal.New(refusal.Exists, "the file exists already, so it cannot be created").At(w.path).
			WithNext("Edit it, or replace it as a whole under its revision")
	}
	if err := w.idle("created"); err != nil {
		return err
	}
	w.create = true
	w.content, w.format = cutBOM(raw)
	w.old = text.FromBody(nil, w.format)
	return nil
}

func (w *work) removeIt() error {
	if err := w.idle("removed"); err != nil {
		return err
	}
	w.remove = true
	return nil
}

func (w *work) moveIt(to string) error {
	if w.moveTo != "" || w.remove || w.create {
		return refusal.New(refusal.InvalidArgument, "the file is moved to %s and also moved, created or removed by another edit", to).At(w.path).
			WithNext("Move it once")
	}
	if strings.Trim(to, " \t\r\n") == "" {
		return refusal.New(refusal.InvalidArgument, "the destination of the move is empty").At(w.path).WithNext("Name it")
	}
	if path.Clean(to) == path.Clean(w.path) {
		return refusal.New(refusal.Exists, "the destination is the file itself").At(w.path).WithNext("Leave the move out, or name another destination")
	}
	w.moveTo = to
	return nil
}

func cutBOM(raw []byte) ([]byte, text.Format) {
	body, had := bytes.CutPrefix(raw, []byte("\ufeff"))
	return body, text.Format{Encoding: text.UTF8, BOM: had}
}

// note adds a report entry for the edit at hand and returns its index.
func (l *lowering) note(w *work, row int, at span, relaxed []Relaxation, note string) int {
	w.report.Edits = append(w.report.Edits, EditReport{
		Input: l.input, Edit: l.edit, Row: row, Format: l.format, Relaxed: relaxed, Note: note,
	})
	w.spans = append(w.spans, at)
	return len(w.spans) - 1
}

// next counts an edit, block, chunk or hunk.
func (l *lowering) next() error {
	l.edit++
	if l.hunks++; l.hunks > l.lim.Hunks {
		return refusal.New(refusal.Limit, "the input holds more than %d edits", l.lim.Hunks).WithNext("Split it into several calls")
	}
	return nil
}

// proves marks the lines that bytes lo to hi touch as matched.
func (w *work) proves(s span) {
	if s.lo == s.hi {
		return
	}
	w.matched = append(w.matched, w.touched(s))
}

// touched are the lines that a span lies on.
func (w *work) touched(s span) Range {
	return Range{w.old.LineAt(s.lo), w.old.LineAt(max(s.lo, s.hi-1))}
}

func (w *work) warn(code refusal.WarningCode, row int, msg string) {
	w.report.Warnings = append(w.report.Warnings, refusal.Warning{Code: code, Message: msg, Path: w.path, Row: row})
}

// editName names the edit of a report entry in a message.
func (w *work) editName(i int) string {
	r := w.report.Edits[i]
	switch r.Format {
	case Replacements, Anchors:
		return "edits[" + itoa(r.Edit-1) + "]"
	case SearchReplace:
		return "block " + itoa(r.Edit)
	case ApplyPatch:
		return "chunk " + itoa(r.Edit)
	case UnifiedDiff:
		return "hunk " + itoa(r.Edit)
	}
	return "edit " + itoa(r.Edit)
}

// finish turns what was found into a File.
func (w *work) finish(lim Limits) (*File, error) {
	f := &File{
		Path: w.path, Old: w.old, OldRaw: w.raw, OldRevision: w.rev, Expected: w.expected,
		Create: w.create, Remove: w.remove, MoveTo: w.moveTo, Whole: w.whole, Unmarked: w.unmark && !w.remove, Report: w.report,
	}
	w.place(f)
	f.Matched = union(w.matched)
	if w.remove {
		f.Map = ops.MapOf(w.old.Len(), 0, []ops.Hunk{{OldEnd: w.old.Len()}})
		if w.old.Len() == 0 {
			f.Map = ops.LineMap{}
		}
		f.Ops = []ops.Op{{Verb: ops.Rem}}
	} else {
		e, err := w.express(lim)
		if err != nil {
			return nil, err
		}
		f.Splices, f.Final, f.New, f.Map = e.splices, e.final, e.text, e.lineMap
		f.Ops, f.Unsayable = e.list, e.unsayable
		if w.moveTo != "" && len(f.Unsayable) == 0 {
			f.Ops = append(f.Ops, ops.Op{Verb: ops.Mv, Dest: w.moveTo})
		}
	}
	f.Report.Added, f.Report.Removed = f.Map.Counts()
	f.checkScript()
	return f, nil
}

// union sorts ranges and joins those that touch.
func union(list []Range) []Range {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Range) int { return a.First - b.First })
	var out []Range
	for _, r := range list {
		if n := len(out); n > 0 && r.First <= out[n-1].Last+1 {
			out[n-1].Last = max(out[n-1].Last, r.Last)
			continue
		}
		out = append(out, r)
	}
	return out
}
