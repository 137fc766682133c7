package blocks

import "bytes"

// piece says why a block of HTML in Markdown opens nothing: a blank line ends
// such a block, so it may hold a part of an element alone. One that begins with
// an end tag closes; in any other, every element that is in no other must end.
// Comments, and elements that have no end tag, are whole. Cost: linear in the
// block for each of those elements that does not end, of which the first decides.
func piece(html []byte) reason {
	if bytes.HasPrefix(html, []byte("</")) {
		return isCloser
	}
	for at := 0; ; {
		i := bytes.IndexByte(html[at:], '<')
		if i < 0 {
			return fine
		}
		at += i + 1
		rest := html[at:]
		if bytes.HasPrefix(rest, []byte("!--")) {
			i := bytes.Index(rest, []byte("-->"))
			if i < 0 {
				return fine
			}
			at += i
			continue
		}
		if bytes.HasPrefix(rest, []byte("/")) && elementName(rest[1:]) != nil {
			return isPiece
		}
		name := elementName(rest)
		if name == nil {
			continue
		}
		after := tagEnd(html, at)
		if !voidElement(name) && html[after-2] != '/' {
			if after = elementEnd(html, name, after); after == 0 {
				return isPiece
			}
		}
		at = after
	}
}

// elementEnd is the offset after the end tag of an element whose start tag ends
// at an offset, 0 when it has none.
func elementEnd(html, name []byte, at int) int {
	for open := 1; ; {
		i := bytes.IndexByte(html[at:], '<')
		if i < 0 {
			return 0
		}
		at += i + 1
		end := at < len(html) && html[at] == '/'
		if end {
			at++
		}
		if !bytes.EqualFold(elementName(html[at:]), name) {
			continue
		}
		at = tagEnd(html, at)
		switch {
		case end:
			open--
		case html[at-2] != '/':
			open++
		}
		if open == 0 {
			return at
		}
	}
}

// elementName is the name that a text begins with, nil for none.
func elementName(b []byte) []byte {
	if len(b) == 0 || !letter(b[0]) {
		return nil
	}
	i := 1
	for i < len(b) && (letter(b[i]) || b[i] >= '0' && b[i] <= '9' || b[i] == '-' || b[i] == ':' || b[i] == '.') {
		i++
	}
	return b[:i]
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// tagEnd is the offset after the tag that an offset is in: after its `>`,
// those in quoted values aside.
func tagEnd(b []byte, at int) int {
	quote := byte(0)
	for i := at; i < len(b); i++ {
		switch c := b[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(b)
}

func voidElement(name []byte) bool {
	switch string(bytes.ToLower(name)) {
	case "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}
