package session_test

import (
	"testing"

	"putcut/refusal"
	"putcut/session"
)

// Two texts of one file under one tag are two versions: an edit whose lines are
// the same in both goes through, any other is refused once with the live lines.
func TestOneTagForTwoTexts(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"n.txt": "a\nb\nc\n"})
	tag := string(read(t, s, "n.txt", "").Tag)
	put(t, root, "n.txt", "a  \nb\nc\n")
	if again := string(read(t, s, "n.txt", "3").Tag); again != tag {
		t.Fatalf("%s and %s", tag, again)
	}
	req := session.EditRequest{Path: "n.txt", Tag: tag, Ops: "PUT 1.=1:\n+A"}
	_, err := s.Edit(ctx, req)
	e := wantCode(t, err, refusal.TagMismatch)
	want := "#8B14 stands for 2 texts of this file that this session has seen, and line 1 is not the same in all of them"
	if e.What != "#"+tag+want[5:] || len(e.Excerpts[0].Rows) != 3 || e.Excerpts[0].Rows[0].Text != "a  " {
		t.Errorf("%q %+v", e.What, e.Excerpts)
	}
	// Line 2 is the same in both, and was displayed in the first.
	edit(t, s, "n.txt", tag, "PUT 2.=2:\n+B")
	if got := get(t, root, "n.txt"); got != "a  \nB\nc\n" {
		t.Errorf("%q", got)
	}
	put(t, root, "n.txt", "a  \nb\nc\n")
	_, err = s.Edit(ctx, req)
	wantCode(t, err, refusal.TagMismatch)
	edit(t, s, "n.txt", tag, req.Ops)
	if got := get(t, root, "n.txt"); got != "A\nb\nc\n" {
		t.Errorf("%q", got)
	}
}

// After an undo, tags from before and after the undone call are both good.
func TestTagsAroundUndo(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"n.txt": lines(9)})
	first := string(read(t, s, "n.txt", "").Tag)
	second := string(edit(t, s, "n.txt", first, "PUT >2:\n+x\n+y").Files[0].Tag)
	read(t, s, "n.txt", "")
	if _, err := s.Undo(ctx, session.UndoRequest{Call: "c1"}); err != nil {
		t.Fatal(err)
	}
	edit(t, s, "n.txt", second, "PUT 9.=9:\n+seven")
	edit(t, s, "n.txt", first, "PUT 3.=3:\n+three")
	if got := get(t, root, "n.txt"); got != "l1\nl2\nthree\nl4\nl5\nl6\nseven\nl8\nl9\n" {
		t.Errorf("%q", got)
	}
	_, err := s.Undo(ctx, session.UndoRequest{Call: "c1"})
	wantCode(t, err, refusal.Conflict)
}

// A moved file keeps its history under its new name.
func TestHistoryFollowsMove(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"a.txt": lines(5)})
	first := string(read(t, s, "a.txt", "").Tag)
	second := string(edit(t, s, "a.txt", first, "PUT 1.=1:\n+top").Files[0].Tag)
	edit(t, s, "a.txt", second, "MV d/b.txt")
	edit(t, s, "d/b.txt", first, "CUT 4.=4")
	if got := get(t, root, "d/b.txt"); got != "top\nl2\nl3\nl5\n" {
		t.Errorf("%q", got)
	}
	_, err := s.Edit(ctx, session.EditRequest{Path: "a.txt", Tag: first, Ops: "CUT 2.=2"})
	wantCode(t, err, refusal.NotFound)
}

// Text in an encoding that the reader named is edited in it and written back.
func TestNamedEncoding(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"n.txt": "caf\xe9 \x80\nb\n"})
	r, err := s.Read(ctx, session.ReadRequest{Path: "n.txt", Encoding: "windows-1252"})
	if err != nil {
		t.Fatal(err)
	}
	tag := string(edit(t, s, "n.txt", string(r.Tag), "PUT 2.=2:\n+bière").Files[0].Tag)
	if got := get(t, root, "n.txt"); got != "caf\xe9 \x80\nbi\xe8re\n" {
		t.Errorf("%q", got)
	}
	_, err = s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "PUT >2:\n+日本"})
	wantCode(t, err, refusal.Encoding)
	_, err = s.Read(ctx, session.ReadRequest{Path: "n.txt", Encoding: "klingon"})
	wantCode(t, err, refusal.InvalidArgument)
	_, err = s.Read(ctx, session.ReadRequest{Path: "n.txt", Encoding: "utf-8"})
	wantCode(t, err, refusal.Encoding)
}
