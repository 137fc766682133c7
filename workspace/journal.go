package workspace

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"putcut/refusal"
	"putcut/text"
)

// A journal is one commit's record in the state folder, written before the
// commit makes anything beside a target and removed when nothing of it is left
// there. Its first row is a journalHead; rows that follow are the single words
// below. Every row ends with a checksum, so that a torn row counts as absent.
//
// A commit of one file does not sync its journal: a rename is all or nothing
// without one, and the record is there to clear up after a killed process. It
// is written into a slot, a file that is used again and again: creating one
// would make the sync of the new content wait for one more file. All other
// commits have a file of their own, synced before the first target changes.
const (
	// rowPrepared: new content and pre-images are complete; targets may change
	// from here on.
	rowPrepared = "prepared"
	// rowApplied: every target has changed and every folder is synced. From
	// here the commit is only ever finished.
	rowApplied = "applied"
)

const journalVersion = 1

type journalHead struct {
	Version int          `json:"version"`
	Durable bool         `json:"durable"`
	Single  bool         `json:"single,omitempty"`
	Parts   []partRecord `json:"parts"`
	Made    []placeName  `json:"made,omitempty"` // folders, outermost first
}

// A placeName is a folder or an entry of one. Names are bytes, which JSON
// strings are not.
type placeName struct {
	Root []byte `json:"root"` // absolute, links resolved
	Dir  []byte `json:"dir"`  // slashes, relative to the root
	Base []byte `json:"base"`
}

func (p placeName) String() string {
	return filepath.Join(string(p.Root), filepath.FromSlash(string(p.Dir)), string(p.Base))
}

type partKind string

const (
	partReplace partKind = "replace" // a new file takes the place of the old
	partCreate  partKind = "create"  // a new file where none was
	partRemove  partKind = "remove"
	partRename  partKind = "rename"
	partInPlace partKind = "in place" // the bytes of the old file are overwritten
)

// A partRecord is one change of one directory entry. New content waits as
// Temp. What goes out of the target waits as Temp too after an exchange or a
// removal, and as Aside where names cannot be exchanged.
type partRecord struct {
	Kind  partKind      `json:"kind"`
	At    placeName     `json:"at"`
	To    placeName     `json:"to,omitzero"` // of a rename
	Temp  string        `json:"temp,omitempty"`
	Aside string        `json:"aside,omitempty"`
	Old   text.Revision `json:"old,omitempty"`
	New   text.Revision `json:"new,omitempty"`
	// Image is the file with the pre-image and NewImage that with the new bytes
	// of a target written in place, beside the journal.
	Image    string `json:"image,omitempty"`
	NewImage string `json:"new_image,omitempty"`
}

type journal struct {
	f    *os.File
	slot bool
	path string
	dir  string
	step func(op, path string, f func() error) error
}

// An owner is the lock that shows that the journals of a workspace belong to a
// living process. It is taken at the first commit and held until Close.
type owner struct {
	mu   sync.Mutex
	dir  string
	id   string
	lock *flock.Flock
	seq  int
	live int        // journals that were made and not removed
	free []*journal // slots, live too

	synced bool // the folders of the journals are durable
}

func (o *owner) takeSlot() *journal {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.free) == 0 {
		return nil
	}
	j := o.free[len(o.free)-1]
	o.free = o.free[:len(o.free)-1]
	return j
}

func (o *owner) freeSlot(j *journal) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.free = append(o.free, j)
}

func randomID() string { return fmt.Sprintf("%016x", rand.Uint64()) }

// next returns the journal folder and the stem of a new journal's name.
func (o *owner) next(w *Workspace) (dir, stem string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lock == nil {
		if o.dir, err = w.makeState("journal"); err != nil {
			return "", "", err
		}
		for o.lock == nil {
			o.id = randomID()
			f, ok, err := tryLockFile(filepath.Join(o.dir, o.id+".lock"))
			if err != nil {
				return "", "", refusal.New(refusal.IO, "cannot lock a journal in %s: %v", o.dir, err)
			}
			if ok {
				o.lock = f
			}
		}
	}
	o.seq++
	return o.dir, fmt.Sprintf("%s-%d", o.id, o.seq), nil
}

