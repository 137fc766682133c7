// Package session is the front door of the library: the tools Read, Grep,
// Outline, Write, Edit, Patch and Undo on the files below some roots, as one
// conversation sees them.
//
// A reader prints `[path#TAG]` and `N:text` rows and records which lines were
// printed under which tag. An edit names lines by those numbers and supplies
// new content only. Before a byte is written it goes through the gates of
// docs/contract.md in order: arguments and files, tags, bounds and blocks,
// version, provenance, registers and application, syntax, policy. A call is
// Prepare, Plan and Commit in one; PlanEdit, PlanPatch and PlanWrite stop before
// the commit. An Options.Observer sees every step of every call.
//
// Line numbers count from 1 and belong to the tag they were printed under.
// Refusals are *refusal.Error, asked for with errors.Is(err, refusal.TagMismatch)
// and the like; nothing was written when a call returns an error. Results belong
// to the caller. All methods are safe for concurrent use: calls that touch one
// path take turns, also between processes, and others run side by side.
//
// A session keeps everything in memory within bounds; OpenDir keeps one in a
// folder between processes. Losing what is kept can only turn an edit into a
// refusal. The package may import everything below it, and nothing imports it
// but front ends.
package session
