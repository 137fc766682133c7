package hosts

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"

	"putcut/refusal"
)

// setJSON makes one change of a JSON file that may have comments. Everything
// but the member that is set keeps its bytes.
func setJSON(src []byte, e edit) ([]byte, error) {
	value := e.value
	if len(bytes.TrimSpace(src)) == 0 {
		if e.list {
			value = []any{value}
		}
		return fresh(e.keys, value)
	}
	root, err := hujson.Parse(src)
	if err != nil {
		return nil, refusal.New(refusal.InvalidArgument, "the file is not valid JSON: %v", err).WithNext("Mend it first")
	}
	w := writer{unit: indentOf(src), eol: "\n"}
	if bytes.Contains(src, []byte("\r\n")) {
		w.eol = "\r\n"
	}
	at := &root
	for i, key := range e.keys {
		obj, ok := at.Value.(*hujson.Object)
		if !ok {
			return nil, byHand("`"+strings.Join(e.keys[:i], ".")+"` is no object in this file", e.keys, value)
		}
		var found *hujson.Value
		for j := range obj.Members {
			if lit, ok := obj.Members[j].Name.Value.(hujson.Literal); ok && lit.String() == key {
				if found != nil {
					return nil, byHand("`"+key+"` stands there twice", e.keys, value)
				}
				found = &obj.Members[j].Value
			}
		}
		if found != nil {
			at = found
			continue
		}
		if e.list {
			value = []any{value}
		}
		for j := len(e.keys) - 1; j > i; j-- {
			value = map[string]any{e.keys[j]: value}
		}
		m, err := w.member(key, value, i+1)
		if err != nil {
			return nil, err
		}
		w.add(obj, m, i)
		return root.Pack(), nil
	}
	if e.list {
		return w.addToList(&root, at, e)
	}
	if same(*at, value) {
		return src, nil
	}
	v, err := w.value(value, len(e.keys))
	if err != nil {
		return nil, err
	}
	at.Value = v.Value
	return root.Pack(), nil
}

// fresh is a file that holds one value below keys.
func fresh(keys []string, value any) ([]byte, error) {
	for i := len(keys) - 1; i >= 0; i-- {
		value = map[string]any{keys[i]: value}
	}
	b, err := encode(value, "", "  ")
	return append(b, '\n'), err
}

func encode(v any, prefix, unit string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, unit)
	err := enc.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// same reports whether a value of the file means what v means.
func same(at hujson.Value, v any) bool {
	c := at.Clone()
	c.Standardize()
	var have, want any
	b, err := json.Marshal(v)
	return err == nil && json.Unmarshal(c.Pack(), &have) == nil && json.Unmarshal(b, &want) == nil && reflect.DeepEqual(have, want)
}

// A writer makes new parts of a file in the form the rest has.
type writer struct{ unit, eol string }

// indentOf is the file's own indentation.
func indentOf(src []byte) string {
	for line := range bytes.Lines(src) {
		blank := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
		if len(blank) > 0 && len(blank) < len(bytes.TrimRight(line, "\r\n")) {
			return string(blank)
		}
	}
	return "  "
}

func (w writer) value(v any, depth int) (hujson.Value, error) {
	b, err := encode(v, strings.Repeat(w.unit, depth), w.unit)
	if err != nil {
		return hujson.Value{}, err
	}
	return hujson.Parse(bytes.ReplaceAll(b, []byte("\n"), []byte(w.eol)))
}

func (w writer) member(key string, v any, depth int) (hujson.ObjectMember, error) {
	val, err := w.value(v, depth)
	if err != nil {
		return hujson.ObjectMember{}, err
	}
	val.BeforeExtra = hujson.Extra(" ")
	return hujson.ObjectMember{Name: hujson.Value{BeforeExtra: w.row(depth), Value: hujson.String(key)}, Value: val}, nil
}

func (w writer) row(depth int) hujson.Extra {
	return hujson.Extra(w.eol + strings.Repeat(w.unit, depth))
}

// add puts a member last. What stood behind the last one, a comment for
// example, stays there; a trailing comma stays a trailing comma.
func (w writer) add(obj *hujson.Object, m hujson.ObjectMember, depth int) {
	n := len(obj.Members)
	if n > 0 && obj.Members[n-1].Value.AfterExtra != nil {
		m.Value.AfterExtra = hujson.Extra{} // written as a trailing comma
	}
	m.Name.BeforeExtra = append(hujson.Extra(bytes.TrimRight(obj.AfterExtra, " \t\r\n")), m.Name.BeforeExtra...)
	obj.Members = append(obj.Members, m)
	obj.AfterExtra = w.row(depth)
}

// addToList adds a text to a list that does not hold it, on the same row when
// the list is on one.
func (w writer) addToList(root, at *hujson.Value, e edit) ([]byte, error) {
	arr, ok := at.Value.(*hujson.Array)
	if !ok {
		return nil, byHand("`"+strings.Join(e.keys, ".")+"` is no list in this file", e.keys, []any{e.value})
	}
	rows := false
	for _, x := range arr.Elements {
		if same(x, e.value) {
			return root.Pack(), nil
		}
		rows = rows || bytes.Contains(x.BeforeExtra, []byte("\n"))
	}
	v, err := w.value(e.value, 0)
	if err != nil {
		return nil, err
	}
	n, depth := len(arr.Elements), len(e.keys)
	if n > 0 && arr.Elements[n-1].AfterExtra != nil {
		v.AfterExtra = hujson.Extra{}
	}
	switch trail := bytes.TrimRight(arr.AfterExtra, " \t\r\n"); {
	case rows || len(trail) > 0:
		v.BeforeExtra = append(hujson.Extra(trail), w.row(depth+1)...)
		arr.AfterExtra = w.row(depth)
	case n > 0:
		v.BeforeExtra = hujson.Extra(" ")
	}
	arr.Elements = append(arr.Elements, v)
	return root.Pack(), nil
}
