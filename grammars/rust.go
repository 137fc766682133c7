package grammars

var rustTables = []Language{
	{
		Name:         "rust",
		Extensions:   []string{"rs"},
		Interpreters: []string{"rust-script", "cargo"},
		Containers:   []string{"source_file"},
		Headers:      []string{"trait_bounds"},
		Parts:        []string{"where_predicate"},
		Leads:        []string{"visibility_modifier"},
		Attached:     []string{"attribute_item"},
		Docs: []Doc{
			{Kind: "line_comment", Prefixes: []string{"///"}, Not: []string{"////"}, Except: rustStatements},
			{Kind: "block_comment", Prefixes: []string{"/**"}, Not: []string{"/**/", "/***"}, Except: rustStatements},
		},
		Comments: []string{"line_comment", "block_comment"},
		Clauses:  []string{"else_clause"},
		Opaque:   []string{"string_literal", "raw_string_literal", "token_tree"},
		Inside:   []string{"generic_type", "reference_type", "foreign_mod_item"},
		Decls: []Decl{
			{Kind: "function_item", As: "fn"},
			{Kind: "function_signature_item", As: "fn"},
			{Kind: "struct_item", As: "struct"},
			{Kind: "enum_item", As: "enum"},
			{Kind: "union_item", As: "union"},
			{Kind: "trait_item", As: "trait"},
			{Kind: "impl_item", As: "impl", Name: "type"},
			{Kind: "mod_item", As: "mod"},
			{Kind: "type_item", As: "type"},
			{Kind: "associated_type", As: "type"},
			{Kind: "const_item", As: "const"},
			{Kind: "static_item", As: "static"},
			{Kind: "macro_definition", As: "macro"},
		},
		Separator: "::",
		Respellings: []Respelling{
			// async |x| ..., async move |x| ...
			{`\b(async )\|`, "static"},
			{`\b(async move )\|`, "static move"},
			// const N: usize = 3 in a list of parameters
			{`\bconst\s+\w+\s*:\s*\w+\s*(=\s*(?:-?\w+|\{[^{}\n]*\}|'[^'\n]*'))\s*[,>]`, ""},
			{`\b(unsafe) extern\b`, "pub"},
			{`\bpub (safe|unsafe) (?:fn|static)\b`, ""},
			{`(?m)^\s*(safe fn)\b`, "pub  fn"},
			{`[|{,]\s*(\.\.=)-?\w`, "0.."},
			{`&(raw (?:const|mut)) `, "mut"},
			{`(~const) `, ""},
			{`\b(gen) \{`, "try"},
			{`(?m)^\s*(?:pub(?:\([^)\n]*\))?\s+)?(gen) fn\b`, ""},
			{`\$\{(\w+\(\$\w+\))\}`, ""},
		},
	},
}

var rustStatements = []string{"use_declaration", "expression_statement", "inner_attribute_item"}
