// Package dialects lowers edits written in other formats to the one contract:
// exact replacements under a revision, batches of text anchors, search/replace
// blocks, apply_patch envelopes, unified diffs and whole files. It answers what
// such an edit means against the current texts, which old lines its own text
// proves, how the same change is said as an op script and as a unified diff,
// and, when a text does not match, why.
//
// All inputs of one call, whatever their formats, are resolved against the
// same texts, those the Source hands out; no edit sees another's effect. The
// outcome is a list of files with splices for the kernel. Nothing is written.
//
// What it does not promise: that a file may be written (policy, confinement),
// that two paths are not one file, and that the text is still current when it
// is committed. Those are the caller's gates, as for any other edit.
//
// It does no I/O but through Source and the readers it is handed, and keeps no
// state. It may import text, ops, ops/udiff, parser (for the printed form of
// scripts) and refusal.
//
// # Literal first
//
// A text that occurs exactly once is applied as written, byte for byte. Only
// when it does not occur at all are the relaxations tried: another terminator
// (CRLF against LF), a constant shift of indentation, JSON escapes taken for
// text. One is used when it gives exactly one outcome, and the report says so.
// Quotes, dashes, case and blanks inside or at the end of lines never give way.
//
// # Notations
//
// Line numbers count from 1 and are those of the old text. Byte offsets count
// from 0 and are offsets into the decoded body, without a byte order mark; so
// do code points and UTF-16 units, where a byte that is not part of valid
// UTF-8 counts as one of each. Rows are rows of the input, from 1. Edits count
// from 1 in fields and as edits[0] where a message speaks of JSON.
package dialects
