package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"putcut/refusal"
	"putcut/text"
)

// scanned searches one file through a buffer of the given size.
func scanned(t interface{ Fatal(...any) }, dir string, raw []byte, o Options, buffer int) (File, bool, error) {
	q, err := Compile(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "f"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s := newScanner(context.Background(), q)
	s.buf = make([]byte, buffer)
	return s.visit(func() (file, int64, error) { return openFile(root, "f") }, "f")
}

// rowsOf are the rows that a search of a text as a stream keeps.
func rowsOf(tx *text.Text, matches []int, around int) (out []Row) {
	for n := 1; n <= tx.Len(); n++ {
		i, hit := slices.BinarySearch(matches, n)
		if hit || i < len(matches) && matches[i]-n <= around || i > 0 && n-matches[i-1] <= around {
			out = append(out, Row{N: n, Text: tx.Line(n), Match: hit})
		}
	}
	return out
}

func printRows(rows []Row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%d %v %q\n", r.N, r.Match, r.Text)
	}
	return b.String()
}

// However small the buffer, and whether a file is handed over whole or
// streamed, the lines are those of plain matching.
func TestFilesOfAnySize(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		raw := []byte(body(120).Draw(t, "body"))
		switch rapid.IntRange(0, 5).Draw(t, "form") {
		case 0:
			raw = append([]byte(bom), raw...)
		case 1:
			if bytes.IndexByte(raw, 0xff) < 0 && bytes.IndexByte(raw, 0xe2) < 0 {
				raw = inUTF16(raw)
			}
		}
		o := Options{
			Pattern:    pattern(2).Draw(t, "pattern"),
			IgnoreCase: rapid.Bool().Draw(t, "fold"),
			Context:    rapid.IntRange(0, 3).Draw(t, "context"),
		}
		large := rapid.Bool().Draw(t, "large")
		if large {
			o.MaxFileSize = 1
		}
		buffer := rapid.IntRange(8, 80).Draw(t, "buffer")
		f, ok, err := scanned(t, dir, raw, o, buffer)
		if err != nil {
			t.Fatal(err)
		}
		want := plainLines(t, o.Pattern, o.IgnoreCase, raw)
		if ok != (len(want) > 0) || ok && f.Count != len(want) {
			t.Fatalf("matched %v %d, want %v", ok, f.Count, want)
		}
		if !ok {
			return
		}
		if large && len(raw) > 1 {
			tx, err := text.Decode(raw, "")
			if err != nil {
				t.Fatal(err)
			}
			if got, want := printRows(f.Rows), printRows(rowsOf(tx, want, o.Context)); got != want || !f.Large || f.Raw != nil {
				t.Fatalf("large %v, rows\n%swant\n%s", f.Large, got, want)
			}
			return
		}
		if !slices.Equal(f.Matches, want) || !bytes.Equal(f.Raw, raw) || f.Large {
			t.Fatalf("lines %v, want %v; raw %q", f.Matches, want, f.Raw)
		}
	})
}

func inUTF16(b []byte) []byte {
	out := []byte("\xff\xfe")
	for _, r := range string(b) {
		out = append(out, byte(r), byte(r>>8))
	}
	return out
}

func TestModes(t *testing.T) {
	raw := []byte("a\nb\na\nba\n")
	for _, tt := range []struct {
		mode    Mode
		size    int64
		count   int
		matches []int
		rows    int
	}{
		{Content, 0, 3, []int{1, 3, 4}, 0},
		{Count, 0, 3, nil, 0},
		{Files, 0, 1, nil, 0},
		{Content, 1, 3, nil, 3},
		{Count, 1, 3, nil, 0},
		{Files, 1, 1, nil, 0},
	} {
		f, ok, err := scanned(t, t.TempDir(), raw, Options{Pattern: "a", Mode: tt.mode, MaxFileSize: tt.size}, 64)
		if !ok || err != nil || f.Count != tt.count || !slices.Equal(f.Matches, tt.matches) || len(f.Rows) != tt.rows {
			t.Errorf("%+v: %v %v %d %v %d", tt, ok, err, f.Count, f.Matches, len(f.Rows))
		}
		if whole := tt.size == 0; whole != bytes.Equal(f.Raw, raw) || whole != (f.Text != nil) || whole == f.Large {
			t.Errorf("%+v: raw %q, text %v, large %v", tt, f.Raw, f.Text, f.Large)
		}
	}
}

