//go:build !unix

package blocks

// Memory is not bounded here; time is.
func limitProcess() {}
