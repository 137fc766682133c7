package session

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"putcut/ops"
	"putcut/refusal"
	"putcut/snapshots"
)

// applyOps fills the registers and applies the splices, all in memory.
func (p *Plan) applyOps(ctx context.Context) error {
	if err := p.fillRows(); err != nil {
		return err
	}
	for _, sec := range p.sections {
		if sec.removes() {
			sec.unseen = sec.version.Lines - p.s.store.ShownCount(sec.version)
			continue
		}
		if err := p.apply(sec); err != nil {
			return sec.fail(err)
		}
	}
	return nil
}

// step is one op of the call, in script order.
type step struct {
	sec *section
	op  int
	seq int
}

// fillRows runs the registers through the call in script order and gives every
// op the rows it puts. CUT captures lines as they were before the call.
func (p *Plan) fillRows() error {
	var steps []step
	pasteAnon := false
	for _, sec := range p.sections {
		sec.rows = make([][]string, len(sec.ops))
		for i, op := range sec.ops {
			steps = append(steps, step{sec, i, sec.seq[i]})
			pasteAnon = pasteAnon || op.Paste && op.Register == ""
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.seq - b.seq })
	total := 0
	for _, st := range steps {
		op := st.sec.ops[st.op]
		switch {
		case op.Verb == ops.Cut:
			var lines []string
			if op.Register != "" || pasteAnon {
				lines = st.sec.liveLines(st.op)
			}
			if err := p.regs.Cut(op.Register, lines); err != nil {
				return p.locate(st, err)
			}
		case op.Verb == ops.Put && op.Paste:
			lines, err := p.regs.Paste(op.Register)
			if err != nil {
				return p.locate(st, err)
			}
			for _, l := range lines {
				if err := p.checkEncoding(st.sec, op, l); err != nil {
					return err
				}
			}
			st.sec.rows[st.op] = lines
		case op.Verb == ops.Put:
			st.sec.rows[st.op] = op.Rows
		}
		if total += len(st.sec.rows[st.op]); total > p.s.lim.ExpandedLines {
			e := st.sec.opError(refusal.Limit, op, "the call would write more than %d lines, pastes included", p.s.lim.ExpandedLines)
			return e.WithNext("Split it into several calls")
		}
	}
	return nil
}

func (p *Plan) locate(st step, err error) error {
	if e := refusal.As(err); e != nil {
		op := st.sec.ops[st.op]
		e.At(st.sec.named)
		e.Row, e.Column = op.Row, op.Column
	}
	return err
}

// liveLines are the lines an op takes, as they are in the live text.
func (sec *section) liveLines(op int) []string {
	for _, pl := range sec.placed {
		if pl.Op != op {
			continue
		}
		out := make([]string, 0, pl.End-pl.Start)
		for n := pl.Start + 1; n <= pl.End; n++ {
			out = append(out, string(sec.live.Text.Line(n)))
		}
		return out
	}
	return nil
}

func (p *Plan) apply(sec *section) error {
	sec.splices = make([]ops.Splice, len(sec.placed))
	for i, pl := range sec.placed {
		sec.splices[i] = ops.Splice{Start: pl.Start, End: pl.End, Rows: sec.rows[pl.Op], Op: pl.Op}
	}
	return p.applySplices(sec)
}

// applySplices makes the new text of a section out of its splices.
func (p *Plan) applySplices(sec *section) error {
	if len(sec.splices) == 0 { // a move of the file as it is
		sec.cut = ops.Result{Text: sec.live.Text, Map: ops.Identity(sec.live.Text.Len())}
		sec.newRaw, sec.newSnap = sec.live.Raw, sec.live
		return nil
	}
	sec.cut = ops.Apply(sec.live.Text, sec.splices, ops.KeepFinal)
	if int64(sec.cut.Text.Size()) > p.s.lim.FileBytes {
		return refusal.New(refusal.TooLarge, "the file would have %d bytes, and %d is the limit for a file that is edited", sec.cut.Text.Size(), p.s.lim.FileBytes).
			WithNext("Put less into it, or into several files")
	}
	raw, err := sec.cut.Text.Encode()
	if err != nil {
		return err
	}
	sec.newRaw = raw
	if !sec.create && sec.dest == nil && bytes.Equal(raw, sec.live.Raw) {
		e := refusal.New(refusal.NoChange, "the edit changes nothing: the file already is what it would become")
		if len(p.sections) > 1 {
			return e.WithNext("Nothing is left to do for this file; leave its section out")
		}
		return e.WithNext("Nothing is left to do")
	}
	sec.newSnap = snapshots.SnapOf(sec.cut.Text, raw, sec.live.Label)
	return nil
}

// remarks adds the warnings that need the applied text.
func (p *Plan) remarks(sec *section) {
	if sec.cut.Kept {
		sec.warn(refusal.FinalNewline, 0, "the last line is empty, so it was written with a final newline: without one it would be no line")
	}
	if len(sec.ops) == 0 || sec.removes() {
		return
	}
	p.warnIdle(sec)
	p.warnEscapes(sec)
	p.warnLikely(sec)
}

// warnIdle names ops that change nothing beside others that do.
func (p *Plan) warnIdle(sec *section) {
	if len(sec.splices) < 2 {
		return
	}
	for _, s := range sec.splices {
		if s.End-s.Start != len(s.Rows) || len(s.Rows) == 0 {
			continue
		}
		same := true
		for i, r := range s.Rows {
			if string(sec.live.Text.Line(s.Start+1+i)) != r {
				same = false
				break
			}
		}
		if same {
			op := sec.ops[s.Op]
			sec.warn(refusal.OpNoChange, op.Row, fmt.Sprintf("`%s` changes nothing: the lines already are what it puts there", op.Head()))
		}
	}
}
