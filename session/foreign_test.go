package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"putcut/dialects"
	"putcut/refusal"
	"putcut/session"
	"putcut/text"
	"putcut/workspace"
)

func input(f dialects.Format, text string) dialects.Input {
	return dialects.Input{Format: f, Text: text}
}

const (
	block    = "a.txt\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n"
	envelope = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+TWO\n*** End Patch\n"
	diff     = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
	anchor   = `{"edits":[{"path":"a.txt","anchor":"two","text":"TWO","mode":"replace"}]}`
)

func replacements(content, old, now string) string {
	return `{"path":"a.txt","expected_revision":"` + string(text.RevisionOf([]byte(content))) +
		`","edits":[{"old_text":"` + old + `","new_text":"` + now + `"}]}`
}

// Every format makes the same change, shown as the same op, and can be undone.
func TestApplyFormats(t *testing.T) {
	const old = "one\ntwo\nthree\n"
	for _, in := range []dialects.Input{
		input(dialects.SearchReplace, block),
		input(dialects.ApplyPatch, envelope),
		input(dialects.UnifiedDiff, diff),
		input(dialects.Anchors, anchor),
		input(dialects.Replacements, replacements(old, "two", "TWO")),
		{Format: dialects.WholeFile, Path: "a.txt", Text: "one\nTWO\nthree\n"},
	} {
		t.Run(string(in.Format), func(t *testing.T) {
			s, root := open(t, session.Options{}, map[string]string{"a.txt": old})
			if in.Format == dialects.WholeFile {
				read(t, s, "a.txt", "")
			}
			r, err := s.Apply(ctx, session.ApplyRequest{Inputs: []dialects.Input{in}})
			if err != nil {
				t.Fatal(err)
			}
			if got := get(t, root, "a.txt"); got != "one\nTWO\nthree\n" {
				t.Errorf("the file is %q", got)
			}
			if f := r.Files[0]; len(f.Ops) != 1 || f.Ops[0].Op != "PUT 2.=2:" || f.NewRevision != text.RevisionOf([]byte("one\nTWO\nthree\n")) {
				t.Errorf("the result is %+v", f)
			}
			if r.Activation != session.Closed {
				t.Errorf("activation %q", r.Activation)
			}
			if _, err := s.Undo(ctx, session.UndoRequest{}); err != nil {
				t.Fatal(err)
			}
			if got := get(t, root, "a.txt"); got != old {
				t.Errorf("after undo the file is %q", got)
			}
		})
	}
}

