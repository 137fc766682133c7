package session_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"putcut/dialects"
	"putcut/refusal"
	"putcut/session"
)

// A plan can be looked at, approved later, and committed once.
func TestPlanThenCommit(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"n.txt": lines(5)})
	r := read(t, s, "n.txt", "")
	p, err := s.PlanEdit(ctx, session.EditRequest{Path: "n.txt", Tag: string(r.Tag), Ops: "PUT 2.=2:\n+two"})
	if err != nil {
		t.Fatal(err)
	}
	const diff = "diff --git a/n.txt b/n.txt\n--- a/n.txt\n+++ b/n.txt\n@@ -1,5 +1,5 @@\n l1\n-l2\n+two\n l3\n l4\n l5\n"
	if d := cmp.Diff(diff, p.Result().Diff); d != "" {
		t.Error(d)
	}
	const planned = "[n.txt]\nwould be modified: +1 -1 lines\nPUT 2.=2: old line 2 → new line 2\n1:l1\n2:two\n3:l3\n4:l4\n-2:l2\nplanned: nothing is written yet\n"
	if d := cmp.Diff(planned, p.Result().Text()); d != "" {
		t.Error(d)
	}
	if got := get(t, root, "n.txt"); got != lines(5) {
		t.Fatalf("planning wrote %q", got)
	}
	res, err := p.Commit(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got := get(t, root, "n.txt"); got != "l1\ntwo\nl3\nl4\nl5\n" || res.Call != "c1" || res.Files[0].Tag == "" {
		t.Errorf("%q %+v", got, res)
	}
	committed := "[n.txt#" + string(res.Files[0].Tag) + "]\nmodified: +1 -1 lines\nPUT 2.=2: old line 2 → new line 2\n1:l1\n2:two\n3:l3\n4:l4\n-2:l2\n" +
		"numbers read under #" + string(r.Tag) + " stay good with #" + string(r.Tag) + "\ncall c1 (not on stable storage yet)\n"
	if d := cmp.Diff(committed, p.Result().Text()); d != "" {
		t.Error(d)
	}
	_, err = p.Commit(ctx)
	wantCode(t, err, refusal.InvalidArgument)
}

// A file that changes between plan and commit is left as it is.
func TestPlanOverChangedFile(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"n.txt": lines(5), "m.txt": "m\n"})
	script := fmt.Sprintf("[n.txt#%s]\nCUT 1\n[m.txt#%s]\nPUT >$:\n+x\n", read(t, s, "n.txt", "").Tag, read(t, s, "m.txt", "").Tag)
	p, err := s.PlanPatch(ctx, session.PatchRequest{Script: script})
	if err != nil {
		t.Fatal(err)
	}
	put(t, root, "m.txt", "someone else\n")
	_, err = p.Commit(ctx)
	wantCode(t, err, refusal.Conflict)
	if n, m := get(t, root, "n.txt"), get(t, root, "m.txt"); n != lines(5) || m != "someone else\n" {
		t.Errorf("%q %q", n, m)
	}
}

