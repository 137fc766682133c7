//go:build soak

package workspace

// The proofs at full size: go test -tags soak -timeout 30m ./workspace
const (
	recoveryStride = 1
	killRounds     = 600
	oracleEdits    = 2000
)
