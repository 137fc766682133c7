package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is one word of a marker: bare, or key=value. Quoted says that the
// word as a whole stood in quotes, so that it is no flag and no key.
type token struct {
	key, value string
	quoted     bool
}

// word is the first word of a marker, for messages.
func word(marker string) string {
	w, _, _ := strings.Cut(marker, " ")
	return w
}

// tokens splits a marker at blanks. Go string literals in double quotes and
// placeholders in {{ }} keep their blanks.
func tokens(s string) ([]token, error) {
	var out []token
	for s = strings.TrimLeft(s, " \t"); s != ""; s = strings.TrimLeft(s, " \t") {
		var t token
		if s[0] != '"' {
			if i := strings.IndexAny(s, "= \t\"{"); i > 0 && s[i] == '=' {
				t.key, s = s[:i], s[i+1:]
			}
		}
		value, rest, quoted, err := tokenValue(s)
		if err != nil {
			return nil, err
		}
		t.value, s = value, rest
		t.quoted = quoted && t.key == ""
		out = append(out, t)
	}
	return out, nil
}

// tokenValue takes one value off the front of s.
func tokenValue(s string) (value, rest string, quoted bool, err error) {
	if strings.HasPrefix(s, `"`) {
		lit, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", "", false, fmt.Errorf("a quoted word does not end: %s", clip(s))
		}
		value, _ = strconv.Unquote(lit)
		rest = s[len(lit):]
		if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return "", "", false, fmt.Errorf("a blank is missing after %s", lit)
		}
		return value, rest, true, nil
	}
	i := 0
	for i < len(s) && s[i] != ' ' && s[i] != '\t' {
		if strings.HasPrefix(s[i:], "{{") {
			end := strings.Index(s[i:], "}}")
			if end < 0 {
				return "", "", false, fmt.Errorf("a placeholder does not end: %s", clip(s[i:]))
			}
			i += end + 2
			continue
		}
		i++
	}
	return s[:i], s[i:], false, nil
}

func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// quoteToken spells a word so that tokens reads it back as one bare word.
func quoteToken(s string) string {
	toks, err := tokens(s)
	if err == nil && len(toks) == 1 && toks[0] == (token{value: s}) && !isFlag(s) && utf8.ValidString(s) {
		return s
	}
	return strconv.Quote(s)
}

// tools are the tools whose calls can be steps: the arguments that may stand
// without a name, in order, and the one that the body gives, if any.
var tools = map[string]struct {
	bare []string
	body string
}{
	"read":    {bare: []string{"path", "ranges"}},
	"grep":    {bare: []string{"pattern", "path"}},
	"write":   {bare: []string{"path", "expect"}, body: "content"},
	"edit":    {bare: []string{"path", "tag"}, body: "ops"},
	"patch":   {body: "script"},
	"outline": {bare: []string{"path"}},
	"undo":    {bare: []string{"call"}},
}

// argTypes are the arguments that are no strings.
var argTypes = map[string]byte{
	"max_columns": 'i', "context": 'i', "limit": 'i',
	"ignore_case": 'b', "literal": 'b', "dry_run": 'b',
}

// argNames are all arguments a step may name.
var argNames = map[string]bool{
	"path": true, "ranges": true, "encoding": true, "max_columns": true,
	"pattern": true, "glob": true, "ignore_case": true, "literal": true, "context": true, "mode": true, "limit": true,
	"content": true, "expect": true, "expected_revision": true, "dry_run": true,
	"tag": true, "ops": true, "script": true, "call": true,
}

// parse reads the marker of a section and spells out its body.
func (s *section) parse(room int) error {
	toks, err := tokens(s.marker)
	if err != nil {
		return err
	}
	if toks[0].key != "" || toks[0].quoted {
		return errors.New("a marker starts with the kind of its section")
	}
	head, rest := toks[0].value, toks[1:]
	rest, err = s.form.take(rest)
	if err != nil {
		return err
	}
	if _, ok := tools[head]; ok {
		err = s.parseStep(head, rest)
	} else {
		err = s.parseOther(head, rest)
	}
	if err != nil {
		return err
	}
	if !s.hasBody() {
		if len(bytes.TrimSpace(s.body)) > 0 {
			return fmt.Errorf("`%s` takes no body", head)
		}
		if s.form != (form{}) {
			return fmt.Errorf("`%s` takes no body, so a spelling of it means nothing", head)
		}
		return nil
	}
	s.data, err = s.form.decode(s.body, room)
	return err
}

// hasBody reports whether the section's body means anything.
func (s *section) hasBody() bool {
	switch s.kind {
	case kindLink, kindHardLink, kindDir, kindGone:
		return false
	case kindOutside:
		return !s.remove
	case kindStep:
		return tools[s.tool].body != ""
	}
	return true
}

