package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"putcut/blocks"
	"putcut/refusal"
	"putcut/session"
	"putcut/workspace"
)

// A Server offers the tools on one workspace. It is safe for concurrent use.
type Server struct {
	opt      Options
	ws       *workspace.Workspace
	own      bool           // the workspace is closed with the server
	engine   *blocks.Engine // closed with the server, if it made one
	tools    []*tool
	sessions *sessions
	mcp      *mcp.Server
	slots    chan struct{} // one for each tool call that runs

	mu       sync.Mutex
	lastUse  map[string]uint64 // stateful HTTP connections by id
	useClock uint64
	closing  sync.WaitGroup // connections that were evicted
	draining atomic.Bool
}

// New makes a server. It opens the roots when no workspace is given. Close
// releases what New opened. Errors: INVALID_ARGUMENT for options that disagree,
// and what opening the roots says.
func New(opt Options) (*Server, error) {
	opt = opt.filled()
	s := &Server{opt: opt, ws: opt.Workspace, slots: make(chan struct{}, opt.MaxCalls), lastUse: map[string]uint64{}}
	for _, t := range allTools() {
		switch {
		case !slices.Contains(opt.Without, t.name):
			s.tools = append(s.tools, t)
		case !t.optional:
			return nil, refusal.New(refusal.InvalidArgument, "the tool %s cannot be left out", t.name).
				WithNext("Leave out others: %s", strings.Join(optional(), ", "))
		}
	}
	for _, w := range opt.Without {
		if !slices.ContainsFunc(allTools(), func(t *tool) bool { return t.name == w }) {
			return nil, refusal.New(refusal.InvalidArgument, "there is no tool %q to leave out", w).
				WithNext("The tools that can be are %s", strings.Join(optional(), ", "))
		}
	}
	if strings.ContainsFunc(opt.Prefix, badNameRune) || len(opt.Prefix) > 64 {
		return nil, refusal.New(refusal.InvalidArgument, "a prefix is at most 64 of A-Z a-z 0-9 _ - and ., and %q is not", opt.Prefix)
	}
	if s.ws == nil {
		roots := make([]workspace.Root, len(opt.Roots))
		for i, r := range opt.Roots {
			roots[i].Dir = r
		}
		ws, err := workspace.Open(roots, opt.Session.Workspace)
		if err != nil {
			return nil, err
		}
		s.ws, s.own = ws, true
	}
	if s.opt.Session.Blocks == nil {
		s.engine = blocks.New(blocks.Options{})
		s.opt.Session.Blocks = s.engine
	}
	s.sessions = newSessions(s.openSession, opt.MaxSessions, opt.SessionIdle)
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: opt.Name, Title: "putcut", Version: opt.Version}, &mcp.ServerOptions{
		Instructions: rename(strings.TrimSpace(instructions), s.name),
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}, // the list never changes
		Logger:       opt.Logger,
		GetSessionID: s.newConnection,
	})
	s.AddTools(s.mcp)
	return s, nil
}

func badNameRune(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.')
}

// Workspace is the workspace that all sessions share.
func (s *Server) Workspace() *workspace.Workspace { return s.ws }

// MCP is the underlying server of the SDK: to connect other transports, or to
// add tools beside these.
func (s *Server) MCP() *mcp.Server { return s.mcp }

// AddTools adds the tools to a server of another program. Calls on connections
// of that server have sessions like those on the server's own; they end with
// their connection.
func (s *Server) AddTools(to *mcp.Server) {
	closed := false
	for _, t := range s.tools {
		destructive := !t.readOnly
		to.AddTool(&mcp.Tool{
			Name: s.name(t.name), Description: rename(strings.TrimSpace(t.about), s.name), InputSchema: t.schema(s.name),
			Annotations: &mcp.ToolAnnotations{
				Title: t.title, ReadOnlyHint: t.readOnly, DestructiveHint: &destructive,
				IdempotentHint: t.idempotent || t.readOnly, OpenWorldHint: &closed,
			},
		}, s.handler(t))
	}
}

// name is a tool's name as it is served.
func (s *Server) name(tool string) string { return s.opt.Prefix + tool }

// Sessions is the number of sessions that are open.
func (s *Server) Sessions() int { return s.sessions.count() }

// Close ends all connections and sessions, and closes the workspace if New
// opened it. Running calls end first.
func (s *Server) Close() error {
	s.draining.Store(true)
	for ss := range s.mcp.Sessions() {
		ss.Close()
	}
	s.closing.Wait()
	s.sessions.close()
	var err error
	if s.engine != nil {
		err = s.engine.Close()
	}
	if s.own {
		err = errors.Join(err, s.ws.Close())
	}
	return err
}

func (s *Server) openSession() *session.Session {
	return session.New(s.ws, s.opt.Session)
}

