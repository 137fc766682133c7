package parser

import (
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"putcut/ops"
	"putcut/refusal"
)

// Limits bound what is read. A zero field means its default.
type Limits struct {
	Bytes int // of the script; 1 MiB
	Ops   int // in all sections; 512
	Files int // different paths in headers; 64
	Lines int // body rows in all; 100,000
}

func (l Limits) orDefaults() Limits {
	or := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	or(&l.Bytes, 1<<20)
	or(&l.Ops, 512)
	or(&l.Files, 64)
	or(&l.Lines, 100_000)
	return l
}

// A Result is a script that was accepted, with remarks on how it was read.
// The script's strings are substrings of the source.
type Result struct {
	Script   ops.Script
	Warnings []refusal.Warning
}

// Parse reads a script of sections, each with its header: what the patch tool
// and script files hold. Sections that name one path stay apart; whether two
// paths are one file is for the caller to know, who then merges them and calls
// CheckSection again.
//
// The error is a *refusal.Error with the place in the script and, where it can
// be derived, the whole corrected script. Cost: linear in src, at more than
// 200 MB/s for body rows and some 10 µs an op; a refusal parses the script a
// bounded number of times more.
func Parse(src string, limits Limits) (Result, error) { return parse(src, limits, false) }

// ParseOps reads the op list of the edit tool: one section whose header row is
// optional. Without one, Path and Tag of the section are empty.
func ParseOps(src string, limits Limits) (Result, error) { return parse(src, limits, true) }

const bom = "\ufeff"

func parse(src string, limits Limits, bare bool) (Result, error) {
	limits = limits.orDefaults()
	if len(src) > limits.Bytes {
		return Result{}, overLimit(0, fmt.Sprintf("the script has %d bytes, and %d are the limit", len(src), limits.Bytes)).refusal
	}
	src = strings.TrimPrefix(src, bom)
	res, p := parseOnce(src, limits, bare)
	if p == nil {
		return res, nil
	}
	if q := oneRow(src); q != nil {
		p = q
	}
	e := p.refusal
	switch e.Code {
	case refusal.ParseFailed, refusal.TagRequired:
		if f := foreignFormat(src, bare); f != nil {
			return Result{}, f.refusal
		}
		e.Script = corrected(src, p, limits, bare)
	}
	return Result{}, e
}

// oneRow refuses a script whose rows are not apart, or is nil.
func oneRow(src string) *problem {
	if strings.IndexByte(src, '\n') >= 0 {
		return nil
	}
	for _, sep := range []struct{ text, what string }{
		{"\r", "the rows of the script end in CR alone; a row ends in LF, or CR and LF"},
		{`\n`, "the script is one row in which `\\n` stands for the ends of rows"},
	} {
		if rows := strings.Split(strings.TrimRight(src, sep.text), sep.text); len(rows) > 1 && (sep.text == "\r" || scriptRow(rows[1]) || strings.HasSuffix(rows[0], ":")) {
			return at(1, 1, sep.what).next("Send the script with real line breaks between its rows").cured(1, 1, rows...)
		}
	}
	return nil
}

// corrected applies the cure of a problem, and of those that come up next,
// until the script parses, and returns it in canonical form; "" when it does
// not come to that.
func corrected(src string, p *problem, limits Limits, bare bool) string {
	const tries, budget = 64, 8 << 20
	for i, spent := 0, 0; i < tries && spent < budget && len(p.cure) > 0; i++ {
		spent += len(src) + 4096
		src = applyEdits(splitRows(src), p.cure)
		if src == "" {
			return ""
		}
		var res Result
		if res, p = parseOnce(src, limits, bare); p == nil {
			return Format(res.Script)
		}
		if p.refusal.Code != refusal.ParseFailed {
			return ""
		}
	}
	return ""
}

