package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"putcut/internal/conformance"
)

// suiteDir is where the suite is: beside the module, or where PUTCUT_SUITE says.
func suiteDir() string {
	if dir := os.Getenv("PUTCUT_SUITE"); dir != "" {
		return dir
	}
	return "../../shared/conformance/cases"
}

// front is a connected client as a front end of the suite.
type front struct {
	c          *client
	structured bool
}

func (f front) Close() error { return f.c.cs.Close() }

func (f front) Call(tool string, a map[string]any) (conformance.Result, error) {
	res := f.c.call(tool, a)
	out := conformance.Result{IsError: res.IsError, Text: textOf(res)}
	if !f.structured {
		if res.StructuredContent != nil {
			return out, fmt.Errorf("a structure that was not asked for")
		}
		return out, nil
	}
	b, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return out, err
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		return out, err
	}
	if m["text"] != out.Text {
		return out, fmt.Errorf("the text of the structure differs from the text")
	}
	out.Struct = m
	return out, nil
}

// TestConformance runs the JSON suite through the server: in memory, and, every
// eighth case (all of them with the tag soak), through a process on stdio.
func TestConformance(t *testing.T) {
	suite := suiteDir()
	if _, err := os.Stat(suite); err != nil {
		t.Skipf("the conformance suite is not beside the module (%s)", suite)
	}
	topics, err := conformance.Load(suite)
	if err != nil {
		t.Fatal(err)
	}
	for _, structured := range []bool{false, true} {
		for _, way := range []string{"memory", "stdio"} {
			t.Run(fmt.Sprintf("%s/structured=%v", way, structured), func(t *testing.T) {
				runSuite(t, topics, structured, way == "stdio")
			})
		}
	}
}

func runSuite(t *testing.T, topics []conformance.Topic, structured, stdio bool) {
	total, right := 0, 0
	for _, topic := range topics {
		for i, c := range topic.Cases {
			if stdio && i%stdioStep != 0 {
				continue
			}
			total++
			t.Run(c.ID, func(t *testing.T) {
				err := conformance.Run(c, t.TempDir(), func(root string) (conformance.FrontEnd, error) {
					if !stdio {
						return front{inMemory(t, newServer(t, root, func(o *Options) { o.Structured = structured })), structured}, nil
					}
					var env []string
					if structured {
						env = append(env, childStructured+"=1")
					}
					return front{overStdio(t, root, env...), structured}, nil
				})
				if err != nil {
					t.Errorf("%s: %s", c.Why, strings.TrimSpace(err.Error()))
					return
				}
				right++
			})
		}
	}
	t.Logf("%d of %d", right, total)
}
