package hosts

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"

	"putcut/refusal"
)

// setTOML sets a table of a TOML file. No library changes TOML in place, so the
// rows of the table are replaced, or added at the end, and the result is read
// back: it must say what is wanted, and everything else as before.
func setTOML(src []byte, keys []string, value any) ([]byte, error) {
	table, err := tableText(keys, value)
	if err != nil {
		return nil, err
	}
	var before map[string]any
	if err := toml.Unmarshal(src, &before); err != nil {
		return nil, refusal.New(refusal.InvalidArgument, "the file is not valid TOML: %v", err).WithNext("Mend it first")
	}
	var wanted map[string]any
	if err := toml.Unmarshal(table, &wanted); err != nil {
		return nil, err
	}
	if reflect.DeepEqual(lookup(before, keys), lookup(wanted, keys)) {
		return src, nil
	}
	eol := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		eol = "\r\n"
		table = bytes.ReplaceAll(table, []byte("\n"), []byte(eol))
	}
	out, found := replaceTable(src, keys, table)
	if !found {
		// A table that was written inline or with dotted keys cannot be
		// extended by a header, although some parsers let it pass.
		if _, there := before[keys[0]]; there && !hasHeader(src, keys[0]) {
			return nil, notInPlace(keys, table)
		}
		out = bytes.Clone(src)
		if len(out) > 0 {
			if out[len(out)-1] != '\n' {
				out = append(out, eol...)
			}
			out = append(out, eol...)
		}
		out = append(out, table...)
	}
	var after map[string]any
	if toml.Unmarshal(out, &after) != nil || !reflect.DeepEqual(lookup(after, keys), lookup(wanted, keys)) {
		return nil, notInPlace(keys, table)
	}
	remove(before, keys)
	remove(after, keys)
	if !reflect.DeepEqual(before, after) {
		return nil, notInPlace(keys, table)
	}
	return out, nil
}

func notInPlace(keys []string, table []byte) error {
	e := refusal.New(refusal.InvalidArgument, "`%s` has a form in this file that cannot be changed in place", strings.Join(keys, ".")).WithNext("Put this there by hand")
	e.Script = string(table)
	return e
}

func tableText(keys []string, value any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("[" + toml.Key(keys).String() + "]\n")
	enc := toml.NewEncoder(&b)
	enc.Indent = ""
	err := enc.Encode(value)
	return b.Bytes(), err
}

// replaceTable replaces the rows from the table's header to the next header,
// except blank rows and comments above that one.
func replaceTable(src []byte, keys []string, table []byte) (out []byte, found bool) {
	header := "[" + toml.Key(keys).String() + "]"
	var pos, start, end int
	for line := range bytes.Lines(src) {
		row := strings.TrimSpace(string(line))
		switch {
		case !found && strings.ReplaceAll(strings.SplitN(row, "#", 2)[0], " ", "") == header:
			found, start = true, pos
			end = pos + len(line)
		case found && strings.HasPrefix(row, "["):
			return append(append(bytes.Clone(src[:start]), table...), src[end:]...), true
		case found && row != "" && !strings.HasPrefix(row, "#"):
			end = pos + len(line)
		}
		pos += len(line)
	}
	if !found {
		return nil, false
	}
	return append(append(bytes.Clone(src[:start]), table...), src[end:]...), true
}

func hasHeader(src []byte, key string) bool {
	for line := range bytes.Lines(src) {
		row := strings.ReplaceAll(string(line), " ", "")
		if strings.HasPrefix(row, "["+key+".") || strings.HasPrefix(row, "["+key+"]") {
			return true
		}
	}
	return false
}

func lookup(m map[string]any, keys []string) any {
	var v any = m
	for _, k := range keys {
		t, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = t[k]
	}
	return v
}

// remove deletes a key and the tables above it that held nothing else.
func remove(m map[string]any, keys []string) {
	if len(keys) == 1 {
		delete(m, keys[0])
		return
	}
	if sub, ok := m[keys[0]].(map[string]any); ok {
		remove(sub, keys[1:])
		if len(sub) == 0 {
			delete(m, keys[0])
		}
	}
}
