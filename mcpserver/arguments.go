package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"putcut/refusal"
)

// arguments are those of one call, by name, each with the type its parameter
// has. What was left out or null is not there.
type arguments struct {
	texts map[string]string
	nums  map[string]int
	flags map[string]bool
	// ignored are names that are no parameter of a tool that only reads.
	ignored []string
}

func (a *arguments) text(name string) string { return a.texts[name] }

// textOrNil tells an empty text from a missing one.
func (a *arguments) textOrNil(name string) *string {
	if s, ok := a.texts[name]; ok {
		return &s
	}
	return nil
}

// remarks are arguments in which a model explains itself; they change nothing.
var remarks = []string{"_meta", "comment", "description", "explanation", "instruction", "instructions", "reason", "reasoning", "thought", "title"}

// decode reads the arguments of a call. It is lenient in spelling where there
// is one reading: a number or flag in quotes, a short text without them. An
// unknown argument is ignored by tools that only read and refused by those that
// change files, since it may have been meant to change what the call does.
// Errors are INVALID_ARGUMENT; arguments that were understood before one are
// returned beside it.
func (t *tool) decode(raw json.RawMessage) (*arguments, error) {
	a := &arguments{texts: map[string]string{}, nums: map[string]int{}, flags: map[string]bool{}}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return a, nil
	}
	if raw[0] != '{' {
		return a, refusal.New(refusal.InvalidArgument, "the arguments are %s, and they must be one JSON object", kindOf(raw)).
			WithNext("Send an object with %s", t.names())
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return a, broken(err)
	}
	seen := map[string]bool{}
	var first error
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return a, broken(err)
		}
		name, _ := key.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return a, broken(err)
		}
		err = t.take(a, name, value)
		if seen[name] {
			err = refusal.New(refusal.InvalidArgument, "the argument %s stands there twice", quoted(name)).WithNext("Send it once")
		}
		seen[name] = true
		if first == nil {
			first = err
		}
	}
	return a, first
}

func broken(err error) error {
	return refusal.New(refusal.InvalidArgument, "the arguments are not valid JSON: %v", err).WithNext("Send one JSON object")
}

// take stores one argument.
func (t *tool) take(a *arguments, name string, raw json.RawMessage) error {
	if string(raw) == "null" {
		return nil
	}
	i := slices.IndexFunc(t.params, func(p param) bool { return p.name == name })
	switch {
	case i >= 0:
		return t.params[i].take(a, raw)
	case slices.Contains(remarks, name):
		return nil
	case t.readOnly:
		if len(a.ignored) < 8 {
			a.ignored = append(a.ignored, quoted(name))
		}
		return nil
	}
	return refusal.New(refusal.InvalidArgument, "the tool `%s` has no argument %s", t.name, quoted(name)).
		WithNext("Send only %s", t.names())
}

func (p *param) take(a *arguments, raw json.RawMessage) error {
	switch p.kind {
	case textKind:
		return p.takeText(a, raw)
	case flagKind:
		switch strings.ToLower(strings.Trim(string(raw), `"`)) {
		case "true":
			a.flags[p.name] = true
			return nil
		case "false", "":
			return nil
		}
		return p.wrong(raw, "true or false")
	}
	s := strings.Trim(string(raw), `"`)
	if s == "" {
		return nil
	}
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		// A whole number may be spelled 3.0 or 2e1.
		f, ferr := strconv.ParseFloat(s, 64)
		if ferr != nil || f != float64(int32(f)) {
			return p.wrong(raw, "a whole number")
		}
		n = int64(f)
	}
	a.nums[p.name] = int(n)
	return nil
}

// takeText stores a text. JSON can spell texts that no file can hold; the
// decoder would put U+FFFD in their place without a word, and so change what
// was sent.
func (p *param) takeText(a *arguments, raw json.RawMessage) error {
	if raw[0] != '"' {
		// 1234 and 40 are texts whose quotes were forgotten.
		if p.short && len(raw) <= 40 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
			a.texts[p.name] = string(raw)
			return nil
		}
		return p.wrong(raw, "one text (a JSON string, rows separated by line breaks)")
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return broken(err)
	}
	if !utf8.Valid(raw) || strings.ContainsRune(s, utf8.RuneError) && loneSurrogate(raw) {
		return refusal.New(refusal.InvalidArgument, "the argument `%s` holds half of a surrogate pair or bytes that are not UTF-8", p.name).
			WithNext("Send the characters themselves, as UTF-8")
	}
	a.texts[p.name] = s
	return nil
}

// loneSurrogate reports whether a JSON string holds half of a surrogate pair.
func loneSurrogate(raw []byte) bool {
	high := false
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			if high {
				return true
			}
			continue
		}
		i++
		var v uint64
		if raw[i] == 'u' && i+5 <= len(raw) {
			v, _ = strconv.ParseUint(string(raw[i+1:i+5]), 16, 32)
			i += 4
		}
		low := v >= 0xdc00 && v < 0xe000
		if high != low {
			return true
		}
		high = v >= 0xd800 && v < 0xdc00
	}
	return high
}

func (p *param) wrong(raw json.RawMessage, want string) error {
	return refusal.New(refusal.InvalidArgument, "the argument `%s` is %s, and it must be %s", p.name, kindOf(raw), want).
		WithNext("Send it as %s", want)
}

// kindOf names what a JSON value is, and shows it when it is short.
func kindOf(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "the text " + clip(string(raw))
	case 't', 'f':
		return string(raw)
	}
	return "the number " + clip(string(raw))
}

func quoted(name string) string {
	return "`" + strings.ToValidUTF8(clip(strings.ReplaceAll(name, "`", "'")), "?") + "`"
}

func clip(s string) string {
	const most = 60
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// names lists the parameters of a tool for a message.
func (t *tool) names() string {
	var b strings.Builder
	for i, p := range t.params {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "`%s`", p.name)
	}
	return b.String()
}
