package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadme runs the console blocks of the README and of the guide to other
// formats, each in order in one folder, and compares what they print. -update
// rewrites them.
//
// A console block holds commands after `$ `, with continuation rows after
// `> `, and below each what it prints, both streams.
func TestReadme(t *testing.T) {
	for file, session := range map[string]string{"README.md": "tour", "docs/formats.md": ""} {
		t.Run(file, func(t *testing.T) { runBlocks(t, filepath.Join("..", "..", filepath.FromSlash(file)), session) })
	}
}

func runBlocks(t *testing.T, name, session string) {
	readme, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin, work, state := t.TempDir(), t.TempDir(), t.TempDir()
	// The test binary is the program when it is called by that name.
	if err := os.Symlink(self, filepath.Join(bin, "putcut")); err != nil {
		t.Fatal(err)
	}
	run := func(command string) string {
		cmd := exec.Command("bash", "-c", command)
		cmd.Dir = work
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
			"XDG_STATE_HOME="+state, "HOME="+state, "NO_COLOR=1", "PUTCUT_SESSION="+session)
		out, _ := cmd.CombinedOutput() // refusals exit 1 and are shown as well
		return string(out)
	}
	blocks := 0
	got := regexp.MustCompile("(?ms)^```console\n(.*?)^```$").ReplaceAllFunc(readme, func(block []byte) []byte {
		blocks++
		var b strings.Builder
		rows := strings.Split(strings.TrimSuffix(strings.TrimPrefix(string(block), "```console\n"), "```"), "\n")
		for i := 0; i < len(rows); i++ {
			command, ok := strings.CutPrefix(rows[i], "$ ")
			if !ok {
				continue // what it printed before
			}
			b.WriteString(rows[i] + "\n")
			for i+1 < len(rows) && strings.HasPrefix(rows[i+1], "> ") {
				i++
				command += "\n" + strings.TrimPrefix(rows[i], "> ")
				b.WriteString(rows[i] + "\n")
			}
			b.WriteString(run(command))
		}
		return []byte("```console\n" + b.String() + "```")
	})
	if blocks == 0 {
		t.Fatal("there is no console block")
	}
	if bytes.Equal(got, readme) {
		return
	}
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(want, got, 0o644); err != nil {
		t.Fatal(err)
	}
	diff, _ := exec.Command("diff", "-u", name, want).CombinedOutput()
	t.Errorf("it shows what the program does not print:\n%s", diff)
}
