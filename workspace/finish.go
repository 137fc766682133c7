package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"putcut/refusal"
)

func (c *commit) apply() error {
	for _, p := range c.parts {
		if err := p.apply(); err != nil {
			return c.fail(p, err)
		}
	}
	return c.syncFolders()
}

// syncFolders makes the new entries durable, each folder once.
func (c *commit) syncFolders() error {
	if c.w.durable != Full {
		return nil
	}
	c.outcome.Durable = true
	done := map[string]bool{}
	one := func(d *dir, at placeName) error {
		at.Base = nil
		name := at.String()
		if done[name] {
			return nil
		}
		done[name] = true
		err := c.w.step("sync", string(at.Dir), d.sync)
		if unsupported(err) || errors.Is(err, errBadHandle) {
			c.notDurable("the file system of %s does not sync folders", name)
			return nil
		}
		return err
	}
	for _, p := range c.parts {
		if p.unsynced {
			c.notDurable("the file system of %s does not sync files", p.name)
		}
		if p.Kind == partInPlace {
			continue
		}
		if err := one(p.d, p.At); err != nil {
			return err
		}
		if p.to != nil {
			if err := one(p.to, p.To); err != nil {
				return err
			}
		}
	}
	for i, f := range c.made {
		if f.rel == "" {
			continue
		}
		d, err := c.w.openDirAt(f.root, path.Dir(f.rel))
		if err != nil {
			return err
		}
		err = one(d, c.head.Made[i])
		d.close()
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *commit) notDurable(format string, args ...any) {
	c.outcome.Durable = false
	c.outcome.Warnings = append(c.outcome.Warnings, refusal.Warning{
		Code: refusal.NotDurable, Message: fmt.Sprintf(format, args...),
	})
}

// finish clears up after the last change. The commit stands whatever fails
// here; the journal then stays and the next start clears up.
func (c *commit) finish() {
	if !c.head.Single {
		// Unsynced: it only spares recovery a needless way back.
		c.journal.append([]byte(rowApplied))
	}
	c.keepImages()
	clean := true
	for _, p := range c.parts {
		if p.goes != "" {
			err := p.step("unlink", p.goes, func() error { return p.d.unlink(p.goes) })
			clean = clean && (err == nil || errors.Is(err, fs.ErrNotExist))
		}
		if p.Kind == partInPlace {
			c.outcome.Warnings = append(c.outcome.Warnings, refusal.Warning{
				Code: refusal.InPlace, Path: p.name,
				Message: "written in place, because " + c.reason(p) + "; a reader may have seen it half written",
			})
		}
	}
	if !clean {
		c.journal.f.Close()
	}
	if !clean || c.removeJournal() != nil {
		c.outcome.Warnings = append(c.outcome.Warnings, refusal.Warning{
			Code:    refusal.NotDurable,
			Message: "the change is made, but temporary files could not be removed yet; the next start removes them",
		})
	}
}

func (c *commit) reason(p *part) string {
	if p.was.Links > 1 {
		return "the file has several hard links"
	}
	return "the file cannot be replaced where it is"
}

func (c *commit) removeJournal() error { return c.w.end(c.journal, c.head) }

// undo puts everything back. What cannot be put back is noted and the journal
// stays.
func (c *commit) undo() {
	for _, p := range slices.Backward(c.parts) {
		kept, err := p.revert(false)
		c.kept = append(c.kept, kept...)
		if err != nil {
			c.stuck = append(c.stuck, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	for i := c.makes - 1; i >= 0; i-- {
		f := c.made[i]
		if f.rel == "" {
			continue
		}
		if err := c.w.removeFolder(f); err != nil {
			c.stuck = append(c.stuck, err)
		}
	}
	if len(c.stuck) > 0 {
		c.journal.f.Close()
	} else if err := c.removeJournal(); err != nil {
		c.stuck = append(c.stuck, err)
	}
}

// removeFolder removes a folder that a commit made, if nobody put anything in.
func (w *Workspace) removeFolder(f folder) error {
	d, err := w.openDirAt(f.root, path.Dir(f.rel))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	defer d.close()
	err = w.step("rmdir", f.rel, func() error { return d.rmdir(path.Base(f.rel)) })
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || notEmpty(err) {
		return nil
	}
	return err
}
