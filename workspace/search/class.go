package search

import "strings"

// A byteSet is a set of bytes.
type byteSet [256]bool

// parseClass reads a bracket expression of git whose first byte after the
// bracket is at i, and returns where it ends; next is -1 when it does not.
func parseClass(s string, i int) (set byteSet, next int) {
	negated := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negated {
		i++
	}
	var prev int // the byte before, which a range may start from; 0 for none
	for first := true; ; first = false {
		if i >= len(s) {
			return set, -1
		}
		c := s[i]
		switch {
		case c == ']' && !first:
			if negated {
				for b := range set {
					set[b] = !set[b]
				}
			}
			set['/'] = false
			return set, i + 1
		case c == '-' && prev != 0 && i+1 < len(s) && s[i+1] != ']':
			i++
			if s[i] == '\\' {
				if i++; i >= len(s) {
					return set, -1
				}
			}
			for b := prev; b <= int(s[i]); b++ {
				set[b] = true
			}
			prev = 0
			i++
		case c == '[' && i+1 < len(s) && s[i+1] == ':':
			end := strings.IndexByte(s[i+2:], ']')
			if end < 0 {
				return set, -1
			}
			name, named := strings.CutSuffix(s[i+2:i+2+end], ":")
			if !named {
				// Not a named class after all: the bracket is one of the set.
				set['['] = true
				prev = '['
				i++
				continue
			}
			in, known := namedClasses[name]
			if !known {
				return set, -1
			}
			for b := range 128 {
				if in(byte(b)) {
					set[b] = true
				}
			}
			prev = 0
			i += 2 + end + 1
		default:
			if c == '\\' {
				if i++; i >= len(s) {
					return set, -1
				}
				c = s[i]
			}
			set[c] = true
			prev = int(c)
			i++
		}
	}
}

func between(lo, hi byte) func(byte) bool { return func(b byte) bool { return lo <= b && b <= hi } }

func anyOf(in ...func(byte) bool) func(byte) bool {
	return func(b byte) bool {
		for _, f := range in {
			if f(b) {
				return true
			}
		}
		return false
	}
}

var (
	isDigit = between('0', '9')
	isUpper = between('A', 'Z')
	isLower = between('a', 'z')
	isAlnum = anyOf(isDigit, isUpper, isLower)
	isGraph = between(0x21, 0x7e)
)

var namedClasses = map[string]func(byte) bool{
	"alnum":  isAlnum,
	"alpha":  anyOf(isUpper, isLower),
	"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl":  func(b byte) bool { return b < 0x20 || b == 0x7f },
	"digit":  isDigit,
	"graph":  isGraph,
	"lower":  isLower,
	"print":  between(0x20, 0x7e),
	"punct":  func(b byte) bool { return isGraph(b) && !isAlnum(b) },
	"space":  func(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' },
	"upper":  isUpper,
	"xdigit": anyOf(isDigit, between('A', 'F'), between('a', 'f')),
}

// writeClass writes a set as a class of doublestar over widened text, and
// reports false for the empty set, which nothing matches.
func writeClass(b *strings.Builder, set byteSet) bool {
	any := false
	for i := 0; i < 256; i++ {
		if !set[i] {
			continue
		}
		if !any {
			b.WriteByte('[')
			any = true
		}
		last := i
		for last+1 < 256 && set[last+1] {
			last++
		}
		writeMember(b, i)
		if last > i {
			b.WriteByte('-')
			writeMember(b, last)
		}
		i = last
	}
	if any {
		b.WriteByte(']')
	}
	return any
}

// writeMember escapes what is not plain, so that nothing is read as a sign.
func writeMember(b *strings.Builder, c int) {
	if !isAlnum(byte(c)) {
		b.WriteByte('\\')
	}
	b.WriteRune(rune(c))
}
