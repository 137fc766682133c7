package grammars

var pythonTables = []Language{
	{
		Name:         "python",
		Extensions:   []string{"py", "pyi", "pyw"},
		Files:        []string{"sconstruct", "sconscript", "wscript", ".pythonrc", ".pythonstartup"},
		Interpreters: []string{"python", "pypy", "uv"},
		Containers:   []string{"module", "block"},
		Parts:        []string{"expression_list", "pattern_list"},
		Attached:     []string{"decorator"},
		Cases:        []string{"case_clause"},
		Clauses:      []string{"elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause"},
		Opaque:       []string{"string", "concatenated_string"},
		Inside:       []string{"decorated_definition"},
		Decls: []Decl{
			{Kind: "function_definition", As: "def"},
			{Kind: "class_definition", As: "class"},
		},
		Respellings: []Respelling{
			// class C[T = int]
			{`\b(?:class|def)\s+\w+\[[^\]\n]*?(=\s*[\w.*]+(?:\[\w*\])?)\s*[,\]]`, ""},
			// t"..."
			{`(?:^|[^\w"'])(t)["']`, "f"},
			{`(?m)^\s*(lazy import)\b`, "import"},
			{`(?m)^\s*(lazy from)\b`, "from"},
		},
	},
}
