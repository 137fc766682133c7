package guard

import "strings"

// remove is rm. Removing a tree is not reported: no tool does that, and most of
// what goes that way was generated.
func remove(f *frame, c call) {
	opts, names := options(c.args, spec{long: "force recursive dir verbose one-file-system no-preserve-root preserve-root? interactive? help version"})
	if has(opts, "r", "R", "recursive", "help", "version") {
		return
	}
	f.removed(find{command: c.name}, names)
}

func unlink(f *frame, c call) {
	opts, names := options(c.args, spec{long: "help version"})
	if !has(opts, "help", "version") {
		f.removed(find{command: c.name}, names)
	}
}

// shred overwrites files, and removes them when it is told to.
func shred(f *frame, c call) {
	opts, names := options(c.args, spec{short: "n:s:", long: "iterations= size= random-source= remove? force exact verbose zero help version"})
	switch {
	case has(opts, "help", "version"):
	case has(opts, "u", "remove"):
		f.removed(find{command: c.name}, names)
	default:
		for _, x := range names {
			if !x.is("-") {
				f.report(c, Truncate, x, "")
			}
		}
	}
}

// gitRemove is git rm, as far as it removes named files of the working tree.
func gitRemove(f *frame, w find, args []field) {
	opts, names := options(args, spec{long: "cached dry-run force quiet ignore-unmatch sparse pathspec-from-file= pathspec-file-nul"})
	if has(opts, "cached", "n", "dry-run", "r") {
		return
	}
	var spelled []field
	for _, x := range names {
		// git reads patterns of its own, quoted or not.
		if !strings.ContainsAny(x.text(), "*?[\\") && !strings.HasPrefix(x.text(), ":") {
			spelled = append(spelled, x)
		}
	}
	f.removed(w, spelled)
}

// removed reports names that are spelled out. Patterns and values that are not
// known are left out: those are temporary and generated files as a rule, and
// nobody could tell which file it is.
func (f *frame) removed(w find, names []field) {
	for _, x := range names {
		if !x.lit || x.proc {
			continue
		}
		for _, v := range x.vals {
			if isOpaque(v) || v == "" || isDirectory(v) {
				continue
			}
			one := x
			one.vals = []string{v}
			w.kind, w.target, w.at, w.suggest = Remove, one, x.at.position, toolEdit
			f.found(w)
		}
	}
}
