package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"putcut/internal/conformance"
	"putcut/session"
	"putcut/workspace"
)

// library is the Go library as a front end of the suite.
type library struct{ s *session.Session }

func (l library) Close() error { return l.s.Close() }

func (l library) Call(tool string, args map[string]any) (conformance.Result, error) {
	ctx := context.Background()
	raw, err := json.Marshal(args)
	if err != nil {
		return conformance.Result{}, err
	}
	type answer interface{ Text() string }
	var res answer
	switch tool {
	case "read":
		res, err = call(raw, func(r session.ReadRequest) (*session.ReadResult, error) { return l.s.Read(ctx, r) })
	case "grep":
		res, err = call(raw, func(r session.GrepRequest) (*session.GrepResult, error) { return l.s.Grep(ctx, r) })
	case "write":
		res, err = call(raw, func(r session.WriteRequest) (*session.ChangeResult, error) { return l.s.Write(ctx, r) })
	case "edit":
		res, err = call(raw, func(r session.EditRequest) (*session.ChangeResult, error) { return l.s.Edit(ctx, r) })
	case "patch":
		res, err = call(raw, func(r session.PatchRequest) (*session.ChangeResult, error) { return l.s.Patch(ctx, r) })
	case "undo":
		res, err = call(raw, func(r session.UndoRequest) (*session.ChangeResult, error) { return l.s.Undo(ctx, r) })
	default:
		return conformance.Result{}, fmt.Errorf("no tool %q", tool)
	}
	if err != nil {
		return conformance.Result{IsError: true, Text: session.ErrorText(err)}, nil
	}
	b, err := json.Marshal(res)
	if err != nil {
		return conformance.Result{}, err
	}
	out := conformance.Result{Text: res.Text()}
	return out, json.Unmarshal(b, &out.Struct)
}

func call[Q, R any](raw []byte, f func(Q) (R, error)) (R, error) {
	var req Q
	if err := json.Unmarshal(raw, &req); err != nil {
		var none R
		return none, err
	}
	return f(req)
}

// TestConformance runs the JSON suite through the library.
func TestConformance(t *testing.T) {
	const dir = "../../shared/conformance/cases"
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the conformance suite is not beside the module (%s)", dir)
	}
	runSuite(t, dir)
}

// TestOwnCases runs the cases of this repository in the same form.
func TestOwnCases(t *testing.T) { runSuite(t, "../testdata/conformance") }

// runSuite runs every topic of a folder and prints how many cases were right.
func runSuite(t *testing.T, dir string) {
	topics, err := conformance.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, topic := range topics {
		right := 0
		for _, c := range topic.Cases {
			err := conformance.Run(c, t.TempDir(), func(root string) (conformance.FrontEnd, error) {
				s, err := session.Open([]string{root}, session.Options{Workspace: workspace.Options{StateDir: t.TempDir(), Durability: workspace.None}})
				return library{s}, err
			})
			if err != nil {
				t.Errorf("%s (%s): %v", c.ID, c.Why, err)
				continue
			}
			right++
		}
		total += len(topic.Cases)
		t.Logf("%-8s %3d of %3d", topic.Name, right, len(topic.Cases))
	}
	if total == 0 {
		t.Fatal("the suite is there and holds no case")
	}
}
