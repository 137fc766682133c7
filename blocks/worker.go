package blocks

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
	"unsafe"

	"putcut/grammars"
)

// workerEnv says that a process is to be a parse worker.
const workerEnv = "PUTCUT_PARSE_WORKER"

// The messages. All numbers are little-endian; both ends are one program on one
// machine, so nodes go as they lie in memory.
//
//	request   op u8, then for opParse: id u64, prev u64, micros u64,
//	          keep u8, language u32 + bytes, source u32 + bytes;
//	          for opDrop: id u64
//	response  to opParse only: status u8, then for statusFine: kept u8,
//	          count u32 + nodes; else message u32 + bytes
const (
	opParse = 1
	opDrop  = 2

	statusFine    = 0
	statusRefused = 1
)

// worker parses in a process of its own, which it starts when it is first
// needed and again after it has died. One parse runs at a time.
type worker struct {
	timeout time.Duration
	keep    bool

	mu     sync.Mutex
	closed bool
	gen    uint64 // of the running process
	nextID uint64
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader

	dropMu sync.Mutex
	drops  []uint64 // states to be dropped with the next request
	alive  uint64   // generation that drops belong to
}

func newWorker(timeout time.Duration, cacheBytes int64) parser {
	return &worker{timeout: timeout, keep: cacheBytes > 0}
}

func (w *worker) parse(ctx context.Context, l *grammars.Language, src []byte, prev *state) result {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil || w.closed {
		return result{refused: outOfTime}
	}
	var s *syntax
	if l.InGo() {
		s = goSyntax(l)
	} else if g := load(l); g != nil {
		s = g.syntax
	} else {
		return result{refused: unsupported(l.Name)}
	}
	r, died := w.ask(ctx, l, s, src, prev)
	if died {
		// It may have died of something else while it was idle; a text that
		// kills it kills it again.
		r, _ = w.ask(ctx, l, s, src, nil)
	}
	return r
}

// ask makes one request. died says that the process ended before it answered.
func (w *worker) ask(ctx context.Context, l *grammars.Language, s *syntax, src []byte, prev *state) (r result, died bool) {
	if w.cmd == nil {
		if err := w.start(); err != nil {
			return result{refused: &whole{"the parse worker could not be started (" + err.Error() + ")", plain}}, false
		}
	}
	w.nextID++
	id := w.nextID
	var prevID uint64
	if prev != nil && prev.gen == w.gen {
		prevID = prev.id
	}
	type answer struct {
		nodes   []node
		kept    bool
		refused string
		err     error
	}
	got := make(chan answer, 1)
	in, out := w.in, w.out
	req := w.request(l.Name, src, id, prevID)
	go func() {
		var a answer
		if _, a.err = in.Write(req); a.err == nil {
			if _, a.err = in.Write(src); a.err == nil {
				a.nodes, a.kept, a.refused, a.err = readAnswer(out, src)
			}
		}
		got <- a
	}()
	// Killed when the process has used twice the time of a parse, or much more
	// than that has gone by on the wall.
	clock := processClock(w.cmd.Process.Pid)
	began, used := time.Now(), clock()
	limit := time.NewTimer(2 * w.timeout)
	defer limit.Stop()
wait:
	select {
	case a := <-got:
		switch {
		case a.err != nil:
			w.stop()
			return result{refused: outOfTime}, true
		case a.refused != "":
			return result{refused: &whole{a.refused, plain}}, false
		}
		r = result{syntax: s, nodes: a.nodes}
		if a.kept {
			r.state = newState(src, nil)
			r.state.id, r.state.gen = id, w.gen
		}
		return r, false
	case <-limit.C:
		if left := 2*w.timeout - (clock() - used); left > 0 && time.Since(began) < 2*wallFactor*w.timeout {
			limit.Reset(max(left, time.Millisecond))
			goto wait
		}
	case <-ctx.Done():
	}
	w.stop()
	<-got
	return result{refused: outOfTime}, false
}

// request is the message up to the source, pending drops before it.
func (w *worker) request(lang string, src []byte, id, prev uint64) []byte {
	var b []byte
	le := binary.LittleEndian
	w.dropMu.Lock()
	for _, d := range w.drops {
		b = le.AppendUint64(append(b, opDrop), d)
	}
	w.drops = w.drops[:0]
	w.dropMu.Unlock()
	b = le.AppendUint64(append(b, opParse), id)
	b = le.AppendUint64(b, prev)
	b = le.AppendUint64(b, uint64(w.timeout.Microseconds()))
	keep := byte(0)
	if w.keep {
		keep = 1
	}
	b = append(b, keep)
	b = append(le.AppendUint32(b, uint32(len(lang))), lang...)
	return le.AppendUint32(b, uint32(len(src)))
}

var errWorker = errors.New("the parse worker gave no sense")

