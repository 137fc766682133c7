package blocks

import "bytes"

var protoKinds = []string{
	"file", "comment", "syntax", "edition", "package", "import", "option", "message", "enum", "service", "extend", "oneof", "group", "rpc",
	"field", "reserved", "extensions", "body", "options", "literal", "list", "entry", "{", "}", "[", "]", ";", "name", "ERROR",
}

// parseProto reads a protobuf file: one scan finds what is inside what, and a
// judge that knows the grammar says what is an error. Every declaration ends at
// a semicolon or at the end of its braces, so the scan needs no grammar; where
// the judge sees no error, it cannot be wrong.
func parseProto(b *builder) {
	p := &protoScanner{b: b, errs: protoErrors(b.src)}
	p.lex()
	for p.at < len(p.toks) {
		p.element()
	}
	p.note(len(b.src) + 1)
}

type protoTok struct {
	from, to int
	c        byte // the byte of a mark, 'a' for a word, '"' for a string, '/' for a comment
}

type protoScanner struct {
	b     *builder
	toks  []protoTok
	at    int
	errs  []int
	depth int
}

func (p *protoScanner) lex() {
	src := p.b.src
	for i := 0; i < len(src); {
		c := src[i]
		from := i
		switch {
		case blank(c):
			i++
			continue
		case c == '/' && i+1 < len(src) && src[i+1] == '/':
			if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(src)
			}
			p.toks = append(p.toks, protoTok{from, i, '/'})
		case c == '/' && i+1 < len(src) && src[i+1] == '*':
			if n := bytes.Index(src[i+2:], []byte("*/")); n >= 0 {
				i += n + 4
			} else {
				i = len(src)
			}
			p.toks = append(p.toks, protoTok{from, i, '/'})
		case c == '"' || c == '\'':
			for i++; i < len(src) && src[i] != c && src[i] != '\n'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(src))
			p.toks = append(p.toks, protoTok{from, i, '"'})
		case c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80:
			for i < len(src) && (src[i] == '_' || src[i] >= '0' && src[i] <= '9' || src[i]|0x20 >= 'a' && src[i]|0x20 <= 'z' || src[i] >= 0x80) {
				i++
			}
			p.toks = append(p.toks, protoTok{from, i, 'a'})
		default:
			i++
			p.toks = append(p.toks, protoTok{from, i, c})
		}
	}
}

// note adds error nodes for the errors before an offset, at the place in the
// tree that has been reached.
func (p *protoScanner) note(before int) {
	for len(p.errs) > 0 && p.errs[0] < before {
		at := min(p.errs[0], len(p.b.src))
		p.b.bad(at, at)
		p.errs = p.errs[1:]
	}
}

func (p *protoScanner) peek() byte {
	if p.at < len(p.toks) {
		return p.toks[p.at].c
	}
	return 0
}

func (p *protoScanner) word() string {
	if p.at < len(p.toks) {
		t := p.toks[p.at]
		return string(p.b.src[t.from:t.to])
	}
	return ""
}

// mark adds the token as an anonymous node.
func (p *protoScanner) mark() int {
	t := p.toks[p.at]
	p.note(t.to)
	p.b.token(string(p.b.src[t.from]), t.from, t.to)
	p.at++
	return t.to
}

func (p *protoScanner) comment() {
	t := p.toks[p.at]
	p.note(t.from)
	p.b.leaf("comment", t.from, t.to)
	p.at++
}

const maxProtoDepth = 200

// skip passes a token that is no node.
func (p *protoScanner) skip() int {
	t := p.toks[p.at]
	p.note(t.to)
	p.at++
	return t.to
}

