//go:build !soak

package guard

const hostileSize = MaxCommand / 8
