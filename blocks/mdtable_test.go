package blocks

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	gparser "github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The extension that the parser's authors wrote is the model of our tables.
var modelMarkdown = gparser.NewParser(
	gparser.WithBlockParsers(gparser.DefaultBlockParsers()...),
	gparser.WithParagraphTransformers(append(gparser.DefaultParagraphTransformers(), util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
)

// outlineOf writes a tree of blocks with every position that parseMarkdown
// reads.
func outlineOf(n ast.Node, w *strings.Builder) {
	switch t := n.(type) {
	case *tableNode:
		fmt.Fprintf(w, "table %v\n", t.rows)
		return
	case *east.Table:
		var rows []int
		for r := t.FirstChild(); r != nil; r = r.NextSibling() {
			rows = append(rows, r.Pos())
		}
		fmt.Fprintf(w, "table %v\n", rows)
		return
	}
	fmt.Fprintf(w, "%s %d", n.Kind(), n.Pos())
	if n.Type() == ast.TypeBlock {
		for i := range n.Lines().Len() {
			fmt.Fprintf(w, " %v", n.Lines().At(i))
		}
	}
	w.WriteString("\n")
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		outlineOf(c, w)
	}
	w.WriteString("end\n")
}

func sameTables(t *testing.T, src []byte) {
	t.Helper()
	var want, got strings.Builder
	outlineOf(modelMarkdown.Parse(gtext.NewReader(src)), &want)
	outlineOf(markdown().Parse(gtext.NewReader(src)), &got)
	if want.String() != got.String() {
		t.Fatalf("of %q:\ngot  %s\nwant %s", src, got.String(), want.String())
	}
}

func TestTables(t *testing.T) {
	for _, c := range []struct {
		src  string
		rows []int
	}{
		{"| a | b |\n|---|:-:|\n| 1 | 2 |\n", []int{0, 20}},
		{"a | b\n-|-\n1\n\n2 | 3\n", []int{0, 10}},
		{"text\na | b\n--|--\n", []int{5}},
		{"a\n|---|---|\n", []int{0}},
		{"a | b | c\n--|--\n", nil},
		{"`a | b`\n--|--\n", []int{0}},
		{"a \\| b\n|-|\n", []int{0}},
		{"a | b\n    --|--\n", nil},
		{"a | b\n--|+-\n", nil},
		{"a | b\n--|--\n> q\n", []int{0}},
		{"> a | b\n> --|--\n> 1 | 2\n", []int{2, 18}},
		{"- a | b\n  --|--\n  1 | 2\n", []int{2, 18}},
		{"a\n|\n", nil},
	} {
		sameTables(t, []byte(c.src))
		var rows []int
		ast.Walk(markdown().Parse(gtext.NewReader([]byte(c.src))), func(n ast.Node, in bool) (ast.WalkStatus, error) {
			if tab, ok := n.(*tableNode); ok && in {
				rows = append(rows, tab.rows...)
			}
			return ast.WalkContinue, nil
		})
		if !slices.Equal(rows, c.rows) {
			t.Errorf("%q: rows at %v, want %v", c.src, rows, c.rows)
		}
	}
}

func TestTablesAgainstTheModel(t *testing.T) {
	if readme, err := os.ReadFile("../README.md"); err == nil {
		sameTables(t, readme)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	marks := []string{"|", "|", "|", "-", "-", "--", "---", ":", " ", " ", "\t", "\\", "`", "a", "b c", "\n", "\n", "\n", "\n\n", "> ", "- ", "    ", "\r\n", "\f", "\v", "#", "=", "<b>", "é", "[x]: y"}
	for range 60_000 {
		var b bytes.Buffer
		for range 1 + rnd.IntN(30) {
			b.WriteString(marks[rnd.IntN(len(marks))])
		}
		sameTables(t, b.Bytes())
	}
	// Rows that are nearly tables, so that most of the time there is one.
	for range 30_000 {
		var b bytes.Buffer
		for range rnd.IntN(3) {
			b.WriteString("text\n")
		}
		for row := range 1 + rnd.IntN(5) {
			b.WriteString([]string{"", "", "", "> ", "  ", "\t", "- "}[rnd.IntN(7)])
			for range 1 + rnd.IntN(4) {
				b.WriteString([]string{"|", "|", "", " | ", "\\|"}[rnd.IntN(5)])
				if row%2 == 1 {
					b.WriteString([]string{"---", ":-", "-:", " :-: ", "-", " ", ":"}[rnd.IntN(7)])
				} else {
					b.WriteString([]string{"a", "`b|c`", "", " ", "\\", "x\\|y"}[rnd.IntN(6)])
				}
			}
			b.WriteString([]string{"|\n", "\n", " |\n", "\r\n", "| \n", ""}[rnd.IntN(6)])
		}
		sameTables(t, b.Bytes())
	}
}
