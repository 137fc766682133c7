package grammars

var kotlinTables = []Language{
	{
		Name:         "kotlin",
		Extensions:   []string{"kt", "kts"},
		Interpreters: []string{"kotlin", "kscript"},
		Containers:   []string{"source_file", "statements", "import_list"},
		Headers:      []string{"type_constraints", "delegation_specifier", "constructor_delegation_call"},
		Parts:        []string{"navigation_suffix", "call_suffix", "type_constraint", "primary_constructor", "property_delegate"},
		Attached:     []string{"annotation"},
		Docs:         []Doc{{Kind: "multiline_comment", Prefixes: []string{"/**"}, Not: []string{"/**/"}, Except: []string{"import_list", "import_header", "call_expression", "jump_expression", "if_expression", "when_expression", "for_statement", "while_statement"}}},
		Comments:     []string{"line_comment", "multiline_comment"},
		Cases:        []string{"when_entry"},
		Clauses:      []string{"else", "catch_block", "finally_block"},
		Opaque:       []string{"string_literal"},
		Followers:    Pairs[[]string]{{"property_declaration", []string{"getter", "setter"}}},
		Inside:       []string{"modifiers", "variable_declaration"},
		Decls: []Decl{
			{Kind: "class_declaration", As: "class", Name: "@type_identifier"},
			{Kind: "object_declaration", As: "object", Name: "@type_identifier"},
			{Kind: "companion_object", As: "object", Name: "@type_identifier|=Companion"},
			{Kind: "function_declaration", As: "fun", Name: "@simple_identifier"},
			{Kind: "property_declaration", As: "property", Name: "@variable_declaration/@simple_identifier", Within: []string{"source_file", "class_body", "enum_class_body"}},
			{Kind: "type_alias", As: "typealias", Name: "@type_identifier"},
			{Kind: "enum_entry", As: "entry", Name: "@simple_identifier"},
			{Kind: "secondary_constructor", As: "constructor", Name: "=constructor"},
		},
		Respellings: []Respelling{
			{`(?m)(fun interface) \w`, "interface"},
			{`(?m)^\s*[^\n]*?[\w.)\]>"](\s+if\s[^\n]*?)->`, ""},
			{`(\.\.<)`, ".."},
			// A case that begins with in, below one that is no block: the
			// grammar reads an infix call across the row's end.
			{`(?m)^\s*(in) [^\n]*->`, "!"},
			{`(\$\$+)"`, ""},
			{`(?m)^\s*(c)ontext\(\w+: `, "@"},
			{`(?m)^\s*[@c]ontext\(\w+(:) `, "="},
			{`(?m)^\s*[@c]ontext\(\w+[:=] [\w.<>]+, \w+(:) `, "="},
			{`(?m)^\s*[@c]ontext\(\w+[:=] [\w.<>]+, \w+[:=] [\w.<>]+, \w+(:) `, "="},
		},
	},
}
