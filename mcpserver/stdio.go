package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// drainTime bounds how long answers are waited for once the client has sent its
// last message.
const drainTime = time.Minute

// RunStdio serves one client on standard input and output until it closes its
// end or the context is cancelled. Messages that are no JSON-RPC are answered
// with an error and skipped; the connection stays.
func (s *Server) RunStdio(ctx context.Context) error {
	return s.Run(ctx, os.Stdin, os.Stdout)
}

// Run serves one client on a pair of streams, one message a line, and closes
// in. It returns nil when the client closed its end.
func (s *Server) Run(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	l := &lines{in: in, out: out, open: map[jsonrpc.ID]bool{}, max: s.opt.MaxMessageBytes, idle: make(chan struct{}, 1), gone: make(chan struct{})}
	l.r = bufio.NewReaderSize(in, 64<<10)
	err := s.mcp.Run(ctx, &mcp.IOTransport{Reader: l, Writer: lineWriter{l}, MaxLineLength: -1})
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return nil
	}
	return err
}

// lines stands between a stream and the SDK, which ends a connection at the
// first line it cannot read, and abandons running calls when the stream ends.
// It hands over well-formed messages alone, one a line, and the end of the
// stream only after the calls before it were answered.
type lines struct {
	in  io.ReadCloser
	r   *bufio.Reader
	max int

	pending []byte // what the SDK has not taken yet
	batches bool   // the client speaks a revision that has them

	mu   sync.Mutex // guards out and open
	out  io.Writer
	open map[jsonrpc.ID]bool // calls without an answer

	idle   chan struct{} // told after every answer
	gone   chan struct{} // closed with the connection
	closed sync.Once
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.pending) == 0 {
		line, tooLong, err := l.line()
		if err != nil {
			if errors.Is(err, io.EOF) {
				l.drain()
			}
			return 0, err
		}
		if tooLong {
			l.complain(jsonrpc.CodeInvalidRequest, "the message is too long; it was skipped")
			continue
		}
		l.accept(line)
	}
	n := copy(p, l.pending)
	l.pending = l.pending[n:]
	return n, nil
}

// line reads one line. The rest of one that is too long is read and dropped. An
// unfinished last line is a line.
func (l *lines) line() (line []byte, tooLong bool, err error) {
	for {
		part, err := l.r.ReadSlice('\n')
		if !tooLong {
			line = append(line, part...)
		}
		if len(line) > l.max {
			line, tooLong = nil, true
		}
		switch {
		case err == nil || errors.Is(err, io.EOF) && (len(line) > 0 || tooLong):
			return line, tooLong, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

// accept queues the messages of a line for the SDK.
func (l *lines) accept(line []byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	if !json.Valid(line) {
		l.complain(jsonrpc.CodeParseError, "the line is not valid JSON; it was skipped")
		return
	}
	items := []json.RawMessage{line}
	if line[0] == '[' {
		items = nil
		if err := json.Unmarshal(line, &items); err != nil || len(items) == 0 || !l.batches {
			l.complain(jsonrpc.CodeInvalidRequest, "batches are not part of this revision of the protocol; send one message a line")
			return
		}
	}
	for _, item := range items {
		msg, err := jsonrpc.DecodeMessage(item)
		if err != nil {
			l.complain(jsonrpc.CodeInvalidRequest, "not a JSON-RPC 2.0 message; it was skipped")
			continue
		}
		if req, ok := msg.(*jsonrpc.Request); ok {
			if req.Method == "initialize" {
				var p struct{ ProtocolVersion string }
				_ = json.Unmarshal(req.Params, &p) // the SDK answers what is wrong with it
				l.batches = p.ProtocolVersion == "2024-11-05" || p.ProtocolVersion == "2025-03-26"
			}
			if req.IsCall() && !l.begin(req.ID) {
				l.complain(jsonrpc.CodeInvalidRequest, "the id of the message is that of a call without an answer yet; it was skipped")
				continue
			}
		}
		l.pending = append(append(l.pending, oneLine(item)...), '\n')
	}
}

// oneLine drops line breaks, which JSON has between its tokens alone.
func oneLine(msg []byte) []byte {
	if bytes.ContainsAny(msg, "\r\n") {
		return bytes.ReplaceAll(bytes.ReplaceAll(msg, []byte("\n"), []byte(" ")), []byte("\r"), []byte(" "))
	}
	return msg
}

// complain answers what has no id to answer to.
func (l *lines) complain(code int64, message string) {
	type fault struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	b, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		ID      any    `json:"id"`
		Error   fault  `json:"error"`
	}{"2.0", nil, fault{code, message}})
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.out.Write(append(b, '\n')) // a client that does not read is found out by the next answer
}

// drain waits until every call was answered.
func (l *lines) drain() {
	limit := time.NewTimer(drainTime)
	defer limit.Stop()
	for {
		l.mu.Lock()
		open := len(l.open)
		l.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-l.idle:
		case <-l.gone:
			return
		case <-limit.C:
			return
		}
	}
}

func (l *lines) Close() error {
	l.closed.Do(func() { close(l.gone) })
	return l.in.Close()
}

// lineWriter is the other direction: the SDK writes one message at a time.
type lineWriter struct{ l *lines }

// begin notes a call; false says that its id is in use.
func (l *lines) begin(id jsonrpc.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[id] {
		return false
	}
	l.open[id] = true
	return true
}

// answeredID is the id a message of the SDK answers, if it is an answer.
func answeredID(msg []byte) (id jsonrpc.ID, ok bool) {
	rest, ok := bytes.CutPrefix(msg, answerHead)
	if !ok {
		return id, false
	}
	var v any
	if err := json.NewDecoder(bytes.NewReader(rest)).Decode(&v); err != nil {
		return id, false
	}
	id, err := jsonrpc.MakeID(v)
	return id, err == nil
}

var answerHead = []byte(`{"jsonrpc":"2.0","id":`)

func (w lineWriter) Write(p []byte) (int, error) {
	l := w.l
	l.mu.Lock()
	n, err := l.out.Write(p)
	id, answered := answeredID(p)
	delete(l.open, id)
	l.mu.Unlock()
	if answered {
		select {
		case l.idle <- struct{}{}:
		default:
		}
	}
	return n, err
}

// Close leaves the stream open: it is the caller's.
func (w lineWriter) Close() error { return nil }
