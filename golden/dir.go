package golden

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Ext is the extension of archives.
const Ext = ".txtar"

// RunFile runs the archive in a file and, with opts.Update, rewrites it when
// its expectations do not hold. An archive that does not parse is a report with
// one problem.
func RunFile(ctx context.Context, name string, opts Options) (*Report, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	s, err := Parse(data)
	var bad *SyntaxError
	if errors.As(err, &bad) {
		return &Report{Name: name, Problems: []Problem{{Line: bad.Line, What: bad.What}}, broken: true}, nil
	}
	if err != nil {
		return nil, err
	}
	s.Name = name
	r, err := s.Run(ctx, opts)
	if err != nil || !opts.Update || r.OK() || r.Skipped != "" {
		return r, err
	}
	out := s.Update(r)
	if bytes.Equal(out, data) {
		return r, nil
	}
	if err := os.WriteFile(name, out, 0o644); err != nil {
		return r, err
	}
	// What an update cannot say, such as a change by a refused call, stays a problem.
	again, err := Parse(out)
	if err != nil {
		return r, fmt.Errorf("%s: the updated archive does not parse: %w", name, err)
	}
	again.Name = name
	if r, err = again.Run(ctx, opts); err == nil {
		r.Updated = true
	}
	return r, err
}

// RunDir runs every archive below a folder, or the one archive it names, in
// order of their paths. A folder without archives is an error, since nothing
// would have been shown. The reports up to an error are returned with it.
func RunDir(ctx context.Context, dir string, opts Options) ([]*Report, error) {
	var out []*Report
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, Ext) && p != dir {
			return err
		}
		r, err := RunFile(ctx, p, opts)
		if r != nil {
			out = append(out, r)
		}
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s holds no archive (*%s)", dir, Ext)
	}
	return out, err
}