func TestApplyMixed(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "c.txt": "c\n"})
	r, err := s.Apply(ctx, session.ApplyRequest{Inputs: []dialects.Input{
		input(dialects.UnifiedDiff, diff),
		input(dialects.SearchReplace, "b.txt\n<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE\n"),
		input(dialects.ApplyPatch, "*** Begin Patch\n*** Update File: c.txt\n*** Move to: d/c.txt\n@@\n-c\n+C\n*** End Patch\n"),
		{Format: dialects.WholeFile, Path: "new.txt", Text: "new"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.txt": "one\nTWO\nthree\n", "b.txt": "B\n", "d/c.txt": "C\n", "new.txt": "new"} {
		if got := get(t, root, name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if len(r.Files) != 4 {
		t.Errorf("%d files", len(r.Files))
	}
}

func TestApplyRefused(t *testing.T) {
	files := map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "d/f.txt": "f\n"}
	for name, tc := range map[string]struct {
		req  session.ApplyRequest
		code refusal.Code
		what string
	}{
		"a miss beside a hit": {
			session.ApplyRequest{Inputs: []dialects.Input{input(dialects.SearchReplace, block), input(dialects.SearchReplace, strings.Replace(block, "a.txt", "b.txt", 1))}},
			refusal.TextNotFound, "",
		},
		"one file under two names": {
			session.ApplyRequest{Inputs: []dialects.Input{
				input(dialects.SearchReplace, "d/f.txt\n<<<<<<< SEARCH\nf\n=======\nF\n>>>>>>> REPLACE\n"),
				input(dialects.SearchReplace, "link/f.txt\n<<<<<<< SEARCH\nf\n=======\nG\n>>>>>>> REPLACE\n"),
			}},
			refusal.InvalidArgument, "this is the same file as d/f.txt",
		},
		"one inode under two names": {
			session.ApplyRequest{Inputs: []dialects.Input{
				input(dialects.SearchReplace, block),
				input(dialects.SearchReplace, strings.Replace(block, "a.txt", "hard.txt", 1)),
			}},
			refusal.InvalidArgument, "this is the same file as a.txt",
		},
		"a destination that another input creates": {
			session.ApplyRequest{Inputs: []dialects.Input{
				input(dialects.ApplyPatch, "*** Begin Patch\n*** Update File: b.txt\n*** Move to: new.txt\n*** End Patch\n"),
				{Format: dialects.WholeFile, Path: "new.txt", Text: "x\n"},
			}},
			refusal.Exists, "",
		},
		"a destination that is taken": {
			session.ApplyRequest{Inputs: []dialects.Input{input(dialects.ApplyPatch, "*** Begin Patch\n*** Update File: b.txt\n*** Move to: a.txt\n*** End Patch\n")}},
			refusal.Exists, "",
		},
		"a destination that is a folder": {
			session.ApplyRequest{Inputs: []dialects.Input{input(dialects.ApplyPatch, "*** Begin Patch\n*** Update File: b.txt\n*** Move to: d\n*** End Patch\n")}},
			refusal.Exists, "is no file",
		},
		"a whole file that was not read": {
			session.ApplyRequest{Inputs: []dialects.Input{{Format: dialects.WholeFile, Path: "a.txt", Text: "x\n"}}},
			refusal.TagUnknown, "replaced",
		},
		"a removal of a file that was not read": {
			session.ApplyRequest{Inputs: []dialects.Input{input(dialects.ApplyPatch, "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n")}},
			refusal.TagUnknown, "removed",
		},
		"another revision": {
			session.ApplyRequest{Inputs: []dialects.Input{input(dialects.SearchReplace, block)}, ExpectedRevisions: map[string]text.Revision{"a.txt": text.RevisionOf(nil)}},
			refusal.RevisionMismatch, "",
		},
		"a revision of a file that is created": {
			session.ApplyRequest{Inputs: []dialects.Input{{Format: dialects.WholeFile, Path: "new.txt", Text: "x\n"}}, ExpectedRevisions: map[string]text.Revision{"new.txt": text.RevisionOf(nil)}},
			refusal.RevisionMismatch, "there is no such file",
		},
		"a revision of a file that no input names": {
			session.ApplyRequest{Inputs: []dialects.Input{input(dialects.SearchReplace, block)}, ExpectedRevisions: map[string]text.Revision{"b.txt": text.RevisionOf([]byte("b\n"))}},
			refusal.InvalidArgument, "no input names it",
		},
		"a mode alone": {
			session.ApplyRequest{Inputs: []dialects.Input{input(dialects.UnifiedDiff, "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n")}},
			refusal.NoChange, "mode 100644 → 100755 was not applied",
		},
		".git": {
			session.ApplyRequest{Inputs: []dialects.Input{{Format: dialects.WholeFile, Path: ".git/config", Text: "x\n"}}},
			refusal.Policy, "",
		},
		"outside": {
			session.ApplyRequest{Inputs: []dialects.Input{{Format: dialects.WholeFile, Path: "../x", Text: "x\n"}}},
			refusal.OutsideWorkspace, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, root := open(t, session.Options{}, files)
			if err := os.Symlink("d", filepath.Join(root, "link")); err != nil {
				t.Fatal(err)
			}
			if err := os.Link(filepath.Join(root, "a.txt"), filepath.Join(root, "hard.txt")); err != nil {
				t.Fatal(err)
			}
			_, err := s.Apply(ctx, tc.req)
			if !errors.Is(err, tc.code) || !strings.Contains(err.Error(), tc.what) {
				t.Errorf("the answer is %v, want %s: …%s", err, tc.code, tc.what)
			}
			for name, want := range files {
				if got := get(t, root, name); got != want {
					t.Errorf("%s is %q", name, got)
				}
			}
		})
	}
}

// What destroys a file whole needs its version: shown, expected, or spelled out.
func TestApplyWhole(t *testing.T) {
	whole := session.ApplyRequest{Inputs: []dialects.Input{{Format: dialects.WholeFile, Path: "a.txt", Text: "x\n"}}}
	remove := session.ApplyRequest{Inputs: []dialects.Input{input(dialects.ApplyPatch, "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n")}}
	spelled := session.ApplyRequest{Inputs: []dialects.Input{input(dialects.UnifiedDiff, "--- a/a.txt\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n")}}
	for name, tc := range map[string]struct {
		req      session.ApplyRequest
		ranges   string // read before
		expected bool
		unseen   int
	}{
		"replaced, read in part":    {whole, "2-2", false, 2},
		"replaced, read":            {whole, "1-3", false, 0},
		"replaced, expected":        {whole, "", true, 3},
		"removed, read in part":     {remove, "2-2", false, 2},
		"removed, expected":         {remove, "", true, 3},
		"removed, spelled out":      {spelled, "", false, 0},
		"removed, spelled and read": {spelled, "1-1", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, session.Options{}, map[string]string{"a.txt": "one\ntwo\nthree\n"})
			req := tc.req
			if tc.ranges != "" {
				read(t, s, "a.txt", tc.ranges)
			}
			if tc.expected {
				req.ExpectedRevisions = map[string]text.Revision{"a.txt": text.RevisionOf([]byte("one\ntwo\nthree\n"))}
			}
			r, err := s.Apply(ctx, req)
			if err != nil {
				t.Fatal(err)
			}
			if r.Files[0].Unseen != tc.unseen {
				t.Errorf("%d lines unseen, want %d", r.Files[0].Unseen, tc.unseen)
			}
		})
	}
	t.Run("changed since", func(t *testing.T) {
		s, root := open(t, session.Options{}, map[string]string{"a.txt": "one\n"})
		read(t, s, "a.txt", "")
		put(t, root, "a.txt", "other\n")
		if _, err := s.Apply(ctx, whole); !errors.Is(err, refusal.TagUnknown) {
			t.Errorf("the answer is %v", err)
		}
		if err := s.NoteOutside(ctx, "a.txt"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Apply(ctx, whole); !errors.Is(err, refusal.TagUnknown) {
			t.Errorf("once told of the change, the answer is %v", err)
		}
	})
}

// An input may ask for a preview itself.
func TestApplyPreview(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"a.txt": "one\ntwo\n"})
	r, err := s.Apply(ctx, session.ApplyRequest{Inputs: []dialects.Input{
		input(dialects.Anchors, `{"dryRun":true,"edits":[{"path":"a.txt","anchor":"two","text":" and a half","mode":"insertAfter"}]}`),
	}, Activate: func(context.Context, *session.ChangeResult) error { t.Error("activated"); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	if !r.DryRun || r.Call != "" || r.Activation != "" || get(t, root, "a.txt") != "one\ntwo\n" {
		t.Errorf("it was applied: %s", r.Text())
	}
	if f := r.Files[0]; f.Added != 1 || f.Removed != 1 || !strings.Contains(r.Diff, "+two and a half\n") {
		t.Errorf("the preview is %+v\n%s", f, r.Diff)
	}
}

// Lines of which an edit gave only a part count as displayed only when the
// result printed them.
func TestApplyDisplays(t *testing.T) {
	long := strings.Repeat("x", 3000)
	s, _ := open(t, session.Options{}, map[string]string{"a.txt": "one two " + long + "\n", "b.txt": "one\n"})
	apply := func(in dialects.Input) string {
		t.Helper()
		r, err := s.Apply(ctx, session.ApplyRequest{Inputs: []dialects.Input{in}})
		if err != nil {
			t.Fatal(err)
		}
		return string(r.Files[0].Tag)
	}
	tag := apply(input(dialects.Anchors, anchor))
	if _, err := s.Edit(ctx, session.EditRequest{Path: "a.txt", Tag: tag, Ops: "PUT 1.=1:\n+x\n"}); !errors.Is(err, refusal.LinesUnseen) {
		t.Errorf("a line that was cut in the result: %v", err)
	}
	tag = apply(input(dialects.SearchReplace, "b.txt\n<<<<<<< SEARCH\none\n=======\n"+long+"\n>>>>>>> REPLACE\n"))
	if _, err := s.Edit(ctx, session.EditRequest{Path: "b.txt", Tag: tag, Ops: "PUT 1.=1:\n+x\n"}); err != nil {
		t.Errorf("a line that the edit gave whole: %v", err)
	}
}

func TestApplyFinalNewline(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"a.txt": "one\ntwo\n"})
	r, err := s.Apply(ctx, session.ApplyRequest{Inputs: []dialects.Input{
		input(dialects.UnifiedDiff, "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+two\n\\ No newline at end of file\n"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if get(t, root, "a.txt") != "one\ntwo" || !strings.HasSuffix(r.Text(), "a.txt: the final newline was dropped\n") {
		t.Errorf("%q\n%s", get(t, root, "a.txt"), r.Text())
	}
	if page := read(t, s, "a.txt", ""); page.FinalNewline || page.Revision != r.Files[0].NewRevision {
		t.Errorf("it reads %+v", page)
	}
	if _, err := s.Undo(ctx, session.UndoRequest{}); err != nil || get(t, root, "a.txt") != "one\ntwo\n" {
		t.Errorf("after undo: %v, %q", err, get(t, root, "a.txt"))
	}
	if page := read(t, s, "a.txt", ""); !page.FinalNewline {
		t.Errorf("after undo it reads %+v", page)
	}
}

func TestApplySays(t *testing.T) {
	s, _ := open(t, session.Options{}, map[string]string{"a.go": "package a\n\nfunc f() {\n\tif x {\n\t\tg()\n\t}\n}\n"})
	r, err := s.Apply(ctx, session.ApplyRequest{Inputs: []dialects.Input{
		input(dialects.SearchReplace, "a.go\n<<<<<<< SEARCH\nif x {\n\tg()\n}\n=======\nif y {\n\tg()\n}\n>>>>>>> REPLACE\n"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(r.Text(), "a.go: edit 1 matched lines 4-6: shifted by a constant indentation\n") {
		t.Error(r.Text())
	}
	_, err = s.Apply(ctx, session.ApplyRequest{Options: dialects.Options{Exact: true}, Inputs: []dialects.Input{
		input(dialects.SearchReplace, "a.go\n<<<<<<< SEARCH\nif y {\n\tg()\n}\n=======\nif z {\n\tg()\n}\n>>>>>>> REPLACE\n"),
	}})
	if !errors.Is(err, refusal.TextNotFound) {
		t.Errorf("exact: %v", err)
	}
}

// A text edit is applied as written, with the errors it introduces named.
func TestApplyNeverRepairs(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"a.go": "package a\n\nfunc f() {\n\tg()\n}\n"})
	r, err := s.Apply(ctx, session.ApplyRequest{Inputs: []dialects.Input{
		input(dialects.SearchReplace, "a.go\n<<<<<<< SEARCH\n\tg()\n=======\n\th()\n}\n>>>>>>> REPLACE\n"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := get(t, root, "a.go"); got != "package a\n\nfunc f() {\n\th()\n}\n}\n" || len(r.Files[0].SyntaxErrors) == 0 {
		t.Errorf("%q, %v", got, r.Warnings)
	}
}

func TestActivate(t *testing.T) {
	cancelled, cancel := context.WithCancel(ctx)
	for _, tc := range []struct {
		name string
		ctx  context.Context
		f    func(context.Context, *session.ChangeResult) error
		want session.Activation
		says string
	}{
		{"none", ctx, nil, session.Closed, ""},
		{"done", ctx, func(context.Context, *session.ChangeResult) error { return nil }, session.Activated, "activation: activated\n"},
		{"failed", ctx, func(context.Context, *session.ChangeResult) error { return errors.New("no route") }, "no route", "activation failed, and the edit stays: no route\n"},
		{"an error called closed", ctx, func(context.Context, *session.ChangeResult) error { return errors.New("closed") }, "error: closed", ""},
		{"cancelled", cancelled, func(context.Context, *session.ChangeResult) error { cancel(); return cancelled.Err() }, session.Closed, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := t.TempDir()
			put(t, root, "a.txt", "one\ntwo\n")
			s, err := session.Open([]string{root}, session.Options{Workspace: workspace.Options{StateDir: t.TempDir()}})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			r, err := s.Apply(tc.ctx, session.ApplyRequest{Inputs: []dialects.Input{input(dialects.SearchReplace, block)}, Activate: tc.f})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Durable || r.Activation != tc.want || !strings.HasSuffix(r.Text(), tc.says) {
				t.Errorf("durable %v, activation %q\n%s", r.Durable, r.Activation, r.Text())
			}
			if got := get(t, root, "a.txt"); got != "one\nTWO\n" {
				t.Errorf("the file is %q", got)
			}
		})
	}
	// What is not known to be on stable storage is not activated.
	s, _ := open(t, session.Options{}, map[string]string{"a.txt": "one\ntwo\n"})
	r, err := s.Apply(ctx, session.ApplyRequest{
		Inputs:   []dialects.Input{input(dialects.SearchReplace, block)},
		Activate: func(context.Context, *session.ChangeResult) error { t.Error("activated"); return nil },
	})
	if err != nil || r.Activation != session.Closed {
		t.Errorf("%v, %q", err, r.Activation)
	}
}

// A script that edits were lowered to can be applied by the same session, as
// far as their own texts proved its lines.
func TestLower(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	b, err := s.Lower(ctx, session.ApplyRequest{Inputs: []dialects.Input{input(dialects.SearchReplace, block)}})
	if err != nil {
		t.Fatal(err)
	}
	script, err := b.Script()
	if err != nil || get(t, root, "a.txt") != "one\ntwo\nthree\n" {
		t.Fatal(err)
	}
	if _, err := s.Patch(ctx, session.PatchRequest{Script: script + "PUT 3.=3:\n+x\n"}); !errors.Is(err, refusal.LinesUnseen) {
		t.Errorf("a line that nothing proved: %v", err)
	}
	if _, err := s.Patch(ctx, session.PatchRequest{Script: script}); err != nil || get(t, root, "a.txt") != "one\nTWO\nthree\n" {
		t.Errorf("%v, %q", err, get(t, root, "a.txt"))
	}
	_, err = s.Lower(ctx, session.ApplyRequest{Inputs: []dialects.Input{{Format: dialects.WholeFile, Path: ".git/x", Text: "x"}}})
	if !errors.Is(err, refusal.Policy) {
		t.Errorf("a file that may not be written: %v", err)
	}
}

// A file that was read in another encoding is edited in it.
func TestApplyEncoding(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"a.txt": "one\ncaf\xe9\n"})
	if _, err := s.Read(ctx, session.ReadRequest{Path: "a.txt", Encoding: "windows-1252"}); err != nil {
		t.Fatal(err)
	}
	_, err := s.Apply(ctx, session.ApplyRequest{Inputs: []dialects.Input{input(dialects.SearchReplace, "a.txt\n<<<<<<< SEARCH\ncafé\n=======\nthé\n>>>>>>> REPLACE\n")}})
	if err != nil || get(t, root, "a.txt") != "one\nth\xe9\n" {
		t.Errorf("%v, %q", err, get(t, root, "a.txt"))
	}
}

// A diff may put a byte order mark at the head; the tag is that of the text as
// it is read from then on.
func TestApplyMark(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"a.txt": "one\ntwo\n"})
	r, err := s.Apply(ctx, session.ApplyRequest{Inputs: []dialects.Input{
		input(dialects.UnifiedDiff, "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+\ufeffone\n two\n"),
	}})
	if err != nil || get(t, root, "a.txt") != "\ufeffone\ntwo\n" {
		t.Fatalf("%v, %q", err, get(t, root, "a.txt"))
	}
	if !strings.Contains(r.Diff, "\n+\ufeffone\n") {
		t.Error(r.Diff)
	}
	if page := read(t, s, "a.txt", ""); page.Tag != r.Files[0].Tag || !page.BOM {
		t.Errorf("it reads as #%s, the result is #%s", page.Tag, r.Files[0].Tag)
	}
	if _, err := s.Edit(ctx, session.EditRequest{Path: "a.txt", Tag: string(r.Files[0].Tag), Ops: "PUT 1.=1:\n+ONE\n"}); err != nil || get(t, root, "a.txt") != "\ufeffONE\ntwo\n" {
		t.Errorf("%v, %q", err, get(t, root, "a.txt"))
	}
}

// A diff may take the byte order mark away, with nothing else; what the result
// shows is a diff that does the same, and undo puts it back.
func TestApplyUnmark(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"a.txt": "\ufeffone\ntwo\n"})
	const body = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-\ufeffone\n+one\n two\n"
	r, err := s.Apply(ctx, session.ApplyRequest{Inputs: []dialects.Input{input(dialects.UnifiedDiff, body)}})
	if err != nil || get(t, root, "a.txt") != "one\ntwo\n" {
		t.Fatalf("%v, %q", err, get(t, root, "a.txt"))
	}
	if want := "diff --git a/a.txt b/a.txt\n" + body; r.Diff != want {
		t.Errorf("%q, want %q", r.Diff, want)
	}
	if page := read(t, s, "a.txt", ""); page.Tag != r.Files[0].Tag || page.BOM || page.Revision != r.Files[0].NewRevision {
		t.Errorf("%+v, the result is %+v", page, r.Files[0])
	}
	if _, err := s.Undo(ctx, session.UndoRequest{}); err != nil || get(t, root, "a.txt") != "\ufeffone\ntwo\n" {
		t.Errorf("%v, %q", err, get(t, root, "a.txt"))
	}
	in := input(dialects.WholeFile, "one\n")
	in.Path = "a.txt"
	if _, err := s.Apply(ctx, session.ApplyRequest{Inputs: []dialects.Input{in}}); err != nil || get(t, root, "a.txt") != "\ufeffone\n" {
		t.Errorf("a whole file keeps the mark: %v, %q", err, get(t, root, "a.txt"))
	}
}

func TestNoteOutside(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n"})
	page := read(t, s, "a.txt", "")
	put(t, root, "a.txt", "1\n2\n3\n4\nfive\n6\n7\n8\n")
	if err := s.NoteOutside(ctx, "a.txt", "nowhere.txt", "/etc/passwd", "~/x", "\x00"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Edit(ctx, session.EditRequest{Path: "a.txt", Tag: string(page.Tag), Ops: "PUT 5.=5:\n+V\n"}); !errors.Is(err, refusal.TagMismatch) {
		t.Errorf("the line that was changed outside: %v", err)
	}
	r, err := s.Edit(ctx, session.EditRequest{Path: "a.txt", Tag: string(page.Tag), Ops: "PUT 2.=2:\n+two\n"})
	if err != nil || len(r.Warnings) != 1 || r.Warnings[0].Code != refusal.Drift {
		t.Errorf("a line that provably is what it was: %v, %+v", err, r)
	}
}
