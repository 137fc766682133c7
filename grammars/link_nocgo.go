//go:build !cgo

package grammars

import "unsafe"

// Without cgo there are no C grammars; only languages parsed in Go are
// supported.
func linked(string) unsafe.Pointer { return nil }
