//go:build !soak

package mcpserver

// stdioStep is how many cases of the suite share one that runs over stdio.
const stdioStep = 8
