package parser

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"putcut/refusal"
)

// The token types.
const (
	tokenEOL lexer.TokenType = iota + 1
	tokenMarker
	tokenPath
	tokenTag
	tokenVerb
	tokenLine
	tokenRange
	tokenRegister
	tokenDest
	tokenBody
	tokenPunct
	tokenOther
)

func symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "EOL": tokenEOL, "Marker": tokenMarker, "Path": tokenPath, "Tag": tokenTag,
		"Verb": tokenVerb, "Line": tokenLine, "Range": tokenRange, "Register": tokenRegister,
		"Dest": tokenDest, "Body": tokenBody, "Punct": tokenPunct, "Other": tokenOther,
	}
}

// definition is the lexer as participle knows it. Parse hands participle a
// scanner of its own, with limits; Lex serves whoever uses the grammar alone.
type definition struct{}

func (definition) Symbols() map[string]lexer.TokenType { return symbols() }

func (d definition) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return d.LexString(name, string(b))
}

func (definition) LexString(_ string, s string) (lexer.Lexer, error) {
	return newScanner(s, 0, Limits{}.orDefaults(), false), nil
}

// A scanner cuts a script into tokens, row by row. All values are substrings
// of the script. A body, however long, is one token.
type scanner struct {
	s       string
	at      int           // offset of the next row
	row     int           // number of the next row, from 1
	queue   []lexer.Token // tokens of the row at hand, from head on
	head    int
	space   []part
	limits  Limits
	ops     int
	lines   int
	paths   map[string]bool
	heads   int
	began   bool // the begin marker was seen
	started bool // a row other than blank ones and markers was seen
	ended   bool // the end marker was seen
	body    bodyRule
	bare    bool // an op list, whose first row need not be a header
	inSect  bool
}

// bodyRule says what the rows after an op row can be.
type bodyRule uint8

const (
	noBody   bodyRule = iota // nothing: a section's start
	misplace                 // a body that its op cannot have
	wanted                   // the body of a PUT
)

// newScanner scans s; its first row gets the number skipped+1.
func newScanner(s string, skipped int, limits Limits, bare bool) *scanner {
	return &scanner{s: s, row: skipped + 1, limits: limits, bare: bare}
}

func (l *scanner) pos(at, row, col int) lexer.Position {
	return lexer.Position{Offset: at, Line: row, Column: col}
}

func (l *scanner) push(t lexer.TokenType, value string, at, col int) {
	l.queue = append(l.queue, lexer.Token{Type: t, Value: value, Pos: l.pos(at, l.row, col)})
}

// Next returns the next token, or a *problem.
func (l *scanner) Next() (lexer.Token, error) {
	for l.head == len(l.queue) {
		l.queue, l.head = l.queue[:0], 0
		if l.at >= len(l.s) {
			return lexer.EOFToken(l.pos(len(l.s), l.row, 1)), nil
		}
		if l.body != noBody {
			if err := l.scanBody(); err != nil {
				return lexer.Token{}, err
			}
			continue
		}
		start := l.at
		row, rest := cutRow(l.s[start:])
		l.at = len(l.s) - len(rest)
		if !isBlank(row) {
			if err := l.scanRow(row, start); err != nil {
				return lexer.Token{}, err
			}
		}
		l.row++
	}
	l.head++
	return l.queue[l.head-1], nil
}

// scanRow queues the tokens of a row that is no body row.
func (l *scanner) scanRow(row string, start int) error {
	if l.ended {
		return l.afterEnd(row)
	}
	if m := markerOf(row); m != "" {
		return l.scanMarker(m, row, start)
	}
	if row[0] == '[' {
		if h, ok := parseHeader(row); ok {
			return l.scanHeader(h, row, start)
		}
		if !l.started {
			return noTag(l.row, row)
		}
	}
	if m := nearMarker(row); m != "" {
		return l.near(m, row)
	}
	if opnessOf(row) != notOp {
		return l.scanOp(row, start)
	}
	return l.stray(row)
}

func (l *scanner) scanMarker(m, row string, start int) error {
	switch m {
	case abortMarker:
		return at(l.row, 1, "the abort marker "+quote(m)+" gives the whole script up").
			next("Send the script again without " + quote(m) + " when it is meant")
	case beginMarker:
		if l.started || l.began {
			return at(l.row, 1, quote(m)+" stands in the middle; it is legal as the first row only").
				next("Leave that row out; one script holds all sections").
				cured(l.row, 1)
		}
		l.began = true
	case endMarker:
		l.ended = true
	}
	l.push(tokenMarker, l.s[start:start+len(m)], start, 1)
	l.push(tokenEOL, "", start+len(row), column(row, len(row)))
	return nil
}

