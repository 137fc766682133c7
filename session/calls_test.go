package session

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// A call that was undone leaves nothing in the log of keys: sending and undoing
// it again and again pushes no other call out, and the log never is longer than
// its bound.
func TestCallLogForgets(t *testing.T) {
	l := newCallLog(Limits{Calls: 8, UndoBytes: 1 << 20})
	l.add(&record{id: "first", keys: []string{"kept"}})
	for i := range 2 * maxKeys {
		r := &record{id: fmt.Sprint(i), keys: []string{"again", "and again"}}
		l.add(r)
		l.forget(r)
	}
	if want := map[string]string{"kept": "first"}; !maps.Equal(l.keys, want) || !slices.Equal(l.keyLog, []string{"kept"}) {
		t.Fatalf("%v %d", l.keys, len(l.keyLog))
	}
	for i := range 2 * maxKeys {
		l.add(&record{id: "c", keys: []string{fmt.Sprint("k", i)}})
	}
	if len(l.keyLog) != maxKeys || len(l.keys) != maxKeys || l.keys["kept"] != "" {
		t.Errorf("%d keys, %d in the log", len(l.keys), len(l.keyLog))
	}
}
