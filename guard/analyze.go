package guard

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The bounds of one analysis. They are far beyond any command that was written
// to be run and keep hostile ones to well under a second or two.
const (
	// MaxCommand is the largest command that is read, in bytes.
	MaxCommand = 1 << 20
	// maxFrames bounds the call stack of the shell parser, which recurses.
	maxFrames = 20_000
	// maxDepth bounds the nesting of the syntax tree that is followed.
	maxDepth = 600
	// maxPrograms bounds programs within programs (bash -c "bash -c ...").
	maxPrograms = 12
	// maxSteps bounds the statements, words and tokens that are looked at.
	maxSteps = 2_000_000
	// maxWrites bounds the report.
	maxWrites = 10_000
	// maxValues bounds the values that a word can take, in a loop or by braces.
	maxValues = 256
	// maxParams bounds the positional parameters that are known.
	maxParams = 1000
	// maxBytes bounds the text that expansions produce in all.
	maxBytes = 32 << 20
)

// Analyze reports the files that the command would write, as bash would run it.
// It reads no file and does no I/O. Its cost is linear in the command for
// commands as people and models write them, and bounded for all others.
func Analyze(command string) Report {
	a := newAnalysis()
	a.guarded(func() { a.command(command) })
	return a.report()
}

// A position is a row and a column in the command, both from 1.
type position struct{ row, col int }

// An analysis is the state of one call of Analyze.
type analysis struct {
	writes    []Write
	seen      map[string]bool
	opaque    []string // what stands in a value where an expansion is not known
	parseErr  string
	truncated bool
	steps     int
	bytes     int
	depth     int
	programs  int
	active    map[*syntax.Stmt]bool // functions being followed
	declared  []declared
	quiet     bool // nothing that is found counts, see effects
	dir       string
}

func newAnalysis() *analysis {
	return &analysis{seen: map[string]bool{}, active: map[*syntax.Stmt]bool{}, dir: "."}
}

// failed is how the message of an analysis that panicked starts.
const failed = "the analysis failed: "

// guarded runs fn. A monitor must not take its host down, so should fn panic
// the report says that it is not complete.
func (a *analysis) guarded(fn func()) {
	defer func() {
		if p := recover(); p != nil {
			a.truncated = true
			a.parseErr = fmt.Sprint(failed, p)
		}
	}()
	fn()
}

func (a *analysis) command(text string) {
	if len(text) > MaxCommand {
		a.truncated = true
		a.parseErr = fmt.Sprintf("the command is %d bytes; the limit is %d", len(text), MaxCommand)
		return
	}
	f := a.frame()
	f.program(text, origin{position{1, 1}, true})
	f.uncalled()
}

// argv follows a command that a host starts without a shell.
func (a *analysis) argv(args []string) {
	f := a.frame()
	var fields []field
	total := 0
	for _, s := range args {
		if total += len(s); total > MaxCommand {
			a.truncated = true
			a.parseErr = fmt.Sprintf("the command is over the limit of %d bytes", MaxCommand)
			return
		}
		fields = append(fields, field{vals: []string{s}, lit: true, at: origin{position{1, 1}, true}})
	}
	f.call(fields, nil)
	f.uncalled()
}

func (a *analysis) frame() *frame {
	return &frame{a: a, sc: &scope{vars: map[string]variable{}, funcs: map[string]function{}, dir: a.dir, dirKnown: true, called: map[*syntax.Stmt]bool{}}}
}

func (a *analysis) report() Report {
	slices.SortStableFunc(a.writes, func(x, y Write) int {
		return cmp.Or(cmp.Compare(x.Row, y.Row), cmp.Compare(x.Column, y.Column))
	})
	if a.writes == nil {
		a.writes = []Write{}
	}
	return Report{Writes: a.writes, ParseError: a.parseErr, Truncated: a.truncated}
}

// step counts a unit of work; it is false when there has been too much.
func (a *analysis) step() bool {
	if a.steps++; a.steps > maxSteps {
		a.truncated = true
		return false
	}
	return true
}

