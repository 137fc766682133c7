package grammars

import (
	"bytes"
	"path"
	"strings"
)

// Detect names the language of a file: by its base name, then by its
// extension, both whatever their case, then by the interpreter in a first row
// that starts with `#!`. A .h is C unless it holds rows that only C++ can read,
// outside of what `__cplusplus` guards, or is Objective-C, which is not known. first is the beginning of the text: 256
// bytes are enough, fewer or none are fine, and of a .h the more the better.
// The answer is "" when nothing is known. Cost: linear in first for a .h.
func Detect(name string, first []byte) string {
	base := name
	if i := strings.LastIndexAny(base, `/\`); i >= 0 {
		base = base[i+1:]
	}
	base = strings.ToLower(base)
	if l := find(base, func(l *Language) []string { return l.Files }, same); l != "" {
		return l
	}
	if l := find(base, func(l *Language) []string { return l.Files }, matches); l != "" {
		return l
	}
	// Names such as `a.d.ts` or `a.tar.gz` are tried from the longest suffix.
	for rest := base; ; {
		i := strings.IndexByte(rest, '.')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		if l := find(rest, func(l *Language) []string { return l.Extensions }, same); l != "" {
			switch {
			case rest != "h":
			case isObjC(first):
				return ""
			case isCpp(first):
				return "cpp"
			}
			return l
		}
	}
	if strings.Contains(strings.TrimPrefix(base, "."), ".") {
		return ""
	}
	if name := interpreter(first); name != "" {
		return find(name, func(l *Language) []string { return l.Interpreters }, same)
	}
	return ""
}

// find is the language one of whose words is what s is, "" for none.
func find(s string, words func(*Language) []string, is func(word, s string) bool) string {
	for l := range all {
		for _, w := range words(l) {
			if is(w, s) {
				return l.Name
			}
		}
	}
	return ""
}

func same(word, s string) bool { return word == s }

func matches(pattern, s string) bool {
	if !strings.ContainsAny(pattern, "*?[") {
		return false
	}
	ok, _ := path.Match(pattern, s)
	return ok
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