func parseOnce(src string, limits Limits, bare bool) (Result, *problem) {
	inner, skipped, p := unfence(src)
	if p != nil {
		return Result{}, p
	}
	w := &lowering{src: inner, bare: bare}
	if skipped > 0 {
		w.warn(refusal.Warning{Code: refusal.Spelling, Row: skipped,
			Message: fmt.Sprintf("the Markdown fence around the script is left out (script row %d)", skipped)})
	}
	tokens, err := tokensOf(newScanner(inner, skipped, limits, bare))
	if err != nil {
		return Result{}, asProblem(err, inner)
	}
	tree := readTree(tokens[:len(tokens)-1])
	if tree == nil {
		if tree, err = parseTree(tokens); err != nil {
			return Result{}, asProblem(err, inner)
		}
	}
	s, p := w.script(tree)
	if p != nil {
		return Result{}, p
	}
	return Result{Script: s, Warnings: w.warnings}, nil
}

// tokensOf are all tokens up to and with EOF.
func tokensOf(l *scanner) ([]lexer.Token, error) {
	var tokens []lexer.Token
	for {
		t, err := l.Next()
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, t)
		if t.EOF() {
			return tokens, nil
		}
	}
}

// parseTree has the grammar of record read tokens, the last of which is EOF.
func parseTree(tokens []lexer.Token) (*scriptNode, error) {
	peeking, err := lexer.Upgrade(&replay{tokens})
	if err != nil {
		return nil, err
	}
	return grammar().ParseFromLexer(peeking)
}

// A replay is a lexer that gives tokens once more.
type replay struct{ tokens []lexer.Token }

func (r *replay) Next() (lexer.Token, error) {
	t := r.tokens[0]
	if len(r.tokens) > 1 {
		r.tokens = r.tokens[1:]
	}
	return t, nil
}

// asProblem words what the lexer or the grammar refused.
func asProblem(err error, src string) *problem {
	var p *problem
	if errors.As(err, &p) {
		return p
	}
	var pe participle.Error
	if !errors.As(err, &pe) {
		return at(0, 0, err.Error())
	}
	pos := pe.Position()
	start := strings.LastIndexByte(src[:pos.Offset], '\n') + 1
	row, _ := cutRow(src[start:])
	if opnessOf(row) == notOp {
		return at(pos.Line, pos.Column, quote(row)+" cannot stand here").next("Write one of " + opForms)
	}
	return explainOp(pos.Line, row, pos.Offset-start)
}

// unfence takes one Markdown fence off a script. skipped counts the rows up to
// and with the opening fence, and is 0 without one.
func unfence(src string) (inner string, skipped int, p *problem) {
	rest, n := src, 0
	var open string
	for rest != "" && open == "" {
		var row string
		row, rest = cutRow(rest)
		n++
		if isBlank(row) {
			continue
		}
		run, _, ok := fenceOf(row)
		if !ok {
			return src, 0, nil
		}
		open = run
	}
	if open == "" {
		return src, 0, nil
	}
	// The last row that is not blank must close it.
	end := len(strings.TrimRight(rest, " \t\r\n"))
	start := strings.LastIndexByte(rest[:end], '\n') + 1
	if closes(rest[start:end], open) {
		return rest[:start], n, nil
	}
	p = at(n, 1, "the fence opened here is not closed by the last row; one fence may stand around the whole script").
		next("Leave the fence and everything outside it out")
	rows := splitRows(rest)
	prose := 0 // rows at the end without any part of an edit
	for i := len(rows) - 1; i >= 0; i-- {
		if closes(rows[i], open) {
			return "", 0, p.cured(n+1+i, 1+prose).open(n)
		}
		if scriptRow(rows[i]) {
			break
		}
		prose++
	}
	return "", 0, p.cured(n, 1)
}

// open adds the removal of the opening fence before the edits so far.
func (p *problem) open(row int) *problem {
	p.cure = append([]rowEdit{{first: row, count: 1}}, p.cure...)
	return p
}

func closes(row, open string) bool {
	run, info, ok := fenceOf(row)
	return ok && info == "" && run[0] == open[0] && len(run) >= len(open)
}
