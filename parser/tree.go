package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// readTree reads what the grammar of record describes, without it: building
// the grammar takes longer than a program needs for everything else it does
// with a small script. The answer is nil for tokens that are no script, and
// the grammar then says why; TestTreeIsTheGrammars holds the two together.
func readTree(tokens []lexer.Token) *scriptNode {
	r := &treeReader{tokens: tokens}
	n := &scriptNode{}
	if r.is(tokenMarker, beginMarker) {
		r.take()
		r.want(tokenEOL)
	}
	n.Ops = r.ops()
	for r.is(tokenPunct, "[") {
		s := &sectionNode{Pos: r.take().Pos}
		s.Path = r.want(tokenPath).Value
		r.wantPunct("#")
		s.Tag = r.want(tokenTag).Value
		r.wantPunct("]")
		r.want(tokenEOL)
		s.Ops = r.ops()
		n.Sections = append(n.Sections, s)
	}
	if r.is(tokenMarker, endMarker) {
		r.take()
		r.want(tokenEOL)
	}
	if r.wrong || r.at < len(r.tokens) {
		return nil
	}
	return n
}

// A treeReader stands at a token. Once a token is not what was wanted, all
// that is read is void.
type treeReader struct {
	tokens []lexer.Token
	at     int
	wrong  bool
}

func (r *treeReader) kind() lexer.TokenType {
	if r.at == len(r.tokens) {
		return lexer.EOF
	}
	return r.tokens[r.at].Type
}

func (r *treeReader) is(kind lexer.TokenType, value string) bool {
	return r.kind() == kind && r.tokens[r.at].Value == value
}

func (r *treeReader) take() lexer.Token {
	r.at++
	return r.tokens[r.at-1]
}

func (r *treeReader) want(kind lexer.TokenType) lexer.Token {
	if r.kind() != kind {
		r.wrong = true
		return lexer.Token{}
	}
	return r.take()
}

func (r *treeReader) wantPunct(value string) {
	if !r.may(value) {
		r.wrong = true
	}
}

// may takes a mark if it is there.
func (r *treeReader) may(value string) bool {
	if !r.is(tokenPunct, value) {
		return false
	}
	r.at++
	return true
}

func (r *treeReader) ops() []*opNode {
	var list []*opNode
	for r.kind() == tokenVerb && !r.wrong {
		list = append(list, r.op())
	}
	return list
}

func (r *treeReader) op() *opNode {
	verb := r.take()
	o := &opNode{Pos: verb.Pos}
	switch strings.ToUpper(verb.Value) {
	case "PUT":
		o.Put = r.place()
		r.tail(o)
	case "CUT":
		o.Cut = r.span()
		r.tail(o)
	case "REM":
		o.Rem = true
	case "MV":
		o.Dest = r.want(tokenDest).Value
	default:
		r.wrong = true
	}
	r.want(tokenEOL)
	if r.kind() == tokenBody {
		o.Body = r.take().Value
	}
	return o
}

func (r *treeReader) tail(o *opNode) {
	if r.kind() == tokenRegister {
		o.Register = r.take().Value
	}
	o.Colon = r.may(":")
}

func (r *treeReader) place() *placeNode {
	p := &placeNode{}
	switch {
	case r.may("<"):
		p.Before = r.want(tokenLine).Value
	case !r.may(">"):
		p.Span = r.span()
	case r.may("$"):
		p.Tail = true
	default:
		p.After = r.want(tokenLine).Value
		p.Block = r.may("*")
	}
	return p
}

func (r *treeReader) span() *spanNode {
	s := &spanNode{First: r.want(tokenLine).Value}
	if r.kind() == tokenRange {
		s.Sep = r.take().Value
		s.Last = r.want(tokenLine).Value
	} else {
		s.Block = r.may("*")
	}
	return s
}
