package guard

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// A field is one argument, as the shell makes it of a word.
type field struct {
	// vals are the values it can have: one, or one a turn of a loop. Parts that
	// are not known are marks, see hide.
	vals []string
	// lit says that the values are exact: no marks, no pattern to be matched.
	lit bool
	// tilde says that the values start with an unquoted ~.
	tilde bool
	// proc says that the field is <(command) or >(command).
	proc bool
	at   origin
}

// text is the value for reading options and programs from.
func (x field) text() string {
	if len(x.vals) == 0 {
		return ""
	}
	return x.vals[0]
}

// is reports whether the field is exactly the string.
func (x field) is(s string) bool { return x.lit && len(x.vals) == 1 && x.vals[0] == s }

// cut is the field without the first n bytes of its value.
func (x field) cut(n int) field {
	var vals []string
	for _, v := range x.vals {
		vals = append(vals, v[min(n, len(v)):])
	}
	x.vals, x.tilde = vals, false
	if x.at.exact {
		x.at.col += n
	}
	return x
}

// literal is a field that stands at a position.
func literal(s string, at position) field {
	return field{vals: []string{s}, lit: s != "" && !isOpaque(s), at: origin{at, false}}
}

// one is the field of a word where no splitting happens: an assignment, a
// redirection, a here-document.
func (f *frame) one(w *syntax.Word) field {
	if w == nil {
		return field{vals: []string{""}, lit: true}
	}
	b := f.builder(w)
	b.noSplit = true
	b.parts(w.Parts, false)
	return b.field()
}

// fields are the arguments that a word becomes: braces and arrays give several,
// an unquoted variable with blanks too.
func (f *frame) fields(w *syntax.Word) []field {
	if w == nil || !f.a.step() {
		return nil
	}
	if onlyProcess(w) {
		return []field{{vals: []string{f.a.hide(f.src.slice(w))}, proc: true, at: origin{f.src.pos(w.Pos()), false}}}
	}
	if elems, ok := f.spread(w); ok {
		return elems
	}
	words := []*syntax.Word{w}
	if strings.Contains(w.Lit(), "{") {
		// Splitting is quadratic in the braces.
		c := &syntax.Word{Parts: w.Parts}
		few := strings.Count(w.Lit(), "{") <= maxValues
		if !few || syntax.SplitBraces(c) {
			if few {
				words, few = braces(c)
			}
			if !few {
				x := field{vals: []string{f.a.hide(f.src.slice(w))}, at: origin{f.src.pos(w.Pos()), false}}
				return []field{x}
			}
		}
	}
	var out []field
	for _, x := range words {
		b := f.builder(w)
		b.parts(x.Parts, false)
		out = append(out, b.all()...)
	}
	return out
}

// spread gives the fields of "${name[@]}", "$@" and their unquoted forms.
func (f *frame) spread(w *syntax.Word) ([]field, bool) {
	if len(w.Parts) != 1 {
		return nil, false
	}
	p := w.Parts[0]
	if q, ok := p.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		p = q.Parts[0]
	}
	x, ok := p.(*syntax.ParamExp)
	if !ok || x.Param == nil || x.Excl || x.Length || x.Width || x.Slice != nil || x.Repl != nil || x.Exp != nil || x.Names != 0 {
		return nil, false
	}
	if x.Param.Value == "@" || x.Param.Value == "*" {
		f.a.steps += len(f.sc.params)
		return f.sc.params, f.sc.hasArgs
	}
	idx, ok := x.Index.(*syntax.Word)
	if !ok || idx == nil || idx.Lit() != "@" && idx.Lit() != "*" {
		return nil, false
	}
	v, ok := f.sc.vars[x.Param.Value]
	f.a.steps += len(v.elems)
	return v.elems, ok && v.array
}

