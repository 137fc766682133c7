//go:build cgo

package blocks

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"putcut/grammars"
	"putcut/text"
)

// fuzz feeds any bytes to the parser of one language: the process must live,
// and the answers must make sense.
func fuzz(f *testing.F, lang string) {
	tables, _ := filepath.Glob("testdata/*.jsonl")
	for _, table := range tables {
		for _, s := range sampleTexts(f, table) {
			if grammars.Detect(s.path, nil) == lang {
				f.Add([]byte(s.text))
			}
		}
	}
	for _, s := range []string{"", "\n", "a", "\r", "a\rb\r", "\xff\xfe\n", "{\n", "\t\n\t", "(((", "a<a<a<", "> > >", "<<A\n", "\"\"\"\n", "\u00e9 {\r\n}\r\n"} {
		f.Add([]byte(s))
	}
	e := New(Options{CacheBytes: -1, Timeout: 200 * time.Millisecond})
	f.Fuzz(func(t *testing.T, body []byte) {
		tree, err := e.Parse(context.Background(), lang, text.FromBody(body, text.Format{}))
		if err != nil {
			t.Fatal(err)
		}
		sensible(t, tree)
	})
}

// sensible checks what holds for every tree: spans start on their line, are
// longer than it, stay inside the text and nest; every decline has its message.
func sensible(t *testing.T, tree *Tree) {
	spans := tree.Spans()
	var open []int // last lines of the spans around the current one
	for i, s := range spans {
		line := i + 1
		if got, err := tree.Span(line); got != s || (err == nil) != (s.Start > 0) {
			t.Fatalf("line %d: Span gives %v, %v and Spans %v", line, got, err, s)
		}
		for len(open) > 0 && open[len(open)-1] < line {
			open = open[:len(open)-1]
		}
		if s.Start == 0 {
			continue
		}
		if s.Start != line || s.End <= line || s.End > len(spans) {
			t.Fatalf("line %d: span %v of %d lines", line, s, len(spans))
		}
		if len(open) > 0 && s.End > open[len(open)-1] {
			t.Fatalf("line %d: span %v ends after the one around it, which ends on line %d", line, s, open[len(open)-1])
		}
		open = append(open, s.End)
	}
	for _, line := range []int{-1, 0, len(spans) + 1} {
		if _, err := tree.Span(line); err == nil {
			t.Fatalf("line %d has a span", line)
		}
	}
	for _, d := range tree.Outline() {
		if d.Start < 1 || d.End < d.Start || d.End > len(spans) || d.Name == "" || d.Path == "" {
			t.Fatalf("declaration %+v of %d lines", d, len(spans))
		}
	}
	for _, e := range tree.Errors() {
		if e.Line < 1 || e.Line > max(len(spans), 1) || e.Column < 1 || e.Key == "" || e.Message == "" {
			t.Fatalf("error %+v of %d lines", e, len(spans))
		}
	}
}

func FuzzBash(f *testing.F)       { fuzz(f, "bash") }
func FuzzC(f *testing.F)          { fuzz(f, "c") }
func FuzzCPP(f *testing.F)        { fuzz(f, "cpp") }
func FuzzCSharp(f *testing.F)     { fuzz(f, "csharp") }
func FuzzCSS(f *testing.F)        { fuzz(f, "css") }
func FuzzDockerfile(f *testing.F) { fuzz(f, "dockerfile") }
func FuzzElixir(f *testing.F)     { fuzz(f, "elixir") }
func FuzzGo(f *testing.F)         { fuzz(f, "go") }
func FuzzHCL(f *testing.F)        { fuzz(f, "hcl") }
func FuzzHTML(f *testing.F)       { fuzz(f, "html") }
func FuzzJava(f *testing.F)       { fuzz(f, "java") }
func FuzzJavaScript(f *testing.F) { fuzz(f, "javascript") }
func FuzzJSON(f *testing.F)       { fuzz(f, "json") }
func FuzzJSONC(f *testing.F)      { fuzz(f, "jsonc") }
func FuzzKotlin(f *testing.F)     { fuzz(f, "kotlin") }
func FuzzLua(f *testing.F)        { fuzz(f, "lua") }
func FuzzMake(f *testing.F)       { fuzz(f, "make") }
func FuzzMarkdown(f *testing.F)   { fuzz(f, "markdown") }
func FuzzPHP(f *testing.F)        { fuzz(f, "php") }
func FuzzProtobuf(f *testing.F)   { fuzz(f, "protobuf") }
func FuzzPython(f *testing.F)     { fuzz(f, "python") }
func FuzzRuby(f *testing.F)       { fuzz(f, "ruby") }
func FuzzRust(f *testing.F)       { fuzz(f, "rust") }
func FuzzScala(f *testing.F)      { fuzz(f, "scala") }
func FuzzSQL(f *testing.F)        { fuzz(f, "sql") }
func FuzzSwift(f *testing.F)      { fuzz(f, "swift") }
func FuzzTOML(f *testing.F)       { fuzz(f, "toml") }
func FuzzTSX(f *testing.F)        { fuzz(f, "tsx") }
func FuzzTypeScript(f *testing.F) { fuzz(f, "typescript") }
func FuzzVue(f *testing.F)        { fuzz(f, "vue") }
func FuzzXML(f *testing.F)        { fuzz(f, "xml") }
func FuzzYAML(f *testing.F)       { fuzz(f, "yaml") }
