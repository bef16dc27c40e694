// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package population

import (
	"iter"
	"math"
	"slices"
)

// What there is to choose from.
const (
	Terms    = 100_000
	Postals  = 40_000
	Cities   = 5_000
	segments = 50
	ofOne    = 3_000 // terms of a segment
	mostOf   = 400   // draws of terms for a person
)

// Population is synthetic people, the same for the same numbers on every machine. Each belongs to
// one of 50 latent segments. Of the terms of a person, 4 and an exponential number with a mean of
// 33 but at most 400 draws, without duplicates, 65 % follow a Zipf law of 1.05 over all terms and
// 35 % are of the vocabulary of the segment. The numbers of people carry no order: what one is like
// has nothing to do with the neighbours.
//
// Methods are safe for concurrent use.
type Population struct {
	People int
	Seed   uint64

	terms  *skewed
	cities *skewed
}

// NewPopulation returns a population of a number of people.
func NewPopulation(people int, seed uint64) *Population {
	return &Population{People: people, Seed: seed, terms: newSkewed(Terms, 1.05), cities: newSkewed(Cities, 0.8)}
}

// Person is one of a population. Values are numbers from 0, below the Values of Demographics.
type Person struct {
	Terms       []uint32 // ascending
	Postal      uint32
	City        uint32 // the one that the postal code is of
	Demographic [6]uint8
}

// Demographic fields: their names, and how many values each has.
var Demographics = [6]struct {
	Name   string
	Values int
}{{"gender", 2}, {"age", 7}, {"income", 5}, {"education", 4}, {"children", 3}, {"device", 4}}

// All yields the people from one on, with their numbers. The person is overwritten by the next one.
func (p *Population) All(from int) iter.Seq2[int, *Person] {
	return func(yield func(int, *Person) bool) {
		var one Person
		for i := from; i < p.People; i++ {
			p.person(i, &one)
			if !yield(i, &one) {
				return
			}
		}
	}
}

// person makes the person of a number.
func (p *Population) person(i int, to *Person) {
	r := random(mix(uint64(i)+1) ^ mix(p.Seed^0xa0d1e))
	segment := r.below(segments)
	draws := min(mostOf, 4+int(-33*math.Log(r.unit())))
	to.Terms = to.Terms[:0]
	for range draws {
		if r.below(100) < 65 {
			to.Terms = append(to.Terms, uint32(p.terms.draw(&r)))
		} else {
			to.Terms = append(to.Terms, vocabulary(segment, r.below(ofOne)))
		}
	}
	slices.Sort(to.Terms)
	to.Terms = slices.Compact(to.Terms)
	to.City = uint32(p.cities.draw(&r))
	to.Postal = to.City*(Postals/Cities) + uint32(r.below(Postals/Cities))
	for i := range to.Demographic {
		// The first values are a little more frequent than the last.
		n := Demographics[i].Values
		to.Demographic[i] = uint8(min(r.below(n), r.below(2*n)))
	}
}

// vocabulary returns a term of a segment: its 3 000 are spread over all.
func vocabulary(segment, i int) uint32 {
	return uint32(mix(uint64(segment)<<32|uint64(i)) % Terms)
}
