//go:build !soak

package session

// searchLines are the lines of the file in which the bounds of the search for a
// repair are tested; they do not depend on it.
const searchLines = 2_800
