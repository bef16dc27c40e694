// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Of many sets, the vanguard of the rarest among the first scouts is intersected first: few sets
// have a value in common with all of the others, and opening the others costs more than finding
// out. If the two rarest have few values in common, which the fast ways of pairs find, those lead.
const (
	scouts   = 32
	vanguard = 4
	tiny     = 64 // values of a list that is rare enough not to look further
)

// meetAll passes on the values that all sets have.
func (c *multiway) meetAll(to *sink, views []view.View, keys keyRange) {
	if len(views) > vanguard {
		c.orderFew(views[:min(len(views), scouts)])
		p := pair.BorrowResult()
		defer p.Release()
		if values, ok := p.Few(&views[uint32(c.order[0])], &views[uint32(c.order[1])]); ok {
			if len(values) > 0 {
				c.order = c.order[:0]
				c.orderAll(views)
				c.probe(to, values, c.order, views, keys)
			}
			return
		}
		first := sink{first: true}
		c.meet(&first, views, keys)
		c.leave()
		if !first.found {
			return
		}
		keys.lo = first.key
	}
	c.orderAll(views)
	c.meet(to, views, keys)
}

// orderFew takes the rarest sets, up to vanguard, in order. Once these are tiny, it looks at no
// others.
func (c *multiway) orderFew(views []view.View) {
	for i := range views {
		if i == 2*vanguard && c.order[vanguard-1]>>32 <= tiny {
			return
		}
		r := rank(&views[i], i)
		n := len(c.order)
		if n < vanguard {
			c.order = append(c.order, r)
			n++
		} else if r > c.order[n-1] {
			continue
		}
		j := n - 1
		for ; j > 0 && c.order[j-1] > r; j-- {
			c.order[j] = c.order[j-1]
		}
		c.order[j] = r
	}
}

// orderAll takes all sets, the rarest first.
func (c *multiway) orderAll(views []view.View) {
	for i := range views {
		c.order = append(c.order, rank(&views[i], i))
	}
	slices.Sort(c.order)
}

// meet passes on the values that all ordered sets have: the rarest set leads, and the others are
// asked, the rarest first, for the chunks it has (leapfrog join: Veldhuizen 2014) and that all
// before them have. A set is opened when it is asked for the first time.
func (c *multiway) meet(to *sink, views []view.View, keys keyRange) {
	lead, ranks := &views[uint32(c.order[0])], c.order[1:]
	if pair.Sparse(lead) {
		c.probeAll(to, lead, ranks, views, keys)
		return
	}
	c.cursors = append(c.cursors, lead.Cursor(nil))
	more := enterRange(&c.cursors[0], keys)
	for more && c.cursors[0].Pos < keys.hi {
		key := c.cursors[0].Pos
		behind := false
		for i := 0; i < len(ranks) && !behind; i++ {
			if i+1 == len(c.cursors) {
				c.cursors = append(c.cursors, views[uint32(ranks[i])].Cursor(nil))
			}
			x := &c.cursors[i+1]
			if !x.Seek(key) {
				return
			}
			if behind = x.Pos > key; behind {
				key = x.Pos
			}
		}
		if behind {
			more = c.cursors[0].Seek(key)
			continue
		}
		if c.common(to, key); to.done() {
			return
		}
		more = c.cursors[0].Next()
	}
}

// common passes on the values that all cursors have in the chunk at which they stand.
func (c *multiway) common(to *sink, key uint64) {
	g := &c.g
	g.begin(container.And, key)
	g.block = g.read(&c.cursors[0])
	for i := range c.cursors[1:] {
		if g.block.IsEmpty() {
			return
		}
		next := g.read(&c.cursors[1+i])
		if to.m == nil && i == len(c.cursors)-2 {
			if n := g.block.AndLen(next); n > 0 {
				to.count(n, key)
			}
			g.block = container.Block{}
			return
		}
		g.block = g.s.And(g.block, next)
	}
	to.block(g.block)
}

// rank orders sets by what it costs to walk them: short lists by their values, the others by their
// containers. Its lower half says which set it is.
func rank(v *view.View, i int) uint64 {
	// More than the values of a short list. The longest lists rank like a few containers.
	const more = view.MaxList + 1
	weight := uint64(v.Count())
	switch {
	case v.Form() == view.FormList:
		weight = uint64(v.ListLen())
	case v.Count() > 1:
		weight = min(weight+more, math.MaxUint32)
	}
	return weight<<32 | uint64(i)
}

// probeAll passes on the values of a short list that all sets of the ranks have, batch by batch.
func (c *multiway) probeAll(to *sink, lead *view.View, ranks []uint64, views []view.View, keys keyRange) {
	var values [64]uint64
	var f pair.Feed
	f.Open(lead)
	f.Seek(keys.lo << 16)
	for n := f.Fill(values[:]); n > 0 && values[0]>>16 < keys.hi && !to.done(); n = f.Fill(values[:]) {
		c.probe(to, values[:n], ranks, views, keys)
	}
}

// probe passes on the values that all sets of the ranks have. One set after the other thins them
// out. The values ascend from call to call.
func (c *multiway) probe(to *sink, values, ranks []uint64, views []view.View, keys keyRange) {
	for len(values) > 0 && values[0]>>16 < keys.lo {
		values = values[1:]
	}
	for len(values) > 0 && values[len(values)-1]>>16 >= keys.hi {
		values = values[:len(values)-1]
	}
	for i := 0; i < len(ranks) && len(values) > 0; i++ {
		if i == len(c.probers) {
			c.probers = append(c.probers, pair.Prober{})
			c.probers[i].Open(&views[uint32(ranks[i])])
		}
		values = values[:c.probers[i].Keep(values)]
	}
	for _, x := range values {
		if to.value(x); to.done() {
			return
		}
	}
}
