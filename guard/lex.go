package guard

import (
	"strings"
	"unicode/utf8"
)

// A language is an embedded programming language, as far as its tokens differ.
type language int

const (
	python language = iota
	javascript
	ruby
	perl
	php
	lua
	awk
)

type tokenKind uint8

const (
	tokIdent  tokenKind = iota // names and numbers; $name in Perl and PHP
	tokString                  // text is the value
	tokShell                   // a command in backquotes or %x
	tokRegexp
	tokOp
	tokLine // the end of a line
)

// A token of an embedded program.
type token struct {
	kind tokenKind
	text string
	// open says that parts of a string are computed, so text is not its value.
	open     bool
	from, to int // byte offsets in the program
}

// A lexer takes a program apart. It knows strings, comments and where a regular
// expression can stand, no more: what follows works on names and brackets.
type lexer struct {
	lang language
	s    string
	i    int
	toks []token
	// docs are here-documents whose bodies start on the next line.
	docs []heredoc
	// scan is how many bytes may still be looked at in search of a closing
	// delimiter; a hostile program could ask for that at every byte.
	scan int
}

type heredoc struct {
	tok    int
	end    string
	indent bool
}

// lex gives the tokens of a program; ok is false when there are too many.
func (f *frame) lex(lang language, s string) (toks []token, ok bool) {
	l := &lexer{lang: lang, s: s, scan: 8 << 20}
	l.pod()
	for l.i < len(l.s) {
		if !f.a.step() {
			return nil, false
		}
		l.next()
	}
	return l.toks, true
}

func (l *lexer) emit(kind tokenKind, from int, text string, open bool) {
	l.toks = append(l.toks, token{kind, text, open || isOpaque(text), from, l.i})
}

func (l *lexer) peek(prefix string) bool { return strings.HasPrefix(l.s[l.i:], prefix) }

func (l *lexer) skipLine() {
	if j := strings.IndexByte(l.s[l.i:], '\n'); j >= 0 {
		l.i += j
	} else {
		l.i = len(l.s)
	}
}

// skipPast moves behind the next occurrence of end, or to the end of the text.
func (l *lexer) skipPast(end string) {
	if j := strings.Index(l.s[l.i:], end); j >= 0 {
		l.i += j + len(end)
	} else {
		l.i = len(l.s)
	}
}

func (l *lexer) lineStart() bool { return l.i == 0 || l.s[l.i-1] == '\n' }

