// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prices

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
)

// peer is the list in roaring bitmaps: one for each value of each attribute, as bitmap-usage has
// it, behind a lock for who writes meanwhile.
type peer struct {
	mu sync.RWMutex
	of [len(pricelist.Attributes)]map[string]*roaring.Bitmap
}

func newPeer(list []pricelist.Price) *peer {
	p := new(peer)
	for i := range p.of {
		p.of[i] = make(map[string]*roaring.Bitmap)
	}
	for at := range list {
		for i, v := range list[at].Values {
			b := p.of[i][v]
			if b == nil {
				b = roaring.New()
				p.of[i][v] = b
			}
			b.Add(uint32(at))
		}
	}
	for _, values := range p.of {
		for _, b := range values {
			b.RunOptimize()
		}
	}
	return p
}

// find returns the prices that have the values of one, in the attributes of a mask. It starts with
// the shortest list.
func (p *peer) find(room []*roaring.Bitmap, want *pricelist.Price, mask int) *roaring.Bitmap {
	for i, v := range want.Values {
		if mask>>i&1 != 0 {
			room = append(room, p.of[i][v])
		}
	}
	slices.SortFunc(room, func(a, b *roaring.Bitmap) int { return cmp.Compare(a.GetCardinality(), b.GetCardinality()) })
	return roaring.FastAnd(room...)
}

// search returns a search for the first of some prices.
func (m *measuring) search(p *peer, mask, first int) func(i int) error {
	room := make([]*roaring.Bitmap, 0, len(pricelist.Attributes))
	return func(i int) error {
		want := m.price(first + i)
		if found := p.find(room, want, mask); mask == all && (found.GetCardinality() != 1 ||
			m.list[found.Minimum()].Value != want.Value) || found.IsEmpty() {
			return wrong("roaring", want, found)
		}
		return nil
	}
}

// roaring measures searches of all conditions of roaring bitmaps in memory. It also measures them
// beside a writer that takes prices out and puts them in again as they were, one lock for each
// write.
func (m *measuring) roaring(ctx context.Context) error {
	var p *peer
	size := Heap(func() { p = newPeer(m.list) })
	if err := m.line("roaring", "all conditions", size, m.search(p, all, 0)); err != nil {
		return err
	}
	if err := m.slowest("roaring", func(mask int) func(i int) error { return m.search(p, mask, 0) }); err != nil {
		return err
	}
	return m.beside(ctx, "roaring, RWMutex", func(from int) error {
		p.mu.Lock()
		defer p.mu.Unlock()
		for i := from; i < from+pricesPerWrite; i++ {
			at := m.at(i)
			for k, v := range m.list[at].Values {
				p.of[k][v].Remove(uint32(at))
				p.of[k][v].Add(uint32(at))
			}
		}
		return nil
	}, func(reader int) func(i int) error {
		search := m.search(p, all, reader)
		return func(i int) error {
			p.mu.RLock()
			defer p.mu.RUnlock()
			return search(i)
		}
	})
}
