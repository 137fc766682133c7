// Package golden runs scenarios: txtar archives that hold files, a sequence of
// tool calls and changes from outside, and what has to come out of them. The
// format is described in README.md beside this file; it is public, and nothing
// in it is particular to this module's own tests.
//
// A scenario runs against a FrontEnd: the Go library by default, or anything
// else that offers the same tools, such as the command line or a server. Each
// runs in a fresh temporary folder, and neither the archive nor the runner ever
// writes outside it.
//
// Beside the expectations that a scenario states, the runner holds every
// scenario to three rules: a call that is refused, a dry run and a call that
// only reads leave all files alone; at the end every file is what the scenario
// last said about it; and nothing has appeared beside the root.
//
// The package imports session and the packages session is built on; nothing of
// this module but the command imports it.
package golden
