package search

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var benchPatterns = []struct {
	name, pattern string
	literal, fold bool
}{
	{"literal", "ReadMemStats", true, false},
	{"literal-fold", "readmemstats", true, true},
	{"inner-literal", `\w+\.Lock\(\)`, false, false},
	{"anchored", `^\s*return nil, err$`, false, false},
	{"alternatives", `\bTODO\b|FIXME`, false, false},
	{"no-literal", `[a-z]+ing\s+\d{3}`, false, false},
}

// goSource is the folder of the standard library's source.
func goSource(t testing.TB) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("there is no Go source to search: ", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

// corpus is the source of the standard library in memory, some megabytes of it.
func corpus(b *testing.B) []byte {
	var out bytes.Buffer
	root := filepath.Join(goSource(b), "net")
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(p) == ".go" {
			raw, _ := os.ReadFile(p)
			out.Write(raw)
		}
		return nil
	})
	if err != nil || out.Len() == 0 {
		b.Skip("there is no Go source to search")
	}
	return out.Bytes()
}

func BenchmarkLines(b *testing.B) {
	text := corpus(b)
	for _, p := range benchPatterns {
		m, err := compileMatcher(p.pattern, p.literal, p.fold)
		if err != nil {
			b.Fatal(err)
		}
		src := p.pattern
		if p.literal {
			src = regexp.QuoteMeta(src)
		}
		if p.fold {
			src = "(?i)" + src
		}
		re := regexp.MustCompile(src)
		var ours, plain int
		b.Run(p.name+"/search", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				ours = 0
				for at := 0; at < len(text); {
					// A buffer at a time, as files are read.
					end := min(at+bufferSize, len(text))
					if i := bytes.LastIndexByte(text[at:end], '\n'); i >= 0 {
						end = at + i + 1
					}
					s := m.in(context.Background(), text[at:end], '\n')
					for from := 0; ; ours++ {
						_, after, ok := s.next(from)
						if !ok {
							break
						}
						from = after
					}
					at = end
				}
			}
		})
		b.Run(p.name+"/plain", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				plain = 0
				for line := range bytes.Lines(text) {
					if re.Match(bytes.TrimRight(line, "\r\n")) {
						plain++
					}
				}
			}
		})
		if ours != plain {
			b.Errorf("%s: %d lines, plain matching finds %d", p.name, ours, plain)
		}
	}
}