func (l *lexer) next() {
	c := l.s[l.i]
	start := l.i
	switch {
	case c == '\n':
		l.i++
		l.emit(tokLine, start, "\n", false)
		l.bodies()
		l.pod()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		l.i++
	case c == '\\' && l.i+1 < len(l.s) && l.s[l.i+1] == '\n' && l.lang != perl:
		l.i += 2
	case l.comment():
	case c == '"' || c == '\'':
		l.quote(c, start, "")
	case c == '`':
		l.backquote(start)
	case l.special(c, start):
	case isNameByte(c) || c == '$' && (l.lang == perl || l.lang == php) || c == '@' && l.lang == perl:
		l.name(start)
	default:
		l.op(start)
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}

func (l *lexer) comment() bool {
	switch {
	case l.lang == lua && l.peek("--[["):
		l.skipPast("]]")
	case l.lang == lua && l.peek("--"),
		(l.lang == javascript || l.lang == php) && l.peek("//"),
		(l.lang == python || l.lang == ruby || l.lang == perl || l.lang == php || l.lang == awk) && l.peek("#"),
		l.lang == javascript && l.i == 0 && l.peek("#!"):
		l.skipLine()
	case (l.lang == javascript || l.lang == php) && l.peek("/*"):
		l.i += 2
		l.skipPast("*/")
	default:
		return false
	}
	return true
}

// pod skips the documentation blocks of Perl and Ruby, and what is behind the
// end mark, at the start of a line.
func (l *lexer) pod() {
	for l.podAt() {
	}
}

func (l *lexer) podAt() bool {
	if !l.lineStart() {
		return false
	}
	switch {
	case (l.lang == perl || l.lang == ruby) && (l.peek("__END__\n") || l.peek("__DATA__\n")):
		l.i = len(l.s)
	case l.lang == ruby && l.peek("=begin"):
		l.skipPast("\n=end")
		l.skipLine()
	case l.lang == perl && l.peek("=") && l.i+1 < len(l.s) && l.s[l.i+1]|0x20 >= 'a' && l.s[l.i+1]|0x20 <= 'z':
		l.skipPast("\n=cut")
		l.skipLine()
	default:
		return false
	}
	return l.i < len(l.s) && l.s[l.i] != '\n'
}

// quote reads a string that starts at the current quote; prefix has the letters
// before it in lower case.
func (l *lexer) quote(q byte, start int, prefix string) {
	end := string(q)
	if l.lang == python {
		if triple := strings.Repeat(end, 3); l.peek(triple) {
			end = triple
		}
	}
	l.i += len(end)
	raw := strings.Contains(prefix, "r")
	open := strings.Contains(prefix, "f")
	var b strings.Builder
	computed := false
	for l.i < len(l.s) && !l.peek(end) {
		c := l.s[l.i]
		switch {
		case c == '\n' && len(end) == 1 && (l.lang == python || l.lang == javascript || l.lang == awk):
			// The string is not closed: the program is broken here.
			l.emit(tokString, start, b.String(), true)
			return
		case c == '\\' && l.i+1 < len(l.s):
			if raw {
				b.WriteString(l.s[l.i : l.i+2])
				l.i += 2
				continue
			}
			l.escape(&b, q)
			continue
		case open && c == '{':
			if l.peek("{{") {
				l.i++
			} else {
				computed = true
			}
		case q == '"' && l.interpolates():
			computed = true
		}
		b.WriteByte(c)
		l.i++
	}
	l.i = min(len(l.s), l.i+len(end))
	l.emit(tokString, start, b.String(), computed)
}

// interpolates says that a computed part starts here in a double-quoted string.
func (l *lexer) interpolates() bool {
	rest := l.s[l.i:]
	switch l.lang {
	case ruby:
		return strings.HasPrefix(rest, "#{")
	case perl:
		return len(rest) > 1 && (rest[0] == '$' || rest[0] == '@') && (isNameByte(rest[1]) || rest[1] == '{')
	case php:
		return len(rest) > 1 && (rest[0] == '$' && isNameByte(rest[1]) || rest[0] == '{' && rest[1] == '$')
	}
	return false
}

// escape reads one backslash sequence. What only some languages have is left as
// it stands.
func (l *lexer) escape(b *strings.Builder, q byte) {
	c := l.s[l.i+1]
	l.i += 2
	if q == '\'' && (l.lang == perl || l.lang == ruby || l.lang == php) {
		if c != '\'' && c != '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		return
	}
	switch c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case '\n':
	case '\\', '\'', '"', '`', '$', '@', '#', '/':
		b.WriteByte(c)
	default:
		b.WriteByte('\\')
		b.WriteByte(c)
	}
}

func (l *lexer) backquote(start int) {
	l.i++
	from := l.i
	computed := false
	for l.i < len(l.s) && l.s[l.i] != '`' {
		switch {
		case l.s[l.i] == '\\':
			l.i++
		case l.lang == javascript && l.peek("${"):
			computed = true
			l.skipBraces()
			continue
		case l.lang != javascript && l.interpolates():
			computed = true
		}
		l.i++
	}
	l.i = min(l.i, len(l.s))
	text := l.s[from:l.i]
	l.i = min(l.i+1, len(l.s))
	kind := tokShell
	if l.lang == javascript {
		kind = tokString
		text = strings.ReplaceAll(text, "\\`", "`")
	}
	l.emit(kind, start, text, computed)
}

// skipBraces moves behind the expression of a template's ${ }.
func (l *lexer) skipBraces() {
	depth := 0
	for l.i < len(l.s) {
		switch c := l.s[l.i]; c {
		case '{':
			depth++
		case '}':
			depth--
			if depth == 0 {
				l.i++
				return
			}
		case '\'', '"':
			for l.i++; l.i < len(l.s) && l.s[l.i] != c && l.s[l.i] != '\n'; l.i++ {
				if l.s[l.i] == '\\' {
					l.i++
				}
			}
		}
		l.i++
	}
	l.i = len(l.s)
}

// special reads what only one language has: here-documents, q(), %w[], [[ ]],
// and regular expressions.
func (l *lexer) special(c byte, start int) bool {
	switch {
	case c == '/' && l.operand():
		return l.regexp(start)
	case c == '<' && l.peek("<<") && (l.lang == ruby || l.lang == perl || l.lang == php):
		return l.heredoc(start)
	case c == '%' && l.lang == ruby && l.operand():
		return l.percent(start)
	case c == '[' && l.lang == lua && l.peek("[["):
		l.i += 2
		from := l.i
		l.skipPast("]]")
		l.emit(tokString, start, strings.TrimSuffix(l.s[from:l.i], "]]"), false)
		return true
	}
	return false
}

