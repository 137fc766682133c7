package parser

import (
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

type opNode struct {
	Pos  lexer.Position
	Put  *putNode  `parser:"( @@"`
	Cut  *cutNode  `parser:"| @@"`
	Rem  string    `parser:"| @'REM' EOL"`
	Mv   *mvNode   `parser:"| @@ )"`
	Body *bodyNode `parser:"@@?"`
}

type putNode struct {
	Verb     string     `parser:"@'PUT'"`
	At       *placeNode `parser:"@@"`
	Register string     `parser:"@Register?"`
	Colon    bool       `parser:"@':'? EOL"`
}

type cutNode struct {
	Verb     string    `parser:"@'CUT'"`
	At       *spanNode `parser:"@@"`
	Register string    `parser:"@Register?"`
	Colon    bool      `parser:"@':'? EOL"`
}

type mvNode struct {
	Verb string `parser:"@'MV'"`
	Dest string `parser:"@Dest EOL"`
}

type placeNode struct {
	Before string     `parser:"'<' @Line"`
	After  *afterNode `parser:"| '>' @@"`
	Span   *spanNode  `parser:"| @@"`
}

type afterNode struct {
	End   bool   `parser:"@'$'"`
	Line  string `parser:"| @Line"`
	Block bool   `parser:"  @'*'?"`
}

type spanNode struct {
	First string `parser:"@Line"`
	Sep   string `parser:"( @Range"`
	Last  string `parser:"  @Line"`
	Block bool   `parser:"| @'*' )?"`
}

// A bodyNode is everything between an op row and the next op, header or
// marker, as one piece of the script.
type bodyNode struct {
	Pos  lexer.Position
	Text string `parser:"@Body"`
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
// <body> the rows under an op.
func Grammar() string { return grammar().String() }
