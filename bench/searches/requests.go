// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"fmt"
	"strings"

	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
)

// Paths of bitmap-usage.
const (
	pathOne  = "/v1/search/bitmap/prices"
	pathBulk = "/v4/search/bitmap/bulk/prices"
)

// perBulk is how many searches a bulk request has.
const perBulk = 10_000

// requests are what both servers are asked.
type requests struct {
	one   []string // each names all conditions, and finds one price
	other []string // nothing, several, and what is unknown
	bulk  string   // perBulk in an array
}

// newRequests makes requests for prices that are spread over a list.
func newRequests(list []pricelist.Price) *requests {
	r := new(requests)
	price := func(i int) *pricelist.Price { return &list[int(uint64(i)*2654435761%uint64(len(list)))] }
	for i := range 4096 {
		r.one = append(r.one, body(price(i), -1, 255))
	}
	for i := range 64 {
		for mask := range 32 {
			r.other = append(r.other, body(price(i), -1, 7|mask<<3))
		}
		p := *price(i)
		p.Values[i%len(p.Values)] = "no such value"
		r.other = append(r.other, body(&p, -1, 255))
		p = *price(i)
		p.Values[2] = list[0].Values[2]
		r.other = append(r.other, body(&p, -1, 255))
	}
	r.other = append(r.other, strings.Replace(r.one[0], "B2B Bandwidth", "Width", 1))
	all := make([]string, perBulk)
	for i := range all {
		all[i] = body(price(i), i, 255)
	}
	r.bulk = "[" + strings.Join(all, ",") + "]"
	return r
}

// body is a request for a price, by the conditions of a mask of attributes. It has a number if id
// is not below 0.
func body(p *pricelist.Price, id, mask int) string {
	var b strings.Builder
	b.WriteByte('{')
	if id >= 0 {
		fmt.Fprintf(&b, "\"id\":%d,", id)
	}
	fmt.Fprintf(&b, "\"offeringId\":%q,\"groupId\":%q,\"priceSpecId\":%q,\"charValues\":[", p.Values[0], p.Values[1],
		p.Values[2])
	comma := ""
	for i := 3; i < len(p.Values); i++ {
		if mask>>i&1 != 0 {
			fmt.Fprintf(&b, "%s{\"char\":%q,\"value\":%q}", comma, pricelist.Attributes[i], p.Values[i])
			comma = ","
		}
	}
	b.WriteString("]}")
	return b.String()
}
