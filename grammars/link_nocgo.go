//go:build !cgo

package grammars

import "unsafe"

// Without cgo there are no C grammars; only languages parsed in Go are
// supported.
var linked map[string]func() unsafe.Pointer
