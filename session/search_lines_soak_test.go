//go:build soak

package session

const searchLines = 28_000
