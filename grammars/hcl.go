package grammars

var hclTables = []Language{
	{
		Name:       "hcl",
		Extensions: []string{"hcl", "tf", "tfvars", "nomad", "tofu"},
		Files:      []string{".terraform.lock.hcl"},
		Containers: []string{"config_file", "body", "function_arguments"},
		Opaque:     []string{"heredoc_template", "template_expr", "quoted_template", "string_lit"},
		Inside:     []string{"body"},
		Decls: []Decl{
			{Kind: "block", As: "block", Name: "+identifier,string_lit"},
		},
	},
}
