package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fatih/color"
)

// run runs a command line on streams that take colour.
func run(t *testing.T, colour bool, in string, args ...string) (code int, out, said string) {
	t.Helper()
	var o, e bytes.Buffer
	s := &Streams{In: strings.NewReader(in), Out: &o, Err: &e, ColorOut: colour, ColorErr: colour}
	code = Run(context.Background(), s, args)
	return code, o.String(), e.String()
}

func TestColour(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	root := filepath.Join(dir, "root")
	write(t, filepath.Join(root, "a.txt"), "one\n[x#0000]\n-2:gone\n")
	for _, c := range []struct {
		name, in, out, said string
		args                []string
		code                int
	}{
		{
			name: "a row of a file is coloured up to its colon, whatever it holds",
			args: []string{"read", "a.txt"},
			out: "\x1b[36;1m[a.txt#4B13]\x1b[0;22m\n" +
				"\x1b[2m1:\x1b[22mone\n\x1b[2m2:\x1b[22m[x#0000]\n\x1b[2m3:\x1b[22m-2:gone\n",
		},
		{
			name: "a refusal",
			args: []string{"read", "b.txt"}, code: exitRefused,
			said: "\x1b[31;1mEDIT_NOT_FOUND: rejected, nothing was written\x1b[0;22m\nb.txt: there is no such file.\n" +
				"\x1b[34mnext: Check the path; `grep` with mode files lists what is there.\x1b[0m\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append(c.args, "--root", root)
			code, out, said := run(t, true, c.in, args...)
			if code != c.code || out != c.out || said != c.said {
				t.Errorf("exit code %d\nout  %q\nwant %q\nsaid %q\nwant %q", code, out, c.out, said, c.said)
			}
			// The same without colour is the same text.
			if _, plain, _ := run(t, false, c.in, args...); plain != uncoloured(out) {
				t.Errorf("plain %q, coloured %q", plain, out)
			}
		})
	}
}

func TestPaint(t *testing.T) {
	for _, c := range []struct {
		name     string
		style    func(string) *color.Color
		in, want string
	}{
		{"a change", resultStyle,
			"[a.txt]\nmodified: +0 -1 lines\n1:one\n-2:two\nold 3-… → -1\nwarning W_X: a remark\ncall c1\n",
			"\x1b[36;1m[a.txt]\x1b[0;22m\nmodified: +0 -1 lines\n\x1b[2m1:\x1b[22mone\n\x1b[31m-2:two\x1b[0m\nold 3-… → -1\n" +
				"\x1b[33mwarning W_X: a remark\x1b[0m\n\x1b[34mcall c1\x1b[0m\n"},
		{"a diff", diffStyle,
			"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n",
			"\x1b[36;1m--- a/a.txt\x1b[0;22m\n\x1b[36;1m+++ b/a.txt\x1b[0;22m\n\x1b[34m@@ -1,2 +1,2 @@\x1b[0m\n\x1b[31m-one\x1b[0m\n\x1b[32m+ONE\x1b[0m\n two\n"},
		{"no final newline", resultStyle, "1:a", "\x1b[2m1:\x1b[22ma"},
		{"nothing", resultStyle, "\n\n", "\n\n"},
	} {
		if got := paint(c.in, c.style); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func uncoloured(s string) string {
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return s
		}
		s = s[:i] + s[i+strings.IndexByte(s[i:], 'm')+1:]
	}
}

// A result that cannot be printed is a failure, though the change was made.
func TestBrokenOutput(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	root := filepath.Join(dir, "root")
	write(t, filepath.Join(root, "a.txt"), "one\n")
	var said bytes.Buffer
	s := &Streams{In: strings.NewReader("x\n"), Out: broken{}, Err: &said}
	code := Run(context.Background(), s, []string{"write", "b.txt", "--expect", "absent", "--root", root})
	if want := "putcut write: the result could not be printed: pipe is gone\n"; code != exitIO || said.String() != want {
		t.Errorf("exit code %d, said %q, want %q", code, said.String(), want)
	}
	if b, err := os.ReadFile(filepath.Join(root, "b.txt")); string(b) != "x\n" {
		t.Errorf("b.txt is %q, %v", b, err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("pipe is gone") }

// A call that is cancelled before it changed anything changes nothing.
func TestCancelled(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, said bytes.Buffer
	s := &Streams{In: strings.NewReader("[new.txt#NEW]\nPUT >$:\n+x\n"), Out: &out, Err: &said}
	code := Run(ctx, s, []string{"apply", "--root", dir})
	if code != exitIO {
		t.Errorf("exit code %d, said %q", code, said.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "new.txt")); err == nil {
		t.Error("the file was made")
	}
}

// Nobody waits for input that does not come.
func TestCancelledInput(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, end := io.Pipe()
	defer end.Close()
	var out, said bytes.Buffer
	s := &Streams{In: in, Out: &out, Err: &said, Interactive: true}
	done := make(chan int)
	go func() { done <- Run(ctx, s, []string{"fmt"}) }()
	cancel()
	if code := <-done; code != exitIO {
		t.Errorf("exit code %d", code)
	}
	if want := "putcut: reading the script from the terminal\nputcut fmt: cannot read the script: context canceled\n"; said.String() != want {
		t.Errorf("said %q, want %q", said.String(), want)
	}
}

func TestTooMuchInput(t *testing.T) {
	var out, said bytes.Buffer
	s := &Streams{In: endless{}, Out: &out, Err: &said}
	if code := Run(context.Background(), s, []string{"fmt"}); code != exitIO || !strings.Contains(said.String(), "more than 67108864 bytes") {
		t.Errorf("exit code %d, said %q", code, said.String())
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
