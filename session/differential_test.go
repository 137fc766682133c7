package session_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"putcut/parser"
	"putcut/refusal"
	"putcut/session"
	"putcut/snapshots"
	"putcut/workspace"
)

var (
	diffSeed  = flag.Int64("differential.seed", 1, "first seed of the differential test")
	diffSeeds = flag.Int("differential.seeds", 4, "seeds of the differential test")
	diffCalls = flag.Int("differential.calls", 300, "calls a seed")
)

// TestDifferential drives sessions through random calls, with changes by others
// in between, and compares every accepted one with an obvious model: a file is
// a list of lines with identities and terminators. A refused call changes
// nothing, and no line is leaned on that was not printed under the tag.
func TestDifferential(t *testing.T) {
	codes := map[string]int{}
	for seed := *diffSeed; seed < *diffSeed+int64(*diffSeeds); seed++ {
		w := newWorld(t, seed)
		for w.calls = 1; w.calls <= *diffCalls && !t.Failed(); w.calls++ {
			w.step()
		}
		w.close()
		if t.Failed() {
			t.Fatalf("seed %d, call %d\n%s", seed, w.calls, strings.Join(w.log[max(0, len(w.log)-90):], "\n"))
		}
		for c, n := range w.codes {
			codes[c] += n
		}
	}
	t.Log(codes)
}

// mline is a line of the model.
type mline struct {
	id  int
	s   string
	eol string
}

type mfile struct {
	lines []mline
	bom   bool
	enc   string // "", le, be
}

func (f *mfile) clone() *mfile {
	g := *f
	g.lines = slices.Clone(f.lines)
	return &g
}

func (f *mfile) body() string {
	var b strings.Builder
	for _, l := range f.lines {
		b.WriteString(l.s + l.eol)
	}
	return b.String()
}

func (f *mfile) bytes() []byte {
	body := f.body()
	switch f.enc {
	case "":
		if f.bom {
			body = "\ufeff" + body
		}
		return []byte(body)
	}
	var out []byte
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(body))...) {
		if f.enc == "le" {
			out = append(out, byte(u), byte(u>>8))
		} else {
			out = append(out, byte(u>>8), byte(u))
		}
	}
	return out
}

func (f *mfile) texts() []string {
	out := make([]string, len(f.lines))
	for i, l := range f.lines {
		out[i] = l.s
	}
	return out
}

// split reads a body as the contract's text model does.
func split(body string) (out []mline) {
	sep := "\n"
	if !strings.Contains(body, "\n") && strings.Contains(body, "\r") {
		sep = "\r"
	}
	for body != "" {
		s, rest, ok := strings.Cut(body, sep)
		l := mline{s: s}
		if ok {
			l.eol = sep
			if sep == "\n" && strings.HasSuffix(s, "\r") {
				l.s, l.eol = s[:len(s)-1], "\r\n"
			}
		}
		out = append(out, l)
		body = rest
	}
	return out
}

// mver is a text that was printed under a tag.
type mver struct {
	texts []string
	ids   []int
	shown map[int]bool
}

type mop struct {
	head        string
	kind        string // span, before, after, tail
	first, last int
	rows        []string
	cut         bool
	reg         string // of a cut, or of a paste; "-" none
	paste       bool
}

// gap of an op in numbers where anchors are at first..last.
type mplace struct {
	start, end, order int
	op                int
}

type mcall struct {
	id            string
	before, after map[string]*mfile
}

type world struct {
	t     *testing.T
	r     *rand.Rand
	s     *session.Session
	dir   *session.Dir
	opt   session.Options
	root  string
	keep  string
	names []string
	files map[string]*mfile
	vers  map[string]map[string][]*mver // path, tag
	regs  map[string][]string
	done  []mcall
	codes map[string]int
	log   []string
	calls int
	id    int
	uniq  int // of 4 rows, how many are likely to be unique
	plan  *session.Plan
	apply func(*session.ChangeResult) // what the held plan does when committed
	held  map[string][]byte
}

