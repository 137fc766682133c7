package guard

import (
	"maps"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A variable is what is known of a shell variable.
type variable struct {
	vals  []string // the values a scalar can have
	elems []field  // the elements of an array
	array bool
}

// A function is the body of a shell function and the text it stands in.
type function struct {
	body *syntax.Stmt
	src  *source
}

// A scope is the state of a shell at one point of the program.
type scope struct {
	vars     map[string]variable // known variables only
	funcs    map[string]function
	called   map[*syntax.Stmt]bool // shared by all scopes of an analysis
	params   []field               // $1, $2, ...
	hasArgs  bool                  // params are known
	dir      string
	dirKnown bool
	via      []string
}

// fork is a copy for a subshell, or for a branch whose effects are uncertain.
func (sc *scope) fork() *scope {
	c := *sc
	c.vars = maps.Clone(sc.vars)
	c.funcs = maps.Clone(sc.funcs)
	c.via = slices.Clip(sc.via)
	return &c
}

// forget drops what branches changed, each being a fork of sc.
func (sc *scope) forget(branches ...*scope) {
	for _, b := range branches {
		for name, v := range sc.vars {
			if w, ok := b.vars[name]; !ok || !sameVariable(v, w) {
				delete(sc.vars, name)
			}
		}
		// A function that only a branch defines is taken to be defined.
		for name, fn := range b.funcs {
			if _, ok := sc.funcs[name]; !ok {
				sc.funcs[name] = fn
			}
		}
		if b.dir != sc.dir || b.dirKnown != sc.dirKnown {
			sc.dirKnown = false
		}
	}
}

func sameVariable(v, w variable) bool {
	return v.array == w.array && slices.Equal(v.vals, w.vals) &&
		slices.EqualFunc(v.elems, w.elems, func(x, y field) bool { return x.lit == y.lit && slices.Equal(x.vals, y.vals) })
}

// An input is the text that a command reads from its standard input.
type input struct {
	text string
	at   origin
}

// A frame is where the analysis stands: a shell program and the shell's state.
type frame struct {
	a     *analysis
	sc    *scope
	src   *source
	stdin *input // of the statement; nil when not known
}

func (f *frame) subshell() *frame {
	g := *f
	g.sc = f.sc.fork()
	return &g
}

// under is a frame in which commands run by the named wrapper are followed.
func (f *frame) under(name string) *frame {
	g := f.subshell()
	g.sc.via = append(g.sc.via, name)
	return g
}

func (f *frame) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		f.stmt(s)
	}
}

func (f *frame) stmt(s *syntax.Stmt) {
	if s == nil || !f.a.enter() {
		return
	}
	defer f.a.leave()
	g := *f
	if s.Background || s.Coprocess {
		g.sc = f.sc.fork()
	}
	for _, r := range s.Redirs {
		g.inner(r.Word)
		g.inner(r.Hdoc)
		if in, ok := g.feed(r); ok {
			g.stdin = in
		}
	}
	g.redirects(s)
	g.cmd(s.Cmd)
}

func (f *frame) cmd(c syntax.Command) {
	switch c := c.(type) {
	case nil:
	case *syntax.CallExpr:
		for _, as := range c.Assigns {
			f.assign(as, len(c.Args) == 0)
		}
		var args []field
		for _, w := range c.Args {
			f.inner(w)
			args = append(args, f.fields(w)...)
		}
		f.call(args, f.stdin)
	case *syntax.BinaryCmd:
		f.binary(c)
	case *syntax.Block:
		f.stmts(c.Stmts)
	case *syntax.Subshell:
		f.subshell().stmts(c.Stmts)
	case *syntax.IfClause:
		f.ifClause(c)
	case *syntax.WhileClause:
		f.loop(func(g *frame) { g.stmts(c.Cond); g.stmts(c.Do) })
	case *syntax.ForClause:
		f.forClause(c)
	case *syntax.CaseClause:
		f.inner(c.Word)
		var branches []*scope
		for _, it := range c.Items {
			for _, p := range it.Patterns {
				f.inner(p)
			}
			g := f.subshell()
			g.stmts(it.Stmts)
			branches = append(branches, g.sc)
		}
		f.sc.forget(branches...)
	case *syntax.FuncDecl:
		f.sc.funcs[c.Name.Value] = function{c.Body, f.src}
		f.a.declared = append(f.a.declared, declared{c.Body, f.src, f.sc.via})
	case *syntax.TimeClause:
		f.stmt(c.Stmt)
	case *syntax.CoprocClause:
		f.subshell().stmt(c.Stmt)
	case *syntax.DeclClause:
		for _, as := range c.Args {
			f.assign(as, true)
			if v := c.Variant.Value; as.Naked && as.Name != nil && v != "export" && v != "readonly" {
				delete(f.sc.vars, as.Name.Value) // local x is empty, or another's
			}
		}
	case *syntax.ArithmCmd:
		f.arithm(c.X)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			f.arithm(x)
		}
	case *syntax.TestClause:
		f.test(c.X)
	}
}

