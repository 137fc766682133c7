package grammars

var cssTables = []Language{
	{
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
			{`(@scope\b[^{}\n]*)\{`, "@media a"},
			{`(?m)^\s*(?:[\d.]+%|from|to)(\s*,[^{}\n]*)\{`, ""},
			{`(@page\b[^{}\n]*)\{`, "@media a"},
			{`(?m)^\s*[.#]?\w[\w-]*( &)\s*[,{]`, ""},
			{`(@starting-style)\s*\{`, "@media a"},
			{`\(\s*[\w-]+\s*([<>]=?)\s*[\w.]+\s*\)`, ":"},
			{`@container ([\w-]+) \(`, ""},
			{`(?m)^\s*@import\s[^;\n]*(layer(?:\([^)\n]*\))?)`, ""},
			{`(?m)(?:^|[{;}])\s*(& )[.#\w:*\[]`, "&>"},
		},
	},
}
