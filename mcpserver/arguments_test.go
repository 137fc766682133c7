package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"putcut/refusal"
)

func toolNamed(t testing.TB, name string) *tool {
	t.Helper()
	for _, tl := range allTools() {
		if tl.name == name {
			return tl
		}
	}
	t.Fatalf("no tool %s", name)
	return nil
}

func TestDecode(t *testing.T) {
	type nums = map[string]int
	type texts = map[string]string
	type flags = map[string]bool
	for _, c := range []struct {
		tool, raw string
		texts     texts
		nums      nums
		flags     flags
		ignored   string
		err       string
	}{
		{tool: "read", raw: ``},
		{tool: "read", raw: `null`},
		{tool: "read", raw: ` {} `},
		{tool: "read", raw: `{"path":"a","ranges":null}`, texts: texts{"path": "a"}},
		{tool: "read", raw: `{"path":""}`, texts: texts{"path": ""}},
		{tool: "read", raw: `{"ranges":40}`, texts: texts{"ranges": "40"}},
		{tool: "edit", raw: `{"tag":1234}`, texts: texts{"tag": "1234"}},
		{tool: "edit", raw: `{"tag":1E10}`, texts: texts{"tag": "1E10"}},
		{tool: "read", raw: `{"max_columns":"80"}`, nums: nums{"max_columns": 80}},
		{tool: "read", raw: `{"max_columns":8e1}`, nums: nums{"max_columns": 80}},
		{tool: "read", raw: `{"max_columns":""}`},
		{tool: "read", raw: `{"max_columns":-3}`, nums: nums{"max_columns": -3}},
		{tool: "read", raw: `{"max_columns":1.5}`, err: "the argument `max_columns` is the number 1.5, and it must be a whole number"},
		{tool: "read", raw: `{"max_columns":99999999999}`, err: "the argument `max_columns` is the number 99999999999, and it must be a whole number"},
		{tool: "read", raw: `{"max_columns":"NaN"}`, err: "the argument `max_columns` is the text \"NaN\", and it must be a whole number"},
		{tool: "edit", raw: `{"dry_run":"True"}`, flags: flags{"dry_run": true}},
		{tool: "edit", raw: `{"dry_run":false}`},
		{tool: "edit", raw: `{"dry_run":1}`, err: "the argument `dry_run` is the number 1, and it must be true or false"},
		{tool: "edit", raw: `{"ops":["CUT 1"]}`, err: "the argument `ops` is a list, and it must be one text (a JSON string, rows separated by line breaks)"},
		{tool: "edit", raw: `{"ops":7}`, err: "the argument `ops` is the number 7, and it must be one text (a JSON string, rows separated by line breaks)"},
		{tool: "edit", raw: `{"ops":{}}`, err: "the argument `ops` is an object, and it must be one text (a JSON string, rows separated by line breaks)"},
		{tool: "edit", raw: `{"ops":"a","ops":"b"}`, texts: texts{"ops": "b"}, err: "the argument `ops` stands there twice"},
		{tool: "edit", raw: `{"ops":"\ud83d\ude00 \ufffd"}`, texts: texts{"ops": "😀 \ufffd"}},
		{tool: "edit", raw: `{"ops":"\\ud83d \ufffd"}`, texts: texts{"ops": "\\ud83d \ufffd"}},
		{tool: "edit", raw: `{"ops":"\ud83d"}`, err: "the argument `ops` holds half of a surrogate pair or bytes that are not UTF-8"},
		{tool: "edit", raw: `{"ops":"\ud83dx"}`, err: "the argument `ops` holds half of a surrogate pair or bytes that are not UTF-8"},
		{tool: "edit", raw: `{"ops":"\ude00"}`, err: "the argument `ops` holds half of a surrogate pair or bytes that are not UTF-8"},
		{tool: "edit", raw: "{\"ops\":\"\xff\"}", err: "the argument `ops` holds half of a surrogate pair or bytes that are not UTF-8"},
		{tool: "edit", raw: `{"path":"a","dryRun":true}`, texts: texts{"path": "a"}, err: "the tool `edit` has no argument `dryRun`"},
		{tool: "edit", raw: `{"path":"a","dryRun":null,"reason":"x"}`, texts: texts{"path": "a"}},
		{tool: "read", raw: `{"path":"a","offset":3}`, texts: texts{"path": "a"}, ignored: "`offset`"},
		{tool: "edit", raw: `[1]`, err: "the arguments are a list, and they must be one JSON object"},
		{tool: "edit", raw: `"{}"`, err: "the arguments are the text \"{}\", and they must be one JSON object"},
		{tool: "edit", raw: `{"path":`, err: "the arguments are not valid JSON: EOF"},
	} {
		a, err := toolNamed(t, c.tool).decode(json.RawMessage(c.raw))
		what := ""
		if err != nil {
			e := refusal.As(err)
			if e == nil || e.Code != refusal.InvalidArgument || e.Next == "" && !strings.Contains(e.What, "JSON") {
				t.Errorf("%s: %v is no complete refusal", c.raw, err)
				continue
			}
			what = e.What
		}
		if what != c.err && !(c.err != "" && strings.HasPrefix(what, c.err)) {
			t.Errorf("%s: error %q, want %q", c.raw, what, c.err)
		}
		if d := cmp.Diff(orEmpty(c.texts), a.texts); d != "" {
			t.Errorf("%s: texts %s", c.raw, d)
		}
		if d := cmp.Diff(orEmpty(c.nums), a.nums); d != "" {
			t.Errorf("%s: nums %s", c.raw, d)
		}
		if d := cmp.Diff(orEmpty(c.flags), a.flags); d != "" {
			t.Errorf("%s: flags %s", c.raw, d)
		}
		if got := strings.Join(a.ignored, ", "); got != c.ignored {
			t.Errorf("%s: ignored %q, want %q", c.raw, got, c.ignored)
		}
	}
}

func orEmpty[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return m
}

// FuzzDecode: any bytes give arguments or one refusal, and a text that is
// accepted is the one that was sent.
func FuzzDecode(f *testing.F) {
	f.Add(`{"path":"a","tag":"12ab","ops":"CUT 1\n"}`, "x")
	f.Add(`{"ops":"\ud800"}`, "a\x00\u2028😀")
	f.Add(`[`, "\xff")
	f.Fuzz(func(t *testing.T, raw, text string) {
		for _, tl := range allTools() {
			if _, err := tl.decode(json.RawMessage(raw)); err != nil && refusal.As(err) == nil {
				t.Fatalf("%q: %v", raw, err)
			}
		}
		sent, err := json.Marshal(map[string]string{"ops": text})
		if err != nil {
			return
		}
		a, err := toolNamed(t, "edit").decode(sent)
		if err != nil {
			t.Fatalf("%q: %v", sent, err)
		}
		if utf8.ValidString(text) && a.text("ops") != text {
			t.Fatalf("%q became %q", text, a.text("ops"))
		}
	})
}
