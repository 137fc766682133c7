package parser

import (
	"strings"

	"putcut/refusal"
)

// A problem is a refusal together with the change of the script that would
// cure it. The cure only ever becomes a proposal: Parse shows it when the
// changed script parses.
type problem struct {
	refusal *refusal.Error
	cure    []rowEdit
}

func (p *problem) Error() string { return p.refusal.Error() }

// A rowEdit replaces count rows of a script from row first (from 1) by rows.
type rowEdit struct {
	first, count int
	rows         []string
}

// at makes a problem of kind ParseFailed at a place of the script.
func at(row, col int, what string) *problem {
	return atCode(refusal.ParseFailed, row, col, what)
}

func atCode(code refusal.Code, row, col int, what string) *problem {
	return &problem{refusal: &refusal.Error{Code: code, Row: row, Column: col, What: what}}
}

// next sets the one next step and returns p.
func (p *problem) next(step string) *problem {
	p.refusal.Next = step
	return p
}

// cured adds an edit that is part of the cure and returns p.
func (p *problem) cured(first, count int, rows ...string) *problem {
	p.cure = append(p.cure, rowEdit{first, count, rows})
	return p
}

// applyEdits rewrites rows; edits must be sorted and apart.
func applyEdits(rows []string, edits []rowEdit) string {
	var b strings.Builder
	at := 0
	write := func(rows []string) {
		for _, r := range rows {
			b.WriteString(r)
			if strings.HasSuffix(r, "\r") {
				b.WriteByte('\r')
			}
			b.WriteByte('\n')
		}
	}
	for _, e := range edits {
		if e.first-1 < at || e.first-1+e.count > len(rows) {
			return ""
		}
		write(rows[at : e.first-1])
		write(e.rows)
		at = e.first - 1 + e.count
	}
	write(rows[at:])
	return b.String()
}