// operand says that an operand, not an operator, can stand here.
func (l *lexer) operand() bool {
	switch l.lang {
	case python, php, lua:
		return false
	}
	if len(l.toks) == 0 {
		return true
	}
	t := l.toks[len(l.toks)-1]
	switch t.kind {
	case tokLine:
		return true
	case tokOp:
		return t.text != ")" && t.text != "]" && t.text != "}"
	case tokIdent:
		switch t.text {
		case "return", "typeof", "case", "in", "of", "if", "unless", "and", "or", "not", "when", "while", "until", "split", "grep", "puts", "print", "map", "else", "do", "then":
			return true
		}
	}
	return false
}

func (l *lexer) regexp(start int) bool {
	in := false
	for j := l.i + 1; j < len(l.s) && l.s[j] != '\n' && l.scan > 0; j++ {
		l.scan--
		switch c := l.s[j]; {
		case c == '\\':
			j++
		case c == '[':
			in = true
		case c == ']':
			in = false
		case c == '/' && !in:
			text := l.s[l.i+1 : j]
			l.i = j + 1
			for l.i < len(l.s) && l.s[l.i]|0x20 >= 'a' && l.s[l.i]|0x20 <= 'z' {
				l.i++
			}
			l.emit(tokRegexp, start, text, true)
			return true
		}
	}
	return false
}

func (l *lexer) heredoc(start int) bool {
	j := l.i + 2
	if l.lang == php {
		if j >= len(l.s) || l.s[j] != '<' {
			return false
		}
		j++
		for j < len(l.s) && l.s[j] == ' ' {
			j++
		}
	}
	indent := l.lang == php
	if j < len(l.s) && (l.s[j] == '~' || l.s[j] == '-') {
		indent = true
		j++
	}
	open := true
	var end string
	if j < len(l.s) && (l.s[j] == '\'' || l.s[j] == '"') {
		q := l.s[j]
		k := strings.IndexByte(l.s[j+1:], q)
		if k < 0 {
			return false
		}
		end, open = l.s[j+1:j+1+k], q == '"'
		j += k + 2
	} else {
		k := j
		for k < len(l.s) && isNameByte(l.s[k]) {
			k++
		}
		end = l.s[j:k]
		if end == "" || end[0] >= '0' && end[0] <= '9' || l.lang != php && end[0]|0x20 == end[0] && l.lang == ruby {
			return false // a << b
		}
		j = k
	}
	l.i = j
	l.emit(tokString, start, "", open)
	l.docs = append(l.docs, heredoc{len(l.toks) - 1, end, indent})
	return true
}

// bodies reads the bodies of here-documents, at the start of a line.
func (l *lexer) bodies() {
	for _, d := range l.docs {
		from := l.i
		for l.i < len(l.s) {
			at := l.i
			l.skipLine()
			line := strings.TrimSuffix(l.s[at:l.i], "\r")
			if d.indent {
				line = strings.TrimLeft(line, " \t")
			}
			if l.lang == php {
				line = strings.TrimRight(line, ";,) ")
			}
			last := line == d.end
			if last {
				t := &l.toks[d.tok]
				t.text = l.s[from:at]
				t.open = t.open && strings.ContainsAny(t.text, "$#@")
			}
			if l.i < len(l.s) {
				l.i++
			}
			if last {
				break
			}
		}
	}
	l.docs = nil
}

func closing(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	return c
}

// delimited reads a text between delimiters, which nest when they are brackets.
func (l *lexer) delimited() (string, bool) {
	if l.i >= len(l.s) {
		return "", false
	}
	o := l.s[l.i]
	c := closing(o)
	depth := 0
	for j := l.i + 1; j < len(l.s) && l.scan > 0; j++ {
		l.scan--
		switch {
		case l.s[j] == '\\':
			j++
		case l.s[j] == c:
			if depth == 0 {
				text := l.s[l.i+1 : j]
				l.i = j + 1
				return text, true
			}
			depth--
		case l.s[j] == o:
			depth++
		}
	}
	return "", false
}

// percent is Ruby's %q(), %Q(), %(), %w[], %i[], %x() and %r{}.
func (l *lexer) percent(start int) bool {
	j := l.i + 1
	kind := byte('Q')
	if j < len(l.s) && strings.IndexByte("qQwWiIxrs", l.s[j]) >= 0 {
		kind = l.s[j]
		j++
	}
	if j >= len(l.s) || strings.IndexByte("([{<|!/", l.s[j]) < 0 {
		return false
	}
	save := l.i
	l.i = j
	text, ok := l.delimited()
	if !ok {
		l.i = save
		return false
	}
	open := strings.Contains(text, "#{")
	switch kind {
	case 'x':
		l.emit(tokShell, start, text, open)
	case 'r':
		l.emit(tokRegexp, start, text, true)
	case 'w', 'W', 'i', 'I':
		l.words(start, text)
	default:
		l.emit(tokString, start, text, open && kind != 'q')
	}
	return true
}

