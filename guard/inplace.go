package guard

import (
	"strings"
)

// sed reports -i in all its spellings, and the w command and flag of a script.
func sed(f *frame, c call) {
	args := bsdSuffix(c.args)
	opts, names := options(args, spec{
		short: "e:f:l:i?I?",
		long:  "expression= file= line-length= in-place? quiet silent regexp-extended posix null-data zero-terminated separate sandbox unbuffered debug follow-symlinks binary help version",
	})
	if has(opts, "help", "version") {
		return
	}
	var scripts []field
	for _, o := range opts {
		switch o.name {
		case "e", "expression":
			scripts = append(scripts, o.val)
		}
	}
	if len(scripts) == 0 && !has(opts, "f", "file") && len(names) > 0 {
		scripts, names = names[:1], names[1:]
	}
	for _, s := range scripts {
		at := s.at.places(s.text())
		for _, w := range sedWrites(s.text()) {
			pos := at.offset(w.off)
			f.found(find{kind: Interpreter, command: c.name, target: literal(w.name, pos), at: pos, suggest: toolWrite})
		}
	}
	if !has(opts, "i", "I", "in-place") {
		return
	}
	f.operands(c, InPlace, names, toolEdit)
}

// bsdSuffix takes out the suffix that BSD's -i has as an argument of its own:
// empty, or a dot and letters where more than a script follows.
func bsdSuffix(args []field) []field {
	for i, x := range args {
		v := x.text()
		if !strings.HasPrefix(v, "-") || strings.HasPrefix(v, "--") || v[len(v)-1] != 'i' && v[len(v)-1] != 'I' || i+1 >= len(args) {
			continue
		}
		next := args[i+1].text()
		if next == "" && args[i+1].lit || len(next) > 1 && next[0] == '.' && isWord(next[1:]) && len(args) > i+3 {
			return append(append([]field{}, args[:i+1]...), args[i+2:]...)
		}
	}
	return args
}

func isWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') && s[i] != '_' {
			return false
		}
	}
	return s != ""
}

// operands reports every operand, or one write without a name when there is
// none, because the names come from elsewhere.
func (f *frame) operands(c call, kind Kind, names []field, suggest string) {
	if len(names) == 0 {
		f.found(find{kind: kind, command: c.name, at: c.at, suggest: suggest})
	}
	for _, x := range names {
		f.report(c, kind, x, suggest)
	}
}

// A written is a file name in the text of a program.
type written struct {
	name string
	off  int
}

