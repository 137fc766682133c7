package parser

import (
	"testing"

	"putcut/refusal"
)

// TestMessages pins the wording of refusals: code, place, what was found, what
// is legal, the next step.
func TestMessages(t *testing.T) {
	const nothing = "rejected, nothing was written. "
	for _, c := range []struct {
		patch        bool
		script, want string
	}{
		{false, "PUT 2.=2:\n+x\n  CUT 3.=",
			"EDIT_PARSE_FAILED: " + nothing + "script row 3, column 10: in `CUT 3.=` the row ends after `.=`; legal is the number of the last line. Write both numbers, as in `2.=3`."},
		{false, "PUT 2.=3:",
			"EDIT_PARSE_FAILED: " + nothing + "script row 1, column 1: `PUT 2.=3:` has no body rows. To delete the lines write `CUT 2.=3`; to replace them write the new rows below, each with `+`."},
		{false, "SWAP 2.=2:\n+y",
			"EDIT_PARSE_FAILED: " + nothing + "script row 1, column 1: `SWAP 2.=2:` uses the retired verb `SWAP`; today it is `PUT 2.=2:`. Write `PUT 2.=2:`."},
		{false, "CUT >2",
			"EDIT_PARSE_FAILED: " + nothing + "script row 1, column 5: in `CUT >2` got `>` after `CUT`; legal is lines: `CUT` takes `CUT 2.=3` or `CUT 4*`, with or without a register such as `@name`; a gap holds nothing to cut. Name the lines, as in `CUT 2.=3`."},
		{false, "CUT é",
			"EDIT_PARSE_FAILED: " + nothing + "script row 1, column 5: in `CUT é` got `é` after `CUT`; legal is the lines to cut, as in `CUT 2.=3` or `CUT 4*`, with or without a register such as `@name`. Name the lines, as in `CUT 2.=3`."},
		{false, "MV \"é\" b",
			"EDIT_PARSE_FAILED: " + nothing + "script row 1, column 7: in `MV \"é\" b` text stands after the closing quote. Write `MV new/path`, or `MV \"new path\"` with `\\\"` and `\\\\` for `\"` and `\\`."},
		{false, "CUT 2.=99999999999",
			"EDIT_RANGE_INVALID: " + nothing + "script row 1, column 8: no file has a line `99999999999`. Name lines by the numbers the reader printed."},
		{false, "REM\x00",
			"EDIT_PARSE_FAILED: " + nothing + "script row 1, column 1: `REM\\u0000` is no op and no header; an op is `PUT 2.=3:` with `+` rows below, `CUT 2.=3`, `REM` or `MV new/path`. Leave out every row that is no op, header or body row; comments belong outside the script."},
		{false, "MV é\x00",
			"INVALID_ARGUMENT: " + nothing + "script row 1, column 5: the op row `MV é\\u0000` holds a NUL. Send the row without it."},
		{true, "[é\xff#1A2B]\nREM",
			"INVALID_ARGUMENT: " + nothing + "script row 1, column 3: the header row `[é\\xff#1A2B]` is not valid UTF-8. Send headers and ops as UTF-8; body rows alone may hold other bytes."},
		{true, "[n.txt#1A2]\nREM",
			"EDIT_TAG_REQUIRED: " + nothing + "script row 1, column 1: the header `[n.txt#1A2]` has the tag `1A2`; a tag is 4 hex digits, or NEW for a file to be created. Read the file and copy the header row that stands above its lines."},
		{true, "[n.txt]\nREM",
			"EDIT_TAG_REQUIRED: " + nothing + "script row 1, column 1: the header `[n.txt]` has no tag: a header is `[path#TAG]`, the tag 4 hex digits or NEW. Read the file and copy the header row that stands above its lines."},
		{true, "*** Begin Patch ***\n[n.txt#1A2B]\nREM",
			"EDIT_PARSE_FAILED: " + nothing + "script row 1, column 1: got `*** Begin Patch ***`, which is no marker; legal is `*** Begin Patch` as a row of its own. Write `*** Begin Patch`, or leave the row out: markers are optional."},
		{true, "[n.txt#1A2B]\nPUT 2.=2:\n+a\nb",
			"EDIT_PARSE_FAILED: " + nothing + "n.txt: script row 4, column 1: `b` has no `+` and other rows of the body have; in a body either all rows have it or none. Write `+b` when the row is content, else leave it out."},
		{true, "[n.txt#1A2B]\nCUT 1.=1 @r\n[m.txt#1A2B]\nCUT 2.=2 @r",
			"EDIT_PARSE_FAILED: " + nothing + "script row 4, column 1: `CUT 2.=2 @r` cuts into the register `@r` a second time in one call, after `CUT 1.=1 @r`. Give the second cut a name of its own."},
		{true, "*** Update File: n.txt",
			"EDIT_FOREIGN_FORMAT: " + nothing + "script row 1, column 1: this is an apply_patch patch (got `*** Update File: n.txt`), not an op script. Write `[path#TAG]`, the header row the reader printed, then ops that name lines by number and give new content only: `PUT 2.=3:` with `+` rows below replaces lines 2 to 3, `PUT >3:` inserts after line 3, `CUT 2.=3` deletes."},
		{false, "@@ -1 +1 @@",
			"EDIT_FOREIGN_FORMAT: " + nothing + "script row 1, column 1: this is a unified diff (got `@@ -1 +1 @@`), not an op script. Write ops that name lines by number and give new content only: `PUT 2.=3:` with `+` rows below replaces lines 2 to 3, `PUT >3:` inserts after line 3, `CUT 2.=3` deletes."},
	} {
		parse := ParseOps
		if c.patch {
			parse = Parse
		}
		_, err := parse(c.script, Limits{})
		if err == nil {
			t.Errorf("%q: accepted", c.script)
		} else if err.Error() != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.script, err, c.want)
		}
	}
}

