package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"putcut/session"
)

// encodingLabels are the labels that completion offers; more are known.
var encodingLabels = []string{
	"utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1251", "windows-1250", "iso-8859-2",
	"iso-8859-15", "koi8-r", "macintosh", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "gbk", "gb18030", "big5",
}

func completeDirs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeOneScript completes the name of a script, which is relative to the
// current directory whatever the root is.
func completeOneScript(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// completeFiles completes paths relative to the first root.
func (p *place) completeFiles(_ *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(p.roots) == 0 || filepath.IsAbs(toComplete) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	dir, base := filepath.Split(toComplete)
	entries, err := os.ReadDir(filepath.Join(p.roots[0], dir))
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || strings.HasPrefix(name, ".") && base == "" {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		out = append(out, dir+name)
	}
	return out, cobra.ShellCompDirectiveNoSpace
}

// completeExpect completes what `write` may expect of a file: that it is
// absent, or its tag.
func (p *place) completeExpect(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	const done = cobra.ShellCompDirectiveNoFileComp
	if len(args) == 0 {
		return []string{"absent"}, done
	}
	s, err := session.Open(p.dirs(), session.Options{Detached: true})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer s.Close()
	res, err := s.Mint(cmd.Context(), args[0], "")
	if err != nil {
		return []string{"absent"}, done
	}
	return []string{string(res.Tag)}, done
}

// completeSessions completes the names of sessions that are kept, and folders
// once a slash is typed.
func completeSessions(_ *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if strings.ContainsRune(toComplete, '/') {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	kept, _ := session.ListKept("")
	out := make([]string, len(kept))
	for i, k := range kept {
		out[i] = k.Name
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeCalls completes ids of calls, each with what it did.
func (p *place) completeCalls(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	const done = cobra.ShellCompDirectiveNoFileComp
	dir, err := p.folder()
	if err != nil || dir == "" || len(args) > 0 {
		return nil, done
	}
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		return nil, done // completing must not make a session
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), time.Second)
	defer cancel()
	s, err := session.OpenDir(ctx, p.dirs(), p.named(), session.Options{})
	if err != nil {
		return nil, done
	}
	defer s.Close()
	calls := s.Calls()
	out := make([]string, len(calls))
	for i, c := range calls {
		out[len(calls)-1-i] = c.ID + "\t" + fileRow(c.Files[0])
	}
	return out, done
}
