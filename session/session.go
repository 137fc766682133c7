package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"putcut/blocks"
	"putcut/refusal"
	"putcut/registers"
	"putcut/snapshots"
	"putcut/text"
	"putcut/workspace"
)

// A Session is one conversation's view of some roots: what it has read, under
// which tags, and what it may edit without reading again. It is safe for
// concurrent use: calls that touch one path take turns, others run side by side.
type Session struct {
	ws        *workspace.Workspace
	own       bool // the workspace is closed with the session
	ownEngine bool
	opt       Options
	lim       Limits
	rules     rules
	store     *snapshots.Store
	regs      *registers.File
	engine    *blocks.Engine

	// images names this session's pre-images in the state folder, and keep says
	// that they outlive it.
	images string
	keep   bool
	folder string // where the session is kept, links resolved, or empty

	mu      sync.Mutex
	pending map[string]pendingCall // by path: a refusal that the identical call confirms
	names   map[string]string      // by key: the name a path was last printed under
	calls   callLog
}

// pendingCall is a call that was refused for likelihood alone.
type pendingCall struct {
	call     string
	revision string
}

// Open opens the roots and starts a session on them. The first root is the one
// relative paths mean. Close releases the handles.
func Open(roots []string, opt Options) (*Session, error) {
	list := make([]workspace.Root, len(roots))
	for i, r := range roots {
		list[i] = workspace.Root{Dir: r}
	}
	ws, err := workspace.Open(list, opt.Workspace)
	if err != nil {
		return nil, err
	}
	s := New(ws, opt)
	s.own = true
	return s, nil
}

// New starts a session on an open workspace, which several sessions may share
// and which stays the caller's to close.
func New(ws *workspace.Workspace, opt Options) *Session {
	lim := opt.Limits.filled()
	found := loadRules(ws)
	found.tighten(&lim, &opt.Structure)
	engine, shared := opt.Blocks, true
	if engine == nil {
		engine, shared = blocks.New(blocks.Options{}), false
	}
	return &Session{
		ws: ws, opt: opt, lim: lim, rules: found, engine: engine, ownEngine: !shared,
		store:   snapshots.NewStore(opt.Snapshots),
		regs:    registers.NewFile(opt.Registers),
		pending: map[string]pendingCall{}, names: map[string]string{}, images: newImages(),
		calls: newCallLog(lim),
	}
}

// newImages makes a name that no other session has.
func newImages() string {
	return fmt.Sprintf("%016x%08x", rand.Uint64(), rand.Uint32())
}

// Close drops the session's pre-images, and releases the workspace if the
// session opened it.
func (s *Session) Close() error {
	var err error
	if !s.keep && !s.opt.Detached {
		err = s.ws.Forget(s.images)
	}
	if s.ownEngine {
		err = errors.Join(err, s.engine.Close())
	}
	if s.own {
		err = errors.Join(err, s.ws.Close())
	}
	return err
}

// Workspace is the workspace the session works on.
func (s *Session) Workspace() *workspace.Workspace { return s.ws }

func (s *Session) emit(ctx context.Context, e Event) {
	if s.opt.Observer != nil {
		s.opt.Observer(ctx, e)
	}
}

// refuse turns any error into a refusal, tells the observer, and returns it.
func (s *Session) refuse(ctx context.Context, tool string, dry bool, files []EventFile, err error) error {
	e := refusal.As(err)
	if len(files) == 0 && e != nil && e.Path != "" {
		files = []EventFile{{Path: e.Path}}
	}
	if e == nil {
		e = &refusal.Error{Code: refusal.IO, What: plainCause(err), Err: err}
		if ctx.Err() != nil {
			e.What, e.Next = "the call was cancelled before anything was changed", "Send it again"
		}
	}
	s.emit(ctx, Event{Step: StepRefused, Tool: tool, DryRun: dry, Files: files, Err: e})
	return e
}

func plainCause(err error) string {
	return "the operating system refused: " + err.Error()
}

// checkPath refuses what cannot stand in a header row.
func checkPath(path string) error {
	if path == "" {
		return refusal.New(refusal.InvalidArgument, "the argument `path` is missing").WithNext("Name a file, relative to the root")
	}
	if !utf8.ValidString(path) || strings.ContainsFunc(path, unicode.IsControl) {
		return refusal.New(refusal.InvalidArgument, "the path %s holds control characters or bytes that are not UTF-8, so it cannot stand in a header row", strconv.QuoteToASCII(path)).
			WithNext("Rename the file with other tools first")
	}
	return nil
}

// forgetPending drops what the identical call would have confirmed: another
// call on the path came first.
func (s *Session) forgetPending(key string) {
	s.mu.Lock()
	delete(s.pending, key)
	s.mu.Unlock()
}

// forgetPath is forgetPending for a call that was refused before its file was
// looked at.
func (s *Session) forgetPath(path string) {
	if t, err := s.resolve(path); err == nil {
		s.forgetPending(t.Key)
	}
}

// nameOf is the name a file was last printed under, or its key.
func (s *Session) nameOf(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name, ok := s.names[key]; ok {
		return name
	}
	return key
}

// observe records a text of a file as what is there now.
func (s *Session) observe(t *workspace.Target, snap snapshots.Snap) *snapshots.Version {
	s.named(t)
	return s.store.Observe(t.Key, snap)
}

// mint records a text of a file of which nothing was displayed.
func (s *Session) mint(t *workspace.Target, snap snapshots.Snap) *snapshots.Version {
	s.named(t)
	return s.store.Mint(t.Key, snap)
}

func (s *Session) named(t *workspace.Target) {
	s.mu.Lock()
	if len(s.names) > 4096 {
		clear(s.names) // a rebinding is lost at worst
	}
	s.names[t.Key] = t.Name
	s.mu.Unlock()
}

// Mint gives a file a tag for the output of another tool, and records the text
// under it, of which nothing is displayed: an edit of lines that other tools
// printed has them revealed first. The result has no rows. Errors: as Read.
func (s *Session) Mint(ctx context.Context, path, encoding string) (*ReadResult, error) {
	s.emit(ctx, Event{Step: StepRequested, Tool: "read", Files: []EventFile{{Path: path}}})
	res, err := s.mintPath(ctx, path, encoding)
	if err != nil {
		return nil, s.refuse(ctx, "read", false, []EventFile{{Path: path}}, at(err, path))
	}
	s.emit(ctx, Event{Step: StepRead, Tool: "read", Files: []EventFile{{Path: res.Path, Tag: res.Tag, OldRevision: res.Revision}}})
	return res, nil
}

func (s *Session) mintPath(ctx context.Context, path, encoding string) (*ReadResult, error) {
	if err := text.KnownEncoding(encoding); err != nil {
		return nil, err
	}
	t, err := s.resolve(path)
	if err != nil {
		return nil, err
	}
	if !t.Exists {
		return nil, notFound(path)
	}
	snap, err := s.load(ctx, t, encoding)
	if err != nil {
		return nil, err
	}
	s.mint(t, snap)
	return readResult(t, snap), nil
}
