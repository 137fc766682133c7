package workspace

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/zeebo/blake3"

	"putcut/refusal"
	"putcut/text"
)

// A part is a partRecord in work.
type part struct {
	partRecord
	w        *Workspace
	change   int
	name     string // for messages
	root     int
	toRoot   int
	old, new []byte // nil in recovery
	mode     fs.FileMode
	meta     *Target // whose metadata a created file takes
	like     string  // path of the pre-image whose metadata a created file takes, or empty
	was      Info    // of the old file when its metadata was copied
	d, to    *dir

	temp     bool     // Temp exists, with new content
	applied  bool     // the target changed
	goes     string   // name of what went out of the target: Temp or Aside
	file     *os.File // Temp, until it is synced
	unsynced bool     // the file system has no sync for files
	copied   bool     // Aside is a copy and not the old file itself
	torn     bool     // a write in place began
}

func (p *part) base() string { return string(p.At.Base) }

func (p *part) close() {
	if p.file != nil {
		p.file.Close()
		p.file = nil
	}
	if p.d != nil {
		p.d.close()
	}
	if p.to != nil {
		p.to.close()
	}
	p.d, p.to = nil, nil
}

// apply changes the target. What it destroys waits under the name goes until
// the commit is finished.
func (p *part) apply() error {
	switch p.Kind {
	case partReplace:
		return p.applyReplace()
	case partCreate:
		err := p.step("rename", p.Temp, func() error { return p.d.renameNew(p.Temp, p.d, p.base()) })
		if errors.Is(err, fs.ErrExist) {
			return refusal.New(refusal.Exists, "somebody else created the file meanwhile")
		}
		if err != nil {
			return err
		}
		p.temp, p.applied = false, true
		return nil
	case partRemove:
		err := p.step("rename", p.base(), func() error { return p.d.renameNew(p.base(), p.d, p.Temp) })
		if errors.Is(err, fs.ErrNotExist) {
			return conflict("the file was removed since it was read")
		}
		if err != nil {
			return err
		}
		p.applied, p.goes = true, p.Temp
		return p.mustBeOld(p.d, p.Temp)
	case partRename:
		return p.applyRename()
	default:
		return p.applyInPlace()
	}
}

func (p *part) applyReplace() error {
	err := p.step("exchange", p.base(), func() error { return p.d.exchange(p.Temp, p.base()) })
	switch {
	case err == nil:
		p.temp, p.applied, p.goes = false, true, p.Temp
	case unsupported(err):
		if err := p.replaceWithoutExchange(); err != nil {
			return err
		}
	case errors.Is(err, fs.ErrNotExist):
		return conflict("the file was removed since it was read")
	default:
		return err
	}
	if err := p.mustBeOld(p.d, p.goes); err != nil {
		return err
	}
	if p.copied {
		return nil
	}
	is, err := p.d.lstat(p.goes)
	if err != nil {
		return err
	}
	return catchUp(p.d, p.base(), p.was, is)
}

// replaceWithoutExchange compares and then renames. The old file stays under
// a second name, so that it can be put back.
func (p *part) replaceWithoutExchange() error {
	if err := p.mustBeOld(p.d, p.base()); err != nil {
		return err
	}
	err := p.step("link", p.Aside, func() error { return p.d.link(p.base(), p.Aside) })
	if err != nil && !unsupported(err) && !irreplaceable(err) {
		return err
	}
	if err != nil {
		// No hard links here: keep a copy.
		if err := p.copyAside(); err != nil {
			p.step("unlink", p.Aside, func() error { return p.d.unlink(p.Aside) })
			return err
		}
	}
	p.goes = p.Aside
	if err := p.step("rename", p.Temp, func() error { return p.d.rename(p.Temp, p.d, p.base()) }); err != nil {
		return err
	}
	p.temp, p.applied = false, true
	return nil
}