// sedWrites finds the files that a sed script writes: the w command, the W
// command and the w flag of s.
func sedWrites(script string) (out []written) {
	i := 0
	rest := func() string { // to the end of the line
		j := strings.IndexByte(script[i:], '\n')
		if j < 0 {
			j = len(script) - i
		}
		return script[i : i+j]
	}
	file := func() {
		for i < len(script) && (script[i] == ' ' || script[i] == '\t') {
			i++
		}
		name := strings.TrimRight(rest(), " \t\r")
		if name != "" {
			out = append(out, written{name, i})
		}
		i += len(rest())
	}
	// delimited skips to after the next unescaped delimiter.
	delimited := func(d byte, class bool) bool {
		in := false
		for i < len(script) {
			ch := script[i]
			i++
			switch {
			case ch == '\\' && i < len(script):
				i++
			case class && in:
				in = ch != ']'
			case class && ch == '[':
				in = true
				if i < len(script) && script[i] == '^' {
					i++
				}
				if i < len(script) && script[i] == ']' {
					i++
				}
			case ch == d:
				return true
			}
		}
		return false
	}
	for i < len(script) {
		ch := script[i]
		i++
		switch ch {
		case ' ', '\t', '\n', ';', '{', '}', '!', ',', '$', '~', '+', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		case '/':
			if !delimited('/', true) {
				return out
			}
			for i < len(script) && (script[i] == 'I' || script[i] == 'M') {
				i++
			}
		case '\\':
			if i >= len(script) {
				return out
			}
			d := script[i]
			i++
			if !delimited(d, true) {
				return out
			}
		case '#', ':', 'b', 't', 'T', 'r', 'R':
			if ch == 'b' || ch == 't' || ch == 'T' {
				if j := strings.IndexAny(script[i:], ";}\n"); j >= 0 {
					i += j
					break
				}
			}
			i += len(rest())
		case 'a', 'i', 'c':
			for {
				l := rest()
				i += len(l)
				if !strings.HasSuffix(l, `\`) || i >= len(script) {
					break
				}
				i++
			}
		case 'w', 'W':
			file()
		case 'y':
			if i >= len(script) {
				return out
			}
			d := script[i]
			i++
			for range 2 {
				if !delimited(d, false) {
					return out
				}
			}
		case 's':
			if i >= len(script) {
				return out
			}
			d := script[i]
			i++
			if !delimited(d, true) || !delimited(d, false) {
				return out
			}
		flags:
			for i < len(script) {
				switch ch := script[i]; {
				case ch == 'w':
					i++
					file()
					break flags
				case strings.IndexByte("gpiImMe0123456789", ch) >= 0:
					i++
				default:
					break flags
				}
			}
		}
	}
	return out
}

// ed reports the file it is given, unless its commands are known and none
// writes.
func ed(f *frame, c call) {
	opts, names := options(c.args, spec{short: "p:", long: "prompt= help version"})
	if has(opts, "help", "version") {
		return
	}
	if c.in == nil {
		if len(names) > 0 {
			f.operands(c, InPlace, names[:1], toolEdit)
		}
		return
	}
	inserting := false
	place := c.in.at.places(c.in.text)
	for off, line := range lines(c.in.text) {
		switch {
		case inserting:
			inserting = line != "."
			continue
		case edInserts(line):
			inserting = true
			continue
		}
		arg, ok := edWrite(line, "w", "W", "wq")
		if !ok {
			continue
		}
		at := place.offset(off)
		switch {
		case arg != "":
			if arg[0] != '!' {
				f.found(find{kind: InPlace, command: c.name, target: literal(arg, at), at: at, suggest: toolEdit})
			}
		case len(names) > 0:
			f.report(c, InPlace, names[0], toolEdit)
		default:
			f.found(find{kind: InPlace, command: c.name, at: at, suggest: toolEdit})
		}
	}
}

// edInserts says that the line is a, i or c after an address.
func edInserts(line string) bool {
	cmd := afterAddress(line)
	return cmd == "a" || cmd == "i" || cmd == "c"
}

// edWrite says that the line is one of the commands, and gives its argument.
func edWrite(line string, names ...string) (arg string, ok bool) {
	cmd := afterAddress(line)
	for _, n := range names {
		rest, found := strings.CutPrefix(cmd, n)
		rest = strings.TrimPrefix(rest, "!")
		if found && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// afterAddress drops the line numbers and patterns before a command.
func afterAddress(line string) string {
	s := strings.TrimLeft(line, " \t:")
	for s != "" {
		switch c := s[0]; {
		case c >= '0' && c <= '9', strings.IndexByte(".$,;%+- \t", c) >= 0:
			s = s[1:]
		case c == '\'' && len(s) > 1:
			s = s[2:]
		case c == '/' || c == '?':
			i := 1
			for i < len(s) && s[i] != c {
				if s[i] == '\\' {
					i++
				}
				i++
			}
			if i >= len(s) {
				return s
			}
			s = s[i+1:]
		default:
			return s
		}
	}
	return s
}

// vim reports the files of a vi that is told to write by -c, + or its input.
func vim(f *frame, c call) {
	var cmds []string
	var names []field
	script := strings.HasPrefix(c.name, "ex")
	for i := 0; i < len(c.args); i++ {
		v := c.args[i].text()
		switch {
		case v == "--":
			names = append(names, c.args[i+1:]...)
			i = len(c.args)
		case v == "-c" || v == "--cmd" || strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "--") && strings.HasSuffix(v, "c") && strings.Trim(v, "-esnNcEbR") == "":
			if i++; i < len(c.args) {
				cmds = append(cmds, c.args[i].text())
			}
		case v == "-S" || v == "-u" || v == "-U" || v == "-i" || v == "-T" || v == "-w" || v == "-W":
			i++
		case strings.HasPrefix(v, "-c") && len(v) > 2 && !strings.HasPrefix(v, "-cs"):
			cmds = append(cmds, v[2:])
		case strings.HasPrefix(v, "+"):
			cmds = append(cmds, v[1:])
		case strings.HasPrefix(v, "-") && len(v) > 1:
			script = script || !strings.HasPrefix(v, "--") && strings.ContainsAny(v, "eE")
		default:
			names = append(names, c.args[i])
		}
	}
	if script && c.in != nil {
		inserting := false
		for _, line := range lines(c.in.text) {
			if inserting {
				inserting = line != "."
			} else if edInserts(line) {
				inserting = true
			} else {
				cmds = append(cmds, line)
			}
		}
	}
	seen := map[string]bool{}
	for _, cmd := range cmds {
		for _, part := range strings.Split(cmd, "|") {
			arg, ok := edWrite(part, "w", "write", "wq", "wqa", "wqall", "wa", "wall", "x", "xa", "xit", "xall", "up", "update", "exi", "exit")
			if !ok && !(strings.HasPrefix(afterAddress(part), "norm") && strings.Contains(part, "ZZ")) || seen[arg] {
				continue
			}
			seen[arg] = true
			switch {
			case arg != "" && arg[0] != '!' && !strings.HasPrefix(arg, ">>"):
				f.found(find{kind: InPlace, command: c.name, target: literal(arg, c.at), at: c.at, suggest: toolEdit})
			case arg == "" || arg[0] != '!':
				f.operands(c, InPlace, names, toolEdit)
			}
		}
	}
}

// A formatter rewrites its operands, when one of the options is given or, with
// none listed, always.
type formatter struct {
	spec
	write string // options that make it write
	clean string // options that keep it from writing
	sub   string // subcommands, any of which is needed
}

func formatters() map[string]formatter {
	return map[string]formatter{
		"gofmt":        {spec: spec{short: "r:", single: true, long: "r= cpuprofile="}, write: "w"},
		"goimports":    {spec: spec{single: true, long: "local= srcdir="}, write: "w"},
		"gofumpt":      {spec: spec{single: true, long: "lang= modpath="}, write: "w"},
		"shfmt":        {spec: spec{short: "i:", long: "indent= language-dialect= filename= write"}, write: "w write"},
		"prettier":     {spec: spec{long: "config= parser= plugin= ignore-path= log-level= write"}, write: "w write"},
		"eslint":       {spec: spec{short: "c:o:f:", long: "config= ext= format= rule= fix"}, write: "fix"},
		"stylelint":    {spec: spec{long: "config= fix"}, write: "fix"},
		"biome":        {spec: spec{long: "write fix apply"}, write: "write fix apply", sub: "format check lint"},
		"clang-format": {spec: spec{single: true, long: "style= i"}, write: "i"},
		"yq":           {spec: spec{short: "I:o:p:s:", long: "inplace in-place indent= output-format= input-format="}, write: "i inplace in-place"},
		"autopep8":     {spec: spec{short: "i", long: "in-place max-line-length= select= ignore="}, write: "i in-place"},
		"yapf":         {spec: spec{short: "i", long: "in-place style="}, write: "i in-place"},
		"jsonnetfmt":   {spec: spec{long: "in-place"}, write: "i in-place"},
		"black":        {spec: spec{short: "l:t:c:", long: "line-length= target-version= config= code= include= exclude= check diff"}, clean: "check diff c code version help h"},
		"isort":        {spec: spec{short: "l:p:", long: "profile= line-length= check-only check diff stdout"}, clean: "c check check-only d diff stdout version help h"},
		"rustfmt":      {spec: spec{long: "edition= config= config-path= emit= check"}, clean: "check emit version V help h"},
		"ruff":         {spec: spec{long: "config= select= ignore= line-length= check diff fix"}, clean: "check diff help h", sub: "format check"},
		"dos2unix":     {spec: spec{long: "info?"}, clean: "i info version help"},
		"unix2dos":     {spec: spec{long: "info?"}, clean: "i info version help"},
	}
}

func (m formatter) call(f *frame, c call) {
	opts, names := options(c.args, m.spec)
	if has(opts, strings.Fields(m.clean)...) {
		return
	}
	if m.sub != "" {
		if len(names) == 0 || !strings.Contains(" "+m.sub+" ", " "+names[0].text()+" ") {
			return
		}
		if c.name == "ruff" && names[0].is("check") && !has(opts, "fix") {
			return
		}
		names = names[1:]
	}
	if m.write != "" && !has(opts, strings.Fields(m.write)...) {
		return
	}
	if c.name == "yq" && len(names) > 1 {
		names = names[1:] // the first is the expression
		if names[0].is("eval") {
			names = names[1:]
		}
	}
	if len(names) == 1 && names[0].is("-") {
		return
	}
	f.operands(c, Format, names, "")
}
