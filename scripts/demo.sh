#!/bin/sh
# Shows putcut on files of this repository: it reads them, moves a function from
# one file to another in a copy, prints the tagged results and the diff, and
# shows a refusal of a stale number with its cure. Nothing outside a temporary
# folder is written.
#
# The first build compiles the grammars, which takes a minute or two. PUTCUT names
# a program that is built already.
set -eu
cd "$(dirname "$0")/.."
repo=$PWD

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
mkdir "$tmp/copy"
cp -R go.mod go.sum ops text refusal "$tmp/copy"

if [ -z "${PUTCUT:-}" ]; then
	PUTCUT=$tmp/putcut
	go build -o "$PUTCUT" ./cmd/putcut
fi

cd "$tmp/copy"
# The session is what remembers the lines that were printed.
export PUTCUT_SESSION="$tmp/session" XDG_STATE_HOME="$tmp/state"

say() { printf '\n== %s\n' "$*"; }
run() { # prints the command as one would type it
	printf '$ putcut'
	for word; do
		case $word in
		*[!A-Za-z0-9_./:,=-]*) printf " '%s'" "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	echo
	"$PUTCUT" "$@" 2>&1
}
row() { grep -n -- "$1" "$2" | head -n 1 | cut -d : -f 1; } # ROW OF A PATTERN IN A FILE
header() { "$PUTCUT" tag "$1"; }
tag() { header "$1" | sed 's/.*#\(....\)]$/\1/'; }

say 'Lines come numbered, under the tag of the text they belong to'
run read ops/head.go --lines 1-12
run grep '"strconv"|^func [iQ]' ops/head.go --context 1
run grep '^package' ops/script.go

import=$(row '"strconv"' ops/head.go)
itoa=$(row '^func itoa' ops/head.go)
stale=$(tag ops/head.go)
last=$(row '^func Quote' ops/head.go)

say 'A script names lines and supplies new content only: here a function moves to another file'
cat >"$tmp/move.put" <<SCRIPT
$(header ops/head.go)
CUT $import.=$import
CUT $((itoa - 1)).=$itoa @itoa
$(header ops/script.go)
PUT >1:
+
+import "strconv"
PUT >\$ @itoa
[ops/MOVED.md#NEW]
PUT >\$:
+itoa lives in script.go now.
SCRIPT
cat "$tmp/move.put"

say 'What it would do'
run apply "$tmp/move.put" --dry-run --diff

say 'All files change, or none'
run apply "$tmp/move.put"
go build ./ops && echo 'the copy still builds'

say 'A number from before the edit, under the tag from after it: refused'
cat >"$tmp/stale.put" <<SCRIPT
$(header ops/head.go)
PUT <$last:
+// (a remark above the last function)
SCRIPT
cat "$tmp/stale.put"
if run apply "$tmp/stale.put"; then
	echo 'demo: a stale number was accepted' >&2
	exit 1
fi

say 'The cure: the number goes with the tag under which it was printed'
cat >"$tmp/cure.put" <<SCRIPT
[ops/head.go#$stale]
PUT <$last:
+// (a remark above the last function)
SCRIPT
cat "$tmp/cure.put"
run apply "$tmp/cure.put"

say 'Every call can be undone'
run log
run undo | sed -n 1,3p # the rest is like what stands above
echo …
run undo c1
diff -r "$repo/ops" ops && echo 'the copy is the original again'
