package registers

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"putcut/refusal"
)

func refused(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

func pasted(t *testing.T, c *Call, name string, want ...string) {
	t.Helper()
	got, err := c.Paste(name)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("@%s holds %q, %v; want %q", name, got, err, want)
	}
}

const (
	emptyAnon = "EDIT_REGISTER_EMPTY: rejected, nothing was written. there is no CUT without a name above this paste in the same call, so there is nothing to paste. Put the CUT above it in this call, or name a register: `CUT 2.=3 @name` and `PUT >9 @name`."
	ambiguous = "EDIT_REGISTER_AMBIGUOUS: rejected, nothing was written. two CUTs without a name stand above this paste and neither was pasted, so it could mean either. Give each CUT a name: `CUT 2.=3 @a`, `CUT 7.=7 @b`, and paste by name."
)

func TestAnonymousRegister(t *testing.T) {
	c := NewFile(Limits{}).Begin()
	_, err := c.Paste("")
	refused(t, err, emptyAnon)
	c.Cut("", []string{"a"})
	pasted(t, c, "", "a")
	pasted(t, c, "", "a") // repeatedly
	c.Cut("", []string{"b"})
	pasted(t, c, "", "b") // the first was pasted, so there is one meaning
	c.Cut("", []string{"c"})
	c.Cut("", []string{"d"})
	_, err = c.Paste("")
	refused(t, err, ambiguous)
	c.Cut("", nil)
	_, err = c.Paste("")
	refused(t, err, ambiguous)
	c.Commit()
	_, err = c.file.Begin().Paste("") // it lives in one call
	refused(t, err, emptyAnon)
}

func TestAnonymousRegisterOfNoLines(t *testing.T) {
	c := NewFile(Limits{}).Begin()
	c.Cut("", nil)
	pasted(t, c, "")
}

func TestNamedRegisters(t *testing.T) {
	f := NewFile(Limits{})
	c := f.Begin()
	_, err := c.Paste("a")
	refused(t, err, "EDIT_REGISTER_EMPTY: rejected, nothing was written. register @a is empty. Cut into it first: `CUT N.=M @a`.")
	if err := c.Cut("a", []string{"1", "2"}); err != nil {
		t.Fatal(err)
	}
	f.Set("c", []string{"9"})
	_, err = c.Paste("b")
	refused(t, err, "EDIT_REGISTER_EMPTY: rejected, nothing was written. register @b is empty. Cut into it first: `CUT N.=M @b`, or paste one that holds lines: @a, @c.")
	pasted(t, c, "a", "1", "2")
	pasted(t, c, "a", "1", "2") // a paste does not empty it
	if _, ok := f.Get("a"); ok {
		t.Error("a capture is published before the call commits")
	}
	if _, err := f.Begin().Paste("a"); !errors.Is(err, refusal.RegisterEmpty) {
		t.Error("another call sees a capture before it is published")
	}
	c.Commit()
	d := f.Begin()
	pasted(t, d, "a", "1", "2")
	d.Cut("a", []string{"3"})
	pasted(t, d, "a", "3")
	pasted(t, f.Begin(), "a", "1", "2") // d did not commit
	// Named captures never make an anonymous paste mean anything.
	_, err = d.Paste("")
	refused(t, err, emptyAnon)
}

func TestRegisterBounds(t *testing.T) {
	f := NewFile(Limits{Names: 2, Lines: 3, Bytes: 10})
	c := f.Begin()
	if err := c.Cut("a", []string{"1", "2", "3"}); err != nil {
		t.Error(err)
	}
	refused(t, c.Cut("b", []string{"1", "2", "3", "4"}), "EDIT_LIMIT: rejected, nothing was written. register @b would hold 4 lines, and a register holds 3 at most. Cut fewer lines, or paste within one call from the anonymous register.")
	if err := c.Cut("b", []string{"123456789"}); err != nil {
		t.Error(err)
	}
	refused(t, c.Cut("c", []string{"12345", "6789"}), "EDIT_LIMIT: rejected, nothing was written. register @c would hold 11 bytes, and a register holds 10 at most. Cut fewer lines, or paste within one call from the anonymous register.")
	if err := c.Cut("", []string{"1", "2", "3", "a long row, and more rows than a named one may hold"}); err != nil {
		t.Errorf("the anonymous register is bounded: %v", err)
	}
	c.Commit()
	f.Get("a") // a use
	d := f.Begin()
	d.Cut("d", []string{"x"})
	d.Commit()
	if names, lines := f.All(); !slices.Equal(names, []string{"a", "d"}) || len(lines[0]) != 3 || lines[1][0] != "x" {
		t.Errorf("registers %v %v: not the least recently used one went", names, lines)
	}
	if got, want := (Limits{}).filled(), (Limits{16, 4096, 1 << 20}); got != want {
		t.Errorf("defaults %+v", got)
	}
}

func TestSet(t *testing.T) {
	f := NewFile(Limits{})
	f.Set("a", []string{"1"})
	if got, ok := f.Get("a"); !ok || strings.Join(got, "") != "1" {
		t.Errorf("%v %v", got, ok)
	}
}

func TestRegistersOfManyGoroutines(t *testing.T) {
	f := NewFile(Limits{Names: 3})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 100 {
				c := f.Begin()
				c.Cut(fmt.Sprintf("r%d", g%5), []string{"x"})
				c.Paste("r0")
				c.Commit()
				f.All()
			}
		}()
	}
	wg.Wait()
	if names, _ := f.All(); len(names) != 3 {
		t.Errorf("%d registers", len(names))
	}
}
