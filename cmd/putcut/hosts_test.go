package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"putcut/internal/hosts"
)

// flagRow is a row of a command's help that explains a flag.
var flagRow = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)`)

// TestHostsGuide: the guide names every host and explains every flag of the
// server and of its installer, and no other.
func TestHostsGuide(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "hosts.md"))
	if err != nil {
		t.Fatal(err)
	}
	guide := string(raw)
	for _, name := range hosts.Names() {
		if !strings.Contains(guide, "`"+name+"`") {
			t.Errorf("the host %s is not named", name)
		}
	}
	s := &Streams{}
	for title, cmd := range map[string]*cobra.Command{"mcp": NewCmdMCP(s), "mcp install": NewCmdMCPInstall(s)} {
		_, table, ok := strings.Cut(guide, "\n| flag of `"+title+"` | does |\n|---|---|\n")
		if !ok {
			t.Errorf("there is no table of the flags of %s", title)
			continue
		}
		table, _, _ = strings.Cut(table, "\n\n")
		for _, f := range flagRow.FindAllStringSubmatch(cmd.Flags().FlagUsages(), -1) {
			row := "| `--" + f[1]
			if n := strings.Count(table, row+" ") + strings.Count(table, row+"`"); n != 1 {
				t.Errorf("--%s of %s has %d rows", f[1], title, n)
			}
		}
		for row := range strings.Lines(table) {
			flag, _, _ := strings.Cut(strings.TrimPrefix(row, "| `--"), "`")
			name, _, _ := strings.Cut(flag, " ")
			if cmd.Flags().Lookup(name) == nil {
				t.Errorf("%s has no flag --%s", title, name)
			}
		}
	}
}
