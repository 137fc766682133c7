package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"putcut/text"
)

// cancelling cancels a call with the first thing that is written to it.
type cancelling struct {
	io.Writer
	cancel func()
}

func (c cancelling) Write(p []byte) (int, error) {
	c.cancel()
	return c.Writer.Write(p)
}

// A cancelled activation is ended, and the edit it was for stays.
func TestActivationCancelled(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	root := filepath.Join(dir, "root")
	write(t, filepath.Join(root, "a.txt"), "one\n")
	edit := `{"path": "a.txt", "expected_revision": "` + string(text.RevisionOf([]byte("one\n"))) + `", "edits": [{"old_text": "one", "new_text": "two"}]}`
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out, said bytes.Buffer
	s := &Streams{In: strings.NewReader(edit), Out: &out, Err: cancelling{&said, cancel}}
	code := Run(ctx, s, []string{"convert", "--from", "replacements", "--root", root, "--apply", "--json", "--activate", "echo started; exec sleep 600"})
	if code != exitIO || !strings.HasSuffix(out.String(), `"activation":"closed"}`+"\n") || !strings.Contains(said.String(), "the edit stays") {
		t.Errorf("exit code %d\n%s%s", code, &out, &said)
	}
	if b, err := os.ReadFile(filepath.Join(root, "a.txt")); err != nil || string(b) != "two\n" {
		t.Errorf("%v, %q", err, b)
	}
}
