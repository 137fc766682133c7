package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"putcut/session"
	"putcut/workspace"
)

// childRoot, set in the environment, makes the test binary a server on stdio.
const (
	childRoot       = "PUTCUT_TEST_MCP_ROOT"
	childStructured = "PUTCUT_TEST_MCP_STRUCTURED"
	childState      = "PUTCUT_TEST_MCP_STATE"
	childLimit      = "PUTCUT_TEST_MCP_LIMIT"
	childDurable    = "PUTCUT_TEST_MCP_DURABLE"
)

func TestMain(m *testing.M) {
	if root := os.Getenv(childRoot); root != "" {
		if err := serveChild(root); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func serveChild(root string) error {
	opt := testOptions(root, os.Getenv(childState))
	opt.Structured = os.Getenv(childStructured) != ""
	if os.Getenv(childLimit) != "" {
		opt.MaxMessageBytes = 1 << 20
	}
	if os.Getenv(childDurable) != "" {
		opt.Session.Workspace.Durability = workspace.Full
	}
	s, err := New(opt)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.RunStdio(context.Background())
}

func testOptions(root, state string) Options {
	return Options{Roots: []string{root}, Session: session.Options{
		Workspace: workspace.Options{StateDir: state, Durability: workspace.None},
	}}
}

// newServer is a server on a folder; change may be nil.
func newServer(t testing.TB, root string, change func(*Options)) *Server {
	t.Helper()
	opt := testOptions(root, t.TempDir())
	if change != nil {
		change(&opt)
	}
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// folder is a fresh root holding files.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func content(t testing.TB, root, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A client is a connected client of the SDK.
type client struct {
	t  testing.TB
	cs *mcp.ClientSession
}

func dial(t testing.TB, transport mcp.Transport) *client {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := c.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cs.Close() })
	return &client{t, cs}
}

func inMemory(t testing.TB, s *Server) *client {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	if _, err := s.MCP().Connect(t.Context(), far, nil); err != nil {
		t.Fatal(err)
	}
	return dial(t, near)
}

// overStdio starts the test binary as a server of its own.
func overStdio(t testing.TB, root string, env ...string) *client {
	t.Helper()
	return dial(t, &mcp.CommandTransport{Command: childCommand(t, root, env...)})
}

func childCommand(t testing.TB, root string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), childRoot+"="+root, childState+"="+t.TempDir()), env...)
	cmd.Stderr = os.Stderr
	return cmd
}

// listen serves HTTP on loopback until the test ends, and returns the URL.
func listen(t testing.TB, s *Server) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	addr := make(chan net.Addr, 1)
	done := make(chan error, 1)
	go func() { done <- s.RunHTTP(ctx, "127.0.0.1:0", func(a net.Addr) { addr <- a }) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	select {
	case a := <-addr:
		return "http://" + a.String() + "/"
	case err := <-done:
		t.Fatal(err)
	}
	return ""
}

type args = map[string]any

// call calls a tool; the call itself must not fail.
func (c *client) call(tool string, a args) *mcp.CallToolResult {
	c.t.Helper()
	res, err := c.cs.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: a})
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	return res
}

// ok is the text of a call that must succeed.
func (c *client) ok(tool string, a args) string {
	c.t.Helper()
	res := c.call(tool, a)
	if res.IsError {
		c.t.Fatalf("%s %v: %s", tool, a, textOf(res))
	}
	return textOf(res)
}

// refused is the text of a call that must be refused with a code.
func (c *client) refused(code, tool string, a args) string {
	c.t.Helper()
	res := c.call(tool, a)
	text := textOf(res)
	if !res.IsError || !strings.HasPrefix(text, code+":") {
		c.t.Fatalf("%s %v: want %s, got %s", tool, a, code, text)
	}
	if first, _, _ := strings.Cut(text, "\n"); len(first) > 200 {
		c.t.Fatalf("the first row has %d bytes: %s", len(first), first)
	}
	return text
}

func textOf(res *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// fields is the structured form as an object.
func fields(t testing.TB, res *mcp.CallToolResult) map[string]any {
	t.Helper()
	b, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil || m == nil {
		t.Fatalf("structure is %s", b)
	}
	return m
}

// tagIn is the tag a text prints for a path.
func tagIn(t testing.TB, text, path string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "["+path+"#")
	if !ok || len(rest) < 5 || rest[4] != ']' {
		t.Fatalf("no tag of %s in %s", path, text)
	}
	return rest[:4]
}

// handleIn is the session handle a text names.
func handleIn(t testing.TB, text string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "\nsession ")
	h, _, _ := strings.Cut(rest, " ")
	if !ok || len(h) < 20 {
		t.Fatalf("no session in %s", text)
	}
	return h
}
