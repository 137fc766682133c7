package grammars

var (
	cParts = []string{
		"function_declarator", "pointer_declarator", "array_declarator", "init_declarator", "parenthesized_declarator",
		"storage_class_specifier", "type_qualifier", "bitfield_clause",
	}
	cppParts = []string{"reference_declarator", "field_initializer", "trailing_return_type"}
	cClauses = []string{"else", "else_clause", "preproc_else", "preproc_elif", "preproc_elifdef"}
	cInside  = []string{
		"declaration", "function_declarator", "pointer_declarator", "array_declarator", "init_declarator", "parenthesized_declarator",
		"struct_specifier", "union_specifier", "enum_specifier", "type_definition", "linkage_specification",
	}
	cppInside = []string{"reference_declarator", "class_specifier", "template_declaration", "qualified_identifier"}
	cDecls    = []Decl{
		{Kind: "function_definition", As: "function", Name: "declarator*/name|declarator*"},
		{Kind: "struct_specifier", Needs: "body", As: "struct"},
		{Kind: "union_specifier", Needs: "body", As: "union"},
		{Kind: "enum_specifier", Needs: "body", As: "enum"},
		{Kind: "type_definition", As: "type", Name: "declarator*"},
		{Kind: "declaration", As: "declaration", Name: "declarator*", Within: []string{"translation_unit", "declaration_list", "preproc_ifdef", "preproc_if", "preproc_else"}},
		{Kind: "preproc_function_def", As: "macro"},
		{Kind: "preproc_def", As: "macro"},
	}
	cRespellings = []Respelling{
		{`\benum\s+(?:class\s+)?\w+\s*(:\s*\w+(?:\s+\w+)*)\s*\{`, ""},
		{`\b(constexpr)\b`, "const"},
		{`\b(auto) \w+\s*=`, "int"},
		{`\bstatic (_Thread_local)\b`, ""},
		{`(?m)^\s*(#embed\s+["<][^">\n]*[">])`, "0"},
	}
	cppRespellings = []Respelling{
		{`\bif\s*!?\s*(consteval)\b`, "(1)"},
		{`[(,]\s*(this)\s+[A-Za-z]`, ""},
		{`\bfor (co_await)\s*\(`, ""},
		{`(?m)^\s*(export module [\w.:]+);`, "int m"},
		{`(?m)^\s*(export import [\w.:<>"/]+);`, "int i"},
		{`(?m)^\s*(import [\w.:<>"/]+);`, "int i"},
		{`(?m)^\s*(export) [a-z]`, ""},
		{`(?m)^\s*(extern template) [^;\n]*;`, "template"},
		{`(?m)^\s*(#embed\s+["<][^">\n]*[">])`, "0"},
	}
)

var cTables = []Language{

	{
		Name:       "c",
		Extensions: []string{"c", "h"},
		Containers: []string{"translation_unit"},
		Parts:      cParts,
		Attached:   []string{"attribute_declaration", "attribute_specifier"},
		Docs:       []Doc{{Kind: "comment", Prefixes: []string{"/**", "///", "/*!", "//!"}, Not: []string{"/**/", "/***", "////"}, Except: cStatements}},
		Clauses:    cClauses,
		Cases:      []string{"case_statement"},
		Opaque:     []string{"string_literal", "preproc_arg", "preproc_def", "preproc_function_def"},
		OneRow:     []string{"labeled_statement"},
		Inside:     cInside,
		Decls:      cDecls, Respellings: cRespellings,
	},
	{
		Name:       "cpp",
		Extensions: []string{"cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "tpp", "inl", "ixx", "cppm"},
		Containers: []string{"translation_unit"},
		Headers:    []string{"field_initializer_list", "base_class_clause"},
		Parts:      append(cppParts, cParts...),
		Attached:   []string{"attribute_declaration", "attribute_specifier"},
		Docs:       []Doc{{Kind: "comment", Prefixes: []string{"/**", "///", "/*!", "//!"}, Not: []string{"/**/", "/***", "////"}, Except: append([]string{"for_range_loop"}, cStatements...)}},
		Clauses:    append([]string{"catch_clause"}, cClauses...),
		Cases:      []string{"case_statement"},
		Opaque:     []string{"string_literal", "preproc_arg", "raw_string_literal", "preproc_def", "preproc_function_def"},
		OneRow:     []string{"labeled_statement", "access_specifier"},
		Inside:     append(cppInside, cInside...),
		Decls: append([]Decl{
			{Kind: "class_specifier", Needs: "body", As: "class"},
			{Kind: "namespace_definition", As: "namespace"},
			{Kind: "concept_definition", As: "concept"},
			{Kind: "alias_declaration", As: "type"},
		}, cDecls...),
		Separator: "::", Respellings: append(append([]Respelling{}, cRespellings[3:4]...), cppRespellings...),
	},
}

var cStatements = []string{
	"preproc_include", "if_statement", "for_statement", "while_statement", "do_statement", "switch_statement", "return_statement",
	"expression_statement", "compound_statement", "break_statement", "continue_statement", "goto_statement", "case_statement", "labeled_statement",
}
