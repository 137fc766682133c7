package grammars

var golangTables = []Language{
	{
		Name:       "go",
		Extensions: []string{"go"},
		Containers: []string{"source_file"},
		Docs: []Doc{{
			Kind: "comment", Prefixes: []string{"//"},
			To: []string{
				"package_clause", "import_declaration", "function_declaration", "method_declaration", "type_declaration",
				"const_declaration", "var_declaration", "field_declaration", "const_spec", "var_spec", "type_spec", "type_alias",
				"import_spec", "method_elem", "type_elem",
			},
		}},
		Cases:   []string{"expression_case", "type_case", "communication_case", "default_case"},
		Clauses: []string{"else"},
		Opaque:  []string{"raw_string_literal", "interpreted_string_literal"},
		OneRow:  []string{"label_name", "labeled_statement"},
		Inside:  []string{"const_spec", "var_spec", "type_spec", "type_alias"},
		Decls: []Decl{
			{Kind: "function_declaration", As: "func"},
			{Kind: "method_declaration", As: "method", Receiver: "receiver"},
			{Kind: "type_declaration", As: "type", Each: "type_spec"},
			{Kind: "type_declaration", As: "type", Each: "type_alias"},
			{Kind: "const_declaration", As: "const", Each: "const_spec", Within: []string{"source_file"}},
			{Kind: "var_declaration", As: "var", Each: "var_spec", Within: []string{"source_file"}},
		},
		Respellings: []Respelling{
			// type A[T any] = []T
			{`\btype\s+\w+\[[^\]=\n]*\]\s*(=)`, ""},
			// new(42)
			{`\b(new)\(`, "nev"},
		},
	},
}
