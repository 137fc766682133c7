package golden_test

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"putcut/golden"
	"putcut/refusal"
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

// TestEveryCodeHasAScenario: each code that a single process without other
// edit formats can raise is pinned with its text in a scenario of its name.
func TestEveryCodeHasAScenario(t *testing.T) {
	elsewhere := map[string]string{
		string(refusal.SessionUnknown): "raised by the server, which keeps several sessions",
		string(refusal.TextNotFound):   "raised by other edit formats",
		string(refusal.TextAmbiguous):  "raised by other edit formats",
		string(refusal.IO):             "needs an operating system that refuses",
		string(refusal.Rewritten):      "needs something that runs between the write and the reading back",
		string(refusal.NotDurable):     "needs a file system that does not sync folders",
	}
	has := func(name, row string) {
		data, err := os.ReadFile(name)
		switch {
		case err != nil:
			t.Errorf("no scenario: %v", err)
		case !strings.Contains(string(data), "\n"+row):
			t.Errorf("%s does not pin %q", name, row)
		}
	}
	for _, c := range []refusal.Code{
		refusal.InvalidArgument, refusal.TagRequired, refusal.TagUnknown, refusal.SessionUnknown, refusal.TagMismatch, refusal.LinesUnseen,
		refusal.ParseFailed, refusal.ForeignFormat, refusal.BodySuspect, refusal.RangeInvalid, refusal.BlockUnresolved,
		refusal.RegisterEmpty, refusal.RegisterAmbiguous, refusal.RepairAmbiguous, refusal.Syntax, refusal.NoChange,
		refusal.AlreadyApplied, refusal.NotFound, refusal.Exists, refusal.NotRegular, refusal.Binary, refusal.Encoding,
		refusal.TooLarge, refusal.RevisionMismatch, refusal.TextNotFound, refusal.TextAmbiguous, refusal.Conflict, refusal.Limit,
		refusal.Policy, refusal.OutsideWorkspace, refusal.IO,
	} {
		if elsewhere[string(c)] == "" {
			has("../testdata/refusals/"+string(c)+golden.Ext, string(c)+": rejected, nothing was written\n")
		}
	}
	for _, w := range []refusal.WarningCode{
		refusal.Spelling, refusal.BodyUnprefixed, refusal.RowIsOp, refusal.Echo, refusal.Indent, refusal.Split, refusal.Escapes, refusal.Repaired, refusal.SyntaxErrors,
		refusal.Drift, refusal.Remapped, refusal.FinalNewline, refusal.PathRebound, refusal.OpNoChange, refusal.Stripped, refusal.InPlace,
		refusal.Rewritten, refusal.NotDurable,
	} {
		if elsewhere[string(w)] == "" {
			has("../testdata/warnings/"+string(w)+golden.Ext, "warning "+string(w)+": ")
		}
	}
}
