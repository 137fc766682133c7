package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"putcut/blocks"
	"putcut/ops"
	"putcut/refusal"
	"putcut/text"
)

// Bounds of the search for a repair, beside those of Limits. They are counts,
// not times, so that load never changes an answer.
const (
	repairLooks = 2000 // candidates, those that give a text once more included
	repairRows  = 8    // rows at one end of a body that are considered restated
)

// checkSyntax judges the literal result. It stands as it is when the language
// is unknown, when the file did not parse before, or when it parses now. Only
// what would break a file is mended, and only by proof.
func (p *Plan) checkSyntax(ctx context.Context) error {
	if p.s.opt.Structure == Off {
		return nil
	}
	for _, sec := range p.sections {
		if sec.removes() || len(sec.splices) == 0 {
			continue
		}
		if err := p.judge(ctx, sec); err != nil {
			return sec.fail(err)
		}
	}
	return nil
}

func (p *Plan) judge(ctx context.Context, sec *section) error {
	name := sec.target.Name
	if sec.dest != nil {
		name = sec.dest.Name
	}
	lang := languageOf(name, sec.cut.Text)
	if lang == "" {
		return nil
	}
	before, err := p.s.engine.Parse(ctx, lang, sec.live.Text)
	if err != nil {
		return ctx.Err()
	}
	after, err := p.s.engine.ParseEdited(ctx, before, sec.cut.Text)
	if err != nil {
		return ctx.Err()
	}
	sec.decls = declarations(before, after, sec.cut.Map)
	fresh := introduced(before, after, sec.cut.Map)
	if len(fresh) == 0 {
		if len(sec.ops) > 0 {
			sec.warnSplit(before, after)
		}
		return nil
	}
	mode := p.s.opt.Structure
	if mode == RefuseError {
		e := refusal.New(refusal.Syntax, "the edit would introduce %s: %s", plural(len(fresh), "syntax error"), errorList(fresh, sec.cut.Text))
		return e.WithNext("Mend the rows and send the edit again")
	}
	if (mode == "" || mode == Repair) && !before.HasErrors() && !sec.confirmed && len(sec.ops) > 0 {
		done, err := p.repair(ctx, sec, before)
		if err != nil || done {
			return err
		}
	}
	sec.syntax = fresh
	sec.warn(refusal.SyntaxErrors, 0, fmt.Sprintf("the edit was applied as written and introduced %s: %s", plural(len(fresh), "syntax error"), errorList(fresh, sec.cut.Text)))
	return nil
}

// introduced are the errors of the new tree that the old one had not, as a
// multiset. An error that starts where one started before is that error, even
// if an edit inside what it covers made it read otherwise.
func introduced(before, after *blocks.Tree, m ops.LineMap) []SyntaxError {
	if !after.HasErrors() {
		return nil
	}
	type place struct{ line, column int }
	had, starts := map[string]int{}, map[place][]string{}
	for _, e := range before.Errors() {
		had[e.Key]++
		if n := m.New(e.Line); n > 0 {
			at := place{n, e.Column}
			starts[at] = append(starts[at], e.Key)
		}
	}
	var left []blocks.SyntaxError
	for _, e := range after.Errors() {
		if had[e.Key] > 0 {
			had[e.Key]--
			continue
		}
		left = append(left, e)
	}
	var out []SyntaxError
	for _, e := range left {
		at := place{e.Line, e.Column}
		i := slices.IndexFunc(starts[at], func(key string) bool { return had[key] > 0 })
		if i >= 0 {
			had[starts[at][i]]--
			starts[at] = slices.Delete(starts[at], i, i+1)
			continue
		}
		out = append(out, SyntaxError{Line: e.Line, Column: e.Column, Message: e.Message})
	}
	return out
}

