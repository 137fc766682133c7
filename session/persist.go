package session

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/zeebo/blake3"

	"putcut/refusal"
	"putcut/snapshots"
	"putcut/text"
	"putcut/workspace"
)

// A Dir is a session that is kept in a folder between processes, for agents
// that work through a shell. The folder is private and locked as long as the
// session is open. It holds an index and, by revision, the texts that the
// session knows; everything is checked when it is loaded, and a damaged folder
// is an empty session.
type Dir struct {
	*Session
	// Warning says that the folder was damaged and the session starts empty.
	Warning string

	path string
	lock *flock.Flock
}

const (
	indexFile = "session.json"
	blobDir   = "texts"
	lockFile  = "lock"
	lockWait  = 30 * time.Second
	takes     = 8 // tries to take a folder that is removed meanwhile
)

// indexVersion is raised when the form of the index changes.
const indexVersion = 1

// validName reports whether a name is 1 to 64 letters, digits, `_`, `-` and `.`,
// and does not start with `-` or `.`.
func validName(s string) bool {
	return s != "" && len(s) <= 64 && s[0] != '-' && s[0] != '.' && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.')
	})
}

// OpenDir opens a session that is kept in a folder: a name, for a folder among
// the user's state, or a path, which holds a separator. It waits for another
// process that has the session open. Close saves it.
// Errors: InvalidArgument for a bad name, IO.
func OpenDir(ctx context.Context, roots []string, nameOrDir string, opt Options) (*Dir, error) {
	s, err := Open(roots, opt)
	if err != nil {
		return nil, err
	}
	d := &Dir{Session: s}
	if err := d.open(ctx, nameOrDir); err != nil {
		s.Close()
		return nil, err
	}
	return d, nil
}

func (d *Dir) open(ctx context.Context, nameOrDir string) error {
	var err error
	if d.path, err = keptPath(d.ws.StateDir(), nameOrDir); err != nil {
		return err
	}
	fail := func(doing string, err error) error {
		return &refusal.Error{Code: refusal.IO, What: fmt.Sprintf("the session folder %s: %s: %v", d.path, doing, err), Err: err}
	}
	if foreign(d.path) {
		return refusal.New(refusal.InvalidArgument, "the folder %s holds other files, and a session needs one of its own", d.path).
			WithNext("Name a folder that is empty or not there")
	}
	if d.images, err = imagesOf(d.path); err != nil {
		return fail("has no absolute path", err)
	}
	d.keep = true
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	for try := 1; ; try++ {
		doing, err := d.take(wait)
		if err == nil {
			break
		}
		// Whoever held the lock may have removed the session.
		if try == takes || !errors.Is(err, fs.ErrNotExist) {
			return fail(doing, err)
		}
	}
	if err := d.load(); err != nil {
		d.Warning = fmt.Sprintf("the session folder %s is damaged (%v): the session starts empty", d.path, err)
		d.store = snapshots.NewStore(d.opt.Snapshots)
	}
	return nil
}

// take makes the folder and locks it; doing says what the error was met at.
func (d *Dir) take(ctx context.Context) (doing string, err error) {
	if err := os.MkdirAll(d.path, 0o700); err != nil {
		return "cannot be made", err
	}
	full, err := filepath.Abs(d.path)
	if err == nil {
		d.folder, err = filepath.EvalSymlinks(full)
	}
	if err != nil {
		return "cannot be found", err
	}
	name := filepath.Join(d.path, lockFile)
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return "cannot be locked", errNotPlain
	}
	d.lock = flock.New(name)
	if ok, err := d.lock.TryLockContext(ctx, 10*time.Millisecond); !ok {
		return "is in use by another process", err
	}
	// A lock that is not the file there is any more locks nothing.
	held, err := d.lock.Stat()
	if err == nil {
		var there os.FileInfo
		if there, err = os.Stat(name); err == nil && !os.SameFile(held, there) {
			err = fs.ErrNotExist
		}
	}
	if err != nil {
		d.lock.Unlock()
		return "cannot be locked", err
	}
	doing, err = d.furnish()
	if err != nil {
		d.lock.Unlock()
	}
	return doing, err
}

// furnish makes what a locked folder has beside its index, and makes it private.
func (d *Dir) furnish() (doing string, err error) {
	texts := filepath.Join(d.path, blobDir)
	if err := os.MkdirAll(texts, 0o700); err != nil {
		return "cannot be made", err
	}
	for _, p := range []string{d.path, texts} {
		if err := os.Chmod(p, 0o700); err != nil {
			return "cannot be made private", err
		}
	}
	return "", nil
}

