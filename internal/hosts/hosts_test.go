package hosts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"putcut/refusal"
)

func options(t *testing.T) Options {
	return Options{Command: "/usr/bin/putcut", Args: []string{"mcp", "--root", "."}, Project: t.TempDir(), Home: t.TempDir()}
}

// TestEveryHost: every host gets a file of its kind, twice is once, and a dry
// run writes nothing.
func TestEveryHost(t *testing.T) {
	for _, name := range Names() {
		for _, user := range []bool{false, true} {
			o := options(t)
			o.Only = true
			if user {
				o.Project = ""
			}
			p, err := Render(name, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if name == "json" {
				want := "{\n  \"mcpServers\": {\n    \"putcut\": {\n      \"command\": \"/usr/bin/putcut\",\n      \"args\": [\n        \"mcp\",\n        \"--root\",\n        \".\"\n      ]\n    }\n  }\n}\n"
				if p.Text != want || len(p.Files) != 0 {
					t.Errorf("json: %q", p.Text)
				}
				continue
			}
			for _, f := range p.Files {
				if _, err := os.Stat(f.Path); err == nil || !f.Changed() {
					t.Errorf("%s: a dry run wrote %s", name, f.Path)
				}
				valid := json.Valid(f.After)
				if strings.HasSuffix(f.Path, ".toml") {
					valid = toml.Unmarshal(f.After, new(any)) == nil
				}
				if !valid || len(f.After) == 0 || f.After[len(f.After)-1] != '\n' {
					t.Errorf("%s: %s holds %s", name, f.Path, f.After)
				}
				under := o.Project
				if user {
					under = o.Home
				}
				if !strings.HasPrefix(f.Path, under+string(filepath.Separator)) {
					t.Errorf("%s: %s is not below %s", name, f.Path, under)
				}
			}
			if _, err := Install(name, o); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			again, err := Install(name, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, f := range again.Files {
				got, err := os.ReadFile(f.Path)
				if err != nil || f.Changed() || string(got) != string(p.Files[i].After) {
					t.Errorf("%s: %s is not what was rendered, or the second run changes it: %v", name, f.Path, err)
				}
			}
		}
	}
}

// TestKeepsWhatIsThere: comments, order, indentation and line ends of a file
// stay, and only the wanted member is new.
func TestKeepsWhatIsThere(t *testing.T) {
	type entry struct {
		C string `json:"command" toml:"command"`
	}
	for _, c := range []struct {
		name, before, after string
		e                   edit
	}{
		{
			name: "empty", before: "", e: edit{keys: []string{"a", "b"}, value: entry{"x"}},
			after: "{\n  \"a\": {\n    \"b\": {\n      \"command\": \"x\"\n    }\n  }\n}\n",
		},
		{
			name: "empty object", before: "{}\n", e: edit{keys: []string{"a"}, value: 1},
			after: "{\n  \"a\": 1\n}\n",
		},
		{
			name:   "comments and tabs",
			before: "// mine\n{\n\t\"theme\": \"dark\", // nice\n\t\"mcp\": {\n\t\t\"other\": {\"command\": \"y\"} // keep\n\t}\n\t// end\n}\n",
			e:      edit{keys: []string{"mcp", "putcut"}, value: entry{"x"}},
			after:  "// mine\n{\n\t\"theme\": \"dark\", // nice\n\t\"mcp\": {\n\t\t\"other\": {\"command\": \"y\"}, // keep\n\t\t\"putcut\": {\n\t\t\t\"command\": \"x\"\n\t\t}\n\t}\n\t// end\n}\n",
		},
		{
			name: "trailing comma", before: "{\n  \"a\": 1,\n}\n", e: edit{keys: []string{"b"}, value: 2},
			after: "{\n  \"a\": 1,\n  \"b\": 2,\n}\n",
		},
		{
			name: "one row, CRLF", before: "{\"a\": 1}\r\n", e: edit{keys: []string{"b"}, value: entry{"x"}},
			after: "{\"a\": 1,\r\n  \"b\": {\r\n    \"command\": \"x\"\r\n  }\r\n}\r\n",
		},
		{
			name: "an older entry", before: "{\"mcp\": {\"putcut\": {\"command\": \"old\"}, \"z\": 1}}", e: edit{keys: []string{"mcp", "putcut"}, value: entry{"x"}},
			after: "{\"mcp\": {\"putcut\": {\n      \"command\": \"x\"\n    }, \"z\": 1}}",
		},
		{
			name: "right already, in another order", before: "{\"mcp\":{\"putcut\":{ /* here */ \"command\":\"x\"}}}", e: edit{keys: []string{"mcp", "putcut"}, value: entry{"x"}},
			after: "{\"mcp\":{\"putcut\":{ /* here */ \"command\":\"x\"}}}",
		},
		{
			name: "list on one row", before: "{\"p\": {\"deny\": [\"A\"]}}\n", e: edit{keys: []string{"p", "deny"}, value: "B", list: true},
			after: "{\"p\": {\"deny\": [\"A\", \"B\"]}}\n",
		},
		{
			name: "list that has it", before: "{\"p\": {\"deny\": [\"B\" , \"A\"]}}\n", e: edit{keys: []string{"p", "deny"}, value: "B", list: true},
			after: "{\"p\": {\"deny\": [\"B\" , \"A\"]}}\n",
		},
		{
			name: "list in rows", before: "{\n  \"deny\": [\n    \"A\" // a\n  ]\n}\n", e: edit{keys: []string{"deny"}, value: "B", list: true},
			after: "{\n  \"deny\": [\n    \"A\", // a\n    \"B\"\n  ]\n}\n",
		},
		{
			name: "empty list", before: "{\"deny\": []}\n", e: edit{keys: []string{"deny"}, value: "B", list: true},
			after: "{\"deny\": [\"B\"]}\n",
		},
		{
			name: "toml, new", before: "", e: edit{toml: true, keys: []string{"mcp_servers", "putcut"}, value: entry{"x"}},
			after: "[mcp_servers.putcut]\ncommand = \"x\"\n",
		},
		{
			name: "toml, added", before: "model = \"m\" # mine\n\n[mcp_servers.a]\ncommand = \"y\"", e: edit{toml: true, keys: []string{"mcp_servers", "putcut"}, value: entry{"x"}},
			after: "model = \"m\" # mine\n\n[mcp_servers.a]\ncommand = \"y\"\n\n[mcp_servers.putcut]\ncommand = \"x\"\n",
		},
		{
			name:   "toml, replaced",
			before: "[mcp_servers.putcut] # old\ncommand = \"y\"\nargs = []\n\n# next\n[z]\na = 1\n", e: edit{toml: true, keys: []string{"mcp_servers", "putcut"}, value: entry{"x"}},
			after: "[mcp_servers.putcut]\ncommand = \"x\"\n\n# next\n[z]\na = 1\n",
		},
		{
			name: "toml, right already", before: "[mcp_servers]\nputcut = {command = \"x\"}\n", e: edit{toml: true, keys: []string{"mcp_servers", "putcut"}, value: entry{"x"}},
			after: "[mcp_servers]\nputcut = {command = \"x\"}\n",
		},
	} {
		set := func(src string) (string, error) {
			if c.e.toml {
				b, err := setTOML([]byte(src), c.e.keys, c.e.value)
				return string(b), err
			}
			b, err := setJSON([]byte(src), c.e)
			return string(b), err
		}
		got, err := set(c.before)
		if err != nil || got != c.after {
			t.Errorf("%s: %v\ngot  %q\nwant %q", c.name, err, got, c.after)
			continue
		}
		if again, err := set(got); err != nil || again != got {
			t.Errorf("%s: twice is not once: %v\n%q", c.name, err, again)
		}
		if !c.e.toml {
			if _, err := hujson.Parse([]byte(got)); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

// TestRefusals: what cannot be changed without a guess is left, with the text
// for the user.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ host, file, text, script string }{
		{"opencode", "opencode.json", `{"mcp": []}`, "\"enabled\": true"},
		{"opencode", "opencode.json", `{"permission": "allow"}`, "\"edit\": \"deny\""},
		{"opencode", "opencode.json", `{`, ""},
		{"cursor", ".cursor/mcp.json", `{"mcpServers": {}, "mcpServers": {}}`, "\"putcut\""},
		{"gemini-cli", ".gemini/settings.json", `{"tools": {"exclude": "replace"}}`, "\"replace\""},
		{"codex", ".codex/config.toml", "mcp_servers = {a = {command = \"y\"}}\n", "[mcp_servers.putcut]"},
		{"codex", ".codex/config.toml", "x = \n", ""},
	} {
		o := options(t)
		o.Only = true
		path := filepath.Join(o.Project, filepath.FromSlash(c.file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Install(c.host, o)
		e := refusal.As(err)
		if e == nil || e.Code != refusal.InvalidArgument || e.Path != path || !strings.Contains(e.Script, c.script) {
			t.Errorf("%s %s: %+v", c.host, c.text, err)
		}
		if got, _ := os.ReadFile(path); string(got) != c.text {
			t.Errorf("%s: the file is %q", c.host, got)
		}
	}
	if _, err := Render("emacs", options(t)); refusal.CodeOf(err) != refusal.InvalidArgument {
		t.Error(err)
	}
	if _, err := Render("codex", Options{}); refusal.CodeOf(err) != refusal.InvalidArgument {
		t.Error(err)
	}
}

// TestModeAndLink: a file keeps its mode, and a link leads on.
func TestModeAndLink(t *testing.T) {
	o := options(t)
	real := filepath.Join(t.TempDir(), "real.json")
	if err := os.WriteFile(real, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(o.Project, ".mcp.json")
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	if _, err := Install("claude-code", o); err != nil {
		t.Fatal(err)
	}
	fi, err := os.Stat(real)
	if err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", fi, err)
	}
	if l, err := os.Readlink(link); err != nil || l != real {
		t.Errorf("the link is %q %v", l, err)
	}
	if b, _ := os.ReadFile(real); !strings.Contains(string(b), "/usr/bin/putcut") {
		t.Errorf("%s", b)
	}
}

func FuzzSetJSON(f *testing.F) {
	f.Add("{\"a\": [1, 2,], // x\n}")
	f.Add("{\"p\":{\"d\":[\"B\"]}}")
	f.Fuzz(func(t *testing.T, src string) {
		for _, e := range []edit{
			{keys: []string{"p", "d"}, value: "B", list: true},
			{keys: []string{"a", "b"}, value: server(Options{Command: "c", Args: []string{"d"}})},
		} {
			out, err := setJSON([]byte(src), e)
			if err != nil {
				if refusal.As(err) == nil {
					t.Fatal(err)
				}
				continue
			}
			again, err := setJSON(out, e)
			if err != nil || string(again) != string(out) {
				t.Fatalf("twice is not once: %v\n%q\n%q", err, out, again)
			}
		}
	})
}

// TestGuide: what docs/hosts.md says to put into a host's files is what Install
// puts there with Only.
func TestGuide(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "hosts.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?ms)^```(json|toml)\n(.*?)^```$")
	for _, name := range Names() {
		title := Title(name)
		if name == "json" {
			title = "Any other host"
		}
		_, section, ok := strings.Cut(string(raw), "\n## "+title+"\n")
		if !ok {
			t.Errorf("%s has no section", title)
			continue
		}
		section, _, _ = strings.Cut(section, "\n## ")
		blocks := block.FindAllStringSubmatch(section, -1)
		if len(blocks) == 0 && strings.Contains(section, "as in the generic form") {
			continue
		}
		said := map[string]any{}
		for _, b := range blocks {
			merge(said, decode(t, b[1], []byte(b[2])))
		}
		o := options(t)
		o.Command, o.Only = "putcut", true
		if name == "vscode" { // which starts servers elsewhere
			o.Args[2] = "${workspaceFolder}"
		}
		p, err := Render(name, o)
		if err != nil {
			t.Fatal(err)
		}
		done := map[string]any{}
		if p.Text != "" {
			merge(done, decode(t, "json", []byte(p.Text)))
		}
		for _, f := range p.Files {
			merge(done, decode(t, strings.TrimPrefix(filepath.Ext(f.Path), "."), f.After))
		}
		if d := cmp.Diff(done, said); d != "" {
			t.Errorf("%s: installed (-), in the guide (+):\n%s", title, d)
		}
	}
}

func decode(t *testing.T, form string, raw []byte) map[string]any {
	t.Helper()
	out := map[string]any{}
	var err error
	if form == "toml" {
		err = toml.Unmarshal(raw, &out)
	} else {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		t.Fatalf("%v in:\n%s", err, raw)
	}
	return out
}

// merge puts the keys of one object into another, objects below included.
func merge(into, from map[string]any) {
	for k, v := range from {
		a, ok := into[k].(map[string]any)
		b, also := v.(map[string]any)
		if ok && also {
			merge(a, b)
			continue
		}
		into[k] = v
	}
}
