// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
)

// index is a price list in roaring bitmaps: one for each value of each attribute.
type index struct {
	offerings, groups, specs map[string]*roaring.Bitmap
	chars                    map[string]map[string]*roaring.Bitmap
	prices                   []price
}

func newIndex(list []pricelist.Price, prices []price) *index {
	x := &index{offerings: map[string]*roaring.Bitmap{}, groups: map[string]*roaring.Bitmap{},
		specs: map[string]*roaring.Bitmap{}, chars: map[string]map[string]*roaring.Bitmap{}, prices: prices}
	var all []*roaring.Bitmap
	add := func(m map[string]*roaring.Bitmap, value string, at int) {
		if m[value] == nil {
			m[value] = roaring.New()
			all = append(all, m[value])
		}
		m[value].Add(uint32(at))
	}
	for i := range list {
		p := &list[i]
		add(x.offerings, p.Values[0], i)
		add(x.groups, p.Values[1], i)
		add(x.specs, p.Values[2], i)
		for k := 3; k < len(p.Values); k++ {
			name := pricelist.Attributes[k]
			if x.chars[name] == nil {
				x.chars[name] = map[string]*roaring.Bitmap{}
			}
			add(x.chars[name], p.Values[k], i)
		}
	}
	for _, b := range all {
		b.RunOptimize()
	}
	return x
}

// find is that of finder. It begins with the shortest list.
func (x *index) find(r *room, q *request) (found *price, why string) {
	lists := r.bitmaps[:0]
	defer func() { r.bitmaps = lists }()
	for _, c := range [...]struct {
		in      map[string]*roaring.Bitmap
		value   string
		unknown string
	}{{x.offerings, q.Offering, "unable find offeringId in index"}, {x.groups, q.Group, "unable find groupId in index"},
		{x.specs, q.Spec, "unable find specId in index"}} {
		b := c.in[c.value]
		if b == nil {
			return nil, c.unknown
		}
		lists = append(lists, b)
	}
	for i := range q.Chars {
		values := x.chars[q.Chars[i].Char]
		if values == nil {
			return nil, "unable to find charId in index"
		}
		b := values[q.Chars[i].Value]
		if b == nil {
			return nil, "unable to find charValue in index"
		}
		lists = append(lists, b)
	}
	slices.SortFunc(lists, func(a, b *roaring.Bitmap) int {
		return cmp.Compare(a.GetCardinality(), b.GetCardinality())
	})
	switch all := roaring.FastAnd(lists...); all.GetCardinality() {
	case 0:
		return nil, noPrice
	case 1:
		return &x.prices[all.Minimum()], ""
	default:
		return nil, manyPrices
	}
}
