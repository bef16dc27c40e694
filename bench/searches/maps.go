// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import "github.com/uproar-db/uproar/cmd/uproar/pricelist"

// scan is a price list in a map from offerings, all of whose prices are looked at, as bitmap-usage
// has it.
type scan map[string][]*conditions

// conditions are what a price asks for.
type conditions struct {
	price  *price
	values [len(pricelist.Attributes)]string
}

func newConditions(list []pricelist.Price, prices []price) []conditions {
	all := make([]conditions, len(list))
	for i := range list {
		all[i] = conditions{price: &prices[i], values: list[i].Values}
	}
	return all
}

func newScan(all []conditions) scan {
	s := make(scan)
	for i := range all {
		s[all[i].values[0]] = append(s[all[i].values[0]], &all[i])
	}
	return s
}

// find is that of finder.
func (s scan) find(_ *room, q *request) (found *price, why string) {
	for _, c := range s[q.Offering] {
		if c.values[1] != q.Group || c.values[2] != q.Spec || !c.have(q) {
			continue
		}
		if found != nil {
			return nil, manyPrices
		}
		found = c.price
	}
	if found == nil {
		return nil, noPrice
	}
	return found, ""
}

// have reports whether the conditions have all characteristics of a search.
func (c *conditions) have(q *request) bool {
	for i := range q.Chars {
		if at := attribute(q.Chars[i].Char); at < 0 || c.values[at] != q.Chars[i].Value {
			return false
		}
	}
	return true
}

// attribute returns the position of a characteristic, or -1.
func attribute(name string) int {
	for i := firstChar; i < len(pricelist.Attributes); i++ {
		if pricelist.Attributes[i] == name {
			return i
		}
	}
	return -1
}

// firstChar is the position of the first characteristic, behind offering, group and specification.
const firstChar = 3

// composite is a price list in one map from all values: it finds nothing by fewer.
type composite map[[len(pricelist.Attributes)]string]*price

func newComposite(list []pricelist.Price, prices []price) composite {
	c := make(composite, len(list))
	for i := range list {
		c[list[i].Values] = &prices[i]
	}
	return c
}

// find is that of finder.
func (c composite) find(_ *room, q *request) (found *price, why string) {
	key := [len(pricelist.Attributes)]string{q.Offering, q.Group, q.Spec}
	for i := range q.Chars {
		at := attribute(q.Chars[i].Char)
		if at < 0 {
			return nil, noPrice
		}
		key[at] = q.Chars[i].Value
	}
	if found = c[key]; found == nil {
		return nil, noPrice
	}
	return found, ""
}
