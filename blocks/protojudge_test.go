package blocks

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	pparser "github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/reporter"
)

// modelErrors are where a compiler's parser reports errors; ok is false when
// the parser fails.
func modelErrors(src []byte) (at []int, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	h := reporter.NewHandler(reporter.NewReporter(func(e reporter.ErrorWithPos) error {
		at = append(at, e.GetPosition().Offset)
		return nil
	}, nil))
	if _, err := pparser.Parse("", bytes.NewReader(src), h); err != nil && len(at) == 0 && len(bytes.TrimSpace(src)) > 0 {
		at = append(at, 0)
	}
	slices.Sort(at)
	return slices.Compact(at), true
}

const protoSample = `// A file with everything.
syntax = "proto2" 'x';
import public "a.proto"; import weak "b.proto";;
package a.syntax.c;
option java_package = "x" "y\n\x41\101\u00e9";
option (a.b).c.(.d.e) = { a: 1, b { c: -inf; d: [1, -2.5e3, FOO, {x: 1}] } [a.b/c.d]: "x" [e.f] < g: 'h' > i [{}, <>] };
message M {
  ;;
  required int32 a = 1 [default = -1, (x).y = {z: true}, json_name = "q"];
  optional .a.M message = 0x1F;
  repeated group G = 010 { optional bytes x = 1; };
  map<string, .a.b.C> m = 3;
  map map = 4;
  oneof o { option x = 1; string s = 5; group H = 6 { } a.b t = 7 [deprecated = true]; }
  extensions 100 to 200, 300, 1000 to max [verification = DECLARATION];
  extensions 5;
  reserved 1, 2 to 3; reserved "a" "b", 'c'; reserved d, e;
  enum E { option allow_alias = true; A = 0; none = -1 [x = 1e9]; reserved -5 to -1, 7 to max; reserved "F"; to = 3; }
  message N { extend M { optional int32 e = 1; repeated group K = 2 { } } }
  stream rpc = 9;
}
extend .a.M { string y = 126 [x = .5]; }
service S {
  option x = nan;
  rpc A(stream .a.M) returns (stream a.M) { option (google.api.http).get = "x"; ; }
  rpc B(M) returns (M);
  rpc stream(M) returns (M) {};
}
`

// TestProtoJudge: the judge accepts what the model accepts, and finds the first
// error where the model finds it, in texts with one mistake or a few.
func TestProtoJudge(t *testing.T) {
	check := func(src string) {
		t.Helper()
		want, ok := modelErrors([]byte(src))
		if !ok {
			return
		}
		got := protoErrors([]byte(src))
		if (len(want) == 0) != (len(got) == 0) || len(want) > 0 && want[0] != got[0] {
			t.Fatalf("errors at %v, and the model has %v, of %q", got, want, src)
		}
	}
	if errs := protoErrors([]byte(protoSample)); errs != nil {
		t.Fatalf("errors in the sample at %v", errs)
	}
	for _, src := range []string{"", ";", "// x", "/* x", "syntax = \"proto3\";", "syntax = \"proto3\";;", "edition = '2023';\nmessage A {}", "; syntax = 'x';", "}", "message A {", "message A {}}",
		"option a = '\\q';", "option a = '\\400';", "option a = '\\u12';", "option a = '\\U00110000';", "option a = 'x", "option a = '\x00';", "option a = 08;", "option a = 1_0;", "option a = 1e;",
		"option a = 99999999999999999999;", "option a = 0xg;", "option a = 1.5e+3;", "option a = 1+1;", "option a. = 1;", "package a.;", "message A { a.b. c = 1; }", "message A { a b = 1 []; }",
		"message A { a b = 1 [c]; }", "message A { a b = 1 [c = 1,]; }", "option a = {b: -x};", "option a = {b: [[1]]};", "option a = -x;", "extend A { a b; }", "extend A { a b = 1;; }", "service A { rpc B(stream) returns (C); }",
		"message A { optional group B { } }", "enum A { option x = 1; reserved a; B = 1 }", "\xff", "message é {}", "option a = {b: 1 c: 2,, d: 3};", "message A { a b = 1 c d = 2; }"} {
		check(src)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	tokens, _ := protoTokens([]byte(protoSample))
	piece := func(t protoToken) string { return protoSample[t.from:t.to] }
	for range 4000 {
		a, b := tokens[rnd.IntN(len(tokens))], tokens[rnd.IntN(len(tokens))]
		head, tail := protoSample[:a.from], protoSample[a.to:]
		switch rnd.IntN(5) {
		case 0:
			check(head + tail)
		case 1:
			check(head + piece(b) + " " + piece(a) + tail)
		case 2:
			check(head + piece(b) + tail)
		case 3:
			check(head)
		case 4:
			const marks = "{}[]();=.,-<>/\"'\x00a9 \n\xff:\\"
			at := rnd.IntN(len(protoSample))
			check(protoSample[:at] + marks[rnd.IntN(len(marks)):][:1] + protoSample[at:])
		}
	}
}