func (l *scanner) scanHeader(h headerRow, row string, start int) error {
	if p := l.checkText(row, "header row"); p != nil {
		return p
	}
	if l.paths == nil {
		l.paths = map[string]bool{}
	}
	l.paths[h.path] = true
	l.heads++
	if len(l.paths) > l.limits.Files {
		return overLimit(l.row, fmt.Sprintf("the script names more than %d files", l.limits.Files))
	}
	if l.heads > l.limits.Ops {
		return overLimit(l.row, fmt.Sprintf("the script has more than %d sections", l.limits.Ops))
	}
	hash := 1 + len(h.path)
	end := hash + 1 + len(h.tag)
	l.push(tokenPunct, row[:1], start, 1)
	l.push(tokenPath, h.path, start+1, 2)
	l.push(tokenPunct, row[hash:hash+1], start+hash, column(row, hash))
	l.push(tokenTag, h.tag, start+hash+1, column(row, hash+1))
	l.push(tokenPunct, row[end:end+1], start+end, column(row, end))
	l.push(tokenEOL, "", start+len(row), column(row, len(row)))
	l.started, l.inSect = true, true
	return nil
}

func overLimit(row int, what string) *problem {
	return atCode(refusal.Limit, row, 0, what).next("Split the work into several calls")
}

// checkText refuses what cannot be part of a path or an op.
func (l *scanner) checkText(row, what string) *problem {
	i := strings.IndexByte(row, 0)
	if i < 0 {
		if utf8.ValidString(row) {
			return nil
		}
		for i = 0; ; {
			r, n := utf8.DecodeRuneInString(row[i:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			i += n
		}
		return atCode(refusal.InvalidArgument, l.row, column(row, i), "the "+what+" "+quote(row)+" is not valid UTF-8").
			next("Send headers and ops as UTF-8; body rows alone may hold other bytes")
	}
	return atCode(refusal.InvalidArgument, l.row, column(row, i), "the "+what+" "+quote(row)+" holds a NUL").
		next("Send the row without it")
}

func (l *scanner) scanOp(row string, start int) error {
	l.started = true
	l.ops++
	if l.ops > l.limits.Ops {
		return overLimit(l.row, fmt.Sprintf("the script has more than %d ops", l.limits.Ops))
	}
	if p := l.checkText(row, "op row"); p != nil {
		return p
	}
	indent := len(row) - len(strings.TrimLeft(row, blanks))
	word := wordOf(row[indent:])
	end := indent + len(word)
	switch word {
	case "PUT", "put", "CUT", "cut", "REM", "rem", "MV", "mv":
	default:
		return l.unknownVerb(row, indent, word)
	}
	l.push(tokenVerb, word, start+indent, column(row, indent))
	l.body = misplace
	if word == "MV" || word == "mv" {
		dest := strings.Trim(row[end:], blanks)
		if dest != "" {
			from := strings.Index(row[end:], dest) + end
			l.push(tokenDest, dest, start+from, column(row, from))
		}
	} else {
		l.space = scanParts(l.space[:0], row, end)
		register := false
		for _, p := range l.space {
			kind := tokenPunct
			switch p.kind {
			case partLine:
				kind = tokenLine
			case partSep, partSlipSep:
				kind = tokenRange
			case partRegister:
				kind, register = tokenRegister, true
			case partOther:
				kind = tokenOther
			}
			l.push(kind, row[p.start:p.end], start+p.start, column(row, p.start))
		}
		if (word == "PUT" || word == "put") && !register {
			l.body = wanted
		}
	}
	l.push(tokenEOL, "", start+len(row), column(row, len(row)))
	return nil
}

// scanBody queues the rows up to the next op, header or marker as one token,
// without the blank rows at both ends.
//
// Which rows end a body depends on the rows before: under `+` rows whatever
// looks like an op is one, since a body does not change its style; under bare
// rows only what can hardly be anything else.
func (l *scanner) scanBody() error {
	first, firstRow := -1, 0 // the first row that is not blank
	last, lastRow := l.at, 0 // just past the last such row, and its number
	var plus, bare bool
	at, row := l.at, l.row
	misplaced := l.body == misplace
	l.body = noBody
	for at < len(l.s) {
		text, rest := cutRow(l.s[at:])
		next := len(l.s) - len(rest)
		if text != "" && text[0] == '+' {
			plus = true
		} else if isBlank(text) {
			at, row = next, row+1
			continue
		} else if l.endsBody(text, plus, bare, misplaced) {
			break
		} else {
			bare = true
		}
		if first < 0 {
			first, firstRow = at, row
		}
		last, lastRow = next, row
		if l.lines+row-firstRow >= l.limits.Lines {
			return overLimit(row, fmt.Sprintf("the script has more than %d body rows", l.limits.Lines))
		}
		at, row = next, row+1
	}
	if first >= 0 {
		l.lines += lastRow - firstRow + 1
		l.queue = append(l.queue, lexer.Token{Type: tokenBody, Value: l.s[first:last], Pos: l.pos(first, firstRow, 1)})
	}
	l.at, l.row = at, row
	return nil
}

func (l *scanner) endsBody(row string, plus, bare, misplaced bool) bool {
	if markerOf(row) != "" || nearMarker(row) != "" && !(bare && !plus) {
		return true
	}
	if _, ok := parseHeader(row); ok {
		return true
	}
	switch opnessOf(row) {
	case exact:
		return true
	case loose, broken:
		return !bare || plus || misplaced
	}
	return false
}
