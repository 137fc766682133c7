package golden

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"putcut/session"
	"putcut/workspace"
)

// A FrontEnd is one session of the tools on the files below a root.
type FrontEnd interface {
	// Call calls a tool. A refusal is a result; an error is a fault of the
	// front end, and ends the scenario.
	Call(ctx context.Context, c Call) (Result, error)
	Close() error
}

// A Call is one tool call. Args are strings, ints and bools under the names of
// the contract, section 4; an argument that the scenario leaves out is not there.
type Call struct {
	Tool string
	Args map[string]any
}

// A Result is what a tool answered: its model-facing text, and whether that is
// a refusal.
type Result struct {
	Refused bool   `json:"refused"`
	Text    string `json:"text"`
}

// A Workspace is what a front end is opened on.
type Workspace struct {
	// Root is the absolute path of the folder with the files, links resolved.
	Root string
	// State is an absolute path for the tool's own state, outside the root; it
	// is an empty folder when the scenario starts, shared by its sessions.
	State string
	// Session is the name the scenario gives the session, and empty for the
	// one that steps without a name use.
	Session string
	// Options are the scenario's options.
	Options map[string]string
}

// An Opener starts a front end. An error that is errors.ErrUnsupported skips
// the scenario, for instance because the front end lacks one of its options.
type Opener func(ctx context.Context, w Workspace) (FrontEnd, error)

// Library opens the Go library as a front end. Its options are `structure`
// (repair, warn, refuse, off), `detached` (true, false) and the limits listed
// in README.md.
func Library(_ context.Context, w Workspace) (FrontEnd, error) {
	opt := session.Options{Workspace: workspace.Options{StateDir: w.State}}
	limits := map[string]*int{
		"script_bytes": &opt.Limits.ScriptBytes, "ops": &opt.Limits.Ops, "files": &opt.Limits.Files,
		"expanded_lines": &opt.Limits.ExpandedLines, "reveal_lines": &opt.Limits.RevealLines,
		"reveal_columns": &opt.Limits.RevealColumns, "reveal_chars": &opt.Limits.RevealChars,
		"page_bytes": &opt.Limits.PageBytes, "page_lines": &opt.Limits.PageLines, "columns": &opt.Limits.Columns,
		"gone_rows": &opt.Limits.GoneRows, "calls": &opt.Limits.Calls,
		"paths": &opt.Snapshots.Paths, "versions": &opt.Snapshots.Versions,
		"register_names": &opt.Registers.Names, "register_lines": &opt.Registers.Lines, "register_bytes": &opt.Registers.Bytes,
	}
	sizes := map[string]*int64{
		"file_bytes": &opt.Limits.FileBytes, "undo_bytes": &opt.Limits.UndoBytes,
		"retained_bytes": &opt.Snapshots.TextBytes, "retained_file_bytes": &opt.Snapshots.FileBytes,
	}
	for _, key := range slices.Sorted(maps.Keys(w.Options)) {
		value := w.Options[key]
		var err error
		switch {
		case key == "structure":
			opt.Structure = session.Structure(value)
			if !slices.Contains([]session.Structure{session.Repair, session.WarnOnly, session.RefuseError, session.Off}, opt.Structure) {
				err = errors.New("it is repair, warn, refuse or off")
			}
		case key == "detached":
			opt.Detached, err = strconv.ParseBool(value)
		case limits[key] != nil:
			*limits[key], err = strconv.Atoi(value)
		case sizes[key] != nil:
			*sizes[key], err = strconv.ParseInt(value, 10, 64)
		default:
			return nil, fmt.Errorf("the option `%s`: %w", key, errors.ErrUnsupported)
		}
		if err != nil {
			return nil, fmt.Errorf("the option `%s` is %q: %w", key, value, err)
		}
	}
	s, err := session.Open([]string{w.Root}, opt)
	if err != nil {
		return nil, err
	}
	return library{s}, nil
}

type library struct{ s *session.Session }

func (l library) Close() error { return l.s.Close() }

func (l library) Call(ctx context.Context, c Call) (Result, error) {
	switch c.Tool {
	case "read":
		return answer(ctx, c, l.s.Read)
	case "grep":
		return answer(ctx, c, l.s.Grep)
	case "write":
		return answer(ctx, c, l.s.Write)
	case "edit":
		return answer(ctx, c, l.s.Edit)
	case "patch":
		return answer(ctx, c, l.s.Patch)
	case "outline":
		return answer(ctx, c, l.s.Outline)
	case "undo":
		return answer(ctx, c, l.s.Undo)
	}
	return Result{}, fmt.Errorf("the library has no tool `%s`: %w", c.Tool, errors.ErrUnsupported)
}

// answer makes a typed request of a call's arguments by way of JSON, whose
// names are the contract's, and calls the tool.
func answer[Q any, R interface{ Text() string }](ctx context.Context, c Call, tool func(context.Context, Q) (R, error)) (Result, error) {
	raw, err := json.Marshal(c.Args)
	if err != nil {
		return Result{}, err
	}
	var req Q
	if err := json.Unmarshal(raw, &req); err != nil {
		return Result{}, err
	}
	res, err := tool(ctx, req)
	if err != nil {
		return Result{Refused: true, Text: session.ErrorText(err)}, nil
	}
	return Result{Text: res.Text()}, nil
}
