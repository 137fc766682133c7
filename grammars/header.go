package grammars

import (
	"bytes"
	"regexp"
	"sync"
)

// headerRows are the patterns of rows that tell, compiled when a header is
// first asked about.
var headerRows = sync.OnceValue(func() (p struct{ cpp, undefined *regexp.Regexp }) {
	// What C++ has and C has not. C headers hold such rows only where
	// __cplusplus is defined.
	p.cpp = regexp.MustCompile(`^(?:template\s*<|(?:inline\s+)?namespace(?:\s+[\w:]+\s*(?:\{.*)?|\s*\{.*)$|using\s+(?:namespace\s+)?[\w:]+\s*[;=]|(?:enum\s+)?class\s+(?:[\w:]+\s+)*[\w:]+\s*(?:[:;{].*)?$)`)
	p.undefined = regexp.MustCompile(`^(?:ifndef\s+|.*![\s(]*(?:defined)?[\s(]*)__cplusplus\b`)
	return p
})

// cppWords begin the rows that headerRows.cpp is about.
var cppWords = [...]string{"template", "inline", "namespace", "using", "enum", "class"}

// maxHead is how long a row is, in bytes, of which more than its beginning must
// be read to tell: none that people write.
const maxHead = 4096

// A branch is a conditional of the preprocessor and the side of it that a row
// is on.
type branch uint8

const (
	anyBranch branch = iota // it does not ask for C++
	cppBranch               // only C++ sees it, or nobody
	cBranch                 // only C sees it
)

// isCpp reports whether a header is one that only C++ can read. Cost: linear.
func isCpp(src []byte) bool {
	var branches []branch
	hidden := 0 // branches that only C++ sees
	comment, goesOn := false, false
	for row := range bytes.Lines(src) {
		row, comment = withoutComments(row, comment)
		row = bytes.TrimSpace(row)
		// A row that a backslash joins to the one above is a part of it.
		part := goesOn
		goesOn = bytes.HasSuffix(row, []byte{'\\'})
		if len(row) == 0 || part {
			continue
		}
		if row[0] != '#' {
			if hidden == 0 && isCppRow(row) {
				return true
			}
			continue
		}
		switch row = bytes.TrimSpace(row[1:]); {
		case bytes.HasPrefix(row, []byte("if")):
			b := branchOf(row)
			if b == cppBranch {
				hidden++
			}
			branches = append(branches, b)
		case len(branches) == 0:
		case bytes.HasPrefix(row, []byte("el")):
			n := len(branches) - 1
			was := branches[n]
			switch {
			case was == cBranch && bytes.HasPrefix(row, []byte("else")):
				branches[n] = cppBranch
			case was == cppBranch:
				branches[n] = anyBranch
			}
			if bytes.HasPrefix(row, []byte("elif")) && branchOf(row) == cppBranch {
				branches[n] = cppBranch
			}
			hidden += hides(branches[n]) - hides(was)
		case bytes.HasPrefix(row, []byte("endif")):
			n := len(branches) - 1
			hidden -= hides(branches[n])
			branches = branches[:n]
		}
	}
	return false
}

// objcWords begin rows of Objective-C that C has not.
var objcWords = [...]string{"@interface", "@protocol", "@class", "@end", "@import"}

// isObjC reports whether a header is one of Objective-C, which has no grammar
// here. Cost: linear.
func isObjC(src []byte) bool {
	if !bytes.Contains(src, []byte{'@'}) {
		return false
	}
	comment := false
	for row := range bytes.Lines(src) {
		row, comment = withoutComments(row, comment)
		row = bytes.TrimSpace(row)
		for _, w := range objcWords {
			if rest, ok := bytes.CutPrefix(row, []byte(w)); ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t') {
				return true
			}
		}
	}
	return false
}

func hides(b branch) int {
	if b == cppBranch {
		return 1
	}
	return 0
}

// isCppRow reports whether a row is one that C has not.
func isCppRow(row []byte) bool {
	for _, w := range cppWords {
		if bytes.HasPrefix(row, []byte(w)) {
			return len(row) <= maxHead && headerRows().cpp.Match(row)
		}
	}
	return false
}

// branchOf is what a condition asks for, without its `#`.
func branchOf(row []byte) branch {
	if !bytes.Contains(row, []byte("__cplusplus")) {
		if f := bytes.Fields(row[:min(len(row), 8)]); len(f) == 2 && string(f[1]) == "0" {
			return cppBranch
		}
		return anyBranch
	}
	if headerRows().undefined.Match(row) {
		return cBranch
	}
	return cppBranch
}

// withoutComments is a row without its comments; open says that one began above
// it, and then that one goes on below it. What looks like the start of one in
// double quotes is none.
func withoutComments(row []byte, open bool) ([]byte, bool) {
	if !open && bytes.IndexByte(row, '/') < 0 {
		return row, false
	}
	var out []byte
	for {
		if open {
			i := bytes.Index(row, []byte("*/"))
			if i < 0 {
				return out, true
			}
			row, open = row[i+2:], false
		}
		i := commentStart(row)
		switch {
		case i < 0:
			return append(out, row...), false
		case row[i+1] == '/':
			return append(out, row[:i]...), false
		}
		out, row, open = append(append(out, row[:i]...), ' '), row[i+2:], true
	}
}

// commentStart is where the first comment of a row begins, -1 for nowhere.
func commentStart(row []byte) int {
	strings := true // a quote without its end is the last that is looked at
	for i := 0; i+1 < len(row); i++ {
		switch row[i] {
		case '/':
			if row[i+1] == '/' || row[i+1] == '*' {
				return i
			}
		case '\'':
			if i+2 < len(row) && row[i+1] == '"' && row[i+2] == '\'' {
				i += 2
			}
		case '"':
			if !strings {
				continue
			}
			end := i + 1
			for end < len(row) && row[end] != '"' {
				if row[end] == '\\' {
					end++
				}
				end++
			}
			if strings = end < len(row); strings {
				i = end
			}
		}
	}
	return -1
}
