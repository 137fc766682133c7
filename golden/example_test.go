package golden_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"putcut/golden"
)

// shout is a front end with one tool, which writes a file in capitals.
type shout struct{ root string }

func (s shout) Call(_ context.Context, c golden.Call) (golden.Result, error) {
	if c.Tool != "write" {
		return golden.Result{Refused: true, Text: "EDIT_POLICY: I only write\n"}, nil
	}
	name := filepath.Join(s.root, c.Args["path"].(string))
	text := strings.ToUpper(c.Args["content"].(string))
	return golden.Result{Text: "done\n"}, os.WriteFile(name, []byte(text), 0o644)
}

func (s shout) Close() error { return nil }

// A scenario runs against any front end.
func ExampleScenario_Run() {
	s, err := golden.Parse([]byte(`A tool that shouts.

-- write n.txt absent --
one
two
-- want --
done
-- read n.txt --
-- refused EDIT_POLICY --
-- now n.txt --
ONE
two
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Name = "shout.txtar"
	report, err := s.Run(context.Background(), golden.Options{
		Open: func(_ context.Context, w golden.Workspace) (golden.FrontEnd, error) { return shout{w.Root}, nil },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(report.Diff())
	// Output:
	// shout.txtar:10: n.txt has other content
	//     @@ -1,2 +1,2 @@
	//      ONE
	//     -two
	//     +TWO
}

// TestReadmeExample: the archive in the description of the format passes.
func TestReadmeExample(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "```text\n")
	archive, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("there is no example")
	}
	s, err := golden.Parse([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	s.Name = "README.md"
	r, err := s.Run(context.Background(), golden.Options{TempDir: t.TempDir()})
	if err != nil || !r.OK() {
		t.Errorf("%v\n%s", err, r.Diff())
	}
}
