package search_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"putcut/workspace/search"
)

func ExampleQuery_Run() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, content := range map[string]string{
		"a.txt":      "one\ntwo\n",
		"b.txt":      "two\nthree\ntwo\n",
		"built.txt":  "two\n",
		".gitignore": "built.*\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()

	q, err := search.Compile(search.Options{Pattern: "^two$", Glob: "*.txt"})
	if err != nil {
		log.Fatal(err)
	}
	report, err := q.Run(context.Background(), root, "", func(f search.File) error {
		for _, n := range f.Matches {
			fmt.Printf("%s %d:%s\n", f.Path, n, f.Text.Line(n))
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Files, "files,", report.Matched, "matched,", report.Ignored, "ignored")
	// Output:
	// a.txt 2:two
	// b.txt 1:two
	// b.txt 3:two
	// 2 files, 2 matched, 1 ignored
}
