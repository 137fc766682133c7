package blocks_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"putcut/blocks"
	"putcut/grammars"
	"putcut/text"
)

// A truth is one file of a truth table: for every row what `N*` must resolve to.
type truth struct {
	Path  string    `json:"path"`
	Text  string    `json:"text"`
	Spans []*[2]int `json:"spans"`
	Doubt []struct {
		Line int    `json:"line"`
		Note string `json:"note"`
	} `json:"doubt"`
}

func (r *truth) want(line int) blocks.Span {
	if s := r.Spans[line-1]; s != nil {
		return blocks.Span{Start: s[0], End: s[1]}
	}
	return blocks.Span{}
}

func readTruths(t *testing.T, file string) []*truth {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []*truth
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		r := new(truth)
		if err := json.Unmarshal(in.Bytes(), r); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, r)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func parse(t testing.TB, e *blocks.Engine, path string, raw []byte) *blocks.Tree {
	t.Helper()
	doc, err := text.Decode(raw, "")
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	tree, err := e.Parse(context.Background(), grammars.Detect(path, doc.Body()), doc)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return tree
}

// score compares every row that is not in doubt, prints a score, and reports
// spans that take a part of a construct that begins outside them.
func score(t *testing.T, e *blocks.Engine, name string, records []*truth) {
	lines, right, openers, opened, swallowed := 0, 0, 0, 0, 0
	for _, r := range records {
		if lang := grammars.Detect(r.Path, nil); lang != "" && !blocks.Supported(lang) {
			t.Skipf("no %s in this build", lang)
		}
		spans := parse(t, e, r.Path, []byte(r.Text)).Spans()
		if len(spans) != len(r.Spans) {
			t.Errorf("%s: %d rows, want %d", r.Path, len(spans), len(r.Spans))
			continue
		}
		doubt := map[int]bool{}
		for _, d := range r.Doubt {
			doubt[d.Line] = true
		}
		for i, got := range spans {
			line := i + 1
			if doubt[line] {
				continue
			}
			want := r.want(line)
			lines++
			if want.Start > 0 {
				openers++
			}
			if got == want {
				right++
				if want.Start > 0 {
					opened++
				}
				continue
			}
			if got.End > want.End && want.Start > 0 {
				swallowed++
			}
			t.Errorf("%s:%d resolves to %v, want %v", r.Path, line, got, want)
		}
	}
	t.Logf("%-12s %4d of %4d lines right, %3d of %3d openers, %d siblings swallowed", name, right, lines, opened, openers, swallowed)
}

func TestTruthTables(t *testing.T) {
	e := blocks.New(blocks.Options{})
	defer e.Close()
	own, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(own) == 0 {
		t.Fatalf("no truth tables in testdata: %v", err)
	}
	shared := "../../shared/conformance/blocks"
	if dir := os.Getenv("PUTCUT_CONFORMANCE"); dir != "" {
		shared = filepath.Join(dir, "blocks")
	}
	var others []string
	if _, err := os.Stat(shared); err != nil {
		t.Logf("%s is not there: only the tables in testdata are checked", shared)
	} else if others, err = filepath.Glob(filepath.Join(shared, "*.jsonl")); err != nil || len(others) == 0 {
		t.Fatalf("no truth tables in %s: %v", shared, err)
	}
	for _, f := range append(own, others...) {
		name := strings.TrimSuffix(filepath.Base(f), ".jsonl")
		t.Run(filepath.Base(filepath.Dir(f))+"/"+name, func(t *testing.T) { score(t, e, name, readTruths(t, f)) })
	}
}
