package blocks

import (
	"bytes"
	"context"
	"time"

	"putcut/grammars"
	"putcut/text"
)

// Options are the bounds of an Engine. The zero value is useful.
type Options struct {
	// CacheBytes bounds what parsed trees take; 64 MiB when 0.
	CacheBytes int64
	// Timeout bounds one parse; 1 s when 0.
	Timeout time.Duration
	// MaxBytes bounds the text that is parsed; 4 MiB when 0.
	MaxBytes int
	// Worker parses in a process of its own.
	Worker bool
}

// An Engine parses texts and caches their trees. It is safe for concurrent
// use.
type Engine struct{ opt Options }

// New returns an engine.
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
	return &Engine{o}
}

// Close ends the worker and drops the cache.
func (e *Engine) Close() error { return nil }

// Parse returns the tree of a text.
func (e *Engine) Parse(ctx context.Context, lang string, t *text.Text) (*Tree, error) {
	l := grammars.Lookup(lang)
	if l == nil {
		return &Tree{language: lang, text: t, refused: unsupported(lang)}, nil
	}
	if l.InGo() {
		return &Tree{language: lang, text: t, refused: unsupported(lang)}, nil
	}
	g := load(l)
	if g == nil {
		return &Tree{language: lang, text: t, refused: unsupported(lang)}, nil
	}
	src := t.Body()
	if t.CROnly() {
		src = bytes.ReplaceAll(src, []byte{'\r'}, []byte{'\n'})
	}
	c := g.parse(ctx, src, nil, e.opt.Timeout)
	if c == nil {
		return &Tree{language: lang, text: t, refused: outOfTime}, nil
	}
	defer c.close()
	return newTree(g.syntax, t, g.flatten(c)), nil
}
