package guard

import (
	"path"
	"strconv"
	"strings"
)

// An embedded is a program that the command hands to an interpreter.
type embedded struct {
	f       *frame
	lang    language
	command string
	s       string
	at      *places
	toks    []token
	match   []int // index of the bracket that closes or opens the one at an index
	vars    map[string]binding
	argv    []field // arguments of the program, the first at 0
	// known remembers what was asked about the whole program.
	known map[string]bool
	// suggest is the tool that is suggested for what it writes.
	suggest string
}

// A span is a range of tokens.
type span struct {
	from, to int
	key      string // the name of a keyword argument
}

// A binding is what a name is bound to. A name bound twice is not known.
type binding struct {
	span
	list  bool // the name runs through the elements of the span
	times int
}

// interpret follows the program text of an interpreter.
func (f *frame) interpret(c call, lang language, text string, at origin, argv []field) {
	a := f.a
	if a.programs >= maxPrograms || len(text) > MaxCommand || !a.enter() {
		a.truncated = true
		return
	}
	a.programs++
	defer func() { a.programs--; a.leave() }()
	if !a.spend(len(text)) {
		return
	}
	toks, ok := f.lex(lang, text)
	if !ok {
		return
	}
	p := &embedded{f: f, lang: lang, command: c.name, s: text, at: at.places(text), toks: toks, argv: argv, suggest: toolWrite, known: map[string]bool{}}
	p.brackets()
	p.bind()
	for i, t := range toks {
		if t.kind == tokIdent && (strings.HasPrefix(t.text, "read") || t.text == "slurp") {
			p.suggest = toolEdit // it reads and writes: an edit
		}
		if t.kind == tokShell {
			p.shell(span{from: i, to: i + 1})
		}
	}
	if lang == awk {
		p.awk()
		return
	}
	for i := range toks {
		if toks[i].kind != tokIdent {
			continue
		}
		if x, ok := p.callAt(i); ok {
			switch lang {
			case python:
				p.python(x)
			case javascript:
				p.javascript(x)
			case ruby:
				p.ruby(x)
			case perl:
				p.perl(x)
			case php:
				p.php(x)
			case lua:
				p.lua(x)
			}
		}
	}
}

// brackets pairs ( [ {.
func (p *embedded) brackets() {
	p.match = make([]int, len(p.toks))
	var stack []int
	for i, t := range p.toks {
		p.match[i] = -1
		if t.kind != tokOp {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			stack = append(stack, i)
		case ")", "]", "}":
			if n := len(stack); n > 0 && closing(p.toks[stack[n-1]].text[0]) == t.text[0] {
				o := stack[n-1]
				stack = stack[:n-1]
				p.match[i], p.match[o] = o, i
			}
		}
	}
}

func (p *embedded) tok(i int) token {
	if i < 0 || i >= len(p.toks) {
		return token{kind: tokLine}
	}
	return p.toks[i]
}

func (p *embedded) isOp(i int, text string) bool {
	t := p.tok(i)
	return t.kind == tokOp && t.text == text
}

func (p *embedded) isName(i int, text string) bool {
	t := p.tok(i)
	return t.kind == tokIdent && t.text == text
}

// A pcall is one call in an embedded program.
type pcall struct {
	at   int // index of the name
	name string
	recv span   // what stands before the dot; empty when nothing does
	path string // the names of the receiver, joined by dots, calls as "()"
	args []span
}

// arg is the n-th positional argument.
func (x pcall) arg(n int) (span, bool) {
	for _, a := range x.args {
		if a.key != "" {
			continue
		}
		if n == 0 {
			return a, true
		}
		n--
	}
	return span{}, false
}

func (x pcall) keyword(name string) (span, bool) {
	for _, a := range x.args {
		if a.key == name {
			return a, true
		}
	}
	return span{}, false
}

// from reports whether the call is a method of one of the names; "" is a plain
// function.
func (x pcall) on(names ...string) bool {
	for _, n := range names {
		if x.path == n {
			return true
		}
	}
	return false
}

// callAt reads a call whose name is at i.
func (p *embedded) callAt(i int) (pcall, bool) {
	x := pcall{at: i, name: p.toks[i].text}
	prev := p.tok(i - 1)
	if prev.kind == tokIdent && (prev.text == "def" || prev.text == "function" || prev.text == "sub" || prev.text == "class") {
		return x, false
	}
	switch {
	case p.isOp(i+1, "(") && p.match[i+1] > 0:
		x.args = p.split(i+2, p.match[i+1], ",")
	case (p.lang == ruby || p.lang == perl || p.lang == php) && p.bare(i):
		x.args = p.split(i+1, p.statementEnd(i+1), ",")
	default:
		return x, false
	}
	for k := range x.args {
		x.args[k] = p.keyed(x.args[k])
	}
	x.recv, x.path = p.receiver(i)
	return x, true
}

