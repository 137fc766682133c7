package conformance

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Result is what a front end answered. Struct is the structured form as
// decoded JSON, or nil where the front end has none.
type Result struct {
	IsError bool
	Text    string
	Struct  any
}

// A FrontEnd calls tools on the files below root, in one session.
type FrontEnd interface {
	Call(tool string, args map[string]any) (Result, error)
	Close() error
}

// Run runs a case in a fresh folder. Open starts a front end on it. The error
// says which step failed and how; it is nil when the case passed.
func Run(c Case, dir string, open func(root string) (FrontEnd, error)) error {
	r := &runner{root: dir, tags: map[string][]string{}}
	for name, raw := range c.Files {
		if err := r.put(name, raw); err != nil {
			return err
		}
	}
	fe, err := open(dir)
	if err != nil {
		return err
	}
	defer fe.Close()
	r.fe = fe
	reads := c.Reads
	if reads == nil {
		var names []string
		for name := range c.Files {
			names = append(names, name)
		}
		slices.Sort(names)
		all := []map[string]any{}
		for _, n := range names {
			all = append(all, map[string]any{"path": n})
		}
		reads = &all
	}
	for _, args := range *reads {
		res, err := fe.Call("read", r.expandAll(args).(map[string]any))
		if err != nil {
			return fmt.Errorf("read: %w", err)
		}
		r.note(res)
	}
	for i, s := range c.Steps {
		if err := r.step(s); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

type runner struct {
	root string
	fe   FrontEnd
	tags map[string][]string // path -> distinct tags in the order printed
	last map[string]string
}

func (r *runner) put(name string, raw json.RawMessage) error {
	data, err := content(raw)
	if err != nil {
		return err
	}
	p := filepath.Join(r.root, filepath.FromSlash(name))
	if data == nil {
		return os.Remove(p)
	}
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		return err
	}
	return os.WriteFile(p, []byte(r.expand(string(data))), 0o644)
}

func (r *runner) snapshot() (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(r.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(r.root, p)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	return out, err
}

func (r *runner) step(s map[string]any) error {
	if ext, ok := s["external"]; ok {
		for name, v := range ext.(map[string]any) {
			raw, _ := json.Marshal(v)
			if err := r.put(name, raw); err != nil {
				return err
			}
		}
		return nil
	}
	expect, _ := s["expect"].(map[string]any)
	for tool, v := range s {
		if tool == "expect" {
			continue
		}
		args, ok := v.(map[string]any)
		if !ok {
			args = map[string]any{"script": v}
		}
		before, err := r.snapshot()
		if err != nil {
			return err
		}
		res, err := r.fe.Call(tool, r.expandAll(args).(map[string]any))
		if err != nil {
			return err
		}
		r.note(res)
		if err := r.check(expect, before, res); err != nil {
			return fmt.Errorf("%s: %w\n%s", tool, err, res.Text)
		}
	}
	return nil
}

func (r *runner) check(expect map[string]any, before map[string]string, res Result) error {
	okWanted := expect["ok"] == true
	if okWanted == res.IsError {
		return fmt.Errorf("ok is %v, want %v", !res.IsError, okWanted)
	}
	want := before
	if okWanted {
		want = map[string]string{}
		for k, v := range before {
			want[k] = v
		}
		files, _ := expect["files"].(map[string]any)
		for name, v := range files {
			raw, _ := json.Marshal(v)
			data, err := content(raw)
			if err != nil {
				return err
			}
			if data == nil {
				delete(want, name)
				continue
			}
			want[name] = r.expand(string(data))
		}
	}
	after, err := r.snapshot()
	if err != nil {
		return err
	}
	for name, w := range want {
		if g, ok := after[name]; !ok || g != w {
			return fmt.Errorf("%s is %s, want %s", name, short(g), short(w))
		}
	}
	for name := range after {
		if _, ok := want[name]; !ok {
			return fmt.Errorf("unexpected file %s", name)
		}
	}
	if !okWanted {
		if err := r.checkCode(expect["code"], res); err != nil {
			return err
		}
	}
	if err := r.checkWarnings(expect, res); err != nil {
		return err
	}
	if tags, ok := expect["tag"].(map[string]any); ok {
		for path, tag := range tags {
			if r.last[path] != tag {
				return fmt.Errorf("tag of %s is %s, want %s", path, r.last[path], tag)
			}
		}
	}
	for _, s := range list(expect["has"]) {
		if !strings.Contains(res.Text, r.expand(s)) {
			return fmt.Errorf("the text lacks %q", r.expand(s))
		}
	}
	for _, s := range list(expect["lacks"]) {
		if strings.Contains(res.Text, r.expand(s)) {
			return fmt.Errorf("the text has %q", r.expand(s))
		}
	}
	if res.Struct == nil {
		return nil
	}
	if m, ok := expect["struct"].(map[string]any); ok {
		for key, v := range m {
			if !occurs(res.Struct, key, v) {
				return fmt.Errorf("the structure lacks %s: %v", key, v)
			}
		}
	}
	if blocks, ok := expect["blocks"].([]any); ok {
		if got := collectBlocks(res.Struct); !sameSet(got, blocks) {
			return fmt.Errorf("blocks are %v, want %v", got, blocks)
		}
	}
	return nil
}

func short(s string) string {
	if len(s) > 300 {
		return fmt.Sprintf("%q… (%d bytes)", s[:300], len(s))
	}
	return strconv.Quote(s)
}

var codeIn = regexp.MustCompile(`\b(?:EDIT_[A-Z_]+|INVALID_ARGUMENT|SESSION_UNKNOWN|PATH_OUTSIDE_WORKSPACE)\b`)
var warningIn = regexp.MustCompile(`\bW_[A-Z_]+\b`)

func (r *runner) checkCode(want any, res Result) error {
	got := codeIn.FindString(res.Text)
	if m, ok := res.Struct.(map[string]any); ok {
		if c, ok := m["code"].(string); ok {
			got = c
		}
	}
	switch w := want.(type) {
	case nil:
		return nil
	case string:
		if got == w {
			return nil
		}
	case []any:
		if slices.Contains(w, any(got)) {
			return nil
		}
	}
	return fmt.Errorf("code is %s, want %v", got, want)
}

func (r *runner) checkWarnings(expect map[string]any, res Result) error {
	var got []string
	if res.Struct != nil {
		walk(res.Struct, func(key string, v any) {
			if key != "warnings" {
				return
			}
			items, _ := v.([]any)
			for _, it := range items {
				switch w := it.(type) {
				case string:
					got = append(got, w)
				case map[string]any:
					got = append(got, fmt.Sprint(w["code"]))
				}
			}
		})
	} else {
		got = warningIn.FindAllString(res.Text, -1)
	}
	got = slices.DeleteFunc(got, func(s string) bool { return s == "W_NOT_DURABLE" })
	slices.Sort(got)
	got = slices.Compact(got)
	if w, ok := expect["warnings"]; ok {
		want := list(w)
		slices.Sort(want)
		if !slices.Equal(got, want) && len(got)+len(want) > 0 {
			return fmt.Errorf("warnings are %v, want %v", got, want)
		}
	}
	for _, w := range list(expect["warnings_include"]) {
		if !slices.Contains(got, w) {
			return fmt.Errorf("warnings are %v, want %s among them", got, w)
		}
	}
	return nil
}

func list(v any) []string {
	items, _ := v.([]any)
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = fmt.Sprint(it)
	}
	return out
}

func walk(v any, f func(key string, v any)) {
	switch x := v.(type) {
	case map[string]any:
		for k, e := range x {
			f(k, e)
			walk(e, f)
		}
	case []any:
		for _, e := range x {
			walk(e, f)
		}
	}
}

func occurs(v any, key string, want any) bool {
	found := false
	walk(v, func(k string, e any) { found = found || k == key && reflect.DeepEqual(e, want) })
	return found
}

func collectBlocks(v any) []any {
	var out []any
	var visit func(v any)
	visit = func(v any) {
		switch x := v.(type) {
		case map[string]any:
			if _, ok := x["anchor_line"]; ok {
				out = append(out, map[string]any{"anchor_line": x["anchor_line"], "start": x["start"], "end": x["end"]})
				return
			}
			for _, e := range x {
				visit(e)
			}
		case []any:
			for _, e := range x {
				visit(e)
			}
		}
	}
	visit(v)
	return out
}

func sameSet(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y any) bool { return reflect.DeepEqual(x, y) }) {
			return false
		}
	}
	return true
}

