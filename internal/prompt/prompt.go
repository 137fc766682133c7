// Package prompt holds the instructions that a model gets with the tools.
//
// It imports nothing: the text is generated and checked by its tests, which run
// every example in it through the engine.
package prompt

import _ "embed"

//go:embed prompt.md
var instructions string

// Text is the instructions as Markdown, under 900 words.
func Text() string { return instructions }
