package main

import (
	"errors"
	"fmt"
	"slices"

	"putcut/refusal"
	"putcut/session"
)

// Exit codes.
const (
	exitDone    = 0
	exitRefused = 1
	exitUsage   = 2
	exitIO      = 3
)

// A usageError is a command line that cannot be understood.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// A failure is a file or a stream of the command line itself that failed, as
// opposed to a file the tools work on.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

func failuref(format string, args ...any) error { return failure{fmt.Errorf(format, args...)} }

// outputError is a result that could not be printed.
func outputError(err error) error {
	if err == nil {
		return nil
	}
	return failuref("the result could not be printed: %w", err)
}

// A quietError carries an exit code after everything has been said.
type quietError int

func (e quietError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func exitCode(err error) int {
	var quiet quietError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &quiet):
		return int(quiet)
	case errors.As(err, new(usageError)):
		return exitUsage
	case errors.As(err, new(failure)):
		return exitIO
	}
	if e := refusal.As(err); e != nil && e.Code != refusal.IO {
		return exitRefused
	}
	return exitIO
}

// An errorJSON is a refusal as --json prints it. The field names are stable;
// what is not known is left out.
type errorJSON struct {
	Code     refusal.Code      `json:"code"`
	Path     string            `json:"path,omitempty"`
	Row      int               `json:"row,omitempty"`
	Column   int               `json:"column,omitempty"`
	Message  string            `json:"message"`
	Next     string            `json:"next,omitempty"`
	Script   string            `json:"script,omitempty"`
	Excerpts []refusal.Excerpt `json:"excerpts,omitempty"`
}

func errorOf(err error) errorJSON {
	e := refusal.As(err)
	if e == nil {
		return errorJSON{Code: refusal.IO, Message: err.Error()}
	}
	excerpts := slices.Clone(e.Excerpts)
	for i := range excerpts {
		excerpts[i].Rows = rowsOf(excerpts[i].Rows)
	}
	return errorJSON{
		Code: e.Code, Path: e.Path, Row: e.Row, Column: e.Column,
		Message: e.What, Next: e.Next, Script: e.Script, Excerpts: excerpts,
	}
}

// report says why a command failed: a refusal in full on the error stream, or,
// if results are JSON, as an object in the place of the result.
func report(s *Streams, name string, asJSON bool, err error) {
	switch {
	case errors.As(err, new(quietError)):
	case errors.As(err, new(usageError)):
		fmt.Fprintf(s.Err, "%s: %v\nSee `%s --help`.\n", name, err, name)
	case asJSON:
		s.PrintJSON(map[string]errorJSON{"error": errorOf(err)})
	case refusal.As(err) == nil:
		fmt.Fprintf(s.Err, "%s: %v\n", name, err)
	default:
		s.Note(session.ErrorText(err))
	}
}
