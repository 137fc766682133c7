package blocks

import (
	"bytes"

	"putcut/grammars"
)

// Bounds on what is handed to a grammar in this process. Files that people
// write stay far below them.
const (
	maxBrackets = 1000
	maxAngles   = 400
	maxTags     = 4000
	maxIndents  = 200
	maxMarkers  = 100
	maxIndent   = 400
)

// bounded says what in a text may crash or hang a parser, "" for nothing.
// Error recovery in the runtime takes time that grows with the square of what
// is open, and heeds no time limit; so what a text can leave open is bounded.
// Brackets in strings count too, since telling them apart needs the parser.
// Cost: one pass.
func bounded(l *grammars.Language, src []byte) string {
	switch l.Name {
	case "markdown":
		return boundedMarkdown(src)
	case "python", "scala", "yaml":
		if why := boundedIndent(src); why != "" {
			return why
		}
	}
	depth, angles, tags := 0, 0, 0
	script := l.Name == "tsx" || l.Name == "javascript"
	markup := l.Name == "html" || l.Name == "vue" || l.Name == "xml" || script
	generic := contains(withGenerics, l.Name)
	for i, c := range src {
		if !bracketing[c] {
			continue
		}
		switch c {
		case '(', '[', '{':
			depth++
			if depth > maxBrackets {
				return "brackets are nested too deeply"
			}
			if c == '{' {
				angles = 0
			}
		case ')', ']', '}':
			if depth > 0 {
				depth--
			}
			if c == '}' {
				angles = 0
			}
		case ';':
			angles = 0
			if script {
				tags = 0
			}
		case '<':
			next := byte(0)
			if i+1 < len(src) {
				next = src[i+1]
			}
			if generic && next != '<' && next != '=' && next != '-' && (i == 0 || src[i-1] != '<') {
				if angles++; angles > maxAngles {
					return "angle brackets are nested too deeply"
				}
			}
			if markup {
				if next == '/' {
					tags = max(0, tags-1)
				} else if (next|0x20 >= 'a' && next|0x20 <= 'z' || next == '>') && (script || !leftOpen(src[i+1:])) {
					if tags++; tags > maxTags {
						return "tags are nested too deeply"
					}
				}
			}
		case '>':
			if generic && angles > 0 {
				angles--
			}
			if markup && i > 0 && src[i-1] == '/' {
				tags = max(0, tags-1)
			}
		}
	}
	return ""
}

// bracketing are the bytes that bounded looks at.
var bracketing = [256]bool{'(': true, ')': true, '[': true, ']': true, '{': true, '}': true, '<': true, '>': true, ';': true}

// withGenerics are the languages in which an angle bracket may open a list.
var withGenerics = []string{"cpp", "csharp", "java", "kotlin", "typescript", "rust", "swift", "scala"}

// leftOpen reports whether a tag's end tag is always left out, or so often that
// whole documents do.
func leftOpen(src []byte) bool {
	n := 0
	for n < len(src) && n < 8 && src[n]|0x20 >= 'a' && src[n]|0x20 <= 'z' {
		n++
	}
	switch string(bytes.ToLower(src[:n])) {
	case "br", "img", "hr", "input", "meta", "link", "col", "source", "wbr", "area", "base", "embed", "track", "param", "p", "li", "td", "th", "tr", "dt", "dd", "option":
		return true
	}
	return false
}

// boundedIndent bounds how many levels of indentation are open at a time.
func boundedIndent(src []byte) string {
	var open []int
	for at := 0; at < len(src); {
		i := at
		for i < len(src) && (src[i] == ' ' || src[i] == '\t') {
			i++
		}
		if i < len(src) && src[i] != '\n' && src[i] != '\r' {
			indent := i - at
			for len(open) > 0 && open[len(open)-1] >= indent {
				open = open[:len(open)-1]
			}
			if open = append(open, indent); len(open) > maxIndents {
				return "rows are indented too deeply"
			}
		}
		at = rowStop(src, i) + 1
	}
	return ""
}

// boundedMarkdown bounds the quotes and list items that one row can be inside
// of: the parser's time grows with their square, for every row.
func boundedMarkdown(src []byte) string {
	for at := 0; at < len(src); {
		i, markers, marked := at, 0, false
	row:
		for ; i < len(src); i++ {
			switch c := src[i]; {
			case c == ' ' || c == '\t':
			case c == '>':
				markers++
				marked = true
			case (c == '-' || c == '*' || c == '+') && i+1 < len(src) && (blank(src[i+1])):
				markers++
				marked = true
			case c >= '0' && c <= '9':
			case (c == '.' || c == ')') && i > at && src[i-1] >= '0' && src[i-1] <= '9' && i+1 < len(src) && blank(src[i+1]):
				markers++
				marked = true
			default:
				break row
			}
			if src[i] == '\n' {
				break
			}
		}
		if markers > maxMarkers || marked && i-at > maxIndent+2*maxMarkers {
			return "quotes and lists are nested too deeply"
		}
		at = rowStop(src, i) + 1
	}
	return ""
}
