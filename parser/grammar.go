package parser

import (
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar of record. It has the shape of every script that is accepted,
// slips included; what a slip means, and which combinations have one meaning,
// is judged when the tree becomes ops.

type scriptNode struct {
	Ops      []*opNode      `parser:"( '*** Begin Patch' EOL )? @@*"`
	Sections []*sectionNode `parser:"@@* ( '*** End Patch' EOL )?"`
}

type sectionNode struct {
	Pos  lexer.Position
	Path string    `parser:"'[' @Path"`
	Tag  string    `parser:"'#' @Tag ']' EOL"`
	Ops  []*opNode `parser:"@@*"`
}

// An opNode is one op. Few fields and few nodes: each capture costs the
// grammar about ten allocations an op.
type opNode struct {
	Pos      lexer.Position
	Put      *placeNode `parser:"( ( 'PUT' @@"`
	Cut      *spanNode  `parser:"  | 'CUT' @@ )"`
	Register string     `parser:"  @Register?"`
	Colon    bool       `parser:"  @':'? EOL"`
	Rem      bool       `parser:"| @'REM' EOL"`
	Dest     string     `parser:"| 'MV' @Dest EOL )"`
	Body     string     `parser:"@Body?"` // everything up to the next op, header or marker
}

type placeNode struct {
	Before string    `parser:"'<' @Line"`
	Tail   bool      `parser:"| '>' ( @'$'"`
	After  string    `parser:"| @Line"`
	Block  bool      `parser:"  @'*'? )"`
	Span   *spanNode `parser:"| @@"`
}

type spanNode struct {
	First string `parser:"@Line"`
	Sep   string `parser:"( @Range"`
	Last  string `parser:"  @Line"`
	Block bool   `parser:"| @'*' )?"`
}

var grammar = sync.OnceValue(func() *participle.Parser[scriptNode] {
	// Neither Unquote nor Map nor Upper: they would wrap the lexer and copy
	// the script through an io.Reader.
	return participle.MustBuild[scriptNode](
		participle.Lexer(definition{}),
		participle.CaseInsensitive("Verb"),
	)
})

// Grammar is the grammar of record as EBNF, one production a row. Tokens in
// angle brackets are the lexer's: <range> is `.=` or one of its misspellings,
// <register> a name with its @, <dest> the rest of a row, <body> the rows under
// an op up to the next op, header or marker.
func Grammar() string { return strings.ReplaceAll(grammar().String(), "Node", "") }
