#!/bin/sh
# The official conformance runner against the server over HTTP: the scenarios
# that ask for what this server offers. The others ask for sampling, prompts,
# resources and the runner's own example tools.
. "$(dirname "$0")/npm-tools.sh"
need @modelcontextprotocol/conformance@0.1.16
build
work=$(mktemp -d)
printf 'one\n' >"$work/a.txt"
"$PUTCUT" mcp --root "$work" --http 127.0.0.1:0 2>"$work/log" &
server=$!
trap 'kill $server; wait $server 2>/dev/null; rm -rf "$work"' EXIT
until url=$(grep -o 'http://[0-9.:]*' "$work/log"); do
	kill -0 $server || { cat "$work/log"; exit 1; }
done
failed=0
for scenario in server-initialize ping tools-list dns-rebinding-protection server-sse-multiple-streams; do
	if conformance server --url "$url/" --scenario "$scenario" >"$work/out" 2>&1; then
		echo "pass  $scenario"
	else
		echo "FAIL  $scenario"
		tail -20 "$work/out"
		failed=1
	fi
done
exit $failed