func (s *section) parseStep(tool string, rest []token) error {
	s.kind, s.tool, s.args = kindStep, tool, map[string]any{}
	bare := tools[tool].bare
	for _, t := range rest {
		name := t.key
		switch {
		case name == "" && len(bare) == 0:
			return fmt.Errorf("`%s` has no place for the word %q", tool, t.value)
		case name == "":
			name, bare = bare[0], bare[1:]
		case name == "session":
			s.session = t.value
			continue
		case !argNames[name]:
			return fmt.Errorf("there is no argument `%s`", name)
		}
		if _, twice := s.args[name]; twice || name == tools[tool].body {
			return fmt.Errorf("the argument `%s` is given twice", name)
		}
		v, err := argValue(name, t.value)
		if err != nil {
			return err
		}
		s.args[name] = v
	}
	return nil
}

func argValue(name, value string) (any, error) {
	switch argTypes[name] {
	case 'i':
		n, err := strconv.Atoi(value)
		if err != nil {
			return nil, fmt.Errorf("the argument `%s` is a whole number, not %q", name, value)
		}
		return n, nil
	case 'b':
		b, err := strconv.ParseBool(value)
		if err != nil {
			return nil, fmt.Errorf("the argument `%s` is true or false, not %q", name, value)
		}
		return b, nil
	}
	return value, nil
}

var otherKinds = map[string]kind{
	"file": kindFile, "link": kindLink, "hardlink": kindHardLink, "dir": kindDir, "options": kindOptions,
	"outside": kindOutside, "want": kindWant, "refused": kindRefused, "now": kindNow, "gone": kindGone,
}

func (s *section) parseOther(head string, rest []token) error {
	s.kind = otherKinds[head]
	switch s.kind {
	case 0:
		return fmt.Errorf("there is no section of the kind %q", head)
	case kindOptions, kindWant, kindRefused:
	default:
		if len(rest) == 0 || rest[0].key != "" {
			return fmt.Errorf("`%s` is followed by a path", head)
		}
		s.path, rest = rest[0].value, rest[1:]
		if err := checkPath(s.path); err != nil {
			return err
		}
	}
	for _, t := range rest {
		switch {
		case t.key == "mode" && (s.kind == kindFile || s.kind == kindOutside || s.kind == kindNow):
			n, err := strconv.ParseUint(t.value, 8, 32)
			if err != nil || n == 0 || n > 0o777 {
				return fmt.Errorf("mode is octal permission bits such as 0755, not %q", t.value)
			}
			s.mode = fs.FileMode(n)
		case t.key == "to" && (s.kind == kindLink || s.kind == kindHardLink):
			s.target = t.value
		case t.key == "" && t.value == "delete" && s.kind == kindOutside:
			s.remove = true
		case t.key == "" && t.value == "has" && (s.kind == kindWant || s.kind == kindRefused):
			s.has = true
		case t.key == "" && s.kind == kindRefused && s.code == "":
			s.code = t.value
		default:
			return fmt.Errorf("`%s` has no place for the word %q", head, strings.TrimPrefix(t.key+"="+t.value, "="))
		}
	}
	switch s.kind {
	case kindLink:
		if s.target == "" || !utf8.ValidString(s.target) || strings.ContainsRune(s.target, 0) {
			return errors.New("`link` needs where it leads: to=TARGET")
		}
	case kindHardLink:
		if s.target == "" {
			return errors.New("`hardlink` needs the file it is another name of: to=PATH")
		}
		return checkPath(s.target)
	}
	return nil
}

// checkPath refuses what could lead out of the root, or be two things on two
// systems: a path is relative, clean, with slashes.
func checkPath(p string) error {
	switch {
	case p == "" || p == ".":
		return errors.New("a path is missing")
	case len(p) > maxPath:
		return fmt.Errorf("a path has %d bytes, and %d is the limit", len(p), maxPath)
	case !utf8.ValidString(p) || strings.ContainsFunc(p, unicode.IsControl):
		return fmt.Errorf("the path %s holds control characters or is not UTF-8", strconv.QuoteToASCII(p))
	case strings.Contains(p, `\`):
		return fmt.Errorf("the path %q holds a backslash; write slashes", p)
	case path.Clean(p) != p || !filepath.IsLocal(filepath.FromSlash(p)):
		return fmt.Errorf("the path %q is not a clean relative path inside the root", p)
	}
	return nil
}

// parseOptions reads key=value rows. The row of an error counts from 1.
func parseOptions(data []byte) (opts map[string]string, row int, err error) {
	opts = map[string]string{}
	for line := range strings.SplitSeq(string(data), "\n") {
		row++
		if strings.TrimSpace(line) == "" {
			continue
		}
		toks, err := tokens(line)
		if err != nil {
			return nil, row, err
		}
		if len(toks) != 1 || toks[0].key == "" {
			return nil, row, fmt.Errorf("an option is `key=value`, not %q", clip(line))
		}
		if _, twice := opts[toks[0].key]; twice {
			return nil, row, fmt.Errorf("the option `%s` is given twice", toks[0].key)
		}
		opts[toks[0].key] = toks[0].value
	}
	return opts, 0, nil
}