func newWorld(t *testing.T, seed int64) *world {
	w := &world{
		t: t, r: rand.New(rand.NewSource(seed)), root: t.TempDir(),
		names: []string{"a.txt", "b.txt", "d/a.txt"}, files: map[string]*mfile{},
		vers: map[string]map[string][]*mver{}, regs: map[string][]string{}, codes: map[string]int{},
	}
	w.uniq = 1 + w.r.Intn(3)
	w.opt.Workspace.StateDir, w.opt.Workspace.Durability = t.TempDir(), workspace.None
	switch w.r.Intn(4) {
	case 0:
		w.opt.Snapshots = snapshots.Limits{Versions: 3, Paths: 2, TextBytes: 300}
	case 1:
		w.opt.Snapshots = snapshots.Limits{TextBytes: 60}
	}
	if w.r.Intn(2) == 0 {
		w.keep = filepath.Join(t.TempDir(), "s")
	}
	os.MkdirAll(filepath.Join(w.root, "d"), 0o755)
	w.open()
	for _, n := range w.names[:2] {
		w.files[n] = w.fresh()
		w.save(n)
	}
	return w
}

func (w *world) open() {
	var err error
	if w.keep == "" {
		w.s, err = session.Open([]string{w.root}, w.opt)
	} else {
		w.dir, err = session.OpenDir(ctx, []string{w.root}, w.keep, w.opt)
		if err == nil {
			w.s = w.dir.Session
			if w.dir.Warning != "" {
				w.t.Error(w.dir.Warning)
			}
		}
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) close() {
	var err error
	if w.dir != nil {
		err = w.dir.Close()
	} else {
		err = w.s.Close()
	}
	if err != nil {
		w.t.Error(err)
	}
}

func (w *world) note(format string, args ...any) {
	w.log = append(w.log, strconv.Itoa(w.calls)+" "+fmt.Sprintf(format, args...))
}

func (w *world) pick(list ...string) string { return list[w.r.Intn(len(list))] }

func (w *world) row() string {
	if w.r.Intn(4) < w.uniq {
		return "u" + strconv.Itoa(w.r.Intn(1000))
	}
	return w.pick("", "a", "a ", "a\t", "b", "}", " ", "c\rd", "é", "1:a", "+x", "\ufeffz", "x\u2028y")
}

func (w *world) newID() int { w.id++; return w.id }

func (w *world) fresh() *mfile {
	f := &mfile{}
	eol := w.pick("\n", "\n", "\r\n", "\r", "mixed")
	switch w.r.Intn(8) {
	case 0:
		f.bom = true
	case 1:
		f.enc, f.bom = "le", true
	case 2:
		f.enc, f.bom = "be", true
	}
	var b strings.Builder
	n := w.r.Intn(14)
	for i := range n {
		e := eol
		if e == "mixed" {
			e = w.pick("\n", "\r\n", "\n")
		}
		if i == n-1 && w.r.Intn(3) == 0 {
			e = ""
		}
		s := w.row()
		if eol == "\r" {
			s = strings.ReplaceAll(s, "\r", "")
		}
		if i == 0 {
			s = strings.ReplaceAll(s, "\ufeff", "")
		}
		if f.enc == "" && w.r.Intn(40) == 0 {
			s += "\xff"
		}
		b.WriteString(s + e)
	}
	f.lines = split(b.String())
	for i := range f.lines {
		f.lines[i].id = w.newID()
	}
	return f
}

func (w *world) path(n string) string { return filepath.Join(w.root, n) }

func (w *world) save(n string) {
	if f := w.files[n]; f == nil {
		os.Remove(w.path(n))
	} else if err := os.WriteFile(w.path(n), f.bytes(), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// check compares the disk with the model.
func (w *world) check(what string) {
	for _, n := range w.names {
		got, err := os.ReadFile(w.path(n))
		f := w.files[n]
		if (err == nil) != (f != nil) {
			w.t.Errorf("%s: %s is there: %v, in the model: %v", what, n, err == nil, f != nil)
		} else if f != nil && !bytes.Equal(got, f.bytes()) {
			w.t.Errorf("%s: %s is %q, want %q", what, n, got, f.bytes())
		}
	}
}

// ver is the model's version for the live text of a file under a tag.
func (w *world) ver(n, tag string) *mver {
	f := w.files[n]
	if w.vers[n] == nil {
		w.vers[n] = map[string][]*mver{}
	}
	var ids []int
	for _, l := range f.lines {
		ids = append(ids, l.id)
	}
	for _, v := range w.vers[n][tag] {
		if slices.Equal(v.texts, f.texts()) {
			v.ids = ids
			return v
		}
	}
	v := &mver{f.texts(), ids, map[int]bool{}}
	w.vers[n][tag] = append(w.vers[n][tag], v)
	return v
}

var headerRow = regexp.MustCompile(`^\[(.*)#([0-9A-F]{4})\]$`)
var numberRow = regexp.MustCompile(`^(\d+):((?s:.*))$`)

// printed takes in what a result printed. live says that rows are of live texts.
func (w *world) printed(text string) {
	path, tag := "", ""
	for _, r := range strings.Split(text, "\n") {
		if m := headerRow.FindStringSubmatch(r); m != nil {
			path, tag = m[1], m[2]
			if f := w.files[path]; f == nil {
				w.t.Errorf("a header of %s, which is not there:\n%s", path, text)
				return
			}
			continue
		}
		if r == "corrected script:" {
			return
		}
		m := numberRow.FindStringSubmatch(r)
		if m == nil || path == "" {
			continue
		}
		n, _ := strconv.Atoi(m[1])
		hit := false
		for _, v := range w.vers[path][tag] {
			if n <= len(v.texts) && v.texts[n-1] == m[2] {
				v.shown[n] = true
				hit = true
			}
		}
		live := w.files[path].lines
		if n <= len(live) && live[n-1].s == m[2] && w.tagIs(path, tag) {
			w.ver(path, tag).shown[n] = true
			hit = true
		}
		if !hit && utf8.ValidString(w.files[path].body()) {
			w.t.Errorf("%s#%s prints %q, and no text under that tag has it: %q\n%s", path, tag, r, w.files[path].texts(), text)
		}
	}
}

// tagIs asks whether the live text has the tag.
func (w *world) tagIs(path, tag string) bool {
	for _, v := range w.vers[path][tag] {
		if slices.Equal(v.texts, w.files[path].texts()) {
			return true
		}
	}
	s, err := session.Open([]string{w.root}, w.opt) // a session of its own, for tags alone
	if err != nil {
		w.t.Fatal(err)
	}
	defer s.Close()
	got, err := s.Mint(ctx, path, "")
	return err == nil && string(got.Tag) == tag
}

func (w *world) refused(what string, err error) {
	e := refusal.As(err)
	if e == nil {
		w.t.Errorf("%s: %v", what, err)
		return
	}
	w.codes[string(e.Code)]++
	w.note("%s → %s %s", what, e.Code, e.What)
	w.check(what)
	w.printed(session.ErrorText(err))
}

func (w *world) existing() string {
	var out []string
	for _, n := range w.names {
		if w.files[n] != nil {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		n := w.names[0]
		w.files[n] = w.fresh()
		w.save(n)
		return n
	}
	return w.pick(out...)
}

func (w *world) step() {
	switch k := w.r.Intn(100); {
	case k < 14:
		w.read()
	case k < 20:
		w.grep()
	case k < 32:
		w.outside()
	case k < 40:
		w.undo()
	case k < 44:
		w.write()
	case k < 46:
		w.remove()
	case k < 49:
		w.move()
	case k < 51 && w.keep != "" && w.plan == nil:
		w.close()
		w.open()
		w.note("reopened")
	case k < 55:
		w.commit()
	case k < 72:
		w.patch()
	default:
		w.edit()
	}
}

func (w *world) read() {
	n := w.existing()
	ranges := ""
	if w.r.Intn(2) == 0 {
		a := 1 + w.r.Intn(8)
		ranges = fmt.Sprintf("%d-%d", a, a+w.r.Intn(4))
	}
	res, err := w.s.Read(ctx, session.ReadRequest{Path: n, Ranges: ranges})
	if err != nil {
		w.refused("read "+n, err)
		return
	}
	w.note("read %s %s → #%s %q", n, ranges, res.Tag, w.files[n].texts())
	w.ver(n, string(res.Tag))
	if res.TotalLines != len(w.files[n].lines) {
		w.t.Errorf("%d lines, want %d", res.TotalLines, len(w.files[n].lines))
	}
	w.printed(res.Text())
}

func (w *world) grep() {
	req := session.GrepRequest{Pattern: w.pick("a", "u", "}", "^$", "."), Context: w.r.Intn(3)}
	if w.r.Intn(3) == 0 {
		req.Mode = session.Files
	}
	res, err := w.s.Grep(ctx, req)
	if err != nil {
		w.refused("grep", err)
		return
	}
	w.note("grep %+v", req)
	for _, f := range res.Files {
		if f.Tag != "" {
			w.ver(f.Path, string(f.Tag))
		}
	}
	if req.Mode == "" {
		w.printed(res.Text())
	}
}

// outside changes a file behind the session's back, line by line or whole.
func (w *world) outside() {
	n := w.pick(w.names...)
	f := w.files[n]
	switch k := w.r.Intn(10); {
	case f == nil || k == 0:
		w.files[n] = w.fresh()
	case k == 1:
		w.files[n] = nil
	case k == 2 && len(w.done) > 0: // a revert
		c := w.done[w.r.Intn(len(w.done))]
		for p, b := range c.before {
			if b != nil {
				w.files[p] = b.clone()
				w.save(p)
			}
		}
	default:
		f = f.clone()
		if len(f.lines) == 0 {
			return
		}
		at := w.r.Intn(len(f.lines))
		l := mline{w.newID(), "o" + strconv.Itoa(w.r.Intn(50)), f.lines[0].eol}
		if l.eol == "" {
			return
		}
		if w.r.Intn(3) == 0 {
			l.s = f.lines[w.r.Intn(len(f.lines))].s // a copy
			if l.s == "" && l.eol == "" {
				return
			}
		}
		switch w.r.Intn(4) {
		case 0, 1:
			f.lines = slices.Insert(f.lines, at, l)
		case 2:
			if at == len(f.lines)-1 {
				return
			}
			f.lines = slices.Delete(f.lines, at, at+1)
		default:
			if at == len(f.lines)-1 {
				return
			}
			f.lines[at].s, f.lines[at].id = l.s+w.pick("", " "), w.newID()
		}
		// Only if the model's lines still are what the bytes say.
		if again := split(f.body()); !slices.EqualFunc(again, f.lines, func(a, b mline) bool { return a.s == b.s && a.eol == b.eol }) {
			return
		}
		if strings.HasPrefix(f.body(), "\ufeff") && f.enc == "" {
			return
		}
		w.files[n] = f
	}
	w.save(n)
	if f := w.files[n]; f != nil { // a text that comes back is the same version again
		for _, vs := range w.vers[n] {
			for _, v := range vs {
				if slices.Equal(v.texts, f.texts()) {
					for i := range f.lines {
						f.lines[i].id = v.ids[i]
					}
				}
			}
		}
	}
	if w.files[n] != nil {
		w.note("outside %s %q", n, w.files[n].texts())
	} else {
		w.note("outside %s is gone", n)
	}
}

func (w *world) tag(n string) string {
	var tags []string
	for t := range w.vers[n] {
		tags = append(tags, t)
	}
	sort.Strings(tags)
	if len(tags) == 0 || w.r.Intn(40) == 0 {
		return "0BAD"
	}
	if w.r.Intn(2) == 0 { // one of the live text, if there is one
		for _, t := range tags {
			for _, v := range w.vers[n][t] {
				if w.files[n] != nil && slices.Equal(v.texts, w.files[n].texts()) {
					return t
				}
			}
		}
	}
	return tags[w.r.Intn(len(tags))]
}

func (w *world) genOps(n, tag string) []mop {
	size := 0
	for _, v := range w.vers[n][tag] {
		size = max(size, len(v.texts))
	}
	var list []mop
	cuts := map[string]bool{}
	for range 1 + w.r.Intn(2)*w.r.Intn(3) {
		line := func() int { return 1 + w.r.Intn(size+1) }
		var o mop
		switch w.r.Intn(8) {
		case 0, 1, 2:
			o.kind, o.first = "span", line()
			o.last = o.first + w.r.Intn(2)*w.r.Intn(3)
		case 3:
			o.kind, o.first = "before", line()
		case 4:
			o.kind, o.first = "after", line()
		case 5:
			o.kind = "tail"
		case 6:
			o.kind, o.first = "span", line()
			o.last = o.first + w.r.Intn(2)*w.r.Intn(3)
			o.cut, o.reg = true, w.pick("", "", "r1", "r2")
			if cuts[o.reg] && o.reg != "" {
				o.reg = ""
			}
			cuts[o.reg] = true
		default:
			o.kind, o.paste = "tail", true
			o.reg = w.pick("", "r1", "r2")
			if w.r.Intn(2) == 0 {
				o.kind, o.first = "after", line()
			} else if w.r.Intn(2) == 0 && o.reg != "" {
				o.kind, o.first = "span", line()
				o.last = o.first
			}
		}
		switch o.kind {
		case "span":
			o.head = fmt.Sprintf("%d.=%d", o.first, o.last)
		case "before":
			o.head = fmt.Sprintf("<%d", o.first)
		case "after":
			o.head = fmt.Sprintf(">%d", o.first)
		default:
			o.head = ">$"
		}
		switch {
		case o.cut:
			o.head = "CUT " + o.head
		case o.paste:
			o.head = "PUT " + o.head
		default:
			o.head = "PUT " + o.head + ":"
			for range 1 + w.r.Intn(3) {
				o.rows = append(o.rows, w.row())
			}
			o.reg = "-"
		}
		if (o.cut || o.paste) && o.reg != "" {
			o.head += " @" + o.reg
		}
		list = append(list, o)
	}
	return list
}

func script(list []mop) string {
	var b strings.Builder
	for _, o := range list {
		b.WriteString(o.head + "\n")
		for _, r := range o.rows {
			b.WriteString("+" + r + "\n")
		}
	}
	return b.String()
}

func (o *mop) anchored() bool {
	return !(o.kind == "tail" || o.kind == "before" && o.first == 1)
}

// place puts ops at lines of f: at says where an anchor line is.
func place(list []mop, f *mfile, at func(int) int) ([]mplace, bool) {
	var out []mplace
	for i, o := range list {
		p := mplace{op: i}
		a, b := 0, 0
		if o.anchored() {
			a = at(o.first)
			if a < 1 || a > len(f.lines) {
				return nil, false
			}
			b = a
			if o.kind == "span" {
				for n := o.first; n <= o.last; n++ {
					if at(n) != a+n-o.first {
						return nil, false
					}
				}
				b = a + o.last - o.first
				if b > len(f.lines) {
					return nil, false
				}
			}
		}
		switch {
		case o.kind == "tail":
			p.start, p.end, p.order = len(f.lines), len(f.lines), 1
		case !o.anchored():
			p.order = 0
		case o.kind == "before":
			p.start, p.end, p.order = a-1, a-1, 2
		case o.kind == "after":
			p.start, p.end, p.order = a, a, 1
		default:
			p.start, p.end, p.order = a-1, b, 3
		}
		out = append(out, p)
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].start != out[j].start {
			return out[i].start < out[j].start
		}
		return out[i].order < out[j].order
	})
	for i := 1; i < len(out); i++ {
		if out[i].start < out[i-1].end {
			return nil, false
		}
	}
	return out, true
}

// applied is the model's splice. Rows per op are given; authored are the new
// line numbers of what was put.
func (w *world) applied(f *mfile, places []mplace, rows [][]string) (out *mfile, authored []int, reread bool) {
	body := f.body()
	crOnly := !strings.Contains(body, "\n") && strings.Contains(body, "\r")
	common := "\n"
	lf, crlf := 0, 0
	for _, l := range f.lines {
		switch l.eol {
		case "\n":
			lf++
		case "\r\n":
			crlf++
		}
	}
	if crlf > lf {
		common = "\r\n"
	}
	if crOnly {
		common = "\r"
	}
	out = &mfile{bom: f.bom, enc: f.enc}
	pos := 0
	keep := func(to int) {
		out.lines = append(out.lines, f.lines[pos:to]...)
		pos = to
	}
	for _, p := range places {
		keep(p.start)
		eol := ""
		if p.start > 0 {
			eol = f.lines[p.start-1].eol
		}
		if eol == "" && p.end < len(f.lines) {
			eol = f.lines[p.end].eol
		}
		if eol == "" {
			eol = common
		}
		list := rows[p.op]
		if crOnly {
			list = nil
			for _, r := range rows[p.op] {
				list = append(list, strings.Split(r, "\r")...)
			}
		}
		for _, r := range list {
			if k := len(out.lines); k > 0 && out.lines[k-1].eol == "" {
				out.lines[k-1].eol = eol
			}
			out.lines = append(out.lines, mline{w.newID(), r, eol})
			authored = append(authored, len(out.lines))
		}
		pos = p.end
	}
	keep(len(f.lines))
	final := len(f.lines) == 0 || f.lines[len(f.lines)-1].eol != ""
	if k := len(out.lines); k > 0 {
		last := &out.lines[k-1]
		switch {
		case final && last.eol == "":
			last.eol = common
		case !final && last.s != "":
			last.eol = ""
		}
	}
	if whole := out.body(); !out.bom && strings.HasPrefix(whole, "\ufeff") { // a mark now
		out.bom = true
		out.lines = split(whole[len("\ufeff"):])
		for i := range out.lines {
			out.lines[i].id = w.newID()
		}
		return out, nil, true
	}
	again := split(out.body())
	if !slices.EqualFunc(again, out.lines, func(a, b mline) bool { return a.s == b.s }) {
		for i := range again {
			again[i].id = w.newID()
		}
		out.lines = again
		return out, nil, true
	}
	out.lines = func() []mline {
		for i := range again {
			again[i].id = out.lines[i].id
		}
		return again
	}()
	return out, authored, false
}

// candidate is one reading of an edit.
type candidate struct {
	v      *mver
	places []mplace
	kind   string
}

func (w *world) candidates(n, tag string, list []mop) []candidate {
	f := w.files[n]
	var direct, own, drift []candidate
	for _, v := range w.vers[n][tag] {
		if slices.Equal(v.texts, f.texts()) {
			if p, ok := place(list, f, func(n int) int { return n }); ok {
				direct = append(direct, candidate{v, p, "direct"})
			}
			continue
		}
		byID := func(n int) int {
			if n < 1 || n > len(v.ids) {
				return 0
			}
			return 1 + slices.IndexFunc(f.lines, func(l mline) bool { return l.id == v.ids[n-1] })
		}
		if p, ok := place(list, f, byID); ok {
			own = append(own, candidate{v, p, "own"})
		}
		for off := -40; off <= 40; off++ {
			same := func(n int) int {
				m := n + off
				if n < 1 || n > len(v.texts) || m < 1 || m > len(f.lines) || f.lines[m-1].s != v.texts[n-1] {
					return 0
				}
				return m
			}
			if p, ok := place(list, f, same); ok {
				drift = append(drift, candidate{v, p, "drift"})
			}
		}
	}
	if len(direct) > 0 {
		return direct
	}
	return append(own, drift...)
}

// paste runs the registers; nil rows when a paste is refused.
func (w *world) paste(f *mfile, list []mop, places []mplace) (rows [][]string, regs map[string][]string, ok bool) {
	rows = make([][]string, len(list))
	regs = map[string][]string{}
	for k, v := range w.regs {
		regs[k] = v
	}
	unpasted, filled := 0, false
	var anon []string
	for i, o := range list {
		var p mplace
		for _, q := range places {
			if q.op == i {
				p = q
			}
		}
		switch {
		case o.cut:
			var lines []string
			for _, l := range f.lines[p.start:p.end] {
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
			rows[i] = anon
		case o.paste:
			lines, there := regs[o.reg]
			if !there {
				return nil, nil, false
			}
			rows[i] = lines
		default:
			rows[i] = o.rows
		}
	}
	return rows, regs, true
}

func (w *world) edit() {
	n := w.existing()
	tag := w.tag(n)
	list := w.genOps(n, tag)
	ops := script(list)
	what := fmt.Sprintf("edit %s#%s %q", n, tag, ops)
	req := session.EditRequest{Path: n, Tag: tag, Ops: ops, DryRun: w.r.Intn(10) == 0}
	if _, err := parser.ParseOps(ops, parser.Limits{}); err != nil {
		return // the language has its own tests
	}
	before := w.files[n]
	if w.plan == nil && w.r.Intn(12) == 0 {
		p, err := w.s.PlanEdit(ctx, req)
		if err != nil {
			w.refused("plan "+what, err)
			return
		}
		w.check("plan " + what)
		w.note("plan %s", what)
		if req.DryRun {
			return
		}
		cands := w.candidates(n, tag, list)
		shown := w.seen(n, tag, list, cands)
		held, regs := before.clone(), w.regs // what was approved is what is written
		w.plan = p
		w.held = map[string][]byte{n: before.bytes()}
		w.apply = func(res *session.ChangeResult) {
			if !shown {
				w.t.Errorf("%s leans on lines that were not displayed", what)
			}
			now := w.regs
			w.regs = regs
			w.accept(what, n, tag, list, cands, held, res)
			after := map[string][]string{}
			for name, lines := range now {
				after[name] = lines
			}
			for _, o := range list {
				if o.cut && o.reg != "" {
					after[o.reg] = w.regs[o.reg]
				}
			}
			w.regs = after
		}
		return
	}
	cands := w.candidates(n, tag, list)
	shown := w.seen(n, tag, list, cands)
	for try := 0; ; try++ {
		res, err := w.s.Edit(ctx, req)
		if err == nil {
			if req.DryRun {
				w.codes["dry"]++
				w.check("dry " + what)
				return
			}
			if !shown {
				w.t.Errorf("%s leans on lines that were not displayed", what)
			}
			w.accept(what, n, tag, list, cands, before, res)
			return
		}
		w.refused(what, err)
		e := refusal.As(err)
		if try == 1 || w.r.Intn(3) == 0 || e.Code != refusal.LinesUnseen && e.Code != refusal.TagMismatch && e.Code != refusal.BodySuspect {
			return
		}
		cands = w.candidates(n, tag, list)
		if e.Code == refusal.TagMismatch { // confirmed, it means the live text
			if w.tagIs(n, tag) {
				w.ver(n, tag)
				cands = w.candidates(n, tag, list)
			}
		}
		shown = w.seen(n, tag, list, cands)
	}
}

// seen asks whether some reading leans on displayed lines alone.
func (w *world) seen(n, tag string, list []mop, cands []candidate) bool {
	for _, c := range cands {
		ok := true
		for _, o := range list {
			if !o.anchored() {
				continue
			}
			for k := o.first; k <= max(o.first, o.last); k++ {
				hit := false
				for _, v := range w.vers[n][tag] {
					hit = hit || v.shown[k] && v.texts[k-1] == c.v.texts[k-1]
				}
				ok = ok && hit
			}
		}
		if ok {
			return true
		}
	}
	return false
}

func (w *world) accept(what, n, tag string, list []mop, cands []candidate, before *mfile, res *session.ChangeResult) {
	w.codes["accepted"]++
	raw, err := os.ReadFile(w.path(n))
	if err != nil {
		w.t.Error(err)
		return
	}
	drifted := false
	for _, x := range res.Warnings {
		drifted = drifted || x.Code == refusal.Drift
	}
	var tried []string
	for _, c := range cands {
		if c.kind == "drift" && !drifted {
			continue
		}
		rows, regs, ok := w.paste(before, list, c.places)
		if !ok {
			continue
		}
		out, authored, reread := w.applied(before, c.places, rows)
		if !bytes.Equal(out.bytes(), raw) {
			tried = append(tried, fmt.Sprintf("%s %q", c.kind, out.bytes()))
			continue
		}
		w.codes[c.kind]++
		w.finish(what, n, before, out, authored, reread, res)
		w.regs = regs
		return
	}
	w.t.Errorf("%s: %s was %q, is %q; readings: %v", what, n, before.bytes(), raw, tried)
}

// finish publishes an accepted change of one file in the model.
func (w *world) finish(what, n string, before, out *mfile, authored []int, reread bool, res *session.ChangeResult) {
	w.done = append(w.done, mcall{res.Call, map[string]*mfile{n: before}, map[string]*mfile{n: out}})
	w.files[n] = out
	f := res.Files[0]
	w.displays(n, before, out, authored, string(f.Tag))
	w.note("%s → %s #%s %q", what, res.Call, f.Tag, out.bytes())
	w.check(what)
	w.printed(res.Text())
}

// displays notes what an edit displays beside its echo: the lines it wrote, and
// those displayed before whose number did not change.
func (w *world) displays(n string, before, out *mfile, authored []int, tag string) {
	var carried []int
	for _, vs := range w.vers[n] {
		for _, v := range vs {
			if before == nil || !slices.Equal(v.texts, before.texts()) {
				continue
			}
			for k := range v.shown {
				if k <= len(out.lines) && k <= len(before.lines) && out.lines[k-1].id == before.lines[k-1].id {
					carried = append(carried, k)
				}
			}
		}
	}
	v := w.ver(n, tag)
	for _, k := range append(carried, authored...) {
		v.shown[k] = true
	}
}

func (w *world) commit() {
	if w.plan == nil {
		return
	}
	p := w.plan
	w.plan = nil
	same := true
	for n, b := range w.held {
		same = same && w.files[n] != nil && bytes.Equal(w.files[n].bytes(), b)
	}
	res, err := p.Commit(ctx)
	if err != nil {
		if same {
			w.t.Errorf("a plan on what is there is refused: %v", err)
		}
		w.refused("commit", err)
		return
	}
	if !same {
		w.t.Error("a plan was committed over another text")
		return
	}
	w.apply(res)
}

func (w *world) undo() {
	req := session.UndoRequest{DryRun: w.r.Intn(8) == 0}
	if len(w.done) == 0 {
		return
	}
	c := w.done[len(w.done)-1]
	if w.r.Intn(3) == 0 {
		c = w.done[w.r.Intn(len(w.done))]
	}
	req.Call = c.id
	live := map[string]*mfile{}
	same := true
	for n, f := range c.after {
		live[n] = w.files[n]
		same = same && (f == nil) == (w.files[n] == nil) && (f == nil || bytes.Equal(f.bytes(), w.files[n].bytes()))
	}
	res, err := w.s.Undo(ctx, req)
	if err != nil {
		w.refused("undo "+c.id, err)
		return
	}
	if !same {
		w.t.Errorf("undo of %s over another text", c.id)
		return
	}
	w.codes["undone"]++
	if req.DryRun {
		w.check("dry undo")
		return
	}
	for n, f := range c.before {
		if f != nil {
			f = f.clone()
		}
		w.files[n] = f
	}
	w.done = append(w.done, mcall{res.Call, c.after, c.before})
	w.note("undo %s → %s", c.id, res.Call)
	w.check("undo " + c.id)
	if len(c.before) == 2 { // perhaps a move back: versions follow
		for n, f := range c.before {
			for m, g := range c.before {
				if f != nil && g == nil {
					w.vers[n], w.vers[m] = w.vers[m], nil
				}
			}
		}
	}
	for _, f := range res.Files {
		if f.Tag == "" {
			continue
		}
		var carried []int
		if now := live[f.Path]; now != nil {
			out := w.files[f.Path]
			for _, vs := range w.vers[f.Path] {
				for _, v := range vs {
					if slices.Equal(v.texts, now.texts()) {
						for k := range v.shown {
							if k <= len(out.lines) && k <= len(now.lines) && out.lines[k-1].id == now.lines[k-1].id {
								carried = append(carried, k)
							}
						}
					}
				}
			}
		}
		v := w.ver(f.Path, string(f.Tag))
		for _, k := range carried {
			v.shown[k] = true
		}
	}
	w.printed(res.Text())
}

func (w *world) write() {
	n := w.pick(w.names...)
	f := w.fresh()
	content := f.body()
	if !utf8.ValidString(content) || strings.HasPrefix(content, "1:") {
		return
	}
	req := session.WriteRequest{Path: n, Content: &content, Expect: "absent"}
	before := w.files[n]
	if before != nil && w.r.Intn(8) > 0 {
		req.Expect = w.tag(n)
	}
	what := fmt.Sprintf("write %s %s %q", n, req.Expect, content)
	res, err := w.s.Write(ctx, req)
	if err != nil {
		w.refused(what, err)
		return
	}
	for _, x := range res.Warnings {
		if x.Code == refusal.Stripped {
			raw, _ := os.ReadFile(w.path(n))
			_ = raw
			w.t.Errorf("%s was stripped", what)
			return
		}
	}
	out := &mfile{}
	if before != nil {
		current := false
		for _, v := range w.vers[n][req.Expect] {
			current = current || slices.Equal(v.texts, before.texts())
		}
		if !current {
			w.t.Errorf("%s replaces another text than that of the tag", what)
		}
		out.bom, out.enc = before.bom, before.enc
		all := len(before.lines) > 0
		crlf := 0
		for _, l := range before.lines {
			all = all && (l.eol == "\r\n" || l.eol == "")
			if l.eol == "\r\n" {
				crlf++
			}
		}
		if all && crlf > 0 && !strings.Contains(content, "\r") {
			content = strings.ReplaceAll(content, "\n", "\r\n")
		}
	}
	out.lines = split(content)
	var authored []int
	for i := range out.lines {
		out.lines[i].id = w.newID()
		authored = append(authored, i+1)
	}
	w.codes["written"]++
	w.finish(what, n, before, out, authored, false, res)
}

func (w *world) remove() {
	n := w.existing()
	tag := w.tag(n)
	before := w.files[n]
	res, err := w.s.Edit(ctx, session.EditRequest{Path: n, Tag: tag, Ops: "REM"})
	if err != nil {
		w.refused("REM "+n, err)
		return
	}
	w.current("REM", n, tag)
	w.files[n] = nil
	w.done = append(w.done, mcall{res.Call, map[string]*mfile{n: before}, map[string]*mfile{n: nil}})
	w.note("REM %s → %s", n, res.Call)
	w.check("REM")
}

func (w *world) current(what, n, tag string) {
	for _, v := range w.vers[n][tag] {
		if slices.Equal(v.texts, w.files[n].texts()) {
			return
		}
	}
	w.t.Errorf("%s %s#%s of another text", what, n, tag)
}

func (w *world) move() {
	n := w.existing()
	to := w.pick(w.names...)
	tag := w.tag(n)
	before := w.files[n]
	taken := w.files[to] != nil
	res, err := w.s.Edit(ctx, session.EditRequest{Path: n, Tag: tag, Ops: "MV " + to})
	if err != nil {
		w.refused("MV "+n+" "+to, err)
		return
	}
	if taken {
		w.t.Errorf("MV %s over %s", n, to)
	}
	w.current("MV", n, tag)
	w.files[to], w.files[n] = before, nil
	w.vers[to], w.vers[n] = w.vers[n], nil
	w.done = append(w.done, mcall{res.Call, map[string]*mfile{n: before, to: nil}, map[string]*mfile{n: nil, to: before}})
	w.note("MV %s %s → %s", n, to, res.Call)
	w.codes["moved"]++
	w.check("MV")
	w.printed(res.Text())
}
