package grammars

var bashTables = []Language{
	{
		Name:       "bash",
		Extensions: []string{"sh", "bash", "zsh", "ksh", "bats", "ebuild"},
		Files: []string{
			".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".bash_login", ".profile", ".zshrc", ".zshenv", ".zprofile",
			".zlogin", ".kshrc", ".envrc", "pkgbuild", "apkbuild", "configure.ac.sh",
		},
		Interpreters: []string{"sh", "bash", "zsh", "ksh", "dash", "ash", "bats"},
		Containers:   []string{"program"},
		Parts:        []string{"file_redirect", "heredoc_redirect"},
		Cases:        []string{"case_item"},
		Clauses:      []string{"elif_clause", "else_clause"},
		Opaque:       []string{"string", "raw_string", "heredoc_body", "ansi_c_string", "heredoc_redirect"},
		Heredocs:     []string{"heredoc_body"},
		Closers:      []string{"fi", "done", "esac", ";;", ";&", ";;&", "heredoc_end"},
		Decls: []Decl{
			{Kind: "function_definition", As: "function"},
		},
	},
}
