package mcpserver

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"putcut/refusal"
)

const threeLines = "one\ntwo\nthree\n"

// transports are the ways to the same server.
var transports = map[string]func(t *testing.T, root string, structured bool) *client{
	"memory": func(t *testing.T, root string, structured bool) *client {
		return inMemory(t, newServer(t, root, func(o *Options) { o.Structured = structured }))
	},
	"stdio": func(t *testing.T, root string, structured bool) *client {
		if structured {
			return overStdio(t, root, childStructured+"=1")
		}
		return overStdio(t, root)
	},
	"http": func(t *testing.T, root string, structured bool) *client {
		url := listen(t, newServer(t, root, func(o *Options) { o.Structured = structured }))
		return dial(t, &mcp.StreamableClientTransport{Endpoint: url})
	},
}

// TestEveryTool takes every tool through every transport, with the session
// handle where there is one.
func TestEveryTool(t *testing.T) {
	for name, open := range transports {
		t.Run(name, func(t *testing.T) {
			root := folder(t, map[string]string{"a.txt": threeLines, "b.go": "package b\n\nfunc F() {\n}\n"})
			c := open(t, root, false)
			text := c.ok("read", args{"path": "a.txt"})
			h := ""
			if name == "http" {
				h = handleIn(t, text)
			} else if strings.Contains(text, "session ") {
				t.Errorf("an implicit session has no handle: %s", text)
			}
			with := func(a args) args {
				if h != "" {
					a["session"] = h
				}
				return a
			}
			text = c.ok("edit", with(args{"path": "a.txt", "tag": tagIn(t, text, "a.txt"), "ops": "PUT 2.=2:\n+TWO\n"}))
			if got := content(t, root, "a.txt"); got != "one\nTWO\nthree\n" {
				t.Errorf("a.txt is %q", got)
			}
			tag := tagIn(t, text, "a.txt")
			if strings.Contains(text, "session ") {
				t.Errorf("a handle that was sent is not told again: %s", text)
			}
			c.ok("patch", with(args{"script": "[a.txt#" + tag + "]\nCUT 1\n[c.txt#NEW]\nPUT >$:\n+new\n"}))
			if got := content(t, root, "c.txt"); got != "new\n" {
				t.Errorf("c.txt is %q", got)
			}
			c.ok("undo", with(args{}))
			if got := content(t, root, "a.txt"); got != "one\nTWO\nthree\n" {
				t.Errorf("undo left %q", got)
			}
			c.ok("write", with(args{"path": "d/e.txt", "content": "x\n", "expect": "absent"}))
			if got := content(t, root, "d/e.txt"); got != "x\n" {
				t.Errorf("write left %q", got)
			}
			if text := c.ok("grep", with(args{"pattern": "TWO"})); !strings.Contains(text, "2:TWO") {
				t.Errorf("grep: %s", text)
			}
			if text := c.ok("outline", with(args{"path": "b.go"})); !strings.HasPrefix(text, "[b.go#") {
				t.Errorf("outline: %s", text)
			}
		})
	}
}

// TestBothForms: the structure holds the text and what the text says, in
// results and in refusals, and links lead to what was changed.
func TestBothForms(t *testing.T) {
	for name, open := range transports {
		t.Run(name, func(t *testing.T) {
			root := folder(t, map[string]string{"a b.txt": threeLines})
			c := open(t, root, true)
			res := c.call("read", args{"path": "a b.txt", "session": "new"})
			f := fields(t, res)
			if f["text"] != textOf(res) || f["path"] != "a b.txt" || f["total_lines"] != 3.0 || f["session"] != handleIn(t, textOf(res)) {
				t.Fatalf("structure is %v", f)
			}
			h := f["session"]
			res = c.call("edit", args{"path": "a b.txt", "tag": f["tag"], "ops": "CUT 1", "session": h})
			f = fields(t, res)
			if f["call"] != "c1" || f["text"] != textOf(res) || f["diff"] == nil {
				t.Fatalf("structure is %v", f)
			}
			link, ok := res.Content[len(res.Content)-1].(*mcp.ResourceLink)
			want := fileURI(filepath.Join(root, "a b.txt"))
			if !ok || link.Name != "a b.txt" || link.URI != want || !strings.Contains(want, "a%20b.txt") {
				t.Errorf("link is %+v, want %s", res.Content[len(res.Content)-1], want)
			}
			res = c.call("edit", args{"path": "a b.txt", "tag": "0000", "ops": "CUT 1", "session": h})
			f = fields(t, res)
			if !res.IsError || f["code"] != "EDIT_TAG_UNKNOWN" || f["path"] != "a b.txt" || f["message"] == "" || f["next"] == "" || f["text"] != textOf(res) {
				t.Errorf("refusal is %v", f)
			}
			res = c.call("edit", args{"path": "a b.txt", "tag": f["tag"], "ops": "CUT x", "session": h})
			if f := fields(t, res); f["code"] != "EDIT_TAG_REQUIRED" && f["row"] != 1.0 {
				t.Errorf("refusal is %v", f)
			}
		})
	}
}

