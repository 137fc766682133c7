//go:build !soak

package workspace

// The proofs at the size of a normal run.
const (
	recoveryStride = 5 // every n-th step of a recovery is interrupted
	killRounds     = 25
	oracleEdits    = 150 // by each worker
)
