package mcpserver

import (
	"bytes"
	"encoding/json"
)

// A paramKind is the type of a parameter. There are no others: hosts differ in
// what they make of unions, lists and nested objects.
type paramKind string

const (
	textKind paramKind = "string"
	intKind  paramKind = "integer"
	flagKind paramKind = "boolean"
)

// A param is one parameter of a tool.
type param struct {
	name     string
	kind     paramKind
	about    string
	required bool
	values   []string // the only texts allowed, when there are few
	short    bool     // a text that may come as a bare number
}

// schema is the input schema: one flat object. It allows properties it does not
// name, so that a host does not turn a model's remark into an error of its own.
func (t *tool) schema(name func(string) string) json.RawMessage {
	type property struct {
		Type        paramKind `json:"type"`
		Enum        []string  `json:"enum,omitempty"`
		Description string    `json:"description,omitempty"`
	}
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	required := []string{}
	for i, p := range t.params {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(compact(p.name))
		b.WriteByte(':')
		b.Write(compact(property{p.kind, p.values, rename(p.about, name)}))
		if p.required {
			required = append(required, p.name)
		}
	}
	b.WriteByte('}')
	if len(required) > 0 {
		b.WriteString(`,"required":`)
		b.Write(compact(required))
	}
	b.WriteByte('}')
	return b.Bytes()
}

// compact is v as JSON without the escapes that only HTML needs. What is passed
// are texts and flat structs, which always can be written.
func compact(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte("null")
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