// TestMissingAndWrongArguments: they are results with a code, whatever comes.
func TestMissingAndWrongArguments(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": threeLines})
	c := inMemory(t, newServer(t, root, nil))
	for _, x := range []struct {
		code, tool string
		a          args
	}{
		{"INVALID_ARGUMENT", "read", args{}},
		{"INVALID_ARGUMENT", "read", args{"path": []string{"a.txt"}}},
		{"INVALID_ARGUMENT", "read", args{"path": "a.txt", "ranges": "x"}},
		{"EDIT_TAG_REQUIRED", "edit", args{"path": "a.txt", "ops": "CUT 1"}},
		{"EDIT_TAG_REQUIRED", "edit", args{"path": "a.txt", "tag": 7, "ops": "CUT 1"}},
		{"INVALID_ARGUMENT", "edit", args{"path": "a.txt", "tag": "0000", "ops": args{"CUT": 1}}},
		{"INVALID_ARGUMENT", "edit", args{"path": "a.txt", "tag": "0000", "ops": "CUT 1", "old_string": "one"}},
		{"INVALID_ARGUMENT", "grep", args{}},
		{"INVALID_ARGUMENT", "grep", args{"pattern": "one", "mode": "lines"}},
		{"INVALID_ARGUMENT", "write", args{"path": "n.txt", "expect": "absent"}},
		{"INVALID_ARGUMENT", "patch", args{"script": 3.5}},
		{"SESSION_UNKNOWN", "read", args{"path": "a.txt", "session": "nobody"}},
		{"PATH_OUTSIDE_WORKSPACE", "read", args{"path": "../a.txt"}},
		{"PATH_OUTSIDE_WORKSPACE", "read", args{"path": "/etc/passwd"}},
		{"PATH_OUTSIDE_WORKSPACE", "write", args{"path": "../n.txt", "content": "", "expect": "absent"}},
	} {
		c.refused(x.code, x.tool, x.a)
	}
	if text := c.ok("read", args{"path": "a.txt", "offset": 1, "limit": 2}); !strings.Contains(text, "ignored, since `read` has no such argument: `") {
		t.Errorf("nothing says that arguments were ignored: %s", text)
	}
	if got := content(t, root, "a.txt"); got != threeLines {
		t.Errorf("a.txt is %q", got)
	}
}

// TestSessionsAreApart: tags of one client mean nothing to another, nor those
// of an agent to its sub-agent.
func TestSessionsAreApart(t *testing.T) {
	for name, open := range transports {
		t.Run(name, func(t *testing.T) {
			root := folder(t, map[string]string{"a.txt": threeLines})
			c := open(t, root, false)
			one := c.ok("read", args{"path": "a.txt", "session": "new"})
			tag, h1 := tagIn(t, one, "a.txt"), handleIn(t, one)
			h2 := handleIn(t, c.ok("grep", args{"pattern": "x", "session": "new"}))
			if h1 == h2 {
				t.Fatal("one handle for two sessions")
			}
			edit := args{"path": "a.txt", "tag": tag, "ops": "CUT 1"}
			c.refused("EDIT_TAG_UNKNOWN", "edit", edit)
			edit["session"] = h2
			c.refused("EDIT_TAG_UNKNOWN", "edit", edit)
			edit["session"] = h1
			c.ok("edit", edit)
			c.refused("EDIT_NOT_FOUND", "undo", args{"session": h2})
			c.ok("undo", args{"session": h1})
		})
	}
}

