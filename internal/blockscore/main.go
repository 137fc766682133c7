// Blockscore is for developers of the language tables: it prints syntax trees
// and scores truth tables.
//
//	blockscore -tree LANGUAGE < FILE    the tree as the tables see it
//	blockscore -outline FILE ...        the declarations
//	blockscore -spans FILE ...          the span of every row
//	blockscore -table FILE ...          records for a truth table, to be checked
//	blockscore FILE.jsonl ...           rows that differ, and a score a file
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"putcut/blocks"
	"putcut/grammars"
	"putcut/text"
)

type record struct {
	Path  string
	Text  string
	Spans []*[2]int
	Doubt []struct{ Line int }
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == "-tree" {
		b, err := io.ReadAll(os.Stdin)
		check(err)
		t, err := text.Decode(b, "")
		check(err)
		fmt.Print(blocks.Dump(os.Args[2], t))
		return
	}
	if len(os.Args) > 2 && os.Args[1] == "-outline" || len(os.Args) > 2 && os.Args[1] == "-spans" {
		for _, f := range os.Args[2:] {
			show(f, os.Args[1] == "-outline")
		}
		return
	}
	if len(os.Args) > 2 && os.Args[1] == "-table" {
		for _, f := range os.Args[2:] {
			table(f)
		}
		return
	}
	for _, f := range os.Args[1:] {
		score(f)
	}
}

// table prints a record of a truth table with the spans as they are now, for
// somebody who knows the language to check.
func table(file string) {
	b, err := os.ReadFile(file)
	check(err)
	t, err := text.Decode(b, "")
	check(err)
	tr, err := blocks.New(blocks.Options{}).Parse(context.Background(), grammars.Detect(file, t.Body()), t)
	check(err)
	rec := struct {
		Path  string     `json:"path"`
		Text  string     `json:"text"`
		Spans []*[2]int  `json:"spans"`
		Doubt []struct{} `json:"doubt"`
	}{Path: filepath.Base(file), Text: string(b), Spans: []*[2]int{}, Doubt: []struct{}{}}
	for _, s := range tr.Spans() {
		if s.Start == 0 {
			rec.Spans = append(rec.Spans, nil)
		} else {
			rec.Spans = append(rec.Spans, &[2]int{s.Start, s.End})
		}
	}
	out, err := json.Marshal(rec)
	check(err)
	fmt.Println(string(out))
}

// show prints the declarations of a file, or the span of every row.
func show(file string, outline bool) {
	b, err := os.ReadFile(file)
	check(err)
	t, err := text.Decode(b, "")
	check(err)
	tr, err := blocks.New(blocks.Options{}).Parse(context.Background(), grammars.Detect(file, t.Body()), t)
	check(err)
	for _, e := range tr.Errors() {
		fmt.Printf("%s:%d:%d: %s\n", file, e.Line, e.Column, e.Message)
	}
	if outline {
		for _, d := range tr.Outline() {
			fmt.Printf("%4d-%-4d %s%s %s  (%s)\n", d.Start, d.End, strings.Repeat("  ", d.Depth), d.Kind, d.Name, d.Path)
		}
		return
	}
	for i, s := range tr.Spans() {
		span := ""
		if s.Start > 0 {
			span = fmt.Sprintf("%d-%d", s.Start, s.End)
		}
		fmt.Printf("%4d %-9s %s\n", i+1, span, t.Line(i+1))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func score(file string) {
	f, err := os.Open(file)
	check(err)
	defer f.Close()
	lines, right, openers, opened := 0, 0, 0, 0
	e := blocks.New(blocks.Options{})
	defer e.Close()
	in := bufio.NewReader(f)
	for {
		row, err := in.ReadBytes('\n')
		if len(row) == 0 {
			break
		}
		var r record
		check(json.Unmarshal(row, &r))
		t, derr := text.Decode([]byte(r.Text), "")
		check(derr)
		lang := grammars.Detect(r.Path, t.Body())
		tr, perr := e.Parse(context.Background(), lang, t)
		check(perr)
		doubt := map[int]bool{}
		for _, d := range r.Doubt {
			doubt[d.Line] = true
		}
		for i, got := range tr.Spans() {
			var want blocks.Span
			if s := r.Spans[i]; s != nil {
				want = blocks.Span{Start: s[0], End: s[1]}
			}
			mark := ""
			if doubt[i+1] {
				if got != want {
					mark = "doubt "
				}
			} else {
				lines++
				if want.Start > 0 {
					openers++
				}
				if got == want {
					right++
					if want.Start > 0 {
						opened++
					}
				} else {
					mark = "WRONG "
				}
			}
			if mark != "" {
				fmt.Printf("%s%s:%d want %v got %v | %s\n", mark, r.Path, i+1, want, got, strings.TrimRight(string(t.Line(i+1)), "\r\n"))
			}
		}
		if err != nil {
			break
		}
	}
	fmt.Printf("%-12s lines %d/%d openers %d/%d\n", strings.TrimSuffix(filepath.Base(file), ".jsonl"), right, lines, opened, openers)
}
