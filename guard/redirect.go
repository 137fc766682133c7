package guard

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirects reports the files that the redirections of a statement write.
func (f *frame) redirects(s *syntax.Stmt) {
	heredoc := false
	for _, r := range s.Redirs {
		heredoc = heredoc || r.Hdoc != nil
	}
	for _, r := range s.Redirs {
		kind := Redirect
		switch r.Op {
		case syntax.RdrOut, syntax.ClbOut, syntax.RdrAll, syntax.RdrInOut:
			if heredoc && (r.N == nil || r.N.Value == "1") {
				kind = Heredoc
			}
		case syntax.AppOut, syntax.AppAll:
			kind = Append
		case syntax.DplOut:
			if isDescriptor(r) {
				continue
			}
		default:
			continue
		}
		if onlyProcess(r.Word) {
			continue
		}
		target := f.one(r.Word)
		if x := f.fields(r.Word); len(x) == 1 {
			target = x[0]
		}
		suggest := toolWrite
		if kind == Append {
			suggest = toolEdit
		}
		f.found(find{kind: kind, command: f.commandName(s), target: target, at: f.src.pos(r.OpPos), suggest: suggest})
	}
}

// isDescriptor says that >&WORD duplicates or closes a descriptor. A word that
// is an expansion is taken for one: >&$fd is how scripts use it.
func isDescriptor(r *syntax.Redirect) bool {
	w := r.Word.Lit()
	if w == "" {
		return len(r.Word.Parts) == 1 && isExpansion(r.Word.Parts[0])
	}
	if r.N != nil && r.N.Value != "1" {
		return true
	}
	return strings.Trim(strings.TrimSuffix(w, "-"), "0123456789") == ""
}

func isExpansion(p syntax.WordPart) bool {
	if q, ok := p.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		p = q.Parts[0]
	}
	_, ok := p.(*syntax.ParamExp)
	return ok
}

// onlyProcess says that the word is >(command) or <(command): no file.
func onlyProcess(w *syntax.Word) bool {
	if w == nil || len(w.Parts) != 1 {
		return false
	}
	_, ok := w.Parts[0].(*syntax.ProcSubst)
	return ok
}

// commandName is the name of the simple command of a statement.
func (f *frame) commandName(s *syntax.Stmt) string {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return ""
	}
	return path.Base(f.a.show(f.one(c.Args[0]).text()))
}

// feed is the text that a redirection gives to a command's standard input; ok
// is false when the redirection is of something else, and the text is nil when
// it is not known.
func (f *frame) feed(r *syntax.Redirect) (in *input, ok bool) {
	if r.N != nil && r.N.Value != "0" {
		return nil, false
	}
	switch r.Op {
	case syntax.RdrIn, syntax.DplIn, syntax.RdrInOut:
		return nil, true
	case syntax.WordHdoc:
		x := f.one(r.Word)
		if len(x.vals) != 1 {
			return nil, true
		}
		return &input{text: x.vals[0] + "\n", at: x.at}, true
	case syntax.Hdoc, syntax.DashHdoc:
		if r.Hdoc == nil {
			return &input{}, true
		}
		return f.heredoc(r), true
	}
	return nil, false
}

func (f *frame) heredoc(r *syntax.Redirect) *input {
	quoted := false
	for _, p := range r.Word.Parts {
		l, ok := p.(*syntax.Lit)
		quoted = quoted || !ok || strings.Contains(l.Value, `\`)
	}
	var b strings.Builder
	exact := f.src.exact
	for _, p := range r.Hdoc.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			v := p.Value
			if !quoted {
				v = unescapeQuoted(v, "$\\`")
				exact = exact && v == p.Value
			}
			b.WriteString(v)
		case *syntax.ParamExp:
			exact = false
			if vals, ok := f.lookup(p); ok && len(vals) == 1 {
				b.WriteString(vals[0])
			} else {
				b.WriteString(f.a.hide(f.src.slice(p)))
			}
		default:
			exact = false
			b.WriteString(f.a.hide(f.src.slice(p)))
		}
	}
	text := b.String()
	if !f.a.spend(len(text)) {
		return nil
	}
	if r.Op == syntax.DashHdoc {
		exact = false
		lines := strings.Split(text, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimLeft(l, "\t")
		}
		text = strings.Join(lines, "\n")
	}
	return &input{text: text, at: origin{f.src.pos(r.Hdoc.Pos()), exact}}
}
