package parser

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"putcut/ops"
	"putcut/refusal"
)

// A lowering turns the tree of one script into ops and judges its slips.
type lowering struct {
	src      string // what the tree's offsets point into
	bare     bool   // the edit tool's op list
	warnings []refusal.Warning
	path     string // the section's, for warnings
	cuts     int    // anonymous cuts so far, over all sections
	lastCut  ops.Op // the latest of them
	names    map[string]bool
	pastes   bool // some op of the script pastes the anonymous register
}

func (w *lowering) script(n *scriptNode) (ops.Script, *problem) {
	var s ops.Script
	w.pastes = anonymousPaste(n)
	if len(n.Ops) > 0 {
		first := n.Ops[0].Pos
		if !w.bare {
			return s, atCode(refusal.TagRequired, first.Line, first.Column, "the op "+quote(w.rowAt(first.Offset))+" stands under no header; a section starts with `[path#TAG]`").
				next("Put the header row of its file above it, as the reader printed it")
		}
		if len(n.Sections) > 0 {
			h := n.Sections[0]
			return s, at(h.Pos.Line, h.Pos.Column, "the header "+quote(w.rowAt(h.Pos.Offset))+" stands below ops; here it is legal as the first row only").
				next("Put the header first, or leave it out")
		}
		list, p := w.ops(n.Ops)
		if p != nil {
			return s, p
		}
		s.Sections = []ops.Section{{Row: first.Line, Ops: list}}
	}
	for _, node := range n.Sections {
		w.path = node.Path
		sec := ops.Section{Path: node.Path, Tag: strings.ToUpper(node.Tag), Row: node.Pos.Line}
		if sec.Tag != node.Tag {
			w.spelled(sec.Row, "["+node.Path+"#"+node.Tag+"]", "["+node.Path+"#"+sec.Tag+"]")
		}
		if w.bare && len(s.Sections) > 0 {
			if first := s.Sections[0]; sec.Path != first.Path || sec.Tag != first.Tag {
				return s, at(sec.Row, 1, fmt.Sprintf("the header %s starts a second file; one call of this tool edits one",
					quote("["+sec.Path+"#"+sec.Tag+"]"))).
					next("Send sections of several files with the patch tool")
			}
		}
		if len(node.Ops) == 0 {
			p := at(sec.Row, 1, "the section "+quote("["+sec.Path+"#"+sec.Tag+"]")+" has no op").
				next("Write at least one of " + opForms + " below the header")
			return s, located(p, node.Path)
		}
		list, p := w.ops(node.Ops)
		if p == nil && sec.Tag == ops.NewFile {
			p = checkNew(list)
		} else if p == nil {
			p = checkSection(list)
		}
		if p != nil {
			return s, located(p, node.Path)
		}
		sec.Ops = list
		if w.bare && len(s.Sections) > 0 {
			s.Sections[0].Ops = append(s.Sections[0].Ops, list...)
			continue
		}
		s.Sections = append(s.Sections, sec)
	}
	if len(s.Sections) == 0 {
		return s, at(1, 1, "the script holds no op").next("Write at least one of " + opForms)
	}
	if w.bare {
		// Without a header, or with the same header twice, the list as a whole.
		check := checkSection
		if s.Sections[0].Tag == ops.NewFile {
			check = checkNew
		}
		if p := check(s.Sections[0].Ops); p != nil {
			return s, located(p, s.Sections[0].Path)
		}
	}
	lists := make([][]ops.Op, len(s.Sections))
	for i, sec := range s.Sections {
		lists[i] = sec.Ops
	}
	return s, checkNames(lists)
}

func located(p *problem, path string) *problem {
	p.refusal.Path = path
	return p
}

func anonymousPaste(n *scriptNode) bool {
	has := func(list []*opNode) bool {
		for _, o := range list {
			if o.Put != nil && o.Put.Span == nil && o.Register == "" && !o.Colon && o.Body == "" {
				return true
			}
		}
		return false
	}
	for _, s := range n.Sections {
		if has(s.Ops) {
			return true
		}
	}
	return has(n.Ops)
}

func (w *lowering) ops(nodes []*opNode) ([]ops.Op, *problem) {
	list := make([]ops.Op, 0, len(nodes))
	for i, n := range nodes {
		op, p := w.op(n)
		if p != nil {
			p.refusal.Op = i + 1
			return nil, p
		}
		list = append(list, op)
	}
	return list, nil
}

// rowAt is the row that holds the byte at offset at, blanks at both ends aside.
func (w *lowering) rowAt(at int) string {
	start := strings.LastIndexByte(w.src[:at], '\n') + 1
	row, _ := cutRow(w.src[start:])
	return strings.Trim(row, blanks)
}

func (w *lowering) warn(ws ...refusal.Warning) {
	for i := range ws {
		ws[i].Path = w.path
	}
	w.warnings = append(w.warnings, ws...)
}