// spend counts text that is copied or searched; it is false when there has been
// too much. Without it a short command could double a value until it is huge.
func (a *analysis) spend(n int) bool {
	if a.bytes += n; a.bytes > maxBytes {
		a.truncated = true
		return false
	}
	return true
}

func size(fields []field) int {
	n := 0
	for _, x := range fields {
		for _, v := range x.vals {
			n += len(v)
		}
	}
	return n
}

// enter counts a level of nesting; leave must be called when it is true.
func (a *analysis) enter() bool {
	if a.depth >= maxDepth {
		a.truncated = true
		return false
	}
	if !a.step() {
		return false
	}
	a.depth++
	return true
}

func (a *analysis) leave() { a.depth-- }

// Marks around the index of an opaque part of a value. They are private use
// characters; should a command hold them, the value only counts as not literal.
const (
	opaqueOpen  = "\uE0F0"
	opaqueClose = "\uE0F1"
)

// hide returns the mark that stands for an expansion whose value is not known.
func (a *analysis) hide(source string) string {
	a.opaque = append(a.opaque, source)
	return opaqueOpen + strconv.Itoa(len(a.opaque)-1) + opaqueClose
}

// show puts the source text of expansions back in place of their marks.
func (a *analysis) show(s string) string {
	if !strings.Contains(s, opaqueOpen) {
		return s
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, opaqueOpen)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		num, after, ok := strings.Cut(rest, opaqueClose)
		n, err := strconv.Atoi(num)
		if !ok || err != nil || n < 0 || n >= len(a.opaque) {
			b.WriteString(opaqueOpen)
			s = rest
			continue
		}
		b.WriteString(a.opaque[n])
		s = after
	}
}

func isOpaque(s string) bool { return strings.Contains(s, opaqueOpen) }

// An origin is where a text stands in the command. When exact is false, all of
// the text is said to stand at its start.
type origin struct {
	position
	exact bool
}

// at is the position of a row and column, from 1, of the text.
func (o origin) at(row, col int) position {
	switch {
	case !o.exact:
		return o.position
	case row <= 1:
		return position{o.row, o.col + max(col, 1) - 1}
	}
	return position{o.row + row - 1, max(col, 1)}
}

// A places finds the positions of byte offsets of a text.
type places struct {
	origin
	starts []int // offsets of the rows
}

func (o origin) places(text string) *places {
	p := &places{origin: o}
	if o.exact {
		p.starts = []int{0}
		for i := 0; i < len(text); i++ {
			if text[i] == '\n' {
				p.starts = append(p.starts, i+1)
			}
		}
	}
	return p
}

func (p *places) offset(off int) position {
	if !p.exact {
		return p.position
	}
	row, found := slices.BinarySearch(p.starts, off)
	if !found {
		row--
	}
	return p.at(row+1, off-p.starts[row]+1)
}

// A source is the text of a shell program and where it stands.
type source struct {
	text string
	origin
}

func (s *source) pos(p syntax.Pos) position { return s.at(int(p.Line()), int(p.Col())) }

func (s *source) slice(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || from > to || to > len(s.text) {
		return ""
	}
	const most = 200
	if t := s.text[from:to]; len(t) <= most {
		return t
	}
	return strings.ToValidUTF8(s.text[from:from+most], "") + "…"
}

var errDepth = errors.New("nested too deeply")

// A reader hands a program to the parser and refuses to go on when the parser
// has recursed too far: a stack that overflows cannot be recovered from. The
// parser asks for a kilobyte at a time, so it cannot go much deeper unseen.
type reader struct {
	strings.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	var pc [1]uintptr
	if runtime.Callers(maxFrames, pc[:]) > 0 {
		return 0, errDepth
	}
	return r.Reader.Read(p)
}

// parse parses a shell program: the statements before an error, and the error.
// A parser that panics is a parse error too.
func parse(text string) (stmts []*syntax.Stmt, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the shell parser failed: %v", p)
		}
	}()
	r := &reader{*strings.NewReader(text)}
	err = syntax.NewParser(syntax.Variant(syntax.LangBash)).Stmts(r, func(s *syntax.Stmt) bool {
		stmts = append(stmts, s)
		return true
	})
	return stmts, err
}

