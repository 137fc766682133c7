// Package conformance runs cases of the JSON suite against any front end of
// the tools: files, calls and what to expect, one case a line.
//
// The format: a case has an id, files (text or {"base64"}), reads made first
// (every file, whole, when the key is absent) and steps. A step is one tool
// call with what to expect of it, or an outside change of files. Placeholders
// in strings stand for tags that were printed and for long texts.
package conformance

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// A Case is one scenario.
type Case struct {
	ID    string                     `json:"id"`
	Why   string                     `json:"why"`
	Files map[string]json.RawMessage `json:"files"`
	Reads *[]map[string]any          `json:"reads"`
	Steps []map[string]any           `json:"steps"`
}

// A Topic is the cases of one file.
type Topic struct {
	Name  string
	Cases []Case
}

// Load reads every topic of a folder of *.jsonl files.
func Load(dir string) ([]Topic, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var out []Topic
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		t := Topic{Name: strings.TrimSuffix(filepath.Base(name), ".jsonl")}
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 64<<20)
		for n := 1; sc.Scan(); n++ {
			if len(bytes.TrimSpace(sc.Bytes())) == 0 {
				continue
			}
			var c Case
			if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
				f.Close()
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
			t.Cases = append(t.Cases, c)
		}
		f.Close()
		if err := sc.Err(); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// content is the bytes of a file in a case; nil for a deleted one.
func content(raw json.RawMessage) ([]byte, error) {
	if string(raw) == "null" {
		return nil, nil
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return []byte(s), nil
	}
	var b struct{ Base64 string }
	if err := json.Unmarshal(raw, &b); err != nil {
		return nil, err
	}
	out, err := base64.StdEncoding.DecodeString(b.Base64)
	if out == nil {
		out = []byte{}
	}
	return out, err
}
