// Package hosts writes the configuration that makes an agent program start the
// tools as its MCP server and, when asked, stop offering its own edit tools.
//
// It answers which file of which host says so, and makes the smallest change
// there: what is in a file stays as it is, comments and order included, and a
// second run changes nothing. What it cannot change without a guess it refuses,
// with the text to put there by hand. It does not know whether a host is
// installed, and promises nothing about versions of a host that read other
// files.
package hosts

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"putcut/refusal"
)

// Options say what is installed and where.
type Options struct {
	// Command and Args start the server: the program's path, and its arguments
	// from "mcp" on.
	Command string
	Args    []string
	// Name is the server's name in the host; putcut when empty.
	Name string
	// Project is the folder of a project whose configuration is written. When
	// empty, or when the host has none for projects, it is the user's.
	Project string
	// Home is the user's home folder; the process's when empty.
	Home string
	// Only switches off the host's own edit tools where its files can say so.
	Only bool
}

// A File is a configuration file before and after. Before is nil for a file
// that is not there yet.
type File struct {
	Path   string // absolute
	Before []byte
	After  []byte
}

// Changed reports whether the file has to be written.
func (f File) Changed() bool { return f.Before == nil || !bytes.Equal(f.Before, f.After) }

// A Plan is what installing on a host means.
type Plan struct {
	Host  string
	Files []File
	// Text is configuration to put in place by hand; the generic host has
	// nothing else.
	Text string
	// Notes are what the files cannot say, one sentence each.
	Notes []string
}

// A host is one agent program.
type host struct {
	name, title string
	edits       func(o Options) []edit
	notes       []string
	noteOnly    string // when its own tools stay on
}

// An edit is one change of one file.
type edit struct {
	path string
	toml bool
	keys []string
	// value is set at keys; with list, it is added to the list there.
	value any
	list  bool
}

// Names are the hosts that are known.
func Names() []string {
	var out []string
	for _, h := range known {
		out = append(out, h.name)
	}
	return out
}

// Title is the name of a host for people, and "" for an unknown one.
func Title(name string) string {
	for _, h := range known {
		if h.name == name {
			return h.title
		}
	}
	return ""
}

// Render reads the host's files and says what they would become. It writes
// nothing. Errors: INVALID_ARGUMENT for an unknown host, missing options, a
// project folder that does not exist, or a file that cannot be changed without a guess; EDIT_IO.
func Render(name string, o Options) (*Plan, error) {
	i := slices.IndexFunc(known, func(h host) bool { return h.name == name })
	if i < 0 {
		return nil, refusal.New(refusal.InvalidArgument, "there is no host %q", name).WithNext("The hosts are %s", strings.Join(Names(), ", "))
	}
	if o.Command == "" {
		return nil, refusal.New(refusal.InvalidArgument, "the command that starts the server is missing")
	}
	if o.Name == "" {
		o.Name = "putcut"
	}
	if o.Args == nil {
		o.Args = []string{"mcp"}
	}
	if o.Home == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, &refusal.Error{Code: refusal.IO, What: "the home folder cannot be told: " + err.Error(), Err: err}
		}
		o.Home = home
	}
	if o.Project != "" {
		if info, err := os.Stat(o.Project); err != nil || !info.IsDir() {
			return nil, refusal.New(refusal.InvalidArgument, "there is no project folder %q", o.Project).WithNext("Name the folder that the host opens")
		}
	}
	h := known[i]
	p := &Plan{Host: h.name, Notes: h.notes}
	if o.Only && h.noteOnly != "" {
		p.Notes = append(slices.Clone(p.Notes), h.noteOnly)
	}
	if h.edits == nil {
		text, err := fresh([]string{"mcpServers", o.Name}, server(o))
		p.Text = string(text)
		return p, err
	}
	for _, e := range h.edits(o) {
		if err := p.apply(e); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// apply makes one change to the plan's copy of a file.
func (p *Plan) apply(e edit) error {
	path, err := filepath.Abs(e.path)
	if err != nil {
		return &refusal.Error{Code: refusal.IO, What: err.Error(), Path: e.path, Err: err}
	}
	i := slices.IndexFunc(p.Files, func(f File) bool { return f.Path == path })
	if i < 0 {
		before, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &refusal.Error{Code: refusal.IO, What: "the file cannot be read: " + err.Error(), Path: path, Err: err}
		}
		p.Files = append(p.Files, File{Path: path, Before: before, After: before})
		i = len(p.Files) - 1
	}
	f := &p.Files[i]
	if e.toml {
		f.After, err = setTOML(f.After, e.keys, e.value)
	} else {
		f.After, err = setJSON(f.After, e)
	}
	if r := refusal.As(err); r != nil {
		return r.At(path)
	}
	return err
}

// Install writes what Render says. Files that are right already are left alone.
func Install(name string, o Options) (*Plan, error) {
	p, err := Render(name, o)
	if err != nil {
		return nil, err
	}
	for _, f := range p.Files {
		if !f.Changed() {
			continue
		}
		if err := replace(f.Path, f.Before, f.After); err != nil {
			return nil, &refusal.Error{Code: refusal.IO, What: "the file cannot be written: " + err.Error(), Path: f.Path, Err: err}
		}
	}
	return p, nil
}

// replace writes a file beside its place and renames it, so that a host never
// reads half of it. A link is followed: settings are often kept elsewhere.
func replace(path string, before, after []byte) (err error) {
	mode := fs.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
		fi, err := os.Stat(path)
		if err != nil {
			return err
		}
		mode = fi.Mode().Perm()
	}
	if now, err := os.ReadFile(path); err == nil && !bytes.Equal(now, before) {
		return errors.New("it was changed in the meantime")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".putcut-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(after)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// place is a file below the project when there is one, else below home.
func place(o Options, project, home string) string {
	if o.Project != "" && project != "" {
		return filepath.Join(o.Project, filepath.FromSlash(project))
	}
	return filepath.Join(o.Home, filepath.FromSlash(home))
}

// byHand is the refusal to change a file that does not have the usual form.
func byHand(why string, keys []string, value any) error {
	text, err := fresh(keys, value)
	if err != nil {
		return err
	}
	e := refusal.New(refusal.InvalidArgument, "%s", why).WithNext("Put this there by hand")
	e.Script = string(text)
	return e
}

// settingsDir is where programs of a desktop keep their settings.
func settingsDir() string {
	switch runtime.GOOS {
	case "darwin":
		return "Library/Application Support"
	case "windows":
		return "AppData/Roaming"
	}
	return ".config"
}
