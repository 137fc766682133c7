package blocks

import (
	"bytes"

	"putcut/grammars"
)

// doc is the rule under which the comment x attaches, or nil.
func (t *Tree) doc(x int32) *grammars.Doc {
	n := &t.nodes[x]
	rules := t.docs[n.kind]
	for i := range rules {
		r := &rules[i]
		if hasAny(t.src[n.start:n.end], r.Prefixes) && !hasAny(t.src[n.start:n.end], r.Not) {
			return r
		}
	}
	return nil
}

func hasAny(b []byte, prefixes []string) bool {
	for _, p := range prefixes {
		if bytes.HasPrefix(b, []byte(p)) {
			return true
		}
	}
	return false
}

// documents reports whether the doc comment x may belong to d.
func (t *Tree) documents(x, d int32) bool {
	r := t.doc(x)
	k := t.kindName(d)
	if len(r.To) > 0 {
		return contains(r.To, k)
	}
	return !contains(r.Except, k)
}
