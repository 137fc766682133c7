package guard

import (
	"path"
	"strings"
	"sync"
)

// A call is one simple command with its arguments.
type call struct {
	name string // without its directory
	args []field
	in   *input
	at   position
}

// A handler reports the writes of one call.
type handler func(f *frame, c call)

// call follows a simple command.
func (f *frame) call(args []field, in *input) {
	if len(args) == 0 || !f.a.enter() {
		return
	}
	defer f.a.leave()
	// The same long value can be an argument many times.
	if !f.a.spend(size(args)) {
		return
	}
	// Only one name can be followed; a name that is not known is opaque.
	if !args[0].lit && args[0].text() != "[" || len(args[0].vals) != 1 {
		return
	}
	name := args[0].text()
	if fn, ok := f.sc.funcs[name]; ok {
		f.callFunction(fn, args[1:], in)
		return
	}
	c := call{name: path.Base(name), args: args[1:], in: in, at: args[0].at.position}
	if h := lookup(c.name); h != nil {
		h(f, c)
	}
}

var (
	handlers map[string]handler
	filled   sync.Once
)

// fillHandlers is run when a command is first followed: a program that links
// this package and follows none pays nothing for it.
func fillHandlers() {
	handlers = map[string]handler{}
	for names, h := range map[string]handler{
		"tee sponge":                tee,
		"cp install mv ln gcp gmv":  copyCall,
		"ginstall gln copy link":    copyCall,
		"rsync scp":                 remoteCopy,
		"dd gdd":                    dd,
		"truncate gtruncate":        truncate,
		"fallocate":                 truncate,
		"touch gtouch":              touch,
		"rm grm":                    remove,
		"unlink gunlink":            unlink,
		"shred gshred":              shred,
		"patch gpatch":              patch,
		"apply_patch applypatch":    applyPatch,
		"git":                       git,
		"sort gsort":                sortCall,
		"curl":                      curl,
		"wget":                      wget,
		"sed gsed":                  sed,
		"ed red":                    ed,
		"ex vi vim nvim view":       vim,
		"gvim vimdiff":              vim,
		"perl":                      perlCall,
		"ruby jruby":                rubyCall,
		"node nodejs bun deno":      nodeCall,
		"tsx ts-node":               nodeCall,
		"php":                       phpCall,
		"lua luajit":                luaCall,
		"awk gawk mawk nawk":        awkCall,
		"find gfind":                findCall,
		"fd fdfind":                 fd,
		"source .":                  sourceCall,
		"xargs gxargs":              xargs,
		"parallel":                  xargs,
		"eval":                      eval,
		"trap":                      trap,
		"cd chdir pushd":            func(f *frame, c call) { f.chdir(c.args) },
		"popd":                      func(f *frame, c call) { f.sc.dirKnown = false },
		"set":                       set,
		"shift":                     shift,
		"read mapfile readarray":    read,
		"unset getopts":             read,
		"printf":                    printfCall,
		"busybox toybox":            multicall,
		"su runuser":                su,
		"bash sh dash ksh zsh mksh": shell,
		"ash rbash":                 shell,
	} {
		for _, n := range strings.Fields(names) {
			handlers[n] = h
		}
	}
	for name, w := range wrappers() {
		handlers[name] = w.call
	}
	for name, w := range formatters() {
		handlers[name] = w.call
	}
}

func lookup(name string) handler {
	filled.Do(fillHandlers)
	if h := handlers[name]; h != nil {
		return h
	}
	// python3, python3.12, pypy3, perl5.36, ruby3.2, lua5.4, php8.3, node20.
	switch strings.TrimRight(name, "0123456789.") {
	case "python", "pypy", "ipython":
		return pythonCall
	case "perl":
		return perlCall
	case "ruby":
		return rubyCall
	case "lua":
		return luaCall
	case "php":
		return phpCall
	case "node", "nodejs":
		return nodeCall
	}
	return nil
}

// report is found for a call.
func (f *frame) report(c call, kind Kind, target field, suggest string) {
	f.found(find{kind: kind, command: c.name, target: target, at: target.at.position, suggest: suggest})
}

func tee(f *frame, c call) {
	opts, files := options(c.args, spec{long: "append ignore-interrupts output-error? help version"})
	if has(opts, "help", "version") {
		return
	}
	suggest := toolWrite
	if has(opts, "a", "append") {
		suggest = toolEdit
	}
	for _, x := range files {
		f.report(c, Tee, x, suggest)
	}
}

