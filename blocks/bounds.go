package blocks

import "putcut/grammars"

// Bounds on what is handed to a grammar in this process. Files that people
// write stay far below them.
const (
	maxBrackets = 1000
	maxAngles   = 400
	maxTags     = 8000
)

// bounded says what in a text may crash or hang a parser, "" for nothing.
// Error recovery in the runtime takes time that grows with the square of what
// is open, and heeds no time limit; so what a text can leave open is bounded.
// Brackets in strings count too, since telling them apart needs the parser.
// Cost: one pass.
func bounded(l *grammars.Language, src []byte) string {
	depth, angles, tags := 0, 0, 0
	markup := l.Name == "html" || l.Name == "vue" || l.Name == "xml" || l.Name == "tsx" || l.Name == "javascript"
	generic := !markup
	for i, c := range src {
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
				} else if next|0x20 >= 'a' && next|0x20 <= 'z' || next == '>' {
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
