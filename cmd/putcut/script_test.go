package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"putcut/blocks"
)

var update = flag.Bool("update", false, "rewrite the expected outputs of the scripts")

func TestMain(m *testing.M) {
	blocks.WorkerMain() // the program starts itself again to parse
	testscript.Main(m, map[string]func(){"putcut": main})
}

// TestScript runs the program as its users do. The scripts are archives: files,
// commands, and the exact output. -update rewrites the outputs.
func TestScript(t *testing.T) {
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	// The demonstration builds a package; without the caches it would build the
	// standard library first.
	caches, _ := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			env.Setenv("REPO", repo)
			if dirs := strings.Fields(string(caches)); len(dirs) == 2 {
				env.Setenv("GOCACHE", dirs[0])
				env.Setenv("GOMODCACHE", dirs[1])
			}
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			// Files that the outputs are compared with lie beside the root.
			env.Cd = filepath.Join(env.WorkDir, "w")
			return os.MkdirAll(env.Cd, 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
			"bytes": writeBytes,
		},
	})
}

// exits runs a command and compares its exit code: exits CODE COMMAND ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if neg || code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// writeBytes writes a file of any bytes: bytes FILE 'GO STRING LITERAL' [TIMES]
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	s, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	if len(args) > 2 {
		n, err := strconv.Atoi(args[2])
		ts.Check(err)
		s = strings.Repeat(s, n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(s), 0o644))
}
