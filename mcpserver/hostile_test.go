package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"putcut/refusal"
)

// A rawClient writes lines to a server on stdio and reads its answers.
type rawClient struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func rawStdio(t *testing.T, root string, env ...string) *rawClient {
	t.Helper()
	cmd := childCommand(t, root, env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &rawClient{t, cmd, in, bufio.NewReaderSize(out, 1<<20)}
}

func (c *rawClient) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// next is the next message of the server, cut to what tests look at.
func (c *rawClient) next() (msg struct {
	ID     any
	Error  *struct{ Code int }
	Result *struct {
		IsError bool
		Content []struct{ Text string }
	}
}) {
	c.t.Helper()
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(line, &msg); err != nil {
		c.t.Fatalf("%v: %s", err, line)
	}
	return msg
}

// end closes the client's side; the server must end well.
func (c *rawClient) end() {
	c.t.Helper()
	c.in.Close()
	if rest, err := io.ReadAll(c.out); err != nil || len(rest) > 0 {
		c.t.Errorf("more answers: %s %v", rest, err)
	}
	if err := c.cmd.Wait(); err != nil {
		c.t.Error(err)
	}
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"%s","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func callLine(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// TestHostileLines: whatever comes on stdio is answered, and the connection
// stays.
func TestHostileLines(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": threeLines})
	c := rawStdio(t, root, childLimit+"=1")
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for i, x := range []struct {
		line string
		code int
	}{
		{`{"jsonrpc":"2.0","id":1,`, -32700},
		{"\x00\xff", -32700},
		{`{} {}`, -32700},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"} x`, -32700},
		{deep, -32700},
		{`{"hello":"world"}`, -32600},
		{`"text"`, -32600},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600},
		{`[]`, -32600},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600},
		{strings.Repeat("x", 3<<20), -32600},
		{`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 2<<20) + `"}`, -32600},
	} {
		c.send(x.line)
		if m := c.next(); m.ID != nil || m.Error == nil || m.Error.Code != x.code {
			t.Errorf("%d: %.60q is answered with %+v", i, x.line, m)
		}
	}
	c.send("\n  \r\n" + fmt.Sprintf(hello, "2025-11-25"))
	if m := c.next(); m.Error != nil || m.ID != 0.0 {
		t.Errorf("initialize: %+v", m)
	}
	for i, x := range []struct {
		line string
		code int
	}{
		{`{"jsonrpc":"2.0","id":7,"method":"no/such"}`, -32601},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"rm","arguments":{}}}`, -32602},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5}}`, -32602},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}`, -32602},
	} {
		c.send(x.line)
		if m := c.next(); m.Error == nil || m.Error.Code != x.code || m.ID != 7.0 {
			t.Errorf("%d: %.60q is answered with %+v %+v", i, x.line, m, m.Error)
		}
	}
	for i, x := range []struct{ tool, arguments, code string }{
		{"read", `"path"`, "INVALID_ARGUMENT"},
		{"read", `[]`, "INVALID_ARGUMENT"},
		{"read", `{"path":"a.txt\u0000"}`, "INVALID_ARGUMENT"},
		{"read", `{"path":"\ud800"}`, "INVALID_ARGUMENT"},
		{"read", `{"path":"` + strings.Repeat("a/", 5000) + `"}`, ""},
		{"read", `{"path":"../../../../etc/passwd"}`, "PATH_OUTSIDE_WORKSPACE"},
		{"edit", `{"path":"a.txt","tag":"0000","ops":"` + strings.Repeat("CUT 1\\n", 60_000) + `"}`, ""},
		{"grep", `{"pattern":"(((("}`, "INVALID_ARGUMENT"},
		{"grep", `{"pattern":"` + strings.Repeat("(a", 2000) + strings.Repeat(")", 2000) + `"}`, ""},
		{"grep", `{"pattern":"(a{1000}){1000}"}`, "INVALID_ARGUMENT"},
		{"read", `{"path":"a.txt","session":"` + strings.Repeat("s", 100_000) + `"}`, "SESSION_UNKNOWN"},
	} {
		c.send(callLine(i, x.tool, x.arguments))
		m := c.next()
		if m.Result == nil || !m.Result.IsError || !strings.HasPrefix(m.Result.Content[0].Text, x.code) || len(m.Result.Content[0].Text) > maxRefusal {
			t.Errorf("%d: %s %.60q is answered with %+v", i, x.tool, x.arguments, m)
		}
	}
	// Answers nobody asked for, cancellations of nothing, a second handshake.
	c.send(`{"jsonrpc":"2.0","id":99,"result":{}}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/nothing"}`)
	c.send(callLine(8, "read", `{"path":"a.txt"}`))
	if m := c.next(); m.ID != 8.0 || m.Result.IsError || !strings.Contains(m.Result.Content[0].Text, "3:three") {
		t.Errorf("read: %+v", m)
	}
	c.end()
}