// Every step of a call reaches the observer with what it knows.
func TestObserver(t *testing.T) {
	var steps []string
	opt := session.Options{Observer: func(_ context.Context, e session.Event) {
		s := fmt.Sprintf("%s %s", e.Tool, e.Step)
		for _, f := range e.Files {
			s += fmt.Sprintf(" %s#%s%v", f.Path, f.Tag, f.Shown)
		}
		for _, c := range e.Changes {
			s += fmt.Sprintf(" {%s %s +%d-%d}", c.Kind, c.Path, c.Added, c.Removed)
		}
		if e.DryRun {
			s += " dry"
		}
		if e.Err != nil {
			s += " " + string(e.Err.Code)
		}
		for _, w := range e.Warnings {
			s += " " + string(w.Code)
		}
		if e.Call != "" {
			s += " " + e.Call
		}
		steps = append(steps, s)
	}}
	s, root := open(t, opt, map[string]string{"n.txt": "a\nb\n"})
	tag := string(read(t, s, "n.txt", "2").Tag)
	edit(t, s, "n.txt", tag, "put 2.=2:\n+B")
	if _, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "CUT 9"}); err == nil {
		t.Fatal("accepted")
	}
	if _, err := s.Mint(ctx, "n.txt", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Mint(ctx, "none.txt", ""); err == nil {
		t.Fatal("accepted")
	}
	if _, err := s.PlanEdit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "CUT 9"}); err == nil {
		t.Fatal("accepted")
	}
	script := "[n.txt#" + tag + "]\nCUT 9\n[new.txt#NEW]\nPUT >$:\n+x\n[n.txt#" + tag + "]\nCUT 1\n"
	if _, err := s.PlanPatch(ctx, session.PatchRequest{Script: script}); err == nil {
		t.Fatal("accepted")
	}
	if _, err := s.Patch(ctx, session.PatchRequest{Script: "nothing"}); err == nil {
		t.Fatal("accepted")
	}
	content := ""
	if _, err := s.PlanWrite(ctx, session.WriteRequest{Path: "n.txt", Content: &content, Expect: "absent"}); err == nil {
		t.Fatal("accepted")
	}
	block := dialects.Input{Format: dialects.SearchReplace, Path: "n.txt", Text: "<<<<<<< SEARCH\nzzz\n=======\ny\n>>>>>>> REPLACE\n"}
	if _, err := s.PlanApply(ctx, session.ApplyRequest{Inputs: []dialects.Input{block}}); err == nil {
		t.Fatal("accepted")
	}
	block.Text = strings.Replace(block.Text, "zzz", "a", 1)
	if _, err := s.Lower(ctx, session.ApplyRequest{Inputs: []dialects.Input{block}}); err != nil {
		t.Fatal(err)
	}
	p, err := s.PlanEdit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "PUT >$:\n+c"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, root, "n.txt", "someone else\n")
	if _, err := p.Commit(ctx); err == nil {
		t.Fatal("accepted")
	}
	if _, err := s.Undo(ctx, session.UndoRequest{}); err == nil {
		t.Fatal("accepted")
	}
	want := []string{
		"read requested n.txt#[]",
		"read read n.txt#" + tag + "[[2 2]]",
		"edit requested n.txt#" + tag + "[]",
		"edit precondition_checked n.txt#" + tag + "[]",
		"edit planned n.txt#" + tag + "[] {modified n.txt +1-1} W_SPELLING",
		"edit applied n.txt#" + tag + "[] {modified n.txt +1-1} W_SPELLING c1",
		"edit requested n.txt#" + tag + "[]",
		"edit refused n.txt#" + tag + "[] EDIT_RANGE_INVALID",
		"read requested n.txt#[]",
		"read read n.txt#D3D3[]",
		"read requested none.txt#[]",
		"read refused none.txt#[] EDIT_NOT_FOUND",
		"edit requested n.txt#" + tag + "[]",
		"edit refused n.txt#" + tag + "[] EDIT_RANGE_INVALID",
		"patch requested",
		"patch refused n.txt#" + tag + "[] new.txt#[] EDIT_RANGE_INVALID",
		"patch requested",
		"patch refused EDIT_PARSE_FAILED",
		"write requested n.txt#[]",
		"write refused n.txt#[] EDIT_EXISTS",
		"apply requested n.txt#[]",
		"apply refused n.txt#[] EDIT_TEXT_NOT_FOUND",
		"apply requested n.txt#[] dry",
		"apply planned n.txt#[] dry",
		"edit requested n.txt#" + tag + "[]",
		"edit precondition_checked n.txt#" + tag + "[]",
		"edit planned n.txt#" + tag + "[] {modified n.txt +1-0}",
		"edit refused n.txt#" + tag + "[] EDIT_CONFLICT",
		"undo requested n.txt#[]",
		"undo refused n.txt#[] EDIT_CONFLICT",
	}
	if d := cmp.Diff(want, steps); d != "" {
		t.Error(d)
	}
}

