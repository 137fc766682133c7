package guard

import (
	"path"
	"strings"
)

const copyLong = "archive attributes-only backup? copy-contents force interactive link dereference no-clobber no-dereference parents preserve? no-preserve= recursive reflink? remove-destination sparse= strip-trailing-slashes symbolic-link suffix= target-directory= no-target-directory update? verbose one-file-system context? mode= owner= group= directory compare strip strip-program= relative symbolic logical physical help version"

// copyCall is cp, mv, install and ln.
func copyCall(f *frame, c call) {
	sp := spec{short: "t:S:", long: copyLong}
	kind, suggest := Copy, toolWrite
	switch strings.TrimPrefix(c.name, "g") {
	case "mv":
		kind, suggest = Move, toolPatch
	case "ln", "link":
		kind, suggest = Link, ""
	case "install":
		sp.short = "t:S:m:o:g:"
	}
	opts, names := options(c.args, sp)
	if has(opts, "help", "version") || sp.short != "t:S:" && has(opts, "d", "directory") {
		return
	}
	f.destinations(c, kind, suggest, opts, names)
}

func (f *frame) destinations(c call, kind Kind, suggest string, opts []option, names []field) {
	sources, dest := names, field{}
	into := false
	if o, ok := get(opts, "t", "target-directory"); ok {
		dest, into = o.val, true
	} else {
		switch {
		case len(names) == 0:
			return
		case len(names) == 1 && kind == Link:
			dest, into = field{vals: []string{"."}, lit: true, at: names[0].at}, true
		case len(names) == 1:
			return
		default:
			dest, sources = names[len(names)-1], names[:len(names)-1]
		}
		v := dest.text()
		into = into || len(sources) > 1 || strings.HasSuffix(v, "/") || v == "." || v == ".." || strings.HasSuffix(v, "/.") || strings.HasSuffix(v, "/..")
		into = into && !has(opts, "T", "no-target-directory")
	}
	if !into || len(dest.vals) != 1 {
		f.report(c, kind, dest, suggest)
		return
	}
	for _, s := range sources {
		t := dest
		t.at = s.at
		if has(opts, "parents") {
			t.vals = []string{path.Join(dest.text(), s.text())}
		} else {
			t.vals = nil
			for _, v := range s.vals {
				base := path.Base(v)
				if isOpaque(v) {
					base = v[strings.LastIndexByte(v, '/')+1:]
				}
				t.vals = append(t.vals, path.Join(dest.text(), base))
			}
		}
		t.lit = dest.lit && s.lit && path.Base(s.text()) != ".." && path.Base(s.text()) != "."
		f.report(c, kind, t, suggest)
	}
}

// remoteCopy is rsync and scp: it counts when the destination is here.
func remoteCopy(f *frame, c call) {
	sp := spec{short: "c:D:F:i:J:l:o:P:S:X:"}
	if c.name == "rsync" {
		sp = spec{short: "e:f:B:T:M:", long: "exclude= include= rsh= filter= files-from= exclude-from= include-from= temp-dir= backup-dir= suffix= log-file= bwlimit= chmod= chown= compare-dest= copy-dest= link-dest= rsync-path= port= timeout= max-size= min-size= info= password-file= out-format= dry-run list-only"}
	}
	opts, names := options(c.args, sp)
	if c.name == "rsync" {
		if o, ok := get(opts, "log-file"); ok {
			f.report(c, Output, o.val, toolWrite)
		}
		if has(opts, "n", "dry-run", "list-only") {
			return
		}
	}
	if len(names) < 2 || isRemote(names[len(names)-1].text()) {
		return
	}
	f.destinations(c, Copy, toolWrite, nil, names)
}

// isRemote says that the name is host:path or a URL of rsync.
func isRemote(s string) bool {
	host, _, ok := strings.Cut(s, ":")
	return ok && !strings.Contains(host, "/")
}

func dd(f *frame, c call) {
	for _, x := range c.args {
		if strings.HasPrefix(x.text(), "of=") {
			f.report(c, DD, x.cut(len("of=")), toolWrite)
		}
	}
}

func truncate(f *frame, c call) {
	sp := spec{short: "s:r:", long: "size= reference= no-create io-blocks"}
	if c.name == "fallocate" {
		sp = spec{short: "l:o:", long: "length= offset="}
	}
	_, names := options(c.args, sp)
	for _, x := range names {
		f.report(c, Truncate, x, toolWrite)
	}
}

func touch(f *frame, c call) {
	opts, names := options(c.args, spec{short: "d:r:t:A:", long: "date= reference= time= no-create no-dereference"})
	if has(opts, "c", "no-create") {
		return
	}
	for _, x := range names {
		f.report(c, Touch, x, toolWrite)
	}
}