// TestBatches: revisions that have batches get an answer for every message.
func TestBatches(t *testing.T) {
	c := rawStdio(t, folder(t, map[string]string{"a.txt": threeLines}))
	c.send(fmt.Sprintf(hello, "2025-03-26"))
	c.next()
	c.send("[" + `{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","method":"notifications/initialized"},` +
		callLine(1, "read", `{"path":"a.txt"}`) + "," + callLine(1, "read", `{"path":"a.txt"}`) + `,{"x":1}]`)
	kinds := map[string]int{}
	for range 3 { // the second call may come before or after the answer to the first
		switch m := c.next(); {
		case m.Error != nil:
			kinds[fmt.Sprint("error ", m.Error.Code)]++
		case m.Result != nil:
			kinds["result"]++
		}
	}
	if kinds["result"] < 1 || kinds["error -32600"] < 1 {
		t.Errorf("answers are %v", kinds)
	}
	c.send(callLine(2, "read", `{"path":"a.txt"}`))
	if m := c.next(); m.ID != 2.0 || m.Result == nil {
		t.Errorf("read: %+v", m)
	}
	c.end()
}

// TestHTTPGate: what must hold of a request before a tool sees it.
func TestHTTPGate(t *testing.T) {
	s := newServer(t, folder(t, map[string]string{"a.txt": threeLines}), func(o *Options) {
		o.HTTP.Token, o.HTTP.Origins, o.MaxMessageBytes = "secret", []string{"https://app.example"}, 64<<10
	})
	url := listen(t, s)
	host := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/")
	hi := fmt.Sprintf(hello, "2025-11-25")
	for _, x := range []struct {
		name, method, body string
		header             map[string]string
		status             int
	}{
		{name: "right", body: hi, status: 200},
		{name: "no token", body: hi, header: map[string]string{"Authorization": ""}, status: 401},
		{name: "wrong token", body: hi, header: map[string]string{"Authorization": "Bearer secre"}, status: 401},
		{name: "other scheme", body: hi, header: map[string]string{"Authorization": "Basic secret"}, status: 401},
		{name: "own origin", body: hi, header: map[string]string{"Origin": "http://" + host}, status: 200},
		{name: "allowed origin", body: hi, header: map[string]string{"Origin": "https://app.example"}, status: 200},
		{name: "foreign origin", body: hi, header: map[string]string{"Origin": "https://evil.example"}, status: 403},
		{name: "null origin", body: hi, header: map[string]string{"Origin": "null"}, status: 403},
		{name: "foreign origin, get", method: "GET", header: map[string]string{"Origin": "https://evil.example"}, status: 403},
		{name: "rebound host", body: hi, header: map[string]string{"Host": "evil.example"}, status: 403},
		{name: "rebound host and origin", body: hi, header: map[string]string{"Host": "evil.example", "Origin": "http://evil.example"}, status: 403},
		{name: "form", body: hi, header: map[string]string{"Content-Type": "text/plain"}, status: 415},
		{name: "too long", body: strings.Repeat("x", 64<<10+1), status: 413},
		{name: "no JSON", body: "{", status: 400},
		{name: "empty", body: "", status: 400},
		{name: "unknown session", body: hi, header: map[string]string{sessionHeader: "x"}, status: 404},
		{name: "unknown revision", body: hi, header: map[string]string{versionHeader: "1999-01-01"}, status: 400},
		{name: "later revision", body: callLine(1, "read", `{}`), header: map[string]string{versionHeader: "2999-01-01"}, status: 400},
		{name: "get without session", method: "GET", status: 400},
		{name: "delete without session", method: "DELETE", status: 400},
		{name: "put", method: "PUT", status: 405},
	} {
		method := x.method
		if method == "" {
			method = "POST"
		}
		req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(x.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer secret")
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		for k, v := range x.header {
			if k == "Host" {
				req.Host = v
				continue
			}
			req.Header.Set(k, v)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != x.status {
			t.Errorf("%s: status %d, want %d: %s", x.name, res.StatusCode, x.status, body)
		}
		if bytes.Contains(body, []byte("secret")) {
			t.Errorf("%s: the answer tells the token: %s", x.name, body)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// TestOpenAddress: other machines need a token.
func TestOpenAddress(t *testing.T) {
	s := newServer(t, folder(t, nil), nil)
	for _, addr := range []string{"0.0.0.0:0", "[::]:0", "nonsense"} {
		if err := s.RunHTTP(t.Context(), addr, nil); refusal.CodeOf(err) != refusal.InvalidArgument {
			t.Errorf("%s: %v", addr, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var at string
	if err := s.RunHTTP(ctx, ":0", func(a net.Addr) { at = a.String(); stop() }); err != nil || !strings.HasPrefix(at, "127.0.0.1:") {
		t.Errorf("%s: %v", at, err)
	}
}

// TestSlowBody: a client that sends slowly holds its slot for so long only.
func TestSlowBody(t *testing.T) {
	s := newServer(t, folder(t, map[string]string{"a.txt": threeLines}), func(o *Options) {
		o.HTTP.MaxRequests, o.HTTP.BodyTimeout = 1, 50*time.Millisecond
	})
	url := listen(t, s)
	conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != http.StatusBadRequest {
		t.Fatalf("%v %v", answer, err)
	}
	answer.Body.Close()
	legacy(t, url, nil).ok("read", args{"path": "a.txt"})
}

// TestThousandSessions: a client that opens connections and sessions without
// end takes nothing from the others but their place in the queue.
func TestThousandSessions(t *testing.T) {
	s := newServer(t, folder(t, map[string]string{"a.txt": threeLines}), func(o *Options) { o.HTTP.MaxConnections = 16 })
	url := listen(t, s)
	post := func(body string) {
		req, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != 200 {
			t.Fatalf("%v %d", err, res.StatusCode)
		}
		res.Body.Close()
	}
	for range 1000 {
		post(fmt.Sprintf(hello, "2025-11-25"))
	}
	http.DefaultClient.CloseIdleConnections()
	open := 0
	for range s.mcp.Sessions() {
		open++
	}
	if open > 16+1 {
		t.Errorf("%d connections are open", open)
	}
	c := inMemory(t, s)
	for range 1000 {
		c.ok("read", args{"path": "a.txt", "session": "new"})
	}
	if n := s.Sessions(); n > 64+1 {
		t.Errorf("%d sessions are open", n)
	}
	l := legacy(t, url, nil)
	l.ok("edit", args{"path": "a.txt", "tag": tagIn(t, l.ok("read", args{"path": "a.txt"}), "a.txt"), "ops": "CUT 1"})
}

// TestShutdown: a running call ends, later ones are turned away, nothing hangs.
func TestShutdown(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": threeLines})
	s := newServer(t, root, nil)
	ctx, stop := context.WithCancel(t.Context())
	addr := make(chan net.Addr, 1)
	done := make(chan error, 1)
	go func() { done <- s.RunHTTP(ctx, ":0", func(a net.Addr) { addr <- a }) }()
	url := "http://" + (<-addr).String()
	old := legacy(t, url, nil) // keeps a stream open
	old.ok("read", args{"path": "a.txt"})
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
