//go:build !cgo

package blocks

import (
	"context"
	"testing"

	"putcut/text"
)

// A build without cgo says so of the languages that need it, and goes on with
// the others.
func TestWithoutCgo(t *testing.T) {
	for _, c := range []struct{ lang, src, want string }{
		{"", "a {\n}\n", "the language of the file is unknown, so blocks are unsupported in it"},
		{"cobol", "a {\n}\n", "blocks are unsupported in cobol"},
		{"go", "func f() {\n}\n", "this build has no parser for go, because it was made without cgo"},
		{"jsonc", "{\n}\n", "this build has no parser for jsonc, because it was made without cgo"},
		{"markdown", "# A\n\nb\n", ""},
		{"make", "all:\n\techo\n", ""},
		{"xml", "<a>\n</a>\n", ""},
		{"protobuf", "message A {\n}\n", ""},
	} {
		e := New(Options{})
		tr, err := e.Parse(context.Background(), c.lang, text.FromBody([]byte(c.src), text.Format{}))
		if err != nil {
			t.Fatal(err)
		}
		if got := tr.Unparsed(); got != c.want || Supported(c.lang) != (c.want == "") {
			t.Errorf("%s: %q, supported %v", c.lang, got, Supported(c.lang))
		}
		if sp, err := tr.Span(1); (err == nil) != (c.want == "") || err == nil && sp.End < 2 {
			t.Errorf("%s: line 1 is %v, %v", c.lang, sp, err)
		}
		e.Close()
	}
}