// A policy sees the whole plan and can refuse it; nothing is written then.
func TestPolicy(t *testing.T) {
	opt := session.Options{Policy: func(_ context.Context, p *session.Plan) error {
		if strings.Contains(p.Result().Diff, "+secret") {
			return errors.New("no secrets")
		}
		return nil
	}}
	s, root := open(t, opt, map[string]string{"n.txt": "a\n"})
	tag := string(read(t, s, "n.txt", "").Tag)
	_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "PUT >1:\n+secret"})
	e := wantCode(t, err, refusal.Policy)
	if e.What != "the policy of this workspace refused the change: no secrets" || get(t, root, "n.txt") != "a\n" {
		t.Error(e)
	}
	edit(t, s, "n.txt", tag, "PUT >1:\n+fine")
}

// A dry run says what would happen, prints no new tag, and counts as nothing.
func TestDryRun(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"n.txt": "a\nb\n"})
	tag := string(read(t, s, "n.txt", "").Tag)
	req := session.EditRequest{Path: "n.txt", Tag: tag, Ops: "CUT 1.=1 @r", DryRun: true}
	res, err := s.Edit(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	want := "[n.txt]\nwould be modified: +0 -1 lines\nCUT 1.=1 @r: old line 1 gone\n1:b\n-1:a\nold 2-… → -1\ndry run: nothing was written\n"
	if d := cmp.Diff(want, res.Text()); d != "" {
		t.Error(d)
	}
	if get(t, root, "n.txt") != "a\nb\n" {
		t.Error("written")
	}
	_, err = s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "PUT >$ @r"})
	wantCode(t, err, refusal.RegisterEmpty)
	_, err = s.Undo(ctx, session.UndoRequest{})
	wantCode(t, err, refusal.NotFound)
	req.DryRun = false
	if _, err := s.Edit(ctx, req); err != nil {
		t.Error(err)
	}
}

// An expected revision is a precondition of any write.
func TestExpectedRevision(t *testing.T) {
	s, _ := open(t, session.Options{}, map[string]string{"n.txt": "a\n"})
	r := read(t, s, "n.txt", "")
	req := session.EditRequest{Path: "n.txt", Tag: string(r.Tag), Ops: "PUT >1:\n+b", ExpectedRevision: "0000"}
	_, err := s.Edit(ctx, req)
	wantCode(t, err, refusal.RevisionMismatch)
	req.ExpectedRevision = r.Revision
	if _, err := s.Edit(ctx, req); err != nil {
		t.Error(err)
	}
}

// Cancelled calls change nothing.
func TestCancelled(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"n.txt": "a\n"})
	r := read(t, s, "n.txt", "")
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Edit(gone, session.EditRequest{Path: "n.txt", Tag: string(r.Tag), Ops: "CUT 1"}); err == nil {
		t.Error("accepted")
	}
	if get(t, root, "n.txt") != "a\n" {
		t.Error("written")
	}
}

