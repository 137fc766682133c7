//go:build unix

package session_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"putcut/session"
)

// A folder that somebody keeps replacing by a link out of the root never lets a
// call read or write there.
func TestNoEscapeThroughSwappedFolders(t *testing.T) {
	s, root := open(t, session.Options{}, map[string]string{"d/n.txt": "inside\n", "e/n.txt": "inside\n"})
	out := t.TempDir()
	put(t, out, "n.txt", "OUTSIDE\n")
	put(t, out, "new.txt", "OUTSIDE\n")
	os.Symlink(out, filepath.Join(root, "link"))
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(filepath.Join(root, "d"), filepath.Join(root, "hold"))
			os.Rename(filepath.Join(root, "link"), filepath.Join(root, "d"))
			os.Rename(filepath.Join(root, "d"), filepath.Join(root, "link"))
			os.Rename(filepath.Join(root, "hold"), filepath.Join(root, "d"))
			// and the file itself
			os.Rename(filepath.Join(root, "e/n.txt"), filepath.Join(root, "e/hold"))
			os.Symlink(filepath.Join(out, "n.txt"), filepath.Join(root, "e/n.txt"))
			os.Remove(filepath.Join(root, "e/n.txt"))
			os.Rename(filepath.Join(root, "e/hold"), filepath.Join(root, "e/n.txt"))
		}
	}()
	content := "written\n"
	end := time.Now().Add(time.Second)
	n, ok := 0, 0
	for ; time.Now().Before(end); n++ {
		for _, p := range []string{"d/n.txt", "e/n.txt"} {
			r, err := s.Read(ctx, session.ReadRequest{Path: p})
			if err != nil {
				continue
			}
			if bytes.Contains([]byte(r.Text()), []byte("OUTSIDE")) {
				t.Fatal(r.Text())
			}
			row := "+x\n"
			if len(r.Rows) > 40 {
				if _, err := s.Edit(ctx, session.EditRequest{Path: p, Tag: string(r.Tag), Ops: "CUT 2.=30\n"}); err == nil {
					ok++
				}
				continue
			}
			if _, err := s.Edit(ctx, session.EditRequest{Path: p, Tag: string(r.Tag), Ops: "PUT >$:\n" + row}); err == nil {
				ok++
			}
		}
		s.Undo(ctx, session.UndoRequest{})
		s.Write(ctx, session.WriteRequest{Path: "d/sub/new.txt", Content: &content, Expect: "absent"})
		if g, err := s.Grep(ctx, session.GrepRequest{Pattern: "OUTSIDE"}); err == nil && len(g.Files) > 0 {
			t.Fatal(g.Text())
		}
		os.RemoveAll(filepath.Join(root, "d/sub"))
	}
	close(stop)
	<-done
	entries, _ := os.ReadDir(out)
	if len(entries) != 2 || get(t, out, "n.txt") != "OUTSIDE\n" || get(t, out, "new.txt") != "OUTSIDE\n" {
		t.Error(entries, get(t, out, "n.txt"))
	}
	t.Log(n, "rounds", ok, "edits")
}
