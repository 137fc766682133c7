package grammars

var dataTables = []Language{

	{
		Name:       "json",
		Extensions: []string{"json", "geojson", "webmanifest", "ipynb", "har", "topojson", "gltf", "avsc"},
		Files:      []string{".prettierrc", ".watchmanconfig", "composer.lock", "pipfile.lock", "flake.lock", ".arcconfig"},
		Containers: []string{"document"},
		Decls:      []Decl{},
	},
	{
		Name:       "jsonc",
		Grammar:    "json",
		Extensions: []string{"jsonc", "code-workspace", "sublime-settings", "sublime-project"},
		Files: []string{
			"tsconfig.json", "tsconfig.*.json", "jsconfig.json", "jsconfig.*.json", ".eslintrc", ".eslintrc.json", "devcontainer.json",
			".jshintrc", ".swcrc", ".babelrc", "tslint.json", "api-extractor.json",
		},
		Containers: []string{"document"},
	},
	{
		Name:       "yaml",
		Extensions: []string{"yaml", "yml"},
		Files:      []string{".clang-format", ".clang-tidy", ".clangd", ".gemrc", "pubspec.lock", ".yamllint"},
		Containers: []string{"stream", "document", "block_node", "block_mapping", "block_sequence", "flow_node"},
		Parts:      []string{"anchor", "tag", "alias"},
		Opaque:     []string{"block_scalar", "double_quote_scalar", "single_quote_scalar"},
		Decls: []Decl{
			{Kind: "block_mapping_pair", As: "key", Name: "key"},
		},
	},
	{
		Name:       "toml",
		Extensions: []string{"toml"},
		Files:      []string{"cargo.lock", "poetry.lock", "pdm.lock", "uv.lock", "pipfile", "gopkg.lock"},
		Containers: []string{"document"},
		Opaque:     []string{"string"},
		NoTail:     []string{"table", "table_array_element"},
		Decls: []Decl{
			{Kind: "table", As: "table", Name: "@dotted_key|@bare_key|@quoted_key"},
			{Kind: "table_array_element", As: "table", Name: "@dotted_key|@bare_key|@quoted_key"},
		},
	},
}
