// Package policy reads .putcut.toml, the file in which the owner of a tree says
// what tools may edit there, and answers whether a path may be edited.
//
// It knows paths and patterns, no files: links are resolved by the workspace
// before a path is asked for here. It imports refusal only.
package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/bmatcuk/doublestar/v4"

	"putcut/refusal"
)

// Name is the name of the policy file.
const Name = ".putcut.toml"

// maxSize bounds a policy file in bytes.
const maxSize = 1 << 20

// A Policy is one valid policy file:
//
//	editable  = ["src/**", "docs"]       # if given, nothing else is editable
//	read_only = ["vendor", "*.lock"]
//	generated = ["**/*.pb.go"]
//	structure = "repair"                 # or "warn", "refuse", "off"
//
//	[limits]                             # what is left out keeps its default
//	file_bytes     = 16777216
//	script_bytes   = 1048576
//	ops            = 512
//	files          = 64
//	expanded_lines = 100000
//
// Patterns are relative to the folder of the file, with slashes, ** for any
// number of folders, {a,b} for alternatives and [a-z] for classes. A pattern
// without a slash is a name in any folder, and a pattern that covers a folder
// covers all below it. read_only and generated win over editable.
type Policy struct {
	// Path is the absolute path of the file.
	Path string
	// Structure is "" when the file does not say.
	Structure string
	Limits    Limits

	editable, readOnly, generated []string
}

// Limits are those that a policy sets; 0 is not set.
type Limits struct {
	FileBytes     int64
	ScriptBytes   int64
	Ops           int
	Files         int
	ExpandedLines int
}

type (
	patterns  []string
	count     int64
	structure string
)

type document struct {
	Editable  *patterns `toml:"editable"`
	ReadOnly  patterns  `toml:"read_only"`
	Generated patterns  `toml:"generated"`
	Structure structure `toml:"structure"`
	Limits    struct {
		FileBytes     count `toml:"file_bytes"`
		ScriptBytes   count `toml:"script_bytes"`
		Ops           count `toml:"ops"`
		Files         count `toml:"files"`
		ExpandedLines count `toml:"expanded_lines"`
	} `toml:"limits"`
}

const keys = "editable, read_only, generated, structure and limits.{file_bytes, script_bytes, ops, files, expanded_lines}"

// UnmarshalTOML checks the patterns here, so that an error has a position.
func (p *patterns) UnmarshalTOML(v any) error {
	list, ok := v.([]any)
	if !ok {
		return errors.New("must be a list of patterns")
	}
	*p = make(patterns, 0, len(list))
	for _, e := range list {
		s, ok := e.(string)
		if !ok {
			return errors.New("must be a list of patterns, each a string")
		}
		clean := strings.TrimSuffix(strings.TrimPrefix(s, "./"), "/")
		switch {
		case clean == "" || !doublestar.ValidatePattern(clean):
			return fmt.Errorf("%q is no pattern", s)
		case strings.HasPrefix(clean, "/"):
			return fmt.Errorf("the pattern %q must be relative to the folder of the file", s)
		case strings.HasPrefix(clean, "!"):
			return fmt.Errorf("the pattern %q cannot be negated; use editable and read_only", s)
		}
		for _, c := range strings.Split(clean, "/") {
			if c == ".." || c == "." || c == "" {
				return fmt.Errorf("the pattern %q must not hold %q as a folder", s, c)
			}
		}
		*p = append(*p, clean)
	}
	return nil
}

// UnmarshalTOML accepts whole numbers from 1.
func (c *count) UnmarshalTOML(v any) error {
	n, ok := v.(int64)
	if !ok || n < 1 || n > 1<<40 {
		return errors.New("must be a whole number from 1")
	}
	*c = count(n)
	return nil
}

// UnmarshalTOML accepts the modes of the contract.
func (s *structure) UnmarshalTOML(v any) error {
	switch v {
	case "repair", "warn", "refuse", "off":
		*s = structure(v.(string))
		return nil
	}
	return errors.New(`must be "repair", "warn", "refuse" or "off"`)
}

// Find reads the policy that governs root: the file in root or in the nearest
// folder above it. It is nil when there is none. A file that cannot be read or
// is not valid is EDIT_POLICY with its path and, where it is known, its row:
// a policy that cannot be understood forbids all edits rather than none.
func Find(root string) (*Policy, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, refusal.New(refusal.IO, "cannot find the folder: %v", err).At(root)
	}
	for dir := abs; ; {
		p, err := Load(filepath.Join(dir, Name))
		if p != nil || err != nil {
			return p, err
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil, nil
		}
		dir = up
	}
}