// TestTwoConnections: implicit sessions of two clients of one server are two.
func TestTwoConnections(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": threeLines})
	s := newServer(t, root, nil)
	url := listen(t, s)
	a, b := inMemory(t, s), inMemory(t, s)
	tag := tagIn(t, a.ok("read", args{"path": "a.txt"}), "a.txt")
	b.refused("EDIT_TAG_UNKNOWN", "edit", args{"path": "a.txt", "tag": tag, "ops": "CUT 1"})
	old1, old2 := legacy(t, url, nil), legacy(t, url, nil)
	old1.ok("read", args{"path": "a.txt"})
	old2.refused("EDIT_TAG_UNKNOWN", "edit", args{"path": "a.txt", "tag": tag, "ops": "CUT 1"})
	// The session of a connection needs no handle.
	if text := old1.ok("edit", args{"path": "a.txt", "tag": tag, "ops": "CUT 1"}); strings.Contains(text, "session ") {
		t.Errorf("a handle: %s", text)
	}
	a.ok("edit", args{"path": "a.txt", "tag": tagIn(t, a.ok("read", args{"path": "a.txt"}), "a.txt"), "ops": "CUT 1"})
}

// legacy is a client over HTTP that speaks the last revision with a handshake.
func legacy(t testing.TB, url string, hc *http.Client) *client {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: hc}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cs.Close() })
	if v := cs.InitializeResult().ProtocolVersion; v != "2025-11-25" {
		t.Fatalf("revision is %s", v)
	}
	return &client{t, cs}
}

// TestRevisions: every revision of the protocol that the SDK speaks.
func TestRevisions(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": threeLines})
	s := newServer(t, root, nil)
	url := listen(t, s)
	for _, v := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		near, far := mcp.NewInMemoryTransports()
		if _, err := s.MCP().Connect(t.Context(), far, nil); err != nil {
			t.Fatal(err)
		}
		for way, transport := range map[string]mcp.Transport{"memory": near, "http": &mcp.StreamableClientTransport{Endpoint: url}} {
			cs, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: v})
			if err != nil {
				t.Errorf("%s over %s: %v", v, way, err)
				continue
			}
			c := &client{t, cs}
			if got := cs.InitializeResult().ProtocolVersion; got != v {
				t.Errorf("%s over %s: spoke %s", v, way, got)
			}
			text := c.ok("read", args{"path": "a.txt"})
			if minted := strings.Contains(text, "\nsession "); minted != (v == "2026-07-28" && way == "http") {
				t.Errorf("%s over %s: %s", v, way, text)
			}
			cs.Close()
		}
	}
}

// TestSessionBounds: sessions are bounded, the least recently used goes, and
// its handle is refused with a reason.
func TestSessionBounds(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": threeLines})
	s := newServer(t, root, func(o *Options) { o.MaxSessions = 3; o.SessionIdle = time.Hour })
	clock := time.Now()
	s.sessions.now = func() time.Time { return clock }
	c := inMemory(t, s)
	own := tagIn(t, c.ok("read", args{"path": "a.txt"}), "a.txt")
	var handles []string
	for range 3 {
		handles = append(handles, handleIn(t, c.ok("read", args{"path": "a.txt", "session": "new"})))
	}
	c.ok("read", args{"path": "a.txt", "session": handles[0]})
	for range 2 {
		handles = append(handles, handleIn(t, c.ok("read", args{"path": "a.txt", "session": "new"})))
	}
	if n := s.Sessions(); n != 4 { // three and the implicit one
		t.Errorf("%d sessions are open", n)
	}
	c.refused("SESSION_UNKNOWN", "read", args{"path": "a.txt", "session": handles[1]})
	c.refused("SESSION_UNKNOWN", "read", args{"path": "a.txt", "session": handles[2]})
	c.ok("read", args{"path": "a.txt", "session": handles[0]})
	clock = clock.Add(time.Hour)
	c.refused("SESSION_UNKNOWN", "read", args{"path": "a.txt", "session": handles[0]})
	// The implicit session of a process is its own for as long as it runs.
	c.ok("edit", args{"path": "a.txt", "tag": own, "ops": "CUT 1"})
	if n := s.Sessions(); n != 1 {
		t.Errorf("%d sessions are open", n)
	}
}

