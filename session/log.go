package session

import "putcut/text"

// A CallInfo is one call that changed something and can still be undone.
type CallInfo struct {
	ID   string `json:"call"`
	Tool string `json:"tool"`
	// Undone says that a later call put back what this one changed.
	Undone bool       `json:"undone,omitempty"`
	Files  []CallFile `json:"files"`
}

// A CallFile is what a call did to one file.
type CallFile struct {
	Path string     `json:"path"`
	Kind ChangeKind `json:"kind"`
	// From is the former path of a moved file.
	From   string   `json:"from,omitempty"`
	OldTag text.Tag `json:"old_tag,omitempty"`
	NewTag text.Tag `json:"new_tag,omitempty"`
}

// Calls lists the calls that undo knows, oldest first.
func (s *Session) Calls() []CallInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]CallInfo, 0, len(s.calls.calls))
	for _, rec := range s.calls.calls {
		c := CallInfo{ID: rec.id, Tool: rec.tool, Undone: rec.undone, Files: make([]CallFile, len(rec.files))}
		for i := range rec.files {
			c.Files[i] = rec.files[i].info()
		}
		out = append(out, c)
	}
	return out
}

func (f *undoFile) info() CallFile {
	out := CallFile{Path: f.after.Name, Kind: Modified}
	if !f.absent {
		out.OldTag = f.old.Tag
	}
	if !f.gone {
		out.NewTag = f.now.Tag
	}
	switch {
	case f.absent:
		out.Kind = Created
	case f.gone:
		out.Kind = Removed
	case f.before.Key != f.after.Key:
		out.Kind, out.From = Moved, f.before.Name
	}
	return out
}
