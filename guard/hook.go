package guard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// MaxHook is the largest hook that is read, in bytes.
const MaxHook = 8 << 20

// ErrHook is matched by every error of AnalyzeHook.
var ErrHook = errors.New("not a hook")

// AnalyzeHook reports on the shell command in the JSON that an agent host gives
// to its hooks. These shapes are known, alone or within each other:
//
//	{"tool_name": "Bash", "tool_input": {"command": "..."}}
//	{"command": "..."}
//	{"tool": "shell", "arguments": {"command": ["bash", "-lc", "..."]}}
//	{"name": "shell", "arguments": "{\"command\": ...}"}
//
// A command that is a list is the arguments of a program, started without a
// shell. A working directory ("cwd", "workdir") is where Path starts. A hook of
// a tool that is no shell gives an empty report.
//
// What the host has already decided is in Verdict, its bytes untouched; it
// changes nothing about Writes. Errors match ErrHook: JSON that is broken, not an
// object or too large, and a hook in which no command is found.
func AnalyzeHook(data []byte) (Report, error) {
	if len(data) > MaxHook {
		return Report{}, fmt.Errorf("%w: it is %d bytes; the limit is %d", ErrHook, len(data), MaxHook)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	hook, ok := object(data)
	if !ok {
		var anything json.RawMessage
		if err := json.Unmarshal(data, &anything); err != nil {
			return Report{}, fmt.Errorf("%w: %v", ErrHook, err)
		}
		return Report{}, fmt.Errorf("%w: it is no JSON object", ErrHook)
	}
	h := hookCommand{}
	h.read(hook, 0)
	a := newAnalysis()
	if h.dir != "" {
		a.dir = h.dir
	}
	switch {
	case h.tool != "" && !isShellTool(h.tool):
	case h.text != nil:
		a.guarded(func() { a.command(*h.text) })
	case h.argv != nil:
		a.guarded(func() { a.argv(h.argv) })
	default:
		return Report{}, fmt.Errorf("%w: there is no command in it", ErrHook)
	}
	r := a.report()
	r.Verdict = verdict(hook)
	r.Denied = denied(hook, 0)
	return r, nil
}

type members = map[string]json.RawMessage

func object(raw json.RawMessage) (members, bool) {
	var m members
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return nil, false
	}
	return m, true
}

func text(raw json.RawMessage) (string, bool) {
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// A hookCommand is what was found in a hook.
type hookCommand struct {
	tool string
	dir  string
	text *string
	argv []string
}

var (
	toolNames    = []string{"tool_name", "toolName", "tool", "name", "recipient_name"}
	dirNames     = []string{"workdir", "working_directory", "workingDirectory", "cwd", "directory"}
	commandNames = []string{"command", "cmd", "script", "commandLine", "command_line", "CommandLine"}
	inputNames   = []string{"tool_input", "toolInput", "input", "arguments", "args", "params", "parameters", "toolArgs", "tool_args", "action", "function", "tool_call", "toolCall", "call"}
)

// read looks for the command in an object and in those that hold a tool's
// arguments. What is further inside is closer to the command, so its directory
// counts.
func (h *hookCommand) read(m members, depth int) {
	const most = 5
	if depth > most {
		return
	}
	if h.tool == "" {
		for _, n := range toolNames {
			if s, ok := text(m[n]); ok {
				h.tool = s
				break
			}
		}
	}
	for _, n := range dirNames {
		if s, ok := text(m[n]); ok && s != "" {
			if strings.HasPrefix(s, "/") || h.dir == "" {
				h.dir = s
			} else {
				h.dir += "/" + s
			}
			break
		}
	}
	for _, n := range commandNames {
		if h.take(m[n]) {
			return
		}
	}
	for _, n := range inputNames {
		raw, ok := m[n]
		if !ok {
			continue
		}
		// Arguments can be JSON in a string.
		if s, ok := text(raw); ok {
			if sub, ok := object(json.RawMessage(s)); ok {
				h.read(sub, depth+1)
			}
		} else if sub, ok := object(raw); ok {
			h.read(sub, depth+1)
		}
		if h.text != nil || h.argv != nil {
			return
		}
	}
}

// take reads a command: a text, a list of arguments, or an object with a
// program and its arguments.
func (h *hookCommand) take(raw json.RawMessage) bool {
	if raw == nil {
		return false
	}
	if s, ok := text(raw); ok {
		h.text = &s
		return true
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil && list != nil {
		if len(list) == 1 && strings.ContainsAny(list[0], " \t\n") {
			h.text = &list[0] // a list of one that holds a whole command
		} else {
			h.argv = list
		}
		return true
	}
	return false
}

// isShellTool says that a tool of this name runs commands. Other tools have
// members called "command" too, with another meaning.
func isShellTool(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"bash", "shell", "terminal", "exec", "command", "cmd", "run", "console"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "sh" || name == "zsh"
}

var verdictNames = []string{
	"permissionDecision", "permissionDecisionReason", "permission_decision", "permission_decision_reason",
	"permission", "decision", "reason", "verdict", "denied", "approved", "allowed", "blocked",
	"stopReason", "continue", "hookSpecificOutput",
}

// verdict gathers the members of a hook in which its host has decided; reason
// and its like count only beside a decision.
func verdict(m members) members {
	out := members{}
	decided := false
	for _, n := range verdictNames {
		raw, ok := m[n]
		if !ok {
			continue
		}
		if n == "hookSpecificOutput" {
			if sub, ok := object(raw); !ok || verdict(sub) == nil {
				continue
			}
		}
		out[n] = raw
		decided = decided || n != "reason" && n != "stopReason" && !strings.HasSuffix(strings.ToLower(n), "reason")
	}
	if !decided {
		return nil
	}
	return out
}

// denied says that the decision was a refusal.
func denied(m members, depth int) bool {
	for _, n := range []string{"permissionDecision", "permission_decision", "permission", "decision", "verdict"} {
		if s, ok := text(m[n]); ok {
			switch strings.ToLower(s) {
			case "deny", "denied", "block", "blocked", "reject", "rejected", "refuse", "refused", "abort", "forbid", "forbidden":
				return true
			}
		}
	}
	for n, bad := range map[string]string{"denied": "true", "blocked": "true", "approved": "false", "allowed": "false", "continue": "false"} {
		if string(bytes.TrimSpace(m[n])) == bad {
			return true
		}
	}
	if sub, ok := object(m["hookSpecificOutput"]); ok && depth < 3 {
		return denied(sub, depth+1)
	}
	return false
}
