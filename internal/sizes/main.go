// Sizes takes what really changed between two versions of public Go modules,
// writes each changed file's change in every edit format, and prints how much a
// model would have to write in each. Every text is lowered back and must make
// the same file, so that no format is credited with what it did not say.
//
// Then it takes the same changes round: script to diff to git apply and patch
// against the engine, and git's diff to script to engine against git apply.
//
//	go run ./internal/sizes
//
// It prints Markdown. It needs the commands go, git and patch, and the proxy
// that the go command asks. A change outside the bounds below is left out of
// the table of sizes and is counted; round trips take it all the same.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"sort"
	"strings"

	"putcut/internal/fetch"
	"putcut/text"
)

// maxBytes bounds a file. It is about time, not about what the engine can do.
const maxBytes = 400 << 10

func main() {
	each := flag.Int("each", 400, "most changed files of one module; 0 is all")
	trips := flag.Bool("trips", true, "take the changes round as well")
	texts := flag.String("texts", "", "write what a model would write there, a file a format, for a tokenizer of your own")
	flag.Parse()
	if err := run(*each, *trips, *texts); err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
}

func run(each int, trips bool, texts string) error {
	all, err := collect(each)
	if err != nil {
		return err
	}
	t := measure(all)
	if texts != "" {
		if err := t.write(texts); err != nil {
			return err
		}
	}
	fmt.Print(t.markdown())
	if !trips {
		return nil
	}
	total := &trip{}
	for _, m := range all {
		if err := total.around(m); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	fmt.Print(total.markdown())
	for _, f := range total.faults {
		fmt.Fprintln(os.Stderr, f)
	}
	if len(total.faults) > 0 {
		return fmt.Errorf("%d round trips did not come out the same", len(total.faults))
	}
	return nil
}

// A module is the changed files of one module.
type module struct {
	name  string
	files []change
	// marks are changes left out because a byte order mark came or went, which
	// whole files and diffs are refused for.
	marks int
}

// A change is one file before and after.
type change struct {
	path     string
	old, new []byte
}

// collect fetches all releases and pairs the files that two versions share and
// that differ, at most each of a module, spread evenly over their paths.
func collect(each int) ([]module, error) {
	var all []module
	for _, r := range releases {
		from, err := fetch.Go(r.name, r.from, maxBytes)
		if err != nil {
			return nil, err
		}
		to, err := fetch.Go(r.name, r.to, maxBytes)
		if err != nil {
			return nil, err
		}
		var names []string
		for name := range from {
			if now, ok := to[name]; ok && !bytes.Equal(from[name], now) && isText(from[name]) && isText(now) && path.Base(name) != ".gitattributes" {
				names = append(names, name)
			}
		}
		sort.Strings(names)
		m := module{name: r.name}
		for i, name := range names {
			if n := len(names); each > 0 && n > each && (i+1)*each/n == i*each/n {
				continue
			}
			c := change{name, from[name], to[name]}
			if bytes.HasPrefix(c.old, bom) != bytes.HasPrefix(c.new, bom) {
				m.marks++
				continue
			}
			m.files = append(m.files, c)
		}
		all = append(all, m)
	}
	return all, nil
}

var bom = []byte("\ufeff")

// isText reports whether a file is text that a diff can carry.
func isText(b []byte) bool {
	t, err := text.Decode(b, "")
	return err == nil && t.Format().Encoding == text.UTF8 && !bytes.Contains(b, []byte{0})
}

// plain reports whether a change is one that all formats can say: LF alone, the
// final newline as it was, valid UTF-8, nothing empty.
func (c change) plain() bool {
	for _, b := range [][]byte{c.old, c.new} {
		t, err := text.Decode(b, "")
		if err != nil || !t.Valid() || t.Format().BOM || t.Len() == 0 || bytes.IndexByte(b, '\r') >= 0 {
			return false
		}
	}
	return bytes.HasSuffix(c.old, []byte("\n")) == bytes.HasSuffix(c.new, []byte("\n"))
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	var b strings.Builder
	for i, r := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String()
}
