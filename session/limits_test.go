package session_test

import (
	"fmt"
	"strings"
	"testing"

	"putcut/refusal"
	"putcut/registers"
	"putcut/session"
	"putcut/snapshots"
)

// Every limit is an option, and is the most that is allowed.
func TestLimits(t *testing.T) {
	rows := func(n int) string { return strings.Repeat("+x\n", n) }
	for _, tc := range []struct {
		name      string
		opt       session.Options
		good, bad string // ops on a file of nine lines
		code      refusal.Code
		what      string // begins the refusal, where it is this package's
	}{
		{"script", session.Options{Limits: session.Limits{ScriptBytes: 20}}, "PUT >1:\n" + rows(4), "PUT >1:\n" + rows(5), refusal.Limit, ""},
		{"ops", session.Options{Limits: session.Limits{Ops: 2}}, "CUT 1.=1\nCUT 2.=2", "CUT 1.=1\nCUT 2.=2\nCUT 3.=3", refusal.Limit, ""},
		{"expanded lines", session.Options{Limits: session.Limits{ExpandedLines: 4}}, "CUT 1.=2 @r\nPUT >5 @r\nPUT >7 @r", "CUT 1.=2 @r\nPUT >5 @r\nPUT >7 @r\nPUT >8 @r", refusal.Limit,
			"the call would write more than 4 lines, pastes included"},
		{"file", session.Options{Limits: session.Limits{FileBytes: 40}}, "PUT >1:\n+" + strings.Repeat("x", 12), "PUT >1:\n+" + strings.Repeat("x", 13), refusal.TooLarge,
			"the file would have 41 bytes, and 40 is the limit for a file that is edited"},
		{"register lines", session.Options{Registers: registers.Limits{Lines: 2}}, "CUT 1.=2 @r", "CUT 1.=3 @r", refusal.Limit,
			"register @r would hold 3 lines, and a register holds 2 at most"},
		{"register bytes", session.Options{Registers: registers.Limits{Bytes: 6}}, "CUT 1.=2 @r", "CUT 1.=3 @r", refusal.Limit,
			"register @r would hold 9 bytes, and a register holds 6 at most"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, _ := open(t, tc.opt, map[string]string{"n.txt": lines(9)})
			tag := string(read(t, s, "n.txt", "").Tag)
			_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: tc.bad})
			e := wantCode(t, err, tc.code)
			if tc.what != "" && e.What != tc.what {
				t.Errorf("says %q, want %q", e.What, tc.what)
			}
			edit(t, s, "n.txt", tag, tc.good)
		})
	}
}

func TestLimitOfFiles(t *testing.T) {
	s, _ := open(t, session.Options{Limits: session.Limits{Files: 2}}, nil)
	script := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "[f%d.txt#NEW]\nPUT >$:\n+x\n", i)
		}
		return b.String()
	}
	_, err := s.Patch(ctx, session.PatchRequest{Script: script(3)})
	wantCode(t, err, refusal.Limit)
	if _, err := s.Patch(ctx, session.PatchRequest{Script: script(2)}); err != nil {
		t.Error(err)
	}
}

// What a refusal reveals is bounded, and counts only when all of it fits.
func TestLimitsOfReveal(t *testing.T) {
	for _, tc := range []struct {
		name string
		lim  session.Limits
		fits string
		over string
	}{
		{"lines", session.Limits{RevealLines: 3}, "CUT 4.=6", "CUT 4.=7"},
		{"columns", session.Limits{RevealColumns: 2}, "CUT 4.=6", "CUT 10.=10"},
		{"characters", session.Limits{RevealChars: 6}, "CUT 4.=6", "CUT 4.=7"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, _ := open(t, session.Options{Limits: tc.lim}, map[string]string{"n.txt": lines(12)})
			tag := string(read(t, s, "n.txt", "1").Tag)
			for range 2 {
				_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: tc.over})
				wantCode(t, err, refusal.LinesUnseen)
			}
			_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: tc.fits})
			wantCode(t, err, refusal.LinesUnseen)
			edit(t, s, "n.txt", tag, tc.fits)
		})
	}
}

