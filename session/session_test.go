package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"putcut/refusal"
	"putcut/session"
	"putcut/workspace"
)

var ctx = context.Background()

// open starts a session on a fresh folder with the given files.
func open(t *testing.T, opt session.Options, files map[string]string) (*session.Session, string) {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		put(t, root, name, content)
	}
	opt.Workspace.StateDir, opt.Workspace.Durability = t.TempDir(), workspace.None
	s, err := session.Open([]string{root}, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, root
}

func put(t *testing.T, root, name, content string) {
	t.Helper()
	p := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, root, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func read(t *testing.T, s *session.Session, path, ranges string) *session.ReadResult {
	t.Helper()
	r, err := s.Read(ctx, session.ReadRequest{Path: path, Ranges: ranges})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func edit(t *testing.T, s *session.Session, path, tag, ops string) *session.ChangeResult {
	t.Helper()
	r, err := s.Edit(ctx, session.EditRequest{Path: path, Tag: tag, Ops: ops})
	if err != nil {
		t.Fatal(session.ErrorText(err))
	}
	return r
}

func wantCode(t *testing.T, err error, code refusal.Code) *refusal.Error {
	t.Helper()
	e := refusal.As(err)
	if e == nil || e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	return e
}

func lines(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		b.WriteString("l" + itoa(i) + "\n")
	}
	return b.String()
}
