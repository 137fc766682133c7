package grammars

// htmlEnds are the elements that end one whose end tag may be left out, as far
// as the grammar does not know.
var htmlEnds = Pairs[[]string]{
	{"p", []string{"ul", "table", "menu", "dir", "center", "hgroup", "search", "details", "dialog", "figure", "section", "div", "ol", "dl", "pre", "form"}},
	{"option", []string{"option", "optgroup", "hr"}}, {"optgroup", []string{"optgroup", "hr"}},
	{"thead", []string{"tbody", "tfoot"}}, {"tbody", []string{"tbody", "tfoot"}}, {"tfoot", []string{"tbody"}},
	{"tr", []string{"tr", "tbody", "tfoot"}}, {"td", []string{"td", "th", "tr", "tbody", "tfoot"}},
	{"th", []string{"td", "th", "tr", "tbody", "tfoot"}}, {"li", []string{"li"}}, {"dt", []string{"dt", "dd"}},
	{"dd", []string{"dt", "dd"}},
}

var markupTables = []Language{

	{
		Name:         "html",
		Extensions:   []string{"html", "htm", "xhtml"},
		Containers:   []string{"document"},
		Opaque:       []string{"raw_text", "comment", "quoted_attribute_value"},
		Parts:        []string{"start_tag", "end_tag"},
		Inside:       []string{"start_tag", "element"},
		ImplicitEnds: htmlEnds,
	},
	{
		Name:         "vue",
		Grammar:      "html",
		Extensions:   []string{"vue"},
		Containers:   []string{"document"},
		Opaque:       []string{"raw_text", "comment", "quoted_attribute_value"},
		Parts:        []string{"start_tag", "end_tag"},
		Inside:       []string{"start_tag", "element"},
		ImplicitEnds: htmlEnds,
	},
}
