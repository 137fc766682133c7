package grammars

func init() {
	register(
		Language{
			Name:       "html",
			Extensions: []string{"html", "htm", "xhtml"},
			Containers: []string{"document"},
			Opaque:     []string{"raw_text", "comment", "quoted_attribute_value"},
			Parts:      []string{"start_tag", "end_tag"},
			Decls:      []Decl{},
		},
		Language{
			Name:       "vue",
			Grammar:    "html",
			Extensions: []string{"vue"},
			Containers: []string{"document"},
			Opaque:     []string{"raw_text", "comment", "quoted_attribute_value"},
			Parts:      []string{"start_tag", "end_tag"},
		},
	)
}
