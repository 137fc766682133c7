package search

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"putcut/refusal"
)

const ignoreFile = ".gitignore"

// maxRules is the most bytes of one file of ignore rules.
const maxRules = 4 << 20

// rules are the ignore rules of one folder, on top of those above it. The nil
// rules ignore nothing.
type rules struct {
	up   *rules
	base string // path of the folder with a slash at the end, or ""
	list []rule
}

// A rule is one row of an ignore file, in the meaning that git gives it.
type rule struct {
	keep    bool // the row is negated
	dirOnly bool
	// path says that the pattern is for the whole path below the folder; else
	// it is for the last component.
	path bool
	// prefix is what a path begins with literally; pattern is for the rest, and
	// form says how it is compared.
	prefix  string
	form    form
	pattern string
}

type form uint8

const (
	plain  form = iota // equal
	ending             // path ends with it
	wild               // doublestar
)

// with is g with one more set on top.
func (g *rules) with(top *rules) *rules {
	if top == nil || len(top.list) == 0 {
		return g
	}
	top.up = g
	return top
}

// ignored reports whether the rules leave out the file or folder at p, which
// lies below the folders that the rules are for. The last rule that matches
// decides, and those of deeper folders come last. That a folder above p is
// ignored is for the walk to see.
func (g *rules) ignored(p string, isDir bool) bool {
	base := p[strings.LastIndexByte(p, '/')+1:]
	for ; g != nil; g = g.up {
		rel := p[len(g.base):]
		for i := len(g.list) - 1; i >= 0; i-- {
			if g.list[i].match(rel, base, isDir) {
				return !g.list[i].keep
			}
		}
	}
	return false
}

func (r *rule) match(rel, base string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	s := base
	if r.path {
		var ok bool
		if s, ok = strings.CutPrefix(rel, r.prefix); !ok {
			return false
		}
	}
	switch r.form {
	case plain:
		return s == r.pattern
	case ending:
		return strings.HasSuffix(s, r.pattern)
	}
	return doublestar.MatchUnvalidated(r.pattern, widen(s))
}

// parseRules reads the bytes of an ignore file for the folder at path dir.
func parseRules(b []byte, dir string) *rules {
	g := &rules{}
	if dir != "" {
		g.base = dir + "/"
	}
	rest := strings.TrimPrefix(string(b), "\ufeff")
	for rest != "" {
		var row string
		row, rest, _ = strings.Cut(rest, "\n")
		if r, ok := parseRule(strings.TrimSuffix(row, "\r")); ok {
			g.list = append(g.list, r)
		}
	}
	return g
}

// parseRule reads one row; ok is false for a row that never matches anything.
func parseRule(row string) (r rule, ok bool) {
	if strings.HasPrefix(row, "#") {
		return r, false
	}
	row = trimBlanks(row)
	if rest, not := strings.CutPrefix(row, "!"); not {
		r.keep, row = true, rest
	}
	if rest, dir := strings.CutSuffix(row, "/"); dir {
		r.dirOnly, row = true, rest
	}
	r.path = strings.Contains(row, "/")
	row = strings.TrimPrefix(row, "/")
	if row == "" || strings.HasSuffix(row, "/") || strings.Contains(row, "//") || strings.IndexByte(row, 0) >= 0 {
		// No path is empty, ends in a slash, or has an empty component.
		return r, false
	}
	if !strings.ContainsAny(row, `*?[\`) {
		r.pattern = row
		return r, true
	}
	if rest, star := strings.CutPrefix(row, "*"); star && !r.path && !strings.ContainsAny(rest, `*?[\`) {
		r.form, r.pattern = ending, rest
		return r, true
	}
	r.form = wild
	if r.path {
		// Git cuts off the plain part first, so that a ** right after it counts
		// as the start of a component.
		n := strings.IndexAny(row, `*?[\`)
		r.prefix, row = row[:n], row[n:]
	}
	r.pattern, ok = translate(row, r.path)
	return r, ok
}

// trimBlanks drops the spaces at the end of a row, but for an escaped one.
func trimBlanks(row string) string {
	end := 0
	for i := 0; i < len(row); i++ {
		switch row[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(row))
	}
	return row[:end]
}

// translate writes a pattern of git as one of doublestar over widened text.
// They differ in this: braces are nothing special to git; ** that is not a
// whole component is *; x/** does not match x; a class may hold ] in first
// place and named classes, never matches a slash, and is made of bytes. ok is
// false for a pattern that git never matches.
func translate(s string, isPath bool) (out string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '*':
			from := i
			for i+1 < len(s) && s[i+1] == '*' {
				i++
			}
			whole := i > from && (from == 0 || s[from-1] == '/') && (i+1 == len(s) || s[i+1] == '/')
			switch {
			case !whole || !isPath:
				b.WriteByte('*')
			case i+1 == len(s) && from > 0:
				b.WriteString("**/*")
			default:
				b.WriteString("**")
			}
		case '?':
			b.WriteByte('?')
		case '[':
			set, next := parseClass(s, i+1)
			if next < 0 || !writeClass(&b, set) {
				return "", false
			}
			i = next - 1
		case '\\':
			if i++; i == len(s) {
				return "", false
			}
			writeByte(&b, s[i])
		default:
			writeByte(&b, c)
		}
	}
	return b.String(), doublestar.ValidatePattern(b.String())
}

// writeByte writes a byte that stands for itself.
func writeByte(b *strings.Builder, c byte) {
	if c != '/' && c < 0x80 && strings.IndexByte(`*?[]{}\!^-`, c) >= 0 {
		b.WriteByte('\\')
	}
	b.WriteRune(rune(c))
}

// widen maps every byte to the rune of its value, since git compares bytes.
func widen(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x80 {
			continue
		}
		var b strings.Builder
		b.WriteString(s[:i])
		for ; i < len(s); i++ {
			b.WriteRune(rune(s[i]))
		}
		return b.String()
	}
	return s
}

// excludes are the rules of the repository whose .git folder is in dir.
func (c *crawler) excludes(dir *folder, p string) *rules {
	git, err := dir.folder(".git")
	if err != nil {
		return nil
	}
	defer git.release()
	info, err := git.folder("info")
	if err != nil {
		return nil
	}
	defer info.release()
	return c.readRules(info, "exclude", p)
}

// readRules reads the ignore file name of dir, whose rules are for the folder
// at path p. Like git it follows no links.
func (c *crawler) readRules(dir *folder, name, p string) *rules {
	f, size, err := dir.open(name)
	if err != nil {
		if !isGone(err) {
			c.failed(join(p, name), err)
		}
		return nil
	}
	defer f.Close()
	if size > maxRules {
		c.failed(join(p, name), refusal.New(refusal.TooLarge, "ignore rules of %d bytes are not read", size))
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(f, maxRules))
	if err != nil {
		c.failed(join(p, name), err)
		return nil
	}
	return parseRules(b, p)
}

// above is the rules of the folders above start, or nil when they ignore start
// itself: who names an ignored place wants it searched.
func (c *crawler) above(root *os.Root, start string) *rules {
	if start == "." {
		return nil
	}
	var set *rules
	for at, rest := ".", start; rest != ""; {
		dir, err := openFolder(root, at)
		if err != nil {
			c.failed(at, err)
			return set
		}
		where := at
		if at == "." {
			where = ""
		}
		set = set.with(c.excludes(dir, where))
		set = set.with(c.readRules(dir, ignoreFile, where))
		dir.release()
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		at = path.Join(at, name)
		if set.ignored(at, true) {
			return nil
		}
	}
	return set
}

// isGone reports whether there is nothing, or nothing that may be read, of a name.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular)
}
