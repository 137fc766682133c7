package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// begin writes the journal's head: every name that may come to exist.
func (c *commit) begin() error {
	dir, stem, err := c.w.owner.next(c.w)
	if err != nil {
		return err
	}
	c.head = &journalHead{Version: journalVersion, Durable: c.w.durable == Full}
	c.head.Single = len(c.parts) == 1 && c.parts[0].Kind != partInPlace
	for i, p := range c.parts {
		if p.Kind == partInPlace {
			p.Image = fmt.Sprintf("%s.old%d", stem, i)
			p.NewImage = fmt.Sprintf("%s.new%d", stem, i)
		}
		c.head.Parts = append(c.head.Parts, p.partRecord)
	}
	for _, f := range c.made {
		c.head.Made = append(c.head.Made, c.w.placeName(f.root, path.Dir(f.rel), path.Base(f.rel)))
	}
	c.journal, err = c.w.startJournal(dir, stem, c.head)
	return err
}

// prepare makes everything that can fail for want of space or permission
// before the first target changes.
func (c *commit) prepare() error {
	for i, f := range c.made {
		d, err := c.w.openDirAt(f.root, path.Dir(f.rel))
		if err != nil {
			return err
		}
		err = c.w.step("mkdir", f.rel, func() error { return d.mkdir(path.Base(f.rel)) })
		d.close()
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err != nil {
			// Somebody else made it meanwhile; then it is not ours to remove.
			c.made[i].rel = ""
		}
		c.makes = i + 1
	}
	for _, p := range c.parts {
		if err := c.preparePart(p); err != nil {
			return c.fail(p, err)
		}
	}
	// Syncing after all are written lets the system write them together.
	for _, p := range c.parts {
		if p.file == nil {
			continue
		}
		if err := p.syncTemp(); err != nil {
			return c.fail(p, err)
		}
	}
	if c.head.Single {
		return nil
	}
	if err := c.journal.append([]byte(rowPrepared)); err != nil {
		return err
	}
	if c.w.durable != Full {
		return nil
	}
	c.w.owner.syncFolders(c.w)
	return c.journal.sync()
}

func (c *commit) preparePart(p *part) (err error) {
	if p.d, err = c.w.openDirAt(p.root, string(p.At.Dir)); err != nil {
		return err
	}
	switch p.Kind {
	case partRename:
		p.to, err = c.w.openDirAt(p.toRoot, string(p.To.Dir))
		return err
	case partInPlace:
		return c.prepareImages(p)
	case partReplace, partCreate:
		return p.writeTemp()
	}
	return nil
}

func (p *part) writeTemp() error {
	perm := fs.FileMode(0o666)
	if p.Kind == partReplace || p.meta != nil || p.like != "" {
		perm = 0o600 // nobody looks in before the bits are those of the file
	}
	var f *os.File
	err := p.step("create", p.Temp, func() (err error) {
		f, err = p.d.openFile(p.Temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
		return err
	})
	if err != nil {
		return err
	}
	p.temp, p.file = true, f
	if err := p.write(f, p.Temp, p.new); err != nil {
		return err
	}
	step := func(op string) error { return p.step(op, p.Temp, func() error { return nil }) }
	switch {
	case p.Kind == partReplace:
		from, info, err := openRegular(p.d, string(p.At.Base), os.O_RDONLY)
		if err != nil {
			return err
		}
		defer from.Close()
		p.was = info
		if err := copyMetadata(f, from, info, step); err != nil {
			return err
		}
	case p.meta != nil:
		from, info, err := p.w.open(p.meta)
		if err != nil {
			return err
		}
		defer from.Close()
		if err := copyMetadata(f, from, info, step); err != nil && !errors.Is(err, errMetadata) {
			return err
		}
	case p.mode != 0:
		if err := p.copyLike(f, step); err != nil {
			return err
		}
		if err := step("chmod"); err != nil {
			return err
		}
		if err := f.Chmod(p.mode); err != nil {
			return err
		}
	}
	if p.w.durable == Full {
		return nil
	}
	p.file = nil
	return f.Close()
}

// copyLike gives a file that is created again the metadata of its pre-image,
// unless that is gone.
func (p *part) copyLike(to *os.File, step func(op string) error) error {
	if p.like == "" {
		return nil
	}
	if fi, err := os.Lstat(p.like); err != nil || !fi.Mode().IsRegular() {
		return nil
	}
	from, err := os.Open(p.like)
	if err != nil {
		return nil
	}
	defer from.Close()
	info, err := infoOfFile(from)
	if err != nil {
		return nil
	}
	if err := copyMetadata(to, from, info, step); err != nil && !errors.Is(err, errMetadata) {
		return err
	}
	return nil
}

func (p *part) syncTemp() error {
	f := p.file
	p.file = nil
	err := p.step("sync", p.Temp, f.Sync)
	if unsupported(err) {
		p.unsynced, err = true, nil
	}
	return errors.Join(err, f.Close())
}

// prepareImages saves the bytes that a write in place destroys, and those it
// writes, so that recovery can tell a torn file from somebody's save.
func (c *commit) prepareImages(p *part) error {
	for name, data := range map[string][]byte{p.Image: p.old, p.NewImage: p.new} {
		file := filepath.Join(c.journal.dir, name)
		var f *os.File
		err := c.w.step("create", file, func() (err error) {
			f, err = os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			return err
		})
		if err != nil {
			return err
		}
		err = c.w.step("write", file, func() error { _, err := f.Write(data); return err })
		if err == nil && c.w.durable == Full {
			err = c.w.step("sync", file, f.Sync)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