// A page is bounded, and says how to get the rest.
func TestLimitsOfRead(t *testing.T) {
	s, _ := open(t, session.Options{Limits: session.Limits{PageLines: 3}}, map[string]string{"n.txt": lines(9), "wide.txt": strings.Repeat("é", 30) + "\nend\n"})
	want := "[n.txt#6222]\n1:l1\n2:l2\n…\n6:l6\n(the page is full; read on with ranges \"7-8,20-30\" (the file has 9 lines))\n"
	r := read(t, s, "n.txt", "6-8,1-2,20-30")
	if got := r.Text(); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := read(t, s, "n.txt", "8-30").Text(); got != "[n.txt#6222]\n8:l8\n9:l9\n(lines 8-30 were asked for; the file has 9 lines)\n" {
		t.Errorf("got\n%s", got)
	}
	w, err := s.Read(ctx, session.ReadRequest{Path: "wide.txt", MaxColumns: 10})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Text()[16:]; got != "1:éééééééééé…\n2:end\n(rows marked … are not the whole or the exact line and do not count as displayed; lines are cut at 10 characters (max_columns))\n" {
		t.Errorf("got\n%s", got)
	}
	for _, bad := range []string{"0", "3-2", "x", "1-x", ",", "1,,2", "-5", "99999999999999999999"} {
		_, err := s.Read(ctx, session.ReadRequest{Path: "n.txt", Ranges: bad})
		wantCode(t, err, refusal.InvalidArgument)
	}
}

// A file over the limit is read as a stream, under a header without a tag, and
// is not edited.
func TestFileOverTheLimit(t *testing.T) {
	s, _ := open(t, session.Options{Limits: session.Limits{FileBytes: 20}}, map[string]string{"n.txt": lines(9)})
	r := read(t, s, "n.txt", "8-")
	if got := r.Text(); got != "[n.txt]\n8:l8\n9:l9\n(the file is over the limit of 20 bytes: it can be read and searched, not edited, so it has no tag)\n" || r.TotalLines != 9 {
		t.Errorf("got\n%s", got)
	}
	_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: "0000", Ops: "PUT >$:\n+x"})
	wantCode(t, err, refusal.TooLarge)
	g, err := s.Grep(ctx, session.GrepRequest{Pattern: "l[89]"})
	if err != nil || !strings.HasPrefix(g.Text(), "[n.txt]\n8:l8\n9:l9\n") {
		t.Errorf("%v\n%s", err, g.Text())
	}
}

// Losing a version only ever turns an edit into a refusal.
func TestLimitsOfSnapshots(t *testing.T) {
	t.Run("versions", func(t *testing.T) {
		s, _ := open(t, session.Options{Snapshots: snapshots.Limits{Versions: 2}}, map[string]string{"n.txt": lines(9)})
		first := string(read(t, s, "n.txt", "").Tag)
		tag := first
		for i := range 2 {
			tag = string(edit(t, s, "n.txt", tag, fmt.Sprintf("PUT 1.=1:\n+v%d", i)).Files[0].Tag)
		}
		_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: first, Ops: "CUT 5.=5"})
		wantCode(t, err, refusal.TagUnknown)
		edit(t, s, "n.txt", tag, "CUT 5.=5")
	})
	t.Run("paths", func(t *testing.T) {
		s, _ := open(t, session.Options{Snapshots: snapshots.Limits{Paths: 1}}, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
		tag := string(read(t, s, "a.txt", "").Tag)
		read(t, s, "b.txt", "")
		_, err := s.Edit(ctx, session.EditRequest{Path: "a.txt", Tag: tag, Ops: "CUT 1.=1"})
		wantCode(t, err, refusal.TagUnknown)
	})
	t.Run("texts", func(t *testing.T) { // exact carrying still works without the text
		s, root := open(t, session.Options{Snapshots: snapshots.Limits{TextBytes: 1}}, map[string]string{"n.txt": lines(9), "m.txt": lines(9)})
		first := string(read(t, s, "n.txt", "").Tag)
		edit(t, s, "n.txt", first, "PUT <1:\n+top")
		read(t, s, "m.txt", "")
		edit(t, s, "n.txt", first, "CUT 9.=9")
		if got := get(t, root, "n.txt"); got != "top\n"+lines(8) {
			t.Errorf("%q", got)
		}
	})
}

// The search for a repair is bounded; beyond that the edit is applied as written.
func TestLimitsOfRepair(t *testing.T) {
	const file = "function f() {\n  a();\n}\ng();\n"
	for _, tc := range []struct {
		lim  session.Limits
		want string
	}{
		{session.Limits{}, "function f() {\n  b();\n}\ng();\n"},
		{session.Limits{RepairParses: 1}, "function f() {\n  b();\ng();\n"}, // two candidates of one cost
		{session.Limits{RepairBytes: 10}, "function f() {\n  b();\ng();\n"},
	} {
		s, root := open(t, session.Options{Limits: tc.lim}, map[string]string{"a.ts": file})
		edit(t, s, "a.ts", string(read(t, s, "a.ts", "").Tag), "PUT 2.=3:\n+  b();")
		if got := get(t, root, "a.ts"); got != tc.want {
			t.Errorf("%+v: %q", tc.lim, got)
		}
	}
}
