package refusal

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"testing"
)

func TestErrorText(t *testing.T) {
	for _, c := range []struct {
		err  *Error
		want string
	}{
		{New(NotFound, "there is no such file"), "EDIT_NOT_FOUND: rejected, nothing was written. there is no such file."},
		{New(NotFound, "it is gone.").WithNext("Look for it."), "EDIT_NOT_FOUND: rejected, nothing was written. it is gone. Look for it."},
		{New(NotFound, "no file").At("a.txt").At("b.txt"), "EDIT_NOT_FOUND: rejected, nothing was written. a.txt: no file."},
		{&Error{Code: ParseFailed, Path: "a.txt", Row: 3, Column: 5, What: "what is `x`"}, "EDIT_PARSE_FAILED: rejected, nothing was written. a.txt: script row 3, column 5: what is `x`."},
		{&Error{Code: ParseFailed, Row: 3, What: "what is `x`"}, "EDIT_PARSE_FAILED: rejected, nothing was written. script row 3: what is `x`."},
		{&Error{Code: ParseFailed, Column: 3, What: "a column alone is no place"}, "EDIT_PARSE_FAILED: rejected, nothing was written. a column alone is no place."},
		{New(Limit, "%d of %s", 3, "them").WithNext("%d at most", 2), "EDIT_LIMIT: rejected, nothing was written. 3 of them. 2 at most."},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("\n got %s\nwant %s", got, c.want)
		}
	}
}

func TestMatching(t *testing.T) {
	e := New(TagMismatch, "x")
	e.Err = io.ErrUnexpectedEOF
	wrapped := fmt.Errorf("around: %w", e)
	for _, c := range []struct {
		target error
		want   bool
	}{
		{TagMismatch, true}, {TagUnknown, false}, {New(TagMismatch, "other"), true}, {New(TagUnknown, "x"), false},
		{io.ErrUnexpectedEOF, true}, {io.EOF, false},
	} {
		if errors.Is(wrapped, c.target) != c.want {
			t.Errorf("is %v: %v", c.target, !c.want)
		}
	}
	if As(wrapped) != e || As(io.EOF) != nil || As(nil) != nil {
		t.Error("As")
	}
	if CodeOf(wrapped) != TagMismatch || CodeOf(io.EOF) != IO {
		t.Error("CodeOf")
	}
}

func TestCodesAreDistinctAndWellFormed(t *testing.T) {
	form := regexp.MustCompile(`^(INVALID_ARGUMENT|SESSION_UNKNOWN|PATH_OUTSIDE_WORKSPACE|EDIT_[A-Z_]+)$`)
	seen := map[string]bool{}
	codes := []Code{
		InvalidArgument, TagRequired, TagUnknown, SessionUnknown, TagMismatch, LinesUnseen, ParseFailed, ForeignFormat,
		BodySuspect, RangeInvalid, BlockUnresolved, RegisterEmpty, RegisterAmbiguous, RepairAmbiguous, Syntax, NoChange,
		AlreadyApplied, NotFound, Exists, NotRegular, Binary, Encoding, TooLarge, RevisionMismatch, TextNotFound,
		TextAmbiguous, Conflict, Limit, Policy, OutsideWorkspace, IO,
	}
	for _, c := range codes {
		if seen[string(c)] || !form.MatchString(string(c)) || c.Error() != string(c) {
			t.Errorf("%s", c)
		}
		seen[string(c)] = true
	}
	warnings := []WarningCode{
		Spelling, BodyUnprefixed, RowIsOp, Echo, Escapes, Repaired, SyntaxErrors, Drift, Remapped, FinalNewline,
		PathRebound, OpNoChange, Stripped, InPlace, Rewritten, NotDurable,
	}
	for _, w := range warnings {
		if seen[string(w)] || w[:2] != "W_" {
			t.Errorf("%s", w)
		}
		seen[string(w)] = true
	}
}
