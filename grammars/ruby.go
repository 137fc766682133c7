package grammars

var rubyTables = []Language{
	{
		Name:         "ruby",
		Extensions:   []string{"rb", "rake", "gemspec", "ru", "podspec", "thor", "jbuilder", "rbw"},
		Files:        []string{"rakefile", "gemfile", "podfile", "fastfile", "vagrantfile", "guardfile", "capfile", "brewfile", "dangerfile", ".irbrc", ".pryrc"},
		Interpreters: []string{"ruby", "jruby", "rake"},
		Containers:   []string{"program", "body_statement", "then", "block_body", "do"},
		Headers:      []string{"superclass"},
		Parts:        []string{"argument_list", "uninterpreted"},
		Clauses:      []string{"elsif", "else", "when", "in_clause", "rescue", "ensure"},
		Opaque:       []string{"string", "subshell", "regex", "string_array", "symbol_array", "heredoc_body", "delimited_symbol"},
		Heredocs:     []string{"heredoc_body"},
		Closers:      []string{"end"},
		Decls: []Decl{
			{Kind: "module", As: "module"},
			{Kind: "class", As: "class"},
			{Kind: "method", As: "def"},
			{Kind: "singleton_method", As: "def"},
			{Kind: "assignment", As: "const", Name: "@constant", Within: []string{"program", "body_statement"}},
		},
		Separator: "::",
	},
}
