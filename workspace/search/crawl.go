package search

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"
)

// A task is one piece of a walk: a folder to list, or some files of one folder
// to look at. Tasks form a list in the order of the paths they stand for;
// listing a folder puts what it holds in the folder's place. So the results,
// read along the list, are sorted however many workers make them.
type task struct {
	next    *task
	running bool
	done    bool
	out     []File

	// dir is the folder of the files, or the parent of the folder to list. In
	// the first task of a walk, name is empty and dir is the folder itself.
	dir   *folder
	name  string
	path  string   // of the folder the names are in, or of the folder to list
	names []string // the files; nil for a folder to list
	rules *rules
}

// How much lies ready before workers wait for it to be taken, in bytes; how
// many files make a task, and how many bytes of results end one early.
const (
	maxHeld    = 32 << 20
	batchFiles = 32
	batchBytes = 4 << 20
)

// maxPath is the longest path walked into: what no system call can open by its
// whole name is of no use to a caller.
const maxPath = 4096

// A crawler is one run. Its workers take the tasks that are not done in the
// order of their paths, so that what is needed first is done first.
type crawler struct {
	glob  *glob
	start string
	ctx   context.Context

	mu      sync.Mutex
	change  *sync.Cond
	todo    list.List // of *task, those that are not done, in order
	stopped bool
	held    int   // bytes of results not taken
	awaited *task // what the taker waits for
	report  Report
}

// crawl walks start and hands what the visitors match to emit, in order.
func crawl(ctx context.Context, root *os.Root, start string, g *glob, workers int, newVisitor func() visitor, emit func(File) error) (Report, error) {
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	clean, err := cleanStart(start)
	if err != nil {
		return Report{}, err
	}
	c := &crawler{glob: g, start: clean, ctx: ctx}
	c.change = sync.NewCond(&c.mu)
	fi, err := root.Stat(clean)
	switch {
	case err != nil:
		return Report{}, startError(start, err)
	case fi.Mode().IsRegular():
		return c.single(root, newVisitor(), emit)
	case !fi.IsDir():
		return Report{}, startError(start, errNotRegular)
	}
	dir, err := openFolder(root, clean)
	if err != nil {
		return Report{}, startError(start, err)
	}
	first := &task{dir: dir, path: clean}
	if clean == "." {
		first.path = ""
	}
	first.rules = c.above(root, clean)
	c.todo.PushBack(first)

	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() { c.work(newVisitor()) })
	}
	unhook := context.AfterFunc(ctx, c.stop)
	err = c.take(first, emit)
	unhook()
	c.stop()
	wg.Wait()
	for e := c.todo.Front(); e != nil; e = e.Next() {
		e.Value.(*task).dir.release()
	}
	if err == nil {
		err = ctx.Err()
	}
	if errors.Is(err, ErrStop) {
		err = nil
	}
	return c.report, err
}

// single is a run whose start is a file.
func (c *crawler) single(root *os.Root, v visitor, emit func(File) error) (Report, error) {
	f, ok := c.look(v, func() (file, int64, error) { return openFile(root, c.start) }, c.start)
	if err := c.ctx.Err(); err != nil {
		return c.report, err
	}
	if ok {
		if err := emit(f); !errors.Is(err, ErrStop) {
			return c.report, err
		}
	}
	return c.report, nil
}

func (c *crawler) stop() {
	c.mu.Lock()
	c.stopped = true
	c.mu.Unlock()
	c.change.Broadcast()
}

// take hands the results to emit, following the list of tasks.
func (c *crawler) take(t *task, emit func(File) error) error {
	for t != nil {
		c.mu.Lock()
		c.awaited = t
		if !t.done {
			c.change.Broadcast()
		}
		for !t.done && !c.stopped {
			c.change.Wait()
		}
		c.awaited = nil
		if c.stopped {
			c.mu.Unlock()
			return nil
		}
		out := t.out
		t.out = nil
		t = t.next
		c.mu.Unlock()
		for i := range out {
			if err := c.ctx.Err(); err != nil {
				return nil
			}
			f := out[i]
			out[i] = File{}
			if err := emit(f); err != nil {
				return err
			}
			c.mu.Lock()
			c.held -= weight(&f)
			c.mu.Unlock()
			c.change.Broadcast()
		}
	}
	return nil
}

// weight is about the memory that a result keeps, in bytes.
func weight(f *File) int {
	n := 256 + len(f.Path) + len(f.Raw) + 8*len(f.Matches) + 64*len(f.Rows)
	if f.Text != nil {
		n += 4 * f.Text.Len()
	}
	for i := range f.Rows {
		n += len(f.Rows[i].Text)
	}
	return n
}

// ready is the first task that nobody does yet, nil when there is none to do
// now. While too much lies ready it is only the task that is waited for: what
// comes after it would fill the room that it needs.
func (c *crawler) ready() *list.Element {
	e := c.todo.Front()
	// There are at most as many running tasks as workers.
	for e != nil && e.Value.(*task).running {
		e = e.Next()
	}
	if e != nil && c.held > maxHeld && e.Value.(*task) != c.awaited {
		return nil
	}
	return e
}