// TestDroppedConnectionSession: a connection whose session went is told so once.
func TestDroppedConnectionSession(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": threeLines})
	s := newServer(t, root, func(o *Options) { o.MaxSessions = 1 })
	url := listen(t, s)
	a := legacy(t, url, nil)
	tag := tagIn(t, a.ok("read", args{"path": "a.txt"}), "a.txt")
	b := legacy(t, url, nil)
	b.ok("read", args{"path": "a.txt"})
	edit := args{"path": "a.txt", "tag": tag, "ops": "CUT 1"}
	a.refused("SESSION_UNKNOWN", "edit", edit)
	a.refused("EDIT_TAG_UNKNOWN", "edit", edit)
	a.ok("read", args{"path": "a.txt"})
	a.ok("edit", edit)
}

// TestLoopGuard: refusals are counted per path, those that hand over what the
// retry needs are free once, and a change clears the count.
func TestLoopGuard(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": threeLines, "b.txt": threeLines})
	c := inMemory(t, newServer(t, root, func(o *Options) { o.Structured = true }))
	tag := tagIn(t, c.ok("read", args{"path": "a.txt"}), "a.txt")
	try := func(path, tag, ops string, dry bool) (attempts float64, stop bool, text string) {
		res := c.call("edit", args{"path": path, "tag": tag, "ops": ops, "dry_run": dry})
		f := fields(t, res)
		attempts, _ = f["attempts"].(float64)
		stop, _ = f["give_up"].(bool)
		return attempts, stop, textOf(res)
	}
	c.ok("outline", args{"path": "a.txt"}) // there is none, which is an answer
	for i, x := range []struct {
		path, tag, ops string
		dry            bool
		attempts       float64
		stop           bool
		row            string
	}{
		{path: "a.txt", tag: "0000", ops: "CUT 1"},              // free once
		{path: "a.txt", tag: "0000", ops: "CUT 1", attempts: 1}, // counted
		{path: "./a.txt", tag: tag, ops: "CUT 9", attempts: 2, row: "refusal 2 on ./a.txt: compare"},
		{path: "a.txt", tag: tag, ops: "CUT 9", dry: true}, // a dry run counts as nothing
		{path: "b.txt", tag: tag, ops: "CUT 9"},            // another path; TAG_UNKNOWN is free
		{path: "b.txt", tag: "x", ops: "CUT 9", attempts: 1},
		{path: "a.txt", tag: tag, ops: "what", attempts: 3, stop: true, row: "refusal 3 on a.txt: stop sending edits; `read` the file again"},
		{path: "a.txt", tag: tag, ops: "what", attempts: 4, stop: true, row: "refusal 4 on a.txt: stop"},
		{path: "a.txt", tag: tag, ops: "what", attempts: 5, stop: true, row: "refusal 5 on a.txt: give up"},
		{path: "a.txt", tag: tag, ops: "CUT 1"},    // lands
		{path: "a.txt", tag: "0000", ops: "CUT 1"}, // free again
		{path: "a.txt", tag: tag, ops: "what", attempts: 1},
	} {
		attempts, stop, text := try(x.path, x.tag, x.ops, x.dry)
		_, second, _ := strings.Cut(text, "\n")
		if attempts != x.attempts || stop != x.stop || (x.row != "") != strings.HasPrefix(second, "refusal ") || !strings.HasPrefix(second, x.row) {
			t.Errorf("try %d: attempts %v, give up %v: %s", i+1, attempts, stop, text)
		}
	}
}

// TestRefusalText: the extra row comes second, and what is too long loses the
// end of the script and nothing else.
func TestRefusalText(t *testing.T) {
	e := refusal.New(refusal.ParseFailed, "no").WithNext("do")
	e.Excerpts = []refusal.Excerpt{{Path: "a", Tag: "0A0A", Rows: []refusal.ExcerptRow{{N: 1, Text: strings.Repeat("a", 4000)}}}}
	e.Script = strings.Repeat("+row\n", 3000)
	text := refusalText(e, "refusal 2: look\n"+strings.Repeat("x", 200)+"\n")
	rows := strings.SplitN(text, "\n", 3)
	if rows[0] != "EDIT_PARSE_FAILED: rejected, nothing was written" || rows[1] != "refusal 2: look" {
		t.Errorf("first rows are %q", rows[:2])
	}
	if n := len([]rune(text)); n > maxRefusal || n < maxRefusal-10 {
		t.Errorf("%d characters", n)
	}
	if !strings.Contains(text, strings.Repeat("a", 4000)) || !strings.HasSuffix(text, "(the script is cut here)\n") {
		t.Errorf("the end is %q", text[len(text)-100:])
	}
}