// bare says that an argument follows a name without a bracket.
func (p *embedded) bare(i int) bool {
	t := p.tok(i + 1)
	switch t.kind {
	case tokString:
		return true
	case tokIdent:
		return t.text != "if" && t.text != "unless" && t.text != "do" && t.text != "or" && t.text != "and"
	case tokOp:
		return t.text == "(" || t.text == "["
	}
	return false
}

// statementEnd is the index behind the arguments of a call without brackets.
func (p *embedded) statementEnd(i int) int {
	for i < len(p.toks) && p.f.a.step() {
		t := p.toks[i]
		switch {
		case t.kind == tokLine && p.lang == ruby && !p.isOp(i-1, ","):
			return i
		case t.kind == tokIdent && (t.text == "or" || t.text == "and" || t.text == "if" || t.text == "unless" || t.text == "do"):
			return i
		case t.kind == tokOp:
			switch t.text {
			case ";", "||", "&&", ")", "]", "}":
				return i
			case "(", "[", "{":
				if p.match[i] < 0 || t.text == "{" && p.lang == ruby {
					return i
				}
				i = p.match[i]
			}
		}
		i++
	}
	return i
}

// split cuts a range at an operator that stands outside brackets.
func (p *embedded) split(from, to int, op string) (out []span) {
	start := from
	for i := from; i < to && p.f.a.step(); i++ {
		switch {
		case p.isOp(i, op):
			out = append(out, p.trim(span{from: start, to: i}))
			start = i + 1
		case p.match[i] > i && p.match[i] < to:
			i = p.match[i]
		}
	}
	if s := p.trim(span{from: start, to: to}); s.from < s.to || len(out) > 0 {
		out = append(out, s)
	}
	return out
}

// trim takes the line ends off a span.
func (p *embedded) trim(s span) span {
	for s.from < s.to && p.toks[s.from].kind == tokLine {
		s.from++
	}
	for s.from < s.to && p.toks[s.to-1].kind == tokLine {
		s.to--
	}
	return s
}

// keyed takes the keyword off name=value and name: value.
func (p *embedded) keyed(s span) span {
	if s.to-s.from > 2 && p.toks[s.from].kind == tokIdent {
		if p.lang == python && p.isOp(s.from+1, "=") || p.lang == ruby && p.isOp(s.from+1, ":") {
			return p.trim(span{s.from + 2, s.to, p.toks[s.from].text})
		}
	}
	return s
}

func (p *embedded) accessor(i int) bool {
	return p.isOp(i, ".") || p.isOp(i, "?.") || p.isOp(i, "::") || p.isOp(i, "->") || p.lang == lua && p.isOp(i, ":")
}

// receiver is what the name at i is a member of.
func (p *embedded) receiver(i int) (span, string) {
	if !p.accessor(i - 1) {
		return span{}, ""
	}
	end := i - 1
	k := end - 1
	var names []string
	const most = 64
	for n := 0; n < most; n++ {
		suffix := ""
		for p.isOp(k, ")") || p.isOp(k, "]") {
			if p.match[k] < 0 {
				return span{}, "?"
			}
			if p.isOp(k, ")") {
				suffix = "()" + suffix
			}
			k = p.match[k] - 1
		}
		switch t := p.tok(k); t.kind {
		case tokIdent:
			names = append(names, t.text+suffix)
		case tokString:
			names = append(names, "\"\""+suffix)
		default:
			k++ // a bracketed expression
			if suffix == "" && !p.isOp(k, "(") && !p.isOp(k, "[") {
				return span{}, "?"
			}
			names = append(names, suffix)
			return span{from: k, to: end}, join(names)
		}
		if !p.accessor(k - 1) {
			return span{from: k, to: end}, join(names)
		}
		k -= 2
	}
	return span{}, "?"
}

func join(names []string) string {
	for i, j := 0, len(names)-1; i < j; i, j = i+1, j-1 {
		names[i], names[j] = names[j], names[i]
	}
	return strings.Join(names, ".")
}