// element reads one declaration, comment or stray mark.
func (p *protoScanner) element() {
	switch p.peek() {
	case '/':
		p.comment()
		return
	case ';':
		p.mark()
		return
	case '}', ']', ')':
		t := p.toks[p.at]
		p.b.bad(t.from, t.to)
		p.at++
		return
	}
	kind := p.word()
	switch kind {
	case "syntax", "edition", "package", "import", "option", "message", "enum", "service", "extend", "oneof", "rpc", "reserved", "extensions":
	default:
		kind = "field"
	}
	from := p.toks[p.at].from
	p.note(from)
	p.b.open(kind, from)
	end := p.skip()
	if kind == "field" && (p.b.src[from] == 'o' || p.b.src[from] == 'r') && p.word() == "group" {
		p.b.nodes[len(p.b.nodes)-1].kind = p.b.kinds["group"]
	}
	last := protoTok{}
	if kind != "field" && p.peek() == 'a' {
		last = p.toks[p.at]
		if kind != "option" && kind != "extend" {
			p.b.name(last.from, last.to)
			end = p.skip()
		}
	}
	equals, ended := false, false
	for !ended && p.at < len(p.toks) {
		t := p.toks[p.at]
		switch t.c {
		case ';':
			end = p.mark()
			ended = true
		case '{':
			if equals {
				end = p.literal()
				continue
			}
			end = p.body()
			ended = true
		case '[':
			end = p.list("options")
		case '=':
			if kind == "field" && last.to > 0 && !equals {
				p.b.name(last.from, last.to)
			}
			equals = true
			end = p.skip()
		case '/':
			p.comment()
		case '}', ']':
			// The declaration was not ended; the judge has said so, or will.
			p.note(t.to)
			ended = true
		default:
			if t.c == 'a' {
				last = t
			}
			end = p.skip()
		}
	}
	if !ended {
		p.note(len(p.b.src) + 1)
	}
	p.b.close(end)
}

func (p *protoScanner) body() int {
	from := p.toks[p.at].from
	if p.depth >= maxProtoDepth {
		t := p.toks[p.at]
		p.b.bad(t.from, t.to)
		p.at++
		return t.to
	}
	p.depth++
	defer func() { p.depth-- }()
	p.b.open("body", from)
	end := p.mark()
	for p.at < len(p.toks) && p.peek() != '}' {
		p.element()
		end = p.toks[p.at-1].to
	}
	if p.at < len(p.toks) {
		end = p.mark()
	} else {
		p.b.bad(len(p.b.src), len(p.b.src))
	}
	p.b.close(end)
	return end
}

// literal reads a message literal: entries in braces.
func (p *protoScanner) literal() int {
	return p.entries("literal", '{', '}')
}

// list reads options or a list literal: entries in square brackets.
func (p *protoScanner) list(kind string) int {
	return p.entries(kind, '[', ']')
}

func (p *protoScanner) entries(kind string, open, shut byte) int {
	if p.depth >= maxProtoDepth {
		t := p.toks[p.at]
		p.b.bad(t.from, t.to)
		p.at++
		return t.to
	}
	p.depth++
	defer func() { p.depth-- }()
	p.b.open(kind, p.toks[p.at].from)
	end := p.mark()
	for p.at < len(p.toks) {
		t := p.toks[p.at]
		switch t.c {
		case shut:
			end = p.mark()
			p.b.close(end)
			return end
		case '/':
			p.comment()
		case ',', ';':
			end = p.skip()
		case '}', ']', ')':
			p.b.bad(t.from, t.to)
			p.b.close(t.from)
			return t.from
		default:
			end = p.entry()
		}
	}
	p.b.bad(len(p.b.src), len(p.b.src))
	p.b.close(end)
	return end
}

// entry reads `name: value`, `name {...}`, `(name).x = value` or a value.
func (p *protoScanner) entry() int {
	from := p.toks[p.at].from
	p.note(from)
	p.b.open("entry", from)
	end := from
	value := false
	for p.at < len(p.toks) {
		t := p.toks[p.at]
		switch t.c {
		case '{':
			end = p.literal()
			p.b.close(end)
			return end
		case '[':
			if end == from && !value {
				// An extension's name in brackets, or a list inside a list.
				end = p.list("list")
				if p.peek() != ':' && p.peek() != '{' {
					p.b.close(end)
					return end
				}
				continue
			}
			end = p.list("list")
			p.b.close(end)
			return end
		case '/':
			p.comment()
		case ',', ';', '}', ']', ')':
			if t.c == ')' && !value {
				end = p.skip()
				continue
			}
			p.b.close(end)
			return end
		case ':', '=':
			value = true
			end = p.skip()
		case '"', 'a':
			if value && end > from && p.at > 0 {
				prev := p.toks[p.at-1].c
				if prev == 'a' || prev == '"' && t.c == 'a' {
					// The next entry: separators are optional in literals.
					p.b.close(end)
					return end
				}
			}
			end = p.skip()
		default:
			end = p.skip()
		}
	}
	p.b.close(end)
	return end
}
