package guard

import (
	"slices"
	"strings"
)

// writeFlags are the names of open flags that write, in any language.
var writeFlags = []string{"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "WRONLY", "RDWR", "CREAT", "TRUNC", "APPEND"}

func (p *embedded) python(x pcall) {
	switch x.name {
	case "open", "Open":
		p.pythonOpen(x)
	case "ZipFile", "TarFile", "GzipFile", "BZ2File", "LZMAFile":
		mode, ok := x.keyword("mode")
		if !ok {
			mode, ok = x.arg(1)
		}
		if ok && p.opensForWriting(mode) {
			p.argWrite(x, 0)
		}
	case "write_text", "write_bytes":
		if x.path != "" {
			p.writes(x, x.recv)
		}
	case "touch":
		if p.isPath(x.recv, 0) {
			p.writes(x, x.recv)
		}
	case "rename", "replace", "renames", "symlink", "link":
		if x.on("os") || x.path == "" && p.imports("os", x.name) {
			p.argWrite(x, 1)
		} else if (x.name == "rename" || x.name == "replace") && p.isPath(x.recv, 0) {
			p.argWrite(x, 0)
		}
	case "symlink_to", "hardlink_to":
		p.writes(x, x.recv)
	case "copy", "copy2", "copyfile", "copytree", "move":
		if x.on("shutil") || x.path == "" && p.imports("shutil", x.name) {
			p.argWrite(x, 1)
		}
	case "truncate":
		if x.on("os") {
			p.argWrite(x, 0)
		}
	case "urlretrieve":
		p.argWrite(x, 1)
	case "input", "FileInput":
		if s, ok := x.keyword("inplace"); ok && x.on("fileinput", "") && !p.mentions(s, "False", "0") {
			files, ok := x.keyword("files")
			if !ok {
				files, _ = x.arg(0)
			}
			if list, ok := p.elements(files); ok {
				for _, e := range list {
					p.writes(x, e)
				}
			} else {
				p.writes(x, files)
			}
		}
	case "system", "popen":
		if x.on("os") {
			if s, ok := x.arg(0); ok {
				p.shell(s)
			}
		}
	case "run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput":
		if !x.on("subprocess") && !(x.path == "" && p.imports("subprocess", x.name)) {
			return
		}
		s, ok := x.arg(0)
		if !ok {
			s, _ = x.keyword("args")
		}
		if list, ok := p.elements(s); ok {
			p.argvCall(list)
		} else {
			p.shell(s)
		}
	case "exec":
		if s, ok := x.arg(0); ok && x.path == "" {
			if prog := p.value(s); prog.lit && len(prog.vals) == 1 {
				p.f.interpret(call{name: p.command}, python, prog.text(), prog.at, p.argv)
			}
		}
	}
}

func (p *embedded) pythonOpen(x pcall) {
	mode, hasMode := x.keyword("mode")
	file, hasFile := x.keyword("file")
	switch {
	case x.on("os"):
		if flags, ok := x.arg(1); ok && p.mentions(flags, writeFlags...) {
			p.argWrite(x, 0)
		}
		return
	case x.on("", "io", "codecs", "gzip", "bz2", "lzma", "builtins", "aiofiles", "tarfile", "tarfile.TarFile", "shelve", "dbm", "wave", "zipfile"):
		if !hasMode {
			n := 1
			if hasFile {
				n = 0
			}
			mode, hasMode = x.arg(n)
		}
		if !hasMode || !p.mayOpenForWriting(mode) {
			return
		}
		if !hasFile {
			file, _ = x.arg(0)
			if file.from >= file.to {
				file, _ = x.keyword("name")
			}
		}
		p.writes(x, file)
	default:
		// A method: Path.open has the mode first.
		if !hasMode {
			mode, hasMode = x.arg(0)
		}
		if hasMode && p.opensForWriting(mode) {
			p.writes(x, x.recv)
		}
	}
}

// isPath says that the expression is a pathlib path, as far as the program says.
func (p *embedded) isPath(s span, depth int) bool {
	if s.from >= s.to {
		return false
	}
	if p.mentions(s, "Path", "PosixPath", "Pathname") {
		return true
	}
	if s.to-s.from == 1 && depth < 8 {
		if b, ok := p.vars[p.toks[s.from].text]; ok && b.times == 1 {
			return p.isPath(b.span, depth+1)
		}
	}
	return false
}

// imports says that the name was imported from the module.
func (p *embedded) imports(module, name string) bool {
	key := "from " + module + " import " + name
	v, ok := p.known[key]
	if !ok {
		v = p.imported(module, name)
		p.known[key] = v
	}
	return v
}

func (p *embedded) imported(module, name string) bool {
	for i, t := range p.toks {
		if t.kind == tokIdent && t.text == "from" && p.isName(i+1, module) && p.isName(i+2, "import") {
			end := p.valueEndOfLine(i + 3)
			if p.mentions(span{from: i + 3, to: end}, name) || p.isOp(i+3, "*") {
				return true
			}
		}
	}
	return false
}

func (p *embedded) valueEndOfLine(i int) int {
	for i < len(p.toks) && p.f.a.step() {
		if p.match[i] > i {
			i = p.match[i]
		} else if p.toks[i].kind == tokLine || p.isOp(i, ";") {
			return i
		}
		i++
	}
	return i
}

func (p *embedded) javascript(x pcall) {
	switch x.name {
	case "writeFileSync", "writeFile", "appendFileSync", "appendFile", "createWriteStream",
		"outputFileSync", "outputFile", "outputJsonSync", "outputJson", "writeJsonSync", "writeJson",
		"writeTextFile", "writeTextFileSync":
		p.argWrite(x, 0)
	case "copyFileSync", "copyFile", "renameSync", "cpSync", "symlinkSync", "linkSync", "copySync", "moveSync":
		p.argWrite(x, 1)
	case "rename", "cp", "symlink", "link", "copy", "move":
		if p.isFS(x) {
			p.argWrite(x, 1)
		}
	case "truncateSync":
		p.argWrite(x, 0)
	case "truncate":
		if p.isFS(x) {
			p.argWrite(x, 0)
		}
	case "openSync", "open":
		if mode, ok := x.arg(1); ok && (x.name == "openSync" || p.isFS(x)) && (p.opensForWriting(mode) || p.mentions(mode, writeFlags...)) {
			p.argWrite(x, 0)
		}
	case "write":
		if x.on("Bun") {
			p.argWrite(x, 0)
		}
	case "execSync", "exec":
		if x.name == "execSync" || x.path == "" || p.isChild(x) {
			if s, ok := x.arg(0); ok {
				p.shell(s)
			}
		}
	case "spawnSync", "spawn", "execFileSync", "execFile":
		name, ok := x.arg(0)
		if !ok {
			return
		}
		if s, ok := x.arg(1); ok {
			if list, ok := p.elements(s); ok {
				p.argvCall(append([]span{name}, list...))
			}
		} else {
			p.shell(name)
		}
	}
}

// isFS says that the receiver is Node's fs module, or that the name was taken
// out of it.
func (p *embedded) isFS(x pcall) bool {
	if x.path == "" {
		return p.anywhere("fs", "node:fs", "fs/promises", "node:fs/promises", "fs-extra")
	}
	return p.mentions(x.recv, "fs", "fsp", "fsPromises", "fse", "node:fs", "fs/promises", "node:fs/promises", "fs-extra", "Deno") || x.on("promises")
}

func (p *embedded) isChild(x pcall) bool {
	return p.mentions(x.recv, "child_process", "node:child_process", "cp", "childProcess")
}

func (p *embedded) ruby(x pcall) {
	switch x.name {
	case "write", "binwrite":
		switch {
		case x.on("File", "IO"):
			p.argWrite(x, 0)
		case p.isPath(x.recv, 0):
			p.writes(x, x.recv)
		}
	case "open", "new":
		mode, ok := x.keyword("mode")
		switch {
		case x.on("File", "IO") || x.name == "open" && x.on("", "Kernel"):
			if !ok {
				mode, ok = x.arg(1)
			}
			if ok && (p.opensForWriting(mode) || p.mentions(mode, writeFlags...)) {
				p.argWrite(x, 0)
			}
		case x.name == "open" && p.isPath(x.recv, 0):
			if !ok {
				mode, ok = x.arg(0)
			}
			if ok && p.opensForWriting(mode) {
				p.writes(x, x.recv)
			}
		}
	case "cp", "copy", "mv", "move", "install", "ln", "ln_s", "ln_sf", "cp_r", "copy_file", "symlink":
		if x.on("FileUtils", "File") {
			p.argWrite(x, 1)
		}
	case "rename":
		if x.on("File") {
			p.argWrite(x, 1)
		}
	case "touch":
		if x.on("FileUtils") {
			p.argWrite(x, 0)
		}
	case "truncate":
		if x.on("File") {
			p.argWrite(x, 0)
		}
	case "system", "exec", "spawn", "popen", "capture2", "capture2e", "capture3", "sh":
		if !x.on("", "Kernel", "Open3", "IO", "Process") {
			return
		}
		if len(x.args) > 1 && !p.isOp(x.args[1].from, "{") && x.args[1].key == "" {
			p.argvCall(x.args)
		} else if s, ok := x.arg(0); ok {
			p.shell(s)
		}
	}
}

func (p *embedded) perl(x pcall) {
	switch x.name {
	case "open":
		if x.path == "" {
			p.perlOpen(x)
		}
	case "sysopen":
		if flags, ok := x.arg(2); ok && p.mentions(flags, writeFlags...) {
			p.argWrite(x, 1)
		}
	case "rename", "symlink", "link":
		if x.path == "" {
			p.argWrite(x, 1)
		}
	case "copy", "move", "cp", "mv":
		if x.path == "" && p.anywhere("Copy") || x.on("File.Copy") {
			p.argWrite(x, 1)
		}
	case "write_file", "append_file", "write_text", "write_binary", "truncate":
		if x.path == "" || x.on("File.Slurp", "File.Slurper") {
			p.argWrite(x, 0)
		}
	case "spew", "spew_utf8", "spew_raw", "append", "append_utf8", "openw", "opena":
		if strings.HasPrefix(x.path, "path()") || strings.HasPrefix(x.path, "file()") {
			p.writes(x, x.recv)
		} else if x.name != "append" && x.path != "" {
			p.writes(x, x.recv)
		}
	case "new":
		if x.on("IO.File") {
			if mode, ok := x.arg(1); ok && (p.opensForWriting(mode) || p.perlMode(mode)) {
				p.argWrite(x, 0)
			}
		}
	case "system", "exec":
		if x.path != "" {
			return
		}
		if len(x.args) > 1 {
			p.argvCall(x.args)
		} else if s, ok := x.arg(0); ok {
			p.shell(s)
		}
	}
}

func (p *embedded) perlMode(s span) bool {
	vals, _ := p.eval(s, 0)
	return slices.ContainsFunc(vals, func(v string) bool {
		v = strings.TrimSpace(v)
		return strings.HasPrefix(v, ">") || strings.HasPrefix(v, "+<") || strings.HasPrefix(v, "+>")
	})
}

func (p *embedded) perlOpen(x pcall) {
	mode, ok := x.arg(1)
	if !ok || mode.from >= mode.to {
		return
	}
	if _, three := x.arg(2); three {
		switch {
		case p.perlMode(mode):
			target, _ := x.arg(2)
			if p.isOp(target.from, `\`) {
				return // a file in memory
			}
			p.writes(x, target)
		case p.mentions(mode, "|-", "-|"):
			if len(x.args) > 3 {
				p.argvCall(x.args[2:])
			} else if s, ok := x.arg(2); ok {
				p.shell(s)
			}
		}
		return
	}
	// Two arguments: mode and name are one string.
	t := p.toks[mode.from]
	if t.kind != tokString {
		return
	}
	name := strings.TrimSpace(t.text)
	switch {
	case strings.HasPrefix(name, "|"):
		p.f.under(p.command).text(field{vals: []string{name[1:]}, at: origin{p.at.offset(t.from), false}}, nil, nil)
	case strings.HasPrefix(name, ">&"):
	case strings.HasPrefix(name, ">"), strings.HasPrefix(name, "+<"), strings.HasPrefix(name, "+>"):
		name = strings.TrimSpace(strings.TrimLeft(name, "+<>"))
		whole := mode.to == mode.from+1
		target := field{vals: []string{name}, lit: !t.open && whole && name != "", at: origin{p.at.offset(t.from), false}}
		if !whole {
			target = p.value(mode)
			target.lit = false
		}
		p.target(x, target)
	}
}

func (p *embedded) php(x pcall) {
	switch x.name {
	case "file_put_contents", "touch":
		p.argWrite(x, 0)
	case "fopen":
		if mode, ok := x.arg(1); ok && p.opensForWriting(mode) {
			p.argWrite(x, 0)
		}
	case "copy", "rename", "symlink", "link", "move_uploaded_file":
		if x.path == "" {
			p.argWrite(x, 1)
		}
	case "exec", "shell_exec", "system", "passthru", "popen":
		if s, ok := x.arg(0); ok && x.path == "" {
			p.shell(s)
		}
	}
}

func (p *embedded) lua(x pcall) {
	switch {
	case x.name == "open" && x.on("io"):
		if mode, ok := x.arg(1); ok && p.opensForWriting(mode) {
			p.argWrite(x, 0)
		}
	case x.name == "output" && x.on("io"):
		if len(x.args) > 0 {
			p.argWrite(x, 0)
		}
	case x.name == "rename" && x.on("os"):
		p.argWrite(x, 1)
	case x.name == "execute" && x.on("os"), x.name == "popen" && x.on("io"):
		if s, ok := x.arg(0); ok {
			p.shell(s)
		}
	}
}

// awk finds print and printf with a redirection, which in awk is a ">" outside
// brackets, and the commands of system() and of pipes.
func (p *embedded) awk() {
	for i, t := range p.toks {
		if t.kind != tokIdent {
			continue
		}
		switch t.text {
		case "system":
			if p.isOp(i+1, "(") && p.match[i+1] > 0 {
				p.shell(span{from: i + 2, to: p.match[i+1]})
			}
		case "print", "printf":
			p.awkPrint(i)
		}
	}
}

func (p *embedded) awkPrint(i int) {
	for j := i + 1; j < len(p.toks) && p.f.a.step(); j++ {
		t := p.toks[j]
		switch {
		case t.kind == tokLine && !p.isOp(j-1, ","):
			return
		case t.kind != tokOp:
		case t.text == ";" || t.text == "}":
			return
		case p.match[j] > j:
			j = p.match[j]
		case t.text == ">" || t.text == ">>" || t.text == "|":
			end := p.valueEnd(j + 1)
			to := span{from: j + 1, to: end}
			if t.text == "|" {
				p.shell(to)
				return
			}
			p.writes(pcall{at: j}, to)
			return
		}
	}
}
