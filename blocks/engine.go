package blocks

import (
	"context"
	"time"

	"putcut/grammars"
	"putcut/text"
)

// Options are the bounds of an Engine. The zero value is useful.
type Options struct {
	// CacheBytes bounds what cached trees take, C memory estimated; 64 MiB
	// when 0, no cache when negative.
	CacheBytes int64
	// Timeout bounds one parse; 1 s when 0.
	Timeout time.Duration
	// MaxBytes bounds the text that is parsed; 4 MiB when 0.
	MaxBytes int
	// Worker parses in a process of its own: the running program, started
	// again, which must call WorkerMain first thing in main. Without it the
	// parser runs in this process, behind bounds on its input.
	Worker bool
	// Near is the size up to which a worker's engine parses in this process
	// all the same, so that one small text does not cost the start of another
	// process; 0 when the worker is to parse everything.
	Near int
}

// An Engine parses texts and caches their trees. It is safe for concurrent
// use.
type Engine struct {
	opt    Options
	parser parser
	cache  *cache
}

// A parser turns a text into nodes. prev is an earlier result of the same
// parser and language whose text is similar, or nil; the answer does not
// depend on it. The result's nodes belong to the caller.
type parser interface {
	parse(ctx context.Context, l *grammars.Language, src []byte, prev *state) result
	// drop tells that a state is not needed any more.
	drop(*state)
	close()
}

// A result is what a parser found: nodes, or why there are none. state, if not
// nil, speeds up the parse of a similar text and must be dropped.
type result struct {
	syntax  *syntax
	nodes   []node
	refused *whole
	state   *state
}

// New returns an engine with the options' zero values filled in.
func New(o Options) *Engine {
	if o.CacheBytes == 0 {
		o.CacheBytes = 64 << 20
	}
	if o.Timeout == 0 {
		o.Timeout = time.Second
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 4 << 20
	}
	e := &Engine{opt: o}
	if o.Worker {
		e.parser = newWorker(o.Timeout, o.CacheBytes)
		if o.Near > 0 {
			e.parser = &split{near: &local{timeout: o.Timeout, keep: o.CacheBytes > 0}, far: e.parser, size: o.Near}
		}
	} else {
		e.parser = &local{timeout: o.Timeout, keep: o.CacheBytes > 0}
	}
	e.cache = newCache(o.CacheBytes, e.parser.drop)
	return e
}

// Close drops the cache and ends the worker, if there is one. Trees stay good.
func (e *Engine) Close() error {
	e.cache.clear()
	e.parser.close()
	return nil
}

// Parse returns the tree of a text in a language as Detect names it. A text is
// parsed once as long as the cache holds it, however many ask at a time, and
// parts that a recent text of the same language has too are not parsed again.
// The tree keeps t. A language without a grammar, a text over the limits and a
// parse over its time give a tree that declines every line; the error is
// ctx's.
func (e *Engine) Parse(ctx context.Context, lang string, t *text.Text) (*Tree, error) {
	l := grammars.Lookup(lang)
	if l == nil || !l.InGo() && l.Pointer() == nil {
		return &Tree{language: lang, text: t, refused: unsupported(lang)}, nil
	}
	if t.Size() > e.opt.MaxBytes {
		return &Tree{language: lang, text: t, refused: tooLarge(t.Size(), e.opt.MaxBytes)}, nil
	}
	return e.cache.get(ctx, l, t, func(prev *state) (*Tree, *state) {
		r := e.parser.parse(ctx, l, source(t), prev)
		if r.refused != nil {
			return &Tree{language: lang, text: t, refused: r.refused}, nil
		}
		return newTree(r.syntax, t, r.nodes), r.state
	})
}

// ParseEdited is Parse for a text that came from prev's by an edit. The tree
// is the same as Parse would give; prev, which may be nil, only has to be
// recent for the parse to be quick.
func (e *Engine) ParseEdited(ctx context.Context, prev *Tree, t *text.Text) (*Tree, error) {
	lang := ""
	if prev != nil {
		lang = prev.language
		e.cache.touch(prev)
	}
	return e.Parse(ctx, lang, t)
}

// Parseable reports whether texts of a language can have syntax errors that an
// engine of this build sees. Markdown always parses; an unknown language never
// says.
func Parseable(lang string) bool {
	l := grammars.Lookup(lang)
	return l != nil && !l.AlwaysParses && (l.InGo() || l.Pointer() != nil)
}

// Supported reports whether blocks of a language can be resolved in this build.
func Supported(lang string) bool {
	l := grammars.Lookup(lang)
	return l != nil && (l.InGo() || l.Pointer() != nil)
}

// source is the body as the parsers read it: they know LF alone, so CR as a
// terminator is replaced; offsets stay.
func source(t *text.Text) []byte {
	b := t.Body()
	if !t.CROnly() {
		return b
	}
	c := make([]byte, len(b))
	for i, x := range b {
		if x == '\r' {
			x = '\n'
		}
		c[i] = x
	}
	return c
}
