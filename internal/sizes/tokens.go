package main

import (
	"unicode"
	"unicode/utf8"
)

// tokens estimates how many tokens a text is. It splits the text the way
// GPT-style encoders do before they look anything up, and then counts each
// piece by a rule instead of a vocabulary:
//
//	a word, with the blank or mark before it   1 for every part in camelCase, more for long parts
//	up to 3 digits                             1
//	a run of marks, with line breaks behind    1 for every 3 marks, or 16 of a kind
//	blanks, line breaks                        1
//
// Cost: linear.
func tokens(s string) int {
	n := 0
	for len(s) > 0 {
		size, count := piece(s)
		n += count
		s = s[size:]
	}
	return n
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }
func digit(r rune) bool  { return unicode.IsNumber(r) }
func space(r rune) bool  { return unicode.IsSpace(r) }
func mark(r rune) bool   { return !letter(r) && !digit(r) && !space(r) }

// span is the length of the characters of a kind at the start of a text.
func span(s string, kind func(rune) bool) int {
	for i, r := range s {
		if !kind(r) {
			return i
		}
	}
	return len(s)
}

// piece is the size of the first piece of a text and its tokens.
func piece(s string) (size, count int) {
	r, w := utf8.DecodeRuneInString(s)
	// A word takes one character before it along, unless that ends a line.
	lead := 0
	if !letter(r) && !digit(r) && r != '\n' && r != '\r' {
		lead = w
	}
	if n := span(s[lead:], letter); n > 0 && (lead > 0 || letter(r)) {
		count = word(s[lead : lead+n])
		if lead > 0 && mark(r) && count > 1 {
			count++ // a mark and half a word are rarely one token
		}
		return lead + n, count
	}
	if digit(r) {
		for size = 0; count < 3 && size < len(s); count++ {
			r, w := utf8.DecodeRuneInString(s[size:])
			if !digit(r) {
				break
			}
			size += w
		}
		return size, 1
	}
	blank := 0
	if r == ' ' {
		blank = 1
	}
	if n := span(s[blank:], mark); n > 0 {
		size = blank + n
		count = marks(s[blank:size])
		for size < len(s) && (s[size] == '\n' || s[size] == '\r') {
			size++
		}
		return size, count
	}
	// Blanks end after their last line break, else before the last one of
	// them, which the next piece takes along.
	size = span(s, space)
	last := 0
	for i := range size {
		if s[i] == '\n' || s[i] == '\r' {
			last = i + 1
		}
	}
	switch {
	case last > 0:
		size = last
	case size < len(s) && size > w:
		_, w := utf8.DecodeLastRuneInString(s[:size])
		size -= w
	}
	return size, 1
}

// marks is the tokens of a run of marks.
func marks(s string) int {
	n := 0
	for s != "" {
		r, w := utf8.DecodeRuneInString(s)
		same := span(s, func(q rune) bool { return q == r })
		if same < 4*w {
			same = w
			for rest := s[w:]; rest != "" && same < 3*w; {
				_, w := utf8.DecodeRuneInString(rest)
				same, rest = same+w, rest[w:]
			}
		} else if same > 16*w {
			same = 16 * w
		}
		n++
		s = s[same:]
	}
	return n
}

// word is the tokens of a run of letters.
func word(s string) int {
	n, length := 0, 0
	part := func() {
		if length > 0 {
			n += 1 + (length-1)/wordPart
		}
		length = 0
	}
	lower := false
	for _, r := range s {
		if lower && unicode.IsUpper(r) {
			part()
		}
		lower = unicode.IsLower(r)
		if r >= utf8.RuneSelf {
			length += 3
		} else {
			length++
		}
	}
	part()
	return n
}

// wordPart is how many letters of a word are taken for one token.
const wordPart = 8
