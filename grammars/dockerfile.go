package grammars

var dockerfileTables = []Language{
	{
		Name:       "dockerfile",
		Extensions: []string{"dockerfile", "containerfile", "docker"},
		Files:      []string{"dockerfile", "dockerfile.*", "containerfile", "containerfile.*", "dockerfile-*"},
		Containers: []string{"source_file"},
		Parts:      []string{"shell_command", "shell_fragment", "path"},
		Opaque:     []string{"heredoc_block", "heredoc_line", "shell_fragment"},
		Heredocs:   []string{"heredoc_block"},
		Decls: []Decl{
			{Kind: "from_instruction", As: "stage", Name: "as|@image_spec"},
		},
		Respellings: []Respelling{
			{`(?m)^\s*(ARG)\s+\w+=\S*\s+(?:\\\r?\n|\w)`, "ENV"},
			{`(?m)^\s*(?:COPY|ADD)\s+(?:--\S+\s+)*?(--(?:link|parents)(?:=\w+)?) `, ""},
			{`(?m)^\s*(?:COPY|ADD)\s+[^\n]*?(--(?:exclude|checksum|keep-git-dir|unpack)(?:=\S+)?) `, ""},
		},
	},
}
