package blocks

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A mdHTMLKind is one of the ways in which HTML in Markdown begins and ends.
type mdHTMLKind uint8

const (
	noHTML         mdHTMLKind = iota
	htmlText                  // <script>, <pre> and the like, up to an end tag
	htmlComment               // up to -->
	htmlInstruct              // up to ?>
	htmlDeclare               // up to >
	htmlCDATA                 // up to ]]>
	htmlUntilBlank            // a tag
)

func (k mdHTMLKind) untilBlank() bool { return k == htmlUntilBlank }

// ends reports whether HTML ends with a row.
func (k mdHTMLKind) ends(row []byte) bool {
	switch k {
	case htmlText:
		low := bytes.ToLower(row)
		for _, tag := range []string{"</script>", "</pre>", "</style>", "</textarea>"} {
			if bytes.Contains(low, []byte(tag)) {
				return true
			}
		}
	case htmlComment:
		return bytes.Contains(row, []byte("-->"))
	case htmlInstruct:
		return bytes.Contains(row, []byte("?>"))
	case htmlDeclare:
		return bytes.IndexByte(row, '>') >= 0
	case htmlCDATA:
		return bytes.Contains(row, []byte("]]>"))
	}
	return false
}

// A tag of a block may stand alone or before something; any other must be alone
// on its row, and whole.
var (
	blockTag = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^<(?:/ *)?([a-zA-Z][a-zA-Z0-9-]*)(?: .*|/?>.*)?$`)
	})
	loneTag = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^<(/ *)?([a-zA-Z][a-zA-Z0-9-]*)((?:[ \t]+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:[ \t]*=[ \t]*(?:[^"'=<>` + "`" + `\x00-\x20]+|'[^']*'|"[^"]*"))?)*) */?> *$`)
	})
)

// htmlStart says which HTML a row begins, which starts with `<`. paragraph says
// that the row may be text of an open paragraph.
func htmlStart(line []byte, paragraph bool) mdHTMLKind {
	line = bytes.TrimSuffix(line, []byte("\r"))
	low := bytes.ToLower(line[1:min(len(line), 16)])
	for _, tag := range []string{"script", "pre", "style", "textarea"} {
		if rest, ok := bytes.CutPrefix(low, []byte(tag)); ok && (len(rest) == 0 || blank(rest[0]) || rest[0] == '>' || bytes.HasPrefix(rest, []byte("/>"))) {
			return htmlText
		}
	}
	switch {
	case bytes.HasPrefix(line, []byte("<!--")):
		return htmlComment
	case bytes.HasPrefix(line, []byte("<?")):
		return htmlInstruct
	case bytes.HasPrefix(line, []byte("<![CDATA[")):
		return htmlCDATA
	case len(line) > 2 && line[1] == '!' && line[2] >= 'A' && line[2] <= 'Z':
		return htmlDeclare
	}
	if m := blockTag().FindSubmatch(line); m != nil && slices.Contains(blockTags, strings.ToLower(string(m[1]))) {
		return htmlUntilBlank
	}
	if m := loneTag().FindSubmatch(line); m != nil {
		name := strings.ToLower(string(m[2]))
		if slices.Contains(blockTags, name) {
			return htmlUntilBlank
		}
		if !paragraph && (len(m[1]) == 0 || len(m[3]) == 0) && name != "script" && name != "style" && name != "pre" {
			return htmlUntilBlank
		}
	}
	return noHTML
}

// blockTags are the elements whose tags begin a block wherever they stand.
var blockTags = []string{
	"address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup", "dd", "details", "dialog", "dir", "div",
	"dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html",
	"iframe", "legend", "li", "link", "main", "menu", "menuitem", "meta", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section",
	"summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
}

func (r *mdReader) startHTML(line []byte, at, matched int, paragraph bool) bool {
	kind := htmlStart(line, paragraph)
	if kind == noHTML {
		return false
	}
	r.closeTo(matched)
	r.add(&mdBlock{kind: mdHTML, at: at, last: at, html: kind})
	if kind.ends(line) {
		r.open = r.open[:len(r.open)-1]
	}
	return true
}
