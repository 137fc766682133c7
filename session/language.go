package session

import (
	"context"
	"fmt"
	"strings"

	"putcut/ops"
	"putcut/refusal"
)

// resolveBlock finds the construct that opens on an op's line, in the tagged
// version.
func (p *Plan) resolveBlock(ctx context.Context, sec *section, op ops.Op) (BlockSpan, error) {
	if sec.base == nil {
		return BlockSpan{}, p.mismatch(sec, "the text under this tag is no longer kept, so its constructs cannot be told")
	}
	fail := func(err error) error {
		if e := refusal.As(err); e != nil {
			e.What = fmt.Sprintf("`%s`: %s", op.Head(), e.What)
			e.Row, e.Column = op.Row, op.Column
			return e
		}
		return err
	}
	tree, err := p.s.engine.Parse(ctx, language(sec.target.Name, sec.base), sec.base)
	if err != nil {
		return BlockSpan{}, fail(err)
	}
	span, err := tree.Span(op.Place.First)
	if err != nil {
		return BlockSpan{}, fail(err)
	}
	return BlockSpan{AnchorLine: op.Place.First, Start: span.Start, End: span.End, Op: strings.TrimSuffix(op.Head(), ":")}, nil
}
