package snapshots

import (
	"path"
	"slices"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"putcut/ops"
	"putcut/text"
)

// Limits bound a store. Zero values mean the defaults of the contract.
type Limits struct {
	Paths       int   // histories kept, least recently used out; 256
	Versions    int   // versions a path, oldest out; 64
	TextBytes   int64 // retained text of all versions; 64 MiB
	FileBytes   int64 // a larger file is kept without its text; 8 MiB
	LogPerEntry int   // log entries a kept version; 4
}

func (l Limits) filled() Limits {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&l.Paths, 256)
	def(&l.Versions, 64)
	def(&l.LogPerEntry, 4)
	if l.TextBytes == 0 {
		l.TextBytes = 64 << 20
	}
	if l.FileBytes == 0 {
		l.FileBytes = 8 << 20
	}
	return l
}

// A Store is the histories of one session. It is safe for concurrent use.
// Paths are canonical keys that the caller makes.
type Store struct {
	mu    sync.Mutex
	lim   Limits
	paths *simplelru.LRU[string, *history]
	// listed are the paths of which nothing was ever displayed. They are bounded
	// by themselves, so that a search that lists a whole tree forgets no file
	// that was read.
	listed *simplelru.LRU[string, *history]
	texts  *simplelru.LRU[*Version, int64]
	// spare are the texts of minted versions; they go before any of texts does.
	spare  *simplelru.LRU[*Version, int64]
	bytes  int64    // of texts and spare
	moving *Version // goes from one of the two to the other and stays kept
	nextID int
}

// history is the log of one path.
type history struct {
	log []entry
	// minted are versions nothing was displayed of; they have their own bound
	// and never push out a displayed one.
	minted []*Version
}

// entry is one state of a file. How says how it came out of the entry before:
// by an edit of this session, exactly, or by someone else.
type entry struct {
	version *Version
	own     bool
	how     ops.LineMap
}

// NewStore returns an empty store.
func NewStore(lim Limits) *Store {
	s := &Store{lim: lim.filled()}
	gone := func(v *Version, n int64) {
		s.bytes -= n
		if v != s.moving {
			v.kept.Store(nil)
		}
	}
	// The byte bound rules the texts; the entry bound only has to be out of its way.
	s.texts, _ = simplelru.NewLRU(1<<30, gone)
	s.spare, _ = simplelru.NewLRU(1<<30, gone)
	forget := func(_ string, h *history) {
		for _, v := range h.all() {
			s.drop(v)
		}
	}
	s.paths, _ = simplelru.NewLRU(s.lim.Paths, forget)
	s.listed, _ = simplelru.NewLRU(s.lim.Paths, forget)
	return s
}

// drop forgets the text of a version.
func (s *Store) drop(v *Version) {
	s.texts.Remove(v)
	s.spare.Remove(v)
}

