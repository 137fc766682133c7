// Bare makes one change of a line with the calls that a durable one cannot do
// without, and with the libraries that putcut is built on: what it costs is
// what no apply can be cheaper than.
//
//	bare FILE LINE ROW
package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"

	"github.com/alecthomas/participle/v2/lexer"
	lru "github.com/hashicorp/golang-lru/v2"
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/zeebo/blake3"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		panic(err)
	}
}

func run(name, line, row string) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	kept, err := lru.New[[32]byte, lexer.Position](64)
	if err != nil {
		return err
	}
	kept.Add(blake3.Sum256(old), lexer.Position{})
	lines := bytes.SplitAfter(old, []byte("\n"))
	n, err := strconv.Atoi(line)
	if err != nil {
		return err
	}
	lines[n-1] = []byte(row + "\n")
	now := bytes.Join(lines, nil)
	if filepath.Ext(name) == ".go" {
		for _, b := range [][]byte{old, now} {
			if _, err := sitter.ParseCtx(context.Background(), b, golang.GetLanguage()); err != nil {
				return err
			}
		}
	}
	kept.Add(blake3.Sum256(now), lexer.Position{})
	return replace(name, now)
}

// replace puts new content in place of a file, synced before and after.
func replace(name string, now []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".bare-")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(now); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
