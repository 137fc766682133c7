package guard

import (
	"strconv"
	"strings"
)

// patch is the patch program. What it writes is named in the patch; that is
// read when the patch is part of the command.
func patch(f *frame, c call) {
	opts, names := options(c.args, spec{short: "B:d:D:F:g:i:o:p:r:V:Y:z:", long: "prefix= directory= ifdef= fuzz= get= input= output= strip= reject-file= version-control= basename-prefix= suffix= read-only= quoting-style= reject-format= dry-run version help"})
	if has(opts, "dry-run", "version", "help", "v", "C", "check") {
		return
	}
	w := find{kind: Patch, command: c.name, at: c.at, suggest: toolPatch}
	if o, ok := get(opts, "d", "directory"); ok {
		w.dir = o.val.text()
	}
	if o, ok := get(opts, "o", "output"); ok {
		if !o.val.is("-") {
			w.target = o.val
			f.found(w)
		}
		return
	}
	if len(names) > 0 {
		w.target = names[0]
		w.at = names[0].at.position
		f.found(w)
		return
	}
	if has(opts, "i", "input") {
		c.in = nil
	}
	// Without -p, patch looks for a file by its last name: not a literal path.
	strip := -1
	if o, ok := get(opts, "p", "strip"); ok {
		strip, _ = strconv.Atoi(o.val.text())
	}
	f.patched(w, c.in, strip)
}

// patched reports the files that a unified diff names; one that is not named
// when the text of the diff is not known.
func (f *frame) patched(w find, in *input, strip int) {
	named := false
	if in != nil {
		old := ""
		at := in.at.places(in.text)
		for off, line := range lines(in.text) {
			name, ok := strings.CutPrefix(line, "+++ ")
			if !ok {
				if o, ok := strings.CutPrefix(line, "--- "); ok {
					old = o
				}
				continue
			}
			name, _, _ = strings.Cut(name, "\t")
			if name == "/dev/null" {
				name, _, _ = strings.Cut(old, "\t") // a deletion
			}
			named = true
			w.at = at.offset(off)
			w.target = literal(name, w.at)
			stripped, ok := stripPath(name, strip)
			if ok {
				w.target.vals[0] = stripped
			} else {
				w.target.lit = false
			}
			f.found(w)
		}
	}
	if !named {
		w.target = field{}
		f.found(w)
	}
}

// stripPath takes n leading names off a path, as -p does.
func stripPath(p string, n int) (string, bool) {
	if n < 0 {
		return p, !strings.Contains(p, "/")
	}
	for ; n > 0; n-- {
		_, rest, ok := strings.Cut(p, "/")
		if !ok {
			return p, false
		}
		p = strings.TrimLeft(rest, "/")
	}
	return p, p != ""
}

// lines gives the lines of a text, without terminators, and their offsets.
func lines(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		off := 0
		for rest := text; rest != ""; {
			line, after, _ := strings.Cut(rest, "\n")
			if !yield(off, strings.TrimSuffix(line, "\r")) {
				return
			}
			off += len(rest) - len(after)
			rest = after
		}
	}
}

// applyPatch is the command that some agents have for "*** Begin Patch" texts,
// given as an argument or on standard input.
func applyPatch(f *frame, c call) {
	in := c.in
	if len(c.args) > 0 {
		if len(c.args[0].vals) != 1 {
			in = nil
		} else if strings.HasPrefix(c.args[0].text(), "-") {
			return
		} else {
			in = &input{c.args[0].text(), c.args[0].at}
		}
	}
	w := find{kind: Patch, command: c.name, at: c.at, suggest: toolPatch}
	named := false
	if in != nil {
		at := in.at.places(in.text)
		for off, line := range lines(in.text) {
			for _, mark := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
				if name, ok := strings.CutPrefix(line, mark); ok {
					named = true
					w.at = at.offset(off)
					w.target = literal(strings.TrimSpace(name), w.at)
					f.found(w)
				}
			}
		}
	}
	if !named {
		f.found(w)
	}
}

// git reports the subcommands that write named files of the working tree.
func git(f *frame, c call) {
	opts, rest := options(c.args, spec{short: "C:c:", long: "git-dir= work-tree= namespace= exec-path? config-env= super-prefix=", wrapper: true})
	if len(rest) == 0 || !rest[0].lit {
		return
	}
	w := find{command: c.name, at: rest[0].at.position, suggest: toolPatch}
	for _, o := range opts {
		switch o.name {
		case "C":
			if w.dir == "" || strings.HasPrefix(o.val.text(), "/") {
				w.dir = o.val.text()
			} else {
				w.dir += "/" + o.val.text()
			}
			w.dirLost = w.dirLost || o.val.tilde
		case "work-tree", "git-dir":
			w.dirLost = true
		}
	}
	args := rest[1:]
	switch rest[0].text() {
	case "apply":
		w.kind = Patch
		gitApply(f, c, w, args)
	case "am":
		opts, _ := options(args, spec{short: "p:C:S?", long: "directory= exclude= include= patch-format= whitespace= abort quit skip continue resolved show-current-patch?"})
		if !has(opts, "abort", "quit", "show-current-patch") {
			w.kind = Patch
			f.found(w)
		}
	case "mv":
		opts, names := options(args, spec{})
		if !has(opts, "n", "dry-run") && w.dir == "" && !w.dirLost {
			f.destinations(call{name: c.name, at: w.at}, Move, toolPatch, nil, names)
		} else if !has(opts, "n", "dry-run") && len(names) > 1 {
			w.kind, w.target = Move, names[len(names)-1]
			f.found(w)
		}
	case "rm":
		gitRemove(f, w, args)
	case "checkout":
		// Only with "--" is it certain that the names are files.
		for i, x := range args {
			if x.is("--") {
				f.restored(w, args[i+1:])
				return
			}
		}
	case "restore":
		opts, names := options(args, spec{short: "s:U:", long: "source= conflict= pathspec-from-file= staged worktree patch quiet"})
		if has(opts, "S", "staged") && !has(opts, "W", "worktree") {
			return
		}
		f.restored(w, names)
	case "show", "diff", "log", "format-patch", "archive", "cat-file":
		opts, _ := options(args, spec{short: "o:n:", long: "output= output-directory="})
		if o, ok := get(opts, "output"); ok {
			w.kind, w.target, w.suggest = Output, o.val, toolWrite
			f.found(w)
		}
	}
}

func (f *frame) restored(w find, names []field) {
	for _, x := range names {
		w.kind, w.target, w.at, w.suggest = Restore, x, x.at.position, ""
		f.found(w)
	}
}

func gitApply(f *frame, c call, w find, args []field) {
	opts, names := options(args, spec{short: "p:C:", long: "directory= exclude= include= whitespace= build-fake-ancestor= check stat numstat summary apply cached index 3way reverse reject recount verbose"})
	if has(opts, "check", "stat", "numstat", "summary") && !has(opts, "apply") || has(opts, "cached") {
		return
	}
	if o, ok := get(opts, "directory"); ok {
		w.dir = strings.TrimSuffix(w.dir, "/") + "/" + o.val.text()
		w.dir = strings.TrimPrefix(w.dir, "/")
		w.dirLost = true // it is seen from the top of the working tree
	}
	in := c.in
	if len(names) > 0 && !names[0].is("-") {
		in = nil
	}
	strip := 1
	if o, ok := get(opts, "p"); ok {
		strip, _ = strconv.Atoi(o.val.text())
	}
	f.patched(w, in, strip)
}
