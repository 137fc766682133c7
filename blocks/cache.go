package blocks

import (
	"bytes"
	"container/list"
	"context"
	"hash/maphash"
	"sync"

	"putcut/grammars"
	"putcut/text"
)

// A cache keeps trees by language and content, least recently used out, and
// lets one caller parse while the others for the same text wait.
type cache struct {
	budget int64
	drop   func(*state)

	mu      sync.Mutex
	seed    maphash.Seed
	entries map[key]*list.Element
	order   *list.List // of *entry, most recent first
	used    int64
	flights map[key]chan struct{}
}

type key struct {
	lang string
	sum  uint64
	size int
}

type entry struct {
	key   key
	tree  *Tree
	state *state
	cost  int64
}

func newCache(budget int64, drop func(*state)) *cache {
	return &cache{budget: budget, drop: drop, seed: maphash.MakeSeed(), entries: map[key]*list.Element{}, order: list.New(), flights: map[key]chan struct{}{}}
}

// candidates is how many recent entries are looked at for a similar text.
const candidates = 8

// get returns the cached tree of a text, or what parse makes. parse may be
// handed the state of a similar text.
func (c *cache) get(ctx context.Context, l *grammars.Language, t *text.Text, parse func(*state) (*Tree, *state)) (*Tree, error) {
	k := key{l.Name, maphash.Bytes(c.seed, t.Body()), t.Size()}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.mu.Lock()
		if el := c.entries[k]; el != nil {
			e := el.Value.(*entry)
			if bytes.Equal(e.tree.text.Body(), t.Body()) {
				c.order.MoveToFront(el)
				c.mu.Unlock()
				return e.tree, nil
			}
		}
		if wait := c.flights[k]; wait != nil {
			c.mu.Unlock()
			select {
			case <-wait:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			continue
		}
		done := make(chan struct{})
		c.flights[k] = done
		prev := c.similar(l.Name, t.Body())
		c.mu.Unlock()

		tree, st := parse(prev)

		c.mu.Lock()
		delete(c.flights, k)
		close(done)
		if prev != nil {
			prev.release(c.drop)
		}
		if ctx.Err() != nil && tree.refused != nil {
			c.mu.Unlock()
			return nil, ctx.Err()
		}
		c.put(k, tree, st)
		c.mu.Unlock()
		return tree, nil
	}
}

// similar returns the state of a recent text that shares most bytes, held for
// the caller, or nil.
func (c *cache) similar(lang string, body []byte) *state {
	n := 0
	var best *state
	most := len(body) / 2
	for el := c.order.Front(); el != nil && n < candidates; el = el.Next() {
		e := el.Value.(*entry)
		if e.key.lang != lang || e.state == nil {
			continue
		}
		n++
		p, s := common(e.state.src, body)
		if p+s > most {
			best, most = e.state, p+s
		}
	}
	if best != nil {
		best.hold()
	}
	return best
}

// common is how many bytes two texts share at their beginning and, apart from
// those, at their end.
func common(a, b []byte) (prefix, suffix int) {
	n := min(len(a), len(b))
	const step = 4096
	for prefix+step <= n && bytes.Equal(a[prefix:prefix+step], b[prefix:prefix+step]) {
		prefix += step
	}
	for prefix < n && a[prefix] == b[prefix] {
		prefix++
	}
	n -= prefix
	for suffix+step <= n && bytes.Equal(a[len(a)-suffix-step:len(a)-suffix], b[len(b)-suffix-step:len(b)-suffix]) {
		suffix += step
	}
	for suffix < n && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	return prefix, suffix
}

func (c *cache) put(k key, tree *Tree, st *state) {
	if c.budget < 0 || tree.refused != nil {
		if st != nil {
			st.release(c.drop)
		}
		return
	}
	if el := c.entries[k]; el != nil {
		c.remove(el)
	}
	e := &entry{key: k, tree: tree, state: st, cost: tree.cost()}
	if st != nil {
		e.cost += st.cost()
	}
	c.entries[k] = c.order.PushFront(e)
	c.used += e.cost
	// C trees go before the answers they led to; the newest entry stays
	// whatever it costs, so that the questions after the first are free.
	for el := c.order.Back(); el != nil && c.used > c.budget; el = el.Prev() {
		if o := el.Value.(*entry); o.state != nil && o != e {
			o.cost -= o.state.cost()
			c.used -= o.state.cost()
			o.state.release(c.drop)
			o.state = nil
		}
	}
	for c.used > c.budget && c.order.Len() > 1 {
		c.remove(c.order.Back())
	}
}

func (c *cache) remove(el *list.Element) {
	e := el.Value.(*entry)
	c.order.Remove(el)
	delete(c.entries, e.key)
	c.used -= e.cost
	if e.state != nil {
		e.state.release(c.drop)
	}
}

// touch marks a tree's entry as recent, if it is still there.
func (c *cache) touch(t *Tree) {
	if t.text == nil {
		return
	}
	k := key{t.language, maphash.Bytes(c.seed, t.text.Body()), t.text.Size()}
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.entries[k]; el != nil {
		c.order.MoveToFront(el)
	}
}

func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.order.Len() > 0 {
		c.remove(c.order.Back())
	}
}

// A state is what a parser keeps of a text for the next, similar one. It is
// counted: the cache holds it, and so does a parse that uses it.
type state struct {
	owner parser // of a split parser, the half that made it
	src   []byte
	tree  *cTree // in process, with its flat form
	nodes []node
	ids   []uint64
	id    uint64 // in the worker
	gen   uint64 // of the worker process

	mu   sync.Mutex
	refs int
}

func newState(src []byte, tree *cTree) *state { return &state{src: src, tree: tree, refs: 1} }

func (s *state) hold() {
	s.mu.Lock()
	s.refs++
	s.mu.Unlock()
}

func (s *state) release(drop func(*state)) {
	s.mu.Lock()
	s.refs--
	last := s.refs == 0
	s.mu.Unlock()
	if last {
		drop(s)
	}
}

// perByte is what a C tree costs for a byte of source, as measured on large
// files; it varies by half.
const perByte = 40

func (s *state) cost() int64 { return int64(len(s.src))*perByte + int64(len(s.ids))*8 }

func (t *Tree) cost() int64 {
	return int64(len(t.nodes))*32 + int64(len(t.leads))*17 + int64(len(t.src))
}
