package dialects

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// UnescapeJSON decodes text that is the body of a JSON string: no raw control
// characters, no unescaped quote, every backslash starting a valid escape,
// surrogates in pairs. ok is false when it is not. Cost: linear.
func UnescapeJSON(s string) (decoded string, ok bool) {
	if strings.IndexByte(s, '\\') < 0 {
		for i := 0; i < len(s); i++ {
			if s[i] < 0x20 || s[i] == '"' {
				return "", false
			}
		}
		return s, utf8.ValidString(s)
	}
	if !utf8.ValidString(s) {
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c < 0x20, c == '"':
			return "", false
		case c != '\\':
			b.WriteByte(c)
			i++
		default:
			r, n := escape(s[i:])
			if n == 0 {
				return "", false
			}
			b.WriteRune(r)
			i += n
		}
	}
	return b.String(), true
}

// UnescapeJSONSequences decodes the valid escape sequences of a text that mixes
// escaped and raw characters, and leaves everything else as it is. It returns
// how many there were. Cost: linear.
func UnescapeJSONSequences(s string) (decoded string, sequences int) {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == '\\' {
			if r, n := escape(s[i:]); n > 0 {
				b.WriteRune(r)
				i += n
				sequences++
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String(), sequences
}

// escape reads the escape sequence that s starts with: its character, and its
// length, or 0 when it is none.
func escape(s string) (r rune, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	r, ok := hex4(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	low, ok := hex4(s[6:])
	if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
		return 0, 0
	}
	return r, 12
}

// hex4 reads \uXXXX.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range []byte(s[2:6]) {
		if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
			return 0, false
		}
	}
	v, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(v), err == nil
}

// decodeJSONText decodes a text whole, if it is a JSON string body, else
// sequence by sequence. ok is false, and the text as it was, when that changes
// nothing.
func decodeJSONText(s string) (decoded string, how Relaxation, ok bool) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, "", false
	}
	if dec, valid := UnescapeJSON(s); valid && dec != s {
		return dec, RelaxedJSON, true
	}
	if dec, n := UnescapeJSONSequences(s); n > 0 {
		return dec, RelaxedSeq, true
	}
	return s, "", false
}
