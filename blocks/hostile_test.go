package blocks_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"putcut/blocks"
)

func repeat(s string, n int) []byte { return bytes.Repeat([]byte(s), n) }

func after(prefix, s string, n int) []byte { return append([]byte(prefix), repeat(s, n)...) }

// staircase is n rows, each indented one blank more.
func staircase(row string, n int) []byte {
	var b bytes.Buffer
	for i := range n {
		b.Write(repeat(" ", i))
		b.WriteString(row)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// tabbed is n rows, each indented one tab more.
func tabbed(row string, n int) []byte {
	var b bytes.Buffer
	for i := range n {
		b.Write(repeat("\t", i))
		b.WriteString(row)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func noise(n int) []byte {
	b := make([]byte, n)
	x := uint32(12345)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
		if b[i] == 0 {
			b[i] = ' '
		}
	}
	return b
}

const lorem = "Lorem ipsum dolor, sit amet; consectetur (adipiscing elit. "

// Inputs that crash, hang or blow up a parser that is handed them as they are.
var hostile = []struct {
	file string
	text []byte
}{
	{"a.json", repeat("[", 200000)},
	{"a.json", repeat("[", 999)},
	{"a.json", append(repeat("[", 990), repeat("]", 990)...)},
	{"a.go", after("package p\nvar x = ", "(", 999)},
	{"a.go", after("package p\nfunc f() ", "{", 999)},
	{"a.js", repeat("(", 999)},
	{"a.js", repeat("`${", 999)},
	{"a.js", repeat("<a>", 3999)},
	{"a.tsx", repeat("<a>\n", 3999)},
	{"a.ts", after("x = ", "a<", 399)},
	{"a.cpp", after("x = ", "a<", 399)},
	{"a.cpp", after("int x = ", "(a)(", 999)},
	{"a.c", after("int x = ", "(", 999)},
	{"a.cs", after("class X { a x = ", "a<", 399)},
	{"a.cs", after("class X { a x = ", "(", 999)},
	{"a.cs", after("var x = ", "(a,", 999)},
	{"a.java", after("class X { a x = ", "a<", 399)},
	{"a.java", after("class X { a x = ", "(a,", 999)},
	{"a.kt", after("val x = ", "a<", 399)},
	{"a.kt", after("val x = ", "{x->", 999)},
	{"a.kt", after("val x = ", "(", 999)},
	{"a.kt", repeat("Lorem ipsum dolor, sit amet; consectetur adipiscing elit. ", 1<<20/60)},
	{"a.swift", after("let x = ", "(", 999)},
	{"a.swift", repeat("Lorem ipsum dolor, sit amet; consectetur adipiscing elit. ", 1<<20/60)},
	{"a.scala", after("val x = ", "(a,", 999)},
	{"a.scala", staircase("def x =", 190)},
	{"a.php", after("<?php $x = ", "(", 999)},
	{"a.rs", after("const X: u8 = ", "(", 999)},
	{"a.rs", after("const X: u8 = ", "a::<", 399)},
	{"a.sql", after("select ", "(", 999)},
	{"a.sql", repeat("Lorem ipsum dolor, sit amet; consectetur adipiscing elit. ", 1<<20/60)},
	{"a.cs", repeat("Lorem ipsum dolor, sit amet; consectetur adipiscing elit. ", 1<<20/60)},
	{"a.cpp", repeat("Lorem ipsum dolor, sit amet; consectetur adipiscing elit. ", 1<<20/60)},
	{"a.sh", repeat("Lorem ipsum dolor, sit amet; consectetur adipiscing elit. ", 1<<20/60)},
	{"a.yaml", repeat("[", 999)},
	{"a.toml", after("a = ", "[", 999)},
	{"a.css", repeat("a{", 999)},
	{"a.lua", after("x = ", "{", 999)},
	{"a.tf", after("a = ", "[", 999)},
	{"a.tf", after("a = ", "\"${", 999)},
	{"a.sh", repeat("$(", 999)},
	{"a.rb", repeat("\"#{", 999)},
	{"a.py", repeat("(", 999)},
	{"a.py", repeat("f\"{", 999)},
	{"a.py", staircase("if x:", 190)},
	{"a.html", repeat("<a>", 3999)},
	{"a.html", repeat("<p>", 3999)},
	{"a.md", append(repeat("> ", 99), 'a')},
	{"a.md", append(repeat("- ", 99), 'a')},
	{"a.md", repeat(string(repeat("> ", 99))+"\n", 1000)},
	{"a.json", append(repeat("[", 200000), repeat("]", 200000)...)},
	{"a.go", after("package p\nvar x = ", "(", 200000)},
	{"a.go", after("package p\nfunc f() ", "{", 100000)},
	{"a.js", repeat("(", 100000)},
	{"a.js", repeat("`${", 50000)},
	{"a.js", repeat("<a>", 50000)},
	{"a.tsx", repeat("<a>\n", 50000)},
	{"a.ts", after("x = ", "a<", 50000)},
	{"a.ts", after("x = ", "(a,", 5000)},
	{"a.ts", repeat(lorem, 1<<20/60)},
	{"a.cpp", after("x = ", "a<", 20000)},
	{"a.cpp", after("x = ", "a<\n", 20000)},
	{"a.cpp", after("int x = ", "(a)(", 20000)},
	{"a.cpp", repeat(lorem, 1<<20/60)},
	{"a.c", after("int x = ", "(", 50000)},
	{"a.cs", after("class X { a x = ", "a<", 20000)},
	{"a.cs", after("var x = ", "(a,", 20000)},
	{"a.cs", repeat(lorem, 1<<20/60)},
	{"a.java", after("class X { a x = ", "a<", 20000)},
	{"a.md", repeat("*a ", 50000)},
	{"a.md", append(repeat("> ", 20000), 'a')},
	{"a.md", append(repeat("- ", 20000), 'a')},
	{"a.md", append(repeat("> ", 256), 'a')},
	{"a.md", repeat("> - ", 5000)},
	{"a.md", repeat("[", 50000)},
	{"a.md", staircase("- a", 1500)},
	{"a.md", append(tabbed("-\ta", 550), repeat("\n", 3<<20)...)},
	{"a.md", append(tabbed("-\ta", 550), repeat(string(repeat("\t", 551))+"a\n\n", 7000)...)},
	{"a.md", repeat("| a ", 50000)},
	{"a.md", repeat("a|b\n-|-\n", 20000)},
	{"a.html", repeat("<a>", 50000)},
	{"a.html", repeat("<p>", 50000)},
	{"a.html", repeat("<div>", 300)},
	{"a.html", repeat("<td>", 50000)},
	{"a.html", repeat("<li><ul>", 3900)},
	{"a.html", repeat("<option>", 20000)},
	{"a.html", repeat("</a>", 50000)},
	{"a.html", append(append([]byte{'<'}, repeat("x", 5000)...), '>')},
	{"a.py", repeat("(", 100000)},
	{"a.py", staircase("if x:", 2000)},
	{"a.py", repeat("f\"{", 20000)},
	{"a.sh", repeat("$(", 20000)},
	{"a.sh", repeat("{a,", 20000)},
	{"a.sh", repeat("<<A ", 2000)},
	{"a.sh", append(append([]byte("cat <<"), repeat("A", 5000)...), '\n')},
	{"a.rb", repeat("\"#{", 20000)},
	{"a.rb", repeat("<<A ", 2000)},
	{"a.rb", append(append([]byte("x = <<"), repeat("A", 5000)...), '\n')},
	{"a.rb", repeat("%w(", 20000)},
	{"a.kt", after("val x = ", "a<", 20000)},
	{"a.kt", after("val x = ", "{x->", 20000)},
	{"a.kt", repeat(lorem, 1<<20/60)},
	{"a.kt", after("val x = ", "\"${", 20000)},
	{"a.swift", after("let x = ", "(", 20000)},
	{"a.swift", repeat(lorem, 1<<20/60)},
	{"a.swift", after("let x = ", "\"\\(", 20000)},
	{"a.scala", after("val x = ", "(a,", 20000)},
	{"a.scala", staircase("def x =", 2000)},
	{"a.scala", after("val x = ", "s\"${", 20000)},
	{"a.php", after("<?php $x = ", "(", 20000)},
	{"a.php", append(append([]byte("<?php $x = <<<"), repeat("A", 5000)...), '\n')},
	{"a.rs", after("const X: u8 = ", "(", 50000)},
	{"a.rs", after("const X: u8 = ", "a::<", 20000)},
	{"a.rs", append(append([]byte("const X: &str = r"), repeat("#", 5000)...), '"')},
	{"a.sql", after("select ", "(", 20000)},
	{"a.sql", repeat(lorem, 1<<20/60)},
	{"a.sql", repeat("CASE WHEN ", 20000)},
	{"a.yaml", repeat("[", 20000)},
	{"a.yaml", append(repeat("- ", 5000), 'a')},
	{"a.yaml", staircase("a:", 2000)},
	{"a.yaml", repeat("? ", 5000)},
	{"a.toml", after("a = ", "[", 20000)},
	{"a.css", repeat("a{", 20000)},
	{"a.lua", after("x = ", "{", 20000)},
	{"a.lua", append([]byte("x = ["), append(repeat("=", 5000), '[')...)},
	{"a.cpp", append(append([]byte("auto x = R\""), repeat("a", 5000)...), '(')},
	{"a.ex", repeat("fn x -> ", 20000)},
	{"a.ex", repeat("\"#{", 20000)},
	{"a.tf", after("a = ", "[", 20000)},
	{"a.tf", after("a = ", "\"${", 20000)},
	{"a.tf", append(append([]byte("a = <<"), repeat("A", 5000)...), '\n')},
	{"a.xml", repeat("<a>", 100000)},
	{"a.xml", repeat("<a b=\"", 100000)},
	{"a.proto", repeat("message A {", 20000)},
	{"a.proto", after("option a = ", "{a:", 20000)},
	{"a.proto", repeat("a ", 500000)},
	{"Makefile", repeat("ifdef A\n", 20000)},
	{"Makefile", repeat("a:\n", 100000)},
	{"Makefile", repeat("a:\n\n\n#x\n", 50000)},
	{"Dockerfile", repeat("RUN <<A\n", 5000)},
	{"Dockerfile", repeat("RUN a \\\n", 50000)},
	{"a.go", noise(1 << 20)},
	{"a.rs", noise(1 << 18)},
	{"a.xml", noise(1 << 18)},
	{"a.md", noise(1 << 18)},
	{"a.proto", noise(1 << 18)},
}

// Every input ends in bounded time with a tree or a decline. What may be
// refused for its size is not asked here: only that the process lives, and
// that questions about the text are answered too.
func TestHostile(t *testing.T) {
	e := blocks.New(blocks.Options{CacheBytes: -1, Timeout: 200 * time.Millisecond})
	defer e.Close()
	for i, c := range hostile {
		start := time.Now()
		tree := parse(t, e, c.file, c.text)
		parsed := time.Since(start)
		tree.Spans()
		tree.Outline()
		tree.Errors()
		tree.Span(1)
		all := time.Since(start)
		if testing.Verbose() {
			head := c.text[:min(len(c.text), 24)]
			fmt.Printf("%3d %-12s %8d B parse %8v all %8v parsed=%v %q\n", i, c.file, len(c.text), parsed.Round(time.Millisecond), all.Round(time.Millisecond), tree.Parsed(), head)
		}
		if all > 30*time.Second {
			t.Errorf("input %d (%s) took %v", i, c.file, all)
		}
	}
}
