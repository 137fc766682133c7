package workspace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"putcut/refusal"
)

// parent opens the folder of a target from its root's handle. A link on the
// way means that somebody put it there since: EDIT_CONFLICT.
func (w *Workspace) parent(t *Target) (*dir, error) { return w.openDirAt(t.root, t.parent()) }

// openDirAt opens a folder of a root by its path without links. The caller
// closes what it gets.
func (w *Workspace) openDirAt(root int, rel string) (*dir, error) {
	d, err := w.roots[root].dir.openDir(".")
	if err != nil {
		return nil, err
	}
	if rel == "." {
		return d, nil
	}
	for _, name := range split(rel) {
		sub, err := d.openDir(name)
		d.close()
		if err != nil {
			if notDir(err) {
				return nil, swapped(name)
			}
			return nil, err
		}
		d = sub
	}
	return d, nil
}

// open opens the file of a target for reading and looks at it.
func (w *Workspace) open(t *Target) (*os.File, Info, error) {
	d, err := w.parent(t)
	if err != nil {
		return nil, Info{}, ioError(t.Name, "open the folder of the file", err)
	}
	defer d.close()
	f, info, err := openRegular(d, t.base(), os.O_RDONLY)
	if err != nil {
		return nil, Info{}, refuseAt(ioError("", "open the file", err), t.Name)
	}
	return f, info, nil
}

// openRegular opens a regular file of d; anything else is EDIT_NOT_REGULAR.
func openRegular(d *dir, name string, flag int) (*os.File, Info, error) {
	f, err := d.openFile(name, flag, 0)
	if err != nil {
		if notDir(err) {
			return nil, Info{}, swapped(name)
		}
		return nil, Info{}, err
	}
	info, err := infoOfFile(f)
	if err == nil && !info.regular() {
		err = refusal.New(refusal.NotRegular, "this is %s, not a file", kindName(info.Mode))
	}
	if err != nil {
		f.Close()
		return nil, Info{}, err
	}
	return f, info, nil
}

// OpenRead opens the file of a target for streaming. The caller closes it.
func (w *Workspace) OpenRead(t *Target) (*os.File, error) {
	f, _, err := w.open(t)
	return f, err
}

const block = 128 << 10

var blocks = sync.Pool{New: func() any { return new([block]byte) }}

// Read returns the bytes of a target. When they equal hint, hint itself is
// returned and nothing is allocated. Over max bytes is EDIT_TOO_LARGE, an
// absent file EDIT_NOT_FOUND. The result must not be changed. Cost: one
// reading of the file.
func (w *Workspace) Read(ctx context.Context, t *Target, hint []byte, max int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, info, err := w.open(t)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size > max {
		return nil, tooLarge(t, info.Size, max)
	}
	same := 0
	var data []byte
	if hint != nil && int64(len(hint)) == info.Size {
		n, differs, err := compare(ctx, f, hint)
		if err != nil {
			return nil, ioError(t.Name, "read the file", err)
		}
		if differs == nil {
			t.Exists, t.Info, t.read = true, info, info
			return hint, nil
		}
		same = n
		data = make([]byte, 0, info.Size+1)
		data = append(append(data, hint[:same]...), differs...)
	} else {
		data = make([]byte, 0, info.Size+1)
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := f.Read(data[len(data):min(cap(data), len(data)+4<<20)])
		data = data[:len(data)+n]
		if int64(len(data)) > max {
			return nil, tooLarge(t, int64(len(data)), max)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, ioError(t.Name, "read the file", err)
		}
	}
	t.Exists, t.Info, t.read = true, info, info
	return data, nil
}

func tooLarge(t *Target, size, max int64) error {
	return refusal.New(refusal.TooLarge, "the file has %d bytes, over the limit of %d", size, max).At(t.Name)
}

// compare reads f against want. It returns how many leading bytes were equal
// and, at the first difference, what was read from there on, never nil; nil
// says that the file is want.
func compare(ctx context.Context, f io.Reader, want []byte) (same int, differs []byte, err error) {
	var buf []byte
	if len(want) < 8<<10 {
		buf = make([]byte, len(want)+1) // one more, to see a file that has grown
	} else {
		pooled := blocks.Get().(*[block]byte)
		defer blocks.Put(pooled)
		buf = pooled[:]
	}
	for {
		if err := ctx.Err(); err != nil {
			return same, nil, err
		}
		n, err := f.Read(buf)
		if n > len(want)-same || !bytes.Equal(buf[:n], want[same:same+n]) {
			return same, bytes.Clone(buf[:n]), nil
		}
		same += n
		if err == io.EOF {
			if same == len(want) {
				return same, nil, nil
			}
			return same, []byte{}, nil
		}
		if err != nil {
			return same, nil, err
		}
	}
}

// look refreshes Exists and Info of a target.
func (w *Workspace) look(t *Target) error {
	d, err := w.parent(t)
	if err == nil {
		defer d.close()
		var info Info
		if info, err = d.lstat(t.base()); err == nil {
			t.Exists, t.Info = info.regular(), info
			return nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		t.Exists, t.Info = false, Info{}
		return nil
	}
	return ioError(t.Name, "look at the file", err)
}