// binary follows a list or pipeline; its left spine can be long, so it is
// walked and not recursed into.
func (f *frame) binary(c *syntax.BinaryCmd) {
	type right struct {
		op  syntax.BinCmdOperator
		cmd *syntax.Stmt
	}
	var chain []right
	first := c.X
	chain = append(chain, right{c.Op, c.Y})
	for {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || len(first.Redirs) > 0 || first.Background || first.Coprocess {
			break
		}
		chain = append(chain, right{b.Op, b.Y})
		first = b.X
	}
	slices.Reverse(chain)

	pipe := func(op syntax.BinCmdOperator) bool { return op == syntax.Pipe || op == syntax.PipeAll }
	follow := func(s *syntax.Stmt, stdin *input, sub bool) {
		g := *f
		g.stdin = stdin
		if sub {
			g.sc = f.sc.fork()
		}
		g.stmt(s)
	}
	follow(first, f.stdin, pipe(chain[0].op))
	prev := first
	for i, r := range chain {
		switch {
		case pipe(r.op):
			follow(r.cmd, f.output(prev), true)
		case r.op == syntax.OrStmt:
			g := f.subshell()
			g.stmt(r.cmd)
			f.sc.forgetVars(g.sc)
		default:
			follow(r.cmd, f.stdin, i+1 < len(chain) && pipe(chain[i+1].op))
		}
		prev = r.cmd
	}
}

// forgetVars is forget for the right side of ||, which is taken not to run: the
// directory stays what the left side made it.
func (sc *scope) forgetVars(b *scope) {
	dir, known := sc.dir, sc.dirKnown
	sc.forget(b)
	sc.dir, sc.dirKnown = dir, known
}

func (f *frame) ifClause(c *syntax.IfClause) {
	var branches []*scope
	for ; c != nil; c = c.Else {
		f.stmts(c.Cond)
		g := f.subshell()
		g.stmts(c.Then)
		branches = append(branches, g.sc)
	}
	f.sc.forget(branches...)
}

// loop follows a body that runs any number of times: what it assigns is not
// known when it starts, nor afterwards.
func (f *frame) loop(body func(g *frame)) {
	if !f.a.quiet {
		f.sc.forget(f.effects(body))
	}
	g := f.subshell()
	body(g)
	f.sc.forget(g.sc)
}

// effects is the scope after a body whose writes are not recorded. Loops inside
// it are followed once, else the cost would double with every level.
func (f *frame) effects(body func(g *frame)) *scope {
	quiet := *f.a
	quiet.quiet = true
	quiet.writes = nil
	quiet.seen = map[string]bool{}
	quiet.declared = nil
	g := f.subshell()
	g.a = &quiet
	body(g)
	f.a.steps, f.a.bytes = quiet.steps, quiet.bytes
	f.a.opaque = quiet.opaque
	return g.sc
}

func (f *frame) forClause(c *syntax.ForClause) {
	switch l := c.Loop.(type) {
	case *syntax.CStyleLoop:
		f.arithm(l.Init)
		f.arithm(l.Cond)
		f.arithm(l.Post)
		f.loop(func(g *frame) { g.stmts(c.Do) })
	case *syntax.WordIter:
		var items []field
		if !l.InPos.IsValid() {
			items = []field{{}} // for x; do: over "$@"
			if f.sc.hasArgs {
				items = f.sc.params
			}
		}
		for _, w := range l.Items {
			f.inner(w)
			items = append(items, f.fields(w)...)
		}
		var vals []string
		known := true
		for _, it := range items {
			known = known && it.lit
			vals = append(vals, it.vals...)
		}
		f.loop(func(g *frame) {
			delete(g.sc.vars, l.Name.Value)
			if known && len(vals) > 0 && len(vals) <= maxValues {
				g.sc.vars[l.Name.Value] = variable{vals: vals}
			}
			g.stmts(c.Do)
		})
		if known && len(vals) > 0 {
			f.sc.vars[l.Name.Value] = variable{vals: vals[len(vals)-1:]}
		} else {
			delete(f.sc.vars, l.Name.Value)
		}
	}
}