// foreign reports whether a folder is somebody else's: it holds files, and
// none that a session begins with.
func foreign(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	others := false
	for _, e := range entries {
		switch e.Name() {
		case indexFile, lockFile:
			return false
		case blobDir:
		default:
			others = true
		}
	}
	return others
}

// index is what the index file holds.
type index struct {
	Version   int               `json:"version"`
	Store     snapshots.State   `json:"store"`
	Names     map[string]string `json:"names,omitempty"`
	Registers []registerState   `json:"registers,omitempty"`
	Pending   map[string]string `json:"pending,omitempty"` // path -> call and revision
	NextCall  int               `json:"next_call"`
	Calls     []callState       `json:"calls,omitempty"`
	Keys      [][2]string       `json:"keys,omitempty"`
}

type registerState struct {
	Name  string   `json:"name"`
	Lines [][]byte `json:"lines"`
}

type callState struct {
	ID     string      `json:"id"`
	Tool   string      `json:"tool"`
	Undone bool        `json:"undone,omitempty"`
	Image  string      `json:"image,omitempty"`
	Keys   []string    `json:"keys,omitempty"`
	Forgot []string    `json:"forgot,omitempty"`
	Files  []fileState `json:"files"`
}

type fileState struct {
	Before, After *placeState
	Old           text.Revision       `json:"old,omitempty"`
	Now           text.Revision       `json:"now,omitempty"`
	Label         string              `json:"label,omitempty"`
	Absent        bool                `json:"absent,omitempty"`
	Gone          bool                `json:"gone,omitempty"`
	Mode          uint32              `json:"mode,omitempty"`
	Map           *snapshots.MapState `json:"map"`
}

// placeState is a target that is resolved again when it is needed.
type placeState struct{ Key, Name string }

func (d *Dir) blob(rev text.Revision) string { return filepath.Join(d.path, blobDir, string(rev)) }

