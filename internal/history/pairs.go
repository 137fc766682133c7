package main

import (
	"bytes"
	"path"
	"sort"
	"strings"
	"unicode/utf8"

	"putcut/grammars"
)

// Bounds of what is replayed. They are about time, not about what the engine can do.
const (
	maxBytes   = 400 << 10 // of a file
	maxColumns = 10_000    // bytes of a line: read prints no longer one in full
	maxSpoilt  = 64 << 10  // bytes of a file in which mistakes are planted: a search for a repair parses up to 24 times
	maxHunks   = 500       // an engine takes 512 ops a call
)

// A pair is a file before and after a change.
type pair struct {
	Name     string // the package and the path within it
	Path     string // base name, which decides the language
	Language string
	Old, New []byte
	Spoil    bool // mistakes are planted in it
}

// changed pairs the files that two versions share and that differ. Out counts
// those that are left out because no script of lines can say their change, or
// because they are outside the bounds.
func changed(pkg string, from, to map[string][]byte) (pairs []pair, out map[string]int) {
	out = map[string]int{}
	var names []string
	for name := range from {
		if _, ok := to[name]; ok && !bytes.Equal(from[name], to[name]) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		old, now := from[name], to[name]
		if why := leftOut(old, now); why != "" {
			out[why]++
			continue
		}
		pairs = append(pairs, pair{Name: pkg + "/" + name, Path: path.Base(name), Language: languageOf(name, now), Old: old, New: now})
	}
	return pairs, out
}

func leftOut(old, now []byte) string {
	for _, b := range [][]byte{old, now} {
		switch {
		case bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b):
			return "not UTF-8 text"
		case longest(b) > maxColumns:
			return "a line over 10,000 bytes"
		}
	}
	switch {
	case len(old) == 0 || len(now) == 0:
		return "empty before or after"
	case ending(old) != ending(now) || ending(old) == "mixed":
		return "line endings changed or mixed"
	case bytes.HasSuffix(old, []byte("\n")) != bytes.HasSuffix(now, []byte("\n")):
		return "final newline changed"
	case bytes.HasPrefix(old, bom) != bytes.HasPrefix(now, bom):
		return "byte order mark changed"
	}
	return ""
}

var bom = []byte("\uFEFF")

// ending is the terminator of all lines, or "mixed".
func ending(b []byte) string {
	lf, crlf, cr := bytes.Count(b, []byte("\n")), bytes.Count(b, []byte("\r\n")), bytes.Count(b, []byte("\r"))
	switch {
	case crlf == 0 && cr == 0:
		return "LF"
	case crlf == lf && cr == crlf:
		return "CRLF"
	}
	return "mixed"
}

func longest(b []byte) int {
	most := 0
	for len(b) > 0 {
		n := bytes.IndexByte(b, '\n')
		if n < 0 {
			return max(most, len(b))
		}
		most = max(most, n)
		b = b[n+1:]
	}
	return most
}

// lines are the lines of a text, terminators and byte order mark dropped.
func lines(b []byte) []string {
	b = bytes.TrimPrefix(b, bom)
	if len(b) == 0 {
		return nil
	}
	s := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	if ending(b) == "CRLF" {
		for i := range s {
			s[i] = strings.TrimSuffix(s[i], "\r")
		}
	}
	return s
}

func languageOf(name string, b []byte) string {
	if l := grammars.Detect(name, b); l != "" {
		return l
	}
	return "plain text"
}