// syncFolders makes the folders of the journals durable, once: they may be as
// new as the first journal that has to outlive a power cut.
func (o *owner) syncFolders(w *Workspace) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.synced {
		o.synced = true
		syncFolder(w.state)
		syncFolder(filepath.Dir(w.state))
	}
}

func (o *owner) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lock == nil {
		return
	}
	for _, j := range o.free {
		j.f.Close()
		if os.Remove(j.path) == nil {
			o.live--
		}
	}
	o.free = nil
	if o.live == 0 || o.nothingLeft() {
		os.Remove(o.lock.Path())
	}
	o.lock.Close()
	o.lock = nil
}

// nothingLeft looks for files of this owner's journals.
func (o *owner) nothingLeft() bool {
	left, _ := filepath.Glob(filepath.Join(o.dir, o.id+"-*"))
	return len(left) == 0
}

// count notes that a journal was made, or removed, unless err says it was not.
func (o *owner) count(n int, err error) error {
	if err == nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.live += n
	}
	return err
}

// castagnoli is a table of our own: making the library's prepares its fast
// paths, which takes longer than all rows of a journal.
var castagnoli = sync.OnceValue(func() *crc32.Table {
	t := &crc32.Table{}
	for i := range t {
		sum := uint32(i)
		for range 8 {
			sum = sum>>1 ^ crc32.Castagnoli&-(sum&1)
		}
		t[i] = sum
	}
	return t
})

func journalRow(row []byte) []byte {
	return fmt.Appendf(nil, "%s %08x\n", row, crc32.Checksum(row, castagnoli()))
}

// row is the head as JSON. It is spelled out because most programs write one
// and encoding/json would study the types first.
func (h *journalHead) row() []byte {
	b := fmt.Appendf(nil, `{"version":%d,"durable":%t`, h.Version, h.Durable)
	if h.Single {
		b = append(b, `,"single":true`...)
	}
	b = append(b, `,"parts":`...)
	if h.Parts == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, '[')
		for i := range h.Parts {
			if i > 0 {
				b = append(b, ',')
			}
			b = h.Parts[i].append(b)
		}
		b = append(b, ']')
	}
	for i, m := range h.Made {
		if i == 0 {
			b = append(b, `,"made":[`...)
		} else {
			b = append(b, ',')
		}
		b = m.append(b)
		if i == len(h.Made)-1 {
			b = append(b, ']')
		}
	}
	return append(b, '}')
}

func (p *partRecord) append(b []byte) []byte {
	b = fmt.Appendf(b, `{"kind":%q,"at":`, p.Kind)
	b = p.At.append(b)
	if p.To.Root != nil || p.To.Dir != nil || p.To.Base != nil {
		b = append(b, `,"to":`...)
		b = p.To.append(b)
	}
	// All of these are names that this package makes up, or hexadecimal.
	for _, f := range [...]struct{ name, value string }{
		{"temp", p.Temp}, {"aside", p.Aside}, {"old", string(p.Old)}, {"new", string(p.New)}, {"image", p.Image}, {"new_image", p.NewImage},
	} {
		if f.value != "" {
			b = fmt.Appendf(b, `,"%s":"%s"`, f.name, f.value)
		}
	}
	return append(b, '}')
}

func (p placeName) append(b []byte) []byte {
	for _, f := range [...]struct {
		before string
		value  []byte
	}{{`{"root":`, p.Root}, {`,"dir":`, p.Dir}, {`,"base":`, p.Base}} {
		b = append(b, f.before...)
		if f.value == nil {
			b = append(b, "null"...)
			continue
		}
		b = append(b, '"')
		b = base64.StdEncoding.AppendEncode(b, f.value)
		b = append(b, '"')
	}
	return append(b, '}')
}