// isRevision reports whether a text can be a revision, and so a file's name.
func isRevision(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// read loads a text by revision and checks it.
func (d *Dir) read(rev text.Revision) ([]byte, error) {
	if !isRevision(string(rev)) {
		return nil, errors.New("no revision")
	}
	raw, err := readPlain(d.blob(rev))
	if err == nil && text.RevisionOf(raw) != rev {
		err = errors.New("the text has another revision")
	}
	return raw, err
}

func (d *Dir) load() error {
	raw, err := readPlain(filepath.Join(d.path, indexFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	sum, body, ok := bytes.Cut(raw, []byte{'\n'})
	if !ok || string(sum) != digest(body) {
		return errors.New("its checksum is wrong")
	}
	var in index
	if err := json.Unmarshal(body, &in); err != nil {
		return err
	}
	if in.Version != indexVersion {
		return fmt.Errorf("it has version %d, and this program writes %d", in.Version, indexVersion)
	}
	if err := d.store.Restore(in.Store, d.read); err != nil {
		return err
	}
	for _, r := range in.Registers {
		lines := make([]string, len(r.Lines))
		for i, l := range r.Lines {
			lines[i] = string(l)
		}
		d.regs.Set(r.Name, lines)
	}
	if in.Names != nil {
		d.names = in.Names
	}
	for key, v := range in.Pending {
		call, rev, _ := strings.Cut(v, " ")
		d.pending[key] = pendingCall{call, rev}
	}
	d.calls.next = in.NextCall
	for _, c := range in.Calls {
		rec := &record{id: c.ID, tool: c.Tool, undone: c.Undone, keys: c.Keys, forgot: c.Forgot, image: c.Image}
		for _, f := range c.Files {
			u, err := d.undoFile(f)
			if err != nil {
				rec = nil // its texts are gone, so it cannot be undone
				break
			}
			rec.files = append(rec.files, u)
		}
		if rec != nil {
			d.calls.calls = append(d.calls.calls, rec)
			d.calls.bytes += rec.size()
		}
	}
	for _, k := range in.Keys {
		d.calls.keys[k[0]] = k[1]
		d.calls.keyLog = append(d.calls.keyLog, k[0])
	}
	return nil
}

func (d *Dir) undoFile(f fileState) (undoFile, error) {
	u := undoFile{absent: f.Absent, gone: f.Gone, mode: fs.FileMode(f.Mode)}
	if f.Before == nil || f.After == nil || f.Map == nil {
		return u, errors.New("damaged")
	}
	u.before = &workspace.Target{Key: f.Before.Key, Name: f.Before.Name}
	u.after = &workspace.Target{Key: f.After.Key, Name: f.After.Name}
	u.name = f.Before.Name
	var err error
	if u.m, err = f.Map.Map(); err != nil {
		return u, err
	}
	snap := func(rev text.Revision) (snapshots.Snap, error) {
		raw, err := d.read(rev)
		if err != nil {
			return snapshots.Snap{}, err
		}
		t, err := text.Decode(raw, f.Label)
		if err != nil {
			return snapshots.Snap{}, err
		}
		return snapshots.SnapOf(t, raw, f.Label), nil
	}
	if !f.Absent {
		if u.old, err = snap(f.Old); err != nil {
			return u, err
		}
	}
	if !f.Gone {
		if u.now, err = snap(f.Now); err != nil {
			return u, err
		}
	}
	if !f.Absent && !f.Gone && (u.m.OldLen() != u.old.Text.Len() || u.m.NewLen() != u.now.Text.Len()) {
		return u, errors.New("the line map does not fit the texts")
	}
	return u, nil
}

// Close saves the session and lets go of its folder.
func (d *Dir) Close() error {
	err := d.save()
	return errors.Join(err, d.lock.Unlock(), d.Session.Close())
}

func digest(b []byte) string {
	sum := blake3.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func (d *Dir) save() error {
	st, texts := d.store.State()
	out := index{Version: indexVersion, Store: st, Names: d.names, Pending: map[string]string{}, NextCall: d.calls.next}
	names, lines := d.regs.All()
	for i, n := range names {
		r := registerState{Name: n}
		for _, l := range lines[i] {
			r.Lines = append(r.Lines, []byte(l))
		}
		out.Registers = append(out.Registers, r)
	}
	d.mu.Lock()
	for key, p := range d.pending {
		out.Pending[key] = p.call + " " + p.revision
	}
	for _, rec := range d.calls.calls {
		c := callState{ID: rec.id, Tool: rec.tool, Undone: rec.undone, Keys: rec.keys, Forgot: rec.forgot, Image: rec.image}
		for _, u := range rec.files {
			f := fileState{
				Before: &placeState{u.before.Key, u.before.Name}, After: &placeState{u.after.Key, u.after.Name},
				Absent: u.absent, Gone: u.gone, Mode: uint32(u.mode), Map: snapshots.StateOfMap(u.m),
			}
			if !u.absent {
				f.Old, f.Label = u.old.Revision, u.old.Label
				texts[u.old.Revision] = u.old.Raw
			}
			if !u.gone {
				f.Now, f.Label = u.now.Revision, u.now.Label
				texts[u.now.Revision] = u.now.Raw
			}
			c.Files = append(c.Files, f)
		}
		out.Calls = append(out.Calls, c)
	}
	for _, k := range d.calls.keyLog {
		if call, ok := d.calls.keys[k]; ok {
			out.Keys = append(out.Keys, [2]string{k, call})
		}
	}
	d.mu.Unlock()
	have := map[string]bool{}
	entries, err := os.ReadDir(filepath.Join(d.path, blobDir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		have[e.Name()] = true
	}
	for rev, raw := range texts {
		if !have[string(rev)] && raw != nil {
			if err := writeWhole(d.blob(rev), raw); err != nil {
				return err
			}
		}
	}
	body, err := json.Marshal(out)
	if err != nil {
		return err
	}
	if err := writeWhole(filepath.Join(d.path, indexFile), append([]byte(digest(body)+"\n"), body...)); err != nil {
		return err
	}
	// Only once the index no longer names them may texts go.
	for name := range have {
		if _, used := texts[text.Revision(name)]; !used && isRevision(strings.TrimSuffix(name, ".new")) {
			os.Remove(filepath.Join(d.path, blobDir, name))
		}
	}
	return nil
}

var errNotPlain = errors.New("not a regular file")

// readPlain reads a regular file; a pipe would block, and a link leads elsewhere.
func readPlain(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotPlain
	}
	return os.ReadFile(name)
}

// writeWhole writes a file of the session folder so that it is whole or not
// there; it survives the process, not a power cut, and is checked when loaded.
func writeWhole(name string, data []byte) error {
	tmp := name + ".new"
	os.Remove(tmp) // left by a crash; and never through a link or into a pipe
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}
