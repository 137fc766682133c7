package workspace

import (
	"errors"
	"io/fs"
	"os"

	"putcut/refusal"
	"putcut/text"
)

// A finding is the state of one part.
type finding struct {
	applied  bool
	released bool // applied, and what went out is gone: past the point of return
	foreign  bool // somebody saved since: it stays
	outgoing bool // what waits to be put back or thrown away is not the old file
}

// content of an entry.
type content struct {
	exists bool
	rev    text.Revision // empty for what is no regular file
}

func (r *rescue) look(p *part, d *dir, name string) (content, error) {
	if d == nil {
		return content{}, nil
	}
	var c content
	err := p.step("open", name, func() error {
		f, _, err := openRegular(d, name, os.O_RDONLY)
		if errors.Is(err, refusal.NotRegular) || errors.Is(err, refusal.Conflict) {
			c.exists = true
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		c.exists = true
		c.rev, err = revisionOf(f)
		return err
	})
	return c, err
}

// find looks at what a part left. moved says that a later part took the file
// from At to To already.
func (r *rescue) find(p *part, moved *part) (f finding, err error) {
	d, base := p.d, p.base()
	if moved != nil {
		d, base = moved.to, string(moved.To.Base)
	}
	cur, err := r.look(p, d, base)
	if err != nil {
		return f, err
	}
	temp, err := r.look(p, p.d, p.Temp)
	if err != nil {
		return f, err
	}
	aside, err := r.look(p, p.d, p.Aside)
	if err != nil {
		return f, err
	}
	is := func(c content, rev text.Revision) bool { return c.exists && c.rev == rev }
	p.temp, p.goes, p.applied, p.torn = false, "", false, false
	switch p.Kind {
	case partReplace:
		switch {
		case temp.exists && is(cur, p.New) && !is(temp, p.New):
			p.goes, f.applied, f.outgoing = p.Temp, true, !is(temp, p.Old)
		case temp.exists && !is(cur, p.Old) && is(temp, p.Old):
			// Exchanged, and then somebody saved over the new content.
			p.goes, f.applied, f.foreign = p.Temp, true, true
		case temp.exists:
			p.temp = true
			if f.foreign = !is(cur, p.Old); f.foreign && !is(temp, p.New) {
				// Either part of our content, or what somebody saved before an
				// exchange that somebody else saved over. Keep it.
				p.temp, p.goes, f.applied = false, p.Temp, true
			} else if aside.exists {
				p.goes = p.Aside
			}
		case aside.exists && is(cur, p.Old) && (is(aside, p.Old) || is(aside, p.New)):
			p.goes = p.Aside // a way back that was interrupted itself
		case aside.exists:
			p.goes, f.applied = p.Aside, true
			f.foreign = !is(cur, p.New)
			f.outgoing = !is(aside, p.Old)
		case is(cur, p.New):
			f.applied, f.released = true, true
		default:
			f.foreign = !is(cur, p.Old)
		}
	case partCreate:
		f.applied = is(cur, p.New)
		p.temp = temp.exists
		f.foreign = cur.exists && !f.applied
	case partRemove:
		switch {
		case temp.exists && !cur.exists:
			p.goes, f.applied, f.outgoing = p.Temp, true, !is(temp, p.Old)
		case temp.exists && is(cur, temp.rev):
			p.goes = p.Temp // two names of one file, halfway through a rename
		case temp.exists:
			p.goes, f.applied, f.foreign = p.Temp, true, true
		case !cur.exists:
			f.applied, f.released = true, true
		default:
			f.foreign = !is(cur, p.Old)
		}
	case partRename:
		to, err := r.look(p, p.to, string(p.To.Base))
		if err != nil {
			return f, err
		}
		f.applied = !cur.exists && to.exists
		f.foreign = !f.applied && !is(cur, p.Old) || f.applied && !is(to, p.Old)
	case partInPlace:
		switch {
		case is(cur, p.New):
			f.applied = true
		case is(cur, p.Old) || p.old == nil:
		default:
			data, err := r.bytes(p, d, base, max(len(p.old), len(p.new)))
			if err != nil {
				return f, err
			}
			p.torn = torn(data, p.old, p.new)
			f.applied, f.foreign = p.torn, !p.torn
		}
	}
	p.applied = f.applied
	return f, nil
}

// bytes reads a file of at most max bytes; a longer one gives nil.
func (r *rescue) bytes(p *part, d *dir, name string, max int) ([]byte, error) {
	if d == nil {
		return nil, nil
	}
	f, info, err := openRegular(d, name, os.O_RDONLY)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || refusal.As(err) != nil {
			return nil, nil
		}
		return nil, err
	}
	defer f.Close()
	if info.Size > int64(max) {
		return nil, nil
	}
	data := make([]byte, info.Size)
	n, err := f.ReadAt(data, 0)
	if n < len(data) {
		return nil, err
	}
	return data, nil
}

// sector is the unit in which a write in place may be torn. A killed process
// leaves whole pages, a power cut whole sectors.
const sector = 512

// torn reports that data is what an unfinished write of new over old, or of
// old over such a mixture, leaves: every sector is that of old or of new, with
// nothing but the end of either inside a sector, and what was never written is
// zero. A save by somebody else that happens to be such a mixture of sectors
// cannot be told apart, and for files under a sector there is none.
func torn(data, old, new []byte) bool {
	if data == nil || len(data) < min(len(old), len(new)) || len(data) > max(len(old), len(new)) {
		return false
	}
	cuts := map[int]bool{len(old): true, len(new): true}
	for start := 0; start < len(data); {
		end := min(start/sector*sector+sector, len(data))
		for c := range cuts {
			if c > start && c < end {
				end = c
			}
		}
		part := data[start:end]
		if !matches(part, old, start) && !matches(part, new, start) {
			return false
		}
		start = end
	}
	return true
}

// matches compares part with the bytes of whole from start; past its end whole
// is zero.
func matches(part, whole []byte, start int) bool {
	for i, b := range part {
		var want byte
		if start+i < len(whole) {
			want = whole[start+i]
		}
		if b != want {
			return false
		}
	}
	return true
}