func (p *part) copyAside() error {
	var f *os.File
	err := p.step("create", p.Aside, func() (err error) {
		f, err = p.d.openFile(p.Aside, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	defer f.Close()
	p.copied = true
	if err := p.write(f, p.Aside, p.old); err != nil {
		return err
	}
	from, info, err := openRegular(p.d, p.base(), os.O_RDONLY)
	if err != nil {
		return err
	}
	defer from.Close()
	step := func(op string) error { return p.step(op, p.Aside, func() error { return nil }) }
	if err := copyMetadata(f, from, info, step); err != nil {
		return err
	}
	if p.w.durable == Full {
		return p.step("sync", p.Aside, f.Sync)
	}
	return nil
}

func (p *part) applyRename() error {
	to := string(p.To.Base)
	err := p.step("rename", p.base(), func() error {
		if bytes.Equal(p.At.Root, p.To.Root) && bytes.Equal(p.At.Dir, p.To.Dir) {
			from, err := p.d.lstat(p.base())
			if err != nil {
				return err
			}
			if there, err := p.to.lstat(to); err == nil && there.same(from) && caseTwin(p.d, p.base(), to) {
				// One entry in two spellings: there is nothing to replace.
				return p.d.rename(p.base(), p.to, to)
			}
		}
		return p.d.renameNew(p.base(), p.to, to)
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		return refusal.New(refusal.Exists, "somebody else created the destination meanwhile")
	case errors.Is(err, fs.ErrNotExist):
		if _, lerr := p.d.lstat(p.base()); lerr == nil {
			return err // it is the folder of the destination that went
		}
		return conflict("the file was removed since it was read")
	case err != nil:
		return err
	}
	p.applied = true
	return p.mustBeOld(p.to, to)
}

// caseTwin reports that two spellings of a folder are one entry of it, and not
// two hard links of one file.
func caseTwin(d *dir, a, b string) bool {
	names, err := d.names()
	if err != nil {
		return false
	}
	n := 0
	for _, name := range names {
		if name == a || name == b {
			n++
		}
	}
	return n == 1
}

func (p *part) applyInPlace() error {
	f, info, err := openRegular(p.d, p.base(), os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return conflict("the file was removed since it was read")
	}
	if err != nil {
		return err
	}
	defer f.Close()
	p.was = info
	if int64(len(p.new)) > info.Size {
		if err := p.step("reserve", p.base(), func() error { return reserve(f, int64(len(p.new))) }); err != nil {
			return err
		}
	}
	// Nothing but the first write may come between this and the write.
	_, differs, err := compare(context.Background(), f, p.old)
	if err != nil {
		return err
	}
	if differs != nil {
		return conflict("somebody else changed the file since it was read")
	}
	p.applied, p.torn = true, true
	if err := p.overwrite(f, p.new); err != nil {
		return err
	}
	p.torn = false
	return nil
}

func (p *part) overwrite(f *os.File, data []byte) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := p.write(f, p.base(), data); err != nil {
		return err
	}
	if err := p.step("truncate", p.base(), func() error { return f.Truncate(int64(len(data))) }); err != nil {
		return err
	}
	if p.w.durable == Full {
		err := p.step("sync", p.base(), f.Sync)
		if unsupported(err) {
			p.unsynced, err = true, nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mustBeOld opens what went out of the target and compares it.
func (p *part) mustBeOld(d *dir, name string) error {
	ok, err := p.holds(d, name, p.old, p.Old)
	if errors.Is(err, fs.ErrNotExist) {
		return conflict("the file was removed since it was read")
	}
	if err != nil {
		return err
	}
	if !ok {
		return conflict("somebody else changed the file since it was read")
	}
	return nil
}

// holds reports that name is a regular file with the given bytes, or in
// recovery, where there are none, with the given revision.
func (p *part) holds(d *dir, name string, data []byte, rev text.Revision) (bool, error) {
	var f *os.File
	err := p.step("open", name, func() (err error) {
		f, _, err = openRegular(d, name, os.O_RDONLY)
		return err
	})
	if errors.Is(err, refusal.NotRegular) || errors.Is(err, refusal.Conflict) {
		return false, nil // a folder, a device or a link was put there
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	if data != nil {
		_, differs, err := compare(context.Background(), f, data)
		return err == nil && differs == nil, err
	}
	got, err := revisionOf(f)
	return got == rev, err
}

func revisionOf(f io.Reader) (text.Revision, error) {
	buf := blocks.Get().(*[block]byte)
	defer blocks.Put(buf)
	h := blake3.New()
	for {
		n, err := f.Read(buf[:])
		h.Write(buf[:n])
		if err == io.EOF {
			return text.Revision(hex.EncodeToString(h.Sum(nil))), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// revert puts the target back as it was and removes what stands beside it.
// careful is recovery: time has passed, so a target that is not what the commit
// left is somebody's and stays. kept names files of somebody else that had to
// be put beside the target.
func (p *part) revert(careful bool) (kept []string, err error) {
	if p.d == nil {
		return nil, nil
	}
	if p.applied {
		switch p.Kind {
		case partReplace:
			kept, err = p.revertReplace()
		case partCreate:
			kept, err = p.revertCreate()
		case partRemove:
			kept, err = p.putBack(p.d, p.Temp, p.d, p.base())
			p.goes = ""
		case partRename:
			kept, err = p.putBack(p.to, string(p.To.Base), p.d, p.base())
		case partInPlace:
			err = p.revertInPlace(careful)
		}
		if err != nil {
			return kept, err
		}
		p.applied = false
	}
	for _, name := range []string{p.temporary(), p.goes} {
		if name == "" {
			continue
		}
		uerr := p.step("unlink", name, func() error { return p.d.unlink(name) })
		if uerr != nil && !errors.Is(uerr, fs.ErrNotExist) {
			err = errors.Join(err, uerr)
		}
	}
	p.temp, p.goes = false, ""
	return kept, err
}

func (p *part) temporary() string {
	if p.temp {
		return p.Temp
	}
	return ""
}

// revertReplace brings the old file back by the way it went.
func (p *part) revertReplace() (kept []string, err error) {
	old := p.goes
	err = p.step("exchange", p.base(), func() error { return p.d.exchange(old, p.base()) })
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist):
		// Somebody removed the new file.
		kept, err = p.putBack(p.d, old, p.d, p.base())
		p.goes = ""
		return kept, err
	case unsupported(err):
		ours, herr := p.holds(p.d, p.base(), p.new, p.New)
		if herr != nil && !errors.Is(herr, fs.ErrNotExist) {
			return nil, herr
		}
		if !ours && herr == nil {
			// Theirs stays, and so does the old file, beside it.
			name, err := p.keepBeside(p.d, old)
			p.goes = ""
			return []string{name}, err
		}
		err = p.step("rename", old, func() error { return p.d.rename(old, p.d, p.base()) })
		if err == nil {
			p.goes = ""
		}
		return nil, err
	default:
		return nil, err
	}
	// What came out must be ours.
	p.goes = ""
	ours, err := p.holds(p.d, old, p.new, p.New)
	if err != nil {
		return nil, err
	}
	if ours {
		p.goes = old
		return nil, nil
	}
	name, err := p.keepBeside(p.d, old)
	return []string{name}, err
}

// revertCreate takes the created file away, if it still is what was created.
func (p *part) revertCreate() (kept []string, err error) {
	err = p.step("rename", p.base(), func() error { return p.d.renameNew(p.base(), p.d, p.Temp) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	ours, err := p.holds(p.d, p.Temp, p.new, p.New)
	if err != nil {
		return nil, err
	}
	if ours {
		p.goes = p.Temp
		return nil, nil
	}
	return p.putBack(p.d, p.Temp, p.d, p.base())
}

// putBack renames, and keeps the file beside the name where somebody took it.
func (p *part) putBack(from *dir, name string, to *dir, base string) (kept []string, err error) {
	err = p.step("rename", name, func() error { return from.renameNew(name, to, base) })
	if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	beside, err := p.keepBeside(from, name)
	return []string{beside}, err
}

// keepBeside gives a file a name that people find: that of the target with a
// suffix.
func (p *part) keepBeside(d *dir, name string) (string, error) {
	at := p.At
	if d == p.to {
		at = p.To
	}
	for range 8 {
		suffix := ".putcut-kept-" + randomID()[:8]
		base := string(at.Base)
		if len(base)+len(suffix) > 255 {
			base = base[:255-len(suffix)]
		}
		err := p.step("rename", name, func() error { return d.renameNew(name, d, base+suffix) })
		if err == nil {
			at.Base = []byte(base + suffix)
			return at.String(), nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return name, err
		}
	}
	return name, fmt.Errorf("no free name beside %s", at.Base)
}

// revertInPlace writes the old bytes back over what this commit wrote.
func (p *part) revertInPlace(careful bool) error {
	f, _, err := openRegular(p.d, p.base(), os.O_RDWR)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && !careful {
			return nil // somebody removed it meanwhile
		}
		return err
	}
	defer f.Close()
	if !p.torn {
		_, differs, err := compare(context.Background(), f, p.new)
		if err != nil {
			return err
		}
		if differs != nil {
			return nil // somebody saved over it: theirs stays
		}
	}
	return p.overwrite(f, p.old)
}

func (p *part) step(op, name string, f func() error) error {
	return p.w.step(op, path.Join(string(p.At.Dir), name), f)
}

func (p *part) write(f *os.File, name string, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), p.w.chunk)
		if err := p.step("write", name, func() error { _, err := f.Write(data[:n]); return err }); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}
