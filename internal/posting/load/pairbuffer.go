// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// refHalf returns a Ref as half of a word of a pair.
func refHalf(r model.Ref) (half uint64, ok bool) {
	if r&model.KeyRef != 0 {
		return numberBit | uint64(r&^model.KeyRef), r&^model.KeyRef < mostNumbers
	}
	return uint64(r), r < numberBit
}

// halfRef is the inverse of refHalf.
func halfRef(half uint64) model.Ref {
	if half&numberBit != 0 {
		return model.KeyRef | model.Ref(half&^numberBit)
	}
	return model.Ref(half)
}

// pairBuffer holds the writes to a field whose rows and records have IDs or numbers below 2^31. A
// full buffer of them is sorted in both directions and written to runs by another goroutine, while
// the next one is filled.
type pairBuffer struct {
	field, inverse uint32   // inverse: a relation's, or the field of a column; 0: there is neither
	single         bool     // assignments: the record in the upper half, its row in the lower; the last counts
	wide           bool     // an ID of an assignment was beyond 31 bits: none is a pair
	Words          []uint64 // the row in the upper half
	Spare          []uint64 // nil while it is being sorted
	Scratch        []uint64
	Runs, turned   pairRuns // of the field, and of the other direction

	sorting chan error // gets the outcome of what is being sorted; nil: nothing is
}

// loadPair is the memory that a pair takes: where it is gathered, where it is sorted meanwhile, and
// beside that.
const loadPair = 3 * 8

// put gathers a pair.
func (p *pairBuffer) put(word uint64) {
	p.reserve(1)
	p.Words = append(p.Words, word)
}

// reserve makes room for n more pairs.
func (p *pairBuffer) reserve(n int) {
	if cap(p.Words)-len(p.Words) < n {
		// to twice as many: append copies all of them more often
		p.Words = slices.Grow(p.Words, max(leastPairs, n, len(p.Words)))
	}
}

const leastPairs = 64

// hand has the pairs gathered sorted and written to runs, once those before are. ids are those of
// the numbers in them.
func (p *pairBuffer) hand(ids []uint64) error {
	if err := p.Await(); err != nil || len(p.Words) == 0 {
		return err
	}
	words := p.Words
	p.Words, p.Spare = p.Spare[:0], nil
	sorting := make(chan error, 1)
	p.sorting = sorting
	go func() { sorting <- p.sort(words, ids) }()
	return nil
}

// Await waits until nothing is being sorted.
func (p *pairBuffer) Await() error {
	if p.sorting == nil {
		return nil
	}
	err := <-p.sorting
	p.sorting = nil
	return err
}

// idOf returns the ID that half of a word stands for.
func idOf(half uint64, ids []uint64) uint64 {
	if half&numberBit != 0 {
		return ids[half&^numberBit]
	}
	return half
}

// sort puts IDs in the place of numbers, and writes a run of each direction.
func (p *pairBuffer) sort(words, ids []uint64) error {
	if ids != nil {
		for i, w := range words {
			words[i] = idOf(w>>32, ids)<<32 | idOf(w&(1<<32-1), ids)
		}
	}
	if cap(p.Scratch) < len(words) {
		p.Scratch = make([]uint64, cap(words))
	}
	if p.single {
		words, p.Scratch = sortAssigned(words, p.Scratch[:len(words)])
	} else {
		words, p.Scratch = sortPairs(words, p.Scratch[:len(words)])
	}
	err := p.Runs.add(words)
	if p.inverse == 0 {
		p.Spare = words
		return err
	}
	words, p.Scratch = turnPairs(words, p.Scratch)
	p.Spare = words
	return errors.Join(err, p.turned.add(words))
}
