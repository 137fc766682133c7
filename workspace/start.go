package workspace

import (
	"os"
	"path"

	"putcut/refusal"
)

// Start finds the file or folder that p means, for walking from it. The handle
// is open on the whole root, so that rules of folders above p can be read, and
// the caller closes it. rel is p relative to that root, with links resolved,
// "." for the root itself. Nothing there is EDIT_NOT_FOUND.
func (w *Workspace) Start(p string) (handle *os.Root, rel string, err error) {
	c, err := w.walk(p)
	if err != nil {
		return nil, "", refuseAt(err, p)
	}
	defer c.close()
	names := append([]string{"."}, c.names...)
	if c.leaf != "" {
		if !c.exists {
			return nil, "", refusal.New(refusal.NotFound, "there is no such file or folder").At(p)
		}
		names = append(names, c.leaf)
	}
	handle, err = w.roots[c.root].handle.OpenRoot(".")
	if err != nil {
		return nil, "", ioError(p, "open the root", err)
	}
	return handle, path.Join(names...), nil
}

// NameOf is what tools print for a path relative to the root that p lies in.
func (w *Workspace) NameOf(p, rel string) (string, error) {
	c, err := w.walk(p)
	if err != nil {
		return "", refuseAt(err, p)
	}
	defer c.close()
	return w.printed(c.root, rel), nil
}
