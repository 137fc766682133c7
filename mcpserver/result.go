package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"putcut/refusal"
	"putcut/session"
)

// maxRefusal bounds the text of a refusal, in characters.
const maxRefusal = 10_000

// A refused is the structured form of a refusal.
type refused struct {
	Code     refusal.Code      `json:"code"`
	Message  string            `json:"message"`
	Path     string            `json:"path,omitempty"`
	Row      int               `json:"row,omitempty"`
	Column   int               `json:"column,omitempty"`
	Op       int               `json:"op,omitempty"`
	Excerpts []refusal.Excerpt `json:"excerpts,omitempty"`
	Next     string            `json:"next,omitempty"`
	Script   string            `json:"script,omitempty"`
	Attempts int               `json:"attempts,omitempty"`
	GiveUp   bool              `json:"give_up,omitempty"`
}

// A reply is a result on its way to the client.
type reply struct {
	text    strings.Builder
	fields  any // a struct
	isError bool
	handle  string // of the session, when it is not implicit
	links   []*mcp.ResourceLink
}

// result is the reply in the form of the protocol.
func (r *reply) result(structured bool) *mcp.CallToolResult {
	text := r.text.String()
	res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: r.isError}
	if !structured {
		return res
	}
	for _, l := range r.links {
		res.Content = append(res.Content, l)
	}
	head := struct {
		Text    string `json:"text"`
		Session string `json:"session,omitempty"`
	}{text, r.handle}
	res.StructuredContent = json.RawMessage(merge(compact(head), compact(r.fields)))
	return res
}

// merge joins two JSON objects of which the first is not empty.
func merge(a, b []byte) []byte {
	if !bytes.HasPrefix(b, []byte("{")) || len(b) < 3 {
		return a
	}
	return append(append(a[:len(a)-1], ','), b[1:]...)
}

// refusalText is the text of a refusal with an extra row behind its first one.
// What no longer fits goes from the end, where the corrected script is, never
// from the rows of files: those count as displayed.
func refusalText(e *refusal.Error, row string) string {
	text := session.ErrorText(e)
	first, rest, _ := strings.Cut(text, "\n")
	out := first + "\n" + row + rest
	over := utf8.RuneCountInString(out) - maxRefusal
	if over <= 0 || e.Script == "" {
		return out
	}
	const mark = "\n… (the script is cut here)\n"
	body := strings.LastIndex(out, "corrected script:\n")
	cut := len(out)
	for n := over + utf8.RuneCountInString(mark); n > 0 && cut > body; n-- {
		_, size := utf8.DecodeLastRuneInString(out[:cut])
		cut -= size
	}
	if body < 0 || cut <= body {
		return out
	}
	return out[:cut] + mark
}

// refusedOf is the structured form of a refusal.
func refusedOf(e *refusal.Error, counted int) refused {
	return refused{
		Code: e.Code, Message: e.What, Path: e.Path, Row: e.Row, Column: e.Column, Op: e.Op,
		Excerpts: e.Excerpts, Next: e.Next, Script: e.Script,
		Attempts: counted, GiveUp: counted >= stopAt,
	}
}

// links are links to the files that a call left changed.
func (s *Server) links(res *session.ChangeResult) []*mcp.ResourceLink {
	if res.DryRun {
		return nil
	}
	var out []*mcp.ResourceLink
	for _, f := range res.Files {
		if f.Kind == session.Removed {
			continue
		}
		p := f.Path
		if !filepath.IsAbs(p) {
			p = filepath.Join(s.ws.Roots()[0], p)
		}
		out = append(out, &mcp.ResourceLink{URI: fileURI(p), Name: f.Path})
	}
	return out
}

func fileURI(p string) string {
	p = filepath.ToSlash(p)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // C:/x
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
