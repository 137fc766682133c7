// Package search walks a tree and searches its files by lines. It answers
// which files of a tree count (ignore rules and globs applied) and which of
// their lines match a pattern, in an order that never depends on timing.
//
// It knows no session, no tag and no displayed line: it hands over the whole
// bytes of a file that matched, from the same reading that the line numbers
// come from, and the caller makes of them what it needs. It promises nothing
// about a tree that changes while it is walked, except that each file's result
// comes from one state of its bytes as read. It may import text and refusal.
//
// # Confinement
//
// Everything is opened below an os.Root, one component at a time from the
// handle of the folder that lists it, and never through a symbolic link. Only
// the start path itself may run through links, which os.Root keeps inside. What
// is not a regular file or a folder is never opened in a way that blocks.
//
// # Which files
//
// Entries called .git are left out. Files that .gitignore files name are left
// out: those of the folder and of all folders above it up to the root, nested
// and negated rules included, and .git/info/exclude. Hidden files count like
// others. A start path that is ignored, or lies in an ignored folder, is
// searched all the same, with the rules of the files at and below it alone; a
// start path that is a file is searched whatever the glob says.
//
// # Which lines
//
// Lines are those of package text, terminators not included, and a pattern is
// matched against each of them alone, so ^ and $ stand at its ends. Bytes that
// are not valid UTF-8 match as U+FFFD does. A file with a NUL byte outside
// UTF-16 is binary and is skipped.
package search

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"

	"putcut/refusal"
	"putcut/text"
)

// A Mode says what is wanted of a file that matches.
type Mode uint8

// The modes.
const (
	// Content wants the numbers of the matching lines.
	Content Mode = iota
	// Files wants to know that there is one. With an empty pattern it lists
	// every text file without searching it.
	Files
	// Count wants how many there are.
	Count
)

// Options say what to search for and where to stop. The zero value of every
// field but Pattern is useful.
type Options struct {
	// Pattern is an RE2 regular expression, or a plain string with Literal.
	Pattern    string
	Literal    bool
	IgnoreCase bool
	// Glob picks files: a comma-separated list of doublestar globs, braces
	// included. An item without a slash matches the name of a file at any
	// depth; one with a slash matches the path below the start folder. "x/" is
	// everything in a folder x at any depth. An item with a leading ! leaves
	// out what it matches, a folder with all that it holds. A file must match
	// one of the other items, if there are any. Empty picks every file.
	Glob string
	Mode Mode
	// Context is how many rows around a match File.Rows holds, at most
	// MaxContext. It matters for large files alone; of the others the caller
	// has the whole text.
	Context int
	// MaxFileSize is the size in bytes up to which a matching file is handed
	// over whole. Larger ones are searched as a stream. 0 means
	// DefaultMaxFileSize.
	MaxFileSize int64
	// MaxMatches bounds the line numbers kept of one file. File.Count goes on.
	// 0 means DefaultMaxMatches.
	MaxMatches int
	// Workers is how many files are searched at once. 0 means one a processor.
	Workers int
}

// Bounds of Options.
const (
	DefaultMaxFileSize = 16 << 20
	DefaultMaxMatches  = 100_000
	// MaxContext is the most context rows around a match.
	MaxContext = 1_000
	// MaxPattern is the most bytes of a pattern.
	MaxPattern = 16 << 10
	// MaxGlob is the most bytes of a glob, MaxGlobItems the most globs it may
	// stand for once its braces are written out.
	MaxGlob      = 4 << 10
	MaxGlobItems = 512
	// MaxLine is the longest line, in bytes, of a file that is searched as a
	// stream. A file with a longer one counts as failed.
	MaxLine = 16 << 20
)

// A File is a file that matched. Its memory belongs to the receiver.
type File struct {
	// Path is slash-separated and relative to the root.
	Path string
	// Raw is the whole file as read, and Text the same bytes decoded. Both are
	// nil for a large file, and for one that was only listed.
	Raw  []byte
	Text *text.Text
	// Matches are the numbers of the matching lines, ascending from 1. They
	// are kept in mode Content alone.
	Matches []int
	// Count is how many lines match: all of them in modes Content and Count, 1
	// in mode Files, and 0 for a file that was only listed.
	Count int
	// Large says that the file is over MaxFileSize. In mode Content Rows then
	// holds the matching rows and their context.
	Large bool
	Rows  []Row
	// Cut says that Matches or Rows do not hold all there is.
	Cut bool
}

// A Row is one line of a large file.
type Row struct {
	// N is the line number, from 1.
	N int
	// Text is the line without its terminator, in UTF-8 (or the bytes as they
	// are where they are not valid). Its first MaxRow bytes are kept.
	Text []byte
	// Match tells a matching row from context; Cut says that Text is not all.
	Match, Cut bool
}

// MaxRow and MaxRows bound the text kept of one row and of all rows of a large
// file, in bytes.
const (
	MaxRow  = 16 << 10
	MaxRows = 4 << 20
)

