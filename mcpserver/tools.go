package mcpserver

import (
	"context"
	_ "embed"
	"regexp"
	"sync"

	"putcut/session"
)

// A tool is one tool as the server offers it.
type tool struct {
	name, title string
	about       string // with other tools as {name}
	params      []param
	readOnly    bool
	idempotent  bool // the same call twice changes nothing more
	optional    bool // may be left out
	progress    string
	run         func(ctx context.Context, s *session.Session, a *arguments) (Answer, error)
}

//go:embed descriptions/read.txt
var aboutRead string

//go:embed descriptions/grep.txt
var aboutGrep string

//go:embed descriptions/write.txt
var aboutWrite string

//go:embed descriptions/edit.txt
var aboutEdit string

//go:embed descriptions/patch.txt
var aboutPatch string

//go:embed descriptions/undo.txt
var aboutUndo string

//go:embed descriptions/outline.txt
var aboutOutline string

//go:embed descriptions/instructions.txt
var instructions string

var (
	pathParam    = param{name: "path", kind: textKind, required: true, about: "File, relative to the root."}
	dryParam     = param{name: "dry_run", kind: flagKind, about: "Check and show, write nothing."}
	sessionParam = param{name: "session", kind: textKind, about: "Handle from a result. `new` opens a session (sub-agents)."}
)

// optional are the names of the tools that may be left out.
func optional() []string {
	var out []string
	for _, t := range allTools() {
		if t.optional {
			out = append(out, t.name)
		}
	}
	return out
}

// allTools are the tools in the order of the contract.
func allTools() []*tool {
	return []*tool{
		{
			name: "read", title: "Read a file", about: aboutRead, readOnly: true,
			params: []param{
				pathParam,
				{name: "ranges", kind: textKind, short: true, about: "Lines, like 40-80,200-. Default: all."},
				{name: "encoding", kind: textKind, about: "Only if not UTF-8 or UTF-16."},
				{name: "max_columns", kind: intKind, about: "Longer lines are cut; 2000."},
				sessionParam,
			},
			run: func(ctx context.Context, s *session.Session, a *arguments) (Answer, error) {
				return answer(s.Read(ctx, session.ReadRequest{
					Path: a.text("path"), Ranges: a.text("ranges"), Encoding: a.text("encoding"), MaxColumns: a.nums["max_columns"],
				}))
			},
		},
		{
			name: "grep", title: "Search files", about: aboutGrep, readOnly: true, optional: true, progress: "searching",
			params: []param{
				{name: "pattern", kind: textKind, required: true, short: true, about: "RE2 regular expression."},
				{name: "path", kind: textKind, about: "File or folder. Default: the root."},
				{name: "glob", kind: textKind, about: "Like **/*.go"},
				{name: "ignore_case", kind: flagKind},
				{name: "literal", kind: flagKind, about: "Pattern is plain text."},
				{name: "context", kind: intKind, about: "Rows around a match."},
				{name: "mode", kind: textKind, values: []string{"content", "files", "count"}},
				{name: "limit", kind: intKind, about: "Matches; 200."},
				sessionParam,
			},
			run: func(ctx context.Context, s *session.Session, a *arguments) (Answer, error) {
				return answer(s.Grep(ctx, session.GrepRequest{
					Pattern: a.text("pattern"), Path: a.text("path"), Glob: a.text("glob"),
					IgnoreCase: a.flags["ignore_case"], Literal: a.flags["literal"],
					Context: a.nums["context"], Mode: session.GrepMode(a.text("mode")), Limit: a.nums["limit"],
				}))
			},
		},
		{
			name: "write", title: "Write a whole file", about: aboutWrite, idempotent: true, optional: true,
			params: []param{
				pathParam,
				{name: "content", kind: textKind, required: true, about: "The whole new content."},
				{name: "expect", kind: textKind, required: true, short: true, about: "`absent` for a new file, else its current tag."},
				sessionParam,
			},
			run: func(ctx context.Context, s *session.Session, a *arguments) (Answer, error) {
				return answer(s.Write(ctx, session.WriteRequest{Path: a.text("path"), Content: a.textOrNil("content"), Expect: a.text("expect")}))
			},
		},
		{
			name: "edit", title: "Edit a file", about: aboutEdit, idempotent: true,
			params: []param{
				pathParam,
				{name: "tag", kind: textKind, required: true, short: true, about: "The 4 hex digits of the header row your numbers come from."},
				{name: "ops", kind: textKind, required: true, about: "Ops, one text with line breaks."},
				dryParam, sessionParam,
			},
			run: func(ctx context.Context, s *session.Session, a *arguments) (Answer, error) {
				return answer(s.Edit(ctx, session.EditRequest{Path: a.text("path"), Tag: a.text("tag"), Ops: a.text("ops"), DryRun: a.flags["dry_run"]}))
			},
		},
		{
			name: "patch", title: "Edit several files", about: aboutPatch, idempotent: true, optional: true,
			params: []param{
				{name: "script", kind: textKind, required: true, about: "Sections: a header row, then ops."},
				dryParam, sessionParam,
			},
			run: func(ctx context.Context, s *session.Session, a *arguments) (Answer, error) {
				return answer(s.Patch(ctx, session.PatchRequest{Script: a.text("script"), DryRun: a.flags["dry_run"]}))
			},
		},
		{
			name: "undo", title: "Undo a call", about: aboutUndo, optional: true,
			params: []param{
				{name: "call", kind: textKind, about: "Its id. Default: the latest."},
				sessionParam,
			},
			run: func(ctx context.Context, s *session.Session, a *arguments) (Answer, error) {
				return answer(s.Undo(ctx, session.UndoRequest{Call: a.text("call")}))
			},
		},
		{
			name: "outline", title: "Outline a file", about: aboutOutline, readOnly: true, optional: true,
			params: []param{pathParam, sessionParam},
			run: func(ctx context.Context, s *session.Session, a *arguments) (Answer, error) {
				return answer(s.Outline(ctx, session.OutlineRequest{Path: a.text("path")}))
			},
		},
	}
}

// answer turns a typed pair into an Answer without making a nil result look
// like one.
func answer[R Answer](r R, err error) (Answer, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

var toolName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([a-z]+)\}`) })

// rename puts the served names of tools where a text names them as {name}.
func rename(s string, name func(string) string) string {
	return toolName().ReplaceAllStringFunc(s, func(m string) string { return name(m[1 : len(m)-1]) })
}
