package guard

import (
	"strings"
)

// A wrapper runs the command that its operands are.
type wrapper struct {
	spec
	// skip is how many operands stand before the command.
	skip int
	// env says that operands NAME=VALUE come before the command.
	env bool
	// here says that the command runs in the shell itself: command, builtin.
	here bool
	// clean names options with which no command runs.
	clean string
	// dir names the option that gives the directory to run in.
	dir string
	// sub is a first operand that must be there: uv run.
	sub string
	// output names options whose value is a file that the wrapper writes.
	output string
	// shell names an option whose value is a shell program.
	shell string
}

func wrappers() map[string]wrapper {
	return map[string]wrapper{
		"sudo": {spec: spec{short: "C:D:g:h:p:R:r:t:T:u:U:", long: "user= group= host= prompt= chdir= chroot= close-from= role= type= other-user= command-timeout= preserve-env? list edit validate", wrapper: true}, env: true, clean: "l list v validate e edit K k", dir: "D chdir"},
		"doas": {spec: spec{short: "C:u:a:", wrapper: true}, env: true},
		"env": {spec: spec{short: "u:C:S:", long: "unset= chdir= split-string= ignore-environment null block-signal? default-signal? ignore-signal? debug", wrapper: true}, env: true,
			dir: "C chdir", shell: "S split-string"},
		"nice":       {spec: spec{short: "n:", long: "adjustment=", wrapper: true}},
		"ionice":     {spec: spec{short: "c:n:p:P:u:t", long: "class= classdata= pid=", wrapper: true}, clean: "p pid"},
		"chrt":       {spec: spec{short: "T:P:D:p:", wrapper: true}, skip: 1, clean: "p"},
		"taskset":    {spec: spec{wrapper: true}, skip: 1, clean: "p pid"},
		"nohup":      {spec: spec{wrapper: true}},
		"setsid":     {spec: spec{wrapper: true}},
		"stdbuf":     {spec: spec{short: "i:o:e:", long: "input= output= error=", wrapper: true}},
		"unbuffer":   {spec: spec{wrapper: true}},
		"timeout":    {spec: spec{short: "k:s:", long: "kill-after= signal= foreground preserve-status verbose", wrapper: true}, skip: 1},
		"gtimeout":   {spec: spec{short: "k:s:", long: "kill-after= signal=", wrapper: true}, skip: 1},
		"time":       {spec: spec{short: "f:o:", long: "format= output= append portability verbose", wrapper: true}, output: "o output"},
		"command":    {spec: spec{wrapper: true}, here: true, clean: "v V"},
		"builtin":    {spec: spec{wrapper: true}, here: true},
		"exec":       {spec: spec{short: "a:", wrapper: true}},
		"caffeinate": {spec: spec{short: "t:w:", wrapper: true}},
		"chronic":    {spec: spec{wrapper: true}},
		"watch":      {spec: spec{short: "n:", long: "interval= differences?", wrapper: true}},
		"strace":     {spec: spec{short: "e:o:p:s:u:a:E:b:I:O:S:P:X:", long: "output= trace=", wrapper: true}, output: "o output"},
		"ltrace":     {spec: spec{short: "e:o:p:s:u:a:n:l:x:", long: "output=", wrapper: true}, output: "o output"},
		"flock":      {spec: spec{short: "w:E:", long: "timeout= wait= conflict-exit-code= command=", wrapper: true}, skip: 1},
		"chroot":     {spec: spec{long: "userspec= groups= skip-chdir", wrapper: true}, skip: 1},
		"unshare":    {spec: spec{wrapper: true}},
		"faketime":   {spec: spec{short: "f:", wrapper: true}, skip: 1},
		"xvfb-run":   {spec: spec{short: "n:s:e:f:p:w:", long: "server-num= server-args=", wrapper: true}},
		"npx":        {spec: spec{short: "p:c:", long: "package= call= yes no", wrapper: true}, shell: "c call"},
		"bunx":       {spec: spec{wrapper: true}},
		"uvx":        {spec: spec{long: "from= with= python=", wrapper: true}},
		"uv":         {spec: spec{long: "directory= project= with= python= extra= group=", wrapper: true}, sub: "run"},
		"poetry":     {spec: spec{wrapper: true}, sub: "run"},
		"pipenv":     {spec: spec{wrapper: true}, sub: "run"},
		"pdm":        {spec: spec{wrapper: true}, sub: "run"},
		"hatch":      {spec: spec{wrapper: true}, sub: "run"},
		"rye":        {spec: spec{wrapper: true}, sub: "run"},
		"conda":      {spec: spec{short: "n:p:", long: "name= prefix=", wrapper: true}, sub: "run"},
		"bundle":     {spec: spec{wrapper: true}, sub: "exec"},
		"pnpm":       {spec: spec{wrapper: true}, sub: "exec"},
		"npm":        {spec: spec{wrapper: true}, sub: "exec"},
		"mise":       {spec: spec{wrapper: true}, sub: "exec"},
		"direnv":     {spec: spec{wrapper: true}, sub: "exec", skip: 1},
	}
}

