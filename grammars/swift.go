package grammars

var swiftTables = []Language{
	{
		Name:         "swift",
		Extensions:   []string{"swift", "swiftinterface"},
		Interpreters: []string{"swift"},
		Containers:   []string{"source_file", "statements"},
		Headers:      []string{"type_constraints", "inheritance_specifier"},
		Parts:        []string{"navigation_suffix", "call_suffix", "type_annotation", "type_constraint"},
		Attached:     []string{"attribute"},
		Docs: []Doc{
			{Kind: "comment", Prefixes: []string{"///"}, Not: []string{"////"}, Except: swiftStatements},
			{Kind: "multiline_comment", Prefixes: []string{"/**"}, Not: []string{"/**/"}, Except: swiftStatements},
		},
		Comments:   []string{"comment", "multiline_comment"},
		Cases:      []string{"switch_entry"},
		Directives: "directive",
		Clauses:    []string{"else", "catch_block"},
		Opaque:     []string{"line_string_literal", "multi_line_string_literal", "raw_string_literal"},
		Inside:     []string{"modifiers", "pattern", "protocol_property_declaration"},
		Decls: []Decl{
			{Kind: "class_declaration", As: "type"},
			{Kind: "protocol_declaration", As: "protocol"},
			{Kind: "function_declaration", As: "func"},
			{Kind: "protocol_function_declaration", As: "func"},
			{Kind: "init_declaration", As: "init", Name: "=init"},
			{Kind: "deinit_declaration", As: "deinit", Name: "=deinit"},
			{Kind: "subscript_declaration", As: "subscript", Name: "=subscript"},
			{Kind: "property_declaration", As: "property", Name: "name", Within: []string{"source_file", "class_body", "enum_class_body"}},
			{Kind: "protocol_property_declaration", As: "property", Name: "name/bound_identifier|name"},
			{Kind: "typealias_declaration", As: "typealias"},
			{Kind: "associatedtype_declaration", As: "associatedtype"},
			{Kind: "enum_entry", As: "case"},
		},
		Respellings: []Respelling{
			{`(#)(?:[B-Zb-z]\w*|a[a-u]\w*)\s*[({]`, "_"},
			{`\bthrows(\([\w.]+\))`, ""},
			{`:\s*(~)Copyable\b`, ""},
			{`:\s*(~)Escapable\b`, ""},
			{`\b(consuming) func\b`, "mutating"},
			{`\b(borrowing) (?:func\b)`, "mutating"},
			{`: *(borrowing|consuming|sending) [A-Z]`, "inout"},
		},
	},
}

var swiftStatements = []string{
	"import_declaration", "call_expression", "control_transfer_statement", "if_statement", "guard_statement", "switch_statement",
	"for_statement", "while_statement", "do_statement", "assignment", "switch_entry",
}
