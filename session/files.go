package session

import (
	"context"
	"errors"

	"putcut/refusal"
	"putcut/snapshots"
	"putcut/text"
	"putcut/workspace"
)

// resolve finds the file a path names and refuses what is no regular file.
func (s *Session) resolve(path string) (*workspace.Target, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	t, err := s.ws.Resolve(path)
	if err != nil {
		return nil, at(err, path)
	}
	return t, nil
}

// at adds the path to a refusal.
func at(err error, path string) error {
	if e := refusal.As(err); e != nil {
		e.At(path)
	}
	return err
}

func notFound(path string) *refusal.Error {
	return refusal.New(refusal.NotFound, "there is no such file").At(path).
		WithNext("Check the path; `grep` with mode files lists what is there")
}

// load reads a file as it is now. Bytes that equal those of the latest version
// are that version's, so they are neither kept nor hashed a second time.
func (s *Session) load(ctx context.Context, t *workspace.Target, label string) (snapshots.Snap, error) {
	last := s.store.Latest(t.Key)
	var hint []byte
	if last != nil && last.Label == label {
		hint = last.Raw()
	}
	raw, err := s.ws.Read(ctx, t, hint, s.lim.FileBytes)
	if e := refusal.As(err); e != nil && e.Code == refusal.TooLarge && e.Next == "" {
		e.Next = "Read or search it; change it with other tools"
	}
	if err != nil {
		return snapshots.Snap{}, err
	}
	if len(hint) > 0 && len(raw) == len(hint) && &raw[0] == &hint[0] {
		if vt := last.Text(); vt != nil {
			return snapshots.Snap{Text: vt, Raw: raw, Tag: last.Tag, Revision: last.Revision, Label: label}, nil
		}
	}
	dec, err := text.Decode(raw, label)
	if err != nil {
		return snapshots.Snap{}, err
	}
	return snapshots.SnapOf(dec, raw, label), nil
}

func isTooLarge(err error) bool { return errors.Is(err, refusal.TooLarge) }
