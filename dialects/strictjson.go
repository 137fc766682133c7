package dialects

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"putcut/refusal"
)

// decodeStrict decodes one JSON value so that it has one meaning: valid UTF-8,
// no lone surrogates, no key twice in one object, no key that dst does not
// know in exactly this spelling, nothing after the value.
func decodeStrict(s string, dst any, known []string) error {
	bad := func(off int64, format string, args ...any) error {
		e := refusal.New(refusal.ParseFailed, "the JSON of the edit cannot be read: "+format, args...)
		off = max(0, min(off, int64(len(s))))
		e.Row = 1 + strings.Count(s[:off], "\n")
		e.Column = 1 + utf8.RuneCountInString(s[strings.LastIndexByte(s[:off], '\n')+1:off])
		return e.WithNext("Send one JSON value of the documented form")
	}
	if !utf8.ValidString(s) {
		return bad(0, "it is not valid UTF-8")
	}
	if off := loneSurrogate(s); off >= 0 {
		return bad(int64(off), "half of a surrogate pair stands alone")
	}
	dec := json.NewDecoder(strings.NewReader(s))
	type object struct {
		keys  map[string]bool
		isKey bool
	}
	var stack []*object // nil for arrays
	for depth := 0; ; {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) && depth == 0 {
			break
		}
		if err != nil {
			var syn *json.SyntaxError
			if errors.As(err, &syn) {
				return bad(syn.Offset, "%s", syn)
			}
			return bad(dec.InputOffset(), "%s", err)
		}
		var top *object
		if len(stack) > 0 {
			top = stack[len(stack)-1]
		}
		if key, ok := tok.(string); ok && top != nil && top.isKey {
			if top.keys[key] {
				return bad(dec.InputOffset(), "the key %q stands twice in one object", key)
			}
			if !slices.Contains(known, key) {
				return bad(dec.InputOffset(), "there is no key %q; known are %s", key, strings.Join(known, ", "))
			}
			top.keys[key], top.isKey = true, false
			continue
		}
		if top != nil {
			top.isKey = true
		}
		switch tok {
		case json.Delim('{'):
			stack = append(stack, &object{map[string]bool{}, true})
			depth++
		case json.Delim('['):
			stack = append(stack, nil)
			depth++
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:len(stack)-1]
			depth--
		}
		if depth == 0 {
			if rest := strings.TrimLeft(s[dec.InputOffset():], " \t\r\n"); rest != "" {
				return bad(dec.InputOffset(), "text stands after the value")
			}
			break
		}
		if depth > 64 {
			return bad(dec.InputOffset(), "it is nested too deep")
		}
	}
	if strings.Trim(s, " \t\r\n") == "" {
		return bad(0, "it is empty")
	}
	if err := json.NewDecoder(bytes.NewReader([]byte(s))).Decode(dst); err != nil {
		var typ *json.UnmarshalTypeError
		if errors.As(err, &typ) {
			return bad(typ.Offset, "%s must be of another type than %s", fieldName(typ), typ.Value)
		}
		return bad(0, "%s", err)
	}
	return nil
}

func fieldName(e *json.UnmarshalTypeError) string {
	if e.Field == "" {
		return "the value"
	}
	return fmt.Sprintf("%q", e.Field)
}

// loneSurrogate is the offset of an escape for half of a surrogate pair, which
// decoding would quietly replace, or -1.
func loneSurrogate(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		r, ok := hex4(s[i:])
		switch {
		case !ok:
			i++ // the escaped character, a backslash perhaps
		case !utf16.IsSurrogate(r):
			i += 5
		default:
			low, ok := hex4(s[i+6:])
			if !ok || utf16.DecodeRune(r, low) == utf8.RuneError {
				return i
			}
			i += 11
		}
	}
	return -1
}
