package blocks

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// nodesBy lists what a reader of Markdown makes of a text, a node a row.
func nodesBy(read func(*builder), src string) string {
	b := &builder{src: []byte(src), kinds: map[string]uint16{}, starts: rowStarts([]byte(src))}
	for i, k := range markdownKinds {
		b.kinds[k] = uint16(i)
	}
	b.open("document", 0)
	read(b)
	b.close(len(src))
	var w strings.Builder
	depth := make([]int, len(b.nodes))
	for i, n := range b.nodes {
		if n.parent >= 0 {
			depth[i] = depth[n.parent] + 1
			fmt.Fprintf(&w, "%s%s %q\n", strings.Repeat(" ", depth[i]-1), markdownKinds[n.kind], src[n.start:n.end])
		}
	}
	return w.String()
}

func ours(b *builder) { (&markdownBuilder{b, b.src}).children(readMarkdown(b.src)) }

func sameAsModel(t *testing.T, src string) {
	t.Helper()
	if got, want := nodesBy(ours, src), nodesBy(modelOf, src); got != want {
		t.Fatalf("of %q:\ngot\n%swant\n%s", src, got, want)
	}
}

func TestMarkdownDocuments(t *testing.T) {
	n := 0
	filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			sameAsModel(t, string(src))
			n++
		}
		return nil
	})
	if n < 5 {
		t.Errorf("only %d documents", n)
	}
}

// TestMarkdownAgainstTheModel leaves out what TestMarkdownBlocks has: where the
// model strays from CommonMark.
func TestMarkdownAgainstTheModel(t *testing.T) {
	parts := []string{"- ", "- ", "* ", "+ ", "1. ", "2. ", "10) ", "> ", "> ", ">", "# ", "## ", "###### x #", "    ", "  ", " ", "   ", "---", "***", "* * *",
		"===", "-", "=", "text", "a b", "x", "word.", "| a | b |", "a | b", "<div>", "</div>", "<b>", "<!--", "-->", "<pre>", "</pre>",
		"<?x", "?>", "<a href=\"x\">", "\\", "`c`", "1.", "1234567890. "}
	rows := []string{"[x]: /u\n", "[x]: <u> \"t\"\n", "[x]:\n  /u\n", "```\n\ncode\n```\n", "~~~ go\n~~~\n", "\tcode\n", "| a |\n|:-:|\n| b |\n", "[x\n", "| `a|b` | \\| |\n--|--|--\n"}
	emptyItem := regexp.MustCompile(`(?m)([-+*]|[0-9]+[.)]) *$`)
	rnd := rand.New(rand.NewPCG(1, 3))
	for range 60_000 {
		var b bytes.Buffer
		for range 1 + rnd.IntN(7) {
			if rnd.IntN(6) == 0 {
				b.WriteString("\n" + rows[rnd.IntN(len(rows))] + "\n")
				continue
			}
			for range rnd.IntN(4) {
				b.WriteString(parts[rnd.IntN(len(parts))])
			}
			b.WriteString([]string{"\n", "\n", "\n", "\n\n"}[rnd.IntN(4)])
		}
		if !emptyItem.Match(b.Bytes()) {
			sameAsModel(t, b.String())
		}
	}
}

// The model has tables with fewer cells in the header than below it, and none in
// a paragraph whose first row of dashes makes none; it takes lazy rows for rows
// of a table, and underlines and code after it for none. These have nothing of
// that.
func TestMarkdownTablesAgainstTheModel(t *testing.T) {
	rows := []string{"| a | b |", "|---|---|", "a | b", "--|--", ":-:|:--", "`|` b", "\\| | c |", "", "", "# x", "```", "* * *", "<div>"}
	rnd := rand.New(rand.NewPCG(1, 4))
	for range 20_000 {
		before := []string{"", "", "> ", "  "}[rnd.IntN(4)]
		var b strings.Builder
		for range 1 + rnd.IntN(8) {
			b.WriteString(before + rows[rnd.IntN(len(rows))] + "\n")
		}
		sameAsModel(t, b.String())
	}
}

