package guard

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestHook(t *testing.T) {
	tests := []struct {
		name, hook string
		want       []string
		paths      string
	}{
		{"tool_input", `{"tool_name":"Bash","tool_input":{"command":"cp a b"}}`, w("copy b"), "b"},
		{"with a session and a directory", `{"session_id":"1","hook_event_name":"PreToolUse","cwd":"/w","tool_name":"Bash","tool_input":{"command":"cp a b","description":"x"}}`, w("copy b"), "/w/b"},
		{"command", `{"command":"cp a b"}`, w("copy b"), "b"},
		{"list with a shell", `{"tool":"shell","arguments":{"command":["bash","-lc","cp a b"],"workdir":"sub"}}`, w("copy b"), "sub/b"},
		{"directory in a directory", `{"cwd":"/w","tool":"shell","arguments":{"command":"cp a b","workdir":"sub"}}`, w("copy b"), "/w/sub/b"},
		{"list without a shell", `{"command":["cp","a > c","b"]}`, w("copy b"), "b"},
		{"list of one", `{"command":["cp a b"]}`, w("copy b"), "b"},
		{"list with no shell has no redirections", `{"command":["echo","a",">","b"]}`, nil, ""},
		{"arguments as text", `{"name":"exec_command","arguments":"{\"cmd\":\"cp a b\"}"}`, w("copy b"), "b"},
		{"function", `{"type":"function","function":{"name":"run_shell","arguments":"{\"command\":\"cp a b\"}"}}`, w("copy b"), "b"},
		{"action", `{"type":"local_shell_call","action":{"type":"exec","command":["sh","-c","cp a b"]}}`, w("copy b"), "b"},
		{"apply_patch", `{"command":["apply_patch","*** Begin Patch\n*** Update File: a.go\n*** End Patch"]}`, w("patch a.go"), "a.go"},
		{"another tool", `{"tool_name":"Edit","tool_input":{"file_path":"a"}}`, nil, ""},
		{"another tool's command", `{"tool_name":"str_replace_editor","tool_input":{"command":"create > x","path":"a"}}`, nil, ""},
		{"byte order mark", "\xef\xbb\xbf" + `{"command":"cp a b"}`, w("copy b"), "b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := AnalyzeHook([]byte(tt.hook))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(brief(r.Writes), "\n"); got != strings.Join(tt.want, "\n") {
				t.Errorf("got %q", got)
			}
			if got := strings.Join(r.Paths(), " "); got != tt.paths {
				t.Errorf("paths %q, want %q", got, tt.paths)
			}
			if r.Verdict != nil || r.Denied {
				t.Errorf("a verdict: %v", r.Verdict)
			}
		})
	}
}

func TestVerdict(t *testing.T) {
	tests := []struct {
		name, hook, want string
		denied           bool
	}{
		{
			"denied", `{"command":"cp a b","permissionDecision":"deny","permissionDecisionReason":"no <copies>"}`,
			`{"permissionDecision":"deny","permissionDecisionReason":"no <copies>"}`, true,
		},
		{
			"in the output of a hook", `{"command":"cp a b","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`,
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`, true,
		},
		{"block", `{"command":"cp a b","decision":"block","reason":"x"}`, `{"decision":"block","reason":"x"}`, true},
		{"allow", `{"command":"cp a b","permissionDecision":"allow"}`, `{"permissionDecision":"allow"}`, false},
		{"verdict", `{"command":"cp a b","verdict":"denied"}`, `{"verdict":"denied"}`, true},
		{"verdict that is an object", `{"command":"cp a b","verdict":{"ok":false}}`, `{"verdict":{"ok":false}}`, false},
		{"flag", `{"command":"cp a b","denied":true}`, `{"denied":true}`, true},
		{"approved", `{"command":"cp a b","approved":false}`, `{"approved":false}`, true},
		{"a reason alone", `{"command":"cp a b","reason":"x"}`, `null`, false},
		{"with another tool", `{"tool_name":"Read","decision":"block"}`, `{"decision":"block"}`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := AnalyzeHook([]byte(tt.hook))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			enc := json.NewEncoder(&b)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(r.Verdict); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(b.String()); got != tt.want || r.Denied != tt.denied {
				t.Errorf("got %s, denied %t", got, r.Denied)
			}
			if want := map[bool]int{true: 0, false: 1}[tt.name == "with another tool"]; len(r.Writes) != want {
				t.Errorf("%d writes", len(r.Writes))
			}
		})
	}
}

func TestHookErrors(t *testing.T) {
	for _, tt := range []struct{ hook, want string }{
		{``, "not a hook: unexpected end of JSON input"},
		{`{`, "not a hook: unexpected end of JSON input"},
		{`[]`, "not a hook: it is no JSON object"},
		{`null`, "not a hook: it is no JSON object"},
		{`{}`, "not a hook: there is no command in it"},
		{`{"tool_name":"Bash","tool_input":{}}`, "not a hook: there is no command in it"},
		{`{"command":null}`, "not a hook: there is no command in it"},
		{`{"command":[1]}`, "not a hook: there is no command in it"},
		{strings.Repeat(" ", MaxHook+1), "not a hook: it is 8388609 bytes; the limit is 8388608"},
	} {
		_, err := AnalyzeHook([]byte(tt.hook))
		if err == nil || err.Error() != tt.want || !errors.Is(err, ErrHook) {
			t.Errorf("%.40q: %v", tt.hook, err)
		}
	}
}

func FuzzHook(f *testing.F) {
	f.Add([]byte(`{"tool":"shell","arguments":{"command":["bash","-lc","cp a b"],"workdir":"sub"}}`))
	f.Add([]byte(`{"command":"cp a b","hookSpecificOutput":{"permissionDecision":"deny"}}`))
	f.Add([]byte(`{"name":"x","arguments":"{\"command\":\"a > b\"}"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := AnalyzeHook(data)
		if err != nil {
			if !errors.Is(err, ErrHook) {
				t.Error(err)
			}
			return
		}
		check(t, r)
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	})
}