// A Report counts what a run met. After an early end its numbers are those of
// the work that happened to be done.
type Report struct {
	// Files were looked at: Matched of them matched, Binary of them were
	// skipped as binary, and Failed could not be read.
	Files, Matched, Binary, Failed int
	// Ignored counts files and whole folders that ignore rules left out.
	Ignored int
	// Special counts links, pipes, sockets and devices, which are never opened.
	Special int
	// Problems are the first failures in no certain order, MaxProblems at most:
	// files and folders that could not be read.
	Problems []Problem
}

// MaxProblems bounds Report.Problems.
const MaxProblems = 32

// A Problem is a file or folder that could not be read. Path is relative to
// the root.
type Problem struct {
	Path string
	Err  error
}

// ErrStop is what an emit or visit function returns to end a run early without an
// error.
var ErrStop = errors.New("search: stop")

// A Query is a compiled search. It is immutable and safe for concurrent use.
type Query struct {
	opts    Options
	glob    *glob
	matcher *matcher
}

// Compile checks and prepares a search. Errors: InvalidArgument with the
// reason, for a pattern or glob that is malformed or over a bound, a pattern
// that asks for a line break, and options out of range.
func Compile(o Options) (*Query, error) {
	if o.MaxFileSize == 0 {
		o.MaxFileSize = DefaultMaxFileSize
	}
	if o.MaxMatches == 0 {
		o.MaxMatches = DefaultMaxMatches
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	switch {
	case o.Context < 0 || o.Context > MaxContext:
		return nil, refusal.New(refusal.InvalidArgument, "context is %d and must be 0 to %d", o.Context, MaxContext)
	case o.MaxFileSize < 0 || o.MaxMatches < 0 || o.Workers < 0:
		return nil, refusal.New(refusal.InvalidArgument, "a bound of the search is negative")
	case o.Mode > Count:
		return nil, refusal.New(refusal.InvalidArgument, "there is no search mode %d", o.Mode)
	}
	g, err := compileGlob(o.Glob)
	if err != nil {
		return nil, err
	}
	q := &Query{opts: o, glob: g}
	if o.Pattern == "" && o.Mode == Files {
		return q, nil
	}
	q.matcher, err = compileMatcher(o.Pattern, o.Literal, o.IgnoreCase)
	if err != nil {
		return nil, err
	}
	return q, nil
}

// Run searches the folder or file start (slash-separated, relative to root,
// empty for root itself) and hands every file that matches to emit, sorted by
// the bytes of Path, one after the other on the calling goroutine. Files and
// folders that cannot be read are counted and do not end the run.
//
// An error of emit ends the run and is returned; ErrStop ends it without one. A
// cancelled ctx ends it with ctx.Err(). Other errors are about start:
// OutsideWorkspace, NotFound, NotRegular, IO. No goroutine outlives the call.
//
// Memory: a read buffer a worker, and of results not yet taken about 32 MiB
// plus one MaxFileSize a worker.
func (q *Query) Run(ctx context.Context, root *os.Root, start string, emit func(File) error) (Report, error) {
	return crawl(ctx, root, start, q.glob, q.opts.Workers, func() visitor { return newScanner(ctx, q) }, emit)
}

// Walk visits the regular files of start that a search with the same glob
// would look at, in the same order, without opening them, and with the rules
// and errors of Query.Run.
func Walk(ctx context.Context, root *os.Root, start, glob string, visit func(path string) error) (Report, error) {
	g, err := compileGlob(glob)
	if err != nil {
		return Report{}, err
	}
	return crawl(ctx, root, start, g, runtime.GOMAXPROCS(0), func() visitor { return lister{} },
		func(f File) error { return visit(f.Path) })
}

// A visitor looks at one file. One visitor serves one goroutine.
type visitor interface {
	// visit looks at the file that open opens; path is for the result. An error
	// is a file that could not be read, errBinary, or errNotRegular.
	visit(open opener, path string) (f File, matched bool, err error)
}

// An opener opens a regular file and tells its size.
type opener func() (f file, size int64, err error)

var (
	errBinary     = errors.New("binary file")
	errNotRegular = errors.New("not a regular file")
)

type lister struct{}

func (lister) visit(_ opener, path string) (File, bool, error) {
	return File{Path: path}, true, nil
}

// cleanStart is the start path in the form that the root's handles take.
func cleanStart(start string) (string, error) {
	if start == "" {
		return ".", nil
	}
	clean := path.Clean(start)
	if !filepath.IsLocal(filepath.FromSlash(clean)) {
		return "", refusal.New(refusal.OutsideWorkspace, "the path is outside the root").
			WithNext("Name a file or folder inside it").At(start)
	}
	return clean, nil
}

// startError is an error of the operating system about the start path.
func startError(start string, err error) error {
	var e *refusal.Error
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e = refusal.New(refusal.NotFound, "there is no such file or folder")
	case errors.Is(err, errNotRegular):
		e = refusal.New(refusal.NotRegular, "this is neither a file nor a folder")
	case escapes(err):
		e = refusal.New(refusal.OutsideWorkspace, "the path leads out of the root")
	default:
		e = refusal.New(refusal.IO, "it cannot be read: %v", err)
	}
	e.Err = err
	return e.At(start)
}
