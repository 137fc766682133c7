package session_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"putcut/parser"
	"putcut/refusal"
	"putcut/session"
)

// mstep is one op of a script: the file it is about, and its place in that
// file's merged list.
type mstep struct {
	n string
	i int
}

// patch sends sections for several files, some of them for one file, with
// registers flowing from one to the next.
func (w *world) patch() {
	lists, tags := map[string][]mop{}, map[string]string{}
	var order []string
	var steps []mstep
	var b strings.Builder
	for range 1 + w.r.Intn(4) {
		n := w.existing()
		if tags[n] == "" {
			tags[n] = w.tag(n)
			order = append(order, n)
		}
		ops := w.genOps(n, tags[n])
		fmt.Fprintf(&b, "[%s#%s]\n%s", n, tags[n], script(ops))
		for _, o := range ops {
			steps = append(steps, mstep{n, len(lists[n])})
			lists[n] = append(lists[n], o)
		}
	}
	src := b.String()
	if _, err := parser.Parse(src, parser.Limits{}); err != nil {
		return
	}
	what := fmt.Sprintf("patch %q", src)
	before := map[string]*mfile{}
	for _, n := range order {
		before[n] = w.files[n]
	}
	for try := 0; ; try++ {
		cands := map[string][]candidate{}
		shown := true
		for _, n := range order {
			cands[n] = w.candidates(n, tags[n], lists[n])
			shown = shown && w.seen(n, tags[n], lists[n], cands[n])
		}
		dry := w.r.Intn(10) == 0
		res, err := w.s.Patch(ctx, session.PatchRequest{Script: src, DryRun: dry})
		if err != nil {
			w.refused(what, err)
			if try == 1 || refusal.As(err).Code != refusal.LinesUnseen {
				return
			}
			continue
		}
		if !shown {
			w.t.Errorf("%s leans on lines that were not displayed", what)
		}
		if dry {
			w.check("dry " + what)
			return
		}
		w.acceptPatch(what, order, lists, steps, cands, before, res)
		return
	}
}

func (w *world) acceptPatch(what string, order []string, lists map[string][]mop, steps []mstep, cands map[string][]candidate, before map[string]*mfile, res *session.ChangeResult) {
	w.codes["patched"]++
	if len(order) > 1 {
		w.codes["patched several"]++
	}
	drifted := map[string]bool{}
	for _, x := range res.Warnings {
		if x.Code == refusal.Drift {
			drifted[x.Path] = true
		}
	}
	raws := map[string][]byte{}
	for _, n := range order {
		raws[n], _ = os.ReadFile(w.path(n))
	}
	type done struct {
		out      *mfile
		authored []int
		reread   bool
	}
	var try func(i int, chosen map[string]candidate) bool
	try = func(i int, chosen map[string]candidate) bool {
		if i < len(order) {
			n := order[i]
			for _, c := range cands[n] {
				if c.kind == "drift" && !drifted[n] {
					continue
				}
				chosen[n] = c
				if try(i+1, chosen) {
					return true
				}
			}
			return false
		}
		rows, regs, ok := w.pasteAll(before, lists, steps, chosen)
		if !ok {
			return false
		}
		outs := map[string]done{}
		for _, n := range order {
			out, authored, reread := w.applied(before[n], chosen[n].places, rows[n])
			if !bytes.Equal(out.bytes(), raws[n]) {
				return false
			}
			outs[n] = done{out, authored, reread}
		}
		call := mcall{res.Call, map[string]*mfile{}, map[string]*mfile{}}
		for _, n := range order {
			w.files[n] = outs[n].out
			call.before[n], call.after[n] = before[n], outs[n].out
		}
		for _, n := range order {
			w.codes[chosen[n].kind]++
			i := slices.IndexFunc(res.Files, func(f session.FileChange) bool { return f.Path == n })
			w.displays(n, before[n], outs[n].out, outs[n].authored, string(res.Files[i].Tag))
		}
		w.regs = regs
		w.done = append(w.done, call)
		w.note("%s → %s", what, res.Call)
		w.check(what)
		w.printed(res.Text())
		return true
	}
	if !try(0, map[string]candidate{}) {
		for _, n := range order {
			w.t.Errorf("%s: %s was %q, is %q", what, n, before[n].bytes(), raws[n])
		}
	}
}

// pasteAll runs the registers through a script in its order.
func (w *world) pasteAll(before map[string]*mfile, lists map[string][]mop, steps []mstep, chosen map[string]candidate) (rows map[string][][]string, regs map[string][]string, ok bool) {
	rows, regs = map[string][][]string{}, map[string][]string{}
	for n, list := range lists {
		rows[n] = make([][]string, len(list))
	}
	for k, v := range w.regs {
		regs[k] = v
	}
	unpasted, filled := 0, false
	var anon []string
	for _, st := range steps {
		o := lists[st.n][st.i]
		switch {
		case o.cut:
			i := slices.IndexFunc(chosen[st.n].places, func(p mplace) bool { return p.op == st.i })
			p := chosen[st.n].places[i]
			var lines []string
			for _, l := range before[st.n].lines[p.start:p.end] {
				lines = append(lines, l.s)
			}
			if o.reg == "" {
				unpasted, filled, anon = unpasted+1, true, lines
			} else {
				regs[o.reg] = lines
			}
		case o.paste && o.reg == "":
			if !filled || unpasted > 1 {
				return nil, nil, false
			}
			unpasted = 0
			rows[st.n][st.i] = anon
		case o.paste:
			lines, there := regs[o.reg]
			if !there {
				return nil, nil, false
			}
			rows[st.n][st.i] = lines
		default:
			rows[st.n][st.i] = o.rows
		}
	}
	return rows, regs, true
}