func TestMatchesAreBounded(t *testing.T) {
	raw := []byte(strings.Repeat("a\n", 10))
	f, _, err := scanned(t, t.TempDir(), raw, Options{Pattern: "a", MaxMatches: 3}, 64)
	if err != nil || !slices.Equal(f.Matches, []int{1, 2, 3}) || f.Count != 10 || !f.Cut {
		t.Errorf("%v %v %d %v", err, f.Matches, f.Count, f.Cut)
	}
	f, _, err = scanned(t, t.TempDir(), raw, Options{Pattern: "a", MaxMatches: 3, MaxFileSize: 1}, 64)
	if err != nil || len(f.Rows) != 3 || f.Count != 10 || !f.Cut {
		t.Errorf("%v %d %d %v", err, len(f.Rows), f.Count, f.Cut)
	}
}

func TestRowsAreBounded(t *testing.T) {
	line := strings.Repeat("é", MaxRow)
	raw := []byte(strings.Repeat("x"+line+"\n", 2*MaxRows/MaxRow))
	f, _, err := scanned(t, t.TempDir(), raw, Options{Pattern: "x", MaxFileSize: 1}, bufferSize)
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, r := range f.Rows {
		size += len(r.Text)
		if !r.Cut || string(r.Text) != "x"+line[:MaxRow-2] {
			t.Fatalf("row %d is cut %v and has %d bytes", r.N, r.Cut, len(r.Text))
		}
	}
	if size > MaxRows || size < MaxRows/2 || !f.Cut || f.Count != 2*MaxRows/MaxRow {
		t.Errorf("%d bytes of rows, cut %v, count %d", size, f.Cut, f.Count)
	}
}

func TestLineOverTheLimit(t *testing.T) {
	raw := bytes.Repeat([]byte("x"), MaxLine+1)
	_, ok, err := scanned(t, t.TempDir(), raw, Options{Pattern: "y", MaxFileSize: 1 << 20}, bufferSize)
	if ok || !errors.Is(err, refusal.TooLarge) {
		t.Errorf("%v %v", ok, err)
	}
	// The same file under the limit is searched.
	raw = append(raw[:MaxLine-2], 'y')
	f, ok, err := scanned(t, t.TempDir(), raw, Options{Pattern: "y$"}, bufferSize)
	if !ok || err != nil || f.Count != 1 {
		t.Errorf("%v %v %d", ok, err, f.Count)
	}
}

func TestBinaryFarFromTheStart(t *testing.T) {
	raw := append(bytes.Repeat([]byte("ab\n"), bufferSize), "\x00"...)
	for _, size := range []int64{0, 1} {
		for _, p := range []string{"zz", "ab", "z."} {
			_, ok, err := scanned(t, t.TempDir(), raw, Options{Pattern: p, MaxFileSize: size}, bufferSize)
			if ok || err != errBinary {
				t.Errorf("%s, limit %d: %v %v", p, size, ok, err)
			}
		}
	}
}

// A file without a match is read through the buffer, whatever its size.
func TestNoMatchKeepsNothing(t *testing.T) {
	dir := t.TempDir()
	for name, raw := range map[string][]byte{
		"lines":    bytes.Repeat([]byte("some line of text\n"), 1<<19),
		"one line": bytes.Repeat([]byte("some text; "), 1<<20),
	} {
		if err := os.WriteFile(filepath.Join(dir, "f"), raw, 0o600); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		q, err := Compile(Options{Pattern: `absent \w+`})
		if err != nil {
			t.Fatal(err)
		}
		s := newScanner(context.Background(), q)
		visit := func() {
			if _, ok, err := s.visit(func() (file, int64, error) { return openFile(root, "f") }, "f"); ok || err != nil {
				t.Error(ok, err)
			}
		}
		res := testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for range 3 {
				visit()
			}
		})
		if got := int(res.MemBytes) / 3; got > bufferSize {
			t.Errorf("%s: %d bytes allocated for a file of %d", name, got, len(raw))
		}
	}
}

func TestListing(t *testing.T) {
	for _, tt := range []struct {
		raw string
		err error
	}{
		{"", nil},
		{"text\n", nil},
		{"\xff\xfea\x00", nil},
		{"a\x00b", errBinary},
	} {
		f, ok, err := scanned(t, t.TempDir(), []byte(tt.raw), Options{Mode: Files}, 64)
		if err != tt.err || ok != (tt.err == nil) || ok && f.Path != "f" || f.Raw != nil || f.Count != 0 {
			t.Errorf("%q: %v %v %+v", tt.raw, ok, err, f)
		}
	}
}
