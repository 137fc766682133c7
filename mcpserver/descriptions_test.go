package mcpserver

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"putcut/workspace"
)

var update = flag.Bool("update", false, "write descriptions/*.txt from testdata/descriptions")

// TestDescriptions makes the descriptions of the tools from their templates, in
// which examples are run by the engine, and compares them with those that are
// built in. In a template
//
//	@file NAME … @end    makes a file and prints what read prints of it
//	@ops … @end          must be accepted on the last file; printed as it is
//	@ops result … @end   the same, with the result
//	@script … @end       the same for a patch; #TAG stands for each file's tag
//	@bad … @end          must be refused; printed with the code and the reason
func TestDescriptions(t *testing.T) {
	names, err := filepath.Glob("testdata/descriptions/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no templates", err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := expandTemplate(t, string(raw))
		out := filepath.Join("descriptions", filepath.Base(name))
		if *update {
			if err := os.WriteFile(out, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want, _ := os.ReadFile(out); string(want) != got {
			t.Errorf("%s is not what the engine makes of its template; run the test with -update", out)
		}
	}
}

var directive = regexp.MustCompile(`(?ms)^@(file|ops|script|bad)( \S+)?\n(.*?)^@end\n`)

func expandTemplate(t *testing.T, template string) string {
	files := map[string]string{}
	last := ""
	fresh := func() (*client, map[string]string) {
		c := inMemory(t, newServer(t, folder(t, files), func(o *Options) { o.Session.Workspace.Durability = workspace.Full }))
		tags := map[string]string{}
		for name := range files {
			tags[name] = tagIn(t, c.ok("read", args{"path": name}), name)
		}
		return c, tags
	}
	return directive.ReplaceAllStringFunc(template, func(m string) string {
		sub := directive.FindStringSubmatch(m)
		kind, arg, body := sub[1], strings.TrimSpace(sub[2]), sub[3]
		switch kind {
		case "file":
			files[arg], last = body, arg
			c, _ := fresh()
			return c.ok("read", args{"path": arg})
		case "bad":
			c, tags := fresh()
			res := c.call("edit", args{"path": last, "tag": tags[last], "ops": body})
			if !res.IsError {
				t.Fatalf("the anti-example was accepted:\n%s", body)
			}
			code, _, _ := strings.Cut(textOf(res), ":")
			return body + "→ " + code + "\n"
		}
		c, tags := fresh()
		var text string
		if kind == "script" {
			body = regexp.MustCompile(`\[(.*)#TAG\]`).ReplaceAllStringFunc(body, func(h string) string {
				name := strings.TrimSuffix(h[1:], "#TAG]")
				return "[" + name + "#" + tags[name] + "]"
			})
			text = c.ok("patch", args{"script": body})
		} else {
			text = c.ok("edit", args{"path": last, "tag": tags[last], "ops": body})
		}
		if strings.Contains(text, "warning") {
			t.Fatalf("the example is answered with a warning:\n%s\n%s", body, text)
		}
		if arg == "result" {
			body += "Result:\n" + text
		}
		return body
	})
}

// TestListSize bounds what every conversation pays for the tools.
func TestListSize(t *testing.T) {
	for _, prefix := range []string{"", "putcut_"} {
		c := inMemory(t, newServer(t, folder(t, nil), func(o *Options) { o.Prefix, o.Structured = prefix, true }))
		res, err := c.cs.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(res); err != nil {
			t.Fatal(err)
		}
		t.Logf("tools/list: %d bytes", b.Len())
		// HTML escapes are how the SDK may spell < and > on the wire.
		wire, _ := json.Marshal(res)
		if b.Len() > 10_000 || len(wire) > 10_000 {
			t.Errorf("tools/list takes %d bytes (%d with escapes), and 10,000 is the limit", b.Len(), len(wire))
		}
		var names []string
		for _, tool := range res.Tools {
			names = append(names, tool.Name)
			if strings.Contains(tool.Description, "{") && strings.Contains(tool.Description, "}") {
				t.Errorf("a name was not put in: %s", tool.Description)
			}
			if tool.OutputSchema != nil {
				t.Errorf("%s has an output schema", tool.Name)
			}
			checkFlat(t, tool.Name, tool.InputSchema)
		}
		want := "edit grep outline patch read undo write"
		if got := strings.ReplaceAll(strings.Join(names, " "), prefix, ""); got != want {
			t.Errorf("tools are %s, want %s", got, want)
		}
	}
}

// checkFlat refuses schemas that some host cannot pass on.
func checkFlat(t *testing.T, name string, schema any) {
	t.Helper()
	raw, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf", "$ref", `"null"`, `"array"`, "additionalProperties"} {
		if bytes.Contains(raw, []byte(word)) {
			t.Errorf("the schema of %s has %s", name, word)
		}
	}
	var s struct {
		Type       string
		Properties map[string]struct{ Type string }
	}
	if err := json.Unmarshal(raw, &s); err != nil || s.Type != "object" {
		t.Fatalf("%s: %s", name, raw)
	}
	if _, ok := s.Properties["session"]; !ok {
		t.Errorf("%s takes no session", name)
	}
	for p, v := range s.Properties {
		if v.Type != "string" && v.Type != "integer" && v.Type != "boolean" {
			t.Errorf("%s.%s is of type %q", name, p, v.Type)
		}
	}
}
