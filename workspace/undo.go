package workspace

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/blake3"

	"putcut/refusal"
	"putcut/text"
)

// A Call is the place of one call's pre-images: a session and a call of it.
// Both are 1 to 64 of A-Z a-z 0-9 . _ - and do not start with a dot.
type Call struct {
	Session, ID string
}

func (c Call) check() error {
	if c == (Call{}) {
		return nil
	}
	for _, s := range []string{c.Session, c.ID} {
		if err := checkID(s); err != nil {
			return err
		}
	}
	return nil
}

func checkID(s string) error {
	bad := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-')
	}
	if s == "" || len(s) > 64 || s[0] == '.' || strings.ContainsFunc(s, bad) {
		return refusal.New(refusal.InvalidArgument, "%q cannot name a session or a call", s)
	}
	return nil
}

// An Image is what a call did to one file, and whether its old bytes are kept.
type Image struct {
	Name string `json:"-"` // as Target.Name
	// Path is the file's Key; JSON keeps it as bytes, which names are.
	Path string `json:"-"`
	// MovedTo is where the call moved the file, "" when it did not.
	MovedTo string `json:"-"`
	// Absent says that there was no file before the call: undoing removes it.
	Absent bool `json:"absent,omitempty"`
	// Old and New are the revisions before and after; New is "" for a file
	// that the call removed.
	Old  text.Revision `json:"old,omitempty"`
	New  text.Revision `json:"new,omitempty"`
	Mode fs.FileMode   `json:"mode,omitempty"`
	// Kept says that ImageData has the old bytes. A file that was only moved
	// has them itself.
	Kept bool `json:"kept,omitempty"`
	// Itself says that what is kept is the old file, not a copy of its bytes.
	Itself bool `json:"itself,omitempty"`
}

// An ImageRef names file Index, from 0, of a call whose pre-images are kept.
type ImageRef struct {
	Call  Call
	Index int
}

type imageRecord struct {
	Image
	NameBytes    []byte `json:"name"`
	PathBytes    []byte `json:"path"`
	MovedToBytes []byte `json:"moved_to,omitempty"`
}

type callRecord struct {
	Time   time.Time     `json:"time"`
	Bytes  int64         `json:"bytes"`
	Images []imageRecord `json:"images"`
}

// A CallInfo is one call whose pre-images are kept.
type CallInfo struct {
	ID     string
	Time   time.Time
	Images []Image
	bytes  int64
}

const undoSub = "undo" // of the state folder

// undoDir is the folder of a session's calls below the state folder.
func (w *Workspace) undoDir(session string) string {
	sum := blake3.Sum256([]byte(w.roots[0].real))
	return filepath.Join(undoSub, hex.EncodeToString(sum[:8]), session)
}

// keepImages moves what went out of the targets to the state folder, as the
// pre-images of the call. The files themselves are moved where the file
// systems allow it, so that bytes which somebody writes through a descriptor
// opened before the commit are not lost either. What cannot be kept is not:
// the commit stands.
func (c *commit) keepImages() {
	if c.call == (Call{}) {
		return
	}
	c.w.step("keep", c.call.ID, func() error {
		sub := filepath.Join(c.w.undoDir(c.call.Session), c.call.ID)
		path, err := c.w.makeState(sub)
		if err != nil {
			return err
		}
		root, err := os.OpenRoot(path)
		if err != nil {
			return err
		}
		defer root.Close()
		to, err := openRootDir(root)
		if err != nil {
			return err
		}
		defer to.close()
		rec := callRecord{Time: time.Now()}
		for i := range c.changes {
			if img, ok := c.imageOf(i, to, path, len(rec.Images)); ok {
				rec.Images = append(rec.Images, img)
				if img.Kept {
					rec.Bytes += int64(len(c.changes[i].Old))
				}
			}
		}
		data, err := json.Marshal(rec)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(path, "index"), data, 0o600); err != nil {
			return err
		}
		c.w.boundUndo(c.call, rec)
		return nil
	})
}

// imageOf keeps the old bytes of change i as the n-th image.
func (c *commit) imageOf(i int, to *dir, path string, n int) (imageRecord, bool) {
	ch := c.changes[i]
	img := imageRecord{
		Image:     Image{Absent: ch.OldAbsent, Mode: ch.Target.Info.Mode},
		NameBytes: []byte(ch.Target.Name), PathBytes: []byte(ch.Target.Key),
	}
	if ch.MoveTo != nil {
		img.MovedToBytes = []byte(ch.MoveTo.Name)
	}
	found := false
	name := fmt.Sprintf("%d.old", n)
	for _, p := range c.parts {
		if p.change != i {
			continue
		}
		found = true
		if img.Old == "" {
			img.Old = p.Old
		}
		if p.New != "" {
			img.New = p.New
		} else if p.Kind == partRename {
			img.New = p.Old
		}
		switch {
		case p.goes != "" && p.d.rename(p.goes, to, name) == nil:
			p.goes, img.Itself = "", !p.copied
		case p.Kind == partInPlace && os.Rename(filepath.Join(c.journal.dir, p.Image), filepath.Join(path, name)) == nil:
		case p.goes != "" || p.Kind == partInPlace:
			if os.WriteFile(filepath.Join(path, name), p.old, 0o600) != nil {
				continue
			}
		default:
			continue
		}
		img.Kept = true
	}
	return img, found
}

