package session_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"putcut/refusal"
	"putcut/session"
)

// A read prints lines under a tag; an edit names them and gives new content.
func Example() {
	ctx, dir := context.Background(), exampleDir()
	defer os.RemoveAll(dir)
	s, err := session.Open([]string{dir}, session.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	page, err := s.Read(ctx, session.ReadRequest{Path: "greet.go"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(page.Text())
	res, err := s.Edit(ctx, session.EditRequest{
		Path: "greet.go", Tag: string(page.Tag),
		Ops: "PUT 4.=4:\n+\treturn \"hello, \" + name\n",
	})
	if err != nil {
		log.Fatal(session.ErrorText(err))
	}
	fmt.Print(res.Text())
	// Output:
	// [greet.go#C63C]
	// 1:package greet
	// 2:
	// 3:func Greet(name string) string {
	// 4:	return "hi " + name
	// 5:}
	// [greet.go#F4E4]
	// modified: +1 -1 lines
	// PUT 4.=4: old line 4 → new line 4
	// 2:
	// 3:func Greet(name string) string {
	// 4:	return "hello, " + name
	// 5:}
	// -4:	return "hi " + name
	// numbers read under #C63C stay good with #C63C
	// call c1
}

// A refusal is data: its code says what a program can do, its fields hold what
// a retry needs, and ErrorText is the form for a model.
func ExampleSession_Edit_refused() {
	ctx, dir := context.Background(), exampleDir()
	defer os.RemoveAll(dir)
	s, err := session.Open([]string{dir}, session.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	page, err := s.Read(ctx, session.ReadRequest{Path: "greet.go", Ranges: "1-3"})
	if err != nil {
		log.Fatal(err)
	}
	_, err = s.Edit(ctx, session.EditRequest{Path: "greet.go", Tag: string(page.Tag), Ops: "CUT 4.=4"})
	fmt.Println(errors.Is(err, refusal.LinesUnseen))
	fmt.Print(session.ErrorText(err))
	// Output:
	// true
	// EDIT_LINES_UNSEEN: rejected, nothing was written
	// greet.go: line 4 was not displayed under #C63C.
	// [greet.go#C63C]
	// 4:	return "hi " + name
	// next: They are shown above and count as displayed now: if the edit is still right, send the same call again.
}

// A plan has passed every gate and is not yet written: show it, ask, commit.
func ExampleSession_PlanPatch() {
	ctx, dir := context.Background(), exampleDir()
	defer os.RemoveAll(dir)
	s, err := session.Open([]string{dir}, session.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	page, err := s.Read(ctx, session.ReadRequest{Path: "greet.go"})
	if err != nil {
		log.Fatal(err)
	}
	plan, err := s.PlanPatch(ctx, session.PatchRequest{Script: fmt.Sprintf(`[greet.go#%s]
CUT 3* @greet
[new.go#NEW]
PUT >$:
+package greet
`, page.Tag)})
	if err != nil {
		log.Fatal(session.ErrorText(err))
	}
	for _, f := range plan.Result().Files {
		fmt.Printf("would be %s: %s, +%d -%d\n", f.Kind, f.Path, f.Added, f.Removed)
	}
	res, err := plan.Commit(ctx)
	if err != nil {
		log.Fatal(session.ErrorText(err))
	}
	fmt.Println(res.Call, len(res.Files), "files")
	// Output:
	// would be modified: greet.go, +0 -3
	// would be created: new.go, +1 -0
	// c1 2 files
}

func exampleDir() string {
	dir, err := os.MkdirTemp("", "example")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "greet.go"), []byte("package greet\n\nfunc Greet(name string) string {\n\treturn \"hi \" + name\n}\n"), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
	return dir
}
