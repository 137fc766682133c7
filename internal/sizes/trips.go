package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"putcut/dialects"
	"putcut/refusal"
	"putcut/session"
	"putcut/workspace"
)

// A trip counts round trips of changes, each file through the engine in a
// session of its own.
type trip struct {
	said, written     int // changes a script says, and those only other formats do
	git, patch        int // of both: the engine's diff made the same bytes
	lowered, direct   int // files of git's diffs that a script says, and those that do not
	scripts, directly int // of each: the engine made the same bytes as git apply
	hunks, marks      int
	faults            []string
}

// A bench is a folder with the old files of a module, in which they are changed.
type bench struct {
	root  string
	ws    *workspace.Workspace
	files []change
}

// around takes the changes of a module round, both ways.
func (t *trip) around(m module) error {
	dir, err := os.MkdirTemp(fastDir(), "putcut-sizes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		return err
	}
	ws, err := workspace.Open([]workspace.Root{{Dir: root}}, workspace.Options{
		StateDir: filepath.Join(dir, "state"), Durability: workspace.None, UndoCalls: 1,
	})
	if err != nil {
		return err
	}
	defer ws.Close()
	t.marks += m.marks
	b := &bench{root, ws, m.files}
	if err := t.out(b, m.name); err != nil {
		return err
	}
	return t.back(b, m.name)
}

// out goes from script to diff to git apply and patch, which must leave the
// bytes that the engine leaves.
func (t *trip) out(b *bench, name string) error {
	if err := b.putOld(); err != nil {
		return err
	}
	var diff bytes.Buffer
	engine := make([][]byte, len(b.files))
	for i, c := range b.files {
		whole := session.ApplyRequest{Inputs: []dialects.Input{{Format: dialects.WholeFile, Path: c.path, Text: string(c.new)}}}
		s := b.session()
		batch, err := s.Lower(context.Background(), whole)
		if err != nil {
			return fmt.Errorf("%s: %w", c.path, err)
		}
		var res *session.ChangeResult
		if text, serr := batch.Script(); serr == nil {
			t.said++
			res, err = s.Patch(context.Background(), session.PatchRequest{Script: text})
			if limited(err) { // a call takes 512 ops
				t.said--
				t.written++
				res, err = applied(s, whole)
			}
		} else {
			t.written++
			res, err = applied(s, whole)
		}
		s.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", c.path, err)
		}
		if res.DiffCut || res.DiffDecoded {
			return fmt.Errorf("%s: the diff is cut or decoded", c.path)
		}
		diff.WriteString(res.Diff)
		t.hunks += len(res.Files[0].Ops)
		if engine[i], err = b.read(c); err != nil {
			return err
		}
		if !bytes.Equal(engine[i], c.new) {
			t.fault("%s/%s: the engine did not make the new file", name, c.path)
		}
	}
	for _, tool := range []struct {
		count *int
		argv  []string
	}{
		{&t.git, []string{"git", "apply", "--whitespace=nowarn"}},
		{&t.patch, []string{"patch", "-p1", "-s", "--no-backup-if-mismatch"}},
	} {
		if err := b.putOld(); err != nil {
			return err
		}
		if _, err := b.run(diff.Bytes(), tool.argv...); err != nil {
			return err
		}
		for i, c := range b.files {
			got, err := b.read(c)
			if err != nil {
				return err
			}
			if bytes.Equal(got, engine[i]) {
				*tool.count++
			} else {
				t.fault("%s/%s: %s makes other bytes of the engine's diff", name, c.path, tool.argv[0])
			}
		}
	}
	return nil
}