var headerRow = regexp.MustCompile(`(?m)^\[(.+)#([0-9A-F]{4})\]$`)

// note records the tags a result printed.
func (r *runner) note(res Result) {
	if r.last == nil {
		r.last = map[string]string{}
	}
	for _, m := range headerRow.FindAllStringSubmatch(res.Text, -1) {
		path, tag := m[1], m[2]
		r.last[path] = tag
		if !slices.Contains(r.tags[path], tag) {
			r.tags[path] = append(r.tags[path], tag)
		}
	}
}

var placeholder = regexp.MustCompile(`^\{\{(TAG|tag)(?:@(\d+))?:([^}]*)\}\}`)

func (r *runner) expandAll(v any) any {
	switch x := v.(type) {
	case string:
		return r.expand(x)
	case map[string]any:
		out := map[string]any{}
		for k, e := range x {
			out[k] = r.expandAll(e)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = r.expandAll(e)
		}
		return out
	}
	return v
}

// expand replaces placeholders, innermost texts of REPEAT and SEQ first.
func (r *runner) expand(s string) string {
	var b strings.Builder
	for s != "" {
		i := strings.Index(s, "{{")
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i:]
		if m := placeholder.FindStringSubmatch(s); m != nil {
			tag := r.last[m[3]]
			if m[2] != "" {
				k, _ := strconv.Atoi(m[2])
				tag = ""
				if k < len(r.tags[m[3]]) {
					tag = r.tags[m[3]][k]
				}
			}
			if m[1] == "tag" {
				tag = strings.ToLower(tag)
			}
			b.WriteString(tag)
			s = s[len(m[0]):]
			continue
		}
		if end := closing(s); end > 0 {
			if text, ok := r.repeat(s[2 : end-2]); ok {
				b.WriteString(text)
				s = s[end:]
				continue
			}
		}
		b.WriteString("{{")
		s = s[2:]
	}
	return b.String() + s
}