func (w wrapper) call(f *frame, c call) {
	opts, rest := options(c.args, w.spec)
	for _, n := range strings.Fields(w.output) {
		if o, ok := get(opts, n); ok {
			f.report(c, Output, o.val, toolWrite)
		}
	}
	if w.clean != "" && has(opts, strings.Fields(w.clean)...) {
		return
	}
	g := f
	if !w.here {
		g = f.under(c.name)
	}
	if w.dir != "" {
		if o, ok := get(opts, strings.Fields(w.dir)...); ok {
			g.chdir([]field{o.val})
		}
	}
	if w.shell != "" {
		if o, ok := get(opts, strings.Fields(w.shell)...); ok {
			// The operands are further arguments of the command.
			g.text(o.val, rest, c.in)
			return
		}
	}
	if w.sub != "" {
		if len(rest) == 0 || !rest[0].is(w.sub) {
			return
		}
		_, rest = options(rest[1:], w.spec)
	}
	for w.env && len(rest) > 0 && isAssignment(rest[0].text()) {
		rest = rest[1:]
	}
	if len(rest) < w.skip {
		return
	}
	rest = rest[w.skip:]
	switch {
	case c.name == "watch" && len(rest) > 0:
		g.text(rest[0], rest[1:], nil)
		return
	case c.name == "flock" && len(rest) > 1 && (rest[0].is("-c") || rest[0].is("--command")):
		g.text(rest[1], nil, c.in)
		return
	case len(rest) > 0 && rest[0].is("--"):
		rest = rest[1:]
	}
	if c.name == "sudo" && len(rest) == 0 && has(opts, "s", "i") && c.in != nil {
		g.script(*c.in)
		return
	}
	g.call(rest, c.in)
}

func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// text follows a shell program that is the value of an argument, with more
// arguments after it.
func (f *frame) text(prog field, more []field, in *input) {
	if len(prog.vals) != 1 {
		return
	}
	text, at := prog.text(), prog.at
	for _, x := range more {
		v := x.text()
		if strings.Trim(v, safe) != "" || v == "" {
			v = "'" + strings.ReplaceAll(v, "'", `'\''`) + "'"
		}
		text += " " + v
	}
	g := *f
	g.stdin = in
	g.program(text, at)
}

// safe are characters that need no quotes in a shell.
const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%"

// script follows a shell program that arrives on standard input.
func (f *frame) script(in input) {
	g := *f
	g.stdin = nil
	g.program(in.text, in.at)
}

// shell is bash and its like: -c PROGRAM NAME ARGS, or a program on stdin.
func shell(f *frame, c call) {
	var prog *field
	args := c.args
	cmd, stdin := false, false
loop:
	for len(args) > 0 {
		v := args[0].text()
		switch {
		case len(v) < 2 || v[0] != '-' && v[0] != '+':
			if v == "-" {
				args = args[1:]
			}
			break loop
		case v == "--":
			args = args[1:]
			break loop
		case v == "--rcfile" || v == "--init-file":
			args = args[1:]
		case strings.HasPrefix(v, "--"):
			if v == "--version" || v == "--help" {
				return
			}
		default:
			cmd = cmd || strings.Contains(v, "c") && v[0] == '-'
			stdin = stdin || strings.Contains(v, "s") && v[0] == '-'
			if v[0] == '-' && strings.ContainsAny(v, "n") && v != "-norc" {
				return // only checks the syntax
			}
			if strings.HasSuffix(v, "o") || strings.HasSuffix(v, "O") {
				args = args[1:]
			}
		}
		if len(args) > 0 {
			args = args[1:]
		}
	}
	g := f.under(c.name)
	// Which variables are exported is not followed, so none is known.
	g.sc.vars = map[string]variable{}
	g.sc.funcs = map[string]function{}
	switch {
	case cmd:
		if len(args) == 0 {
			return
		}
		prog = &args[0]
		if len(prog.vals) != 1 {
			return
		}
		g.setParams(args[min(2, len(args)):])
		g.stdin = c.in
		g.program(prog.text(), prog.at)
	case len(args) == 0 || stdin || args[0].is("/dev/stdin"):
		if c.in == nil {
			return
		}
		if !stdin {
			args = args[min(1, len(args)):]
		}
		g.setParams(args)
		g.script(*c.in)
	}
}