// startJournal writes the head of a journal: into a new file, or into a slot.
func (w *Workspace) startJournal(dir, stem string, head *journalHead) (j *journal, err error) {
	row := head.row()
	if head.Single {
		if j = w.owner.takeSlot(); j != nil {
			return j, j.fill(row)
		}
	}
	j = &journal{dir: dir, path: filepath.Join(dir, stem+".journal"), slot: head.Single, step: w.step}
	flag := os.O_CREATE | os.O_EXCL | os.O_WRONLY
	if j.slot {
		j.path = filepath.Join(dir, stem+".slot")
	} else {
		flag |= os.O_APPEND
	}
	err = j.step("create", j.path, func() (err error) {
		j.f, err = os.OpenFile(j.path, flag, 0o600)
		return err
	})
	if w.owner.count(1, err) != nil {
		return nil, err
	}
	if j.slot {
		return j, j.fill(row)
	}
	if err := j.append(row); err != nil {
		j.f.Close()
		w.step("unlink", j.path, func() error { return os.Remove(j.path) })
		return nil, err
	}
	return j, nil
}

// slotSize is the size of a slot that most heads fit in. A write within the
// size of a file changes nothing that a sync of another file waits for.
const slotSize = 4096

// fill overwrites a slot. What a longer head left behind the row has no valid
// checksum. A slot that cannot be written is given up.
func (j *journal) fill(row []byte) error {
	row = journalRow(row)
	if len(row) < slotSize {
		row = append(row, make([]byte, slotSize-len(row))...)
	}
	err := j.step("write", j.path, func() error { _, err := j.f.WriteAt(row, 0); return err })
	if err != nil {
		j.f.Close()
		j.step("unlink", j.path, func() error { return os.Remove(j.path) })
	}
	return err
}

// end clears a slot for the next commit, and removes any other journal.
func (w *Workspace) end(j *journal, head *journalHead) error {
	if !j.slot {
		j.f.Close()
		return w.owner.count(-1, w.step("unlink", j.path, func() error { return removeJournal(j.path, head) }))
	}
	if err := j.step("write", j.path, func() error { _, err := j.f.WriteAt([]byte("-\n"), 0); return err }); err != nil {
		j.f.Close()
		return err
	}
	w.owner.freeSlot(j)
	return nil
}

func (j *journal) append(row []byte) error {
	return j.step("write", j.path, func() error {
		_, err := j.f.Write(journalRow(row))
		return err
	})
}

// sync makes the journal and its name durable.
func (j *journal) sync() error {
	if err := j.step("sync", j.path, j.f.Sync); err != nil {
		return err
	}
	return j.step("sync", j.dir, func() error { return syncFolder(j.dir) })
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !unsupported(err) {
		return err
	}
	return nil
}

// readJournal returns nil for the head when its row is torn: then nothing was
// made under it.
func readJournal(path string) (head *journalHead, rows map[string]bool, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	rows = map[string]bool{}
	for i, line := range bytes.SplitAfter(data, []byte("\n")) {
		n := len(line) - 10 // blank, 8 digits, LF
		if n < 0 || !bytes.Equal(line, journalRow(line[:n])) {
			break
		}
		if i > 0 {
			rows[string(line[:n])] = true
			continue
		}
		head = &journalHead{}
		if err := json.Unmarshal(line[:n], head); err != nil {
			return nil, nil, err
		}
		if head.Version != journalVersion {
			return nil, nil, fmt.Errorf("journal version %d is not known", head.Version)
		}
	}
	return head, rows, nil
}

// removeJournal removes a journal, its images first.
func removeJournal(path string, head *journalHead) error {
	if head != nil {
		for _, p := range head.Parts {
			for _, image := range []string{p.Image, p.NewImage} {
				if image != "" && !strings.ContainsRune(image, filepath.Separator) {
					if err := os.Remove(filepath.Join(filepath.Dir(path), image)); err != nil && !errors.Is(err, fs.ErrNotExist) {
						return err
					}
				}
			}
		}
	}
	return os.Remove(path)
}

// step does one operation of a commit, or what Options.Before has for it.
func (w *Workspace) step(op, path string, f func() error) error {
	if w.before != nil {
		if err := w.before(Step{Op: op, Path: path}); err != nil {
			return &fs.PathError{Op: op, Path: path, Err: err}
		}
	}
	return f()
}
