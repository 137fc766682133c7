// Package guard answers one question: which files would a shell command write,
// past the edit tools? It works on the bash syntax tree and on the tokens of
// programs that the command hands to an interpreter, never on substrings.
//
// It only watches. Nothing here blocks, runs or changes anything, and a verdict
// that a host has already given is handed on as it came.
//
// What is followed: redirections; programs whose job is to write a named file;
// wrappers that run another command (sudo, env, xargs, find -exec, timeout and
// their like); shell programs inside the command (bash -c, eval, trap, a
// here-document or an echo piped into a shell); functions, with their
// arguments; variables, arrays and for-loops with literal values; cd.
//
// What is not promised. The analysis reads one command and no file, so scripts
// that are run by name, make targets and build tools are opaque. Creating
// directories and changing modes write no content and are not reported, nor is
// moving a whole working tree between revisions (git checkout BRANCH, git pull).
// Of removals only those of files that the command spells out are reported
// (rm a.go, git rm a.go), which an edit could have done and undo could put back:
// not those of trees (rm -r build), of patterns and values (rm *.o, rm "$tmp"),
// by find -delete, and by programs in other languages. What runs elsewhere (ssh, docker exec) does not write
// here. Commands before a write are taken to have succeeded.
//
// The package imports nothing else of this module.
package guard
