// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"fmt"
	"math"
)

// pairBuffer holds the writes to a relation that a load was given with Relate. They are pairs of numbers of keys; a full buffer of them is sorted in both
// directions and written to runs by another goroutine, while the next one is filled.
type pairBuffer struct {
	field, inverse uint32
	numbers        []uint64 // of keys: that of the row in the upper half
	spare          []uint64 // nil while it is being sorted
	scratch        []uint64
	runs, turned   pairRuns // of the field, and of its inverse

	sorting chan error // gets the outcome of what is being sorted; nil: nothing is
}

// loadPair is the memory that a pair takes: where it is gathered, where it is sorted meanwhile, and beside that.
const loadPair = 3 * 8

// relateGroup is how many keys are numbered between two looks whether there is room.
const relateGroup = 2 << 10

// Relate puts records into the lists of rows of a relation, all of which are records known by their keys: the key of a row, of a record, of the next row, and so on.
// All of them exist from then on. It is for many of them at a time: some 1000. The keys are copied where they are kept. Errors as of Set.
func (l *Loader) Relate(field uint32, keys [][]byte) error {
	if err := l.check(field, Lists); err != nil {
		return err
	}
	inverse := l.ix.fields[field].Inverse
	if inverse == 0 || len(keys)%2 != 0 {
		return fmt.Errorf("%w: got field %d and %d keys, want a relation and two keys for each pair", ErrInvalid, field, len(keys))
	}
	for len(keys) > 0 && l.err == nil {
		n := min(relateGroup, len(keys))
		l.err = l.relate(l.pairsOf(field, inverse), keys[:n])
		keys = keys[n:]
	}
	return l.err
}

// pairsOf returns the pairs of a relation.
func (l *Loader) pairsOf(field, inverse uint32) *pairBuffer {
	p := l.pairs[field]
	if p == nil {
		p = &pairBuffer{field: field, inverse: inverse}
		p.runs.memory, p.turned.memory = l.memory/8, l.memory/8
		l.pairs[field] = p
	}
	return p
}

func (l *Loader) relate(p *pairBuffer, keys [][]byte) error {
	if l.known.count > math.MaxUint32-len(keys) {
		l.forget = true
	}
	if err := l.Trim(); err != nil {
		return err
	}
	l.numbers = l.known.addAll(l.numbers[:0], RecordSpace, keys, func(i, number int) {
		l.await(RecordSpace, keys[i])
		l.edits = append(l.edits, edit{field: Exists, set: true, record: uint64(keyRef) | uint64(number)})
	})
	for i := 0; i < len(l.numbers); i += 2 {
		p.numbers = append(p.numbers, uint64(l.numbers[i])<<32|uint64(l.numbers[i+1]))
	}
	if int64(len(p.numbers))*loadPair*int64(len(l.pairs)) > l.memory*3/8 {
		if err := l.name(); err != nil {
			return err
		}
		if err := l.hand(p); err != nil {
			return err
		}
	}
	return l.makeRoom()
}

// hand has the pairs gathered sorted and written to runs, once those before are. Their keys have IDs.
func (l *Loader) hand(p *pairBuffer) error {
	if err := p.await(); err != nil || len(p.numbers) == 0 {
		return err
	}
	if l.widest > math.MaxUint32 {
		return l.widen(p)
	}
	ids := l.ids // which are appended to, but never change
	words := p.numbers
	p.numbers, p.spare = p.spare[:0], nil
	sorting := make(chan error, 1)
	p.sorting = sorting
	go func() { sorting <- p.sort(words, ids) }()
	return nil
}

// await waits until nothing is being sorted.
func (p *pairBuffer) await() error {
	if p.sorting == nil {
		return nil
	}
	err := <-p.sorting
	p.sorting = nil
	return err
}

// sort puts IDs in the place of numbers, and writes a run of each direction.
func (p *pairBuffer) sort(words, ids []uint64) error {
	for i, w := range words {
		words[i] = ids[w>>32]<<32 | ids[uint32(w)]
	}
	if cap(p.scratch) < len(words) {
		p.scratch = make([]uint64, cap(words))
	}
	words, p.scratch = sortPairs(words, p.scratch[:len(words)])
	err := p.runs.add(words)
	words, p.scratch = turnPairs(words, p.scratch)
	p.spare = words
	return errors.Join(err, p.turned.add(words))
}

// widen makes edits of pairs whose IDs need more than 32 bits.
func (l *Loader) widen(p *pairBuffer) error {
	for _, w := range p.numbers {
		l.edits = append(l.edits, edit{field: p.field, set: true, row: l.ids[w>>32], record: l.ids[uint32(w)]})
	}
	p.numbers = p.numbers[:0]
	edits, err := l.sorted()
	return errors.Join(err, l.runs.add(edits))
}

// spillPairs writes the pairs gathered to runs.
func (l *Loader) spillPairs() (err error) {
	for _, p := range l.pairs {
		err = errors.Join(err, l.hand(p), p.await())
	}
	return err
}

// finishPairs is spillPairs, and lets go of the memory for more of them.
func (l *Loader) finishPairs() error {
	err := l.spillPairs()
	for _, p := range l.pairs {
		p.numbers, p.spare, p.scratch = nil, nil, nil
	}
	return err
}

// pairCount returns how many edits the pairs are.
func (l *Loader) pairCount() (n int) {
	for _, p := range l.pairs {
		n += p.runs.pairs + p.turned.pairs
	}
	return n
}

func (l *Loader) closePairs() (err error) {
	for _, p := range l.pairs {
		_ = p.await() // of which nothing is used any more
		err = errors.Join(err, p.runs.close(), p.turned.close())
	}
	return err
}
