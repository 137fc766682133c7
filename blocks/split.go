package blocks

import (
	"context"

	"putcut/grammars"
)

// A split parser leaves texts over a size to another parser. A state goes back
// to the parser that made it only.
type split struct {
	near, far parser
	size      int
}

func (s *split) parse(ctx context.Context, l *grammars.Language, src []byte, prev *state) result {
	p := s.far
	if len(src) <= s.size {
		p = s.near
	}
	if prev != nil && prev.owner != p {
		prev = nil
	}
	r := p.parse(ctx, l, src, prev)
	if r.state != nil {
		r.state.owner = p
	}
	return r
}

func (s *split) drop(st *state) { st.owner.drop(st) }

func (s *split) close() {
	s.near.close()
	s.far.close()
}
