package workspace

import (
	"encoding/json"
	"testing"
)

// The head is spelled by hand and read by encoding/json.
func TestJournalRow(t *testing.T) {
	at := placeName{Root: []byte("/a\xff"), Dir: []byte("."), Base: []byte(`b"c`)}
	for _, h := range []journalHead{
		{},
		{Version: 1, Durable: true, Single: true, Parts: []partRecord{{Kind: partReplace, At: at, Temp: ".putcut-1-0", Aside: ".putcut-1-0o", Old: "00", New: "ff"}}},
		{Version: 1, Parts: []partRecord{{Kind: partRename, At: at, To: at}, {Kind: partInPlace, At: at, Image: "x.old0", NewImage: "x.new0"}, {Kind: partCreate, At: at, Temp: "t"}}, Made: []placeName{at, {}, at}},
		{Parts: []partRecord{}},
		{Parts: []partRecord{{}}, Made: []placeName{{Dir: []byte{}}}},
	} {
		want, err := json.Marshal(h)
		must(t, err)
		if got := string(h.row()); got != string(want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