// bind finds the names that are bound to a value once.
func (p *embedded) bind() {
	p.vars = map[string]binding{}
	lost := func(name string) {
		b := p.vars[name]
		b.times += 2
		p.vars[name] = b
	}
	put := func(name string, s span, list bool) {
		p.vars[name] = binding{s, list, p.vars[name].times + 1}
	}
	for i, t := range p.toks {
		if t.kind == tokOp {
			switch t.text {
			case "+=", ".=", "||=", "/=", ":=", "//=", "??=":
				if p.tok(i-1).kind == tokIdent {
					lost(p.tok(i - 1).text)
				}
			case "=>":
				p.parameters(i-1, lost)
			case "|":
				if p.lang == ruby && (p.isOp(i-1, "{") || p.isName(i-1, "do")) {
					p.block(i, put, lost)
				}
			}
			continue
		}
		if t.kind != tokIdent {
			continue
		}
		switch t.text {
		case "def", "function", "lambda":
			for j := i + 1; j < len(p.toks) && j < i+4; j++ {
				if p.isOp(j, "(") && p.match[j] > 0 {
					p.parameters(p.match[j], lost)
					break
				}
			}
		case "as":
			if p.lang == python {
				lost(p.tok(i + 1).text)
			}
		case "for", "foreach":
			p.forLoop(i, put, lost)
		}
		if p.isOp(i+1, "=") && p.declares(i) {
			put(t.text, p.trim(span{from: i + 2, to: p.valueEnd(i + 2)}), false)
		} else if p.isOp(i+1, "=") && !p.accessor(i-1) && !(p.lang == python && p.inCall(i)) {
			lost(t.text)
		}
	}
}

// inCall says that name= at i is a keyword argument.
func (p *embedded) inCall(i int) bool { return p.isOp(i-1, "(") || p.isOp(i-1, ",") }

// parameters marks the names of a parameter list that ends at i as unknown.
func (p *embedded) parameters(i int, lost func(string)) {
	if p.tok(i).kind == tokIdent {
		lost(p.tok(i).text)
		return
	}
	if !p.isOp(i, ")") || p.match[i] < 0 {
		return
	}
	for j := p.match[i] + 1; j < i && p.f.a.step(); j++ {
		if p.toks[j].kind == tokIdent && (p.isOp(j-1, "(") || p.isOp(j-1, ",") || p.isOp(j-1, "{") || p.isOp(j-1, "*") || p.isOp(j-1, "...")) {
			lost(p.toks[j].text)
		}
	}
}

// block is Ruby's list.each { |name| ... }; i is the first bar.
func (p *embedded) block(i int, put func(string, span, bool), lost func(string)) {
	if p.tok(i+1).kind != tokIdent {
		return
	}
	name := p.tok(i + 1).text
	if !p.isOp(i+2, "|") {
		lost(name)
		return
	}
	if p.isName(i-2, "each") && p.isOp(i-3, ".") && p.isOp(i-4, "]") && p.match[i-4] >= 0 {
		put(name, span{from: p.match[i-4], to: i - 3}, true)
		return
	}
	lost(name)
}

// forLoop binds the variable of a loop over a literal list.
func (p *embedded) forLoop(i int, put func(string, span, bool), lost func(string)) {
	j := i + 1
	for p.isOp(j, "(") || p.isName(j, "const") || p.isName(j, "let") || p.isName(j, "var") || p.isName(j, "my") {
		j++
	}
	name := p.tok(j)
	if name.kind != tokIdent {
		return
	}
	k := j + 1
	if p.isName(k, "in") || p.isName(k, "of") {
		k++
	} else if p.lang != perl {
		lost(name.text)
		return
	}
	if (p.isOp(k, "[") || p.isOp(k, "(")) && p.match[k] > 0 {
		end := p.match[k] + 1
		if p.isOp(end, ":") || p.isOp(end, ")") || p.isOp(end, "{") || p.tok(end).kind == tokLine {
			put(name.text, span{from: k, to: end}, true)
			return
		}
	}
	lost(name.text)
}

// declares says that the assignment to the name at i is a statement.
func (p *embedded) declares(i int) bool {
	switch t := p.tok(i - 1); t.kind {
	case tokLine:
		return true
	case tokIdent:
		switch t.text {
		case "const", "let", "var", "my", "our", "local":
			return true
		}
	case tokOp:
		return t.text == ";" || t.text == "{" || t.text == "}"
	}
	return false
}

// valueEnd is the index behind the value of an assignment.
func (p *embedded) valueEnd(i int) int {
	for i < len(p.toks) && p.f.a.step() {
		t := p.toks[i]
		switch {
		case t.kind == tokLine && p.lang != perl && p.lang != php:
			return i
		case t.kind == tokOp && (t.text == ";" || t.text == "," || t.text == ")" || t.text == "]" || t.text == "}"):
			return i
		case p.match[i] > i:
			i = p.match[i]
		}
		i++
	}
	return i
}