// program follows a shell program in the scope of f.
func (f *frame) program(text string, at origin) {
	a := f.a
	if a.programs >= maxPrograms || !a.enter() {
		a.truncated = true
		return
	}
	a.programs++
	defer func() { a.programs--; a.leave() }()

	// The parser reads the text once, however little of it is followed later.
	if !a.spend(len(text)) {
		return
	}
	stmts, err := parse(text)
	src := &source{text, at}
	if err != nil && a.parseErr == "" {
		a.parseErr = describe(err, src)
	}
	if errors.Is(err, errDepth) {
		a.truncated = true
	}
	g := *f
	g.src = src
	g.stmts(stmts)
}

func describe(err error, src *source) string {
	var pe syntax.ParseError
	var le syntax.LangError
	switch {
	case errors.As(err, &pe):
		p := src.pos(pe.Pos)
		return fmt.Sprintf("row %d, column %d: %s", p.row, p.col, pe.Text)
	case errors.As(err, &le):
		p := src.pos(le.Pos)
		return fmt.Sprintf("row %d, column %d: %s is not bash", p.row, p.col, le.Feature)
	}
	return err.Error()
}

// A find is a write as a command's reader finds it.
type find struct {
	kind    Kind
	command string
	target  field
	at      position
	suggest string
	dir     string // directory the target is relative to, itself relative to the scope's
	dirLost bool   // the directory is not known
}

func (f *frame) found(w find) {
	// Without a position there is no argument: the option lacks its value, and
	// the command will fail.
	if w.target.proc || w.at.row == 0 {
		return
	}
	vals := w.target.vals
	if len(vals) == 0 {
		vals = []string{""}
	}
	for _, v := range vals {
		lit := w.target.lit && !isOpaque(v) && v != "" && !isDirectory(v)
		if lit && !isFile(v, f.sc.dir, f.sc.dirKnown) {
			continue
		}
		out := Write{
			Kind: w.kind, Target: f.a.show(v), Literal: lit, Command: f.a.show(w.command), Via: f.sc.via,
			Row: w.at.row, Column: w.at.col, SuggestedTool: w.suggest,
		}
		if lit && !w.dirLost {
			out.Path = f.resolve(v, w.dir, w.target.tilde)
		}
		f.a.add(out)
	}
}

func (a *analysis) add(w Write) {
	key := fmt.Sprintf("%d:%d:%s:%t:%s:%s", w.Row, w.Column, w.Kind, w.Literal, w.Target, w.Path)
	if a.seen[key] {
		return
	}
	if len(a.writes) >= maxWrites {
		a.truncated = true
		return
	}
	a.seen[key] = true
	a.writes = append(a.writes, w)
}

// resolve is the path of a literal target, or "" when its directory is not known.
func (f *frame) resolve(target, dir string, tilde bool) string {
	if tilde || path.IsAbs(target) {
		return path.Clean(target)
	}
	if dir != "" {
		if isOpaque(dir) {
			return ""
		}
		target = path.Join(dir, target)
		if path.IsAbs(target) {
			return target
		}
	}
	if !f.sc.dirKnown {
		return ""
	}
	p := path.Join(f.sc.dir, target)
	if strings.HasPrefix(p, "~") && !strings.HasPrefix(f.sc.dir, "~") {
		return "./" + p
	}
	return p
}

// isDirectory says that the name can only be a directory: which files in it are
// written is not said.
func isDirectory(name string) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	return base == "" || base == "." || base == ".."
}

// isFile is false for names that are not files on disk: devices, the streams of
// the process, kernel interfaces, and file descriptors.
func isFile(name, dir string, dirKnown bool) bool {
	p := path.Clean(name)
	if !path.IsAbs(p) && dirKnown && path.IsAbs(dir) {
		p = path.Join(dir, p)
	}
	switch {
	case strings.HasPrefix(p, "/dev/"):
		return strings.HasPrefix(p, "/dev/shm/")
	case strings.HasPrefix(p, "/proc/"), strings.HasPrefix(p, "/sys/"), p == "/dev":
		return false
	}
	return true
}
