package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"putcut/dialects"
)

// A size is what the same changes take in one format.
type size struct{ bytes, tokens, argument int }

// A table is what all changes take in all formats.
type table struct {
	sizes   map[dialects.Format]*size
	texts   map[dialects.Format]*bytes.Buffer
	changes int
	hunks   int
	// odd are changes that not all formats can say; over those that a format
	// refuses for its limits.
	odd  int
	over map[dialects.Format]int
}

// measure says every change in every format. A change counts only when all
// formats say it, so that all columns are about the same changes.
func measure(all []module) *table {
	t := &table{sizes: map[dialects.Format]*size{}, texts: map[dialects.Format]*bytes.Buffer{}, over: map[dialects.Format]int{}}
	for _, f := range forms {
		t.sizes[f], t.texts[f] = &size{}, &bytes.Buffer{}
	}
	for _, m := range all {
		for _, c := range m.files {
			t.add(c)
		}
	}
	return t
}

func (t *table) add(c change) {
	src := dialects.MapSource{c.path: c.old}
	b, err := dialects.Lower(src, []dialects.Input{{Format: dialects.WholeFile, Path: c.path, Text: string(c.new)}}, dialects.Options{})
	if err != nil || !c.plain() || len(b.Files[0].Unsayable) > 0 {
		t.odd++
		return
	}
	f := b.Files[0]
	said := say(f)
	for _, format := range forms {
		if format == script {
			continue
		}
		got, err := dialects.Lower(src, []dialects.Input{input(f, format, said[format])}, dialects.Options{Exact: true})
		if err == nil && bytes.Equal(got.Files[0].New.Body(), f.New.Body()) {
			continue
		}
		t.over[format]++
		if err == nil || t.over[format] <= 3 {
			fmt.Fprintf(os.Stderr, "left out: %s: %s: %v\n", c.path, format, err)
		}
		return
	}
	t.changes++
	t.hunks += len(f.Map.Hunks())
	for format, s := range said {
		z := t.sizes[format]
		z.bytes += len(s)
		z.tokens += tokens(s)
		z.argument += tokens(argument(format, s))
		t.texts[format].WriteString(s)
	}
}

// write writes the texts of all formats to a folder.
func (t *table) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for format, b := range t.texts {
		name := strings.ReplaceAll(string(format), "/", "-")
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "`go run ./internal/sizes`: the same %s changed files of %d Go modules, two versions each (%s hunks), in every format.\n", thousands(t.changes), len(releases), thousands(t.hunks))
	left := fmt.Sprintf("Left out: %d changes that not all formats can say (terminators, final newlines)", t.odd)
	for _, f := range forms {
		if n := t.over[f]; n > 0 {
			left += fmt.Sprintf("; %d that %s refuses", n, f)
		}
	}
	b.WriteString(left + ".\n\n")
	b.WriteString("| format | bytes | tokens | against the script | tokens as a JSON argument | against the script |\n|---|--:|--:|--:|--:|--:|\n")
	base := t.sizes[script]
	for _, f := range forms {
		z := t.sizes[f]
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f | %s | %.2f |\n", f, thousands(z.bytes), thousands(z.tokens), ratio(z.tokens, base.tokens), thousands(z.argument), ratio(z.argument, base.argument))
	}
	return b.String()
}

func ratio(a, b int) float64 { return float64(a) / float64(max(b, 1)) }
