package blocks

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// The tokens of a protobuf file, as protoc reads them.
type protoToken struct {
	kind     byte // a mark, or one of those below
	from, to int
}

const (
	protoEOF    = 0
	protoBad    = '!' // no token; the error is noted
	protoWord   = 'a'
	protoInt    = 'i'
	protoFloat  = 'f'
	protoString = '"'
)

// protoTokens cuts a file into tokens, the last of which is its end, and lists
// the offsets of what is no token.
func protoTokens(src []byte) (tokens []protoToken, bad []int) {
	add := func(kind byte, from, to int) { tokens = append(tokens, protoToken{kind, from, to}) }
	fail := func(from, to int) {
		bad = append(bad, from)
		add(protoBad, from, to)
	}
	for at := 0; at < len(src); {
		c, from := src[at], at
		switch {
		case blank(c):
			at++
		case c == '/' && at+1 < len(src) && (src[at+1] == '/' || src[at+1] == '*'):
			end, closing := []byte("\n"), 0
			if src[at+1] == '*' {
				end, closing = []byte("*/"), 2
			}
			n := bytes.Index(src[at+2:], end)
			body := src[at+2:]
			if n >= 0 {
				body = body[:n]
			}
			switch zero := bytes.IndexByte(body, 0); {
			case zero >= 0:
				at += 2 + zero + 1
				fail(from, at)
			case n < 0 && closing > 0:
				at = len(src)
				fail(from, at)
			default:
				at += 2 + len(body) + closing
			}
		case wordStart(c):
			for at < len(src) && (wordStart(src[at]) || digit(src[at])) {
				at++
			}
			add(protoWord, from, at)
		case digit(c), c == '.' && at+1 < len(src) && digit(src[at+1]):
			at = numberEnd(src, at)
			if kind := numberKind(string(src[from:at])); kind == protoBad {
				fail(from, at)
			} else {
				add(kind, from, at)
			}
		case c == '"' || c == '\'':
			var wrong []int
			var whole bool
			at, wrong, whole = protoStringEnd(src, at)
			bad = append(bad, wrong...)
			switch {
			case !whole:
				fail(from, at)
			case len(wrong) > 0:
				add(protoBad, from, at)
			default:
				add(protoString, from, at)
			}
		case strings.IndexByte(";,.:=-+(){}[]<>/", c) >= 0:
			at++
			add(c, from, at)
		default:
			for at++; at < len(src) && src[at]&0xc0 == 0x80 && c >= 0xc0; {
				at++
			}
			fail(from, at)
		}
	}
	add(protoEOF, len(src), len(src))
	return tokens, bad
}

func digit(c byte) bool     { return c >= '0' && c <= '9' }
func wordStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// numberEnd is where a number ends that begins at an offset: it runs on over
// letters, so that what is glued to it makes it wrong.
func numberEnd(src []byte, at int) int {
	sign := false // one may follow, after an exponent's letter
	for ; at < len(src); at++ {
		c := src[at]
		if (c == '-' || c == '+') && !sign || c != '-' && c != '+' && c != '.' && !digit(c) && !wordStart(c) {
			break
		}
		sign = c|0x20 == 'e'
	}
	return at
}

func numberKind(s string) byte {
	switch {
	case strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X"):
		if _, err := strconv.ParseUint(s[2:], 16, 64); err != nil {
			return protoBad
		}
		return protoInt
	case strings.ContainsAny(s, ".eE"):
		if !isFloat(s) {
			return protoBad
		}
		return protoFloat
	case s[0] == '0':
		if _, err := strconv.ParseUint(s, 8, 64); err != nil {
			return protoBad
		}
		return protoInt
	}
	_, err := strconv.ParseUint(s, 10, 64)
	switch {
	case err == nil:
		return protoInt
	case err.(*strconv.NumError).Err == strconv.ErrRange && isFloat(s):
		return protoFloat // too big for an integer
	}
	return protoBad
}

func isFloat(s string) bool {
	f, err := strconv.ParseFloat(s, 64)
	return !strings.Contains(s, "_") && (err == nil || math.IsInf(f, 1))
}

// protoStringEnd is where a string ends that begins at an offset, and where it
// has escapes that are none. One that does not end on its row is not whole.
func protoStringEnd(src []byte, at int) (end int, wrong []int, whole bool) {
	quote := src[at]
	hex := func(c byte) bool { return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
	for at++; at < len(src); {
		switch c := src[at]; c {
		case quote:
			return at + 1, wrong, true
		case '\n':
			return at + 1, wrong, false
		case 0:
			wrong = append(wrong, at)
			at++
		case '\\':
			from := at
			if at += 2; at > len(src) {
				return len(src), wrong, false
			}
			digits, limit := 0, 0
			switch e := src[at-1]; {
			case e|0x20 == 'x':
				for digits < 2 && at < len(src) && hex(src[at]) {
					digits, at = digits+1, at+1
				}
				if digits == 0 {
					wrong = append(wrong, from)
				}
				continue
			case e >= '0' && e <= '7':
				n := int(e - '0')
				for digits = 1; digits < 3 && at < len(src) && src[at] >= '0' && src[at] <= '7'; digits++ {
					n, at = n*8+int(src[at]-'0'), at+1
				}
				if n > 0xff {
					wrong = append(wrong, from)
				}
				continue
			case e == 'u':
				limit = 4
			case e == 'U':
				limit = 8
			case strings.IndexByte(`abfnrtv\'"?`, e) < 0:
				wrong = append(wrong, from)
				continue
			default:
				continue
			}
			for digits < limit && at < len(src) && hex(src[at]) {
				digits, at = digits+1, at+1
			}
			n, _ := strconv.ParseUint(string(src[at-digits:at]), 16, 64)
			if digits < limit || n > 0x10ffff {
				wrong = append(wrong, from)
			}
		default:
			at++
		}
	}
	return at, wrong, false
}