// assign records an assignment; keep is false for one that is only in the
// environment of a command.
func (f *frame) assign(as *syntax.Assign, keep bool) {
	f.inner(as.Value)
	f.arithm(as.Index)
	if as.Array != nil {
		for _, e := range as.Array.Elems {
			f.arithm(e.Index)
			f.inner(e.Value)
		}
	}
	if !keep || as.Name == nil || as.Naked {
		return
	}
	name := as.Name.Value
	old, had := f.sc.vars[name]
	delete(f.sc.vars, name)
	if as.Index != nil {
		return
	}
	switch {
	case as.Array != nil:
		var elems []field
		for _, e := range as.Array.Elems {
			if e.Index != nil || e.Value == nil {
				return
			}
			elems = append(elems, f.fields(e.Value)...)
		}
		if as.Append {
			if !had || !old.array {
				return
			}
			elems = append(slices.Clip(old.elems), elems...)
		}
		if len(elems) <= maxValues {
			f.sc.vars[name] = variable{elems: elems, array: true}
		}
	default:
		val := f.one(as.Value)
		if !val.lit {
			// A partly known program text is still worth following.
			if len(val.vals) != 1 {
				return
			}
		}
		if as.Append {
			if !had || old.array || len(old.vals) != 1 || len(val.vals) != 1 || len(old.vals[0]) > MaxCommand {
				return
			}
			val.vals = []string{old.vals[0] + val.vals[0]}
			if !f.a.spend(len(val.vals[0])) {
				return
			}
		}
		f.sc.vars[name] = variable{vals: val.vals}
	}
}

// inner follows the commands inside a word: $( ), <( ), >( ).
func (f *frame) inner(w *syntax.Word) {
	if w != nil {
		f.parts(w.Parts)
	}
}

func (f *frame) parts(parts []syntax.WordPart) {
	if !f.a.enter() {
		return
	}
	defer f.a.leave()
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.DblQuoted:
			f.parts(p.Parts)
		case *syntax.CmdSubst:
			f.subshell().stmts(p.Stmts)
		case *syntax.ProcSubst:
			g := f.subshell()
			g.stdin = nil
			g.stmts(p.Stmts)
		case *syntax.ArithmExp:
			f.arithm(p.X)
		case *syntax.ParamExp:
			f.arithm(p.Index)
			if p.Slice != nil {
				f.arithm(p.Slice.Offset)
				f.arithm(p.Slice.Length)
			}
			if p.Repl != nil {
				f.inner(p.Repl.Orig)
				f.inner(p.Repl.With)
			}
			if p.Exp != nil {
				f.inner(p.Exp.Word)
			}
		}
	}
}

// arithm follows the commands inside an arithmetic expression, and forgets the
// variables it may change. The tree can be deep to the left, so there is no
// recursion.
func (f *frame) arithm(x syntax.ArithmExpr) {
	stack := []syntax.ArithmExpr{x}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !f.a.step() {
			return
		}
		switch x := x.(type) {
		case *syntax.Word:
			if x != nil {
				f.inner(x)
			}
		case *syntax.ParenArithm:
			stack = append(stack, x.X)
		case *syntax.UnaryArithm:
			if x.Op == syntax.Inc || x.Op == syntax.Dec {
				f.drop(x.X)
			}
			stack = append(stack, x.X)
		case *syntax.BinaryArithm:
			switch x.Op {
			case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
				syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
				f.drop(x.X)
			}
			stack = append(stack, x.Y, x.X)
		}
	}
}

func (f *frame) drop(x syntax.ArithmExpr) {
	if w, ok := x.(*syntax.Word); ok && w != nil {
		delete(f.sc.vars, w.Lit())
	}
}

func (f *frame) test(x syntax.TestExpr) {
	stack := []syntax.TestExpr{x}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !f.a.step() {
			return
		}
		switch x := x.(type) {
		case *syntax.Word:
			f.inner(x)
		case *syntax.ParenTest:
			stack = append(stack, x.X)
		case *syntax.UnaryTest:
			stack = append(stack, x.X)
		case *syntax.BinaryTest:
			stack = append(stack, x.Y, x.X)
		}
	}
}

// A declared function waits to be followed in case nothing calls it.
type declared struct {
	body *syntax.Stmt
	src  *source
	via  []string
}

// uncalled follows the functions that the command defines and never calls: the
// shell may be kept, and a later command call them.
func (f *frame) uncalled() {
	// Following a body can declare more.
	for i := 0; i < len(f.a.declared) && f.a.step(); i++ {
		d := f.a.declared[i]
		if f.sc.called[d.body] {
			continue
		}
		f.sc.called[d.body] = true
		g := f.subshell()
		g.src = d.src
		g.stdin = nil
		g.sc.vars = map[string]variable{}
		g.sc.params, g.sc.hasArgs = nil, false
		g.sc.dirKnown = false
		g.sc.via = d.via
		g.stmt(d.body)
	}
}

