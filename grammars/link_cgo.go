//go:build cgo

package grammars

import (
	"unsafe"

	lua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"
	toml "github.com/tree-sitter-grammars/tree-sitter-toml/bindings/go"
	yaml "github.com/tree-sitter-grammars/tree-sitter-yaml/bindings/go"
	css "github.com/tree-sitter/tree-sitter-css/bindings/go"
	json "github.com/tree-sitter/tree-sitter-json/bindings/go"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/dockerfile"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/kotlin"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/sql"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

// bundled gives the grammar that the bindings bundle. The bindings hide the C
// pointer, which is the only field of their Language; TestGrammars proves for
// every language that what is read here is a grammar of a version that the
// runtime accepts.
func bundled(get func() *sitter.Language) func() unsafe.Pointer {
	return func() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(get())) }
}

// linked are the grammars that come as C code. JSON, YAML, CSS, Lua, PHP and
// TOML come from their own modules: the bundled ones are missing, need a C++
// compiler, or are years behind their language. All must stay at grammar
// version 14, the newest that the runtime accepts.
var linked = map[string]func() unsafe.Pointer{
	"bash":       bundled(bash.GetLanguage),
	"c":          bundled(c.GetLanguage),
	"cpp":        bundled(cpp.GetLanguage),
	"csharp":     bundled(csharp.GetLanguage),
	"css":        css.Language,
	"dockerfile": bundled(dockerfile.GetLanguage),
	"elixir":     bundled(elixir.GetLanguage),
	"go":         bundled(golang.GetLanguage),
	"hcl":        bundled(hcl.GetLanguage),
	"html":       bundled(html.GetLanguage),
	"java":       bundled(java.GetLanguage),
	"javascript": bundled(javascript.GetLanguage),
	"json":       json.Language,
	"kotlin":     bundled(kotlin.GetLanguage),
	"lua":        lua.Language,
	"php":        php.LanguagePHP,
	"python":     bundled(python.GetLanguage),
	"ruby":       bundled(ruby.GetLanguage),
	"rust":       bundled(rust.GetLanguage),
	"scala":      bundled(scala.GetLanguage),
	"sql":        bundled(sql.GetLanguage),
	"swift":      bundled(swift.GetLanguage),
	"toml":       toml.Language,
	"tsx":        bundled(tsx.GetLanguage),
	"typescript": bundled(typescript.GetLanguage),
	"yaml":       yaml.Language,
}
