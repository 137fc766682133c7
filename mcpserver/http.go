package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"putcut/refusal"
)

const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
	// stateless is the first revision of the protocol without a handshake.
	stateless = "2026-07-28"
)

// An endpoint is the server as an http.Handler: what must hold of a request
// before the SDK sees it, and the choice between its two transports.
type endpoint struct {
	s         *Server
	opt       HTTPOptions
	slots     chan struct{}
	token     [sha256.Size]byte
	stateful  http.Handler
	stateless http.Handler
}

// Handler is the server as an endpoint of streamable HTTP, every revision of
// the protocol on one path. It checks Origin and token, and bounds bodies and
// the number of requests; the address it is served on is the caller's choice.
func (s *Server) Handler() http.Handler {
	get := func(*http.Request) *mcp.Server { return s.mcp }
	limit := int64(s.opt.MaxMessageBytes)
	return &endpoint{
		s: s, opt: s.opt.HTTP, slots: make(chan struct{}, s.opt.HTTP.MaxRequests),
		token: sha256.Sum256([]byte(s.opt.HTTP.Token)),
		stateful: mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
			Logger: s.opt.Logger, SessionTimeout: s.opt.SessionIdle, MaxRequestBodyBytes: limit,
		}),
		stateless: mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
			Logger: s.opt.Logger, MaxRequestBodyBytes: limit, Stateless: true, PropagateRequestCancellation: true,
		}),
	}
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !e.originAllowed(r) {
		http.Error(w, "this origin is not allowed", http.StatusForbidden)
		return
	}
	if !e.tokenRight(r) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="putcut"`)
		http.Error(w, "a bearer token is required", http.StatusUnauthorized)
		return
	}
	if e.s.draining.Load() {
		busy(w, "the server is shutting down")
		return
	}
	if r.Method != http.MethodPost {
		e.stateful.ServeHTTP(w, r)
		return
	}
	wait := time.NewTimer(10 * time.Second)
	defer wait.Stop()
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-wait.C:
		busy(w, "too many requests at one time")
		return
	case <-r.Context().Done():
		return
	}
	if !e.takeBody(w, r) {
		return
	}
	if r.Header.Get(versionHeader) >= stateless {
		e.stateless.ServeHTTP(w, r)
		return
	}
	if id := r.Header.Get(sessionHeader); id != "" {
		e.s.touch(id)
	}
	e.stateful.ServeHTTP(w, r)
}

func busy(w http.ResponseWriter, why string) {
	w.Header().Set("Retry-After", "1")
	http.Error(w, why, http.StatusServiceUnavailable)
}

// originAllowed keeps web pages out: a browser names the page a request comes
// from, other programs do not.
func (e *endpoint) originAllowed(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if slices.Contains(e.opt.Origins, origin) {
			continue
		}
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return false
		}
	}
	return true
}

// tokenRight compares in a time that tells nothing of the token.
func (e *endpoint) tokenRight(r *http.Request) bool {
	if e.opt.Token == "" {
		return true
	}
	kind, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(given)))
	return strings.EqualFold(kind, "Bearer") && subtle.ConstantTimeCompare(sum[:], e.token[:]) == 1
}

// takeBody reads the whole body within its time, so that a client that sends
// slowly holds a slot for so long only, and a tool is not ended by that limit.
func (e *endpoint) takeBody(w http.ResponseWriter, r *http.Request) bool {
	c := http.NewResponseController(w)
	// Writers that know no deadlines, such as those of tests, have none.
	_ = c.SetReadDeadline(time.Now().Add(e.opt.BodyTimeout))
	_ = c.SetWriteDeadline(time.Now().Add(e.opt.RequestTimeout))
	limit := int64(e.s.opt.MaxMessageBytes)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		if tooBig := (*http.MaxBytesError)(nil); errors.As(err, &tooBig) {
			http.Error(w, fmt.Sprintf("the request body exceeds %d bytes", limit), http.StatusRequestEntityTooLarge)
			return false
		}
		http.Error(w, "the request body did not arrive", http.StatusBadRequest)
		return false
	}
	_ = c.SetReadDeadline(time.Time{})
	r.Body = io.NopCloser(bytes.NewReader(body))
	return true
}

// newConnection makes the id of a stateful connection. When there are too many,
// the one that was not used for the longest time is closed.
func (s *Server) newConnection() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.lastUse) >= s.opt.HTTP.MaxConnections {
		s.evictConnection()
	}
	id := rand.Text()
	s.useClock++
	s.lastUse[id] = s.useClock
	return id
}

// evictConnection makes room for one; s.mu is held.
func (s *Server) evictConnection() {
	live := map[string]*mcp.ServerSession{}
	for ss := range s.mcp.Sessions() {
		live[ss.ID()] = ss
	}
	oldest, when := "", uint64(0)
	for id, used := range s.lastUse {
		if live[id] == nil && used+uint64(s.opt.HTTP.MaxRequests) < s.useClock {
			delete(s.lastUse, id) // closed by its client or by time
			continue
		}
		if oldest == "" || used < when {
			oldest, when = id, used
		}
	}
	if len(s.lastUse) < s.opt.HTTP.MaxConnections {
		return
	}
	delete(s.lastUse, oldest)
	if ss := live[oldest]; ss != nil {
		s.closing.Add(1)
		go func() { // closing waits for calls that run
			defer s.closing.Done()
			ss.Close()
		}()
	}
}

// touch notes that a connection is in use.
func (s *Server) touch(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.lastUse[id]; ok {
		s.useClock++
		s.lastUse[id] = s.useClock
	}
}

// RunHTTP serves streamable HTTP on an address until the context is cancelled,
// then lets running calls end within HTTP.Grace. An address without a host is
// one on loopback. ready, when not nil, is told the address once the server
// listens. Without a token, only loopback addresses are served unless HTTP.Open
// is set (INVALID_ARGUMENT).
func (s *Server) RunHTTP(ctx context.Context, addr string, ready func(net.Addr)) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return refusal.New(refusal.InvalidArgument, "the address %q is not host:port: %v", addr, err).
			WithNext("Write it as `127.0.0.1:7333`")
	}
	if host == "" {
		host = "127.0.0.1"
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return err
	}
	if tcp, ok := ln.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && s.opt.HTTP.Token == "" && !s.opt.HTTP.Open {
		ln.Close()
		return refusal.New(refusal.InvalidArgument, "%s can be reached from other machines, so a bearer token is needed", ln.Addr()).
			WithNext("Set a token (--token-file, or the variable PUTCUT_TOKEN), or listen on 127.0.0.1")
	}
	if ready != nil {
		ready(ln.Addr())
	}
	return s.serve(ctx, ln)
}

func (s *Server) serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.draining.Store(true)
	grace, stop := context.WithTimeout(context.Background(), s.opt.HTTP.Grace)
	defer stop()
	ended := make(chan struct{})
	go func() { // closing a connection waits for its calls, and ends its streams
		defer close(ended)
		for ss := range s.mcp.Sessions() {
			ss.Close()
		}
	}()
	err := srv.Shutdown(grace)
	if err != nil {
		err = srv.Close()
	}
	select {
	case <-ended:
	case <-grace.Done():
	}
	<-failed
	return err
}
