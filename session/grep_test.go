package session

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"putcut/workspace/search"
)

// TestGrepNamesWhatFailed: a file that could not be searched is not one in which
// nothing matches, so the result names it and says why.
func TestGrepNamesWhatFailed(t *testing.T) {
	root := t.TempDir()
	s, err := Open([]string{root}, Options{Limits: Limits{FileBytes: 1 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	long := bytes.Repeat([]byte("x"), search.MaxLine+1)
	for _, name := range []string{"a.txt", "b.txt", "c.txt", "d.txt", "e.txt"} {
		if err := os.WriteFile(filepath.Join(root, name), long, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ path, want string }{
		{"b.txt", "(no matches)\n(1 file could not be read: b.txt (a line is longer than 16777216 bytes))\n"},
		{"", "(5 files could not be read: a.txt (a line is longer than 16777216 bytes), b.txt (a line is longer than 16777216 bytes), c.txt (a line is longer than 16777216 bytes) and 2 more)\n"},
	} {
		res, err := s.Grep(t.Context(), GrepRequest{Pattern: "y", Path: tt.path})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Text(); !strings.HasSuffix(got, tt.want) {
			t.Errorf("%q: %s", tt.path, got)
		}
	}
}
