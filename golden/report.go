package golden

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"znkr.io/diff"
	"znkr.io/diff/textdiff"
)

// A Report is what came out of a run.
type Report struct {
	Name  string `json:"name"`
	Steps []Step `json:"steps"`
	// Problems are what did not come out as stated, in the order found.
	Problems []Problem `json:"problems"`
	// Skipped says why the front end could not run the scenario, if so.
	Skipped string `json:"skipped,omitempty"`
	// Updated says that the archive was rewritten.
	Updated bool `json:"updated,omitempty"`

	states []state
	broken bool // the run stopped early, so the report is not the whole truth
}

// A Step is one tool call that was made.
type Step struct {
	// Line is the row of the step in the archive.
	Line   int    `json:"line"`
	Tool   string `json:"tool"`
	Result Result `json:"result"`

	section int
	text    string // the result's text with placeholders, as an archive would have it
	literal bool   // the text holds what looks like a placeholder and is none
}

// A Problem is one thing that did not come out as stated.
type Problem struct {
	// Line is the row of the section in the archive.
	Line int    `json:"line"`
	What string `json:"what"`
	// Detail is a diff from what was stated (-) to what came out (+), or the
	// text of the result, or empty.
	Detail string `json:"detail,omitempty"`
}

// state is what was found of a file where the scenario says something about it,
// or, with section -1, at the end where it should have.
type state struct {
	section int
	path    string
	entry   entry
}

// OK reports whether everything came out as stated; a skipped scenario did not fail.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

// Code is the refusal code of a step, or empty.
func (s Step) Code() string {
	if !s.Result.Refused {
		return ""
	}
	return codeAtStart().FindString(s.Result.Text)
}

var codeAtStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][A-Z_]+[A-Z]`) })

func (r *Report) add(line int, what, detail string) {
	r.Problems = append(r.Problems, Problem{line, what, detail})
}

// lastLine is the row of the last section, which problems at the end point to.
func (r *Report) lastLine(s *Scenario) int { return s.sections[len(s.sections)-1].line }

// Diff is the problems for a person to read, and empty when there are none.
// Each starts with archive:row, and its details are indented.
func (r *Report) Diff() string {
	var b strings.Builder
	name := r.Name
	if name == "" {
		name = "archive"
	}
	const most = 120 // rows of details of one problem
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "%s:%d: %s\n", name, p.Line, p.What)
		if p.Detail == "" {
			continue
		}
		rows := strings.Split(strings.TrimSuffix(p.Detail, "\n"), "\n")
		for i, row := range rows {
			if i == most {
				fmt.Fprintf(&b, "    (%d more rows)\n", len(rows)-i)
				break
			}
			b.WriteString("    " + row + "\n")
		}
	}
	return b.String()
}

// diffTexts is a diff of two texts for a person.
func diffTexts(want, got string) string {
	opts := []diff.Option{diff.Context(3)}
	if len(want)+len(got) > 1<<20 {
		opts = append(opts, diff.Fast())
	}
	d := textdiff.Unified(want, got, opts...)
	if strings.TrimSpace(d) == "" || visiblySame(want, got) {
		return fmt.Sprintf("-%q\n+%q\n", want, got)
	}
	return d
}

// visiblySame reports whether two texts look alike although they differ.
func visiblySame(a, b string) bool {
	plain := func(s string) string { return strings.NewReplacer("\r", "", "\ufeff", "").Replace(s) }
	return plain(a) == plain(b)
}

// contentDiff is a diff of two files' bytes as an archive spells them.
func contentDiff(want, got []byte, f form) string {
	if bytes.Equal(want, got) {
		return ""
	}
	f.literal = false
	a, fa := spell(want, f)
	b, fb := spell(got, fa)
	if fa != fb { // the bytes need another spelling: compare in the one that holds both
		a, _ = spell(want, form{quoted: true})
		b, _ = spell(got, form{quoted: true})
	}
	return diffTexts(string(a), string(b))
}
