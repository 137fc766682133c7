package refusal

import (
	"errors"
	"fmt"
	"strings"
)

// An Error is one refusal. Nothing was written when a call returns one.
//
// Its fields follow the order in which a message is read: what was wrong and
// where (Path, Row, Column, Op, What), the current facts (Excerpts), and
// the one next step (Next, Script). Packages below the session fill in what
// they know; callers add location with At while the error unwinds, so inner
// code need not know where it is.
type Error struct {
	Code Code
	// Path is the file as the caller named it.
	Path string
	// Row and Column are a place in the script, both from 1, columns in runes;
	// 0 means none.
	Row, Column int
	// Op is the op within its section, from 1; 0 means none.
	Op int
	// What says what was wrong, as one or two sentences without a final blank.
	What string
	// Excerpts are current rows of files that the retry needs.
	Excerpts []Excerpt
	// Next is the one next step.
	Next string
	// Script is the corrected script, where it can be derived.
	Script string
	// Err is the cause, when there is one below this module.
	Err error
}

// An Excerpt is a part of a file as a refusal or a result shows it: the header
// row [path#tag] and numbered rows. Runs of rows that do not touch are
// separated by an elision row when printed. An empty Tag prints no tag.
type Excerpt struct {
	Path string       `json:"path"`
	Tag  string       `json:"tag,omitempty"`
	Rows []ExcerptRow `json:"rows"`
}

// An ExcerptRow is one line of a file. N counts from 1. Cut says that Text is
// not the whole line, or not its exact text; such a row never counts as displayed.
type ExcerptRow struct {
	N    int    `json:"n"`
	Text string `json:"text"`
	Cut  bool   `json:"cut,omitempty"`
}

// New returns a refusal of the given kind; the arguments are fmt's.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, What: fmt.Sprintf(format, args...)}
}

// WithNext sets the next step and returns e.
func (e *Error) WithNext(format string, args ...any) *Error {
	e.Next = fmt.Sprintf(format, args...)
	return e
}

// At adds the path, if e has none yet, and returns e.
func (e *Error) At(path string) *Error {
	if e.Path == "" {
		e.Path = path
	}
	return e
}

// Is reports whether target is e's code, or a refusal with the same code.
func (e *Error) Is(target error) bool {
	switch t := target.(type) {
	case Code:
		return e.Code == t
	case *Error:
		return e.Code == t.Code
	}
	return false
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Error is the refusal as one paragraph. Excerpts and corrected scripts are
// left to whoever renders the refusal for a model or a person.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	b.WriteString(": rejected, nothing was written. ")
	b.WriteString(e.Where())
	b.WriteString(strings.TrimSuffix(e.What, "."))
	b.WriteByte('.')
	if e.Next != "" {
		b.WriteByte(' ')
		b.WriteString(strings.TrimSuffix(e.Next, "."))
		b.WriteByte('.')
	}
	return b.String()
}

// Where is the location as a prefix: "path: row 3, column 5: ", or as much of
// it as is known.
func (e *Error) Where() string {
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path)
		b.WriteString(": ")
	}
	switch {
	case e.Row > 0 && e.Column > 0:
		fmt.Fprintf(&b, "script row %d, column %d: ", e.Row, e.Column)
	case e.Row > 0:
		fmt.Fprintf(&b, "script row %d: ", e.Row)
	}
	return b.String()
}

// As returns err as a refusal, or nil when it is none.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// CodeOf returns the code of a refusal, and IO for any other error.
func CodeOf(err error) Code {
	if e := As(err); e != nil {
		return e.Code
	}
	return IO
}
