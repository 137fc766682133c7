package parser_test

import (
	"fmt"

	"putcut/parser"
	"putcut/refusal"
)

func ExampleParse() {
	res, err := parser.Parse("[main.go#1A2B]\nput 3..4:\n+x := 1\nCUT 7 @old\n", parser.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(parser.Format(res.Script))
	for _, w := range res.Warnings {
		fmt.Println(w.Code, w.Message)
	}
	// Output:
	// [main.go#1A2B]
	// PUT 3.=4:
	// +x := 1
	// CUT 7.=7 @old
	// W_SPELLING `put 3..4:` is read as `PUT 3.=4:` (script row 2)
	// W_SPELLING `CUT 7 @old` is read as `CUT 7.=7 @old` (script row 4)
}

func ExampleParseOps() {
	_, err := parser.ParseOps("SWAP 2.=2:\n+x\nPUT 5.=6:\n", parser.Limits{})
	fmt.Println(err)
	fmt.Print(refusal.As(err).Script)
	// Output:
	// EDIT_PARSE_FAILED: rejected, nothing was written. script row 1, column 1: `SWAP 2.=2:` uses the retired verb `SWAP`; today it is `PUT 2.=2:`. Write `PUT 2.=2:`.
	// PUT 2.=2:
	// +x
	// CUT 5.=6
}

func ExampleGrammar() {
	fmt.Println(parser.Grammar())
	// Output:
	// Script = ("*** Begin Patch" <eol>)? Op* Section* ("*** End Patch" <eol>)? .
	// Op = (((("PUT" Place) | ("CUT" Span)) <register>? ":"? <eol>) | ("REM" <eol>) | ("MV" <dest> <eol>)) <body>? .
	// Place = ("<" <line>) | (">" ("$" | (<line> "*"?))) | Span .
	// Span = <line> ((<range> <line>) | "*")? .
	// Section = "[" <path> "#" <tag> "]" <eol> Op* .
}
