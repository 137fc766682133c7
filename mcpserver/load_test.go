package mcpserver

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"putcut/workspace"
)

// TestManySessions is the bounded form of the soak: agents over HTTP that edit
// the same files at one time, each its own lines.
func TestManySessions(t *testing.T) {
	edit32(t, sharedFiles, func(done int) bool { return done < 3 })
}

const (
	agents      = 32
	sharedFiles = 4
)

// sharedFile holds one line for each agent between lines that nobody changes.
func sharedFile() string {
	var b strings.Builder
	for i := range agents {
		fmt.Fprintf(&b, "-- %d --\nagent %d: 0\n", i, i)
	}
	return b.String()
}

// edit32 runs agents, every fourth in the older form of the protocol, until
// more says no, and checks that every edit that was accepted is there and no
// line of another agent was hurt. It returns the time of every edit.
func edit32(t *testing.T, files int, more func(done int) bool) []time.Duration {
	texts := map[string]string{}
	for f := range files {
		texts[fmt.Sprintf("f%d.txt", f)] = sharedFile()
	}
	root := folder(t, texts)
	s := newServer(t, root, nil)
	url := listen(t, s)
	var mu sync.Mutex
	var times []time.Duration
	counts := make([][]int, agents)
	var wg sync.WaitGroup
	for a := range agents {
		counts[a] = make([]int, files)
		hc := &http.Client{Transport: &http.Transport{}}
		t.Cleanup(hc.CloseIdleConnections)
		var c *client
		if a%4 == 0 {
			c = legacy(t, url, hc)
		} else {
			c = dial(t, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: hc})
		}
		wg.Go(func() {
			took := agent(c, a, counts[a], more)
			mu.Lock()
			times = append(times, took...)
			mu.Unlock()
		})
	}
	wg.Wait()
	for f := range files {
		name := fmt.Sprintf("f%d.txt", f)
		lines := strings.Split(content(t, root, name), "\n")
		if len(lines) != 2*agents+1 {
			t.Errorf("%s has %d lines", name, len(lines))
			continue
		}
		for a := range agents {
			if want := fmt.Sprintf("agent %d: %d", a, counts[a][f]); lines[2*a] != fmt.Sprintf("-- %d --", a) || lines[2*a+1] != want {
				t.Errorf("%s: %q, %q, want %q", name, lines[2*a], lines[2*a+1], want)
			}
		}
	}
	return times
}

// agent counts up its line in every file, and reads again when it must.
func agent(c *client, a int, counts []int, more func(int) bool) (took []time.Duration) {
	with := args{}
	call := func(tool string, x args) (string, bool) {
		for k, v := range with {
			x[k] = v
		}
		res, err := c.cs.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: x})
		if err != nil {
			c.t.Errorf("agent %d: %s: %v", a, tool, err)
			return "", false
		}
		return textOf(res), !res.IsError
	}
	line := strconv.Itoa(2*a + 2)
	for done := 0; more(done); done++ {
		for f := range counts {
			name := fmt.Sprintf("f%d.txt", f)
			for try := 0; ; try++ {
				if try == 50 {
					c.t.Errorf("agent %d: no way to edit %s", a, name)
					return took
				}
				text, ok := call("read", args{"path": name, "ranges": line})
				if !ok {
					c.t.Errorf("agent %d: %s", a, text)
					return took
				}
				if strings.Contains(text, "\nsession ") {
					with["session"] = handleIn(c.t, text)
				}
				want := fmt.Sprintf("%s:agent %d: %d\n", line, a, counts[f])
				if !strings.Contains(text, want) {
					c.t.Errorf("agent %d reads %s, want %s", a, text, want)
					return took
				}
				start := time.Now()
				text, ok = call("edit", args{"path": name, "tag": tagIn(c.t, text, name), "ops": fmt.Sprintf("PUT %s.=%s:\n+agent %d: %d\n", line, line, a, counts[f]+1)})
				if ok {
					took = append(took, time.Since(start))
					counts[f]++
					break
				}
				if !strings.HasPrefix(text, "EDIT_TAG_MISMATCH") && !strings.HasPrefix(text, "EDIT_CONFLICT") {
					c.t.Errorf("agent %d: %s", a, text)
					return took
				}
			}
		}
	}
	return took
}

func quantile(d []time.Duration, q float64) time.Duration {
	slices.Sort(d)
	return d[min(len(d)-1, int(q*float64(len(d))))]
}

// BenchmarkEdit edits a line of a file of 300 lines, under the tag of the edit
// before, and reports the median and the 99th of a hundred.
func BenchmarkEdit(b *testing.B) {
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "func f%d() int { return %d } // a line of ordinary length in a file\n", i, i)
	}
	for _, durable := range []bool{true, false} {
		kind := map[bool]string{true: "durable", false: "unsynced"}[durable]
		for _, way := range []string{"memory", "stdio", "http", "http-2025"} {
			b.Run(way+"/"+kind, func(b *testing.B) {
				root := folder(b, map[string]string{"f.go": text.String()})
				var c *client
				set := func(o *Options) {
					if durable {
						o.Session.Workspace.Durability = workspace.Full
					}
				}
				switch way {
				case "memory":
					c = inMemory(b, newServer(b, root, set))
				case "stdio":
					env := ""
					if durable {
						env = "1"
					}
					c = overStdio(b, root, childDurable+"="+env)
				case "http":
					c = dial(b, &mcp.StreamableClientTransport{Endpoint: listen(b, newServer(b, root, set))})
				default:
					c = legacy(b, listen(b, newServer(b, root, set)), nil)
				}
				a := args{}
				read := c.ok("read", args{"path": "f.go"})
				if way == "http" {
					a["session"] = handleIn(b, read)
				}
				tag := tagIn(b, read, "f.go")
				var took []time.Duration
				n := 0
				for b.Loop() {
					n++
					a["path"], a["tag"], a["ops"] = "f.go", tag, fmt.Sprintf("PUT 150.=150:\n+func f149() int { return %d }\n", -n)
					start := time.Now()
					res := c.ok("edit", a)
					took = append(took, time.Since(start))
					tag = tagIn(b, res, "f.go")
				}
				b.ReportMetric(float64(quantile(took, 0.5).Microseconds()), "p50-µs")
				b.ReportMetric(float64(quantile(took, 0.99).Microseconds()), "p99-µs")
			})
		}
	}
}
