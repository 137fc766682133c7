package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"putcut/refusal"
	"putcut/session"
	"putcut/text"
)

// A verdict says what became of a script.
type verdict uint8

const (
	right   verdict = iota // the file is what was meant, byte for byte
	refused                // nothing was written
	warned                 // the file is not what was meant, and a warning says what may be wrong
	listed                 // no warning, but the result lists each line that should have stayed as one that went
	printed                // no warning, and no line lost but those listed: the result prints the place under its new numbers, and what stays there
	silent                 // nothing says so
	verdicts
)

func (v verdict) String() string {
	return [...]string{"right", "refused", "warned", "listed", "printed", "silent"}[v]
}

// likely are the warnings that say an edit may not be what was meant; others
// report what the engine did.
var likely = []refusal.WarningCode{
	refusal.Echo, refusal.Indent, refusal.Split, refusal.Escapes, refusal.Repaired, refusal.SyntaxErrors, refusal.RowIsOp, refusal.OpNoChange, refusal.BodyUnprefixed,
}

func likelihood(list []refusal.Warning) (codes []refusal.WarningCode) {
	for _, w := range list {
		if slices.Contains(likely, w.Code) && !slices.Contains(codes, w.Code) {
			codes = append(codes, w.Code)
		}
	}
	return codes
}

func judge(o outcome, meant []byte) verdict {
	switch {
	case o.err != nil:
		return refused
	case bytes.Equal(o.bytes, meant):
		return right
	case len(likelihood(o.warnings)) > 0:
		return warned
	}
	switch lost, all := listsLost(o, meant); {
	case lost && all:
		return listed
	case all && printsPlace(o, meant):
		return printed
	}
	return silent
}

// printsPlace reports whether the result prints, as rows of the new text, the
// first and the last line of what differs from the meant text, or those around
// it where it only lacks something.
func printsPlace(o outcome, meant []byte) bool {
	got, want := lines(o.bytes), lines(meant)
	head, tail := 0, 0
	for head < min(len(got), len(want)) && got[head] == want[head] {
		head++
	}
	for tail < min(len(got), len(want))-head && got[len(got)-1-tail] == want[len(want)-1-tail] {
		tail++
	}
	first, last := head+1, len(got)-tail
	rows := map[string]bool{}
	for _, row := range strings.Split(o.text, "\n") {
		if number, _, ok := strings.Cut(row, ":"); ok {
			rows[number] = true
		}
	}
	if first > last {
		first, last = max(1, last), min(len(got), first)
	}
	return rows[strconv.Itoa(first)] && rows[strconv.Itoa(last)]
}

// listsLost reports whether lines that should have stayed are missing, and
// whether the result prints every one of them as a row that went.
func listsLost(o outcome, meant []byte) (lost, all bool) {
	had, have := map[string]int{}, map[string]int{}
	for _, l := range lines(o.before) {
		had[l]++
	}
	for _, l := range lines(o.bytes) {
		have[l]++
	}
	gone := map[string]int{}
	for _, row := range strings.Split(o.text, "\n") {
		if number, l, ok := strings.Cut(row, ":"); ok && strings.HasPrefix(number, "-") {
			gone[l]++
		}
	}
	for _, l := range lines(meant) {
		stays := had[l] > 0
		had[l]--
		if have[l] > 0 {
			have[l]--
			continue
		}
		if !stays {
			continue
		}
		if gone[l] == 0 {
			return true, false
		}
		gone[l]--
		lost = true
	}
	return lost, true
}

// A tally is what the replays of some pairs came to. Tallies add up.
type tally struct {
	languages map[string]*correct
	mistakes  []spoilt // as the list of mistakes
	examples  []example
}

// correct counts correct scripts of one language.
type correct struct {
	files   int
	scripts int
	exact   int // right byte for byte
	alarmed int // carried a warning of likelihood, syntax errors that the new file really has aside
	broken  int // the new file itself does not parse, and the result said so
	codes   map[refusal.WarningCode]int
}

type spoilt struct {
	by        [verdicts]int
	mended    int // right because of a repair
	mangled   int // not right, and repaired
	unprinted int // accepted under a new tag for a line that was not printed under it
}

// An example is a script whose outcome is worth looking at.
type example struct {
	kind, name, script, result string
}

func newTally() *tally {
	return &tally{languages: map[string]*correct{}, mistakes: make([]spoilt, len(mistakes))}
}

func (t *tally) add(o *tally) {
	for name, c := range o.languages {
		m := t.language(name)
		m.files += c.files
		m.scripts += c.scripts
		m.exact += c.exact
		m.alarmed += c.alarmed
		m.broken += c.broken
		for code, n := range c.codes {
			m.codes[code] += n
		}
	}
	for i := range o.mistakes {
		for v, n := range o.mistakes[i].by {
			t.mistakes[i].by[v] += n
		}
		t.mistakes[i].mended += o.mistakes[i].mended
		t.mistakes[i].mangled += o.mistakes[i].mangled
		t.mistakes[i].unprinted += o.mistakes[i].unprinted
	}
	t.examples = append(t.examples, o.examples...)
}

