package grammars

// htmlEnds are the elements that end one whose end tag may be left out, as far
// as the grammar does not know.
var htmlEnds = map[string][]string{
	"p": {
		"ul", "table", "menu", "dir", "center", "hgroup", "search", "details", "dialog", "figure", "section", "div", "ol", "dl", "pre", "form",
	},
	"option":   {"option", "optgroup", "hr"},
	"optgroup": {"optgroup", "hr"},
	"thead":    {"tbody", "tfoot"},
	"tbody":    {"tbody", "tfoot"},
	"tfoot":    {"tbody"},
	"tr":       {"tr", "tbody", "tfoot"},
	"td":       {"td", "th", "tr", "tbody", "tfoot"},
	"th":       {"td", "th", "tr", "tbody", "tfoot"},
	"li":       {"li"},
	"dt":       {"dt", "dd"},
	"dd":       {"dt", "dd"},
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
