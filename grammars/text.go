package grammars

func init() {
	register(
		Language{
			Name:       "markdown",
			Grammar:    "-",
			Extensions: []string{"md", "markdown", "mdown", "mkd", "mdx", "mdwn"},
			Files:      []string{},
			Containers: []string{"document", "list"},
			Opaque:     []string{"fence", "html", "front_matter"},
			Decls: []Decl{
				{Kind: "section", As: "section", Name: "title"},
			},
			AlwaysParses: true,
		},
		Language{
			Name:         "make",
			Grammar:      "-",
			Extensions:   []string{"mk", "mak", "make"},
			Files:        []string{"makefile", "gnumakefile", "makefile.*", "gnumakefile.*"},
			Interpreters: []string{"make"},
		},
		Language{
			Name:       "xml",
			Grammar:    "-",
			Extensions: []string{"xml", "xsd", "xsl", "xslt", "svg", "pom", "csproj", "vbproj", "fsproj", "props", "targets", "plist", "wsdl", "rss", "atom", "xaml", "axaml", "resx", "config", "nuspec", "storyboard", "xib"},
			Files:      []string{},
		},
		Language{
			Name:       "protobuf",
			Grammar:    "-",
			Extensions: []string{"proto"},
		},
	)
}
