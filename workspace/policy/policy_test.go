package policy

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"putcut/refusal"
)

func parse(t *testing.T, text string) *Policy {
	t.Helper()
	p, err := Parse("/r/.putcut.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCheck(t *testing.T) {
	tests := []struct {
		policy string
		yes    string // paths, blank separated
		no     string
	}{
		{policy: ``, yes: "a src/a .x/y"},
		{policy: `read_only = ["vendor", "*.lock", "docs/api/**", "a/*/c"]`,
			yes: "a vendors/x src/a docs/api2 docs/x a/b/d a/b/x/c lock",
			no:  "vendor vendor/a vendor/a/b sub/vendor/x x.lock s/x.lock docs/api/x docs/api/y/z a/b/c a/b/c/d"},
		{policy: `generated = ["**/*.pb.go", "gen/"]`, yes: "a.go pb.go", no: "x.pb.go a/b/x.pb.go gen/x sub/gen/x"},
		{policy: `editable = ["src/**", "./README.md", "{a,b}/[x-z]"]`, yes: "src/a src/b/c README.md a/x b/z x/README.md", no: "a/a Makefile srcs/a c/x"},
		{policy: `editable = []`, no: "a a/b"},
		{policy: "editable = [\"src\"]\nread_only = [\"src/fixed\"]\n", yes: "src/a", no: "src/fixed src/fixed/x b"},
		{policy: `read_only = ["*"]`, no: "a a/b .x"},
		{policy: `read_only = ["été/*"]`, no: "été/a", yes: "ete/a"},
	}
	for _, tt := range tests {
		p := parse(t, tt.policy)
		for _, path := range strings.Fields(tt.yes) {
			if err := p.Check("/r/" + path); err != nil {
				t.Errorf("%s: %s: %v", tt.policy, path, err)
			}
		}
		for _, path := range strings.Fields(tt.no) {
			if err := p.Check("/r/" + path); !errors.Is(err, refusal.Policy) {
				t.Errorf("%s: %s: got %v", tt.policy, path, err)
			}
		}
		if err := p.Check("/other/vendor/x"); err != nil {
			t.Error(err)
		}
	}
	var none *Policy
	if err := none.Check("/r/a"); err != nil {
		t.Error(err)
	}
}

func TestMessages(t *testing.T) {
	p := parse(t, "editable = [\"src\"]\nread_only = [\"vendor/**\"]\ngenerated = [\"*.pb.go\"]\n")
	for path, want := range map[string]string{
		"vendor/a": "EDIT_POLICY: rejected, nothing was written. the rule `read_only = \"vendor/**\"` of /r/.putcut.toml covers this file. Edit",
		"a.pb.go":  "EDIT_POLICY: rejected, nothing was written. the rule `generated = \"*.pb.go\"` of /r/.putcut.toml covers this file; it is made by a program, so edit its source. Edit",
		"b":        "EDIT_POLICY: rejected, nothing was written. no pattern of `editable` in /r/.putcut.toml covers this file. Edit",
	} {
		err := p.Check("/r/" + path)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ text, at, what string }{
		{"editable = [\"a\"]\nread-only = []\n", "row 2", "`read-only` is no key"},
		{"\n\n[limits]\nops = 1\n  lines = 5\n", "row 5", "lines"},
		{"[other]\nx = 1\n", "row 1", "other"},
		{"ops = 3", "row 1", "ops"},
		{"read_only = \"vendor\"", "row 1", "list of patterns"},
		{"a = [\n", "row ", ""},
		{"x", "row 1", ""},
		{"generated = [\"ok\", 3]", "row 1", "each a string"},
		{"generated = [\n \"a\",\n \"[\"\n]", "row ", "\"[\" is no pattern"},
		{"read_only = [\"../x\"]", "row 1", "must not hold"},
		{"read_only = [\"/x\"]", "row 1", "relative"},
		{"read_only = [\"!x\"]", "row 1", "negated"},
		{"read_only = [\"\"]", "row 1", "no pattern"},
		{"structure = \"strict\"", "row 1", "\"repair\", \"warn\""},
		{"structure = 3", "row 1", "\"repair\", \"warn\""},
		{"[limits]\nops = 0", "row 2", "from 1"},
		{"[limits]\nfile_bytes = \"1M\"", "row 2", "from 1"},
		{"[limits]\nops = 1.5", "row 2", "from 1"},
		{"limits = 3", "", ""},
		{"editable = [\"a\"]\neditable = [\"b\"]", "row 2", ""},
		{"\"a\\\"b\" = 1", "", "is no key"},
		{"\xff", "", ""},
		{"a = 1\x00", "", ""},
	}
	for _, tt := range tests {
		_, err := Parse("/r/.putcut.toml", []byte(tt.text))
		if !errors.Is(err, refusal.Policy) {
			t.Errorf("%q: got %v", tt.text, err)
			continue
		}
		if msg := err.Error(); !strings.Contains(msg, tt.at) || !strings.Contains(msg, tt.what) ||
			!strings.HasPrefix(msg, "EDIT_POLICY: rejected, nothing was written. /r/.putcut.toml: the policy file is not valid") {
			t.Errorf("%q: %s", tt.text, msg)
		}
	}
}

func TestLimitsAndStructure(t *testing.T) {
	p := parse(t, "structure = \"warn\"\n[limits]\nfile_bytes = 1\nscript_bytes = 2\nops = 3\nfiles = 4\nexpanded_lines = 5\n")
	if p.Structure != "warn" || p.Limits != (Limits{1, 2, 3, 4, 5}) {
		t.Errorf("%+v", p)
	}
}

func TestFind(t *testing.T) {
	base := t.TempDir()
	deep := filepath.Join(base, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(dir, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, Name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := Find(deep); err != nil || p != nil && strings.HasPrefix(p.Path, base) {
		t.Errorf("%+v %v", p, err)
	}
	write(base, `read_only = ["b"]`)
	p, err := Find(deep)
	if err != nil || p.Path != filepath.Join(base, Name) {
		t.Fatalf("%+v %v", p, err)
	}
	if err := p.Check(filepath.Join(deep, "x")); !errors.Is(err, refusal.Policy) {
		t.Error(err)
	}
	write(deep, "")
	if p, err = Find(deep); err != nil || p.Path != filepath.Join(deep, Name) || p.Check(filepath.Join(deep, "x")) != nil {
		t.Errorf("%+v %v", p, err)
	}
	write(deep, "bad")
	if _, err = Find(deep); !errors.Is(err, refusal.Policy) {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "editable=[\"a\"]", "[limits]\nops=1", "x.y.z=1", "[[a]]", "read_only=[\"{a,[\"]", "\"\"=1", "a.\"b,c\"=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Parse("/r/.putcut.toml", []byte(s))
		if err != nil {
			if !errors.Is(err, refusal.Policy) {
				t.Fatalf("%v", err)
			}
			return
		}
		p.Check("/r/a/b")
	})
}
