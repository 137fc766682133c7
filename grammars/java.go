package grammars

var javaTables = []Language{
	{
		Name:         "java",
		Extensions:   []string{"java"},
		Interpreters: []string{"java"},
		Containers:   []string{"program"},
		Headers:      []string{"superclass", "super_interfaces", "extends_interfaces", "permits", "type_list", "throws"},
		Parts:        []string{"variable_declarator", "dimensions"},
		Attached:     []string{"marker_annotation", "annotation"},
		Docs:         []Doc{{Kind: "block_comment", Prefixes: []string{"/**"}, Not: []string{"/**/"}, Except: javaStatements}},
		Comments:     []string{"line_comment", "block_comment"},
		Cases:        []string{"switch_rule", "switch_block_statement_group"},
		Clauses:      []string{"else", "catch_clause", "finally_clause"},
		Opaque:       []string{"string_literal", "template_expression"},
		OneRow:       []string{"labeled_statement"},
		LabelGroups:  Pairs[string]{{"switch_block_statement_group", "switch_label"}},
		Inside:       []string{"modifiers", "variable_declarator"},
		Decls: []Decl{
			{Kind: "class_declaration", As: "class"},
			{Kind: "interface_declaration", As: "interface"},
			{Kind: "enum_declaration", As: "enum"},
			{Kind: "record_declaration", As: "record"},
			{Kind: "annotation_type_declaration", As: "annotation"},
			{Kind: "method_declaration", As: "method"},
			{Kind: "constructor_declaration", As: "constructor"},
			{Kind: "compact_constructor_declaration", As: "constructor"},
			{Kind: "field_declaration", As: "field", Each: "variable_declarator"},
			{Kind: "constant_declaration", As: "field", Each: "variable_declarator"},
			{Kind: "enum_constant", As: "constant"},
			{Kind: "module_declaration", As: "module"},
		},
		Respellings: []Respelling{
			{`\bimport (module) `, "static"},
			{`\b(super)\(`, "supes"},
			{`\b(this)\(`, "thiz"},
		},
	},
}

var javaStatements = []string{
	"import_declaration", "if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement", "switch_expression",
	"return_statement", "expression_statement", "block", "try_statement", "throw_statement", "try_with_resources_statement", "synchronized_statement",
}
