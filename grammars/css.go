package grammars

func cssTables() {
	register(Language{
		Name:       "css",
		Extensions: []string{"css"},
		Containers: []string{"stylesheet"},
		Parts:      []string{"selectors", "sibling_selector"},
		Opaque:     []string{"string_value"},
		Decls: []Decl{
			{Kind: "rule_set", As: "rule", Name: "@selectors"},
			{Kind: "keyframes_statement", As: "keyframes", Name: "@keyframes_name"},
		},
		Respellings: []Respelling{
			respell(`(@scope\b[^{}\n]*)\{`, "@media a"),
			respell(`(?m)^\s*(?:[\d.]+%|from|to)(\s*,[^{}\n]*)\{`, ""),
			respell(`(@page\b[^{}\n]*)\{`, "@media a"),
			respell(`(?m)^\s*[.#]?\w[\w-]*( &)\s*[,{]`, ""),
			respell(`(@starting-style)\s*\{`, "@media a"),
			respell(`\(\s*[\w-]+\s*([<>]=?)\s*[\w.]+\s*\)`, ":"),
			respell(`@container ([\w-]+) \(`, ""),
			respell(`(?m)^\s*@import\s[^;\n]*(layer(?:\([^)\n]*\))?)`, ""),
			respell(`(?m)(?:^|[{;}])\s*(& )[.#\w:*\[]`, "&>"),
		},
	})
}