// closing is the offset past the }} that closes the {{ that s starts with.
func closing(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); {
		switch s[i : i+2] {
		case "{{":
			depth++
			i += 2
		case "}}":
			depth--
			i += 2
			if depth == 0 {
				// A brace that belongs to the text may stand before the two that close.
				for i < len(s) && s[i] == '}' {
					i++
				}
				return i
			}
		default:
			i++
		}
	}
	return 0
}

func (r *runner) repeat(s string) (string, bool) {
	kind, rest, _ := strings.Cut(s, ":")
	switch kind {
	case "REPEAT":
		n, text, ok := strings.Cut(rest, ":")
		k, err := strconv.Atoi(n)
		if !ok || err != nil {
			return "", false
		}
		return strings.Repeat(r.expand(text), k), true
	case "SEQ":
		a, rest, _ := strings.Cut(rest, ":")
		z, text, ok := strings.Cut(rest, ":")
		from, err1 := strconv.Atoi(a)
		to, err2 := strconv.Atoi(z)
		if !ok || err1 != nil || err2 != nil {
			return "", false
		}
		text = r.expand(text)
		var b strings.Builder
		for n := from; n <= to; n++ {
			b.WriteString(strings.ReplaceAll(text, "#", strconv.Itoa(n)))
		}
		return b.String(), true
	}
	return "", false
}
