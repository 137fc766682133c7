package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"putcut/golden"
	"putcut/internal/conformance"
	"putcut/refusal"
)

// A commandLine is the program as a front end of the tools: each call is one
// run of it, in a session that is kept in a folder. The state folder is that of
// the environment.
type commandLine struct {
	root    string
	session string
	flags   []string // of commands that change files
}

func (c commandLine) Close() error { return nil }

// withoutAdvice is what the program says to people at a shell alone.
var withoutAdvice = regexp.MustCompile(`(?m)^` + adviceRow + `.*\n`)

var scriptRow = regexp.MustCompile(`script row (\d+)`)

// call runs the command that stands for a tool. What the command line cannot
// say, such as a missing argument, is errors.ErrUnsupported.
func (c commandLine) call(ctx context.Context, tool string, args map[string]any) (text string, refused bool, err error) {
	left := map[string]any{}
	for k, v := range args {
		left[k] = v
	}
	take := func(name string) string {
		v, ok := left[name]
		delete(left, name)
		if !ok {
			return ""
		}
		return fmt.Sprint(v)
	}
	need := func(name string) string {
		v, ok := left[name].(string)
		if !ok || v == "" {
			err = fmt.Errorf("`%s` without `%s`: %w", tool, name, errors.ErrUnsupported)
		}
		delete(left, name)
		return v
	}
	line, stdin, shift := []string{tool, "--root", c.root, "--session", c.session}, "", 0
	flag := func(name, value string) {
		if value != "" {
			line = append(line, name+"="+value)
		}
	}
	if _, ok := args["dry_run"]; ok {
		flag("--dry-run", take("dry_run"))
	}
	switch tool {
	case "read":
		flag("--lines", take("ranges"))
		flag("--encoding", take("encoding"))
		flag("--max-columns", take("max_columns"))
		line = append(line, "--", need("path"))
	case "grep":
		flag("--glob", take("glob"))
		flag("--ignore-case", take("ignore_case"))
		flag("--literal", take("literal"))
		flag("--context", take("context"))
		flag("--limit", take("limit"))
		switch mode := take("mode"); mode {
		case "files", "count":
			flag("--"+mode, "true")
		case "", "content":
		default:
			err = fmt.Errorf("the mode `%s`: %w", mode, errors.ErrUnsupported)
		}
		line = append(line, "--", take("pattern"))
		if path := take("path"); path != "" {
			line = append(line, path)
		}
	case "write":
		flag("--expect", need("expect"))
		if _, ok := args["content"]; !ok {
			err = fmt.Errorf("`write` without `content`: %w", errors.ErrUnsupported)
		}
		stdin = take("content")
		flag("--expected-revision", take("expected_revision"))
		line = append(line, "--", need("path"))
	case "edit":
		path, tag, ops := need("path"), need("tag"), need("ops")
		if first := strings.TrimLeft(ops, " \t\r\n"); first != "" && strings.IndexByte("[*`~\ufeff", first[0]) >= 0 {
			err = fmt.Errorf("`edit` with more than ops: %w", errors.ErrUnsupported)
		}
		line[0], stdin, shift = "apply", fmt.Sprintf("[%s#%s]\n%s", path, tag, ops), 1
		if rev := take("expected_revision"); rev != "" {
			flag("--expected-revision", path+"="+rev)
		}
		line = append(line, c.flags...)
	case "patch":
		line[0], stdin = "apply", need("script")
		line = append(line, c.flags...)
	case "outline":
		line = append(line, "--", need("path"))
	case "undo":
		if call := take("call"); call != "" {
			line = append(line, call)
		}
	default:
		err = fmt.Errorf("the tool `%s`: %w", tool, errors.ErrUnsupported)
	}
	for name := range left {
		err = fmt.Errorf("the argument `%s` of `%s`: %w", name, tool, errors.ErrUnsupported)
	}
	if err != nil {
		return "", false, err
	}
	var out, said bytes.Buffer
	code := Run(ctx, &Streams{In: strings.NewReader(stdin), Out: &out, Err: &said}, line)
	if code != exitDone && code != exitRefused {
		return "", false, fmt.Errorf("putcut %q: exit code %d: %s", line, code, said.String())
	}
	text = withoutAdvice.ReplaceAllString(out.String()+said.String(), "")
	if shift > 0 { // the header row is not one of the tool's rows
		text = scriptRow.ReplaceAllStringFunc(text, func(s string) string {
			n, _ := strconv.Atoi(strings.TrimPrefix(s, "script row "))
			return "script row " + strconv.Itoa(n-shift)
		})
	}
	return text, code == exitRefused, nil
}