// TestPrefixAndWithout: names carry the prefix in texts too, and tools can be
// switched off.
func TestPrefixAndWithout(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": threeLines})
	c := inMemory(t, newServer(t, root, func(o *Options) { o.Prefix = "pc_"; o.Without = []string{"undo", "outline"} }))
	res, err := c.cs.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range res.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		reads := strings.Contains("pc_read pc_grep", tool.Name)
		if a.ReadOnlyHint != reads || *a.DestructiveHint == reads || *a.OpenWorldHint || !a.IdempotentHint {
			t.Errorf("%s: %+v", tool.Name, a)
		}
		if tool.Name == "pc_read" && !strings.Contains(tool.Description, "pc_edit") {
			t.Errorf("description names other tools: %s", tool.Description)
		}
	}
	if got := strings.Join(names, " "); got != "pc_edit pc_grep pc_patch pc_read pc_write" {
		t.Errorf("tools are %s", got)
	}
	if _, err := c.cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "pc_undo"}); err == nil {
		t.Error("a tool that is switched off was called")
	}
	for _, o := range []Options{{Without: []string{"edit"}}, {Without: []string{"delete"}}, {Prefix: "a b"}, {Prefix: strings.Repeat("p", 65)}} {
		o.Roots = []string{root}
		if s, err := New(o); refusal.CodeOf(err) != refusal.InvalidArgument {
			t.Errorf("%+v: %v", o, err)
			if s != nil {
				s.Close()
			}
		}
	}
}

// TestMount: the tools beside those of another program.
func TestMount(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": threeLines})
	s := newServer(t, root, func(o *Options) { o.Prefix = "putcut_" })
	host := mcp.NewServer(&mcp.Implementation{Name: "host", Version: "1"}, nil)
	mcp.AddTool(host, &mcp.Tool{Name: "own"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	s.AddTools(host)
	near, far := mcp.NewInMemoryTransports()
	ss, err := host.Connect(t.Context(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ss.Close() })
	c := dial(t, near)
	c.ok("own", args{})
	tag := tagIn(t, c.ok("putcut_read", args{"path": "a.txt"}), "a.txt")
	c.ok("putcut_edit", args{"path": "a.txt", "tag": tag, "ops": "CUT 1"})
	c.cs.Close()
	ss.Wait()
}

// TestProgress: a client that asks for it hears of a long search, and can end it.
func TestProgress(t *testing.T) {
	files := map[string]string{}
	for i := range 400 {
		files[fmt.Sprintf("d%d/f%d.txt", i%20, i)] = strings.Repeat("abcabcabdabcabcabe ", 400)
	}
	root := folder(t, files)
	s := newServer(t, root, func(o *Options) { o.progressEvery = time.Millisecond })
	near, far := mcp.NewInMemoryTransports()
	if _, err := s.MCP().Connect(t.Context(), far, nil); err != nil {
		t.Fatal(err)
	}
	notes := make(chan float64, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	cl := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			select {
			case notes <- r.Params.Progress:
				cancel()
			default:
			}
		},
	})
	cs, err := cl.Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	p := &mcp.CallToolParams{Name: "grep", Arguments: args{"pattern": `(a|b|c)*[a-z]{20,30}[xyz]q`}}
	p.SetProgressToken("tok")
	if _, err := cs.CallTool(ctx, p); err == nil {
		t.Error("the search ended before it was cancelled")
	}
	if n := <-notes; n < 1 {
		t.Errorf("progress is %v", n)
	}
	// The connection is as good as before.
	if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "read", Arguments: args{"path": "d0/f0.txt"}}); err != nil {
		t.Error(err)
	}
}

// TestPipe: a client that sends everything and closes its end still gets every
// answer.
func TestPipe(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": threeLines})
	s := newServer(t, root, nil)
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"read","arguments":{"path":"a.txt"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"grep","arguments":{"pattern":"two"}}}`,
	}, "\r\n")
	var out strings.Builder
	if err := s.Run(t.Context(), io.NopCloser(strings.NewReader(in)), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"id":1`, `"id":"two"`, `"id":3`, "3:three"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is missing in %s", want, out.String())
		}
	}
}
