package grammars

// What JavaScript and its relatives share.
var (
	jsContainers = []string{"program"}
	tsHeaders    = []string{"union_type", "intersection_type", "class_heritage", "extends_clause", "implements_clause", "extends_type_clause"}
	jsParts      = []string{"variable_declarator"}
	tsParts      = []string{"variable_declarator", "type_annotation"}
	jsClauses    = []string{"else_clause", "catch_clause", "finally_clause"}
	jsCases      = []string{"switch_case", "switch_default"}
	jsOpaque     = []string{"template_string", "string", "regex"}
	tsOpaque     = []string{"template_literal_type", "template_string", "string", "regex"}
	jsDocs       = []Doc{{
		Kind: "comment", Prefixes: []string{"/**"}, Not: []string{"/**/"},
		Except: []string{
			"import_statement", "if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "return_statement",
			"throw_statement", "try_statement", "switch_statement", "break_statement", "continue_statement", "statement_block",
			"labeled_statement", "empty_statement", "debugger_statement", "switch_case", "switch_default", "decorator",
		},
	}}
	jsInside = []string{"export_statement", "lexical_declaration", "variable_declaration", "variable_declarator", "pair", "expression_statement"}
	tsInside = []string{
		"ambient_declaration", "internal_module", "export_statement", "lexical_declaration", "variable_declaration", "variable_declarator", "pair", "expression_statement",
	}
	jsDecls = []Decl{
		{Kind: "function_declaration", As: "function"},
		{Kind: "generator_function_declaration", As: "function"},
		{Kind: "class_declaration", As: "class"},
		{Kind: "method_definition", As: "method", Within: []string{"class_body"}},
		{Kind: "lexical_declaration", As: "variable", Each: "variable_declarator", Within: []string{"program", "export_statement"}},
		{Kind: "variable_declaration", As: "variable", Each: "variable_declarator", Within: []string{"program", "export_statement"}},
	}
	tsDecls = append([]Decl{
		{Kind: "interface_declaration", As: "interface"},
		{Kind: "type_alias_declaration", As: "type"},
		{Kind: "enum_declaration", As: "enum"},
		{Kind: "abstract_class_declaration", As: "class"},
		{Kind: "function_signature", As: "function"},
		{Kind: "method_signature", As: "method"},
		{Kind: "abstract_method_signature", As: "method"},
		{Kind: "public_field_definition", As: "field"},
		{Kind: "property_signature", As: "property", Within: []string{"interface_body", "object_type"}},
		{Kind: "internal_module", As: "namespace"},
		{Kind: "module", As: "module"},
	}, jsDecls...)
	jsRespellings = []Respelling{
		{`\b(await using)\s+\w`, "const"},
		{`(?m)(?:^|[;{(])\s*(using)\s+\w+\s*=`, "const"},
		{`\bexport\s[^;\n{}]*from\s*["'][^"'\n]*["']\s*(with\s*\{[^}\n]*\})`, ""},
	}
	tsRespellings = []Respelling{
		{`\b(await using)\s+\w`, "const"},
		{`\bexport (type) \*`, ""},
		{`\bimport (defer) \*`, ""},
		{`[<,]\s*(in out|in|out)\s+[A-Z]\w*\s*[,>=]`, ""},
		{`[<,]\s*(in out|in|out)\s+[A-Z]\w*\s+extends\b`, ""},
	}
)

var javascriptTables = []Language{

	{
		Name:         "javascript",
		Extensions:   []string{"js", "mjs", "cjs", "jsx", "es6"},
		Files:        []string{"jakefile"},
		Interpreters: []string{"node", "bun", "deno", "nodejs"},
		Containers:   jsContainers, Headers: []string{"class_heritage"}, Parts: jsParts, Attached: []string{"decorator"}, Docs: jsDocs,
		Clauses: jsClauses, Cases: jsCases, Opaque: jsOpaque, OneRow: []string{"labeled_statement"}, Inside: jsInside,
		Decls: append([]Decl{{Kind: "field_definition", As: "field", Name: "property", Within: []string{"class_body"}}}, jsDecls...), Respellings: jsRespellings,
	},
	{
		Name:         "typescript",
		Extensions:   []string{"ts", "mts", "cts"},
		Interpreters: []string{"ts-node", "tsx"},
		Containers:   jsContainers, Headers: tsHeaders, Parts: tsParts, Attached: []string{"decorator"}, Docs: jsDocs,
		Clauses: jsClauses, Cases: jsCases, Opaque: tsOpaque, OneRow: []string{"labeled_statement"}, Inside: tsInside,
		Decls: tsDecls, Respellings: tsRespellings,
	},
	{
		Name:       "tsx",
		Extensions: []string{"tsx"},
		Containers: jsContainers, Headers: tsHeaders, Parts: tsParts, Attached: []string{"decorator"}, Docs: jsDocs,
		Clauses: jsClauses, Cases: jsCases, Opaque: tsOpaque, OneRow: []string{"labeled_statement"}, Inside: tsInside,
		Decls: tsDecls, Respellings: tsRespellings,
	},
}
