// Package registers keeps the lines that CUT captures: the named registers of
// a session, and the view of them that one call works on until it commits.
//
// It promises that a call which does not commit changes nothing. It imports
// refusal, and nothing else of this module.
package registers

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"putcut/refusal"
)

// Limits bound the registers. Zero values mean the defaults of the contract.
type Limits struct {
	Names int // named registers, least recently used out; 16
	Lines int // lines a named register; 4,096
	Bytes int // bytes a named register; 1 MiB
}

func (l Limits) filled() Limits {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&l.Names, 16)
	def(&l.Lines, 4096)
	def(&l.Bytes, 1<<20)
	return l
}

// A File is the named registers of one session. It is safe for concurrent use.
type File struct {
	mu    sync.Mutex
	lim   Limits
	named *simplelru.LRU[string, []string]
}

// NewFile returns an empty register file.
func NewFile(lim Limits) *File {
	f := &File{lim: lim.filled()}
	f.named, _ = simplelru.NewLRU[string, []string](f.lim.Names, nil)
	return f
}

// Get returns the lines of a named register; the caller must not change them.
func (f *File) Get(name string) ([]string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.named.Get(name)
}

// All returns every named register, least recently used first.
func (f *File) All() (names []string, lines [][]string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range f.named.Keys() {
		l, _ := f.named.Peek(n)
		names, lines = append(names, n), append(lines, l)
	}
	return names, lines
}

// Set fills a named register.
func (f *File) Set(name string, lines []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.named.Add(name, lines)
}

// A Call is what one call sees of the registers. Captures are published by
// Commit alone. A Call is used by one goroutine.
type Call struct {
	file  *File
	named map[string][]string
	order []string
	anon  []string
	// state of the anonymous register
	filled, pasted, ambiguous bool
}

// Begin starts a call.
func (f *File) Begin() *Call { return &Call{file: f, named: map[string][]string{}} }

// Cut captures lines. An empty name is the anonymous register. The call keeps
// lines. Errors: Limit, for a named register alone, since the anonymous one is
// gone when the call is.
func (c *Call) Cut(name string, lines []string) error {
	if name == "" {
		c.ambiguous = c.filled && !c.pasted
		c.anon, c.filled, c.pasted = lines, true, false
		return nil
	}
	if len(lines) > c.file.lim.Lines {
		return refusal.New(refusal.Limit, "register @%s would hold %d lines, and a register holds %d at most", name, len(lines), c.file.lim.Lines).
			WithNext("Cut fewer lines, or paste within one call from the anonymous register")
	}
	size := 0
	for _, l := range lines {
		size += len(l) + 1
	}
	if size > c.file.lim.Bytes {
		return refusal.New(refusal.Limit, "register @%s would hold %d bytes, and a register holds %d at most", name, size, c.file.lim.Bytes).
			WithNext("Cut fewer lines, or paste within one call from the anonymous register")
	}
	c.named[name] = lines
	c.order = append(c.order, name)
	return nil
}

// Paste returns the lines of a register; the caller must not change them.
// Errors: RegisterEmpty, RegisterAmbiguous.
func (c *Call) Paste(name string) ([]string, error) {
	if name == "" {
		switch {
		case !c.filled:
			return nil, refusal.New(refusal.RegisterEmpty, "there is no CUT without a name above this paste in the same call, so there is nothing to paste").
				WithNext("Put the CUT above it in this call, or name a register: `CUT 2.=3 @name` and `PUT >9 @name`")
		case c.ambiguous:
			return nil, refusal.New(refusal.RegisterAmbiguous, "two CUTs without a name stand above this paste and neither was pasted, so it could mean either").
				WithNext("Give each CUT a name: `CUT 2.=3 @a`, `CUT 7.=7 @b`, and paste by name")
		}
		c.pasted = true
		return c.anon, nil
	}
	if lines, ok := c.named[name]; ok {
		return lines, nil
	}
	if lines, ok := c.file.Get(name); ok {
		return lines, nil
	}
	e := refusal.New(refusal.RegisterEmpty, "register @%s is empty", name)
	if full := c.full(); len(full) > 0 {
		return nil, e.WithNext("Cut into it first: `CUT N.=M @%s`, or paste one that holds lines: @%s", name, strings.Join(full, ", @"))
	}
	return nil, e.WithNext("Cut into it first: `CUT N.=M @%s`", name)
}

// full are the names that can be pasted here, sorted.
func (c *Call) full() []string {
	names, _ := c.file.All()
	names = append(names, slices.Collect(maps.Keys(c.named))...)
	slices.Sort(names)
	return slices.Compact(names)
}

// Commit publishes the named captures of the call.
func (c *Call) Commit() {
	for _, name := range c.order {
		c.file.Set(name, c.named[name])
	}
}
