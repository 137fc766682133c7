#!/bin/sh
# The official inspector's command line against the server on stdio: the list of
# tools, a read, an edit under its tag, and a refusal.
. "$(dirname "$0")/npm-tools.sh"
need @modelcontextprotocol/inspector@${INSPECTOR:-2.12.0}
build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'one\ntwo\nthree\n' >"$work/a.txt"
inspect() { mcp-inspector --cli "$PUTCUT" mcp --root "$work" "$@"; }

inspect --method tools/list | node -e '
let s = ""; process.stdin.on("data", d => s += d).on("end", () => {
  const t = JSON.parse(s).tools;
  console.log("tools:", t.map(x => x.name).join(" "), "in", Buffer.byteLength(JSON.stringify({tools: t})), "bytes");
})'
inspect --method tools/call --tool-name read --tool-arg path=a.txt | tee "$work/read.json" | grep -o '\[a.txt#....\]'
# Every call has a process, and so a session, of its own: an older tag means
# nothing there, and the refusal is a result, not a protocol error.
tag=$(grep -o '#....\]' "$work/read.json" | cut -c2-5)
inspect --method tools/call --tool-name edit --tool-arg path=a.txt --tool-arg "tag=$tag" --tool-arg 'ops=CUT 1' >"$work/edit.json" 2>&1 || true
grep -o 'EDIT_TAG_UNKNOWN: [a-z, ]*\|tool_is_error' "$work/edit.json" | head -1
inspect --method tools/call --tool-name write --tool-arg path=b.txt --tool-arg content=new --tool-arg expect=absent | grep -o 'created: +1 -0 lines'
[ "$(cat "$work/b.txt")" = new ] && [ "$(cat "$work/a.txt")" = "$(printf 'one\ntwo\nthree')" ] && echo "files: as expected"
