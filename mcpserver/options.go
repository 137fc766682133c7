package mcpserver

import (
	"log/slog"
	"time"

	"putcut/session"
	"putcut/workspace"
)

// Options say what is served and how. Workspace or Roots must be set; all other
// zero values mean the defaults that stand beside them.
type Options struct {
	// Workspace is an open workspace that all sessions share. It stays the
	// caller's to close. When nil, Roots are opened, and Close closes them.
	Workspace *workspace.Workspace
	Roots     []string

	// Session are the options of every session. What they point to, an observer
	// or a block engine, is shared by all of them; without an engine the server
	// makes one.
	Session session.Options

	// Structured adds the structured form, text included, to every result, and
	// links to changed files.
	Structured bool
	// Prefix stands before every tool's name.
	Prefix string
	// Without are the tools that are not served; read and edit always are.
	Without []string

	Name    string // of the server; putcut
	Version string // of the server; dev
	Logger  *slog.Logger

	MaxSessions     int           // sessions, the least recently used goes; 64
	SessionIdle     time.Duration // after which a session goes; 12 h
	MaxCalls        int           // tool calls that run at one time, the rest wait; 64
	MaxMessageBytes int           // one message of a client; 32 MiB

	HTTP HTTPOptions

	progressEvery time.Duration // between notes of progress; 1 s
}

// HTTPOptions say how the server is reached over HTTP.
type HTTPOptions struct {
	// Token, when set, must come as a bearer token with every request. Without
	// one the server listens on loopback addresses alone.
	Token string
	// Origins are allowed values of the Origin header beside the server's own
	// host, such as "http://localhost:6274".
	Origins []string
	// Open allows an address other than loopback without a token.
	Open bool

	MaxRequests    int           // requests that are answered at one time; 64
	MaxConnections int           // sessions of the older, stateful transport; 256
	BodyTimeout    time.Duration // for the body of a request to arrive; 1 min
	RequestTimeout time.Duration // for a response to be taken; 10 min
	Grace          time.Duration // for running calls at shutdown; 10 s
}

// An Answer is the result of a tool: its text for a model, and itself, as JSON,
// for programs.
type Answer interface{ Text() string }

func (o Options) filled() Options {
	if o.Name == "" {
		o.Name = "putcut"
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	def(&o.MaxSessions, 64)
	def(&o.SessionIdle, 12*time.Hour)
	def(&o.MaxCalls, 64)
	def(&o.MaxMessageBytes, 32<<20)
	def(&o.progressEvery, time.Second)
	def(&o.HTTP.MaxRequests, 64)
	def(&o.HTTP.MaxConnections, 256)
	def(&o.HTTP.BodyTimeout, time.Minute)
	def(&o.HTTP.RequestTimeout, 10*time.Minute)
	def(&o.HTTP.Grace, 10*time.Second)
	return o
}

func def[T int | time.Duration](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}