func (w *lowering) spelled(row int, got, read string) {
	w.warn(refusal.Warning{Code: refusal.Spelling, Row: row,
		Message: fmt.Sprintf("%s is read as %s (script row %d)", quote(got), quote(read), row)})
}

func (w *lowering) op(n *opNode) (ops.Op, *problem) {
	op := ops.Op{Row: n.Pos.Line, Column: n.Pos.Column}
	var b *body
	if n.Body != "" {
		b = judgeBody(n.Body, w.bodyRow(n), w.bare)
	}
	slip := isLetter(w.src[n.Pos.Offset]) && w.src[n.Pos.Offset] >= 'a' // the verb in lower case
	var p *problem
	switch {
	case n.Put != nil:
		var more bool
		more, p = w.put(&op, n, b)
		slip = slip || more
	case n.Cut != nil:
		var more bool
		more, p = w.cut(&op, n, b)
		slip = slip || more
	case n.Rem:
		op.Verb = ops.Rem
		p = w.noBody(&op, b, nil)
	default:
		op.Verb = ops.Mv
		var what string
		var bad int
		if op.Dest, bad, what = unquoteDest(n.Dest); what != "" {
			row := w.rowAt(n.Pos.Offset)
			i := strings.LastIndex(row, n.Dest) + bad
			return op, at(op.Row, op.Column+column(row, i)-1, "in "+quote(row)+" "+what).
				next("Write `MV new/path`, or `MV \"new path\"` with `\\\"` and `\\\\` for `\"` and `\\`")
		}
		p = w.noBody(&op, b, nil)
	}
	if p != nil {
		return op, p
	}
	if slip {
		w.spelled(op.Row, w.rowAt(n.Pos.Offset), formatOp(op))
	}
	if b != nil {
		op.Rows = b.rows
		w.warn(b.warnings(op.Row)...)
	}
	return op, nil
}

// bodyRow is the number of the first row of an op's body, which is the first
// row below the op that is not blank.
func (w *lowering) bodyRow(n *opNode) int {
	_, rest := cutRow(w.src[n.Pos.Offset:])
	for row := n.Pos.Line + 1; ; row++ {
		var text string
		if text, rest = cutRow(rest); !isBlank(text) || rest == "" {
			return row
		}
	}
}

// put lowers a PUT. slip says that its row was misspelled, the verb aside.
func (w *lowering) put(op *ops.Op, n *opNode, b *body) (slip bool, p *problem) {
	op.Verb = ops.Put
	op.Register = strings.TrimPrefix(n.Register, "@")
	slip, p = w.place(op, n, n.Put)
	if p != nil {
		return slip, p
	}
	switch {
	case op.Register != "":
		op.Paste = true
		return slip || n.Colon, w.noBody(op, b, nil)
	case b == nil && n.Colon:
		return slip, w.emptyBody(op)
	case b == nil && op.Place.Gap():
		op.Paste = true
		return slip, nil
	case b == nil:
		return slip, w.nothingOver(op)
	case n.Colon:
		return slip, b.fault
	}
	// A body under a row without a colon.
	fixed := formatOp(*op)
	row := quote(w.rowAt(n.Pos.Offset))
	if b.fault != nil {
		return slip, b.fault
	}
	if b.style == bareRows {
		p = at(op.Row, op.Column, row+" has no `:`, and the rows below it no `+`").
			next("Write "+quote(fixed)+" and give every body row its `+`").
			cured(op.Row, 1, fixed).
			cured(b.first, b.count, b.prefixed()...)
		if op.Place.Gap() && w.cuts > 0 {
			p.cure = nil
		}
		return slip, p
	}
	if op.Place.Gap() && w.cuts > 0 {
		paste := *op
		paste.Paste = true
		return slip, at(op.Row, op.Column, row+" without `:` pastes what was cut above, and rows stand below it as if it had one").
			next("Write " + quote(fixed) + " when the rows are its body; to paste as well, give " + quote(formatOp(paste)) + " a row of its own before it")
	}
	return true, nil
}

// emptyBody refuses a PUT with a colon and no rows.
func (w *lowering) emptyBody(op *ops.Op) *problem {
	p := at(op.Row, op.Column, quote(formatOp(*op))+" has no body rows")
	if op.Place.Gap() {
		return p.next("Write the rows to insert below it, each with `+`; a row with `+` alone is an empty line")
	}
	cut := *op
	cut.Verb = ops.Cut
	fixed := formatOp(cut)
	p.next("To delete the lines write " + quote(fixed) + "; to replace them write the new rows below, each with `+`")
	if !w.pastes { // else the cut would change what the paste means
		p.cured(op.Row, 1, fixed)
	}
	return p
}