// back goes from git's diff to script to the engine, which must leave the bytes
// that git apply leaves.
func (t *trip) back(b *bench, name string) error {
	if err := b.putOld(); err != nil {
		return err
	}
	for _, argv := range [][]string{{"git", "init", "-q"}, {"git", "add", "-Af"}, {"git", "commit", "-qm", "old"}} {
		if _, err := b.run(nil, argv...); err != nil {
			return err
		}
	}
	for _, c := range b.files {
		if err := b.put(c, c.new); err != nil {
			return err
		}
	}
	diff, err := b.run(nil, "git", "diff", "--no-ext-diff", "--no-renames")
	if err != nil {
		return err
	}
	if err := b.putOld(); err != nil {
		return err
	}
	if _, err := b.run(diff, "git", "apply", "--whitespace=nowarn"); err != nil {
		return err
	}
	git := make([][]byte, len(b.files))
	for i, c := range b.files {
		if git[i], err = b.read(c); err != nil {
			return err
		}
	}
	if err := b.putOld(); err != nil {
		return err
	}
	parts := split(string(diff))
	if len(parts) != len(b.files) {
		return fmt.Errorf("git's diff has %d files, and %d changed", len(parts), len(b.files))
	}
	for _, part := range parts {
		s := b.session()
		req := session.ApplyRequest{Inputs: []dialects.Input{{Format: dialects.UnifiedDiff, Text: part}}, Options: dialects.Options{Exact: true}}
		batch, err := s.Lower(context.Background(), req)
		if err != nil {
			return fmt.Errorf("%.200s: %w", part, err)
		}
		text, serr := batch.Script()
		if serr == nil {
			_, err = s.Patch(context.Background(), session.PatchRequest{Script: text})
		}
		count, same := &t.lowered, &t.scripts
		if serr != nil || limited(err) {
			count, same = &t.direct, &t.directly
			_, err = s.Apply(context.Background(), req)
		}
		s.Close()
		if err != nil {
			return fmt.Errorf("%.200s: %w", part, err)
		}
		*count++
		path := batch.Files[0].Path
		i := slices.IndexFunc(b.files, func(c change) bool { return c.path == path })
		if i < 0 {
			return fmt.Errorf("the diff of %s names another file", path)
		}
		got, err := b.read(b.files[i])
		if err != nil {
			return err
		}
		if bytes.Equal(got, git[i]) {
			*same++
		} else {
			t.fault("%s/%s: the engine makes other bytes of git's diff than git apply", name, path)
		}
	}
	return nil
}

func applied(s *session.Session, req session.ApplyRequest) (*session.ChangeResult, error) {
	res, err := s.Apply(context.Background(), req)
	if err != nil {
		return nil, err
	}
	return res.ChangeResult, nil
}

// limited reports whether a script is right and larger than a call may be.
func limited(err error) bool {
	return errors.Is(err, refusal.Limit)
}

func (t *trip) fault(format string, args ...any) {
	t.faults = append(t.faults, fmt.Sprintf(format, args...))
}

// split cuts git's diff into those of single files. A row of content has a mark
// before it, so none of them starts like this.
func split(diff string) []string {
	const head = "diff --git "
	var out []string
	for diff != "" {
		i := strings.Index(diff[1:], "\n"+head)
		if i < 0 {
			return append(out, diff)
		}
		out = append(out, diff[:i+2])
		diff = diff[i+2:]
	}
	return out
}

func (b *bench) session() *session.Session {
	return session.New(b.ws, session.Options{Detached: true, Structure: session.Off, Limits: session.Limits{DiffBytes: 1 << 30}})
}

func (b *bench) put(c change, content []byte) error {
	name := filepath.Join(b.root, filepath.FromSlash(c.path))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o644)
}

func (b *bench) putOld() error {
	for _, c := range b.files {
		if err := b.put(c, c.old); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) read(c change) ([]byte, error) {
	return os.ReadFile(filepath.Join(b.root, filepath.FromSlash(c.path)))
}

// run runs a command in the folder, with no configuration but its own.
func (b *bench) run(in []byte, argv ...string) ([]byte, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = b.root
	cmd.Stdin = bytes.NewReader(in)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CEILING_DIRECTORIES="+filepath.Dir(b.root),
		"GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@x", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@x")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, said.String())
	}
	return out.Bytes(), nil
}

// fastDir is a folder in memory if there is one, else the usual one.
func fastDir() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

func (t *trip) markdown() string {
	var b strings.Builder
	files := t.said + t.written
	fmt.Fprintf(&b, "\nThe same files round (%s changed, %s hunks), those that not all formats can say included:\n\n", thousands(files), thousands(t.hunks))
	if t.marks > 0 {
		fmt.Fprintf(&b, "Left out: %d in which a byte order mark came or went.\n\n", t.marks)
	}
	b.WriteString("| round trip | files | the same bytes |\n|---|--:|--:|\n")
	fmt.Fprintf(&b, "| script → engine → diff → `git apply` (%s as scripts, %s only in other formats) | %s | %s |\n", thousands(t.said), thousands(t.written), thousands(files), thousands(t.git))
	fmt.Fprintf(&b, "| … → GNU `patch` | %s | %s |\n", thousands(files), thousands(t.patch))
	fmt.Fprintf(&b, "| `git diff` → script → engine = `git apply` | %s | %s |\n", thousands(t.lowered), thousands(t.scripts))
	fmt.Fprintf(&b, "| `git diff` → engine = `git apply`, where no script can say it | %s | %s |\n", thousands(t.direct), thousands(t.directly))
	return b.String()
}
