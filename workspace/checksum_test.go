package workspace

import (
	"hash/crc32"
	"testing"
)

// Journals outlive the program that wrote them.
func TestChecksumIsCastagnoli(t *testing.T) {
	if *castagnoli() != *crc32.MakeTable(crc32.Castagnoli) {
		t.Error("the table is not the polynomial's")
	}
	if got := string(journalRow([]byte("123456789"))); got != "123456789 e3069283\n" {
		t.Errorf("%q", got)
	}
}
