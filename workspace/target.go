package workspace

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"putcut/refusal"
)

// A Target is the file that a path means, with every link on the way resolved.
// It names a place, not an open file: it stays valid when the file is replaced
// or removed, and using it after somebody put a link into its path is refused.
type Target struct {
	// Key is equal for two targets exactly when they are one directory entry:
	// the absolute path, links resolved, in the spelling of the entries.
	Key string
	// Name is the path that tools print: slashes, relative to the first root,
	// absolute in any other root.
	Name string
	// Exists says that there is a regular file. Info is its state then; Lock
	// looks again.
	Exists bool
	Info   Info

	root  int
	rel   string // slashes, relative to the root; never empty, no "." or ".."
	asked string // the last component as the caller spelled it
	read  Info   // as it was when Read last compared or returned its bytes
}

func (t *Target) parent() string { return path.Dir(t.rel) }
func (t *Target) base() string   { return path.Base(t.rel) }

// SameFile reports that two targets are one file: one entry, or two names of
// one inode.
func SameFile(a, b *Target) bool {
	return a.Key == b.Key || a.Exists && b.Exists && a.Info.same(b.Info)
}

// CaseOnly reports that to is from in another spelling of its last component,
// on a file system that ignores case: the two have one Key, and moving one to
// the other changes the spelling alone.
func CaseOnly(from, to *Target) bool {
	return from.Key == to.Key && to.asked != from.base() && strings.EqualFold(to.asked, from.base())
}

// CheckWritable refuses with EDIT_POLICY what no tool may change: files of a
// read-only root, the insides of .git, .putcut.toml, and the state folder.
func (w *Workspace) CheckWritable(t *Target) error {
	no := func(format string, args ...any) error {
		return refusal.New(refusal.Policy, format, args...).At(t.Name).WithNext("Leave this file to its owner")
	}
	if w.roots[t.root].readOnly {
		return no("the root %s is read-only", w.roots[t.root].name)
	}
	if !w.allowGit && slices.ContainsFunc(strings.Split(t.rel, "/"), func(c string) bool { return strings.EqualFold(c, ".git") }) {
		return no("files of .git belong to git and are not edited")
	}
	if strings.EqualFold(t.base(), ".putcut.toml") {
		return no(".putcut.toml sets the rules for the tools and is not edited through them")
	}
	if below(w.state, t.Key) {
		return no("the state folder of the tools is not edited through them")
	}
	return nil
}

// below reports that p is dir or inside it; both absolute.
func below(dir, p string) bool {
	rel, ok := strings.CutPrefix(p, dir)
	return ok && (rel == "" || strings.HasSuffix(dir, string(filepath.Separator)) || rel[0] == filepath.Separator)
}

// Temporary reports that a name is that of a file which a commit keeps beside
// its target for a moment. Listings leave such files out.
func Temporary(name string) bool {
	return strings.HasPrefix(name, ".putcut-")
}
