package parser

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"putcut/refusal"
)

var update = flag.Bool("update", false, "rewrite the outcomes in README.md")

// TestDecisions runs the tables of README.md.
func TestDecisions(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(string(page), "\n")
	ran := 0
	for i, row := range rows {
		cells := strings.Split(row, " | ")
		if len(cells) < 3 || !strings.HasPrefix(row, "| ") || cells[0] == "| case" {
			continue
		}
		script, err := strconv.Unquote(strings.Trim(cells[2], "`"))
		if err != nil {
			t.Errorf("README.md:%d: %s is no Go string", i+1, cells[2])
			continue
		}
		ran++
		want := "| " + strings.TrimPrefix(cells[0], "| ") + " | " + cells[1] + " | " + cells[2] + " | " + outcome(cells[1], script) + " |"
		if row == want {
			continue
		}
		if *update {
			rows[i] = want
			continue
		}
		t.Errorf("README.md:%d:\n got %s\nwant %s", i+1, want, row)
	}
	if ran < 100 {
		t.Errorf("ran %d rows only", ran)
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(strings.Join(rows, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func outcome(tool, script string) string {
	parse := Parse
	if tool == "edit" {
		parse = ParseOps
	}
	res, err := parse(script, Limits{})
	if err != nil {
		e := refusal.As(err)
		s := string(e.Code)
		if e.Script != "" {
			s += " " + goString(e.Script)
		}
		return s
	}
	s := goString(Format(res.Script))
	seen := map[refusal.WarningCode]bool{}
	for _, w := range res.Warnings {
		if !seen[w.Code] {
			s += " " + string(w.Code)
		}
		seen[w.Code] = true
	}
	return s
}

var tableEscapes = strings.NewReplacer("`", `\x60`, "|", `\x7c`)

func goString(s string) string { return "`" + tableEscapes.Replace(strconv.Quote(s)) + "`" }