// all is every version of the history, newest log entry first, minted ones last.
func (h *history) all() []*Version {
	var out []*Version
	for i := len(h.log) - 1; i >= 0; i-- {
		if v := h.log[i].version; !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	for i := len(h.minted) - 1; i >= 0; i-- {
		if v := h.minted[i]; !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// lookup is the history of a path; looking counts as a use.
func (s *Store) lookup(key string) (*history, bool) {
	if h, ok := s.paths.Get(key); ok {
		return h, true
	}
	return s.listed.Get(key)
}

// peek is lookup without a use.
func (s *Store) peek(key string) (*history, bool) {
	if h, ok := s.paths.Peek(key); ok {
		return h, true
	}
	return s.listed.Peek(key)
}

// take removes the history of a path and returns it, its texts kept.
func (s *Store) take(key string) (*history, bool) {
	h, ok := s.peek(key)
	if !ok {
		return nil, false
	}
	// Removing runs the eviction callback; hide the history from it.
	out := &history{log: h.log, minted: h.minted}
	h.log, h.minted = nil, nil
	s.paths.Remove(key)
	s.listed.Remove(key)
	return out, true
}

// history is the history of a path of which something is displayed.
func (s *Store) history(key string) *history {
	if h, ok := s.paths.Get(key); ok {
		return h
	}
	h, ok := s.take(key)
	if !ok {
		h = &history{}
	}
	s.paths.Add(key, h)
	return h
}

// find is the version of h that is the observed text under its tag, or nil.
func (h *history) find(snap Snap) *Version {
	for _, v := range h.all() {
		if v.Tag == snap.Tag && v.Lines == snap.Text.Len() && v.Label == snap.Label && v.Is(snap) {
			return v
		}
	}
	return nil
}

func (s *Store) version(h *history, snap Snap, minted bool) *Version {
	v := h.find(snap)
	if v == nil {
		s.nextID++
		v = &Version{ID: s.nextID, Tag: snap.Tag, Revision: snap.Revision, Lines: snap.Text.Len(), Label: snap.Label}
	}
	s.retain(v, snap, minted)
	return v
}

// retain keeps the text of v as long as the bounds allow, and counts as a use.
// The text of a minted version takes only the room that others leave.
func (s *Store) retain(v *Version, snap Snap, minted bool) {
	k := v.get()
	if k == nil {
		if int64(len(snap.Raw)) > s.lim.FileBytes {
			return
		}
		k = &kept{snap.Text, snap.Raw}
		v.kept.Store(k)
	}
	into := s.texts
	if minted && !s.texts.Contains(v) {
		into = s.spare
	}
	s.moving = v
	s.drop(v)
	s.moving = nil
	n := k.size()
	into.Add(v, n)
	s.bytes += n
	for s.bytes > s.lim.TextBytes && s.spare.Len() > 0 {
		s.spare.RemoveOldest()
	}
	for s.bytes > s.lim.TextBytes && s.texts.Len() > 1 {
		s.texts.RemoveOldest()
	}
}

// Observe records that the file has this text now and returns its version.
// When the text is not what the log ends with, someone else changed it.
func (s *Store) Observe(key string, snap Snap) *Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.observe(key, snap)
}

func (s *Store) observe(key string, snap Snap) *Version {
	h := s.history(key)
	v := s.version(h, snap, false)
	if i := slices.Index(h.minted, v); i >= 0 {
		h.minted = slices.Delete(h.minted, i, i+1)
	}
	if n := len(h.log); n > 0 {
		last := h.log[n-1].version
		if last == v {
			return v
		}
		if last.Is(snap) { // other terminators, same lines
			s.push(h, entry{version: v, own: true, how: ops.Identity(v.Lines)})
			return v
		}
	}
	s.push(h, entry{version: v})
	return v
}

// Mint records a text of which nothing was displayed.
func (s *Store) Mint(key string, snap Snap) *Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.lookup(key)
	if !ok {
		h = &history{}
		s.listed.Add(key, h)
	}
	v := s.version(h, snap, true)
	for _, e := range h.log {
		if e.version == v {
			return v
		}
	}
	if i := slices.Index(h.minted, v); i >= 0 {
		h.minted = slices.Delete(h.minted, i, i+1)
	}
	h.minted = append(h.minted, v)
	if len(h.minted) > s.lim.Versions {
		// The oldest of which nothing was displayed since goes first, but never
		// the one whose tag is about to be printed.
		older := h.minted[:len(h.minted)-1]
		i := max(0, slices.IndexFunc(older, func(v *Version) bool { return v.shown.Len() == 0 }))
		s.drop(h.minted[i])
		h.minted = slices.Delete(h.minted, i, i+1)
	}
	return v
}

// Advance records that an edit of this session turned the file from one
// observed text into another, exactly as m says, and returns the new version.
// It starts with the parent's displayed lines whose number did not change, and
// the lines in shown: what the edit wrote or echoed.
func (s *Store) Advance(key string, from, to Snap, m ops.LineMap, shown []Range) *Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	parent := s.observe(key, from)
	h := s.history(key)
	v := s.version(h, to, false)
	if i := slices.Index(h.minted, v); i >= 0 {
		h.minted = slices.Delete(h.minted, i, i+1)
	}
	parent.shown.Each(func(n int) {
		if m.New(n) == n {
			v.shown.Add(n)
		}
	})
	v.show(shown)
	s.push(h, entry{version: v, own: true, how: m})
	return v
}

func (s *Store) push(h *history, e entry) {
	h.log = append(h.log, e)
	for len(h.log) > s.lim.Versions*s.lim.LogPerEntry || h.distinct() > s.lim.Versions {
		gone := h.log[0].version
		h.log = slices.Delete(h.log, 0, 1)
		if !slices.ContainsFunc(h.log, func(e entry) bool { return e.version == gone }) {
			s.drop(gone)
		}
	}
}

