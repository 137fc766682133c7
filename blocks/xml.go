package blocks

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
)

var xmlKinds = []string{"document", "element", "tag", "end_tag", "comment", "cdata", "instruction", "doctype", "text", "name", "ERROR"}

// parseXML reads markup with the standard library's tokens as the judge of
// what is well formed, and an own scan for what is inside what: the library
// stops at the first error, and what follows one must still resolve.
func parseXML(b *builder) {
	x := &xmlScanner{b: b, src: b.src, judged: xmlError(b.src)}
	x.scan()
}

// xmlError is the offset where the standard library finds a syntax error, or
// -1. Encodings and entities it does not know are no errors here.
func xmlError(src []byte) int {
	d := xml.NewDecoder(bytes.NewReader(src))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	d.Strict = true
	for {
		if _, err := d.RawToken(); err != nil {
			var s *xml.SyntaxError
			if errors.As(err, &s) && !bytes.Contains([]byte(s.Msg), []byte("entity")) {
				return int(d.InputOffset())
			}
			return -1
		}
	}
}

type xmlScanner struct {
	b    *builder
	src  []byte
	at   int
	open []string
	bad  bool
	// judged is where the library sees an error; it is noted unless the scan
	// has found one by then.
	judged int
}

// maxXMLDepth bounds the elements open at a time.
const maxXMLDepth = 4000

func (x *xmlScanner) fail(from, to int) {
	x.bad = true
	x.b.bad(from, max(to, from))
}

func (x *xmlScanner) scan() {
	for x.at < len(x.src) {
		i := bytes.IndexByte(x.src[x.at:], '<')
		if i < 0 {
			i = len(x.src) - x.at
		}
		if i > 0 {
			x.text(x.at, x.at+i)
			x.at += i
			x.judge()
			continue
		}
		x.markup(x.src[x.at:])
		x.judge()
	}
	for range x.open {
		x.fail(len(x.src), len(x.src))
		x.b.close(len(x.src))
	}
}

func (x *xmlScanner) judge() {
	if x.judged >= 0 && x.at >= x.judged {
		if !x.bad {
			x.fail(x.judged, x.judged)
		}
		x.judged = -1
	}
}

func (x *xmlScanner) markup(rest []byte) {
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		x.until("comment", "-->", 4)
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		x.until("cdata", "]]>", 9)
	case bytes.HasPrefix(rest, []byte("<?")):
		x.until("instruction", "?>", 2)
	case bytes.HasPrefix(rest, []byte("<!")):
		x.doctype()
	case bytes.HasPrefix(rest, []byte("</")):
		x.endTag()
	default:
		x.tag()
	}
}

func (x *xmlScanner) text(from, to int) {
	for from < to && blank(x.src[from]) {
		from++
	}
	for to > from && blank(x.src[to-1]) {
		to--
	}
	if to > from {
		x.b.leaf("text", from, to)
	}
}

func (x *xmlScanner) until(kind, stop string, skip int) {
	from := x.at
	i := bytes.Index(x.src[min(from+skip, len(x.src)):], []byte(stop))
	if i < 0 {
		x.fail(from, len(x.src))
		x.at = len(x.src)
		return
	}
	x.at = from + skip + i + len(stop)
	x.b.leaf(kind, from, x.at)
}

func (x *xmlScanner) doctype() {
	from, depth := x.at, 0
	for i := from; i < len(x.src); i++ {
		switch x.src[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '"', '\'':
			j := bytes.IndexByte(x.src[i+1:], x.src[i])
			if j < 0 {
				x.fail(from, len(x.src))
				x.at = len(x.src)
				return
			}
			i += j + 1
		case '>':
			if depth <= 0 {
				x.at = i + 1
				x.b.leaf("doctype", from, x.at)
				return
			}
		}
	}
	x.fail(from, len(x.src))
	x.at = len(x.src)
}

func xmlName(src []byte) int {
	n := 0
	for n < len(src) && !blank(src[n]) && bytes.IndexByte([]byte("<>/='\"?!&;"), src[n]) < 0 {
		n++
	}
	return n
}

func (x *xmlScanner) endTag() {
	from := x.at
	n := xmlName(x.src[from+2:])
	name := string(x.src[from+2 : from+2+n])
	i := from + 2 + n
	for i < len(x.src) && blank(x.src[i]) {
		i++
	}
	if n == 0 || i >= len(x.src) || x.src[i] != '>' {
		x.at = min(i+1, len(x.src))
		x.fail(from, x.at)
		return
	}
	x.at = i + 1
	level := len(x.open) - 1
	for level >= 0 && x.open[level] != name {
		level--
	}
	if level < 0 {
		x.fail(from, x.at)
		return
	}
	for len(x.open)-1 > level {
		x.fail(from, from)
		x.b.close(from)
		x.open = x.open[:len(x.open)-1]
	}
	x.b.leaf("end_tag", from, x.at)
	x.b.close(x.at)
	x.open = x.open[:level]
}

func (x *xmlScanner) tag() {
	from := x.at
	n := xmlName(x.src[from+1:])
	name := string(x.src[from+1 : from+1+n])
	i := from + 1 + n
	ok := n > 0
	for ok {
		for i < len(x.src) && blank(x.src[i]) {
			i++
		}
		if i >= len(x.src) {
			ok = false
			break
		}
		if x.src[i] == '>' {
			x.element(name, from, i+1, false)
			return
		}
		if x.src[i] == '/' && i+1 < len(x.src) && x.src[i+1] == '>' {
			x.element(name, from, i+2, true)
			return
		}
		a := xmlName(x.src[i:])
		if a == 0 {
			ok = false
			break
		}
		i += a
		for i < len(x.src) && blank(x.src[i]) {
			i++
		}
		if i >= len(x.src) || x.src[i] != '=' {
			ok = false
			break
		}
		i++
		for i < len(x.src) && blank(x.src[i]) {
			i++
		}
		if i >= len(x.src) || x.src[i] != '"' && x.src[i] != '\'' {
			ok = false
			break
		}
		j := bytes.IndexByte(x.src[i+1:], x.src[i])
		if j < 0 || bytes.IndexByte(x.src[i+1:i+1+j], '<') >= 0 {
			ok = false
			break
		}
		i += j + 2
	}
	// A faulty tag opens its element all the same, so that its end tag does
	// not close something else.
	end := bytes.IndexAny(x.src[min(i, len(x.src)):], "<>")
	stop := len(x.src)
	if end >= 0 {
		stop = i + end
		if x.src[stop] == '>' {
			stop++
		}
	}
	if stop <= from {
		stop = from + 1
	}
	if n > 0 && stop <= len(x.src) && x.src[stop-1] == '>' && len(x.open) < maxXMLDepth {
		selfClosed := stop-2 > from && x.src[stop-2] == '/'
		x.b.open("element", from)
		x.fail(from, stop)
		x.at = stop
		if selfClosed {
			x.b.close(stop)
			return
		}
		x.open = append(x.open, name)
		return
	}
	x.fail(from, stop)
	x.at = stop
}

func (x *xmlScanner) element(name string, from, to int, closed bool) {
	x.at = to
	if len(x.open) >= maxXMLDepth {
		x.fail(from, to)
		return
	}
	x.b.open("element", from)
	x.b.open("tag", from)
	x.b.name(from+1, from+1+len(name))
	x.b.close(to)
	if closed {
		x.b.close(to)
		return
	}
	x.open = append(x.open, name)
}
