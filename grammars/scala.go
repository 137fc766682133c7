package grammars

func init() {
	register(Language{
		Name:         "scala",
		Extensions:   []string{"scala", "sc", "sbt", "mill"},
		Interpreters: []string{"scala", "amm"},
		Containers:   []string{"compilation_unit", "indented_block", "indented_cases", "enumerators"},
		Headers:      []string{"extends_clause", "derives_clause"},
		Attached:     []string{"annotation"},
		Docs:         []Doc{{Kind: "block_comment", Prefixes: []string{"/**"}, Not: []string{"/**/"}, Except: []string{"import_declaration", "call_expression", "if_expression", "for_expression", "match_expression"}}},
		Comments:     []string{"comment", "block_comment"},
		Cases:        []string{"case_clause"},
		Clauses:      []string{"else", "catch_clause", "finally_clause", "catch", "finally", "yield"},
		Opaque:       []string{"string", "interpolated_string", "interpolated_string_expression"},
		Inside:       []string{"modifiers"},
		Closers:      []string{"end"},
		Decls: []Decl{
			{Kind: "class_definition", As: "class"},
			{Kind: "trait_definition", As: "trait"},
			{Kind: "object_definition", As: "object"},
			{Kind: "enum_definition", As: "enum"},
			{Kind: "function_definition", As: "def"},
			{Kind: "function_declaration", As: "def"},
			{Kind: "given_definition", As: "given"},
			{Kind: "type_definition", As: "type"},
			{Kind: "package_object", As: "package object"},
			{Kind: "val_definition", As: "val", Name: "pattern", Within: []string{"compilation_unit", "template_body"}},
			{Kind: "var_definition", As: "var", Name: "pattern", Within: []string{"compilation_unit", "template_body"}},
		},
	})
}
