package blocks

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

type sample struct{ path, text string }

// sampleTexts are the texts of a truth table.
func sampleTexts(t testing.TB, file string) []sample {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []sample
	in := bufio.NewScanner(f)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		var r struct{ Path, Text string }
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, sample{r.Path, r.Text})
	}
	return out
}