func (t *tally) language(name string) *correct {
	c := t.languages[name]
	if c == nil {
		c = &correct{codes: map[refusal.WarningCode]int{}}
		t.languages[name] = c
	}
	return c
}

// replayCorrect applies the correct scripts of a pair.
func (t *tally) replayCorrect(b *bench, p pair) error {
	old, now := lines(p.Old), lines(p.New)
	small := minimal(old, now)
	c := t.language(p.Language)
	c.files++
	scripts := []string{script(small)}
	if wide := script(joined(old, small, 3)); wide != scripts[0] {
		scripts = append(scripts, wide)
	}
	for _, s := range scripts {
		o, err := b.try(p, s)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		c.scripts++
		v := judge(o, p.New)
		if v == right {
			c.exact++
		} else {
			t.example("correct:"+v.String(), p, s, o)
		}
		codes := likelihood(o.warnings)
		for _, code := range codes {
			c.codes[code]++
			t.example("correct:"+string(code), p, s, o)
		}
		if i := slices.Index(codes, refusal.SyntaxErrors); i >= 0 && !b.parses(p.Path, p.New) {
			c.broken++
			codes = slices.Delete(codes, i, i+1)
		}
		if len(codes) > 0 {
			c.alarmed++
		}
	}
	return nil
}

func (b *bench) parses(name string, raw []byte) bool {
	x, err := text.Decode(raw, "")
	if err != nil {
		return false
	}
	tree, err := b.engine.Parse(ctx, languageOf(name, raw), x)
	return err == nil && tree.Parsed() && !tree.HasErrors()
}

// replayMistakes plants each mistake once, in the first of the pair's changes
// that has a place for it, taken in an order that the seed decides.
func (t *tally) replayMistakes(b *bench, p pair, seed uint64) error {
	old, now := lines(p.Old), lines(p.New)
	list := minimal(old, now)
	for k, m := range mistakes {
		h := fnv.New64a()
		io.WriteString(h, p.Name+"\x00"+m.name)
		r := rand.New(rand.NewPCG(seed, h.Sum64()))
		for _, i := range r.Perm(len(list)) {
			calls, ok := m.spoil(r, old, now, list, i)
			if !ok {
				continue
			}
			meant := p.New
			if m.meant != nil {
				meant = p.with(m.meant(old, now, list, i))
			}
			o, err := b.try(p, calls...)
			if errors.Is(err, errPrior) {
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", p.Name, m.name, err)
			}
			v := judge(o, meant)
			t.mistakes[k].by[v]++
			if o.prior != nil && v != refused && !wasPrinted(o.prior, list[i+1]) {
				t.mistakes[k].unprinted++
				t.example(m.name+":unprinted", p, calls[len(calls)-1], o)
			}
			if slices.Contains(likelihood(o.warnings), refusal.Repaired) {
				if v == right {
					t.mistakes[k].mended++
				} else {
					t.mistakes[k].mangled++
					t.example(m.name+":mangled", p, calls[len(calls)-1], o)
				}
			}
			t.example(m.name+":"+v.String(), p, calls[len(calls)-1], o)
			break
		}
	}
	return nil
}

// wasPrinted reports whether every line that a change leans on was displayed under
// the tag of a result to a file read whole: printed by it, written by the call,
// or where it was before (a repair can make a call move nothing).
func wasPrinted(r *session.ChangeResult, c change) bool {
	f := r.Files[0]
	shown := map[int]bool{}
	for _, row := range f.Rows {
		shown[row.N] = !row.Cut
	}
	for _, o := range f.Ops {
		for n := o.NewStart; n <= o.NewEnd; n++ {
			shown[n] = true
		}
	}
	first, last := c.Start+1, c.End
	if c.Start == c.End {
		first, last = c.Start, c.Start
	}
	moved := func(n int) bool {
		return slices.ContainsFunc(f.Shifts, func(s session.ShiftRow) bool { return n >= s.From && (s.To == 0 || n <= s.To) })
	}
	for n := first; n <= last; n++ {
		if !shown[n] && moved(n) {
			return false
		}
	}
	return true
}

// with is the pair's old file with other lines, its format kept.
func (p pair) with(rows []string) []byte {
	end := "\n"
	if ending(p.Old) == "CRLF" {
		end = "\r\n"
	}
	var b bytes.Buffer
	if bytes.HasPrefix(p.Old, bom) {
		b.Write(bom)
	}
	b.WriteString(strings.Join(rows, end))
	if bytes.HasSuffix(p.Old, []byte("\n")) {
		b.WriteString(end)
	}
	return b.Bytes()
}

func (t *tally) example(kind string, p pair, script string, o outcome) {
	if !strings.Contains(kind, wanted) || wanted == "" {
		return
	}
	e := example{kind, p.Name, script, o.text}
	if o.err != nil {
		e.result = o.err.Error()
	}
	t.examples = append(t.examples, e)
}
