package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"putcut/refusal"
	"putcut/session"
)

// A repair drops rows that restate the lines just outside the span: one that
// leaves part of what was restated standing twice is none, and only stands in
// the way of others that cost as much.
func TestRepairDropsWholeRestatement(t *testing.T) {
	s, _ := open(t, session.Options{}, map[string]string{"a.go": "package a\n\nfunc f() {\n\tif x {\n\t\ta()\n\t}\n\tc()\n}\n"})
	tag := string(read(t, s, "a.go", "").Tag)
	_, err := s.Edit(ctx, session.EditRequest{Path: "a.go", Tag: tag, Ops: "PUT 4.=6:\n+\tif x {\n+\t\tb()\n+\t}\n+\tc()\n+}\n"})
	wantCode(t, err, refusal.RepairAmbiguous)
	s, root := open(t, session.Options{}, map[string]string{"a.go": "package a\n\nfunc f() {\n\tif x {\n\t\ta()\n\t\tb()\n\t}\n}\n"})
	tag = string(read(t, s, "a.go", "").Tag)
	r := edit(t, s, "a.go", tag, "PUT 6.=6:\n+\tif x {\n+\t\ta()\n+\t\tc()\n")
	if got, want := get(t, root, "a.go"), "package a\n\nfunc f() {\n\tif x {\n\t\ta()\n\t\tc()\n\t}\n}\n"; got != want {
		t.Errorf("%q, want %q\n%s", got, want, r.Text())
	}
}

// Both ends of a body may be dropped whole.
func TestRepairWeighsDroppingAllRows(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"a.py": "x = (\n-\n2\n)\n"})
	tag := string(read(t, s, "a.py", "").Tag)
	_, err := s.Edit(ctx, session.EditRequest{Path: "a.py", Tag: tag, Ops: "PUT 2.=2:\n+2\n"})
	if err == nil {
		t.Fatalf("applied: %q", get(t, root, "a.py"))
	}
	wantCode(t, err, refusal.RepairAmbiguous)
}

// Only rows that the text of a result prints are displayed.
func TestUnprintedEchoIsNotDisplayed(t *testing.T) {
	long := strings.Repeat("y", 1500) + "\n"
	s, _ := open(t, session.Options{}, map[string]string{"n.txt": strings.Repeat(long+"short\n", 8) + "unseen\nend\n"})
	tag := string(read(t, s, "n.txt", "2,4,6,8,10,12,14,16").Tag)
	script := ""
	for n := 2; n <= 16; n += 2 {
		script += "PUT >" + itoa(n) + ":\n+x\n"
	}
	r := edit(t, s, "n.txt", tag, script)
	if strings.Contains(r.Text(), "unseen") {
		t.Fatal("printed")
	}
	_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: string(r.Files[0].Tag), Ops: "CUT 25.=25\n"})
	wantCode(t, err, refusal.LinesUnseen)
}

// Where not all rows fit, those at the edges of the changed regions, and the
// outer lines that went, are printed rather than what a body holds inside.
func TestEdgesArePrintedFirst(t *testing.T) {
	s, _ := open(t, session.Options{}, map[string]string{"n.txt": lines(60) + "below\nend\n"})
	tag := string(read(t, s, "n.txt", "").Tag)
	body := ""
	for i := range 9 {
		body += "+" + itoa(i) + strings.Repeat("x", 1500) + "\n"
	}
	text := edit(t, s, "n.txt", tag, "PUT 31.=60:\n"+body).Text()
	for _, row := range []string{"\n29:l29\n", "\n30:l30\n", "\n31:0x", "\n39:8x", "\n40:below\n", "\n41:end\n", "\n-31:l31\n", "\n-60:l60\n", "\n(3 rows of the changed regions not printed)\n", "more rows that went not printed)\n"} {
		if !strings.Contains(text, row) {
			t.Errorf("no %q in\n%s", row, text)
		}
	}
}

// When the meaning of every CR changes, only what the result echoes is displayed.
func TestRereadTextIsNotDisplayed(t *testing.T) {
	s, _ := open(t, session.Options{}, map[string]string{"n.txt": lines(200) + "end\r"})
	tag := string(read(t, s, "n.txt", "1").Tag)
	r := edit(t, s, "n.txt", tag, "PUT >$:\n+x\n")
	_, err := s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: string(r.Files[0].Tag), Ops: "CUT 100.=100\n"})
	wantCode(t, err, refusal.LinesUnseen)

	s, _ = open(t, session.Options{}, map[string]string{"n.txt": "a\n" + strings.ReplaceAll(lines(200), "\n", "\r") + "z"})
	tag = string(read(t, s, "n.txt", "1").Tag)
	r = edit(t, s, "n.txt", tag, "CUT 1.=1\n")
	_, err = s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: string(r.Files[0].Tag), Ops: "CUT 100.=100\n"})
	wantCode(t, err, refusal.LinesUnseen)
}

