package grammars

var phpTables = []Language{
	{
		Name:         "php",
		Extensions:   []string{"php", "phtml", "php3", "php4", "php5", "php7", "php8", "phps", "phpt"},
		Interpreters: []string{"php"},
		Containers:   []string{"program"},
		Headers:      []string{"base_clause", "class_interface_clause", "union_type", "intersection_type"},
		Parts:        []string{"property_element", "const_element", "match_condition_list"},
		Attached:     []string{"attribute_group"},
		Docs: []Doc{{Kind: "comment", Prefixes: []string{"/**"}, Not: []string{"/**/"}, Except: []string{
			"namespace_use_declaration", "if_statement", "for_statement", "foreach_statement", "while_statement", "do_statement",
			"return_statement", "try_statement", "switch_statement", "echo_statement", "compound_statement", "namespace_definition", "declare_statement",
		}}},
		Cases:   []string{"case_statement", "default_statement"},
		Clauses: []string{"else_clause", "else_if_clause", "catch_clause", "finally_clause"},
		Opaque:  []string{"string", "encapsed_string", "heredoc", "nowdoc", "heredoc_body", "nowdoc_body", "text", "shell_command_expression"},
		Inside:  []string{"attribute_list", "property_element", "const_element", "variable_name", "property_declaration"},
		Decls: []Decl{
			{Kind: "class_declaration", As: "class"},
			{Kind: "interface_declaration", As: "interface"},
			{Kind: "trait_declaration", As: "trait"},
			{Kind: "enum_declaration", As: "enum"},
			{Kind: "function_definition", As: "function"},
			{Kind: "method_declaration", As: "method"},
			{Kind: "property_declaration", As: "property", Each: "property_element", Name: "name|@variable_name"},
			{Kind: "const_declaration", As: "const", Each: "const_element", Name: "name|@name"},
			{Kind: "enum_case", As: "case"},
		},
		Separator: `\`,
		Respellings: []Respelling{
			{`(\|>)`, "."},
			// a constant of an enum
			{`[;{}]\s*(?:(?:final|public|private|protected)\s+)*(const)\s+\w+\s*=`, "case"},
		},
	},
}
