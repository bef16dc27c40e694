// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/uproar-db/uproar/bench/prices"
	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
)

// What bitmap-usage says when there is no price.
const (
	noPrice    = "unable find price"
	manyPrices = "unable find price, no default and >1 found"
)

// finder is a price list in memory that answers searches, for any number of callers at a time.
type finder interface {
	// find returns the one price that a search finds, or says why there is none. It works in the
	// memory of r.
	find(r *room, q *request) (found *price, why string)
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

// room is the memory of searches.
type room struct {
	bitmaps []*roaring.Bitmap
	request request
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// sizes are the bytes that a server holds: what it finds prices with, and the prices themselves.
type sizes struct {
	Index    int64 `json:"index"`
	Entities int64 `json:"entities"`
}

// newFinder makes a price list of a kind, and says what it takes of the heap.
func newFinder(kind string, list []pricelist.Price) (f finder, s sizes, err error) {
	var entities []price
	s.Entities = prices.Heap(func() {
		entities = make([]price, len(list))
		for i := range list {
			p := &list[i]
			entities[i] = price{ID: "p" + strconv.Itoa(p.Value), Spec: p.Values[2], Value: float64(p.Value)}
		}
	})
	var all []conditions
	if kind == scanKind { // who scans prices looks at what they ask for, too
		s.Entities += prices.Heap(func() { all = newConditions(list, entities) })
	}
	s.Index = prices.Heap(func() {
		switch kind {
		case roaringKind:
			f = newIndex(list, entities)
		case scanKind:
			f = newScan(all)
		case compositeKind:
			f = newComposite(list, entities)
		default:
			err = fmt.Errorf("searches: no server is called %q", kind)
		}
	})
	return f, s, err
}