// Load reads one policy file; nil when there is none.
func Load(path string) (*Policy, error) {
	fail := func(format string, args ...any) error {
		return refusal.New(refusal.Policy, format, args...).WithNext("Correct the policy file; until then nothing is edited").At(path)
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		return nil, nil
	}
	if err != nil {
		return nil, fail("the policy file cannot be read: %v", errors.Unwrap(err))
	}
	if !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, fail("the policy file is not a file of at most %d bytes", maxSize)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fail("the policy file cannot be read: %v", errors.Unwrap(err))
	}
	return Parse(path, data)
}

// Parse reads the text of a policy file. path is its absolute path.
func Parse(path string, data []byte) (*Policy, error) {
	var doc document
	md, err := toml.Decode(string(data), &doc)
	if err == nil {
		if unknown := md.Undecoded(); len(unknown) > 0 {
			err = locate(string(data), unknown[0])
		}
	}
	if err != nil {
		e := refusal.New(refusal.Policy, "the policy file is not valid: %v", err)
		if pe := (toml.ParseError{}); errors.As(err, &pe) {
			what := pe.Message
			if pe.LastKey != "" && !strings.Contains(what, pe.LastKey) {
				what = "`" + pe.LastKey + "` " + what
			}
			e = refusal.New(refusal.Policy, "the policy file is not valid at row %d: %s", pe.Position.Line, what)
		}
		return nil, e.WithNext("Correct the policy file; until then nothing is edited").At(path)
	}
	p := &Policy{
		Path: path, Structure: string(doc.Structure),
		readOnly: doc.ReadOnly, generated: doc.Generated,
		Limits: Limits{
			FileBytes: int64(doc.Limits.FileBytes), ScriptBytes: int64(doc.Limits.ScriptBytes),
			Ops: int(doc.Limits.Ops), Files: int(doc.Limits.Files), ExpandedLines: int(doc.Limits.ExpandedLines),
		},
	}
	if doc.Editable != nil {
		p.editable = append([]string{}, *doc.Editable...)
	}
	return p, nil
}

// unknownKey is the type of a key that must not be there. Decoding it fails,
// which is how the position of the key is found.
type unknownKey struct{}

func (*unknownKey) UnmarshalTOML(any) error {
	return errors.New("is no key of a policy; the keys are " + keys)
}

// locate returns the error for an unknown key with its position.
func locate(data string, key toml.Key) error {
	t := reflect.TypeFor[unknownKey]()
	for i := len(key) - 1; i >= 0; i-- {
		if strings.ContainsAny(key[i], ",\"`\\") {
			return fmt.Errorf("`%s` is no key of a policy; the keys are %s", key, keys)
		}
		t = reflect.StructOf([]reflect.StructField{{Name: "Key", Type: t, Tag: reflect.StructTag("toml:" + strconv.Quote(key[i]))}})
	}
	_, err := toml.Decode(data, reflect.New(t).Interface())
	if err == nil {
		return fmt.Errorf("`%s` is no key of a policy; the keys are %s", key, keys)
	}
	return err
}

// Check refuses a path that the policy does not let tools edit, with
// EDIT_POLICY and the rule. path is absolute, its links resolved (Target.Key).
// A nil policy lets everything through. Cost: linear in patterns and folders.
func (p *Policy) Check(path string) error {
	if p == nil {
		return nil
	}
	rel, err := filepath.Rel(filepath.Dir(p.Path), path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return nil // not below the folder of the policy
	}
	rel = filepath.ToSlash(rel)
	no := func(format string, args ...any) error {
		return refusal.New(refusal.Policy, format, args...).
			WithNext("Edit another file, or ask for the rule in %s to be changed", p.Path)
	}
	if g, ok := covers(p.readOnly, rel); ok {
		return no("the rule `read_only = %q` of %s covers this file", g, p.Path)
	}
	if g, ok := covers(p.generated, rel); ok {
		return no("the rule `generated = %q` of %s covers this file; it is made by a program, so edit its source", g, p.Path)
	}
	if p.editable != nil {
		if _, ok := covers(p.editable, rel); !ok {
			return no("no pattern of `editable` in %s covers this file", p.Path)
		}
	}
	return nil
}

// covers returns the first pattern that matches rel or a folder above it.
func covers(list []string, rel string) (string, bool) {
	for _, g := range list {
		for at := rel; ; {
			name := at
			if !strings.Contains(g, "/") {
				name = at[strings.LastIndexByte(at, '/')+1:]
			}
			if ok, err := doublestar.Match(g, name); ok && err == nil {
				return g, true
			}
			i := strings.LastIndexByte(at, '/')
			if i < 0 {
				break
			}
			at = at[:i]
		}
	}
	return "", false
}