func sortCall(f *frame, c call) {
	opts, _ := options(c.args, spec{short: "k:o:S:t:T:", long: "key= output= buffer-size= field-separator= temporary-directory= parallel= files0-from= batch-size= compress-program= random-source= sort= check?"})
	if o, ok := get(opts, "o", "output"); ok {
		f.report(c, Output, o.val, toolWrite)
	}
}

const curlShort = "A:b:c:C:d:D:e:E:F:h?H:K:m:o:P:Q:r:t:T:u:U:w:x:X:y:Y:z:"

func curl(f *frame, c call) {
	opts, urls := options(c.args, spec{short: curlShort, long: "output= output-dir= header= data= data-raw= data-binary= request= user= user-agent= dump-header= cookie-jar= cookie= config= url= max-time= connect-timeout= retry= proxy= form= write-out= upload-file= cacert= cert= key= remote-name remote-name-all create-dirs"})
	dir := ""
	if o, ok := get(opts, "output-dir"); ok {
		dir = o.val.text()
	}
	for _, o := range opts {
		switch o.name {
		case "o", "output":
			if !o.val.is("-") {
				f.found(find{kind: Output, command: c.name, target: o.val, at: o.val.at.position, suggest: toolWrite, dir: dir})
			}
		case "D", "dump-header", "c", "cookie-jar":
			if !o.val.is("-") {
				f.report(c, Output, o.val, toolWrite)
			}
		case "O", "remote-name", "remote-name-all":
			for _, u := range urls {
				f.found(find{kind: Output, command: c.name, target: urlName(u), at: u.at.position, suggest: toolWrite, dir: dir})
			}
		}
	}
}

func wget(f *frame, c call) {
	opts, urls := options(c.args, spec{short: "o:a:e:i:B:t:O:T:w:Q:P:U:l:A:R:D:I:X:n:", long: "output-file= append-output= execute= input-file= tries= output-document= timeout= wait= directory-prefix= user-agent= header= post-data= user= password= level= spider quiet"})
	if o, ok := get(opts, "o", "a", "output-file", "append-output"); ok && !o.val.is("-") {
		f.report(c, Output, o.val, toolWrite)
	}
	if o, ok := get(opts, "O", "output-document"); ok {
		if !o.val.is("-") {
			f.report(c, Output, o.val, toolWrite)
		}
		return
	}
	if has(opts, "spider") {
		return
	}
	dir := ""
	if o, ok := get(opts, "P", "directory-prefix"); ok {
		dir = o.val.text()
	}
	for _, u := range urls {
		f.found(find{kind: Output, command: c.name, target: urlName(u), at: u.at.position, suggest: toolWrite, dir: dir})
	}
}

// urlName is the file that a download of the URL is stored in.
func urlName(u field) field {
	v := u.text()
	if i := strings.IndexAny(v, "?#"); i >= 0 {
		v = v[:i]
	}
	if i := strings.Index(v, "://"); i >= 0 {
		v = v[i+3:]
	}
	i := strings.LastIndexByte(v, '/')
	if i < 0 || i == len(v)-1 || len(u.vals) != 1 {
		return field{at: u.at}
	}
	// A "?" makes the URL a pattern, but no file is called so.
	return field{vals: []string{v[i+1:]}, lit: !isOpaque(v) && !strings.ContainsAny(v, "*[{"), at: u.at}
}

// set is the shell's: "set -- a b" gives the positional parameters.
func set(f *frame, c call) {
	for i, x := range c.args {
		if x.is("--") {
			f.setParams(c.args[i+1:])
			return
		}
		if v := x.text(); v == "" || v[0] != '-' && v[0] != '+' {
			if v != "" && (i == 0 || !c.args[i-1].is("-o") && !c.args[i-1].is("+o")) {
				f.setParams(c.args[i:])
				return
			}
		}
	}
}

func (f *frame) setParams(args []field) {
	f.sc.params, f.sc.hasArgs = args, len(args) <= maxParams
}

func shift(f *frame, c call) {
	switch {
	case len(c.args) == 0 && len(f.sc.params) > 0:
		f.sc.params = f.sc.params[1:]
	default:
		f.sc.hasArgs = false
	}
}

// read forgets the variables that a builtin sets.
func read(f *frame, c call) {
	for _, x := range c.args {
		delete(f.sc.vars, x.text())
	}
}

func printfCall(f *frame, c call) {
	if len(c.args) > 1 && c.args[0].is("-v") {
		delete(f.sc.vars, c.args[1].text())
	}
}

// sourceCall is source FILE: the file is not read, and can change any variable.
// That it changes the directory is rare, and left out.
func sourceCall(f *frame, c call) { clear(f.sc.vars) }

// multicall is a program that is many: busybox sed.
func multicall(f *frame, c call) {
	f.under(c.name).call(c.args, c.in)
}