// value gives the values of an expression as file names or program texts. What
// is not known is one value, the text of the expression, that is not literal.
func (p *embedded) value(s span) field {
	at := p.at.offset(p.tok(s.from).from)
	if s.from >= s.to {
		return field{at: origin{at, false}}
	}
	vals, ok := p.eval(s, 0)
	if !ok {
		t := p.toks[s.from]
		text := p.s[t.from:p.toks[s.to-1].to]
		if t.kind == tokString && s.to == s.from+1 {
			text = t.text
		}
		const most = 200
		if len(text) > most {
			text = strings.ToValidUTF8(text[:most], "") + "…"
		}
		return field{vals: []string{text}, at: origin{at, false}}
	}
	return field{vals: vals, lit: true, at: origin{at, false}}
}

func (p *embedded) eval(s span, depth int) ([]string, bool) {
	const most = 20
	if depth > most || s.from >= s.to || !p.f.a.step() {
		return nil, false
	}
	s = p.trim(s)
	if s.from >= s.to {
		return nil, false
	}
	first := p.toks[s.from]
	if s.to-s.from == 1 {
		switch {
		case first.kind == tokString && !first.open:
			return []string{first.text}, true
		case first.kind == tokIdent:
			b, ok := p.vars[first.text]
			if !ok || b.times != 1 {
				return nil, false
			}
			if b.list {
				return p.list(b.span, depth+1)
			}
			return p.eval(b.span, depth+1)
		}
		return nil, false
	}
	if p.isOp(s.from, "(") && p.match[s.from] == s.to-1 {
		return p.eval(span{from: s.from + 1, to: s.to - 1}, depth+1)
	}
	for _, op := range []string{"+", ".", ".."} {
		if op == "." && p.lang != perl && p.lang != php || op == ".." && p.lang != lua {
			continue
		}
		if parts := p.split(s.from, s.to, op); len(parts) > 1 {
			return p.all(parts, depth, func(x []string) string { return strings.Join(x, "") })
		}
	}
	if p.lang == python || p.lang == ruby {
		if parts := p.split(s.from, s.to, "/"); len(parts) > 1 {
			return p.all(parts, depth, func(x []string) string { return path.Join(x...) })
		}
	}
	if v, ok := p.argument(s); ok {
		return v, true
	}
	if v, ok := p.wrapped(s, depth); ok {
		return v, true
	}
	// Strings side by side are one string in Python.
	if p.lang == python {
		var b strings.Builder
		for _, t := range p.toks[s.from:s.to] {
			if t.kind == tokLine {
				continue
			}
			if t.kind != tokString || t.open {
				return nil, false
			}
			b.WriteString(t.text)
		}
		return []string{b.String()}, true
	}
	return nil, false
}