// TestWarnings pins the wording and the rows of remarks.
func TestWarnings(t *testing.T) {
	res, err := Parse("~~~\n[n.txt#1a2b]\nput 2-3\n+a\n\n+b\nPUT 5:\n\nc\nPUT >$:\n+CUT 1\n+REM\n~~~", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := []refusal.Warning{
		{Code: refusal.Spelling, Row: 1, Message: "the Markdown fence around the script is left out (script row 1)"},
		{Code: refusal.Spelling, Row: 2, Path: "n.txt", Message: "`[n.txt#1a2b]` is read as `[n.txt#1A2B]` (script row 2)"},
		{Code: refusal.Spelling, Row: 3, Path: "n.txt", Message: "`put 2-3` is read as `PUT 2.=3:` (script row 3)"},
		{Code: refusal.Spelling, Row: 5, Path: "n.txt", Message: "the empty row between `+` rows is read as `+`, an empty line (script row 5)"},
		{Code: refusal.Spelling, Row: 7, Path: "n.txt", Message: "`PUT 5:` is read as `PUT 5.=5:` (script row 7)"},
		{Code: refusal.Spelling, Row: 8, Path: "n.txt", Message: "blank rows between the op and its first body row are not part of the body; an empty line is a row with `+` alone (script row 8)"},
		{Code: refusal.BodyUnprefixed, Row: 9, Path: "n.txt", Message: "the body has no `+`; it is taken as it stands (script row 9)"},
		{Code: refusal.RowIsOp, Row: 11, Path: "n.txt", Message: "`CUT 1` is a valid op with a `+` in front, and 1 more, and was written as text (script row 11)"},
	}
	if len(res.Warnings) != len(want) {
		t.Errorf("%d warnings, want %d", len(res.Warnings), len(want))
	}
	for i, w := range res.Warnings {
		if i < len(want) && w != want[i] {
			t.Errorf("%d:\n got %+v\nwant %+v", i, w, want[i])
		}
	}
}

// TestOneRow: a script without line breaks is told so, and nothing else is.
func TestOneRow(t *testing.T) {
	for script, want := range map[string]string{
		"CUT 2.=2\r":               "",
		"CUT 2.=\r":                "in `CUT 2.=` the row ends after `.=`; legal is the number of the last line",
		"PUT 2.=2:\r+x":            "the rows of the script end in CR alone; a row ends in LF, or CR and LF",
		`PUT 2.=2:\n+x`:            "the script is one row in which `\\n` stands for the ends of rows",
		`[a#1A2B]\nREM`:            "the script is one row in which `\\n` stands for the ends of rows",
		`MV dir\new`:               "",
		`MV "a\n"`:                 "in `MV \"a\\n\"` in a quoted destination `\\` is legal before `\"` and `\\` only",
		"PUT 2.=2:\n+a\\nb\n+c\\r": "",
	} {
		_, err := ParseOps(script, Limits{})
		got := ""
		if err != nil {
			got = refusal.As(err).What
		}
		if got != want {
			t.Errorf("%q:\n got %s\nwant %s", script, got, want)
		}
	}
}
