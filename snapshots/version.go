// Package snapshots remembers what a session has seen of its files: per path a
// log of versions, per version its tag, its revision and the lines displayed
// under that tag, and between a version and the next one the session made the
// exact line map. It also proves, by a line diff, where lines went when someone
// else changed a file.
//
// It promises that losing anything can only turn an edit into a refusal. It
// does no I/O, knows no language and no session id. It may import ops, text and
// refusal.
package snapshots

import (
	"sync/atomic"

	"putcut/text"
)

// A Snap is one observation of a file: its text, the raw bytes it was decoded
// from, tag and revision.
type Snap struct {
	Text     *text.Text
	Raw      []byte
	Tag      text.Tag
	Revision text.Revision
	// Label is the encoding the reader named, or empty.
	Label string
}

// SnapOf stamps a text. raw must be the bytes it was decoded from or encodes to.
func SnapOf(t *text.Text, raw []byte, label string) Snap {
	tag, rev := t.Stamp(raw)
	return Snap{Text: t, Raw: raw, Tag: tag, Revision: rev, Label: label}
}

// A Version is one text of one file as a session knows it. A text that comes
// back is the same version again. Fields are read by everyone and changed by
// the store alone.
type Version struct {
	// ID tells versions of one store apart; it is never used again.
	ID       int
	Tag      text.Tag
	Revision text.Revision
	// Lines is the number of lines of the text.
	Lines int
	// Label is the encoding the reader named, or empty.
	Label string

	// kept is nil when the text went to make room; it may go at any moment.
	kept atomic.Pointer[kept]
	// load brings the text back from where it was put, or gives nil; it is nil
	// itself for a version that never was anywhere else. It never changes.
	load  func() *kept
	shown LineSet
}

// kept is a retained text.
type kept struct {
	text *text.Text
	raw  []byte
}

// Text is the version's text, or nil when it is no longer kept. Ask once and
// hold on to the answer: it may go at any moment.
func (v *Version) Text() *text.Text {
	if k := v.get(); k != nil {
		return k.text
	}
	return nil
}

func (v *Version) get() *kept {
	if k := v.kept.Load(); k != nil || v.load == nil {
		return k
	}
	k := v.load()
	if k != nil && !v.kept.CompareAndSwap(nil, k) {
		return v.kept.Load()
	}
	return k
}

// Raw is the version's bytes on disk, or nil when they are no longer kept.
// The caller must not change them.
func (v *Version) Raw() []byte {
	if k := v.get(); k != nil {
		return k.raw
	}
	return nil
}

// Is reports whether the version is the text that was observed: the same lines
// if the text is still kept, else the same bytes.
func (v *Version) Is(s Snap) bool {
	if t := v.Text(); t != nil {
		return v.Lines == s.Text.Len() && text.Equal(t, s.Text)
	}
	return v.Revision == s.Revision
}

// size is what keeping a text costs.
func (k *kept) size() int64 {
	body := k.text.Body()
	n := int64(len(body) + 4*k.text.Len())
	shared := len(k.raw) == len(body) && (len(body) == 0 || &k.raw[0] == &body[0])
	if !shared {
		n += int64(len(k.raw))
	}
	return n
}