// braces expands brace expressions; ok is false when that would be too many.
func braces(w *syntax.Word) (out []*syntax.Word, ok bool) {
	out = []*syntax.Word{{}}
	for _, p := range w.Parts {
		be, isBrace := p.(*syntax.BraceExp)
		var alts []*syntax.Word
		if !isBrace {
			alts = []*syntax.Word{{Parts: []syntax.WordPart{p}}}
		} else if be.Sequence {
			if alts, ok = sequence(be); !ok {
				return nil, false
			}
		} else {
			for _, e := range be.Elems {
				sub, ok := braces(e)
				if !ok || len(alts)+len(sub) > maxValues {
					return nil, false
				}
				alts = append(alts, sub...)
			}
		}
		if len(out)*len(alts) > maxValues {
			return nil, false
		}
		var next []*syntax.Word
		for _, o := range out {
			for _, x := range alts {
				parts := append(o.Parts[:len(o.Parts):len(o.Parts)], x.Parts...)
				next = append(next, &syntax.Word{Parts: parts})
			}
		}
		out = next
	}
	return out, true
}

// sequence expands {1..9} and {a..z}.
func sequence(be *syntax.BraceExp) ([]*syntax.Word, bool) {
	if len(be.Elems) != 2 {
		return nil, false
	}
	from, to := be.Elems[0].Lit(), be.Elems[1].Lit()
	name := func(i int) string { return strconv.Itoa(i) }
	lo, err1 := strconv.Atoi(from)
	hi, err2 := strconv.Atoi(to)
	switch {
	case err1 == nil && err2 == nil:
		if lo < 0 || hi < 0 || len(from) > 1 && from[0] == '0' || len(to) > 1 && to[0] == '0' {
			return nil, false
		}
	case len(from) == 1 && len(to) == 1:
		lo, hi = int(from[0]), int(to[0])
		name = func(i int) string { return string(rune(i)) }
	default:
		return nil, false
	}
	if max(lo, hi)-min(lo, hi) >= maxValues {
		return nil, false
	}
	var out []*syntax.Word
	for i := lo; ; {
		out = append(out, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: name(i)}}})
		switch {
		case i < hi:
			i++
		case i > hi:
			i--
		default:
			return out, true
		}
	}
}

// A builder makes fields of the parts of a word.
type builder struct {
	f       *frame
	noSplit bool
	done    []field
	vals    [][]byte // grown in place: a word can have very many parts
	lit     bool
	tilde   bool
	some    bool // there is a field, if only an empty quoted one
	at      origin
}

func (f *frame) builder(w *syntax.Word) *builder {
	return &builder{f: f, vals: make([][]byte, 1), lit: true, at: f.src.valueOrigin(w)}
}

