package golden

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Options say how scenarios run. The zero value runs them through the library.
type Options struct {
	// Open starts a front end; nil means Library.
	Open Opener
	// TempDir is where the folders of scenarios are made; empty means the
	// system's own.
	TempDir string
	// Update makes RunFile and RunDir write what came out back into the archive.
	Update bool
}

// runner is one run of a scenario.
type runner struct {
	s      *Scenario
	opts   Options
	dir    string // holds root and state
	tree   *tree
	tags   *printed
	fronts map[string]FrontEnd
	stated map[string]entry // what the scenario last said of each path
	rep    *Report
}

// Run runs the scenario in a fresh folder, which it removes again. What does not
// come out as stated is in the report; the error is about running at all: no
// temporary folder, a front end that does not start or fails, a cancelled
// context. A front end that does not support the scenario is no error: the
// report says it was skipped.
func (s *Scenario) Run(ctx context.Context, opts Options) (*Report, error) {
	if opts.Open == nil {
		opts.Open = Library
	}
	dir, err := os.MkdirTemp(opts.TempDir, "golden-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	root := filepath.Join(dir, "root")
	for _, d := range []string{root, filepath.Join(dir, "state")} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, err
		}
	}
	t, err := openTree(root)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	r := &runner{
		s: s, opts: opts, dir: dir, tree: t,
		tags:   &printed{root: root, all: map[string][]string{}, last: map[string]string{}},
		fronts: map[string]FrontEnd{}, stated: map[string]entry{},
		rep: &Report{Name: s.Name},
	}
	err = r.run(ctx)
	for _, name := range slices.Sorted(maps.Keys(r.fronts)) {
		if cerr := r.fronts[name].Close(); err == nil && cerr != nil {
			err = fmt.Errorf("closing the front end: %w", cerr)
		}
	}
	if errors.Is(err, errors.ErrUnsupported) {
		r.rep.Skipped = err.Error()
		r.rep.Problems = nil
		return r.rep, nil
	}
	if err != nil {
		return nil, err
	}
	return r.rep, nil
}

func (r *runner) run(ctx context.Context) error {
	for i := range r.s.sections {
		sec := &r.s.sections[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		switch sec.kind {
		case kindStep:
			var next *section
			if i+1 < len(r.s.sections) {
				if n := &r.s.sections[i+1]; n.kind == kindWant || n.kind == kindRefused {
					next = n
				}
			}
			if err := r.step(ctx, i, sec, next); err != nil {
				return err
			}
		case kindNow, kindGone:
			err = r.checkNow(i, sec)
		default:
			err = r.put(sec)
		}
		if err != nil {
			// Later sections build on this one.
			r.rep.add(sec.line, err.Error(), "")
			r.rep.broken = true
			return nil
		}
		if r.rep.broken {
			return nil
		}
	}
	return r.checkEnd()
}

// put makes what a section says by itself, not through a tool.
func (r *runner) put(sec *section) error {
	if sec.kind == kindOptions || sec.kind == kindWant || sec.kind == kindRefused {
		return nil
	}
	if err := r.tree.put(sec); err != nil {
		return err
	}
	if sec.kind == kindOutside && sec.remove {
		r.stated[sec.path] = entry{}
		return nil
	}
	if sec.kind == kindDir {
		return nil
	}
	e, err := r.tree.at(sec.path)
	r.stated[sec.path] = e
	if err != nil {
		return err
	}
	// A change through a link, or through one of several names, changes the others too.
	if sec.kind == kindOutside {
		now, err := r.tree.all()
		if err != nil {
			return err
		}
		for p, e := range now {
			if was, ok := r.stated[p]; ok && was.there {
				r.stated[p] = e
			}
		}
	}
	return nil
}

func (r *runner) front(ctx context.Context, name string) (FrontEnd, error) {
	if f, ok := r.fronts[name]; ok {
		return f, nil
	}
	f, err := r.opts.Open(ctx, Workspace{
		Root: r.tags.root, State: filepath.Join(r.dir, "state"), Session: name, Options: maps.Clone(r.s.Options),
	})
	if err != nil {
		return nil, err
	}
	r.fronts[name] = f
	return f, nil
}

// step calls a tool and compares. The error ends the run: the front end failed.
func (r *runner) step(ctx context.Context, i int, sec, want *section) error {
	args, err := r.tags.expandArgs(sec.args)
	if body := tools[sec.tool].body; err == nil && body != "" {
		data := string(sec.data)
		if !sec.form.literal {
			data, err = r.tags.expand(data)
		}
		args[body] = data
	}
	if err != nil {
		r.rep.add(sec.line, err.Error(), "")
		r.rep.broken = true // what follows would only repeat it
		return nil
	}
	front, err := r.front(ctx, sec.session)
	if err != nil {
		return err
	}
	before, err := r.tree.all()
	if err != nil {
		return err
	}
	res, err := front.Call(ctx, Call{Tool: sec.tool, Args: args})
	if err != nil {
		return fmt.Errorf("%s:%d: the front end failed: %w", r.s.title(), sec.line, err)
	}
	r.tags.note(res.Text)
	after, err := r.tree.all()
	if err != nil {
		return err
	}
	step := Step{section: i, Line: sec.line, Tool: sec.tool, Result: res}
	symbolicTags := want == nil || want.form.literal || len(want.data) == 0 || !tagWord().Match(want.data)
	step.text, step.literal = res.Text, true
	if want == nil || !want.form.literal {
		if s, ok := r.tags.symbolic(res.Text, symbolicTags); ok {
			step.text, step.literal = s, false
		}
	}
	if want != nil && !want.form.literal {
		// What came out as stated keeps its spelling, tags written out in one
		// row and placeholders in another included.
		if s, err := r.tags.expand(string(want.data)); err == nil && s == res.Text {
			step.text, step.literal = string(want.data), false
		}
	}
	r.rep.Steps = append(r.rep.Steps, step)
	r.compare(sec, want, step)
	changes := !res.Refused && args["dry_run"] != true && slices.Contains([]string{"write", "edit", "patch", "undo"}, sec.tool)
	if !changes {
		r.checkUntouched(sec, before, after)
	}
	return nil
}

// compare holds a result against what is wanted of it.
func (r *runner) compare(sec, want *section, step Step) {
	refused := step.Result.Refused
	switch {
	case want == nil && refused:
		r.rep.add(sec.line, "the call is refused, and nothing says that it should be", step.text)
		return
	case want == nil:
		return
	case want.kind == kindWant && refused:
		r.rep.add(want.line, "the call is refused, and it should be accepted", step.text)
		return
	case want.kind == kindRefused && !refused:
		r.rep.add(want.line, "the call is accepted, and it should be refused", step.text)
		return
	case want.kind == kindRefused && want.code != "" && want.code != step.Code():
		r.rep.add(want.line, fmt.Sprintf("the refusal is %s, and it should be %s", step.Code(), want.code), step.text)
		return
	case len(want.data) == 0 && want.code == "":
		r.rep.add(want.line, "the expectation is empty; run with update to fill it", step.text)
		return
	case len(want.data) == 0:
		return
	}
	text := string(want.data)
	if !want.form.literal {
		var err error
		if text, err = r.tags.expand(text); err != nil {
			r.rep.add(want.line, err.Error(), step.text)
			return
		}
	}
	if !want.has {
		if text != step.Result.Text {
			r.rep.add(want.line, "the result is another one", diffTexts(string(want.data), step.text))
		}
		return
	}
	rest := step.Result.Text
	for row := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		_, after, ok := strings.Cut(rest, row)
		if !ok {
			r.rep.add(want.line, fmt.Sprintf("the result lacks %q, or has it before another row that should come first", row), step.text)
			return
		}
		rest = after
	}
}

