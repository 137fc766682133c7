package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"putcut/refusal"
	"putcut/text"
)

// plan turns the changes into parts and refuses what cannot be.
func (c *commit) plan() error {
	c.id = randomID()
	if err := c.distinct(); err != nil {
		return err
	}
	for i, ch := range c.changes {
		for _, t := range []*Target{ch.Target, ch.MoveTo} {
			if t == nil {
				continue
			}
			if err := c.w.CheckWritable(t); err != nil {
				return err
			}
			if err := c.w.look(t); err != nil {
				return err
			}
		}
		if err := c.planChange(i, ch); err != nil {
			if e := refusal.As(err); e != nil {
				return e.At(ch.Target.Name)
			}
			return ioError(ch.Target.Name, "look at the file", err)
		}
	}
	c.sortParts()
	for i, p := range c.parts {
		p.Temp = fmt.Sprintf(".putcut-%s-%d", c.id, i)
		p.Aside = p.Temp + "o"
	}
	return nil
}

// distinct refuses two changes of one file: neither could be undone without
// the other.
func (c *commit) distinct() error {
	seen := map[string]bool{}
	for _, ch := range c.changes {
		targets := []*Target{ch.Target}
		if ch.MoveTo != nil && !CaseOnly(ch.Target, ch.MoveTo) {
			targets = append(targets, ch.MoveTo)
		}
		for _, t := range targets {
			inode := ""
			if t == ch.Target && t.Exists && t.Info.Links > 1 {
				inode = fmt.Sprintf("%x:%x", t.Info.Dev, t.Info.Ino)
			}
			if seen[t.Key] || inode != "" && seen[inode] {
				return refusal.New(refusal.InvalidArgument, "one call changes this file twice").
					WithNext("Put all changes of a file into one section").At(t.Name)
			}
			seen[t.Key], seen[inode] = true, true
		}
	}
	return nil
}

func (c *commit) planChange(i int, ch Change) error {
	t := ch.Target
	if ch.OldAbsent {
		if t.Exists {
			return refusal.New(refusal.Exists, "the file exists already")
		}
		if err := c.planFolders(t); err != nil {
			return err
		}
		p := c.add(i, partCreate, t, ch)
		p.mode = ch.Mode
		if ch.Like != nil && ch.Mode != 0 {
			p.like = c.w.imageItself(*ch.Like)
		}
		return nil
	}
	f, info, err := c.w.open(t)
	if err != nil {
		if errors.Is(err, refusal.NotFound) {
			return conflict("the file was removed since it was read")
		}
		return err
	}
	defer f.Close()
	t.Info = info
	if !info.untouched(t.read) || info.Size != int64(len(ch.Old)) {
		if err := c.mustEqual(f, ch.Old); err != nil {
			return err
		}
	}
	inPlace := info.Links > 1 || c.ways[i] == wayInPlace
	same := bytes.Equal(ch.Old, ch.New)
	switch {
	case ch.Remove:
		c.add(i, partRemove, t, ch)
	case ch.MoveTo != nil:
		return c.planMove(i, ch, info, inPlace, same)
	case same:
	case inPlace:
		c.add(i, partInPlace, t, ch)
	default:
		c.add(i, partReplace, t, ch)
	}
	return nil
}

func (c *commit) planMove(i int, ch Change, info Info, inPlace, same bool) error {
	from, to := ch.Target, ch.MoveTo
	caseOnly := CaseOnly(from, to)
	if to.Exists && !caseOnly {
		return refusal.New(refusal.Exists, "the destination %s exists already", to.Name)
	}
	if err := c.planFolders(to); err != nil {
		return err
	}
	switch {
	case c.ways[i] == wayCopy || !same && !inPlace && !caseOnly:
		p := c.add(i, partCreate, to, ch)
		p.meta = from
		c.add(i, partRemove, from, ch).New = ""
		return nil
	case !same && inPlace:
		c.add(i, partInPlace, from, ch)
	case !same:
		c.add(i, partReplace, from, ch)
	}
	p := c.add(i, partRename, from, ch)
	p.toRoot = to.root
	base := to.base()
	if caseOnly {
		base = to.asked
	}
	p.To = c.w.placeName(to.root, to.parent(), base)
	if !same {
		// The content has changed by the time this part comes.
		p.Old, p.old = p.New, p.new
	}
	p.New, p.new = "", nil
	return nil
}

func (w *Workspace) placeName(root int, dir, base string) placeName {
	return placeName{[]byte(w.roots[root].real), []byte(dir), []byte(base)}
}

func (c *commit) add(i int, kind partKind, t *Target, ch Change) *part {
	p := &part{w: c.w, change: i, name: t.Name, root: t.root, old: ch.Old, new: ch.New, was: t.Info}
	p.Kind = kind
	p.At = c.w.placeName(t.root, t.parent(), t.base())
	if kind != partCreate {
		p.Old = ch.OldRevision
		if p.Old == "" {
			p.Old = text.RevisionOf(ch.Old)
		}
	}
	if kind != partRemove {
		p.New = ch.NewRevision
		if p.New == "" {
			p.New = text.RevisionOf(ch.New)
		}
	}
	c.parts = append(c.parts, p)
	return p
}

// planFolders notes the folders above t that are missing.
func (c *commit) planFolders(t *Target) error {
	var missing []folder
	for rel := t.parent(); rel != "."; rel = path.Dir(rel) {
		d, err := c.w.openDirAt(t.root, rel)
		if err == nil {
			d.close()
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		missing = append(missing, folder{t.root, rel})
	}
	for _, f := range slices.Backward(missing) {
		if !slices.Contains(c.made, f) {
			c.made = append(c.made, f)
		}
	}
	return nil
}

func (c *commit) mustEqual(f io.Reader, want []byte) error {
	_, differs, err := compare(context.Background(), f, want)
	if err != nil {
		return err
	}
	if differs != nil {
		return conflict("somebody else changed the file since it was read")
	}
	return nil
}

// sortParts puts the changes that write in place last: they are the hardest to
// put back. A rename after a write in place is of the same change and follows it.
func (c *commit) sortParts() {
	late := map[int]int{}
	for _, p := range c.parts {
		if p.Kind == partInPlace {
			late[p.change] = 1
		}
	}
	slices.SortStableFunc(c.parts, func(a, b *part) int { return late[a.change] - late[b.change] })
}
