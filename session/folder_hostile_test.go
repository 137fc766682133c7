//go:build unix

package session_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zeebo/blake3"

	"putcut/session"
)

// within fails when f takes too long.
func within(t *testing.T, d time.Duration, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(d):
		t.Fatal("it hangs")
	}
}

// A session folder that was tampered with, its checksum included, neither hangs
// nor panics; what it says of texts is checked.
func TestTamperedSessionFolder(t *testing.T) {
	lines := regexp.MustCompile(`"lines":\d+`)
	shown := regexp.MustCompile(`"shown":\[\[\d+,\d+\]\]`)
	all := func(re *regexp.Regexp, with string) func(b []byte) []byte {
		return func(b []byte) []byte { return re.ReplaceAll(b, []byte(with)) }
	}
	for name, change := range map[string]func([]byte) []byte{
		"many lines": func(b []byte) []byte {
			return all(shown, `"shown":[[1,1099511627776]]`)(all(lines, `"lines":1099511627776`)(b))
		},
		"hunks of an undone call": func(b []byte) []byte {
			return regexp.MustCompile(`("now":"[^{}]*)"map":\{"old":\d+,"new":\d+,"hunks":\[\[[0-9,]*\]\]\}\}`).ReplaceAll(b, []byte(`$1"map":{"old":900,"new":950,"hunks":[[800,850,800,900]]}}`))
		},
		"negative":  all(regexp.MustCompile(`"next_id":\d+`), `"next_id":-1`),
		"places":    all(regexp.MustCompile(`"Before":\{"Key":"[^"]*","Name":"[^"]*"\}`), `"Before":{"Key":"/etc/passwd","Name":"../../../../../../etc/passwd"}`),
		"no places": all(regexp.MustCompile(`"Before":\{[^}]*\}`), `"Before":null`),
		"null map":  all(regexp.MustCompile(`"map":\{[^}]*\}`), `"map":null`),
		"registers": func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"next_call"`), []byte(`"registers":[{"name":"r","lines":["YQBiCmMN"]}],"next_call"`), 1)
		},
		"both gone": all(regexp.MustCompile(`"label"`), `"absent":true,"gone":true,"label"`),
		"absent":    all(regexp.MustCompile(`"mode":\d+,|"map"`), `"absent":true,"gone":true,"map"`),
	} {
		t.Run(name, func(t *testing.T) {
			root, dir := t.TempDir(), filepath.Join(t.TempDir(), "s")
			opt := session.Options{}
			opt.Workspace.StateDir = t.TempDir()
			put(t, root, "n.txt", "a\nb\nc\n")
			d, err := session.OpenDir(ctx, []string{root}, dir, opt)
			if err != nil {
				t.Fatal(err)
			}
			tag := string(read(t, d.Session, "n.txt", "").Tag)
			edit(t, d.Session, "n.txt", tag, "PUT 2.=2:\n+x\n+y\n")
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "session.json")
			raw, _ := os.ReadFile(file)
			_, body, _ := bytes.Cut(raw, []byte("\n"))
			body = change(body)
			sum := blake3.Sum256(body)
			os.WriteFile(file, append([]byte(hex.EncodeToString(sum[:])+"\n"), body...), 0o600)
			within(t, 20*time.Second, func() {
				d, err := session.OpenDir(ctx, []string{root}, dir, opt)
				if err != nil {
					t.Log(err)
					return
				}
				t.Log(d.Warning)
				if _, err := d.Undo(ctx, session.UndoRequest{DryRun: true}); err != nil {
					t.Log(err)
				}
				if _, err := d.Edit(ctx, session.EditRequest{Path: "n.txt", Tag: tag, Ops: "PUT 3.=3:\n+q\nPUT >3 @r\n"}); err != nil {
					t.Log(err)
				}
				if _, err := d.Undo(ctx, session.UndoRequest{}); err != nil {
					t.Log(err)
				}
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Pipes in a session folder do not block.
func TestPipesInSessionFolder(t *testing.T) {
	for _, name := range []string{"session.json", "lock", "texts/" + strings.Repeat("a", 64), "session.json.new", "texts/x"} {
		t.Run(name, func(t *testing.T) {
			root, dir := t.TempDir(), t.TempDir()
			put(t, root, "n.txt", "a\nb\nc\n")
			os.MkdirAll(filepath.Join(dir, "texts"), 0o700)
			if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
				t.Fatal(err)
			}
			within(t, 10*time.Second, func() {
				d, err := session.OpenDir(ctx, []string{root}, dir, session.Options{})
				if err != nil {
					t.Log(err)
					return
				}
				t.Log(d.Warning)
				read(t, d.Session, "n.txt", "")
				if err := d.Close(); err != nil {
					t.Log(err)
				}
			})
		})
	}
}