// valueOrigin is where the value of the word stands: exact when the word's text is
// its value, quotes aside.
func (s *source) valueOrigin(w *syntax.Word) origin {
	p := s.pos(w.Pos())
	if len(w.Parts) != 1 {
		return origin{p, false}
	}
	switch x := w.Parts[0].(type) {
	case *syntax.Lit:
		// A joined line leaves no trace in the value but one in the length.
		same := int(x.End().Offset())-int(x.Pos().Offset()) == len(x.Value)
		return origin{p, s.exact && same && !strings.Contains(x.Value, `\`)}
	case *syntax.SglQuoted:
		if !x.Dollar {
			return origin{position{p.row, p.col + 1}, s.exact}
		}
	case *syntax.DblQuoted:
		if len(x.Parts) == 1 && !x.Dollar {
			if l, ok := x.Parts[0].(*syntax.Lit); ok && !strings.Contains(l.Value, `\`) {
				return origin{position{p.row, p.col + 1}, s.exact}
			}
		}
	}
	return origin{p, false}
}

func (b *builder) field() field {
	lit := b.lit
	vals := make([]string, len(b.vals))
	for i, v := range b.vals {
		vals[i] = string(v)
		lit = lit && !isOpaque(vals[i])
	}
	return field{vals: vals, lit: lit, tilde: b.tilde, at: b.at}
}

func (b *builder) all() []field {
	if b.some {
		b.done = append(b.done, b.field())
	}
	return b.done
}

// split ends the field that is being built.
func (b *builder) split() {
	if b.some {
		b.done = append(b.done, b.field())
	}
	b.vals, b.lit, b.tilde, b.some = make([][]byte, 1), true, false, false
	b.at.exact = false
}

func (b *builder) add(s string) {
	if !b.f.a.spend(len(s) * len(b.vals)) {
		b.lit = false
		return
	}
	for i := range b.vals {
		b.vals[i] = append(b.vals[i], s...)
	}
	b.some = true
}

func (b *builder) hide(p syntax.Node) {
	b.add(b.f.a.hide(b.f.src.slice(p)))
}

func (b *builder) parts(parts []syntax.WordPart, quoted bool) {
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if quoted {
				b.add(unescapeQuoted(p.Value, `$"\`+"`"))
				continue
			}
			v := p.Value
			if i == 0 && len(b.vals[0]) == 0 && strings.HasPrefix(v, "~") {
				b.tilde = true
			}
			s, glob := unescape(v)
			if glob && !b.noSplit {
				b.lit = false
			}
			b.add(s)
		case *syntax.SglQuoted:
			s := p.Value
			if p.Dollar {
				s = ansi(s)
			}
			b.add(s)
		case *syntax.DblQuoted:
			b.add("")
			b.parts(p.Parts, true)
		case *syntax.ParamExp:
			b.param(p, quoted)
		case *syntax.CmdSubst:
			b.substitution(p, quoted)
		case *syntax.ExtGlob:
			b.lit = false
			b.hide(p)
		default:
			b.hide(p)
		}
	}
}

// substitution is $(cat <<EOF) and other commands whose output can be read off.
func (b *builder) substitution(p *syntax.CmdSubst, quoted bool) {
	if len(p.Stmts) == 1 {
		if in := b.f.output(p.Stmts[0]); in != nil {
			s := strings.TrimRight(in.text, "\n")
			if quoted || b.noSplit || s != "" && !strings.ContainsAny(s, " \t\n*?[") {
				b.add(s)
				return
			}
		}
	}
	b.hide(p)
}

func (b *builder) param(p *syntax.ParamExp, quoted bool) {
	vals, ok := b.f.lookup(p)
	if !ok {
		b.hide(p)
		return
	}
	if !quoted && !b.noSplit {
		if len(vals) == 1 && strings.ContainsAny(vals[0], " \t\n") && !isOpaque(vals[0]) {
			b.splitValue(vals[0])
			return
		}
		if _, ok := b.f.sc.vars["IFS"]; ok {
			b.lit = false // it may be split at other characters
		}
		for _, v := range vals {
			if strings.ContainsAny(v, " \t\n*?[") {
				b.lit = false
			}
			if v == "" && len(vals) == 1 {
				return // an empty expansion is no field
			}
		}
	}
	if len(vals) == 1 {
		b.add(vals[0])
		return
	}
	if len(vals)*len(b.vals) > maxValues {
		b.hide(p)
		return
	}
	var next [][]byte
	for _, head := range b.vals {
		for _, v := range vals {
			if !b.f.a.spend(len(head) + len(v)) {
				b.lit = false
				return
			}
			next = append(next, append(head[:len(head):len(head)], v...))
		}
	}
	b.vals = next
	b.add("")
}

func (b *builder) splitValue(v string) {
	if strings.ContainsAny(v[:1], " \t\n") {
		b.split()
	}
	for i, w := range strings.Fields(v) {
		if i > 0 {
			b.split()
		}
		if strings.ContainsAny(w, "*?[") {
			b.lit = false
		}
		b.add(w)
	}
	if strings.ContainsAny(v[len(v)-1:], " \t\n") {
		b.split()
	}
}

// lookup gives the values of an expansion, when they are known.
func (f *frame) lookup(p *syntax.ParamExp) ([]string, bool) {
	if p.Param == nil || p.Excl || p.Length || p.Width || p.Slice != nil || p.Repl != nil || p.Names != 0 || p.Index != nil {
		return nil, false
	}
	name := p.Param.Value
	vals, ok := f.value(name)
	if p.Exp == nil {
		return vals, ok
	}
	if !ok || len(vals) != 1 {
		return nil, false
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.ErrorUnset:
		return vals, true
	case syntax.DefaultUnsetOrNull, syntax.ErrorUnsetOrNull, syntax.AssignUnsetOrNull:
		return vals, vals[0] != ""
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		return f.trim(vals[0], p.Exp)
	}
	return nil, false
}

// trim is ${name%.txt} and its kin for patterns without special characters,
// and the two idioms ${name%/*} and ${name##*/}.
func (f *frame) trim(v string, e *syntax.Expansion) ([]string, bool) {
	if e.Word == nil || isOpaque(v) {
		return nil, false
	}
	pat := e.Word.Lit()
	switch {
	case pat == "":
		return nil, false
	case pat == "/*" && e.Op == syntax.RemSmallSuffix:
		if i := strings.LastIndexByte(v, '/'); i >= 0 {
			v = v[:i]
		}
		return []string{v}, true
	case pat == "*/" && e.Op == syntax.RemLargePrefix:
		return []string{v[strings.LastIndexByte(v, '/')+1:]}, true
	case strings.ContainsAny(pat, `*?[\`):
		return nil, false
	case e.Op == syntax.RemSmallSuffix || e.Op == syntax.RemLargeSuffix:
		return []string{strings.TrimSuffix(v, pat)}, true
	}
	return []string{strings.TrimPrefix(v, pat)}, true
}

// value gives the values of a variable or positional parameter.
func (f *frame) value(name string) ([]string, bool) {
	if n, err := strconv.Atoi(name); err == nil {
		if !f.sc.hasArgs || n < 1 || n > len(f.sc.params) {
			return nil, false
		}
		x := f.sc.params[n-1]
		if !x.lit && len(x.vals) != 1 {
			return nil, false
		}
		if !x.lit && !isOpaque(x.vals[0]) {
			return nil, false // a pattern: the names it matches are not known
		}
		return x.vals, f.a.spend(size([]field{x}))
	}
	v, ok := f.sc.vars[name]
	if !ok || v.array || len(v.vals) == 0 || !f.a.spend(size([]field{{vals: v.vals}})) {
		return nil, false
	}
	return v.vals, true
}

// unescape takes the backslashes out of unquoted text and says whether the text
// is a file name pattern.
func unescape(s string) (out string, glob bool) {
	if !strings.ContainsAny(s, `\*?[`) {
		return s, false
	}
	var b strings.Builder
	bracket := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
			if i < len(s) && s[i] != '\n' {
				b.WriteByte(s[i])
			}
			continue
		case '*', '?':
			glob = true
		case '[':
			bracket = true
		case ']':
			glob = glob || bracket
		}
		b.WriteByte(s[i])
	}
	return b.String(), glob
}

// unescapeQuoted takes out the backslashes before the given characters and
// newlines, as double quotes and here-documents do.
func unescapeQuoted(s, special string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if s[i+1] == '\n' {
				i++
				continue
			}
			if strings.IndexByte(special, s[i+1]) >= 0 {
				i++
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// ansi decodes the escapes of $'...', echo -e and printf.
func ansi(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'a':
			b.WriteByte(7)
		case 'b':
			b.WriteByte(8)
		case 'e', 'E':
			b.WriteByte(27)
		case 'f':
			b.WriteByte(12)
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'v':
			b.WriteByte(11)
		case '\\', '\'', '"', '?':
			b.WriteByte(c)
		case 'x', 'u', 'U':
			n, width := number(s[i+1:], 16, map[byte]int{'x': 2, 'u': 4, 'U': 8}[c])
			switch {
			case width == 0:
				b.WriteString(s[i-1 : i+1])
			case c == 'x':
				b.WriteByte(byte(n))
			default:
				b.WriteString(string(rune(min(n, utf8.MaxRune+1))))
			}
			i += width
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, width := number(s[i:], 8, 3)
			b.WriteByte(byte(n))
			i += width - 1
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

// number reads up to most digits of the base.
func number(s string, base, most int) (n, width int) {
	for width < most && width < len(s) {
		d, err := strconv.ParseUint(s[width:width+1], base, 8)
		if err != nil {
			break
		}
		n = n*base + int(d)
		width++
	}
	return n, width
}
