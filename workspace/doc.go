// Package workspace is the one place where files are opened and changed.
//
// It answers four questions. Which file does a path mean (Resolve): paths and
// links are walked one component at a time by open directory handles, so that
// nothing outside the roots is ever reached, whoever swaps directories for
// links meanwhile. What does the file hold (Read, OpenRead). Who may work on it
// now (Lock). And how do several files change all together or not at all, with
// their metadata kept and nobody else's save lost (Commit, and the recovery
// that Open runs).
//
// It does not know lines, tags, scripts or sessions. It does not protect
// against a writer that holds a descriptor it opened before the commit, beyond
// keeping that file as the pre-image where the file systems allow it.
//
// Paths are slash-separated, sizes and offsets are bytes, offsets count from 0.
// It imports refusal and text of this module.
package workspace
