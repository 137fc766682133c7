package grammars

import (
	"bytes"
	"regexp"
	"sync"
)

// headerRows are the patterns of rows that tell, compiled when a header is
// first asked about.
var headerRows = sync.OnceValue(func() (p struct{ cpp, defined, undefined, condition *regexp.Regexp }) {
	// What C++ has and C has not. C headers hold such rows only where
	// __cplusplus is defined.
	p.cpp = regexp.MustCompile(`^(?:template\s*<|(?:inline\s+)?namespace(?:\s+[\w:]+\s*(?:\{.*)?|\s*\{.*)$|using\s+(?:namespace\s+)?[\w:]+\s*[;=]|(?:enum\s+)?class\s+(?:[\w:]+\s+)*[\w:]+\s*(?:[:;{].*)?$)`)
	p.defined = regexp.MustCompile(`^#\s*(?:ifdef\s+__cplusplus\b|if\s+(?:defined\s*\(?\s*)?__cplusplus\b)`)
	p.undefined = regexp.MustCompile(`^#\s*(?:ifndef\s+__cplusplus\b|if\s+!\s*(?:defined\s*\(?\s*)?__cplusplus\b)`)
	p.condition = regexp.MustCompile(`^#\s*(if|else|elif|endif)`)
	return p
})

// A branch is a conditional of the preprocessor and the side of it that a row
// is on.
type branch uint8

const (
	anyBranch branch = iota // it does not ask for C++
	cppBranch               // only C++ sees it
	cBranch                 // only C sees it
)

// isCpp reports whether a header is one that only C++ can read. Cost: linear.
func isCpp(src []byte) bool {
	is := headerRows()
	var branches []branch
	hidden := 0 // branches that only C++ sees
	comment := false
	for row := range bytes.Lines(src) {
		row, comment = withoutComments(row, comment)
		row = bytes.TrimSpace(row)
		if len(row) == 0 {
			continue
		}
		if m := is.condition.FindSubmatch(row); m != nil {
			switch n := len(branches) - 1; {
			case string(m[1]) == "if":
				b := anyBranch
				if is.defined.Match(row) {
					b = cppBranch
					hidden++
				} else if is.undefined.Match(row) {
					b = cBranch
				}
				branches = append(branches, b)
			case n < 0:
			case branches[n] == cppBranch:
				hidden--
				branches[n] = cBranch
			case branches[n] == cBranch && string(m[1]) == "else":
				hidden++
				branches[n] = cppBranch
			}
			if n := len(branches) - 1; string(m[1]) == "endif" && n >= 0 {
				if branches[n] == cppBranch {
					hidden--
				}
				branches = branches[:n]
			}
			continue
		}
		if hidden == 0 && row[0] != '#' && is.cpp.Match(row) {
			return true
		}
	}
	return false
}

// withoutComments is a row without its comments; open says that one began above
// it, and then that one goes on below it. What a row holds in quotes is not
// told apart: no quote stands before what is looked for.
func withoutComments(row []byte, open bool) ([]byte, bool) {
	var out []byte
	for {
		if open {
			i := bytes.Index(row, []byte("*/"))
			if i < 0 {
				return out, true
			}
			row, open = row[i+2:], false
		}
		i := bytes.IndexByte(row, '/')
		for i >= 0 && i+1 < len(row) && row[i+1] != '/' && row[i+1] != '*' {
			j := bytes.IndexByte(row[i+1:], '/')
			if j < 0 {
				i = -1
				break
			}
			i += 1 + j
		}
		switch {
		case i < 0 || i+1 >= len(row):
			return append(out, row...), false
		case row[i+1] == '/':
			return append(out, row[:i]...), false
		}
		out, row, open = append(append(out, row[:i]...), ' '), row[i+2:], true
	}
}