func eval(f *frame, c call) {
	var b strings.Builder
	for i, x := range c.args {
		if len(x.vals) != 1 {
			clear(f.sc.vars)
			return
		}
		if isOpaque(x.text()) {
			clear(f.sc.vars) // it can set any of them
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(x.text())
	}
	if len(c.args) == 0 {
		return
	}
	at := c.args[0].at
	at.exact = at.exact && len(c.args) == 1
	// eval runs in the shell itself.
	g := *f
	g.stdin = c.in
	g.program(b.String(), at)
}

func trap(f *frame, c call) {
	_, args := options(c.args, spec{})
	if len(args) > 1 {
		f.under(c.name).text(args[0], nil, nil)
	}
}

func su(f *frame, c call) {
	opts, rest := options(c.args, spec{short: "c:g:G:s:u:w:", long: "command= session-command= shell= group= supp-group= user="})
	g := f.under(c.name)
	if o, ok := get(opts, "c", "command", "session-command"); ok {
		g.text(o.val, nil, c.in)
		return
	}
	if has(opts, "u", "user") {
		g.call(rest, c.in)
	}
}

// xargs runs its operands with names added that are not known.
func xargs(f *frame, c call) {
	opts, cmd := options(c.args, spec{short: "a:d:E:I:L:n:P:s:i?l?e?j:", long: "arg-file= delimiter= max-lines? max-args= max-procs= max-chars= replace? jobs= null no-run-if-empty verbose", wrapper: true})
	if len(cmd) == 0 {
		return
	}
	repl := ""
	if o, ok := get(opts, "I", "i", "replace"); ok {
		repl = "{}"
		if o.has {
			repl = o.val.text()
		}
	}
	if c.name == "parallel" && repl == "" {
		repl = "{}"
	}
	g := f.under(c.name)
	in := c.at
	var args []field
	replaced := false
	for i, x := range cmd {
		if c.name == "parallel" && strings.HasPrefix(x.text(), ":::") {
			if i == 0 {
				return
			}
			break
		}
		if repl != "" && strings.Contains(x.text(), repl) {
			replaced = true
			x = g.unknown(x, repl)
		}
		args = append(args, x)
	}
	if c.name == "parallel" && len(args) == 1 && strings.ContainsAny(args[0].text(), " ;|>") {
		g.text(args[0], nil, nil)
		return
	}
	if repl == "" || c.name == "parallel" && !replaced {
		args = append(args, field{vals: []string{f.a.hide("")}, at: origin{in, false}})
	}
	g.call(args, nil)
}

// unknown replaces a placeholder in the values of a field by a mark.
func (f *frame) unknown(x field, placeholder string) field {
	var vals []string
	for _, v := range x.vals {
		vals = append(vals, strings.ReplaceAll(v, placeholder, f.a.hide(placeholder)))
	}
	x.vals, x.lit = vals, false
	x.at.exact = false
	return x
}

// fd runs what follows -x or -X, with the name at its end unless it says where.
func fd(f *frame, c call) {
	for i, x := range c.args {
		switch x.text() {
		case "-x", "-X", "--exec", "--exec-batch":
			g := f.under(c.name)
			var cmd []field
			placed := false
			for _, x := range c.args[i+1:] {
				if x.is(";") {
					break
				}
				if strings.Contains(x.text(), "{") {
					placed = true
					x = g.unknown(x, x.text())
				}
				cmd = append(cmd, x)
			}
			if !placed {
				cmd = append(cmd, field{vals: []string{f.a.hide("")}, at: origin{c.at, false}})
			}
			g.call(cmd, nil)
			return
		}
	}
}

// findCall is find with its actions.
func findCall(f *frame, c call) {
	args := c.args
	for i := 0; i < len(args); i++ {
		switch args[i].text() {
		case "-exec", "-execdir", "-ok", "-okdir":
			g := f.under(c.name)
			if strings.HasSuffix(args[i].text(), "dir") {
				g.sc.dirKnown = false
			}
			var cmd []field
			for i++; i < len(args) && !args[i].is(";") && !(args[i].is("+") && len(cmd) > 0 && strings.Contains(args[i-1].text(), "{}")); i++ {
				x := args[i]
				if strings.Contains(x.text(), "{}") {
					x = g.unknown(x, "{}")
				}
				cmd = append(cmd, x)
			}
			g.call(cmd, nil)
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 == len(args) {
				return
			}
			f.report(c, Output, args[i+1], toolWrite)
			if args[i].is("-fprintf") {
				i++ // the format
			}
			i++
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-lname", "-newer", "-printf", "-type", "-user", "-group", "-perm", "-size", "-mtime", "-mmin":
			i++ // its value can look like an action
		}
	}
}
