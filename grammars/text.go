package grammars

var textTables = []Language{

	{
		Name:       "markdown",
		Grammar:    "-",
		Extensions: []string{"md", "markdown", "mdown", "mkd", "mdx", "mdwn"},
		Files:      []string{},
		Containers: []string{"document", "list"},
		Opaque:     []string{"fence", "html", "front_matter"},
		Decls: []Decl{
			{Kind: "section", As: "section", Name: "@heading/name"},
		},
		AlwaysParses: true,
	},
	{
		Name:         "make",
		Grammar:      "-",
		Extensions:   []string{"mk", "mak", "make"},
		Files:        []string{"makefile", "gnumakefile", "makefile.*", "gnumakefile.*"},
		Interpreters: []string{"make"},
		Containers:   []string{"makefile"},
		Clauses:      []string{"else"},
		Closers:      []string{"endif", "endef"},
		Parts:        []string{"endif", "endef"},
		Opaque:       []string{"definition"},
		Decls:        []Decl{{Kind: "rule", As: "rule"}, {Kind: "definition", As: "define"}},
	},
	{
		Name:       "xml",
		Grammar:    "-",
		Extensions: []string{"xml", "xsd", "xsl", "xslt", "svg", "pom", "csproj", "vbproj", "fsproj", "props", "targets", "plist", "wsdl", "rss", "atom", "xaml", "axaml", "resx", "config", "nuspec", "storyboard", "xib"},
		Containers: []string{"document"},
		Parts:      []string{"tag", "end_tag"},
		Opaque:     []string{"cdata"},
		Decls:      []Decl{},
	},
	{
		Name:       "protobuf",
		Grammar:    "-",
		Extensions: []string{"proto"},
		Containers: []string{"file"},
		Docs: []Doc{{Kind: "comment", Prefixes: []string{"//"}, To: []string{
			"syntax", "edition", "package", "import", "option", "message", "enum", "service", "extend", "oneof", "group", "rpc", "field", "reserved", "extensions",
		}}},
		Decls: []Decl{
			{Kind: "message", As: "message"}, {Kind: "enum", As: "enum"}, {Kind: "service", As: "service"}, {Kind: "rpc", As: "rpc"},
			{Kind: "oneof", As: "oneof"}, {Kind: "field", As: "field"}, {Kind: "extend", As: "extend"},
		},
	},
}
