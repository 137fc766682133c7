package blocks

import (
	"bytes"
	"strings"
)

var makeKinds = []string{"makefile", "comment", "assignment", "rule", "recipe", "definition", "conditional", "else", "directive", "endif", "endef", "name", "ERROR"}

// A makeLine is one logical line: rows joined by backslashes.
type makeLine struct {
	from, to int    // bytes, without the last terminator
	text     string // the first row without blanks at its ends
	recipe   bool
	blank    bool
}

// parseMake reads a makefile by lines: rules with their recipes, conditionals,
// definitions, assignments. It knows nothing of expansion, so a row that only
// an expansion could tell is a directive of one logical line.
func parseMake(b *builder) {
	m := &makeParser{b: b, lines: makeLines(b.src)}
	for m.at < len(m.lines) {
		m.statement(false)
	}
}

type makeParser struct {
	b     *builder
	lines []makeLine
	at    int
	depth int
}

func makeLines(src []byte) []makeLine {
	var out []makeLine
	for at := 0; at < len(src); {
		end := at
		for {
			i := bytes.IndexByte(src[end:], '\n')
			if i < 0 {
				end = len(src)
				break
			}
			end += i
			row := bytes.TrimRight(src[at:end], "\r")
			slashes := len(row) - len(bytes.TrimRight(row, `\`))
			if slashes%2 == 0 || end+1 >= len(src) {
				break
			}
			end++
		}
		first := src[at:end]
		if i := bytes.IndexByte(first, '\n'); i >= 0 {
			first = first[:i]
		}
		l := makeLine{from: at, to: end, text: string(bytes.TrimSpace(first))}
		l.recipe = len(first) > 0 && first[0] == '\t'
		l.blank = len(bytes.TrimSpace(src[at:end])) == 0
		out = append(out, l)
		at = end + 1
	}
	return out
}

func (l makeLine) word() string {
	if i := strings.IndexAny(l.text, " \t(:="); i >= 0 {
		return l.text[:i]
	}
	return l.text
}

func (l makeLine) is(words ...string) bool { return !l.blank && contains(words, l.word()) }

var makeConditionals = []string{"ifeq", "ifneq", "ifdef", "ifndef"}

// start is where the line's text begins.
func (m *makeParser) start(l makeLine) int {
	at := l.from
	for at < l.to && blank(m.b.src[at]) {
		at++
	}
	return at
}

func (m *makeParser) leaf(kind string) {
	l := m.lines[m.at]
	m.b.leaf(kind, m.start(l), l.to)
	m.at++
}

// statement reads one statement. inRule says that recipe rows belong to a rule
// above.
func (m *makeParser) statement(inRule bool) {
	l := m.lines[m.at]
	switch {
	case l.blank:
		m.at++
	case strings.HasPrefix(l.text, "#") && !l.recipe:
		m.leaf("comment")
	case l.recipe && inRule:
		m.leaf("recipe")
	case l.is(makeConditionals...):
		m.conditional(inRule)
	case l.is("define") || l.is("override", "export") && strings.Contains(" "+l.text+" ", " define "):
		m.definition()
	case l.is("else", "endif", "endef"):
		m.b.bad(m.start(l), l.to)
		m.at++
	case l.recipe:
		m.leaf("recipe")
	case l.is("include", "-include", "sinclude", "export", "unexport", "override", "vpath", "undefine", "load", "-load", "private"):
		m.leaf("directive")
	default:
		colon, assign := makeOperator(string(m.b.src[m.start(l):l.to]))
		if colon < 0 || assign {
			kind := "directive"
			if assign {
				kind = "assignment"
			}
			m.leaf(kind)
			return
		}
		m.rule(colon)
	}
}

// makeOperator finds the colon of a rule or the operator of an assignment in a
// row, whichever is first, outside references.
func makeOperator(s string) (at int, assign bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '$' && i+1 < len(s) && (s[i+1] == '(' || s[i+1] == '{'):
			depth++
			i++
		case depth > 0 && (c == '(' || c == '{'):
			depth++
		case depth > 0 && (c == ')' || c == '}'):
			depth--
		case depth > 0:
		case c == '#':
			return -1, false
		case c == '=':
			return i, true
		case c == ':':
			j := i
			for j < len(s) && s[j] == ':' {
				j++
			}
			if j < len(s) && s[j] == '=' {
				return i, true
			}
			// `target: VAR = x` is a rule row too, of one logical line.
			return i, false
		case (c == '?' || c == '+' || c == '!') && i+1 < len(s) && s[i+1] == '=':
			return i, true
		}
	}
	return -1, false
}

// rule reads a rule and what follows it as long as that is its recipe. Blank
// rows, comments and conditionals between recipe rows are inside.
func (m *makeParser) rule(colon int) {
	l := m.lines[m.at]
	from := m.start(l)
	m.b.open("rule", from)
	m.b.name(from, from+len(bytes.TrimRight(m.b.src[from:from+colon], " \t\r\n\\")))
	m.at++
	end := l.to
	for m.at < len(m.lines) {
		// Look past what may stand between to see whether a recipe follows.
		next := m.at
		for next < len(m.lines) && (m.lines[next].blank || strings.HasPrefix(m.lines[next].text, "#") && !m.lines[next].recipe) {
			next++
		}
		if next >= len(m.lines) || !m.lines[next].recipe && !m.recipeConditional(next) {
			break
		}
		for m.at <= next {
			m.statement(true)
			end = m.lines[m.at-1].to
		}
	}
	m.b.close(end)
}

// recipeConditional reports whether the line at i begins a conditional whose
// first row of content is a recipe row.
func (m *makeParser) recipeConditional(i int) bool {
	if !m.lines[i].is(makeConditionals...) || m.lines[i].recipe {
		return false
	}
	for i++; i < len(m.lines); i++ {
		l := m.lines[i]
		switch {
		case l.recipe && !l.blank:
			return true
		case l.blank, strings.HasPrefix(l.text, "#"), l.is("else"), l.is(makeConditionals...):
		default:
			return false
		}
	}
	return false
}

const maxMakeDepth = 200

func (m *makeParser) conditional(inRule bool) {
	l := m.lines[m.at]
	if m.depth >= maxMakeDepth {
		m.b.bad(m.start(l), l.to)
		m.at++
		return
	}
	m.depth++
	defer func() { m.depth-- }()
	m.b.open("conditional", m.start(l))
	m.at++
	end, inElse := l.to, false
	for m.at < len(m.lines) {
		l := m.lines[m.at]
		switch {
		case l.is("endif"):
			if inElse {
				m.b.close(end)
			}
			m.b.leaf("endif", m.start(l), l.to)
			m.at++
			m.b.close(l.to)
			return
		case l.is("else"):
			if inElse {
				m.b.close(end)
			}
			m.b.open("else", m.start(l))
			inElse = true
			end = l.to
			m.at++
		default:
			m.statement(inRule)
			if last := m.lines[m.at-1]; !last.blank {
				end = last.to
			}
		}
	}
	// No endif: what is open is broken.
	m.b.bad(len(m.b.src), len(m.b.src))
	if inElse {
		m.b.close(len(m.b.src))
	}
	m.b.close(len(m.b.src))
}

func (m *makeParser) definition() {
	l := m.lines[m.at]
	from := m.start(l)
	m.b.open("definition", from)
	if i := strings.Index(l.text, "define"); i >= 0 {
		rest := strings.TrimLeft(l.text[i+len("define"):], " \t")
		at := from + len(l.text) - len(rest)
		name := rest
		if j := strings.IndexAny(rest, " \t=:+?"); j >= 0 {
			name = rest[:j]
		}
		m.b.name(at, at+len(name))
	}
	m.at++
	nested := 0
	for m.at < len(m.lines) {
		l := m.lines[m.at]
		m.at++
		if l.is("define") {
			nested++
		}
		if l.is("endef") {
			if nested == 0 {
				m.b.leaf("endef", m.start(l), l.to)
				m.b.close(l.to)
				return
			}
			nested--
		}
	}
	m.b.bad(len(m.b.src), len(m.b.src))
	m.b.close(len(m.b.src))
}
