// Package ops says what an edit means. It holds the types of a script, lowers
// ops to splices against one immutable text, applies the splices in one pass,
// and derives everything a result shows (spans, line map, changed regions)
// from that same list, so that none of it can disagree with what was written.
//
// It does no I/O, knows no language, no session and no path. It may import
// text and refusal.
package ops