// A call that was undone and redone is applied: sent again it is refused.
func TestRedoneCallIsAppliedAlready(t *testing.T) {
	s, _ := open(t, session.Options{}, map[string]string{"n.txt": lines(5)})
	tag := string(read(t, s, "n.txt", "").Tag)
	req := session.EditRequest{Path: "n.txt", Tag: tag, Ops: "PUT >2:\n+x\n"}
	edit(t, s, req.Path, tag, req.Ops)
	for range 2 {
		if _, err := s.Undo(ctx, session.UndoRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.Edit(ctx, req)
	wantCode(t, err, refusal.AlreadyApplied)
}

// A session folder is given to files of its own alone.
func TestSessionFolderKeepsOthersFiles(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	put(t, dir, "texts/mine.txt", "mine\n")
	put(t, dir, "lock", "")
	d, err := session.OpenDir(ctx, []string{root}, dir, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "texts/mine.txt")); err != nil {
		t.Error(err)
	}

	dir = t.TempDir()
	put(t, dir, "main.go", "package main\n")
	os.Chmod(dir, 0o755)
	_, err = session.OpenDir(ctx, []string{root}, dir, session.Options{})
	wantCode(t, err, refusal.InvalidArgument)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 {
		t.Error(info.Mode(), err)
	}
}

// U+FEFF that an edit puts at the start of a file is its byte order mark.
func TestMarkThatAnEditWrites(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"n.txt": "a\n\ufeffb\nc\n"})
	tag := string(read(t, s, "n.txt", "").Tag)
	r := edit(t, s, "n.txt", tag, "CUT 1.=1\n")
	if got := get(t, root, "n.txt"); got != "\ufeffb\nc\n" {
		t.Errorf("%q", got)
	}
	other, err := session.Open([]string{root}, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if now := read(t, other, "n.txt", ""); now.Tag != r.Files[0].Tag || !now.BOM || now.Rows[0].Text != "b" {
		t.Errorf("%+v, and the edit said #%s", now, r.Files[0].Tag)
	}
	edit(t, s, "n.txt", string(r.Files[0].Tag), "PUT 1.=1:\n+x\n")
	if got := get(t, root, "n.txt"); got != "\ufeffx\nc\n" {
		t.Errorf("%q", got)
	}
}

// A named encoding stays that of the tag when a search prints the same text.
func TestNamedEncodingOutlivesGrep(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"n.txt": "a\nb\n"})
	r, err := s.Read(ctx, session.ReadRequest{Path: "n.txt", Encoding: "windows-1252"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Grep(ctx, session.GrepRequest{Pattern: "a"}); err != nil {
		t.Fatal(err)
	}
	edit(t, s, "n.txt", string(r.Tag), "PUT 1.=1:\n+é\n")
	if got := get(t, root, "n.txt"); got != "\xe9\nb\n" {
		t.Errorf("%q", got)
	}
}

// An edit of an empty file is undone by the next process too.
func TestUndoOfEmptyFileAcrossProcesses(t *testing.T) {
	root, dir, state := t.TempDir(), t.TempDir(), t.TempDir()
	put(t, root, "e.txt", "")
	open := func() *session.Dir {
		opt := session.Options{}
		opt.Workspace.StateDir = state
		d, err := session.OpenDir(ctx, []string{root}, dir, opt)
		if err != nil || d.Warning != "" {
			t.Fatal(err, d.Warning)
		}
		return d
	}
	d := open()
	tag := string(read(t, d.Session, "e.txt", "").Tag)
	edit(t, d.Session, "e.txt", tag, "PUT >$:\n+x\n")
	d.Close()
	d = open()
	if _, err := d.Undo(ctx, session.UndoRequest{}); err != nil {
		t.Error(session.ErrorText(err))
	}
	d.Close()
	if got := get(t, root, "e.txt"); got != "" {
		t.Errorf("%q", got)
	}
}

// The search for a repair is bounded even where many candidates give one text.
func TestRepairSearchIsBounded(t *testing.T) {
	s, _ := open(t, session.Options{}, map[string]string{"a.yaml": strings.Repeat("- a\n", 900)})
	tag := string(read(t, s, "a.yaml", "").Tag)
	var ops strings.Builder
	for n := 2; n < 750; n += 3 {
		ops.WriteString("PUT " + itoa(n) + ".=" + itoa(n) + ":\n+- a\n+- a\n")
	}
	ops.WriteString("PUT 760.=760:\n+- [\n")
	start := time.Now()
	edit(t, s, "a.yaml", tag, ops.String())
	if took := time.Since(start); took > 20*time.Second {
		t.Error(took)
	}
}

// A refusal about likelihood is confirmed by the next call on the path alone,
// whatever becomes of one in between.
func TestConfirmedByTheNextCallAlone(t *testing.T) {
	s, _ := open(t, session.Options{}, map[string]string{"n.txt": lines(5), "m.txt": lines(3)})
	tag := string(read(t, s, "n.txt", "").Tag)
	req := session.EditRequest{Path: "n.txt", Tag: tag, Ops: "PUT 2.=2:\n+2:l2\n"}
	between := map[string]func(){
		"parse":  func() { s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "garbage"}) },
		"tag":    func() { s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: "x", Ops: "CUT 1.=1"}) },
		"nul":    func() { s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "PUT 1.=1:\n+\x00"}) },
		"ranges": func() { s.Read(ctx, session.ReadRequest{Path: "n.txt", Ranges: "x"}) },
		"write":  func() { s.Write(ctx, session.WriteRequest{Path: "n.txt"}) },
		"exists": func() { c := "x"; s.Write(ctx, session.WriteRequest{Path: "n.txt", Content: &c, Expect: "absent"}) },
		"tag2":   func() { s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: "0000", Ops: "CUT 1.=1"}) },
		"outside": func() {
			s.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "CUT 1.=1\nMV ../x"})
		},
		"patch": func() {
			s.Patch(ctx, session.PatchRequest{Script: "[n.txt#" + tag + "]\nCUT 1.=1\n[zz.txt#0000]\nREM\n"})
		},
	}
	for name, f := range between {
		if _, err := s.Edit(ctx, req); err == nil {
			t.Fatal(name)
		}
		f()
		if _, err := s.Edit(ctx, req); err == nil {
			t.Errorf("%s: confirmed, and it was not the next call", name)
			s.Undo(ctx, session.UndoRequest{})
		} else {
			read(t, s, "n.txt", "")
		}
	}
}
