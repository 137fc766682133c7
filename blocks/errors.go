package blocks

import (
	"fmt"
	"sort"
	"unicode/utf8"
)

// A SyntaxError is a place where a text does not parse. Line counts from 1,
// Column counts runes from 1. Key is equal for the same error in two versions
// of a text wherever its lines went, so the errors that an edit introduces are
// the multiset difference of the keys.
type SyntaxError struct {
	Line, Column int
	Key          string
	Message      string
}

// HasErrors reports whether the text has syntax errors. A text without a tree
// has none that are known.
func (t *Tree) HasErrors() bool { return t.refused == nil && len(t.bad) > 0 }

// Parsed reports whether there is a tree at all; when there is none, every
// line declines and HasErrors says nothing.
func (t *Tree) Parsed() bool { return t.refused == nil }

// Unparsed says why there is no tree, as a sentence without its full stop; ""
// when there is one.
func (t *Tree) Unparsed() string {
	if t.refused == nil {
		return ""
	}
	return t.refused.what
}

// Language is the language the text was parsed as.
func (t *Tree) Language() string { return t.language }

// Errors lists the syntax errors in the order of the text; an error inside
// another is not listed.
func (t *Tree) Errors() []SyntaxError {
	if t.refused != nil || len(t.bad) == 0 {
		return nil
	}
	var out []SyntaxError
	var at place
	for i := int32(0); int(i) < len(t.nodes); {
		n := &t.nodes[i]
		if n.flags&(isError|missing) == 0 {
			if n.flags&broken == 0 {
				i = n.next
			} else {
				i++
			}
			continue
		}
		out = append(out, t.syntaxError(i, &at))
		i = n.next
	}
	sort.SliceStable(out, func(i, j int) bool {
		return out[i].Line < out[j].Line || out[i].Line == out[j].Line && out[i].Column < out[j].Column
	})
	return out
}

// A place is where columns have been counted to, since errors may crowd on one
// long line.
type place struct{ line, off, column int }

func (p *place) move(t *Tree, off int) (line, column int) {
	line = max(t.text.LineAt(off), 1)
	if line != p.line || off < p.off {
		*p = place{line: line, column: 1}
		if t.text.Len() > 0 {
			p.off = min(t.text.Offset(line-1), off)
		}
	}
	p.column += utf8.RuneCount(t.src[p.off:off])
	p.off = off
	return line, p.column
}

func (t *Tree) syntaxError(i int32, at *place) SyntaxError {
	n := &t.nodes[i]
	var e SyntaxError
	e.Line, e.Column = at.move(t, min(int(n.start), len(t.src)))
	in := ""
	if n.parent >= 0 {
		in = t.kindName(n.parent)
	}
	if n.flags&missing != 0 {
		e.Message = fmt.Sprintf("`%s` is missing", t.kindName(i))
		e.Key = "missing " + t.kindName(i) + " in " + in
		return e
	}
	s := t.rowText(i)
	if len(s) > 40 {
		cut := 40
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut]
	}
	e.Message = fmt.Sprintf("unexpected `%s`", s)
	if s == "" {
		e.Message = "syntax error"
	}
	e.Key = "unexpected " + s + " in " + in
	return e
}
