package guard

import "strings"

// A spec says which options of a command take a value.
type spec struct {
	// short has the letters, each followed by ":" when a value is required
	// (attached or the next argument) or "?" when only an attached one counts.
	// Letters that are not listed take none.
	short string
	// long has the names, separated by blanks, with "=" when a value is
	// required and "?" when only "--name=value" gives one.
	long string
	// wrapper stops at the first operand: the rest is another command.
	wrapper bool
	// single says that "-name" is a long option, as find and vim have it.
	single bool
}

// An option is one option as it was given; name has no dashes.
type option struct {
	name string
	val  field
	has  bool
}

// options splits arguments, as getopt does. For a wrapper the operands start
// with the command.
func options(args []field, sp spec) (opts []option, operands []field) {
	for i := 0; i < len(args); i++ {
		x := args[i]
		v := x.text()
		next := func() (field, bool) {
			if i+1 < len(args) {
				i++
				return args[i], true
			}
			return field{}, false
		}
		switch {
		case v == "--":
			return opts, append(operands, args[i+1:]...)
		case len(v) < 2 || v[0] != '-' || len(x.vals) != 1 || x.proc:
			if sp.wrapper {
				return opts, args[i:]
			}
			operands = append(operands, x)
		case strings.HasPrefix(v, "--") || sp.single:
			name, val, has := strings.Cut(strings.TrimLeft(v, "-"), "=")
			name, takes := sp.longOption(name)
			o := option{name: name}
			switch {
			case has:
				o.val, o.has = x.cut(len(v)-len(val)), true
			case takes == '=':
				o.val, o.has = next()
			}
			opts = append(opts, o)
		default:
			for j := 1; j < len(v); j++ {
				o := option{name: v[j : j+1]}
				takes := sp.shortOption(v[j])
				if takes != 0 && j+1 < len(v) {
					o.val, o.has = x.cut(j+1), true
					j = len(v)
				} else if takes == ':' {
					o.val, o.has = next()
				}
				opts = append(opts, o)
			}
		}
	}
	return opts, operands
}

func (sp spec) shortOption(c byte) byte {
	i := strings.IndexByte(sp.short, c)
	if i >= 0 && i+1 < len(sp.short) && (sp.short[i+1] == ':' || sp.short[i+1] == '?') {
		return sp.short[i+1]
	}
	return 0
}

// longOption gives the full name of a long option, which may be shortened as
// long as it is the only one that starts so, and how it takes a value.
func (sp spec) longOption(name string) (string, byte) {
	match, takes, n := name, byte(0), 0
	for _, l := range strings.Fields(sp.long) {
		var t byte
		if c := l[len(l)-1]; c == '=' || c == '?' {
			t, l = c, l[:len(l)-1]
		}
		if l == name {
			return l, t
		}
		if name != "" && strings.HasPrefix(l, name) {
			match, takes = l, t
			n++
		}
	}
	if n == 1 {
		return match, takes
	}
	return name, 0
}

// has reports whether one of the options was given.
func has(opts []option, names ...string) bool {
	_, ok := get(opts, names...)
	return ok
}

// get is the last of the options that were given under one of the names.
func get(opts []option, names ...string) (option, bool) {
	for i := len(opts) - 1; i >= 0; i-- {
		for _, n := range names {
			if opts[i].name == n {
				return opts[i], true
			}
		}
	}
	return option{}, false
}
