package mcpserver

import (
	"container/list"
	"crypto/rand"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"putcut/refusal"
	"putcut/session"
)

// sessions are the sessions of a server, by the handle a client names or by the
// connection it came on. Their number is bounded, and idle ones expire.
//
// A connection that lives as long as its client (stdio, in memory) has one
// implicit session that never goes before it does; so has a connection of the
// stateful HTTP transport, whose session may go and is then missed once. A
// request without a connection behind it gets a session of its own, whose
// handle is in the result.
type sessions struct {
	open func() *session.Session
	max  int
	idle time.Duration
	now  func() time.Time

	mu       sync.Mutex
	byHandle map[string]*member
	byConn   map[*mcp.ServerSession]*conn
	recent   *list.List // of *member that may go, the most recently used first
	closed   bool
	waiting  sync.WaitGroup // for connections to end
}

// A member is one session.
type member struct {
	handle  string // empty for an implicit one
	s       *session.Session
	guard   loopGuard
	conn    *conn         // whose implicit session it is
	elem    *list.Element // nil for one that never goes
	used    time.Time
	running int  // calls
	gone    bool // close when the last call ends
}

// A conn is a connection's implicit session; m is nil when it is not open.
type conn struct {
	m      *member
	missed bool // it was dropped, and the client was not told yet
}

func newSessions(open func() *session.Session, limit int, idle time.Duration) *sessions {
	return &sessions{
		open: open, max: limit, idle: idle, now: time.Now,
		byHandle: map[string]*member{}, byConn: map[*mcp.ServerSession]*conn{}, recent: list.New(),
	}
}

// origin is where a call came from.
type origin struct {
	conn *mcp.ServerSession // nil for a request that stands alone
	http bool
}

func originOf(req *mcp.CallToolRequest) origin {
	o := origin{conn: req.Session, http: req.Extra != nil && req.Extra.Header != nil}
	if o.http && (o.conn == nil || o.conn.ID() == "") {
		o.conn = nil
	}
	return o
}

// pick finds or opens the session of a call. The caller must release it.
// fresh says that the client must be told the handle. The error is
// SESSION_UNKNOWN.
func (l *sessions) pick(o origin, handle string) (m *member, fresh bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, false, refusal.New(refusal.SessionUnknown, "the server is shutting down")
	}
	l.expire()
	switch {
	case handle == "" && o.conn != nil:
		m, err = l.implicit(o)
	case handle == "" || handle == "new":
		fresh = true
		m = l.mint(rand.Text())
	default:
		m = l.byHandle[handle]
		if m == nil {
			err = refusal.New(refusal.SessionUnknown, "there is no session %s, or it has expired", quoted(handle)).
				WithNext("Send `session`: `new` for a new one, then read again what you want to edit: tags belong to one session")
		}
	}
	if err != nil {
		return nil, false, err
	}
	m.running++
	m.used = l.now()
	if m.elem != nil {
		l.recent.MoveToFront(m.elem)
	}
	return m, fresh, nil
}

// release ends a call.
func (l *sessions) release(m *member) {
	l.mu.Lock()
	m.running--
	end := m.gone && m.running == 0
	l.mu.Unlock()
	if end {
		m.s.Close()
	}
}

// mint opens a session that may go. A handle has 128 bits of entropy or more.
func (l *sessions) mint(handle string) *member {
	for l.recent.Len() >= l.max {
		l.drop(l.recent.Back().Value.(*member))
	}
	m := &member{handle: handle, s: l.open()}
	m.elem = l.recent.PushFront(m)
	if handle != "" {
		l.byHandle[handle] = m
	}
	return m
}

func (l *sessions) implicit(o origin) (*member, error) {
	c := l.byConn[o.conn]
	if c == nil {
		c = &conn{}
		l.byConn[o.conn] = c
		l.waiting.Add(1)
		go func() {
			defer l.waiting.Done()
			o.conn.Wait() // its error is the transport's to report
			l.ended(o.conn)
		}()
	}
	switch {
	case c.m != nil:
		return c.m, nil
	case c.missed:
		c.missed = false
		return nil, refusal.New(refusal.SessionUnknown, "the session of this connection has expired, and its tags with it").
			WithNext("Read again what you want to edit; the next call opens a new session")
	case o.http:
		c.m = l.mint("")
	default:
		c.m = &member{s: l.open()}
	}
	c.m.conn = c
	return c.m, nil
}

// ended forgets a connection and its implicit session.
func (l *sessions) ended(ss *mcp.ServerSession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.byConn[ss]; c != nil {
		delete(l.byConn, ss)
		if c.m != nil {
			l.drop(c.m)
		}
	}
}

// expire drops sessions that were idle too long. A running call is no idleness.
func (l *sessions) expire() {
	for e := l.recent.Back(); e != nil; {
		m := e.Value.(*member)
		if l.now().Sub(m.used) < l.idle {
			return
		}
		e = e.Prev()
		if m.running == 0 {
			l.drop(m)
		}
	}
}

// drop forgets a session; calls that run on it end as they are.
func (l *sessions) drop(m *member) {
	if m.elem != nil {
		l.recent.Remove(m.elem)
		m.elem = nil
	}
	delete(l.byHandle, m.handle)
	if m.conn != nil {
		m.conn.m, m.conn.missed = nil, true
	}
	if m.running > 0 {
		m.gone = true
		return
	}
	m.s.Close() // closes nothing that is shared
}

// count is the number of open sessions.
func (l *sessions) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.recent.Len()
	for _, c := range l.byConn {
		if c.m != nil && c.m.elem == nil {
			n++
		}
	}
	return n
}

// close drops every session and waits for what watches connections, which must
// have been closed.
func (l *sessions) close() {
	l.mu.Lock()
	l.closed = true
	for l.recent.Len() > 0 {
		l.drop(l.recent.Back().Value.(*member))
	}
	for _, c := range l.byConn {
		if c.m != nil {
			l.drop(c.m)
		}
	}
	l.mu.Unlock()
	l.waiting.Wait()
}