func (r *runner) checkUntouched(sec *section, before, after map[string]entry) {
	for _, p := range paths(before, after) {
		if d := before[p].differs(after[p], true); d != "" {
			r.rep.add(sec.line, fmt.Sprintf("the call may not change anything, and %s %s", p, d), "")
		}
	}
}

// checkNow holds a file against what a section says it is now.
func (r *runner) checkNow(i int, sec *section) error {
	got, err := r.tree.at(sec.path)
	if err != nil {
		return err
	}
	want := entry{}
	if sec.kind == kindNow {
		want = entry{there: true, kind: regular, data: sec.data, mode: sec.mode}
		if want.mode == 0 {
			want.mode = r.stated[sec.path].mode
		}
		if got.there && got.kind == symlink {
			// What is stated of a link is what it leads to.
			if data, err := r.tree.root.ReadFile(filepath.FromSlash(sec.path)); err == nil {
				r.rep.states = append(r.rep.states, state{section: i, path: sec.path, entry: entry{there: true, data: data}})
				if d := (entry{there: true, data: sec.data}).differs(entry{there: true, data: data}, false); d != "" {
					r.rep.add(sec.line, sec.path+" "+d, contentDiff(sec.data, data, sec.form))
				}
				return nil
			}
		}
	}
	if d := want.differs(got, want.mode != 0); d != "" {
		diff := ""
		if got.there && got.kind == regular {
			diff = contentDiff(want.data, got.data, sec.form)
		}
		r.rep.add(sec.line, sec.path+" "+d, diff)
	}
	r.rep.states = append(r.rep.states, state{section: i, path: sec.path, entry: got})
	r.stated[sec.path] = got
	return nil
}

// checkEnd holds every file against what was last said about it, and looks for
// anything outside the root.
func (r *runner) checkEnd() error {
	now, err := r.tree.all()
	if err != nil {
		return err
	}
	for _, p := range paths(r.stated, now) {
		was := r.stated[p]
		if d := was.differs(now[p], was.mode != 0); d != "" {
			r.rep.add(r.rep.lastLine(r.s), fmt.Sprintf("at the end %s %s, and no section after the last change says so", p, d), contentDiff(was.data, now[p].data, form{}))
			r.rep.states = append(r.rep.states, state{section: -1, path: p, entry: now[p]})
		}
	}
	list, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	for _, d := range list {
		if d.Name() != "root" && d.Name() != "state" {
			r.rep.add(r.rep.lastLine(r.s), fmt.Sprintf("something appeared outside the root: %s", path.Join("..", d.Name())), "")
		}
	}
	return nil
}

func (s *Scenario) title() string {
	if s.Name == "" {
		return "archive"
	}
	return s.Name
}