func (h *history) distinct() int {
	if len(h.log) <= 1 {
		return len(h.log)
	}
	seen := make(map[*Version]struct{}, len(h.log))
	for _, e := range h.log {
		seen[e.version] = struct{}{}
	}
	return len(seen)
}

// Find returns the kept versions of a path that carry the tag, newest first.
func (s *Store) Find(key string, tag text.Tag) []*Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.lookup(key)
	if !ok {
		return nil
	}
	var out []*Version
	for _, v := range h.all() {
		if v.Tag == tag {
			out = append(out, v)
			s.texts.Get(v) // a use
			s.spare.Get(v)
		}
	}
	return out
}

// Latest is the version the log of a path ends with, or nil.
func (s *Store) Latest(key string) *Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.paths.Peek(key)
	if !ok || len(h.log) == 0 {
		return nil
	}
	return h.log[len(h.log)-1].version
}

// Chain returns the exact line maps from a version to the newest one that only
// this session's edits lead to, starting where the file last was that version,
// and that newest version. A version that is not in the log has no maps and is
// its own end.
func (s *Store) Chain(key string, from *Version) (maps []ops.LineMap, end *Version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	end = from
	h, ok := s.paths.Get(key)
	if !ok {
		return nil, end
	}
	for i := len(h.log) - 1; i >= 0; i-- {
		if h.log[i].version != from {
			continue
		}
		for _, e := range h.log[i+1:] {
			if !e.own {
				break
			}
			maps = append(maps, e.how)
			end = e.version
		}
		break
	}
	return maps, end
}

// Origin looks for the version that line n of a path is likely to be meant
// under: the nearest earlier version, through this session's own edits, that
// displayed a line n. It returns that version's tag and where its line n is now,
// 0 when it is gone. ok is false when there is none.
func (s *Store) Origin(key string, v *Version, n int) (tag text.Tag, now int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, found := s.paths.Peek(key)
	if !found {
		return "", 0, false
	}
	at := -1
	for i := len(h.log) - 1; i >= 0 && at < 0; i-- {
		if h.log[i].version == v {
			at = i
		}
	}
	for i := at; i > 0 && h.log[i].own; i-- {
		old := h.log[i-1].version
		if old == v || old.Tag == v.Tag || !old.shown.Has(n) {
			continue
		}
		now := n
		for j := i; j <= at && now > 0; j++ {
			now = h.log[j].how.New(now)
		}
		return old.Tag, now, true
	}
	return "", 0, false
}

// show adds runs of lines to the displayed set.
func (v *Version) show(runs []Range) {
	for _, r := range runs {
		for n := max(1, r.First); n <= min(v.Lines, r.Last); n++ {
			v.shown.Add(n)
		}
	}
}

// ShowRuns adds runs of lines to the displayed set of a version.
func (s *Store) ShowRuns(v *Version, runs []Range) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v.show(runs)
}

// Show adds lines to the displayed set of a version.
func (s *Store) Show(v *Version, lines ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range lines {
		if n >= 1 && n <= v.Lines {
			v.shown.Add(n)
		}
	}
}

// Shown reports whether line n counts as displayed under the version.
func (s *Store) Shown(v *Version, n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return v.shown.Has(n)
}

// ShownCount is the number of lines displayed under the version.
func (s *Store) ShownCount(v *Version) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return v.shown.Len()
}

// Move carries the history of a path to another one; what was known of the
// destination goes.
func (s *Store) Move(from, to string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if from == to {
		return
	}
	h, ok := s.take(from)
	if !ok {
		return
	}
	s.paths.Remove(to)
	s.listed.Remove(to)
	if len(h.log) == 0 {
		s.listed.Add(to, h)
		return
	}
	s.paths.Add(to, h)
}

// A Candidate is a version found by base name.
type Candidate struct {
	Key     string
	Version *Version
}

// FindByBase returns the versions of all paths with this base name that carry
// the tag.
func (s *Store) FindByBase(base string, tag text.Tag) []Candidate {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Candidate
	for _, key := range slices.Concat(s.listed.Keys(), s.paths.Keys()) {
		if path.Base(key) != base {
			continue
		}
		h, _ := s.peek(key)
		for _, v := range h.all() {
			if v.Tag == tag {
				out = append(out, Candidate{key, v})
			}
		}
	}
	return out
}