// handler is the tool as the SDK calls it. It never returns an error: whatever
// a call with this tool's name gets wrong is a result.
func (s *Server) handler(t *tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
			r := &reply{}
			r.refuse(cancelled(), 0, "")
			return r.result(s.opt.Structured), nil
		}
		r := s.call(ctx, t, req)
		return r.result(s.opt.Structured), nil
	}
}

func cancelled() *refusal.Error {
	return refusal.New(refusal.IO, "the call was cancelled before anything was changed").WithNext("Send it again")
}

// call runs one call from its raw arguments to its reply.
func (s *Server) call(ctx context.Context, t *tool, req *mcp.CallToolRequest) *reply {
	r := &reply{}
	a, argErr := t.decode(req.Params.Arguments)
	from := originOf(req)
	m, fresh, err := s.sessions.pick(from, a.text(sessionParam.name))
	if err != nil {
		r.refuse(refusal.As(err), 0, "")
		return r
	}
	defer s.sessions.release(m)
	r.handle = m.handle
	var ans Answer
	if err = argErr; err == nil {
		stop := s.progress(ctx, t, req)
		ans, err = run(ctx, t, m.s, a)
		stop()
	}
	if err != nil {
		s.refused(ctx, r, m, a, err)
	} else {
		s.accepted(r, m, ans)
	}
	if len(a.ignored) > 0 {
		fmt.Fprintf(&r.text, "(ignored, since `%s` has no such argument: %s; it has %s)\n", s.name(t.name), strings.Join(a.ignored, ", "), t.names())
	}
	if fresh {
		if from.conn == nil && a.text(sessionParam.name) == "" {
			r.text.WriteString("(the call named no session, so it got a new one, which holds no tags of earlier calls)\n")
		}
		fmt.Fprintf(&r.text, "session %s (send it as `session` with every further call)\n", m.handle)
	}
	return r
}

// run calls the tool. A fault of this program is a refusal like any other to
// the client, which keeps its connection.
func run(ctx context.Context, t *tool, s *session.Session, a *arguments) (ans Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			ans, err = nil, &refusal.Error{
				Code: refusal.IO, What: fmt.Sprintf("internal fault in `%s`: %v", t.name, p),
				Next: "Read the files again to see what is there; report this",
			}
		}
	}()
	return t.run(ctx, s, a)
}

func (s *Server) accepted(r *reply, m *member, ans Answer) {
	r.text.WriteString(ans.Text())
	r.fields = ans
	res, ok := ans.(*session.ChangeResult)
	if !ok || res.DryRun {
		return
	}
	r.links = s.links(res)
	m.guard.landed(func() []string {
		var keys []string
		for _, f := range res.Files {
			keys = append(keys, s.key(f.Path))
			if f.From != "" {
				keys = append(keys, s.key(f.From))
			}
		}
		return keys
	})
}

// refused fills the reply with a refusal, counted unless the call was a dry run
// or cancelled.
func (s *Server) refused(ctx context.Context, r *reply, m *member, a *arguments, err error) {
	e := refusal.As(err)
	if e == nil {
		e = &refusal.Error{Code: refusal.IO, What: err.Error(), Err: err}
	}
	counted, where := 0, e.Path
	if where == "" {
		where = a.text(pathParam.name)
	}
	if !a.flags[dryParam.name] && ctx.Err() == nil {
		key := ""
		if where != "" {
			key = s.key(where)
		}
		counted = m.guard.refused(key, e.Code)
	}
	r.refuse(e, counted, advice(counted, where, s.name))
}

func (r *reply) refuse(e *refusal.Error, counted int, row string) {
	r.isError = true
	r.text.WriteString(refusalText(e, row))
	r.fields = refusedOf(e, counted)
}

// key is what refusals are counted under: one key for all spellings of a path,
// if the file system can tell.
func (s *Server) key(name string) string {
	if t, err := s.ws.Resolve(name); err == nil {
		return t.Key
	}
	return path.Clean(filepath.ToSlash(name))
}

// progress tells a client that asked for it, once a second, that a long call is
// still running, until the function it returns is called. The count is of
// seconds: how much is left is not known before it is done.
func (s *Server) progress(ctx context.Context, t *tool, req *mcp.CallToolRequest) (stop func()) {
	token := req.Params.GetProgressToken()
	if t.progress == "" || token == nil || req.Session == nil {
		return func() {}
	}
	done := make(chan struct{})
	var ended sync.WaitGroup
	ended.Add(1)
	go func() {
		defer ended.Done()
		tick := time.NewTicker(s.opt.progressEvery)
		defer tick.Stop()
		for n := 1.0; ; n++ {
			select {
			case <-done:
				return
			case <-ctx.Done():
				return
			case <-tick.C:
				// A client that has gone away ends the call by its own means.
				_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: n, Message: t.progress})
			}
		}
	}()
	return func() { close(done); ended.Wait() }
}
