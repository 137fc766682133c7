package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"putcut/dialects"
	"putcut/refusal"
)

// adviceRow begins the row that says which command cures a refusal.
const adviceRow = "in a shell: "

// advise is the command that somebody at a shell runs after a refusal, as a row
// of its own, since refusals name the tools of a host; "" when there is none to
// name. It works in the place in which the refused command did.
func advise(cmd *cobra.Command, e *refusal.Error) string {
	if e == nil || e.Script != "" { // a script goes to the end
		return ""
	}
	var words []string
	switch e.Code {
	case refusal.ForeignFormat:
		format := formatNamed(e.What)
		if cmd.Name() != "apply" || format == "" {
			return ""
		}
		words = append([]string{"convert", "--from", string(format), "--apply"}, cmd.Flags().Args()...)
	case refusal.TagRequired, refusal.TagUnknown, refusal.TagMismatch:
		if e.Path == "" || showsRows(e) {
			return ""
		}
		if words = []string{"read", e.Path}; e.Path[0] == '-' {
			words[1] = "./" + e.Path // no flag
		}
	default:
		return ""
	}
	for _, flag := range []string{"root", "session"} {
		if f := cmd.Flags().Lookup(flag); f == nil || !f.Changed {
			continue
		}
		if list, err := cmd.Flags().GetStringArray(flag); err == nil {
			for _, v := range list {
				words = append(words, "--"+flag, v)
			}
		} else if v, err := cmd.Flags().GetString(flag); err == nil {
			words = append(words, "--"+flag, v)
		}
	}
	for i, w := range words {
		words[i] = shellWord(w)
	}
	return fmt.Sprintf("%sputcut %s\n", adviceRow, strings.Join(words, " "))
}

func showsRows(e *refusal.Error) bool {
	for _, x := range e.Excerpts {
		if len(x.Rows) > 0 {
			return true
		}
	}
	return false
}

// formatNamed is the format that `convert` knows by what a refusal calls it.
func formatNamed(what string) dialects.Format {
	for _, f := range []struct {
		name   string
		format dialects.Format
	}{
		{"a unified diff", dialects.UnifiedDiff},
		{"an apply_patch patch", dialects.ApplyPatch},
		{"a SEARCH/REPLACE block", dialects.SearchReplace},
		{"a JSON edit object", dialects.Replacements},
		{"a whole file in a fence", dialects.WholeFile},
	} {
		if strings.HasPrefix(what, "this is "+f.name+" (") {
			return f.format
		}
	}
	return ""
}

// shellWord is a word as a shell takes it.
func shellWord(w string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-+=./:,@%", r)
	}
	if w != "" && strings.TrimFunc(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