// work does tasks until there are none.
func (c *crawler) work(v visitor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		e := c.ready()
		for e == nil && !c.stopped && c.todo.Len() > 0 {
			c.change.Wait()
			e = c.ready()
		}
		if e == nil || c.stopped {
			return
		}
		t := e.Value.(*task)
		t.running = true
		c.mu.Unlock()

		var more []*task
		if t.names == nil {
			more = c.list(t)
		} else {
			more = c.batch(v, t)
		}
		t.dir.release()

		c.mu.Lock()
		t.done = true
		for i := range t.out {
			c.held += weight(&t.out[i])
		}
		after := t.next
		for _, m := range slices.Backward(more) {
			m.next = after
			after = m
			c.todo.InsertAfter(m, e)
		}
		t.next = after
		c.todo.Remove(e)
		c.change.Broadcast()
	}
}

// batch looks at the files of t. What is left when the results get big becomes
// a task of its own.
func (c *crawler) batch(v visitor, t *task) []*task {
	size := 0
	for i, name := range t.names {
		if size > batchBytes {
			t.dir.retain()
			return []*task{{dir: t.dir, path: t.path, names: t.names[i:]}}
		}
		if c.ctx.Err() != nil {
			break
		}
		if f, ok := c.look(v, func() (file, int64, error) { return t.dir.open(name) }, join(t.path, name)); ok {
			t.out = append(t.out, f)
			size += weight(&f)
		}
	}
	return nil
}

// look visits one file and counts what came of it.
func (c *crawler) look(v visitor, open opener, path string) (File, bool) {
	f, ok, err := v.visit(open, path)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err == nil:
		c.report.Files++
		if ok {
			c.report.Matched++
		}
		return f, ok
	case errors.Is(err, errBinary):
		c.report.Files++
		c.report.Binary++
	case errors.Is(err, errNotRegular):
		c.report.Special++
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
	case errors.Is(err, fs.ErrNotExist):
		// Removed since it was listed: as if it had never been there.
	default:
		c.report.Files++
		c.fail(path, err)
	}
	return File{}, false
}

// fail counts a failure; c.mu is held.
func (c *crawler) fail(path string, err error) {
	c.report.Failed++
	if len(c.report.Problems) < MaxProblems {
		c.report.Problems = append(c.report.Problems, Problem{path, err})
	}
}

func (c *crawler) failed(path string, err error) {
	c.mu.Lock()
	c.fail(path, err)
	c.mu.Unlock()
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// list makes the tasks for what a folder holds, in order.
func (c *crawler) list(t *task) []*task {
	dir := t.dir
	if t.name != "" {
		var err error
		if dir, err = t.dir.folder(t.name); err != nil {
			// A folder that went away, or was replaced by something else, since
			// its parent was listed is as good as never listed.
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) && !errors.Is(err, syscall.ELOOP) && !errors.Is(err, errNotRegular) {
				c.failed(t.path, err)
			}
			return nil
		}
		defer dir.release()
	}
	entries, err := dir.entries()
	if err != nil {
		// What was listed before the error is still searched.
		c.failed(t.path, err)
	}
	set := t.rules
	items := make([]item, 0, len(entries))
	special, ignored := 0, 0
	for _, e := range entries {
		switch typ := e.Type(); {
		case e.Name() == ".git":
			if e.IsDir() {
				set = set.with(c.excludes(dir, t.path))
			}
		case typ.IsRegular():
			items = append(items, item{e.Name(), false})
		case typ.IsDir():
			items = append(items, item{e.Name(), true})
		default:
			special++
		}
	}
	if slices.Contains(items, item{ignoreFile, false}) {
		set = set.with(c.readRules(dir, ignoreFile, t.path))
	}
	kept := items[:0]
	for _, it := range items {
		p := join(t.path, it.name)
		switch {
		case len(p) > maxPath:
			c.failed(p[:64]+"…", errors.New("the path is too long"))
		case set.ignored(p, it.dir):
			ignored++
		case c.glob.picks(below(c.start, p), it.dir):
			kept = append(kept, it)
		}
	}
	c.mu.Lock()
	c.report.Special += special
	c.report.Ignored += ignored
	c.mu.Unlock()

	slices.SortFunc(kept, item.compare)
	var more []*task
	var names []string
	flush := func() {
		for chunk := range slices.Chunk(names, batchFiles) {
			dir.retain()
			more = append(more, &task{dir: dir, path: t.path, names: chunk})
		}
		names = nil
	}
	for _, it := range kept {
		if !it.dir {
			names = append(names, it.name)
			continue
		}
		flush()
		dir.retain()
		more = append(more, &task{dir: dir, name: it.name, path: join(t.path, it.name), rules: set})
	}
	flush()
	return more
}

// below is the part of p below the start folder.
func below(start, p string) string {
	if start == "." {
		return p
	}
	return p[len(start)+1:]
}

// An item is a name in a folder.
type item struct {
	name string
	dir  bool
}

// compare orders items so that the paths of all files come out sorted: the
// name of a folder is followed by a slash in every path that it begins.
func (a item) compare(b item) int {
	n := min(len(a.name), len(b.name))
	if c := cmp.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	return cmp.Compare(a.after(n), b.after(n))
}

// after is the byte that follows the first n of a name in paths, -1 at an end.
func (a item) after(n int) int {
	switch {
	case n < len(a.name):
		return int(a.name[n])
	case a.dir:
		return '/'
	}
	return -1
}