// all combines the values of the parts, of which one may have several.
func (p *embedded) all(parts []span, depth int, combine func([]string) string) ([]string, bool) {
	rows := [][]string{nil}
	for _, s := range parts {
		vals, ok := p.eval(s, depth+1)
		if !ok || len(vals)*len(rows) > maxValues {
			return nil, false
		}
		var next [][]string
		for _, r := range rows {
			for _, v := range vals {
				next = append(next, append(r[:len(r):len(r)], v))
			}
		}
		rows = next
	}
	var out []string
	for _, r := range rows {
		v := combine(r)
		if !p.f.a.spend(len(v)) {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

// list gives the elements of a literal list.
func (p *embedded) list(s span, depth int) (out []string, ok bool) {
	for _, e := range p.split(s.from+1, s.to-1, ",") {
		if e.from >= e.to {
			continue
		}
		vals, ok := p.eval(e, depth+1)
		if !ok || len(out)+len(vals) > maxValues {
			return nil, false
		}
		out = append(out, vals...)
	}
	return out, len(out) > 0
}

// argument is sys.argv[1], process.argv[2], ARGV[0], $ARGV[0].
func (p *embedded) argument(s span) ([]string, bool) {
	n := s.to - s.from
	if n < 4 || !p.isOp(s.to-1, "]") || !p.isOp(s.to-3, "[") {
		return nil, false
	}
	name := p.tok(s.to - 4).text
	idx, err := strconv.Atoi(p.tok(s.to - 2).text)
	if err != nil {
		return nil, false
	}
	switch {
	case name == "argv" && (p.lang == python || p.lang == javascript):
		idx--
	case name == "ARGV" && p.lang == ruby, name == "$ARGV" && p.lang == perl:
	default:
		return nil, false
	}
	if idx < 0 || idx >= len(p.argv) || !p.argv[idx].lit {
		return nil, false
	}
	return p.argv[idx].vals, true
}

// wrapped looks through the constructors of paths.
func (p *embedded) wrapped(s span, depth int) ([]string, bool) {
	// The call must be all of the span: names, then one bracket.
	i := s.from
	for p.tok(i).kind == tokIdent && p.accessor(i+1) {
		i += 2
	}
	if p.tok(i).kind != tokIdent || !p.isOp(i+1, "(") || p.match[i+1] != s.to-1 {
		return nil, false
	}
	args := p.split(i+2, s.to-1, ",")
	switch p.toks[i].text {
	case "Path", "PurePath", "PosixPath", "PurePosixPath", "join", "joinpath", "Pathname", "path":
		if p.toks[i].text == "join" && i == s.from {
			return nil, false
		}
	case "str", "fspath", "normpath":
		if len(args) != 1 {
			return nil, false
		}
	case "new":
		if !p.isName(s.from, "Pathname") || len(args) != 1 {
			return nil, false
		}
	default:
		return nil, false
	}
	if len(args) == 0 {
		return nil, false
	}
	if p.toks[i].text == "join" && p.tok(i-2).kind == tokString {
		return nil, false // a string's own join
	}
	return p.all(args, depth, func(x []string) string { return path.Join(x...) })
}

// writes reports a file that the program writes.
func (p *embedded) writes(x pcall, target span) {
	p.target(x, p.value(target))
}

func (p *embedded) target(x pcall, target field) {
	at := p.at.offset(p.toks[x.at].from)
	p.f.found(find{kind: Interpreter, command: p.command, target: target, at: at, suggest: p.suggest})
}

// arg reports the n-th argument as written, whatever it is.
func (p *embedded) argWrite(x pcall, n int) {
	s, _ := x.arg(n)
	p.writes(x, s)
}

// shell follows a command that the program gives to a shell.
func (p *embedded) shell(s span) {
	if s.from >= s.to {
		return
	}
	t := p.toks[s.from]
	x := field{}
	if s.to == s.from+1 && (t.kind == tokShell || t.kind == tokString) {
		if t.open && !isOpaque(t.text) {
			return
		}
		x = field{vals: []string{t.text}, at: origin{p.at.offset(t.from), false}}
	} else if x = p.value(s); !x.lit {
		return
	}
	p.f.under(p.command).text(x, nil, nil)
}

// argvCall follows a command that the program starts from a list of arguments.
func (p *embedded) argvCall(list []span) {
	var args []field
	for _, s := range list {
		if s.from < s.to {
			args = append(args, p.value(s))
		}
	}
	p.f.under(p.command).call(args, nil)
}

// elements gives the parts of a literal list.
func (p *embedded) elements(s span) ([]span, bool) {
	if s.from >= s.to || !p.isOp(s.from, "[") && !p.isOp(s.from, "(") || p.match[s.from] != s.to-1 {
		return nil, false
	}
	return p.split(s.from+1, s.to-1, ","), true
}

// mentions says that one of the names or strings stands in the span.
func (p *embedded) mentions(s span, words ...string) bool {
	for i := s.from; i < s.to && i < len(p.toks) && p.f.a.step(); i++ {
		if t := p.toks[i]; t.kind == tokIdent || t.kind == tokString {
			for _, w := range words {
				if t.text == w {
					return true
				}
			}
		}
	}
	return false
}

// anywhere is mentions for the whole program.
func (p *embedded) anywhere(words ...string) bool {
	key := strings.Join(words, " ")
	v, ok := p.known[key]
	if !ok {
		v = p.mentions(span{to: len(p.toks)}, words...)
		p.known[key] = v
	}
	return v
}

// opensForWriting says that the expression is a mode that writes: "w", "a",
// "x", "r+" and what goes with them.
func (p *embedded) opensForWriting(s span) bool {
	vals, ok := p.eval(s, 0)
	if !ok {
		return false
	}
	for _, v := range vals {
		if isMode(v) {
			return true
		}
	}
	return false
}

// mayOpenForWriting is opensForWriting that takes a mode for every string in an
// expression it cannot follow, as in "w" if new else "a".
func (p *embedded) mayOpenForWriting(s span) bool {
	if p.opensForWriting(s) {
		return true
	}
	for i := s.from; i < s.to && p.f.a.step(); i++ {
		if t := p.toks[i]; t.kind == tokString && isMode(t.text) {
			return true
		}
	}
	return false
}

func isMode(v string) bool {
	v, _, _ = strings.Cut(v, ":")
	return len(v) > 0 && len(v) <= 4 && strings.Trim(v, "rwaxbtU+esc") == "" && strings.ContainsAny(v, "wax+")
}
