// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package pricelist makes a synthetic list of prices, the same for the same numbers on every
// machine. Every combination of an offering and five characteristics has one price, in one of five
// groups and one of two specifications; that is the shape of the list that bitmap-usage searches.
package pricelist

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/uproar-db/uproar/apps/catalog"
)

// Attributes are the names of the attributes that searches name.
var Attributes = [...]string{"offering", "group", "spec", "Term", "B2B Traffic", "VPN", "B2B Bandwidth", "Router"}

// The values of the characteristics, and how many groups there are.
var (
	terms    = []string{"12", "18", "24", "36", "48", "60"}
	traffics = []string{"1GB", "5GB", "10GB", "50GB", "100GB", "500GB", "1TB"}
	routers  = []string{"Included", "Not Included"}
	specs    = []string{"MRC", "NRC"}
)

const (
	groups     = 5
	vpns       = 4
	bandwidths = 29

	// PerOffering is how many prices an offering has.
	PerOffering = 6 * 7 * vpns * bandwidths * 2
)

// Offerings is how many offerings the list of bitmap-usage has.
const Offerings = 50

// Price is a price with its values, in the order of Attributes.
type Price struct {
	Value  int
	Values [len(Attributes)]string
}

// Make returns a list: clustered, by offering and so on, or shuffled.
func Make(offerings int, shuffled bool, seed uint64) []Price {
	r := rand.New(rand.NewPCG(seed, 7))
	list := make([]Price, 0, offerings*PerOffering)
	for range offerings {
		name := fmt.Sprintf("%08x-3965-4c74-8251-%012x", r.Uint32(), r.Uint64()>>16)
		for _, term := range terms {
			for _, traffic := range traffics {
				for vpn := range vpns {
					for bandwidth := range bandwidths {
						for i, router := range routers {
							list = append(list, Price{Value: len(list),
								Values: [...]string{name, fmt.Sprint("group", 1+r.IntN(groups)), specs[i], term,
									traffic, fmt.Sprint("vpn-", vpn),
									fmt.Sprint(1+bandwidth, "Mbps"), router}})
						}
					}
				}
			}
		}
	}
	if shuffled {
		r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	}
	return list
}

// Schema returns the schema of the prices. It keeps groups of attributes together, so that a search
// of any attributes begins with a short list. All attributes are one group: a search of all of them
// meets one price. The four attributes with the most values are a group, and so are any three of
// them. The first two of these make pairs. The attributes with few values are kept in pairs too:
// few lists follow, and each has so many prices that it is a bitset.
func Schema() *catalog.Schema {
	s := new(catalog.Schema)
	for _, name := range Attributes {
		s.Attributes = append(s.Attributes, catalog.Attribute{Name: name})
	}
	s.Attributes = append(s.Attributes, catalog.Attribute{Name: "value", Type: catalog.Number, Info: true})
	most := []string{"offering", "B2B Bandwidth", "B2B Traffic", "Term"}
	s.Combined = [][]string{Attributes[:], most}
	for i := range most {
		but := len(most) - 1 - i // groups of one size are tried in their order: those of more values first
		s.Combined = append(s.Combined, slices.Delete(slices.Clone(most), but, but+1))
	}
	for i, anchor := range most[:2] {
		for _, other := range []string{"B2B Bandwidth", "B2B Traffic", "Term", "group", "VPN", "spec", "Router"}[i:] {
			s.Combined = append(s.Combined, []string{anchor, other})
		}
	}
	s.Combined = append(s.Combined, []string{"group", "spec"}, []string{"VPN", "Router"})
	return s
}

// Record returns a price as a record of a catalog.
func (p *Price) Record() *catalog.Record {
	r := &catalog.Record{Key: fmt.Sprint("p", p.Value), Conditions: make([]catalog.Condition, 0, len(Attributes)+1)}
	for i, v := range p.Values {
		r.Conditions = append(r.Conditions, catalog.Condition{Attribute: Attributes[i], Value: v})
	}
	r.Conditions = append(r.Conditions, catalog.Condition{Attribute: "value", Value: fmt.Sprint(p.Value)})
	return r
}

// Conditions returns the conditions that find the price, those of the attributes that mask has as
// bits.
func (p *Price) Conditions(mask int) (list []catalog.Condition) {
	for i, v := range p.Values {
		if mask>>i&1 != 0 {
			list = append(list, catalog.Condition{Attribute: Attributes[i], Value: v})
		}
	}
	return list
}
