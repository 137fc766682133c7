package workspace

import (
	"io/fs"
	"time"
)

// Info is what the file system says of a file. Size is in bytes. Dev, Ino and
// Links are 0, 0 and 1 where the platform has no such notion.
type Info struct {
	Size    int64
	Mode    fs.FileMode
	Dev     uint64
	Ino     uint64
	Links   uint64
	ModTime time.Time

	changed  time.Time // of the inode: its data or its metadata
	uid, gid int
}

func (i Info) regular() bool { return i.Mode.IsRegular() }

func (i Info) same(o Info) bool { return i.Ino != 0 && i.Dev == o.Dev && i.Ino == o.Ino }

// untouched reports that nothing about the file moved between two looks at it.
// Equal stamps do not prove equal bytes; whoever asks compares bytes as well
// wherever a wrong answer could lose something.
func (i Info) untouched(o Info) bool {
	return i.same(o) && i.Size == o.Size && i.ModTime.Equal(o.ModTime) && i.changed.Equal(o.changed)
}
