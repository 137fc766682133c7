// Package grammars says what a file is written in and what is special about
// blocks in that language. It answers which language a path and its first
// bytes name, which C grammar parses it, and, as tables of node kinds, what is
// a container, what attaches to a declaration, what a clause is.
//
// The tables are data for people who know a language and its grammar, not the
// code that reads them; each language has one file or shares one with its
// relatives. Rules that hold everywhere are in package blocks and need no
// entry here. It does no I/O and promises nothing about grammars beyond what
// TestGrammars checks: they load, and they parse an empty text.
//
// It imports the bindings and the grammars, and nothing of this module.
package grammars

import (
	"regexp"
	"sync"
	"unsafe"
)

// A Language is what is known about one language. Kinds are node kinds of its
// grammar, as `go run ./internal/blockscore -tree LANGUAGE < FILE` prints
// them; an anonymous node's kind is its text.
type Language struct {
	// Name is the language's canonical name.
	Name string
	// Grammar names the C grammar when it is not Name; "-" says that the
	// language is parsed in Go.
	Grammar string
	// Extensions are matched whatever their case, without the dot. Files are
	// whole names or patterns of path.Match, also whatever their case.
	// Interpreters are the last element of a `#!` row, digits and dots at its
	// end dropped.
	Extensions, Files, Interpreters []string

	// Containers are runs of siblings without delimiters of their own, such as
	// a suite or a list of statements. A container is never the answer.
	Containers []string
	// Headers are lists in the head of a declaration: heritage, alternatives
	// of a union, initialisers. Neither they nor their elements are the answer,
	// delimited literals aside.
	Headers []string
	// Parts are nodes that begin in the middle of a construct and are not one:
	// declarators, `.call()` suffixes, operands with their operator.
	Parts []string
	// Attached are decorators, attributes, annotations: rows that belong to the
	// declaration below.
	Attached []string
	// Inside are kinds that are looked into even when they lie on one row: lists
	// of modifiers that may hold attached nodes, wrappers of declarations, and
	// what the way to a name leads through.
	Inside []string
	// Docs are comments that belong to the declaration below.
	Docs []Doc
	// Comments are the kinds of comments; "comment" is always one.
	Comments []string
	// Clauses are kinds, keywords included, that begin a clause of a larger
	// construct, such as an else. A clause ends where the next one begins,
	// wherever the grammar puts that.
	Clauses []string
	// Cases are the alternatives that a construct lists, such as the cases of a
	// switch: whole by themselves, comments that are indented below them
	// included.
	Cases []string
	// Opaque are nodes whose insides are text: strings, heredocs, raw text.
	Opaque []string
	// OneRow are constructs that count as their first row alone whatever the
	// grammar puts below them: labels, namespace directives.
	OneRow []string
	// LabelGroups are kinds whose leading children of the given kind are case
	// labels; only the last label opens the group.
	LabelGroups Pairs[string]
	// Leads are kinds that begin an element of a list for which the grammar has
	// no node; it ends before the next comma.
	Leads []string
	// Unfinished are kinds that, at the end of a row, go on with the next
	// sibling: an operator whose right side the grammar reads as a statement.
	Unfinished []string
	// Directives is a kind whose text begins with a directive of conditional
	// compilation, `#if` to `#endif`, where the grammar does not pair them.
	Directives string
	// Followers are siblings that belong to the construct above them.
	Followers Pairs[[]string]
	// Heredocs are bodies that the grammar puts beside the statement that
	// opens them.
	Heredocs []string
	// NoTail are kinds whose trailing comments are outside whatever their
	// indentation.
	NoTail []string
	// Closers are keywords that close a construct and open nothing, brackets
	// aside.
	Closers []string

	// ImplicitEnds are, for an element whose end tag is left out, the tags that
	// end it although the grammar puts them inside.
	ImplicitEnds Pairs[[]string]

	// Decls are the declarations that an outline lists.
	Decls []Decl
	// Separator joins the names of nested declarations; "." when empty.
	Separator string

	// Respellings make syntax that the grammar predates readable to it.
	Respellings []Respelling
	// AlwaysParses says that no text of the language is a syntax error.
	AlwaysParses bool
}