// A session that is kept in a folder goes on in the next process.
func TestOpenDir(t *testing.T) {
	root, kept := t.TempDir(), filepath.Join(t.TempDir(), "s")
	put(t, root, "n.txt", lines(8))
	opt := session.Options{}
	opt.Workspace.StateDir = t.TempDir()
	with := func(f func(s *session.Session)) *session.Dir {
		t.Helper()
		d, err := session.OpenDir(ctx, []string{root}, kept, opt)
		if err != nil {
			t.Fatal(err)
		}
		f(d.Session)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		return d
	}
	var tag string
	with(func(s *session.Session) { tag = string(read(t, s, "n.txt", "1-5").Tag) })
	with(func(s *session.Session) { edit(t, s, "n.txt", tag, "PUT <1:\n+top\nCUT 5 @r") })
	with(func(s *session.Session) { // the older tag, carried; a register; an unseen line
		edit(t, s, "n.txt", tag, "PUT >2 @r")
		_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "CUT 8"})
		wantCode(t, err, refusal.LinesUnseen)
		_, err = s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "PUT <1:\n+top\nCUT 5 @r"})
		wantCode(t, err, refusal.AlreadyApplied)
	})
	if got := get(t, root, "n.txt"); got != "top\nl1\nl2\nl5\nl3\nl4\nl6\nl7\nl8\n" {
		t.Errorf("%q", got)
	}
	for range 2 {
		with(func(s *session.Session) {
			if _, err := s.Undo(ctx, session.UndoRequest{}); err != nil {
				t.Error(session.ErrorText(err))
			}
		})
	}
	with(func(s *session.Session) { // whose undo was undone is applied
		_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "PUT >2 @r"})
		wantCode(t, err, refusal.AlreadyApplied)
	})
	if got := get(t, root, "n.txt"); got != "top\nl1\nl2\nl5\nl3\nl4\nl6\nl7\nl8\n" {
		t.Errorf("undone twice: %q", got)
	}
	if fi, err := os.Stat(kept); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", fi.Mode(), err)
	}
	index := filepath.Join(kept, "session.json")
	b, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(index, b, 0o600); err != nil {
		t.Fatal(err)
	}
	d := with(func(s *session.Session) {
		_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "CUT 1"})
		wantCode(t, err, refusal.TagUnknown)
	})
	if !strings.Contains(d.Warning, "is damaged (its checksum is wrong): the session starts empty") {
		t.Errorf("warning %q", d.Warning)
	}
	_, err = session.OpenDir(ctx, []string{root}, "bad name", opt)
	wantCode(t, err, refusal.InvalidArgument)
}

// A policy file is asked after a mistyped path is rebound and before anything
// else; one that cannot be understood forbids all edits.
func TestPolicyFile(t *testing.T) {
	s, _ := open(t, session.Options{}, map[string]string{
		".putcut.toml": "read_only = [\"vendor\"]\n[limits]\nops = 1\n", "vendor/v.txt": "a\n", "n.txt": "a\nb\n",
	})
	_, err := s.Edit(ctx, session.EditRequest{Path: "vendor/v.txt", Tag: "0000", Ops: "PUT >$:\n+x"})
	if e := wantCode(t, err, refusal.Policy); !strings.HasPrefix(e.What, "the rule `read_only = \"vendor\"` of ") {
		t.Error(e)
	}
	tag := string(read(t, s, "n.txt", "").Tag)
	_, err = s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "CUT 1.=1\nCUT 2.=2"})
	wantCode(t, err, refusal.Limit)
	_, err = s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "MV vendor/n.txt"})
	wantCode(t, err, refusal.Policy)
	edit(t, s, "n.txt", tag, "CUT 1.=1")

	root := t.TempDir()
	put(t, root, "real.toml", "read_only = [\"x\"]\n")
	if err := os.Symlink("real.toml", filepath.Join(root, ".putcut.toml")); err != nil {
		t.Fatal(err)
	}
	linked, err := session.Open([]string{root}, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer linked.Close()
	tag = string(read(t, linked, "real.toml", "").Tag)
	_, err = linked.Edit(ctx, session.EditRequest{Path: "real.toml", Tag: tag, Ops: "CUT 1.=1"})
	wantCode(t, err, refusal.Policy)

	s, _ = open(t, session.Options{}, map[string]string{".putcut.toml": "readonly = []\n", "n.txt": "a\n"})
	tag = string(read(t, s, "n.txt", "").Tag)
	_, err = s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "CUT 1.=1"})
	if e := wantCode(t, err, refusal.Policy); !strings.HasPrefix(e.What, "the policy file is not valid at row 1: `readonly` is no key of a policy") {
		t.Error(e)
	}
}

// The folder of a kept session may lie in a root; the tools do not edit it.
func TestSessionFolderIsNotEdited(t *testing.T) {
	root := t.TempDir()
	opt := session.Options{}
	opt.Workspace.StateDir = t.TempDir()
	for i := range 2 {
		d, err := session.OpenDir(ctx, []string{root}, filepath.Join(root, "kept"), opt)
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			tag := string(read(t, d.Session, "kept/session.json", "1").Tag)
			_, err = d.Edit(ctx, session.EditRequest{Path: "kept/session.json", Tag: tag, Ops: "REM"})
			wantCode(t, err, refusal.Policy)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
