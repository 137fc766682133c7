package snapshots

import (
	"fmt"
	"slices"

	"putcut/ops"
	"putcut/text"
)

// A State is a store in a form that can be kept on disk, without the texts:
// those are kept by revision, next to it.
type State struct {
	NextID   int            `json:"next_id"`
	Versions []VersionState `json:"versions"`
	// Paths go from the least to the most recently used, those of which nothing
	// was displayed first.
	Paths []PathState `json:"paths"`
}

// A VersionState is a version without its text. Shown are runs of displayed
// lines, first and last. Kept says that the text was kept.
type VersionState struct {
	ID       int           `json:"id"`
	Tag      text.Tag      `json:"tag"`
	Revision text.Revision `json:"revision"`
	Lines    int           `json:"lines"`
	Label    string        `json:"label,omitempty"`
	Shown    [][2]int      `json:"shown,omitempty"`
	Kept     bool          `json:"kept,omitempty"`
}

// A PathState is the history of one path.
type PathState struct {
	Key    string       `json:"key"`
	Log    []EntryState `json:"log,omitempty"`
	Minted []int        `json:"minted,omitempty"`
}

// An EntryState is one state of a file. Map is set when this session's own edit
// led to it.
type EntryState struct {
	Version int       `json:"version"`
	Map     *MapState `json:"map,omitempty"`
}

// A MapState is a line map. Hunks are OldStart, OldEnd, NewStart, NewEnd.
type MapState struct {
	Old   int      `json:"old"`
	New   int      `json:"new"`
	Hunks [][4]int `json:"hunks,omitempty"`
}

// StateOfMap is a line map in a form that can be kept on disk.
func StateOfMap(m ops.LineMap) *MapState {
	out := &MapState{Old: m.OldLen(), New: m.NewLen()}
	for _, h := range m.Hunks() {
		out.Hunks = append(out.Hunks, [4]int{h.OldStart, h.OldEnd, h.NewStart, h.NewEnd})
	}
	return out
}

// Map is the line map, checked: it is sorted, within its bounds and adds up.
func (s *MapState) Map() (ops.LineMap, error) {
	at, delta := 0, 0
	hunks := make([]ops.Hunk, len(s.Hunks))
	for i, h := range s.Hunks {
		if h[0] < at || h[1] < h[0] || h[3] < h[2] || h[2] != h[0]+delta || h[1] > s.Old || h[3] > s.New {
			return ops.LineMap{}, fmt.Errorf("snapshots: line map is out of order at hunk %d", i)
		}
		at, delta = h[1], h[3]-h[1]
		hunks[i] = ops.Hunk{OldStart: h[0], OldEnd: h[1], NewStart: h[2], NewEnd: h[3]}
	}
	if s.Old+delta != s.New || s.Old < 0 || s.New < 0 {
		return ops.LineMap{}, fmt.Errorf("snapshots: line map does not add up")
	}
	return ops.MapOf(s.Old, s.New, hunks), nil
}