// Pairs are a small map that the compiler lays out as data.
type Pairs[V any] []struct {
	Key   string
	Value V
}

// Of is the value of a key, the zero value for none.
func (p Pairs[V]) Of(key string) (v V) {
	for i := range p {
		if p[i].Key == key {
			return p[i].Value
		}
	}
	return v
}

// A Doc is a kind of comment that belongs to the declaration below it when no
// blank row lies between.
type Doc struct {
	Kind string
	// Prefixes are what the comment's text starts with; Not is what it must
	// not start with.
	Prefixes, Not []string
	// To are the kinds it belongs to; empty means any but comments and Except.
	To, Except []string
}

// A Decl is a kind of declaration.
type Decl struct {
	// Kind is the node kind, As what an outline calls it.
	Kind, As string
	// Name says where the name is: a path of field names, or of kinds with an
	// "@" before each; parts are separated by a slash, alternatives by a bar.
	// A part that ends in "*" is followed as often as it is there. "=x" is the
	// name x itself, "+a,b" the texts of the leading children of kinds a and b.
	// The default is "name".
	Name string
	// Word is a path to a word that must be a key of Words, whose value
	// replaces As: declarations that are calls to the grammar.
	Word  string
	Words Pairs[string]
	// Within lists the kinds one of which must be the parent; empty means any.
	Within []string
	// Needs is a path that must lead somewhere: a body, where the same kind
	// without one only refers to the declaration.
	Needs string
	// Receiver is a path to a list of one parameter whose type's name
	// qualifies the declaration's.
	Receiver string
	// Each is a kind of descendant; every one declares a name by itself (the
	// specs of a group). Name is then looked up in it.
	Each string
}

// A Respelling replaces what the first group of its pattern matches by With,
// padded with blanks to the same length, so that every position stays. It is
// tried only on a text that does not parse, and kept only if fewer errors
// remain.
type Respelling struct {
	pattern string
	With    string
}

// patterns holds the compiled form of every pattern that was needed.
var patterns sync.Map

// Pattern is the compiled pattern.
func (r Respelling) Pattern() *regexp.Regexp {
	if re, ok := patterns.Load(r.pattern); ok {
		return re.(*regexp.Regexp)
	}
	re, _ := patterns.LoadOrStore(r.pattern, regexp.MustCompile(r.pattern))
	return re.(*regexp.Regexp)
}

// all yields the languages, always in one order. They are data that the
// compiler lays out: a program that asks for none pays next to nothing, and one
// that asks for one does not pay for the others.
func all(yield func(*Language) bool) {
	for _, table := range [...][]Language{
		bashTables, cTables, csharpTables, cssTables, dataTables, dockerfileTables, elixirTables, golangTables, hclTables, javaTables, javascriptTables,
		kotlinTables, luaTables, markupTables, phpTables, pythonTables, rubyTables, rustTables, scalaTables, sqlTables, swiftTables, textTables,
	} {
		for i := range table {
			if !yield(&table[i]) {
				return
			}
		}
	}
}

// Lookup returns the language of that name, nil for none. The caller must not
// change it.
func Lookup(name string) *Language {
	for l := range all {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// Names lists the languages in the order of their tables.
func Names() []string {
	var out []string
	for l := range all {
		out = append(out, l.Name)
	}
	return out
}

// Pointer returns the C grammar of the language for the tree-sitter runtime,
// nil for a language that is parsed in Go or in a build without cgo.
func (l *Language) Pointer() unsafe.Pointer {
	name := l.Grammar
	if name == "" {
		name = l.Name
	}
	return linked(name)
}

// InGo reports whether the language is parsed by Go code, which every build has.
func (l *Language) InGo() bool { return l.Grammar == "-" }