func TestMarkdownBlocks(t *testing.T) {
	for _, c := range []struct{ what, src, want string }{
		{"an empty item with CRLF", "-\r\n", "list \"-\\r\"\n item \"-\\r\"\n"},
		{"text that begins with a mark of headings and is underlined", "#x\n---\n", "section \"#x\\n---\"\n heading \"#x\\n---\"\n  name \"#x\"\n"},
		{"an item whose first row is blank", "* \n  + x\n", "list \"* \\n  + x\"\n item \"* \\n  + x\"\n  list \"+ x\"\n   item \"+ x\"\n    paragraph \"x\"\n"},
		{"an item with two blank rows first is empty", "*\n\n  x\n", "list \"*\"\n item \"*\"\nparagraph \"x\"\n"},
		{"a fence ends with its container", "1. ```\n```\n", "list \"1. ```\"\n item \"1. ```\"\n  fence \"```\"\nfence \"```\"\n"},
		{"a fence without an end", "```\na\n\n", "fence \"```\\na\\n\"\n"},
		{"a list behind a tab", "- a\n\t- b\n", "list \"- a\\n\\t- b\"\n item \"- a\\n\\t- b\"\n  paragraph \"a\"\n  list \"- b\"\n   item \"- b\"\n    paragraph \"b\"\n"},
		{"HTML behind a tab", "> \t<div>\n", "quote \"> \\t<div>\"\n html \"<div>\"\n"},
		{"a definition before text", "[x]: /u\ntext\n", "paragraph \"text\"\n"},
		{"a definition whose title is none", "[x]: /u\n\"t\" x\n", "paragraph \"\\\"t\\\" x\"\n"},
		{"a destination that is none", "[x]: <a<b>\n", "paragraph \"[x]: <a<b>\"\n"},
		{"a definition whose underline is text", "[x]: /u\n===\n", "paragraph \"===\"\n"},
		{"a title over rows", "[x]: /u 'a\nb'\ny\n", "paragraph \"y\"\n"},
		{"a table in a paragraph", "text\na | b\n--|--\n1\n\n2\n", "paragraph \"text\"\ntable \"a | b\\n--|--\\n1\"\n row \"a | b\"\n row \"1\"\nparagraph \"2\"\n"},
		{"a table in a quote", "> a | b\n> --|--\n> 1 | 2\n", "quote \"> a | b\\n> --|--\\n> 1 | 2\"\n table \"a | b\\n> --|--\\n> 1 | 2\"\n  row \"a | b\"\n  row \"1 | 2\"\n"},
		{"bars in code part cells", "`a | b`\n--|--\n", "table \"`a | b`\\n--|--\"\n row \"`a | b`\"\n"},
		{"guarded bars do not", "a \\| b\n|-|\n", "table \"a \\\\| b\\n|-|\"\n row \"a \\\\| b\"\n"},
		{"more cells than dashes", "a | b | c\n--|--\n", "paragraph \"a | b | c\\n--|--\"\n"},
		{"fewer cells than dashes", "text\na\n--|--\n", "paragraph \"text\\na\\n--|--\"\n"},
		{"a later header may have as many", "a\n-|-\nb | c\n-|-\n", "paragraph \"a\\n-|-\"\ntable \"b | c\\n-|-\"\n row \"b | c\"\n"},
		{"no lazy row of a table", "> a | b\n> --|--\nc\n", "quote \"> a | b\\n> --|--\"\n table \"a | b\\n> --|--\"\n  row \"a | b\"\nparagraph \"c\"\n"},
		{"no lazy row of a table in an item", "- a | b\n  --|--\n  1 | 2\nc\n", "list \"- a | b\\n  --|--\\n  1 | 2\"\n item \"- a | b\\n  --|--\\n  1 | 2\"\n  table \"a | b\\n  --|--\\n  1 | 2\"\n   row \"a | b\"\n   row \"1 | 2\"\nparagraph \"c\"\n"},
		{"no lazy row of dashes", "> a | b\n--|--\n", "quote \"> a | b\\n--|--\"\n paragraph \"a | b\\n--|--\"\n"},
		{"a row of a table that would underline", "a | b\n--|--\n===\n", "table \"a | b\\n--|--\\n===\"\n row \"a | b\"\n row \"===\"\n"},
		{"a break after a table", "a | b\n--|--\n---\n", "table \"a | b\\n--|--\"\n row \"a | b\"\nbreak \"---\"\n"},
		{"code after a table", "a | b\n--|--\n    c\n", "table \"a | b\\n--|--\"\n row \"a | b\"\ncode \"c\"\n"},
		{"a list after a table", "a | b\n--|--\n2. c\n", "table \"a | b\\n--|--\"\n row \"a | b\"\nlist \"2. c\"\n item \"2. c\"\n  paragraph \"c\"\n"},
		{"a definition before a table", "[x]: /u\na | b\n--|--\n", "table \"a | b\\n--|--\"\n row \"a | b\"\n"},
		{"a definition is no header", "[x]: /u\n|-|\n", "paragraph \"|-|\"\n"},
		{"dashes too far in", "a | b\n    --|--\n", "paragraph \"a | b\\n    --|--\"\n"},
		{"a lazy row", "> a\nb\n", "quote \"> a\\nb\"\n paragraph \"a\\nb\"\n"},
		{"no lazy code", "> a\n    b\n", "quote \"> a\\n    b\"\n paragraph \"a\\n    b\"\n"},
		{"a number that cannot part text", "a\n2. b\n", "paragraph \"a\\n2. b\"\n"},
		{"one that can", "a\n1. b\n", "paragraph \"a\"\nlist \"1. b\"\n item \"1. b\"\n  paragraph \"b\"\n"},
		{"another bullet is another list", "- a\n+ b\n", "list \"- a\"\n item \"- a\"\n  paragraph \"a\"\nlist \"+ b\"\n item \"+ b\"\n  paragraph \"b\"\n"},
		{"a break among bullets", "* a\n* * *\n", "list \"* a\"\n item \"* a\"\n  paragraph \"a\"\nbreak \"* * *\"\n"},
		{"code in an item", "-     a\n\n      b\n", "list \"-     a\\n\\n      b\"\n item \"-     a\\n\\n      b\"\n  code \"a\\n\\n      b\"\n"},
		{"sections", "# a\n## b ##\n# c\n", "section \"# a\\n## b ##\"\n heading \"# a\"\n  name \"a\"\n section \"## b ##\"\n  heading \"## b ##\"\n   name \"b\"\nsection \"# c\"\n heading \"# c\"\n  name \"c\"\n"},
		{"HTML up to a blank row", "<div>\na\n\nb\n", "html \"<div>\\na\"\nparagraph \"b\"\n"},
		{"HTML up to its end", "<pre>\n\na</pre>\nb\n", "html \"<pre>\\n\\na</pre>\"\nparagraph \"b\"\n"},
		{"an inline tag in a row of text", "a\n<b>\n", "paragraph \"a\\n<b>\"\n"},
	} {
		if got := nodesBy(ours, c.src); got != c.want {
			t.Errorf("%s: %q\ngot\n%swant\n%s", c.what, c.src, got, c.want)
		}
	}
}
