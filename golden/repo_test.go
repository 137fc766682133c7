package golden_test

import (
	"context"
	"flag"
	"testing"

	"putcut/golden"
)

var update = flag.Bool("update", false, "rewrite the expectations of the repository's scenarios")

// TestRepository runs every scenario of the repository through the library.
func TestRepository(t *testing.T) {
	reports, err := golden.RunDir(context.Background(), "../testdata", golden.Options{TempDir: t.TempDir(), Update: *update})
	steps := 0
	for _, r := range reports {
		steps += len(r.Steps)
		if !r.OK() {
			t.Error(r.Diff())
		}
		if r.Skipped != "" {
			t.Errorf("%s: skipped: %s", r.Name, r.Skipped)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d scenarios, %d steps", len(reports), steps)
}
