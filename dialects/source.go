package dialects

import "putcut/text"

// A Source hands out the current texts that edits are resolved against.
type Source interface {
	// Load returns the file at path, spelled as the edit spells it: its text,
	// its raw bytes and their revision, or exists false when there is none. A
	// file that is there and cannot be loaded is exists true with an error.
	// Within one call it must answer the same for the same path. The text and
	// the bytes are not changed.
	Load(path string) (t *text.Text, raw []byte, rev text.Revision, exists bool, err error)
}

// A Memory is a Source that also knows what the caller's client was last
// shown, so that the explanation of a miss can say whether the file changed
// since.
type Memory interface {
	// Shown is the text of the file that was last read, if it is still kept.
	Shown(path string) (t *text.Text, ok bool)
}

// A MapSource serves files from memory, by path. It is meant for conversions
// and tests.
type MapSource map[string][]byte

// Load implements Source.
func (m MapSource) Load(path string) (*text.Text, []byte, text.Revision, bool, error) {
	raw, ok := m[path]
	if !ok {
		return nil, nil, "", false, nil
	}
	t, err := text.Decode(raw, "")
	if err != nil {
		return nil, nil, "", true, err
	}
	return t, raw, text.RevisionOf(raw), true, nil
}
