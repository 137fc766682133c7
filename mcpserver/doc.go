// Package mcpserver serves the tools of package session to agents over the
// Model Context Protocol: on stdio, over streamable HTTP, or mounted beside the
// tools of another program.
//
// It answers what a host needs to know of the tools (names, schemas, texts,
// annotations), which session a call belongs to, and when a model should stop
// trying. It decides nothing about edits: every argument that has the right
// type goes to the session as it came, a missing one as missing, and what the
// session answers is handed over whole.
//
// All problems of input and all refusals are tool results with isError and a
// code; protocol errors are left to what is no tool call at all.
//
// It imports session, workspace, refusal and text of this module.
package mcpserver
