package parser

import (
	"strings"
	"testing"
	"time"
	"unsafe"
)

// mib is a script of just under 1 MiB: ops with rows of 60 characters each.
func mib(rowsAnOp int) string {
	var b strings.Builder
	b.WriteString("[src/main.go#1A2B]\n")
	op := "PUT 12.=34:\n" + strings.Repeat("+\treturn fmt.Errorf(\"read %s: %w\", name, err) // 60 bytes\n", rowsAnOp)
	for b.Len()+len(op) < 1<<20 {
		b.WriteString(op)
	}
	return b.String()
}

func benchmark(b *testing.B, src string) {
	b.Helper()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(src, Limits{Ops: 1 << 20}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMiBOneOp(b *testing.B)       { benchmark(b, mib(17000)) }
func BenchmarkMiB200RowsAnOp(b *testing.B) { benchmark(b, mib(200)) }
func BenchmarkMiB36RowsAnOp(b *testing.B)  { benchmark(b, mib(36)) } // 500 ops
func BenchmarkMiBBareRows(b *testing.B) {
	benchmark(b, strings.ReplaceAll(mib(17000), "\n+", "\n"))
}
func BenchmarkOneOp(b *testing.B) { benchmark(b, "[src/main.go#1A2B]\nPUT 12.=34:\n+x\n") }
func BenchmarkFormat(b *testing.B) {
	res, err := Parse(mib(200), Limits{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(1 << 20)
	for b.Loop() {
		Format(res.Script)
	}
}

// TestHostile: a script within the limits takes linear time, whatever is wrong
// with it. The bound is far above what a slow machine needs and far below what
// anything quadratic would take.
func TestHostile(t *testing.T) {
	const n = 1<<20 - 64
	fill := func(head, s string) string { return head + strings.Repeat(s, (n-len(head))/len(s)) }
	head := "[n#1A2B]\n"
	for name, src := range map[string]string{
		"ops":                   fill(head, "CUT 1\n"),
		"headers":               fill("", "[n#1A2B]\n"),
		"op rows in a body":     fill(head+"PUT 1:\n", "+PUT 2.=2:\n"),
		"bare op-like rows":     fill(head+"PUT 1:\nx\n", "put 3 x\n"),
		"bare rows":             fill(head+"PUT 1:\n", "x\n"),
		"blank rows":            fill(head, "\n"),
		"blank rows in a body":  fill(head+"PUT 1:\n+\n", "\n") + "+x",
		"mixed rows":            fill(head+"PUT 1:\n", "x\n+y\n"),
		"minus rows":            fill(head+"PUT 1:\n", "-x\n+y\n"),
		"retired verbs":         fill(head, "SWAP 1:\n+x\n"),
		"retired verbs, few":    fill(head+strings.Repeat("SWAP 1:\n+x\n", 200)+"PUT 1:\n", "+"+strings.Repeat("x", 99)+"\n"),
		"one long op row":       fill(head+"CUT ", "1 "),
		"one long number":       fill(head+"CUT ", "1"),
		"one long separator":    fill(head+"CUT 1", "…"),
		"one long bare row":     fill(head, "é"),
		"one long blank row":    fill(head, " ") + "x",
		"one long quoted path":  fill(head+"MV \"", `\"`),
		"one long header":       fill("[", "#1A2B]"),
		"conflict markers":      fill("", "=======\n"),
		"fences":                fill("", "```\n"),
		"stars":                 fill("", "*** x\n"),
		"prose":                 fill("", "x\n"),
		"prose, many blanks":    fill("", "x\n\n\n\n\n\n\n\n\n"),
		"numbers":               fill("", "2:x\n"),
		"CR":                    fill("", "CUT 1\r"),
		"after the end":         fill(head+"REM\n*** End Patch\n", "x\n"),
		"sections after an end": fill(head+"REM\n*** End Patch\n", "*** End Patch\n"),
	} {
		for _, parse := range []func(string, Limits) (Result, error){Parse, ParseOps} {
			start := time.Now()
			_, err := parse(src, Limits{})
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("%s: %v (%v)", name, d, err != nil)
			} else {
				t.Logf("%s: %v", name, d)
			}
		}
	}
}

// TestZeroCopy: rows are parts of the script, and more rows cost no more
// allocations.
func TestZeroCopy(t *testing.T) {
	src := mib(2000)
	start := uintptr(unsafe.Pointer(unsafe.StringData(src)))
	res, err := Parse(src, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range res.Script.Sections[0].Ops {
		for _, row := range op.Rows {
			if p := uintptr(unsafe.Pointer(unsafe.StringData(row))); p < start || p > start+uintptr(len(src)) {
				t.Fatal("a row was copied")
			}
		}
	}
	allocs := func(rows int) float64 {
		src := "PUT 1.=1:\n" + strings.Repeat("+\tx := y\n", rows)
		return testing.AllocsPerRun(5, func() {
			if _, err := ParseOps(src, Limits{}); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := allocs(10), allocs(50_000); many > few+8 {
		t.Errorf("%v allocations for 10 rows, %v for 50,000", few, many)
	}
}
