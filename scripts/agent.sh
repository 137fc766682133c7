#!/bin/sh
# A real agent, Codex, drives the server through its own MCP client against a
# scripted model on loopback: it reads two files, sends an edit that is refused,
# sends it right, and moves a function from one file to the other. The bytes of
# both files are checked. Nothing leaves the machine.
. "$(dirname "$0")/npm-tools.sh"
need @openai/codex@0.171.0
build
work=$(mktemp -d)
model=
trap '[ -z "$model" ] || kill $model; rm -rf "$work"' EXIT
mkdir "$work/tree" "$work/home"
printf 'x = 1\n\n\ndef area(w, h):\n    return w + h\n\n\nprint(x)\n' >"$work/tree/a.py"
printf 'y = 2\n' >"$work/tree/b.py"
cat >"$work/turns.json" <<'J'
[
 {"tool": "read", "args": {"path": "a.py"}},
 {"tool": "read", "args": {"path": "b.py"}},
 {"tool": "edit", "args": {"path": "a.py", "tag": "{{TAG:a.py}}", "ops": "PUT 5.=5:\n-    return w + h\n+    return w * h\n"}},
 {"tool": "edit", "args": {"path": "a.py", "tag": "{{TAG:a.py}}", "ops": "PUT 5.=5:\n+    return w * h\n"}},
 {"tool": "patch", "args": {"script": "[a.py#{{TAG:a.py}}]\nCUT 4.=7 @f\n[b.py#{{TAG:b.py}}]\nPUT <1 @f\n"}},
 {"say": "done"}
]
J
port=${PORT:-18321}
python3 "$here/stub_model.py" "$port" "$work/turns.json" "$work/model.log" &
model=$!
cat >"$work/home/config.toml" <<T
model = "stub"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "read-only"

[model_providers.stub]
name = "stub"
base_url = "http://127.0.0.1:$port/v1"
wire_api = "responses"

[mcp_servers.putcut]
command = "$PUTCUT"
args = ["mcp", "--root", "$work/tree"]
default_tools_approval_mode = "approve"
T
until python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:$port/v1/models')" 2>/dev/null; do kill -0 $model; done
CODEX_HOME="$work/home" timeout "${LIMIT:-120}" codex exec --skip-git-repo-check -C "$work/tree" "Make area multiply, then move it to b.py." </dev/null >"$work/out" 2>&1 ||
	{ tail -40 "$work/out"; exit 1; }
grep -o 'EDIT_PARSE_FAILED: rejected, nothing was written' "$work/model.log" | head -1
printf 'x = 1\n\n\nprint(x)\n' | cmp - "$work/tree/a.py"
printf 'def area(w, h):\n    return w * h\n\n\ny = 2\n' | cmp - "$work/tree/b.py"
echo "files: as expected, after $(grep -c '"path": "/v1/responses"' "$work/model.log") requests to the model"
