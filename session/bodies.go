package session

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/zeebo/blake3"

	"putcut/ops"
	"putcut/parser"
	"putcut/refusal"
)

// identify computes, per section, what makes a repeated call the same call: the
// file, the tagged version, the ops, and what the registers they read hold.
func (p *Plan) identify() {
	sources := map[string]string{} // register -> where the call filled it
	for _, sec := range p.sections {
		if sec.create {
			continue
		}
		h := blake3.New()
		fmt.Fprintf(h, "%q %d\n%s\n", sec.target.Key, sec.version.ID, parser.FormatOps(sec.ops))
		for i, op := range sec.ops {
			switch {
			case op.Verb == ops.Cut:
				sources[op.Register] = fmt.Sprintf("%q %d %v", sec.target.Key, sec.version.ID, sec.anchors[i])
			case op.Paste:
				src, ok := sources[op.Register]
				if !ok && op.Register != "" {
					lines, _ := p.s.regs.Get(op.Register)
					sum := blake3.New()
					for _, l := range lines {
						fmt.Fprintf(sum, "%d:%s", len(l), l)
					}
					src = hex.EncodeToString(sum.Sum(nil)[:16])
				}
				fmt.Fprintf(h, "@%s %s\n", op.Register, src)
			}
		}
		sec.key = hex.EncodeToString(h.Sum(nil)[:16])
	}
}

// checkBodies refuses once a body that looks like pasted reader output.
func (p *Plan) checkBodies(context.Context) error {
	for _, sec := range p.sections {
		if sec.confirmed || sec.create || sec.base == nil {
			continue
		}
		for _, op := range sec.ops {
			n := p.pasted(sec, op.Rows)
			if n == 0 {
				continue
			}
			e := sec.opError(refusal.BodySuspect, op, "every row of the body of `%s` starts with a number and a colon, and one repeats line %d as it was printed: the numbers look pasted from the reader", op.Head(), n)
			bare := op
			bare.Rows = make([]string, len(op.Rows))
			for i, r := range op.Rows {
				_, bare.Rows[i], _ = strings.Cut(r, ":")
			}
			e.Script = parser.FormatOps([]ops.Op{bare})
			return confirmable{e.WithNext("Send the rows without numbers, as below; if the numbers are meant, send the same call again")}
		}
	}
	return nil
}

// pasted is the number of a displayed line that a body repeats with its number,
// when all rows of the body carry numbers; else 0.
func (p *Plan) pasted(sec *section, rows []string) int {
	hit := 0
	for _, r := range rows {
		num, rest, ok := strings.Cut(r, ":")
		if !ok || num == "" || strings.Trim(num, "0123456789") != "" {
			return 0
		}
		if n, err := strconv.Atoi(num); err == nil && hit == 0 && n >= 1 && n <= sec.base.Len() &&
			string(sec.base.Line(n)) == rest && p.s.store.Shown(sec.version, n) {
			hit = n
		}
	}
	return hit
}
