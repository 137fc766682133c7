package grammars

var sqlTables = []Language{
	{
		Name:       "sql",
		Extensions: []string{"sql", "ddl", "dml", "psql", "pgsql"},
		Containers: []string{"program", "select_expression"},
		Comments:   []string{"comment", "marginalia"},
		Clauses: []string{
			"from", "where", "join", "lateral_join", "cross_join", "lateral_cross_join", "group_by", "order_by", "limit", "keyword_having", "window_clause",
			"when_clause", "keyword_else", "keyword_when", "returning",
		},
		Followers: Pairs[[]string]{{"select", []string{"from", "where", "group_by", "order_by", "limit", "window_clause", "offset", "join"}}},
		Opaque:    []string{"literal", "dollar_quote"},
		Decls: []Decl{
			{Kind: "create_table", As: "table", Name: "@object_reference"},
			{Kind: "create_view", As: "view", Name: "@object_reference"},
			{Kind: "create_materialized_view", As: "view", Name: "@object_reference"},
			{Kind: "create_index", As: "index", Name: "column"},
			{Kind: "create_function", As: "function", Name: "@object_reference"},
			{Kind: "create_type", As: "type", Name: "@object_reference"},
			{Kind: "create_trigger", As: "trigger", Name: "@object_reference"},
		},
		Inside: []string{"statement"},
		Respellings: []Respelling{
			{`(?i)\b(CONSTRAINT\s+\w+\s+UNIQUE)\b`, "UNIQUE"},
			{`(?i)\b(CONSTRAINT\s+\w+\s+FOREIGN)\b`, "FOREIGN"},
			{`(?i)\b(CONSTRAINT\s+\w+\s+PRIMARY)\b`, "PRIMARY"},
			{`(?i)\b(CONSTRAINT\s+\w+\s+CHECK)\b`, "CHECK"},
			{`(?i)\bON CONFLICT\s*(\([^()\n]*\))`, ""},
		},
	},
}
