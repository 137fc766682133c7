package parser

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func seeds(f *testing.F) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, row := range strings.Split(string(page), "\n") {
		if cells := strings.Split(row, " | "); len(cells) > 2 {
			if s, err := strconv.Unquote(strings.Trim(cells[2], "`")); err == nil {
				f.Add(s)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src string) { checkParse(t, src, false) })
}

func FuzzParseOps(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src string) { checkParse(t, src, true) })
}

// FuzzBody: whatever the bytes of a row, with `+` in front they are its content.
func FuzzBody(f *testing.F) {
	f.Add("x\n\ny\r")
	f.Add("PUT 2.=3:\n[a#1A2B]\n*** End Patch\n```")
	f.Fuzz(func(t *testing.T, text string) {
		rows := strings.Split(text, "\n")
		src := "PUT >$:\n"
		for _, r := range rows {
			src += "+" + r + "\r\n"
		}
		res, err := ParseOps(src, Limits{})
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		got := res.Script.Sections[0].Ops[0].Rows
		if strings.Join(got, "\n") != text || len(got) != len(rows) {
			t.Fatalf("%q: got %q", src, got)
		}
	})
}