// callFunction follows a function with its arguments.
func (f *frame) callFunction(fn function, args []field, in *input) {
	if fn.body == nil || f.a.active[fn.body] {
		return
	}
	f.a.active[fn.body] = true
	f.sc.called[fn.body] = true
	defer delete(f.a.active, fn.body)
	params, has := f.sc.params, f.sc.hasArgs
	f.setParams(args)
	g := *f
	g.src, g.stdin = fn.src, in
	g.stmt(fn.body)
	f.sc.params, f.sc.hasArgs = params, has
}

// chdir follows cd DIR.
func (f *frame) chdir(args []field) {
	for len(args) > 0 && args[0].lit && len(args[0].vals) == 1 {
		if v := args[0].vals[0]; v == "--" {
			args = args[1:]
			break
		} else if len(v) < 2 || v[0] != '-' {
			break
		}
		args = args[1:]
	}
	switch {
	case len(args) == 0:
		f.sc.dir, f.sc.dirKnown = "~", true
	case !args[0].lit || len(args[0].vals) != 1 || args[0].vals[0] == "-":
		f.sc.dirKnown = false
	case args[0].tilde || path.IsAbs(args[0].vals[0]):
		f.sc.dir, f.sc.dirKnown = path.Clean(args[0].vals[0]), true
	case f.sc.dirKnown:
		f.sc.dir = path.Join(f.sc.dir, args[0].vals[0])
	}
}

// output is what a command writes to its standard output, when that can be read
// off the command: echo, printf and cat of literal text. It is nil otherwise.
func (f *frame) output(s *syntax.Stmt) *input {
	c, ok := s.Cmd.(*syntax.CallExpr)
	// Substitutions within substitutions are read again at every level.
	if !ok || len(c.Args) == 0 || !f.a.enter() {
		return nil
	}
	defer f.a.leave()
	var in *input
	for _, r := range s.Redirs {
		if text, ok := f.feed(r); ok {
			in = text
		} else if r.N == nil {
			return nil
		}
	}
	var args []field
	for _, w := range c.Args {
		args = append(args, f.fields(w)...)
	}
	if len(args) == 0 || !args[0].lit || len(args[0].vals) != 1 || !f.a.spend(size(args)) {
		return nil
	}
	name := path.Base(args[0].vals[0])
	args = args[1:]
	for _, x := range args {
		if len(x.vals) != 1 {
			return nil
		}
	}
	switch name {
	case "cat":
		if len(args) == 0 || len(args) == 1 && args[0].vals[0] == "-" {
			return in
		}
	case "echo":
		return echo(args)
	case "printf":
		if len(args) > 0 {
			return printf(args[0], args[1:])
		}
	}
	return nil
}

func echo(args []field) *input {
	escapes := false
	for len(args) > 0 {
		v := args[0].vals[0]
		if len(v) < 2 || v[0] != '-' || strings.Trim(v[1:], "neE") != "" {
			break
		}
		escapes = strings.Contains(v, "e")
		args = args[1:]
	}
	if len(args) == 0 {
		return nil
	}
	var words []string
	for _, x := range args {
		words = append(words, x.vals[0])
	}
	in := &input{text: strings.Join(words, " ") + "\n", at: args[0].at}
	if len(args) > 1 {
		in.at.exact = false
	}
	if escapes && strings.Contains(in.text, `\`) {
		in.text = ansi(in.text)
		in.at.exact = false
	}
	return in
}

// printf knows %s, %b and %%, which is what text is fed to a program with.
func printf(format field, args []field) *input {
	tmpl := ansi(format.vals[0])
	if len(args) == 0 && !strings.Contains(tmpl, "%") {
		return &input{text: tmpl, at: origin{format.at.position, format.at.exact && tmpl == format.vals[0]}}
	}
	at := format.at.position
	if len(args) > 0 {
		at = args[0].at.position
	}
	var b strings.Builder
	for {
		used := false
		rest := tmpl
		for rest != "" {
			before, after, ok := strings.Cut(rest, "%")
			b.WriteString(before)
			if !ok {
				break
			}
			if after == "" {
				return nil
			}
			switch after[0] {
			case '%':
				b.WriteByte('%')
			case 's', 'b':
				used = true
				if len(args) > 0 {
					v := args[0].vals[0]
					if after[0] == 'b' {
						v = ansi(v)
					}
					b.WriteString(v)
					args = args[1:]
				}
			default:
				return nil
			}
			rest = after[1:]
			if b.Len() > MaxCommand {
				return nil
			}
		}
		if !used || len(args) == 0 {
			return &input{text: b.String(), at: origin{at, false}}
		}
	}
}
