package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"putcut/blocks"
	"putcut/grammars"
	"putcut/refusal"
	"putcut/text"
)

type blocksOptions struct {
	*Streams
	paths []string
	json  bool
}

// NewCmdBlocks makes the command `blocks`.
func NewCmdBlocks(s *Streams) *cobra.Command {
	opts := &blocksOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "blocks FILE...",
		Short: "Print the construct that opens on every line: what N* means",
		Long: `blocks prints the constructs of files as an indented map. Each row is a line on
which a construct opens, with its first and last line. --json prints one object a
file, whose spans hold [start, end] or null for every line.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.paths = args
			return blocksRun(cmd.Context(), opts)
		},
	}
	jsonFlag(cmd, &opts.json)
	return cmd
}

// A blocksJSON is one file as --json prints it. Spans[0] is line 1.
type blocksJSON struct {
	Path     string    `json:"path"`
	Language string    `json:"language"`
	Unparsed string    `json:"unparsed,omitempty"` // why no span is known
	Spans    []*[2]int `json:"spans"`
}

func blocksRun(ctx context.Context, opts *blocksOptions) error {
	engine := newEngine()
	defer engine.Close()
	return each(ctx, opts.Streams, "putcut blocks", opts.json, opts.paths, func(path string) error {
		t, err := readText(path)
		if err != nil {
			return err
		}
		tree, err := engine.Parse(ctx, grammars.Detect(path, t.Body()), t)
		if err != nil {
			return err
		}
		spans := tree.Spans()
		if opts.json {
			return opts.PrintJSON(spansJSON(path, tree, spans))
		}
		return opts.PrintText(blocksMap(path, tree, t, spans))
	})
}

func spansJSON(path string, tree *blocks.Tree, spans []blocks.Span) blocksJSON {
	out := blocksJSON{Path: path, Language: tree.Language(), Unparsed: tree.Unparsed(), Spans: make([]*[2]int, len(spans))}
	for i, sp := range spans {
		if sp.Start > 0 {
			out.Spans[i] = &[2]int{sp.Start, sp.End}
		}
	}
	return out
}

// blocksMap is the human form: the lines that open a construct, indented below
// the constructs around them.
func blocksMap(path string, tree *blocks.Tree, t *text.Text, spans []blocks.Span) string {
	var b strings.Builder
	kind := tree.Language()
	if kind == "" {
		kind = "unknown language"
	}
	fmt.Fprintf(&b, "%s (%s)\n", path, kind)
	var open []int // the ends of the constructs around, outermost first
	found := false
	for i, sp := range spans {
		if sp.Start == 0 {
			continue
		}
		for len(open) > 0 && open[len(open)-1] < i+1 {
			open = open[:len(open)-1]
		}
		fmt.Fprintf(&b, "%s%d-%d %s\n", strings.Repeat("  ", len(open)+1), sp.Start, sp.End, firstWords(t, i+1))
		open = append(open, sp.End)
		found = true
	}
	switch why := tree.Unparsed(); {
	case why != "":
		fmt.Fprintf(&b, "  (%s)\n", why)
	case !found:
		b.WriteString("  (no construct of several lines can be proved)\n")
	}
	return b.String()
}

// firstWords is a line without its indentation, cut to fit on a row.
func firstWords(t *text.Text, n int) string {
	const most = 72
	row := strings.TrimSpace(strings.ToValidUTF8(string(t.Line(n)), "\ufffd"))
	row = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, row)
	if runes := []rune(row); len(runes) > most {
		row = string(runes[:most]) + "…"
	}
	return row
}

// readText reads a file that the command line names and that is not edited, so
// that it may lie anywhere.
func readText(path string) (*text.Text, error) {
	const most = 16 << 20
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, failuref("cannot read the file: %w", err)
	case !fi.Mode().IsRegular():
		return nil, refusal.New(refusal.NotRegular, "this is no regular file").At(path)
	case fi.Size() > most:
		return nil, refusal.New(refusal.TooLarge, "the file has %d bytes, and %d is the limit", fi.Size(), most).At(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, failuref("cannot read the file: %w", err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, failuref("cannot read the file: %w", err)
	}
	t, err := text.Decode(raw, "")
	if e := refusal.As(err); e != nil {
		e.At(path)
	}
	return t, err
}