// nothingOver refuses a PUT over lines with neither body nor register.
func (w *lowering) nothingOver(op *ops.Op) *problem {
	paste := *op
	paste.Paste = true
	row := formatOp(paste)
	p := at(op.Row, op.Column, quote(row)+" has neither body rows nor a register")
	if w.cuts > 0 {
		name := "part"
		for i := 2; w.names[name]; i++ {
			name = "part" + strconv.Itoa(i)
		}
		source := w.lastCut
		source.Register, paste.Register = name, name
		p.refusal.What += "; the anonymous register cannot be pasted over lines"
		p.next("Name the register in both places: " + quote(formatOp(source)) + " and " + quote(formatOp(paste)))
		if w.cuts == 1 && !w.pastes {
			p.cured(source.Row, 1, formatOp(source)).cured(op.Row, 1, formatOp(paste))
		}
		return p
	}
	cut := *op
	cut.Verb = ops.Cut
	return p.next("Write " + quote(row+":") + " with `+` rows below, " + quote(row+" @name") + " to paste, or " + quote(formatOp(cut)) + " to delete")
}

func (w *lowering) cut(op *ops.Op, n *opNode, b *body) (slip bool, p *problem) {
	op.Verb = ops.Cut
	op.Register = strings.TrimPrefix(n.Register, "@")
	slip, p = w.span(op, n, n.Cut)
	if p != nil {
		return slip, p
	}
	slip = slip || n.Colon
	if op.Register == "" {
		w.cuts++
		w.lastCut = *op
	} else {
		if w.names == nil {
			w.names = map[string]bool{}
		}
		w.names[op.Register] = true
	}
	put := *op
	put.Verb = ops.Put
	if op.Register != "" {
		return slip, w.noBody(op, b, nil)
	}
	p = w.noBody(op, b, &put)
	if p != nil && n.Colon && b.style == bareRows && b.fault == nil && !w.pastes {
		p.cured(op.Row, 1, formatOp(put)).cured(b.first, b.count, b.prefixed()...)
	}
	return slip, p
}

// noBody refuses rows under an op that takes none. instead is the op that
// would take them, if there is one.
func (w *lowering) noBody(op *ops.Op, b *body, instead *ops.Op) *problem {
	if b == nil {
		return nil
	}
	row := formatOp(*op)
	first, _ := cutRow(b.rows[0])
	p := at(b.first, 1, fmt.Sprintf("%s takes no body, and %s stands below it", quote(row), quote(first)))
	if b.style != plusRows && b.fault != nil && b.fault.refusal.Code == refusal.ForeignFormat {
		return b.fault
	}
	if _, _, fence := fenceOf(b.rows[0]); fence && b.count == 1 && b.style == bareRows {
		return p.next("Leave the fence out").cured(b.first, 1)
	}
	switch {
	case instead != nil:
		fixed := formatOp(*instead)
		p.next("Write " + quote(fixed) + " to replace the lines by the rows, " + quote(row) + " alone to delete them")
		if b.style == plusRows && b.fault == nil && !w.pastes {
			p.cured(op.Row, 1, fixed)
		}
	case op.Verb == ops.Put:
		p.next(fmt.Sprintf("Write %s alone to paste the register, or %s with the rows", quote(row), quote("PUT "+formatPlace(op.Place)+":")))
	default:
		p.next("Leave the rows out, or give them an op of their own, such as `PUT >3:`")
	}
	return p
}

// place fills in where a PUT works.
func (w *lowering) place(op *ops.Op, n *opNode, at *placeNode) (slip bool, p *problem) {
	switch {
	case at.Span != nil:
		return w.span(op, n, at.Span)
	case at.Before != "":
		op.Place.Kind = ops.Before
		op.Place.First, p = w.line(n, at.Before)
	case at.Tail:
		op.Place.Kind = ops.Tail
	default:
		op.Place.Kind = ops.After
		if at.Block {
			op.Place.Kind = ops.AfterBlock
		}
		op.Place.First, p = w.line(n, at.After)
	}
	op.Place.Last = op.Place.First
	return false, p
}

func (w *lowering) span(op *ops.Op, n *opNode, at *spanNode) (slip bool, p *problem) {
	op.Place.Kind = ops.Span
	if op.Place.First, p = w.line(n, at.First); p != nil {
		return false, p
	}
	op.Place.Last = op.Place.First
	switch {
	case at.Block:
		op.Place.Kind = ops.Block
	case at.Sep == "":
		slip = true
	default:
		slip = at.Sep != ".="
		op.Place.Last, p = w.line(n, at.Last)
	}
	return slip, p
}

// line is a line number as written. A file's lines never need more than 31
// bits, so what does is out of every file's range.
func (w *lowering) line(n *opNode, digits string) (int, *problem) {
	v, err := strconv.ParseInt(digits, 10, 64)
	if err == nil && v <= math.MaxInt32 {
		return int(v), nil
	}
	row := w.rowAt(n.Pos.Offset)
	col := n.Pos.Column + column(row, strings.Index(row, digits)) - 1
	return 0, atCode(refusal.RangeInvalid, n.Pos.Line, col, "no file has a line "+quote(digits)).
		next("Name lines by the numbers the reader printed")
}