func errorList(list []SyntaxError, t *text.Text) string {
	var parts []string
	for i, e := range list {
		if i == 3 {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		at := ""
		if e.Line >= 1 && e.Line <= t.Len() {
			at = fmt.Sprintf(" (`%s`)", clip(strings.TrimSpace(strings.ToValidUTF8(string(t.Line(e.Line)), "\uFFFD")), 60))
		}
		parts = append(parts, fmt.Sprintf("line %d, column %d: %s%s", e.Line, e.Column, e.Message, at))
	}
	return strings.Join(parts, "; ")
}

// A mend is one way to change one op: rows dropped at the ends of its body
// because they restate a surviving neighbour, or the span's first or last line
// kept. Cost is rows dropped plus lines kept.
type mend struct {
	splice    int // index in the section's splices
	dropTop   int
	dropEnd   int
	keepFirst bool
	keepLast  bool
	// partly says that the rows dropped restate no whole run of lines up to the
	// span, only a part of a longer one. Such a mend is never made: it would
	// leave the rest of the run there twice. It may only stand in the way.
	partly bool
}

func (m mend) cost() int {
	n := m.dropTop + m.dropEnd
	if m.keepFirst {
		n++
	}
	if m.keepLast {
		n++
	}
	return n
}

// repair looks for the one cheapest repair that parses. It reports whether it
// was applied.
func (p *Plan) repair(ctx context.Context, sec *section, before *blocks.Tree) (bool, error) {
	perOp := make([][]mend, len(sec.splices))
	for i := range sec.splices {
		perOp[i] = p.mends(sec, i)
	}
	parses, looks, budget := p.s.lim.RepairParses, repairLooks, p.s.lim.RepairBytes
	type found struct {
		mends  []mend
		body   string
		partly bool
	}
	var good []found
	aside := false // part of a run would do, so only whole runs are looked at from here
	// A mend may lead back to the text as it is. That is no repair, and those
	// that cost more are further from what was meant than no change at all.
	same := false
	live := string(sec.live.Text.Body())
	tried := map[string]bool{}
	for cost := 1; cost <= 2*repairRows; cost++ {
		complete, any := true, false
		combine(perOp, cost, func(set []mend) bool {
			any = true
			if looks--; looks < 0 || ctx.Err() != nil {
				complete = false
				return false
			}
			partly := slices.ContainsFunc(set, func(m mend) bool { return m.partly })
			if partly && aside {
				return true
			}
			t := ops.Apply(sec.live.Text, mended(sec.splices, set), ops.KeepFinal).Text
			body := string(t.Body())
			if body == live {
				same = same || !partly
				return true
			}
			if tried[body] {
				for i := range good {
					good[i].partly = good[i].partly && (partly || good[i].body != body)
				}
				return true
			}
			if parses == 0 || budget < len(body) {
				complete = false
				return false
			}
			tried[body] = true
			parses--
			p.parses++
			budget -= len(body)
			tree, err := p.s.engine.ParseEdited(ctx, before, t)
			if err != nil || !tree.Parsed() {
				complete = false
				return false
			}
			if !tree.HasErrors() {
				good = append(good, found{slices.Clone(set), body, partly})
			}
			return true
		})
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if !complete {
			return false, nil // not all of this cost could be judged, so nothing is proved
		}
		if len(good) > 0 && !slices.ContainsFunc(good, func(f found) bool { return !f.partly }) {
			for _, g := range good {
				delete(tried, g.body) // a whole run may give it too
			}
			good, aside = nil, true
		}
		if len(good) > 0 || !any || same {
			break
		}
	}
	switch len(good) {
	case 0:
		return false, nil
	case 1:
		set := good[0].mends
		after, err := p.s.engine.ParseEdited(ctx, before, ops.Apply(sec.live.Text, mended(sec.splices, set), ops.KeepFinal).Text)
		if err != nil {
			return false, ctx.Err()
		}
		other, ok := p.doubt(sec, set, after, func(t *text.Text) bool {
			if parses == 0 || budget < t.Size() {
				return true
			}
			parses--
			p.parses++
			tree, err := p.s.engine.ParseEdited(ctx, before, t)
			return err != nil || tree.Parsed() && !tree.HasErrors()
		})
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if ok {
			return false, p.ambiguous(sec, "and its smallest repair leaves room for another reading", p.repaired(sec, set), other)
		}
		notes := p.repairNotes(sec, set)
		sec.splices = mended(sec.splices, set)
		if err := p.applySplices(sec); err != nil {
			return false, err
		}
		sec.warn(refusal.Repaired, 0, "applied literally the file would no longer parse; exactly one smallest repair makes it parse, and was made: "+strings.Join(notes, "; "))
		sec.decls = declarations(before, after, sec.cut.Map)
		return true, nil
	}
	return false, p.ambiguous(sec, fmt.Sprintf("and %d equally small repairs would mend it", len(good)),
		p.repaired(sec, good[0].mends), p.repaired(sec, good[1].mends))
}

// repaired is the reading that a set of mends makes of a script.
func (p *Plan) repaired(sec *section, set []mend) reading {
	return reading{strings.Join(p.repairNotes(sec, set), "; "), mended(sec.splices, set)}
}

// ambiguous refuses a broken script that can be read in two ways, and shows both.
func (p *Plan) ambiguous(sec *section, why string, a, b reading) error {
	e := refusal.New(refusal.RepairAmbiguous, "applied literally the file would no longer parse, %s: (a) %s; (b) %s", why, a.note, b.note)
	for i, r := range []reading{a, b} {
		alt := *sec
		alt.splices = r.splices
		alt.cut = ops.Apply(sec.live.Text, alt.splices, ops.KeepFinal)
		rows, _ := alt.echo(p.s.lim.RevealColumns)
		e.Excerpts = append(e.Excerpts, refusal.Excerpt{Path: fmt.Sprintf("%s, repair (%c)", sec.target.Name, 'a'+i), Rows: rows})
	}
	return confirmable{e.WithNext("Send the edit that is meant, with the closing rows where they belong; the same call again is applied literally")}
}

// mends lists the ways to change one op.
func (p *Plan) mends(sec *section, i int) []mend {
	s := sec.splices[i]
	op := sec.ops[s.Op]
	lines := s.End - s.Start
	if lines == 0 || op.Paste || op.Verb == ops.Cut && (op.Register != "" || p.pastesAnonymous()) {
		return nil
	}
	top, end := []bool{true}, []bool{true}
	if op.Verb == ops.Put {
		top, end = sec.restated(i)
	}
	var out []mend
	for a := range top {
		for b := 0; b < len(end) && (a+b <= len(s.Rows)); b++ {
			for _, keep := range [][2]bool{{false, false}, {true, false}, {false, true}} {
				m := mend{splice: i, dropTop: a, dropEnd: b, keepFirst: keep[0], keepLast: keep[1], partly: !top[a] || !end[b]}
				kept := m.cost() - a - b
				if m.cost() == 0 || kept == lines && op.Verb == ops.Cut || kept > 0 && op.Place.Kind == ops.Block {
					continue // a block's ends were resolved, not written by hand
				}
				out = append(out, m)
			}
		}
	}
	return out
}

func (p *Plan) pastesAnonymous() bool {
	for _, sec := range p.sections {
		for _, op := range sec.ops {
			if op.Paste && op.Register == "" {
				return true
			}
		}
	}
	return false
}

// restated says, for every number of rows at the top and the end of a body up
// to the longest run that restates surviving lines just outside the span,
// whether that many rows restate as many lines.
func (sec *section) restated(i int) (top, end []bool) {
	s, t := sec.splices[i], sec.live.Text
	floor, ceiling := sec.room(sec.splices, i)
	equal := func(row, line int) bool { return s.Rows[row] == string(t.Line(line)) }
	for k := 1; k <= min(repairRows, len(s.Rows), s.Start-floor); k++ {
		same := true
		for j := range k {
			same = same && equal(j, s.Start-k+1+j)
		}
		top = append(top, same)
	}
	top = upTo(top)
	for k := 1; k <= min(repairRows, len(s.Rows), ceiling-s.End); k++ {
		same := true
		for j := range k {
			same = same && equal(len(s.Rows)-k+j, s.End+1+j)
		}
		end = append(end, same)
	}
	return top, upTo(end)
}

// upTo puts the trivial run of no rows in front and cuts after the longest.
func upTo(same []bool) []bool {
	n := len(same)
	for n > 0 && !same[n-1] {
		n--
	}
	return append([]bool{true}, same[:n]...)
}

// combine calls f with every set of mends, at most one an op, that costs
// exactly cost, until f returns false.
func combine(perOp [][]mend, cost int, f func([]mend) bool) {
	var set []mend
	var visit func(i, left int) bool
	visit = func(i, left int) bool {
		if left == 0 {
			return f(set)
		}
		if i == len(perOp) {
			return true
		}
		if !visit(i+1, left) {
			return false
		}
		for _, m := range perOp[i] {
			if c := m.cost(); c <= left {
				set = append(set, m)
				ok := visit(i+1, left-c)
				set = set[:len(set)-1]
				if !ok {
					return false
				}
			}
		}
		return true
	}
	visit(0, cost)
}

func mended(splices []ops.Splice, set []mend) []ops.Splice {
	out := slices.Clone(splices)
	for _, m := range set {
		s := &out[m.splice]
		s.Rows = s.Rows[m.dropTop : len(s.Rows)-m.dropEnd]
		if m.keepFirst {
			s.Start++
		}
		if m.keepLast {
			s.End--
		}
	}
	return out
}

// repairNotes says what a set of mends does, quoting the rows.
func (p *Plan) repairNotes(sec *section, set []mend) []string {
	var out []string
	quote := func(s string) string { return "`" + clip(strings.ToValidUTF8(s, "\uFFFD"), 60) + "`" }
	for _, m := range set {
		s := sec.splices[m.splice]
		head := sec.ops[s.Op].Head()
		for _, r := range s.Rows[:m.dropTop] {
			out = append(out, fmt.Sprintf("`%s`: the row %s was left out, since it restates the line above the span", head, quote(r)))
		}
		for _, r := range s.Rows[len(s.Rows)-m.dropEnd:] {
			out = append(out, fmt.Sprintf("`%s`: the row %s was left out, since it restates the line below the span", head, quote(r)))
		}
		if m.keepFirst {
			out = append(out, fmt.Sprintf("`%s`: its first line %s was kept", head, quote(string(sec.live.Text.Line(s.Start+1)))))
		}
		if m.keepLast {
			out = append(out, fmt.Sprintf("`%s`: its last line %s was kept", head, quote(string(sec.live.Text.Line(s.End)))))
		}
	}
	return out
}