// words makes a list of strings, as an array literal would.
func (l *lexer) words(start int, text string) {
	l.emit(tokOp, start, "[", false)
	for i, w := range strings.Fields(text) {
		if i > 0 {
			l.emit(tokOp, start, ",", false)
		}
		l.emit(tokString, start, w, strings.Contains(w, "#{"))
	}
	l.emit(tokOp, start, "]", false)
}

// name reads a name, a number, or what a name introduces: a string prefix in
// Python, q() and its kin in Perl.
func (l *lexer) name(start int) {
	if c := l.s[l.i]; c == '$' || c == '@' {
		l.i++
		for l.i < len(l.s) && (l.s[l.i] == '$' || l.s[l.i] == '#') && l.i+1 < len(l.s) && (isNameByte(l.s[l.i+1]) || l.s[l.i+1] == '{' || l.s[l.i+1] == '$') {
			l.i++
		}
		if l.i < len(l.s) && !isNameByte(l.s[l.i]) && l.s[l.i] != '{' && l.s[l.i] != ' ' && l.s[l.i] != '\n' && l.lang == perl && c == '$' {
			l.i++ // $!, $/, $"
			l.emit(tokIdent, start, l.s[start:l.i], false)
			return
		}
	}
	for l.i < len(l.s) && isNameByte(l.s[l.i]) {
		l.i++
	}
	if (l.lang == ruby) && l.i < len(l.s) && (l.s[l.i] == '?' || l.s[l.i] == '!') && !strings.HasPrefix(l.s[l.i+1:], "=") {
		l.i++
	}
	name := l.s[start:l.i]
	if l.i < len(l.s) {
		switch l.lang {
		case python:
			if c := l.s[l.i]; (c == '"' || c == '\'') && len(name) <= 2 && strings.Trim(strings.ToLower(name), "rbuf") == "" {
				l.quote(c, start, strings.ToLower(name))
				return
			}
		case perl:
			if l.quoteLike(start, name) {
				return
			}
		}
	}
	l.emit(tokIdent, start, name, false)
}

// quoteLike is Perl's q, qq, qw, qx, m, qr, s, tr and y.
func (l *lexer) quoteLike(start int, name string) bool {
	switch name {
	case "q", "qq", "qw", "qx", "m", "qr", "s", "tr", "y":
	default:
		return false
	}
	if n := len(l.toks); n > 0 && (l.toks[n-1].text == "->" || l.toks[n-1].text == "{" && strings.HasPrefix(l.s[l.i:], "}") || l.toks[n-1].text == "sub") {
		return false
	}
	save := l.i
	for l.i < len(l.s) && (l.s[l.i] == ' ' || l.s[l.i] == '\t') {
		l.i++
	}
	if l.i >= len(l.s) || isNameByte(l.s[l.i]) || strings.IndexByte(" \t\r\n,;)=", l.s[l.i]) >= 0 || l.s[l.i] == '#' && save != l.i {
		l.i = save
		return false
	}
	d := l.s[l.i]
	text, ok := l.delimited()
	if !ok {
		l.i = save
		return false
	}
	switch name {
	case "q":
		l.emit(tokString, start, text, false)
	case "qq":
		l.emit(tokString, start, text, strings.ContainsAny(text, "$@"))
	case "qw":
		l.words(start, text)
	case "qx":
		l.emit(tokShell, start, text, strings.ContainsAny(text, "$@"))
	case "s", "tr", "y":
		if closing(d) == d {
			l.i-- // the delimiter in the middle is shared
		} else {
			for l.i < len(l.s) && (l.s[l.i] == ' ' || l.s[l.i] == '\n') {
				l.i++
			}
		}
		l.delimited()
		fallthrough
	default:
		for l.i < len(l.s) && l.s[l.i] >= 'a' && l.s[l.i] <= 'z' {
			l.i++
		}
		l.emit(tokRegexp, start, text, true)
	}
	return true
}

var operators = []string{
	"===", "!==", "**=", "//=", "||=", "&&=", "??=", "...", "<=>", ">>=", "<<=",
	"::", "->", "?.", "=>", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", ".=", "|=", "&=", ":=", "**", "//", "&&", "||", "??", ">>", "<<", "..", "=~", "!~", "++", "--",
}

func (l *lexer) op(start int) {
	for _, o := range operators {
		if l.peek(o) {
			l.i += len(o)
			l.emit(tokOp, start, o, false)
			return
		}
	}
	l.i++
	l.emit(tokOp, start, l.s[start:l.i], false)
}
