package blocks

import "bytes"

// withoutTrailingCommas blanks the commas before a closing bracket, which JSON
// with comments allows and the grammar does not. Offsets stay.
func withoutTrailingCommas(src []byte) []byte {
	var out []byte
	comma := -1
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(src) && src[i] != '"' && src[i] != '\n'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(src) && src[i+1] == '/':
			n := bytes.IndexByte(src[i:], '\n')
			if n < 0 {
				return either(out, src)
			}
			i += n
		case c == '/' && i+1 < len(src) && src[i+1] == '*':
			n := bytes.Index(src[i+2:], []byte("*/"))
			if n < 0 {
				return either(out, src)
			}
			i += n + 3
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			if out == nil {
				out = bytes.Clone(src)
			}
			out[comma] = ' '
			comma = -1
		case !blank(c):
			comma = -1
		}
	}
	return either(out, src)
}

func either(out, src []byte) []byte {
	if out != nil {
		return out
	}
	return src
}
