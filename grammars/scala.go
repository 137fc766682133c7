package grammars

var scalaTables = []Language{
	{
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
		Unfinished:   []string{"postfix_expression"},
		Followers: map[string][]string{
			"class_definition": {"end", "_end_ident"}, "object_definition": {"end", "_end_ident"}, "trait_definition": {"end", "_end_ident"},
			"enum_definition": {"end", "_end_ident"}, "function_definition": {"end", "_end_ident"}, "given_definition": {"end", "_end_ident"},
			"extension_definition": {"end", "_end_ident"}, "val_definition": {"end", "_end_ident"}, "if_expression": {"end", "if"},
			"while_expression": {"end", "while"}, "for_expression": {"end", "for"}, "match_expression": {"end", "match"}, "try_expression": {"end", "try"},
		},
		Closers: []string{"end"},
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
	},
}
