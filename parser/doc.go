// Package parser turns the text of an op script into ops.Script, and back.
//
// It answers what a script says: the grammar of record (participle, fed by one
// hand-written lexer; what it accepts is read by a reader of the same shape,
// which needs no grammar built, and it judges the rest), the misspellings that have one reading and are accepted
// with a warning, and for everything else a refusal with row, column, what was
// found, what would be legal, and the corrected script where there is one.
// README.md holds the table of decisions, which the tests run.
//
// It does not promise that a script fits any file: line numbers are taken as
// they stand, reversed spans and line 0 included, and whoever knows the file
// refuses those. It does no I/O and knows no language and no session.
//
// It may import ops and refusal.
//
// # Notations
//
// A row is a row of the script, from 1; a line is a line of a file, from 1.
// Columns count runes from 1. A byte order mark at the start of a script
// belongs to no row. A row is the bytes before its LF, less one CR. Blanks are
// space and tab.
package parser
