package blocks

import (
	"fmt"

	"putcut/grammars"
	"putcut/refusal"
)

// whole says why a text has no tree at all.
type whole struct {
	what, next string
}

func (w *whole) refusal() *refusal.Error {
	return &refusal.Error{Code: refusal.BlockUnresolved, What: w.what, Next: w.next}
}

const plain = "Give the lines themselves: `PUT N.=M:`, `CUT N.=M`, `PUT >M:`"

func unsupported(lang string) *whole {
	if lang == "" {
		return &whole{"the language of the file is unknown, so blocks are unsupported in it", plain}
	}
	if grammars.Lookup(lang) != nil && !compiled {
		return &whole{fmt.Sprintf("this build has no parser for %s, because it was made without cgo", lang), plain}
	}
	return &whole{fmt.Sprintf("blocks are unsupported in %s", lang), plain}
}

func tooLarge(size, limit int) *whole {
	return &whole{fmt.Sprintf("the file has %d bytes, which is too large for blocks (the limit is %d)", size, limit), plain}
}

func tooDeep(what string) *whole {
	return &whole{"the file is not parsed: " + what, plain}
}

var outOfTime = &whole{"parsing the file was out of time or memory", plain}
