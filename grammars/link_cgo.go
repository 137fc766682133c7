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

// bundled is the grammar that the bindings bundle. The bindings hide the C
// pointer, which is the only field of their Language; TestGrammars proves for
// every language that what is read here is a grammar of a version that the
// runtime accepts.
func bundled(l *sitter.Language) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(l)) }

// linked is a grammar that comes as C code, nil for a name that none has. JSON,
// YAML, CSS, Lua, PHP and TOML come from their own modules: the bundled ones
// are missing, need a C++ compiler, or are years behind their language. All
// must stay at grammar version 14, the newest that the runtime accepts.
func linked(name string) unsafe.Pointer {
	switch name {
	case "bash":
		return bundled(bash.GetLanguage())
	case "c":
		return bundled(c.GetLanguage())
	case "cpp":
		return bundled(cpp.GetLanguage())
	case "csharp":
		return bundled(csharp.GetLanguage())
	case "css":
		return css.Language()
	case "dockerfile":
		return bundled(dockerfile.GetLanguage())
	case "elixir":
		return bundled(elixir.GetLanguage())
	case "go":
		return bundled(golang.GetLanguage())
	case "hcl":
		return bundled(hcl.GetLanguage())
	case "html":
		return bundled(html.GetLanguage())
	case "java":
		return bundled(java.GetLanguage())
	case "javascript":
		return bundled(javascript.GetLanguage())
	case "json":
		return json.Language()
	case "kotlin":
		return bundled(kotlin.GetLanguage())
	case "lua":
		return lua.Language()
	case "php":
		return php.LanguagePHP()
	case "python":
		return bundled(python.GetLanguage())
	case "ruby":
		return bundled(ruby.GetLanguage())
	case "rust":
		return bundled(rust.GetLanguage())
	case "scala":
		return bundled(scala.GetLanguage())
	case "sql":
		return bundled(sql.GetLanguage())
	case "swift":
		return bundled(swift.GetLanguage())
	case "toml":
		return toml.Language()
	case "tsx":
		return bundled(tsx.GetLanguage())
	case "typescript":
		return bundled(typescript.GetLanguage())
	case "yaml":
		return yaml.Language()
	}
	return nil
}
