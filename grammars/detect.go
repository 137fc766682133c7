package grammars

import (
	"bytes"
	"path"
	"strings"
	"sync"
)

type index struct {
	ext, file, interpreter map[string]string
	patterns               [][2]string // pattern, language
}

var detector = sync.OnceValue(func() *index {
	tables()
	x := &index{map[string]string{}, map[string]string{}, map[string]string{}, nil}
	for _, l := range order {
		for _, e := range l.Extensions {
			x.ext[e] = l.Name
		}
		for _, f := range l.Files {
			if strings.ContainsAny(f, "*?[") {
				x.patterns = append(x.patterns, [2]string{f, l.Name})
			} else {
				x.file[f] = l.Name
			}
		}
		for _, s := range l.Interpreters {
			x.interpreter[s] = l.Name
		}
	}
	return x
})

// Detect names the language of a file: by its base name, then by its
// extension, both whatever their case, then by the interpreter in a first row
// that starts with `#!`. A .h is C unless it holds rows that only C++ can read,
// outside of what `__cplusplus` guards. first is the beginning of the text: 256
// bytes are enough, fewer or none are fine, and of a .h the more the better.
// The answer is "" when nothing is known. Cost: linear in first for a .h.
func Detect(name string, first []byte) string {
	base := name
	if i := strings.LastIndexAny(base, `/\`); i >= 0 {
		base = base[i+1:]
	}
	base = strings.ToLower(base)
	x := detector()
	if l := x.file[base]; l != "" {
		return l
	}
	for _, p := range x.patterns {
		if ok, _ := path.Match(p[0], base); ok {
			return p[1]
		}
	}
	// Names such as `a.d.ts` or `a.tar.gz` are tried from the longest suffix.
	for rest := base; ; {
		i := strings.IndexByte(rest, '.')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		if l := x.ext[rest]; l != "" {
			if rest == "h" && isCpp(first) {
				return "cpp"
			}
			return l
		}
	}
	if strings.Contains(strings.TrimPrefix(base, "."), ".") {
		return ""
	}
	return x.interpreter[interpreter(first)]
}

// interpreter is the program that a `#!` row names, without its directory and
// its version; "" when there is none.
func interpreter(first []byte) string {
	first = bytes.TrimPrefix(first, []byte("\ufeff"))
	if !bytes.HasPrefix(first, []byte("#!")) {
		return ""
	}
	row := first[2:]
	if i := bytes.IndexAny(row, "\r\n"); i >= 0 {
		row = row[:i]
	}
	words := strings.Fields(string(row))
	for len(words) > 0 {
		w := words[0][strings.LastIndexByte(words[0], '/')+1:]
		words = words[1:]
		if w == "env" || strings.HasPrefix(w, "-") || strings.Contains(w, "=") {
			continue
		}
		return strings.TrimRight(w, "0123456789.")
	}
	return ""
}
