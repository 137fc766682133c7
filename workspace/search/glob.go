package search

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"putcut/refusal"
)

// A glob says which files and folders a walk takes. The nil glob takes all.
type glob struct {
	take, leave []globItem
}

// A globItem is one glob without braces.
type globItem struct {
	pattern string
	// anywhere says that the pattern is for the last component of a path.
	anywhere bool
	// suffix is set for the common form "*" and a plain text.
	suffix string
	// within are the plain folders that the pattern begins with, with a slash
	// at the end; nothing outside them can match.
	within string
}

const globMeta = `*?[]{}\`

// compileGlob reads a list of globs. Errors: InvalidArgument.
func compileGlob(s string) (*glob, error) {
	if s == "" {
		return nil, nil
	}
	bad := func(format string, args ...any) error {
		return refusal.New(refusal.InvalidArgument, format, args...).
			WithNext("Use globs such as *.go, src/**/*.{ts,tsx} or !*_test.go, separated by commas")
	}
	if len(s) > MaxGlob {
		return nil, bad("the glob has %d bytes and may have %d", len(s), MaxGlob)
	}
	if strings.ContainsRune(s, 0) {
		return nil, bad("the glob %q has a NUL character", s)
	}
	list, ok := splitGlob(s)
	if !ok {
		return nil, bad("the glob %q is malformed: a bracket or brace is not closed, or a backslash stands at the end", s)
	}
	g := &glob{}
	total := 0
	for _, one := range list {
		into := &g.take
		one = strings.TrimSpace(one)
		if rest, not := strings.CutPrefix(one, "!"); not {
			into, one = &g.leave, rest
		}
		if one == "" {
			return nil, bad("the glob %q has an empty item", s)
		}
		plain, ok := expandBraces(one, MaxGlobItems-total)
		if !ok {
			return nil, bad("the glob %q stands for more than %d globs", s, MaxGlobItems)
		}
		total += len(plain)
		for _, p := range plain {
			it, ok := newGlobItem(p)
			if !ok {
				return nil, bad("the glob %q is malformed", one)
			}
			*into = append(*into, it)
		}
	}
	return g, nil
}

func newGlobItem(p string) (globItem, bool) {
	if !doublestar.ValidatePattern(p) {
		return globItem{}, false
	}
	if body, folder := strings.CutSuffix(p, "/"); folder && body != "" {
		p = body + "/**"
		if !strings.Contains(body, "/") {
			p = "**/" + p
		}
	}
	if !strings.Contains(p, "/") {
		it := globItem{pattern: p, anywhere: true}
		if rest, ok := strings.CutPrefix(p, "*"); ok && rest != "" && !strings.ContainsAny(rest, globMeta) {
			it.suffix = rest
		}
		return it, true
	}
	p = strings.TrimPrefix(strings.TrimPrefix(p, "."), "/")
	it := globItem{pattern: p}
	for rest := p; ; {
		name, after, ok := strings.Cut(rest, "/")
		if !ok || strings.ContainsAny(name, globMeta) {
			break
		}
		if name == "" || name == "." || name == ".." {
			return globItem{}, false
		}
		it.within += name + "/"
		rest = after
	}
	return it, p != ""
}

func (g globItem) match(rel, base string) bool {
	switch {
	case g.suffix != "":
		return strings.HasSuffix(base, g.suffix)
	case g.anywhere:
		return doublestar.MatchUnvalidated(g.pattern, base)
	}
	return doublestar.MatchUnvalidated(g.pattern, rel)
}

// picks reports whether the walk takes a file, or goes into a folder, whose
// path below the start folder is rel.
func (g *glob) picks(rel string, isDir bool) bool {
	if g == nil {
		return true
	}
	base := rel[strings.LastIndexByte(rel, '/')+1:]
	for _, it := range g.leave {
		if it.match(rel, base) {
			return false
		}
	}
	if len(g.take) == 0 {
		return true
	}
	for _, it := range g.take {
		if isDir {
			if it.reaches(rel) {
				return true
			}
		} else if it.match(rel, base) {
			return true
		}
	}
	return false
}

// reaches reports whether a file in the folder rel could match.
func (g globItem) reaches(rel string) bool {
	rel += "/"
	return strings.HasPrefix(rel, g.within) || strings.HasPrefix(g.within, rel)
}

// splitGlob splits a list at the commas outside braces, brackets and escapes.
func splitGlob(s string) (list []string, ok bool) {
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i == len(s) {
				return nil, false
			}
		case '[':
			if i = closeClass(s, i); i < 0 {
				return nil, false
			}
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return nil, false
			}
		case ',':
			if depth == 0 {
				list = append(list, s[from:i])
				from = i + 1
			}
		}
	}
	return append(list, s[from:]), depth == 0
}

// closeClass is the offset of the bracket that closes the class opened at i, or
// -1. As in doublestar, a class is not empty.
func closeClass(s string, i int) int {
	i++
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		i++
	}
	if i < len(s) && s[i] == ']' {
		return -1
	}
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ']':
			return i
		}
	}
	return -1
}

// expandBraces writes out the alternatives of a well-formed glob, most at the
// utmost. They are written out because matching them in place takes time
// exponential in the number of braces.
func expandBraces(s string, most int) (out []string, ok bool) {
	open := -1
	depth, from := 0, 0
	var parts []string
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			i = closeClass(s, i)
		case '{':
			if depth == 0 {
				open, from = i, i+1
			}
			depth++
		case ',':
			if depth == 1 {
				parts = append(parts, s[from:i])
				from = i + 1
			}
		case '}':
			if depth--; depth > 0 {
				continue
			}
			parts = append(parts, s[from:i])
			for _, p := range parts {
				if len(out) >= most {
					return nil, false
				}
				sub, ok := expandBraces(s[:open]+p+s[i+1:], most-len(out))
				if !ok {
					return nil, false
				}
				out = append(out, sub...)
			}
			return out, true
		}
	}
	if most < 1 {
		return nil, false
	}
	return []string{s}, true
}