// forGolden and forSuite are the command line under the two interfaces.
type (
	forGolden struct{ commandLine }
	forSuite  struct {
		commandLine
		unsupported *error
	}
)

func (c forGolden) Call(ctx context.Context, call golden.Call) (golden.Result, error) {
	text, refused, err := c.call(ctx, call.Tool, call.Args)
	if call.Tool == "edit" && strings.HasPrefix(text, string(refusal.ForeignFormat)) {
		err = fmt.Errorf("advice for ops where a script is meant: %w", errors.ErrUnsupported)
	}
	return golden.Result{Refused: refused, Text: text}, err
}

func (c forSuite) Call(tool string, args map[string]any) (conformance.Result, error) {
	text, refused, err := c.call(context.Background(), tool, args)
	if errors.Is(err, errors.ErrUnsupported) {
		*c.unsupported = err
	}
	return conformance.Result{IsError: refused, Text: text}, err
}

// TestGolden runs the repository's scenarios through the command line.
func TestGolden(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "") // restored after
	open := func(_ context.Context, w golden.Workspace) (golden.FrontEnd, error) {
		if err := os.Setenv("XDG_STATE_HOME", w.State); err != nil {
			return nil, err
		}
		c := commandLine{root: w.Root, session: filepath.Join(w.State, "session-"+w.Session)}
		for key, value := range w.Options {
			if key != "structure" {
				return nil, fmt.Errorf("the option `%s`: %w", key, errors.ErrUnsupported)
			}
			c.flags = append(c.flags, "--structure="+value)
		}
		return forGolden{c}, nil
	}
	reports, err := golden.RunDir(context.Background(), filepath.Join("..", "..", "testdata"), golden.Options{TempDir: t.TempDir(), Open: open})
	skipped := 0
	for _, r := range reports {
		if !r.OK() {
			t.Error(r.Diff())
		}
		if r.Skipped != "" {
			t.Logf("%s: skipped: %s", r.Name, r.Skipped)
			skipped++
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d scenarios, %d of them skipped", len(reports), skipped)
}

// TestConformance runs the JSON suite through the command line.
func TestConformance(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "conformance", "cases")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the conformance suite is not beside the module (%s)", dir)
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	topics, err := conformance.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var total atomic.Int64
	t.Run("topics", func(t *testing.T) {
		for _, topic := range topics {
			t.Run(topic.Name, func(t *testing.T) {
				t.Parallel()
				total.Add(runTopic(t, topic))
			})
		}
	})
	if total.Load() == 0 {
		t.Fatal("the suite is there and no case of it ran")
	}
}

func runTopic(t *testing.T, topic conformance.Topic) (right int64) {
	skipped := 0
	for _, c := range topic.Cases {
		var unsupported error
		session := filepath.Join(t.TempDir(), "session")
		err := conformance.Run(c, t.TempDir(), func(root string) (conformance.FrontEnd, error) {
			return forSuite{commandLine{root: root, session: session}, &unsupported}, nil
		})
		switch {
		case unsupported != nil:
			skipped++
		case err != nil:
			t.Errorf("%s (%s): %v", c.ID, c.Why, err)
		default:
			right++
		}
	}
	t.Logf("%-8s %3d of %3d, %d not for a command line", topic.Name, right, len(topic.Cases)-skipped, skipped)
	return right
}