func readAnswer(r *bufio.Reader, src []byte) (nodes []node, kept bool, refused string, err error) {
	status, err := r.ReadByte()
	if err != nil {
		return nil, false, "", err
	}
	if status == statusRefused {
		b, err := readBytes(r, 1<<16)
		return nil, false, string(b), err
	}
	if status != statusFine {
		return nil, false, "", errWorker
	}
	k, err := r.ReadByte()
	if err != nil {
		return nil, false, "", err
	}
	var n uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil || n == 0 || n > 2*maxNodes {
		return nil, false, "", errors.Join(errWorker, err)
	}
	nodes = make([]node, n)
	if _, err := io.ReadFull(r, nodeBytes(nodes)); err != nil {
		return nil, false, "", err
	}
	if !sound(nodes, src) {
		return nil, false, "", errWorker
	}
	return nodes, k == 1, "", nil
}

// sound reports whether nodes are a tree over src: a worker whose memory was
// spoiled before it died must not lead this process outside its own.
func sound(nodes []node, src []byte) bool {
	n := int32(len(nodes))
	for i := range nodes {
		d := &nodes[i]
		switch {
		case d.start > d.end || int(d.end) > len(src) || d.row > d.last || int(d.last) > len(src):
			return false
		case i == 0 && d.parent != -1 || i > 0 && (d.parent < 0 || d.parent >= int32(i)):
			return false
		case d.next <= int32(i) || d.next > n || i > 0 && d.next > nodes[d.parent].next:
			return false
		}
	}
	return true
}

func nodeBytes(nodes []node) []byte {
	if len(nodes) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&nodes[0])), len(nodes)*int(unsafe.Sizeof(node{})))
}

func readBytes(r *bufio.Reader, most uint32) ([]byte, error) {
	var n uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
		return nil, err
	}
	if n > most {
		return nil, errWorker
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}

func (w *worker) start() error {
	exe := "/proc/self/exe"
	if _, err := os.Stat(exe); err != nil {
		if exe, err = os.Executable(); err != nil {
			return err
		}
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), workerEnv+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	w.cmd, w.in, w.out = cmd, in, bufio.NewReaderSize(out, 1<<16)
	w.gen++
	w.dropMu.Lock()
	w.drops, w.alive = nil, w.gen
	w.dropMu.Unlock()
	return nil
}

// stop kills the process; what it kept is gone with it.
func (w *worker) stop() {
	if w.cmd == nil {
		return
	}
	w.cmd.Process.Kill()
	w.in.Close()
	w.cmd.Wait()
	w.cmd = nil
}

func (w *worker) drop(s *state) {
	w.dropMu.Lock()
	defer w.dropMu.Unlock()
	if s.gen == w.alive && s.id != 0 {
		w.drops = append(w.drops, s.id)
	}
}

func (w *worker) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.stop()
}

// WorkerMain takes over when the environment says that this process is a parse
// worker: it serves its standard input and ends the process. A program that
// uses Options.Worker calls it first thing in main; otherwise it returns at
// once.
func WorkerMain() {
	if os.Getenv(workerEnv) == "" {
		return
	}
	limitProcess()
	serve(bufio.NewReaderSize(os.Stdin, 1<<16), bufio.NewWriterSize(os.Stdout, 1<<16))
	os.Exit(0)
}

// served is what a worker keeps for its parent.
type served struct {
	parser *local
	states map[uint64]*state
}

func serve(in *bufio.Reader, out *bufio.Writer) {
	s := &served{&local{unbounded: true}, map[uint64]*state{}}
	for {
		op, err := in.ReadByte()
		if err != nil {
			return
		}
		switch op {
		case opDrop:
			var id uint64
			if binary.Read(in, binary.LittleEndian, &id) != nil {
				return
			}
			if st := s.states[id]; st != nil {
				st.release(s.parser.drop)
				delete(s.states, id)
			}
		case opParse:
			if s.answer(in, out) != nil || out.Flush() != nil {
				return
			}
		default:
			return
		}
	}
}

func (s *served) answer(in *bufio.Reader, out *bufio.Writer) error {
	var h struct{ ID, Prev, Micros uint64 }
	if err := binary.Read(in, binary.LittleEndian, &h); err != nil {
		return err
	}
	keep, err := in.ReadByte()
	if err != nil {
		return err
	}
	lang, err := readBytes(in, 1<<10)
	if err != nil {
		return err
	}
	src, err := readBytes(in, 1<<30)
	if err != nil {
		return err
	}
	l := grammars.Lookup(string(lang))
	if l == nil {
		return errWorker
	}
	s.parser.timeout = time.Duration(h.Micros) * time.Microsecond
	s.parser.keep = keep == 1
	// A parent that is gone cannot kill a parse that hangs.
	watch := time.AfterFunc(3*wallFactor*s.parser.timeout, func() { os.Exit(3) })
	r := s.parser.parse(context.Background(), l, src, s.states[h.Prev])
	watch.Stop()
	if r.refused != nil {
		out.WriteByte(statusRefused)
		binary.Write(out, binary.LittleEndian, uint32(len(r.refused.what)))
		_, err := out.WriteString(r.refused.what)
		return err
	}
	kept := byte(0)
	if r.state != nil {
		s.states[h.ID] = r.state
		kept = 1
	}
	out.WriteByte(statusFine)
	out.WriteByte(kept)
	binary.Write(out, binary.LittleEndian, uint32(len(r.nodes)))
	_, err = out.Write(nodeBytes(r.nodes))
	return err
}
