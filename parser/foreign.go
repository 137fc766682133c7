package parser

import (
	"strings"

	"putcut/refusal"
)

// foreign refuses a script that is an edit of another format.
func foreign(row int, name, text string, bare bool) *problem {
	script := "`[path#TAG]`, the header row the reader printed, then ops"
	if bare {
		script = "ops"
	}
	return atCode(refusal.ForeignFormat, row, 1, "this is "+name+" (got "+quote(text)+"), not an op script").
		next("Write " + script + " that name lines by number and give new content only: `PUT 2.=3:` with `+` rows below replaces lines 2 to 3, `PUT >3:` inserts after line 3, `CUT 2.=3` deletes")
}

// foreignFormat looks for the signs of another edit format in a script that
// was refused, `+` rows aside, and returns the refusal that names it, or nil.
// Cost: linear in the script.
func foreignFormat(src string, bare bool) *problem {
	var row, before string
	rest := src
	top := true // no op yet in this section
	tops := 0
	for n := 1; rest != ""; n++ {
		row, rest = cutRow(rest)
		if isBlank(row) {
			continue
		}
		if name := diffSign(row, rest); name != "" {
			return foreign(n, name, row, bare)
		}
		if tops++; top && tops < 64 { // the sign of a format stands near its start
			if name := topSign(row, rest, before); name != "" {
				return foreign(n, name, row, bare)
			}
		}
		if _, ok := parseHeader(row); ok {
			top = true
		} else if opnessOf(row) != notOp {
			top = false
		}
		before = row
	}
	return nil
}

// diffSign names the format that a row belongs to wherever it stands.
func diffSign(row, rest string) string {
	switch {
	case strings.HasPrefix(row, "@@"):
		if isHunk(row) {
			return "a unified diff"
		}
		if row == "@@" || strings.HasPrefix(row, "@@ ") {
			return "an apply_patch patch"
		}
	case strings.HasPrefix(row, "diff --git "), strings.HasPrefix(row, "diff -"):
		return "a unified diff"
	case strings.HasPrefix(row, "--- ") && strings.HasPrefix(rest, "+++ "):
		return "a unified diff"
	case strings.HasPrefix(row, "Index: ") && strings.HasPrefix(rest, "====="):
		return "a unified diff"
	case strings.HasPrefix(row, "*** ") && strings.HasPrefix(rest, "--- "), strings.HasPrefix(row, "***************") && strings.HasPrefix(rest, "*** "):
		return "a context diff"
	case strings.HasPrefix(row, "<<<<<<<"), strings.HasPrefix(row, "------- SEARCH"), strings.HasPrefix(row, "<<<<<< SEARCH"):
		return "a SEARCH/REPLACE block"
	case nearMarker(row) == "foreign":
		return "an apply_patch patch"
	}
	return ""
}

// isHunk reports whether a row is a hunk header, @@ -1,2 +1,2 @@.
func isHunk(row string) bool {
	f := strings.Fields(row)
	return len(f) >= 3 && f[0] == "@@" && len(f[1]) > 1 && f[1][0] == '-' && isDigit(f[1][1]) && len(f[2]) > 1 && f[2][0] == '+' && isDigit(f[2][1])
}

// topSign names the format of a row that stands where an op must.
func topSign(row, rest, before string) string {
	t := strings.Trim(row, blanks)
	next, _ := cutRow(strings.TrimLeft(rest, " \t\r\n"))
	next = strings.Trim(next, blanks)
	switch {
	case t[0] == '{' && (strings.HasPrefix(strings.TrimLeft(t[1:]+next, blanks), `"`) || t == "{}"):
		return "a JSON edit object"
	case t[0] == '[' && strings.HasPrefix(strings.TrimLeft(t[1:]+next, blanks), "{"):
		return "a list of JSON edit objects"
	case t[0] == '<' && editTags[tagName(t)]:
		return "an XML edit block"
	case strings.HasPrefix(t, "=======") && strings.Contains(rest, ">>>>>>> "):
		return "a SEARCH/REPLACE block"
	case isNormalDiff(t) && (strings.HasPrefix(next, "< ") || strings.HasPrefix(next, "> ")):
		return "a normal diff"
	case isSed(t):
		return "a sed or ed script"
	case isShell(t):
		return "a shell command"
	}
	if _, info, ok := fenceOf(row); ok {
		inner, _ := cutRow(rest)
		_, header := parseHeader(inner)
		if !header && opnessOf(inner) == notOp && markerOf(inner) == "" && (isPathLike(lastField(info)) || isPathLike(strings.Trim(before, " *`:#"))) {
			return "a whole file in a fence"
		}
	}
	return ""
}

// editTags are the elements that edit formats of tools and prompts start with.
var editTags = map[string]bool{
	"edit": true, "edits": true, "file": true, "files": true, "patch": true, "diff": true, "search": true,
	"replace": true, "old": true, "new": true, "old_string": true, "new_string": true, "old_str": true,
	"new_str": true, "change": true, "changes": true, "str_replace": true, "apply_diff": true, "insert": true,
	"apply_patch": true, "write": true, "write_to_file": true, "replace_in_file": true, "invoke": true,
	"parameter": true, "function_calls": true, "tool_call": true, "tool_use": true, "path": true,
}

func tagName(t string) string {
	end := 1
	for end < len(t) && (isName(t[end]) || t[end] == ':') {
		end++
	}
	name := strings.ToLower(t[1:end])
	return strings.ReplaceAll(name[strings.LastIndexByte(name, ':')+1:], "-", "_")
}

func lastField(s string) string {
	f := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ':' || r == '=' || r == '"' })
	if len(f) == 0 {
		return ""
	}
	return f[len(f)-1]
}

func isPathLike(s string) bool {
	if s == "" || strings.ContainsAny(s, " \t[]()<>") {
		return false
	}
	dot := strings.LastIndexByte(s, '.')
	return strings.Contains(s, "/") || dot >= 0 && dot < len(s)-1
}

// isNormalDiff recognises 2c2, 3,4d2 and the like.
func isNormalDiff(t string) bool {
	left := strings.TrimLeft(t, "0123456789,")
	if left == t || left == "" || strings.IndexByte("acd", left[0]) < 0 {
		return false
	}
	return left[1:] != "" && strings.Trim(left[1:], "0123456789,") == ""
}

// isSed recognises s/a/b/, 2,3d, 2s/a/b/ and the like.
func isSed(t string) bool {
	addr := strings.TrimLeft(t, "0123456789,$%")
	if addr == "" {
		return false
	}
	switch {
	case addr[0] == 's' && len(addr) > 1 && strings.IndexByte("/|#,!", addr[1]) >= 0:
		return strings.Count(addr, addr[1:2]) >= 3
	case addr != t && (addr == "d" || addr == "c" || addr == "a" || addr == "i" || strings.HasPrefix(addr, `c\`) || strings.HasPrefix(addr, `a\`) || strings.HasPrefix(addr, `i\`)):
		return true
	}
	return false
}

func isShell(t string) bool {
	for _, p := range []string{"$ ", "#!/", "sed -", "cat >", "cat <<", "patch -p", "apply_patch ", "git apply"} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return false
}
