package guard

import (
	"strings"
)

// pythonCall is python: -c PROGRAM, or a program on standard input.
func pythonCall(f *frame, c call) {
	args := c.args
	for len(args) > 0 {
		v := args[0].text()
		if len(v) < 2 || v[0] != '-' {
			break
		}
		args = args[1:]
		switch {
		case v == "--version" || v == "--help" || v == "-V" || v == "-h":
			return
		case v == "-X" || v == "-W" || v == "--check-hash-based-pycs":
			if len(args) > 0 {
				args = args[1:]
			}
		case strings.HasPrefix(v, "--"):
		default:
			for j := 1; j < len(v); j++ {
				switch v[j] {
				case 'm':
					return
				case 'X', 'W':
					j = len(v)
				case 'c':
					if j+1 < len(v) {
						f.run(c, python, c.args[len(c.args)-len(args)-1].cut(j+1), args)
					} else if len(args) > 0 {
						f.run(c, python, args[0], args[1:])
					}
					return
				}
			}
		}
	}
	f.fromStdin(c, python, args)
}

// fromStdin follows a program on standard input, which is read when no file is
// named or the name is "-".
func (f *frame) fromStdin(c call, lang language, args []field) {
	if len(args) > 0 && !args[0].is("-") && !args[0].is("/dev/stdin") {
		return
	}
	if c.in == nil {
		return
	}
	if len(args) > 0 {
		args = args[1:]
	}
	f.interpret(c, lang, c.in.text, c.in.at, args)
}

func (f *frame) run(c call, lang language, prog field, argv []field) {
	if len(prog.vals) == 1 {
		f.interpret(c, lang, prog.text(), prog.at, argv)
	}
}

// perlCall is perl: -e PROGRAM, -i and a program on standard input.
func perlCall(f *frame, c call) { f.switches(c, perl, "eE", "0lCdDxVF", "I", "mM") }

// rubyCall is ruby, whose switches are much the same.
func rubyCall(f *frame, c call) { f.switches(c, ruby, "e", "0KTWxF", "IrCE", "") }

// switches reads clustered switches: prog take a program, opt an attached value
// if there is one, req a value that can be the next argument, and rest the rest
// of the cluster.
func (f *frame) switches(c call, lang language, prog, opt, req, rest string) {
	args := c.args
	inPlace := false
	var progs []field
scan:
	for len(args) > 0 {
		x := args[0]
		v := x.text()
		if len(v) < 2 || v[0] != '-' {
			break
		}
		args = args[1:]
		if v == "--" {
			break
		}
		if strings.HasPrefix(v, "--") {
			if v == "--version" || v == "--help" {
				return
			}
			continue
		}
		for j := 1; j < len(v); j++ {
			ch := v[j]
			switch {
			case ch == 'i':
				// The rest is the suffix of the backup.
				inPlace = true
				continue scan
			case ch == 'c' && lang == perl, ch == 'c' && lang == ruby:
				return // only checks the syntax
			case strings.IndexByte(prog, ch) >= 0:
				if j+1 < len(v) && lang == ruby {
					progs = append(progs, x.cut(j+1))
				} else if len(args) > 0 {
					progs = append(progs, args[0])
					args = args[1:]
				}
				continue scan
			case strings.IndexByte(req, ch) >= 0:
				if j+1 == len(v) && len(args) > 0 {
					args = args[1:]
				}
				continue scan
			case strings.IndexByte(rest, ch) >= 0:
				continue scan
			case strings.IndexByte(opt, ch) >= 0:
				// Digits belong to it; letters after them are switches again,
				// but for -F and -V, which take all.
				if ch == 'F' || ch == 'V' || ch == 'D' || ch == 'd' || ch == 'K' {
					continue scan
				}
				for j+1 < len(v) && (v[j+1] >= '0' && v[j+1] <= '9' || v[j+1] == 'x') {
					j++
				}
			}
		}
	}
	for _, p := range progs {
		f.run(c, lang, p, args)
	}
	if inPlace {
		names := args
		if len(progs) == 0 && len(names) > 0 {
			names = names[1:]
		}
		f.operands(c, InPlace, names, toolEdit)
	}
	if len(progs) == 0 {
		f.fromStdin(c, lang, args)
	}
}

// nodeCall is node, bun and deno.
func nodeCall(f *frame, c call) {
	args := c.args
	if (c.name == "deno" || c.name == "bun") && len(args) > 0 && (args[0].is("eval") || args[0].is("run")) {
		eval := args[0].is("eval")
		args = args[1:]
		for len(args) > 0 && strings.HasPrefix(args[0].text(), "-") && len(args[0].text()) > 1 {
			args = args[1:]
		}
		if eval && len(args) > 0 {
			f.run(c, javascript, args[0], args[1:])
			return
		}
		f.fromStdin(c, javascript, args)
		return
	}
	for len(args) > 0 {
		x := args[0]
		v := x.text()
		if len(v) < 2 || v[0] != '-' {
			break
		}
		args = args[1:]
		switch {
		case v == "-e", v == "--eval", v == "-p", v == "--print", v == "-pe", v == "-ep":
			if len(args) > 0 {
				f.run(c, javascript, args[0], args[1:])
			}
			return
		case strings.HasPrefix(v, "--eval="), strings.HasPrefix(v, "--print="):
			f.run(c, javascript, x.cut(strings.IndexByte(v, '=')+1), args)
			return
		case v == "-c", v == "--check", v == "-v", v == "--version", v == "-h", v == "--help":
			return
		case v == "-r", v == "--require", v == "--import", v == "--loader", v == "-C", v == "--conditions":
			if len(args) > 0 {
				args = args[1:]
			}
		}
	}
	f.fromStdin(c, javascript, args)
}

func phpCall(f *frame, c call) {
	opts, args := options(c.args, spec{short: "r:B:R:E:F:f:d:c:z:t:S:", wrapper: true})
	for _, o := range opts {
		switch o.name {
		case "r", "B", "R", "E":
			f.run(c, php, o.val, args)
		}
	}
	if len(opts) == 0 {
		f.fromStdin(c, php, args)
	}
}

func luaCall(f *frame, c call) {
	opts, args := options(c.args, spec{short: "e:l:j:O:b:", wrapper: true})
	some := false
	for _, o := range opts {
		if o.name == "e" {
			some = true
			f.run(c, lua, o.val, args)
		}
	}
	if !some {
		f.fromStdin(c, lua, args)
	}
}

// awkCall is awk: its program, and gawk's -i inplace.
func awkCall(f *frame, c call) {
	opts, names := options(c.args, spec{
		short:   "F:v:f:i:e:E:l:o?d?p?D?",
		long:    "field-separator= assign= file= include= source= exec= load= in-place? sandbox version help",
		wrapper: true,
	})
	var progs []field
	inPlace, fromFile := false, false
	for _, o := range opts {
		switch o.name {
		case "i", "include":
			inPlace = inPlace || o.val.is("inplace") || o.val.is("inplace.awk")
		case "in-place":
			inPlace = true
		case "e", "source":
			progs = append(progs, o.val)
		case "f", "file", "E", "exec":
			fromFile = true
		case "version", "help":
			return
		}
	}
	if len(progs) == 0 && !fromFile && len(names) > 0 {
		progs, names = names[:1], names[1:]
	}
	for _, x := range progs {
		f.run(c, awk, x, nil)
	}
	if inPlace {
		files := names[:0:0]
		for _, x := range names {
			if !isAssignment(x.text()) {
				files = append(files, x)
			}
		}
		f.operands(c, InPlace, files, toolEdit)
	}
}
