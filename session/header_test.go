package session_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"putcut/session"
)

// A .h with C++ in it, however far down, has the blocks of C++; one that only
// guards C++ has those of C.
func TestHeaders(t *testing.T) {
	licence := strings.Repeat("// Nobody may read this far, and many do all the same.\n", 20)
	const class = "namespace a {\nclass B {\n public:\n  int f() {\n    return 1;\n  }\n  int g;\n};\n}\n"
	const guarded = "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(int class) {\n  return class;\n}\n"
	s, root := open(t, session.Options{}, map[string]string{"b.h": licence + class, "c.h": licence + guarded})

	o, err := s.Outline(ctx, session.OutlineRequest{Path: "b.h"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range o.Declarations {
		names = append(names, d.Kind+" "+d.Name)
	}
	if d := cmp.Diff([]string{"namespace a", "class a::B", "function a::B::f"}, names); d != "" || o.Language != "cpp" {
		t.Error(o.Language, d)
	}
	if o, err := s.Outline(ctx, session.OutlineRequest{Path: "c.h"}); err != nil || o.Language != "c" {
		t.Error(o.Language, err)
	}

	r := edit(t, s, "b.h", string(read(t, s, "b.h", "").Tag), "CUT 24*")
	if got, want := get(t, root, "b.h"), licence+"namespace a {\nclass B {\n public:\n  int g;\n};\n}\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if d := cmp.Diff([]session.BlockSpan{{AnchorLine: 24, Start: 24, End: 26, Op: "CUT 24*"}}, r.Files[0].Blocks); d != "" {
		t.Error(d)
	}
	edit(t, s, "c.h", string(read(t, s, "c.h", "").Tag), "PUT 24*:\n+int f(int class);")
	if got, want := get(t, root, "c.h"), licence+"#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(int class);\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