// State returns the store's state and the kept texts by revision. The caller
// must not change the bytes.
func (s *Store) State() (State, map[text.Revision][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := State{NextID: s.nextID}
	texts := map[text.Revision][]byte{}
	seen := map[*Version]bool{}
	add := func(v *Version) {
		if seen[v] {
			return
		}
		seen[v] = true
		vs := VersionState{ID: v.ID, Tag: v.Tag, Revision: v.Revision, Lines: v.Lines, Label: v.Label}
		v.shown.Each(func(n int) {
			if k := len(vs.Shown); k > 0 && vs.Shown[k-1][1] == n-1 {
				vs.Shown[k-1][1] = n
				return
			}
			vs.Shown = append(vs.Shown, [2]int{n, n})
		})
		if raw := v.Raw(); raw != nil && text.RevisionOf(raw) == v.Revision {
			vs.Kept = true
			texts[v.Revision] = raw
		} else if v.load != nil && v.kept.Load() == nil {
			vs.Kept = true // it is still where it was loaded from
			texts[v.Revision] = nil
		}
		out.Versions = append(out.Versions, vs)
	}
	for _, key := range slices.Concat(s.listed.Keys(), s.paths.Keys()) {
		h, _ := s.peek(key)
		ps := PathState{Key: key}
		for _, e := range h.log {
			add(e.version)
			es := EntryState{Version: e.version.ID}
			if e.own {
				es.Map = StateOfMap(e.how)
			}
			ps.Log = append(ps.Log, es)
		}
		for _, v := range h.minted {
			add(v)
			ps.Minted = append(ps.Minted, v.ID)
		}
		out.Paths = append(out.Paths, ps)
	}
	return out, texts
}

// maxLines is more than any file has that can be edited.
const maxLines = 16 << 20

// Restore fills an empty store from a state. Texts are loaded when they are
// asked for, and then checked in full: bytes that do not have the version's
// revision and tag are as good as lost. The error is about a state that
// contradicts itself; the store is then still empty.
func (s *Store) Restore(st State, load func(text.Revision) ([]byte, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	versions := map[int]*Version{}
	for _, vs := range st.Versions {
		if vs.Lines > maxLines {
			return fmt.Errorf("snapshots: version %d is said to have %d lines", vs.ID, vs.Lines)
		}
		if vs.ID <= 0 || vs.ID > st.NextID || versions[vs.ID] != nil || vs.Lines < 0 || !text.ValidTag(string(vs.Tag)) {
			return fmt.Errorf("snapshots: version %d is damaged", vs.ID)
		}
		v := &Version{ID: vs.ID, Tag: vs.Tag, Revision: vs.Revision, Lines: vs.Lines, Label: vs.Label}
		for _, r := range vs.Shown {
			if r[0] < 1 || r[1] < r[0] || r[1] > vs.Lines {
				return fmt.Errorf("snapshots: the displayed lines of version %d are damaged", vs.ID)
			}
			for n := r[0]; n <= r[1]; n++ {
				v.shown.Add(n)
			}
		}
		if vs.Kept {
			v.load = func() *kept { return checked(v, load) }
		}
		versions[vs.ID] = v
	}
	type named struct {
		key string
		h   *history
	}
	var all []named
	for _, ps := range st.Paths {
		h := &history{}
		var last *Version
		for _, es := range ps.Log {
			v := versions[es.Version]
			if v == nil {
				return fmt.Errorf("snapshots: there is no version %d", es.Version)
			}
			e := entry{version: v}
			if es.Map != nil {
				m, err := es.Map.Map()
				if err != nil {
					return err
				}
				if last == nil && es.Map.New != v.Lines || last != nil && (m.OldLen() != last.Lines || m.NewLen() != v.Lines) {
					return fmt.Errorf("snapshots: a line map does not fit version %d", v.ID)
				}
				e.own, e.how = true, m
			}
			h.log = append(h.log, e)
			last = v
		}
		for _, id := range ps.Minted {
			if versions[id] == nil || slices.Contains(h.minted, versions[id]) {
				return fmt.Errorf("snapshots: there is no version %d", id)
			}
			h.minted = append(h.minted, versions[id])
		}
		all = append(all, named{ps.Key, h})
	}
	for _, n := range all {
		if len(n.h.log) == 0 {
			s.listed.Add(n.key, n.h)
			continue
		}
		s.paths.Add(n.key, n.h)
	}
	s.nextID = st.NextID
	return nil
}

// checked loads a version's text and compares it in full with what the version
// says of it.
func checked(v *Version, load func(text.Revision) ([]byte, error)) *kept {
	raw, err := load(v.Revision)
	if err != nil || text.RevisionOf(raw) != v.Revision {
		return nil
	}
	t, err := text.Decode(raw, v.Label)
	if err != nil || t.Len() != v.Lines || t.Tag() != v.Tag {
		return nil
	}
	return &kept{t, raw}
}
