// Package fetch gets the files of public packages through their ordinary
// clients, for tools that replay what happened to them. It keeps what the
// clients keep and nothing else.
package fetch

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// Go returns the files of one version of a Go module, by path within it. Files
// over maxBytes are left out.
func Go(name, version string, maxBytes int64) (map[string][]byte, error) {
	cmd := exec.Command("go", "mod", "download", "-json", name+"@"+version)
	cmd.Dir = os.TempDir() // outside any module
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if json.Unmarshal(out, &got) == nil && got.Error != "" {
		return nil, errors.New(got.Error)
	}
	if err != nil {
		return nil, fmt.Errorf("go mod download %s@%s: %w", name, version, err)
	}
	files := map[string][]byte{}
	err = filepath.WalkDir(got.Dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(got.Dir, p)
		if err != nil {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > maxBytes {
			return err
		}
		b, err := os.ReadFile(p)
		files[filepath.ToSlash(rel)] = b
		return err
	})
	return files, err
}

// NPM returns the files of one version of an npm package, by path within it.
// dir is a folder for archives; one that is already there is used again. Files
// over maxBytes are left out.
func NPM(name, version, dir string, maxBytes int64) (map[string][]byte, error) {
	file := filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-")+"-"+version+".tgz")
	if _, err := os.Stat(file); err != nil {
		cmd := exec.Command("npm", "pack", "--silent", name+"@"+version)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("npm pack %s@%s: %w", name, version, err)
		}
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return untar(raw, maxBytes)
}

// untar reads a gzipped archive into memory; its first folder is dropped.
func untar(raw []byte, maxBytes int64) (map[string][]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		_, name, ok := strings.Cut(path.Clean(h.Name), "/")
		if !ok || h.Typeflag != tar.TypeReg || h.Size > maxBytes {
			continue
		}
		if files[name], err = io.ReadAll(tr); err != nil {
			return nil, err
		}
	}
}
