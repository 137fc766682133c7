//go:build !cgo

package blocks

import (
	"context"

	"putcut/grammars"
)

const compiled = false

// Without cgo no grammar loads, so none of this is reached.

type grammar struct{ *syntax }

type cTree struct{}

type edit struct {
	start, oldEnd, newEnd uint32
	at                    [6]uint32
}

func load(*grammars.Language) *grammar { return nil }

func (c *cTree) close()       {}
func (c *cTree) copy() *cTree { return c }
func (c *cTree) edit(edit)    {}

func (g *grammar) parse(context.Context, []byte, *cTree, *budget) *cTree { return nil }

type basis struct {
	nodes []node
	ids   []uint64
	edit  edit
}

func (g *grammar) nodes(*cTree, bool, *basis) ([]node, []uint64) { return nil, nil }
func (g *grammar) flatten(*cTree) ([]node, []uint64)             { return nil, nil }

const maxNodes = 1 << 23
