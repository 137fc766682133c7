package blocks_test

import (
	"os"
	"testing"

	"putcut/blocks"
)

func TestMain(m *testing.M) {
	blocks.WorkerMain()
	os.Exit(m.Run())
}
