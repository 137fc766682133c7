package parser

import (
	"fmt"

	"putcut/ops"
)

// CheckSection refuses an op list that no file can take: none at all, REM
// beside other ops, a second MV, an anonymous paste over lines, or one register
// name cut into twice. Parse has checked each section; whoever merges sections
// of one file checks the merged list again. The error is a *refusal.Error of
// kind ParseFailed with the place of the op.
func CheckSection(list []ops.Op) error {
	if p := checkSection(list); p != nil {
		return p.refusal
	}
	return nil
}

// CheckNew refuses an op list that cannot create a file: anything but one
// `PUT >$:` with a body. It is CheckSection for sections tagged ops.NewFile.
func CheckNew(list []ops.Op) error {
	if p := checkNew(list); p != nil {
		return p.refusal
	}
	return nil
}

func opProblem(i int, op ops.Op, what string) *problem {
	p := at(op.Row, op.Column, what)
	p.refusal.Op = i + 1
	return p
}

func checkSection(list []ops.Op) *problem {
	if len(list) == 0 {
		return at(0, 0, "the section has no op").next("Write at least one of " + opForms)
	}
	moved := -1
	for i, op := range list {
		switch {
		case op.Verb == ops.Rem && len(list) > 1:
			return opProblem(i, op, "`REM` stands beside other ops; it removes the whole file and stands alone in its section").
				next("Send `REM` alone, or the other ops without it")
		case op.Verb == ops.Mv && moved >= 0:
			return opProblem(i, op, fmt.Sprintf("%s is a second `MV` in one section, after %s; a file has one destination",
				quote(formatOp(op)), quote(formatOp(list[moved])))).
				next("Keep one of the two")
		case op.Verb == ops.Mv:
			moved = i
		case op.Verb == ops.Put && op.Paste && op.Register == "" && !op.Place.Gap():
			return opProblem(i, op, quote(formatOp(op))+" has no body, and the anonymous register cannot be pasted over lines").
				next("Name the register, as in `CUT 7.=8 @part` and " + quote(formatOp(op)+" @part"))
		}
	}
	return checkNames([][]ops.Op{list})
}

// checkNames refuses one register name that is cut into twice in a call.
func checkNames(sections [][]ops.Op) *problem {
	var filled map[string]ops.Op
	for _, list := range sections {
		for i, op := range list {
			if op.Verb != ops.Cut || op.Register == "" {
				continue
			}
			if first, ok := filled[op.Register]; ok {
				return opProblem(i, op, fmt.Sprintf("%s cuts into the register `@%s` a second time in one call, after %s",
					quote(formatOp(op)), op.Register, quote(formatOp(first)))).
					next("Give the second cut a name of its own")
			}
			if filled == nil {
				filled = map[string]ops.Op{}
			}
			filled[op.Register] = op
		}
	}
	return nil
}

func checkNew(list []ops.Op) *problem {
	if p := checkSection(list); p != nil {
		return p
	}
	for i, op := range list {
		if op.Verb == ops.Put && !op.Paste && op.Place.Kind == ops.Tail && len(list) == 1 {
			continue
		}
		what := quote(formatOp(op)) + " stands in a section that creates its file; a `[path#NEW]` section holds one `PUT >$:` with a body and nothing else"
		if len(list) > 1 {
			what = fmt.Sprintf("a section that creates its file holds %d ops; a `[path#NEW]` section holds one `PUT >$:` with a body and nothing else", len(list))
		}
		p := opProblem(i, op, what).next("Write all rows under one `PUT >$:`")
		if len(list) == 1 && op.Verb == ops.Put && !op.Paste {
			p.cured(op.Row, 1, "PUT >$:")
		}
		return p
	}
	return nil
}