// boundUndo forgets the oldest calls of a session over the bounds. The newest
// call stays whatever its size.
func (w *Workspace) boundUndo(call Call, rec callRecord) {
	w.undoMu.Lock()
	defer w.undoMu.Unlock()
	calls, known := w.undo[call.Session]
	if !known {
		calls, _ = w.readCalls(call.Session)
	} else {
		calls = append(calls, CallInfo{ID: call.ID, Time: rec.Time, bytes: rec.Bytes})
	}
	var total int64
	for _, c := range calls {
		total += c.bytes
	}
	for len(calls) > 1 && (len(calls) > w.undoCalls || total > w.undoBytes) {
		os.RemoveAll(filepath.Join(w.state, w.undoDir(call.Session), calls[0].ID))
		total -= calls[0].bytes
		calls = calls[1:]
	}
	if w.undo == nil {
		w.undo = map[string][]CallInfo{}
	}
	for i := range calls {
		calls[i].Images = nil // only the sizes are needed here
	}
	w.undo[call.Session] = slices.Clone(calls)
}

// Calls lists the calls of a session whose pre-images are kept, oldest first.
// Damaged ones are left out.
func (w *Workspace) Calls(session string) ([]CallInfo, error) {
	if err := checkID(session); err != nil {
		return nil, err
	}
	return w.readCalls(session)
}

func (w *Workspace) readCalls(session string) ([]CallInfo, error) {
	dir := filepath.Join(w.state, w.undoDir(session))
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, ioError("", "read the pre-images", err)
	}
	var calls []CallInfo
	for _, e := range entries {
		if info, err := w.readCall(Call{session, e.Name()}); err == nil {
			calls = append(calls, info)
		}
	}
	slices.SortStableFunc(calls, func(a, b CallInfo) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.ID, b.ID))
	})
	return calls, nil
}

func (w *Workspace) readCall(c Call) (CallInfo, error) {
	data, err := os.ReadFile(filepath.Join(w.state, w.undoDir(c.Session), c.ID, "index"))
	if err != nil {
		return CallInfo{}, err
	}
	var rec callRecord
	if err := json.Unmarshal(data, &rec); err != nil {
		return CallInfo{}, err
	}
	info := CallInfo{ID: c.ID, Time: rec.Time, bytes: rec.Bytes}
	for _, r := range rec.Images {
		img := r.Image
		img.Name, img.Path, img.MovedTo = string(r.NameBytes), string(r.PathBytes), string(r.MovedToBytes)
		info.Images = append(info.Images, img)
	}
	return info, nil
}

// Images returns what a call did to each file, in the order of its changes.
// EDIT_NOT_FOUND: nothing is kept of that call.
func (w *Workspace) Images(c Call) ([]Image, error) {
	if err := cmp.Or(checkID(c.Session), checkID(c.ID)); err != nil {
		return nil, err
	}
	info, err := w.readCall(c)
	if err != nil {
		return nil, refusal.New(refusal.NotFound, "nothing is kept of the call %s", c.ID)
	}
	return info.Images, nil
}

// ImageData returns the bytes kept of file i of a call, from 0. exact says that
// they are what the call found. They are not when somebody wrote through a
// descriptor opened before the commit, or when a power cut took an unsynced
// pre-image; what is to be done then is the caller's to decide. EDIT_NOT_FOUND:
// none are kept.
func (w *Workspace) ImageData(c Call, i int) (data []byte, exact bool, err error) {
	images, err := w.Images(c)
	if err != nil {
		return nil, false, err
	}
	if i < 0 || i >= len(images) || !images[i].Kept {
		return nil, false, refusal.New(refusal.NotFound, "the call %s keeps no bytes of that file", c.ID)
	}
	data, err = os.ReadFile(w.imagePath(c, i))
	if err != nil {
		return nil, false, ioError(images[i].Name, "read the pre-image", err)
	}
	return data, text.RevisionOf(data) == images[i].Old, nil
}

func (w *Workspace) imagePath(c Call, i int) string {
	return filepath.Join(w.state, w.undoDir(c.Session), c.ID, fmt.Sprintf("%d.old", i))
}

// imageItself is where the old file itself is kept, and "" when it is not.
func (w *Workspace) imageItself(ref ImageRef) string {
	images, err := w.Images(ref.Call)
	if err != nil || ref.Index < 0 || ref.Index >= len(images) || !images[ref.Index].Itself {
		return ""
	}
	return w.imagePath(ref.Call, ref.Index)
}

// Forget throws away the pre-images of a session.
func (w *Workspace) Forget(session string) error {
	if err := checkID(session); err != nil {
		return err
	}
	w.undoMu.Lock()
	defer w.undoMu.Unlock()
	delete(w.undo, session)
	if err := os.RemoveAll(filepath.Join(w.state, w.undoDir(session))); err != nil {
		return ioError("", "remove the pre-images", err)
	}
	return nil
}

// ForgetSession drops the pre-images of a session that no process has open, in
// whatever roots it worked. stateDir is an absolute state folder.
func ForgetSession(stateDir, session string) error {
	if err := checkID(session); err != nil {
		return err
	}
	undo := filepath.Join(stateDir, undoSub)
	roots, err := os.ReadDir(undo)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ioError("", "remove the pre-images", err)
	}
	for _, r := range roots {
		if err := os.RemoveAll(filepath.Join(undo, r.Name(), session)); err != nil {
			return ioError("", "remove the pre-images", err)
		}
	}
	return nil
}
