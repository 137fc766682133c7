//go:build cgo

package blocks

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"putcut/text"
)

// TestModernSyntax parses the snippets of modern syntax and keeps the list of
// those that do not parse in README.md true. PUTCUT_UPDATE=1 writes the list.
func TestModernSyntax(t *testing.T) {
	dir := "../../shared/conformance"
	if d := os.Getenv("PUTCUT_CONFORMANCE"); d != "" {
		dir = d
	}
	raw, err := os.ReadFile(filepath.Join(dir, "syntax/modern.txtar"))
	if err != nil {
		t.Skipf("%s is not there: the list is not checked", dir)
	}
	e := New(Options{})
	defer e.Close()
	snippets := txtar.Parse(raw).Files
	if len(snippets) == 0 {
		t.Fatal("no snippets")
	}
	var order []string
	failed := map[string][]string{}
	for _, f := range snippets {
		lang, name, _ := strings.Cut(f.Name, "/")
		if strings.Contains(name, "jsonc") {
			lang = "jsonc"
		}
		tree, err := e.Parse(context.Background(), lang, text.FromBody(f.Data, text.Format{}))
		if err != nil {
			t.Fatal(err)
		}
		if !tree.Parsed() {
			t.Errorf("%s: not parsed", f.Name)
		}
		if tree.HasErrors() {
			if failed[lang] == nil {
				order = append(order, lang)
			}
			failed[lang] = append(failed[lang], name)
		}
	}
	var b strings.Builder
	n := 0
	for _, lang := range order {
		n += len(failed[lang])
		b.WriteString("* " + lang + ": " + strings.ReplaceAll(strings.Join(failed[lang], ", "), "_", " ") + "\n")
	}
	t.Logf("%d of %d snippets do not parse", n, len(snippets))
	const from, to = "<!-- snippets -->\n", "<!-- end of snippets -->\n"
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(readme), from)
	list, tail, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatal("README.md has no place for the list")
	}
	if list == b.String() {
		return
	}
	if os.Getenv("PUTCUT_UPDATE") == "" {
		t.Fatalf("README.md lists other snippets; run with PUTCUT_UPDATE=1\nwant:\n%s", b.String())
	}
	if err := os.WriteFile("README.md", []byte(head+from+b.String()+to+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
