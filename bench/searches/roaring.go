// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
)

// index is a price list in roaring bitmaps: one for each value of each attribute.
type index struct {
	offerings, groups, specs map[string]*roaring.Bitmap
	chars                    map[string]map[string]*roaring.Bitmap
	prices                   []price
}

// price is a price as it is answered.
type price struct {
	ID       string  `json:"id"`
	Spec     string  `json:"spec"`
	Value    float64 `json:"value"`
	Currency string  `json:"currency"`
}

// request is a search.
type request struct {
	ID       uint16 `json:"id"`
	Offering string `json:"offeringId"`
	Group    string `json:"groupId"`
	Spec     string `json:"priceSpecId"`
	Chars    []struct {
		Char  string `json:"char"`
		Value string `json:"value"`
	} `json:"charValues"`
}

func newIndex(list []pricelist.Price) *index {
	x := &index{offerings: map[string]*roaring.Bitmap{}, groups: map[string]*roaring.Bitmap{},
		specs: map[string]*roaring.Bitmap{}, chars: map[string]map[string]*roaring.Bitmap{}}
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
		x.prices = append(x.prices, price{ID: "p" + strconv.Itoa(p.Value), Spec: p.Values[2], Value: float64(p.Value)})
	}
	for _, b := range all {
		b.RunOptimize()
	}
	return x
}

// find returns the one price that a search finds, or says why there is none. The bitmaps are taken
// from dst, which is returned.
func (x *index) find(dst []*roaring.Bitmap, q *request) (found *price, why string, of []*roaring.Bitmap) {
	for _, c := range [...]struct {
		in      map[string]*roaring.Bitmap
		value   string
		unknown string
	}{{x.offerings, q.Offering, "unable find offeringId in index"}, {x.groups, q.Group, "unable find groupId in index"},
		{x.specs, q.Spec, "unable find specId in index"}} {
		b := c.in[c.value]
		if b == nil {
			return nil, c.unknown, dst
		}
		dst = append(dst, b)
	}
	for i := range q.Chars {
		values := x.chars[q.Chars[i].Char]
		if values == nil {
			return nil, "unable to find charId in index", dst
		}
		b := values[q.Chars[i].Value]
		if b == nil {
			return nil, "unable to find charValue in index", dst
		}
		dst = append(dst, b)
	}
	slices.SortFunc(dst, func(a, b *roaring.Bitmap) int { return cmp.Compare(a.GetCardinality(), b.GetCardinality()) })
	switch all := roaring.FastAnd(dst...); all.GetCardinality() {
	case 0:
		return nil, "unable find price", dst
	case 1:
		return &x.prices[all.Minimum()], "", dst
	default:
		return nil, "unable find price, no default and >1 found", dst
	}
}
