package prompt

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"putcut/parser"
	"putcut/refusal"
	"putcut/session"
	"putcut/workspace"
)

var update = flag.Bool("update", false, "rewrite prompt.md from prompt.txtar")

const maxWords = 900

// TestText generates the instructions from prompt.txtar and holds them against
// prompt.md. In the template a fence is one of these; each starts with fresh
// files that were read in full, unless it says `continue`:
//
//	read PATH        what read prints
//	patch            a script that must be accepted; `show` adds the result, `hidden` prints nothing
//	refuse CODE      a script that must be refused with this code, and why
//	warn CODE        a script that must be accepted with this warning, which is printed
func TestText(t *testing.T) {
	ar, err := txtar.ParseFile("prompt.txtar")
	if err != nil {
		t.Fatal(err)
	}
	g := &generator{t: t, files: ar.Files}
	got := g.generate(string(ar.Comment))
	if *update {
		if err := os.WriteFile("prompt.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != Text() {
		t.Errorf("prompt.md is not what prompt.txtar gives now; run with -update and read the diff:\n%s", got)
	}
	if n := len(strings.Fields(got)); n >= maxWords {
		t.Errorf("the instructions have %d words, and less than %d is the limit", n, maxWords)
	} else {
		t.Logf("%d words", n)
	}
}

// TestOps parses every op that the instructions name in passing.
func TestOps(t *testing.T) {
	seen := 0
	for _, m := range regexp.MustCompile("`((?:PUT|CUT|REM|MV)[^`]*)`").FindAllStringSubmatch(Text(), -1) {
		op := m[1]
		if strings.ContainsAny(op, "NM") && !strings.HasPrefix(op, "REM") && !strings.HasPrefix(op, "MV") {
			continue // a form, not an op
		}
		if strings.HasSuffix(op, ":") {
			op += "\n+row"
		}
		if _, err := parser.ParseOps(op, parser.Limits{}); err != nil {
			t.Errorf("`%s`: %v", m[1], err)
		}
		seen++
	}
	if seen < 10 {
		t.Errorf("only %d ops found", seen)
	}
}

// TestCodes asks that every code the instructions name is one.
func TestCodes(t *testing.T) {
	known := []refusal.Code{
		refusal.LinesUnseen, refusal.TagMismatch, refusal.TagUnknown, refusal.BodySuspect, refusal.RepairAmbiguous,
		refusal.AlreadyApplied, refusal.NoChange, refusal.ParseFailed, refusal.RangeInvalid,
	}
	for _, code := range regexp.MustCompile(`EDIT_[A-Z_]+`).FindAllString(Text(), -1) {
		if !slices.Contains(known, refusal.Code(code)) {
			t.Errorf("%s is no code", code)
		}
	}
}

type generator struct {
	t       *testing.T
	files   []txtar.File
	session *session.Session
	tags    map[string][]string // by path, in the order printed
}

var fence = regexp.MustCompile("(?ms)^```([^\n]+)\n(.*?)^```\n\n?")

func (g *generator) generate(template string) string {
	return fence.ReplaceAllStringFunc(template, func(s string) string {
		m := fence.FindStringSubmatch(s)
		words := strings.Fields(m[1])
		out := g.example(words, m[2])
		if out == "" {
			return ""
		}
		return "```text\n" + out + "```\n\n"
	})
}

func (g *generator) example(words []string, body string) string {
	kind, flags := words[0], words[1:]
	has := func(flag string) bool { return slices.Contains(flags, flag) }
	if !has("continue") {
		g.start()
	}
	if kind == "read" {
		return g.read(flags[0])
	}
	script := g.expand(body)
	res, err := g.session.Patch(context.Background(), session.PatchRequest{Script: script})
	switch kind {
	case "refuse":
		code := refusal.Code(flags[0])
		if !errors.Is(err, code) {
			g.t.Errorf("want %s, got %v, for:\n%s", code, err, script)
			return ""
		}
		e := refusal.As(err)
		return script + fmt.Sprintf("→ %s: %s\n", e.Code, clause(e.What))
	case "warn":
		if err != nil {
			g.t.Errorf("%v, for:\n%s", err, script)
			return ""
		}
		for _, w := range res.Warnings {
			if string(w.Code) == flags[0] {
				return script + fmt.Sprintf("→ warning %s: %s\n", w.Code, clause(w.Message))
			}
		}
		g.t.Errorf("want %s, got %v, for:\n%s", flags[0], res.Warnings, script)
		return ""
	}
	if err != nil {
		g.t.Errorf("%v, for:\n%s", err, script)
		return ""
	}
	for _, w := range res.Warnings {
		if w.Code != refusal.Remapped {
			g.t.Errorf("warning %s: %s, for:\n%s", w.Code, w.Message, script)
		}
	}
	text := res.Text()
	g.note(text)
	switch {
	case has("hidden"):
		return ""
	case has("show"):
		return script + "→\n" + text
	}
	return script
}

// clause is what a message says first.
func clause(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return s
}

// start makes fresh files and a session that has read them.
func (g *generator) start() {
	if g.session != nil {
		g.session.Close()
	}
	root, state := g.t.TempDir(), g.t.TempDir()
	for _, f := range g.files {
		if err := os.WriteFile(filepath.Join(root, f.Name), f.Data, 0o644); err != nil {
			g.t.Fatal(err)
		}
	}
	s, err := session.Open([]string{root}, session.Options{Workspace: workspace.Options{StateDir: state}})
	if err != nil {
		g.t.Fatal(err)
	}
	g.session, g.tags = s, map[string][]string{}
	g.t.Cleanup(func() { s.Close() })
	for _, f := range g.files {
		g.read(f.Name)
	}
}

func (g *generator) read(path string) string {
	res, err := g.session.Read(context.Background(), session.ReadRequest{Path: path})
	if err != nil {
		g.t.Fatal(err)
	}
	g.note(res.Text())
	return res.Text()
}

var header = regexp.MustCompile(`(?m)^\[(.+)#([0-9A-F]{4})\]$`)

func (g *generator) note(text string) {
	for _, m := range header.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(g.tags[m[1]], m[2]) {
			g.tags[m[1]] = append(g.tags[m[1]], m[2])
		}
	}
}

var placeholder = regexp.MustCompile(`\{\{tag(@0)? ([^}]+)\}\}`)

func (g *generator) expand(s string) string {
	return placeholder.ReplaceAllStringFunc(s, func(p string) string {
		m := placeholder.FindStringSubmatch(p)
		tags := g.tags[m[2]]
		if m[1] != "" {
			return tags[0]
		}
		return tags[len(tags)-1]
	})
}
