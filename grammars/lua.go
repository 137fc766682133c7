package grammars

var luaTables = []Language{
	{
		Name:         "lua",
		Extensions:   []string{"lua", "rockspec", "luau"},
		Files:        []string{".luacheckrc"},
		Interpreters: []string{"lua", "luajit", "texlua"},
		Containers:   []string{"chunk", "block"},
		Docs:         []Doc{{Kind: "comment", Prefixes: []string{"---"}, Not: []string{"----"}, To: []string{"function_declaration", "variable_declaration", "assignment_statement", "field"}}},
		Clauses:      []string{"elseif_statement", "else_statement"},
		Opaque:       []string{"string"},
		OneRow:       []string{"label_statement"},
		Closers:      []string{"end", "until"},
		Inside:       []string{"assignment_statement", "variable_list"},
		Decls: []Decl{
			{Kind: "function_declaration", As: "function"},
		},
	},
}
