# Sourced by the scripts beside it: installs the npm programs they drive into a
# folder outside the repository, at the versions the outputs in README.md were
# taken with, and puts Node 22 and the server's binary on the way.
#
#   NPM_DIR   where the programs go; kept between runs
#   PUTCUT    the server; built when not set

set -eu
here=$(cd "$(dirname "$0")" && pwd)
repo=$(dirname "$here")
NPM_DIR=${NPM_DIR:-${TMPDIR:-/tmp}/putcut-npm}

need() { # need PACKAGE@VERSION…
	mkdir -p "$NPM_DIR"
	[ -f "$NPM_DIR/package.json" ] || echo '{"private": true}' >"$NPM_DIR/package.json"
	(cd "$NPM_DIR" && npm install --no-audit --no-fund --loglevel=error node@22.23.3 "$@" >&2)
	# The node package fetches its binary in an install script, which npm may skip.
	[ -x "$NPM_DIR/node_modules/node/bin/node" ] && "$NPM_DIR/node_modules/node/bin/node" --version >/dev/null 2>&1 ||
		(cd "$NPM_DIR/node_modules/node" && node installArchSpecificPackage.js >&2)
	PATH="$NPM_DIR/node_modules/node/bin:$NPM_DIR/node_modules/.bin:$PATH"
}

build() {
	if [ -z "${PUTCUT:-}" ]; then
		PUTCUT="$NPM_DIR/putcut"
		(cd "$repo" && go build -o "$PUTCUT" ./cmd/putcut)
	fi
}
