// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// pairBuffer holds the writes to a field whose rows and records have IDs or numbers below 2^31. A
// full buffer of them is sorted in both directions and written to runs by another goroutine, while
// the next one is filled.
type pairBuffer struct {
	field, inverse uint32   // inverse: a relation's, or the field of a column; 0: there is neither
	Words          []uint64 // the row in the upper half
	Spare          []uint64 // nil while it is being sorted
	Scratch        []uint64
	Runs, turned   PairRuns // of the field, and of the other direction

	sorting chan error // gets the outcome of what is being sorted; nil: nothing is
}

// A half of a word is an ID, or with numberBit the number of a key that has none yet.
const (
	NumberBit   = 1 << 31
	mostNumbers = NumberBit - 1
)

// loadPair is the memory that a pair takes: where it is gathered, where it is sorted meanwhile, and
// beside that.
const loadPair = 3 * 8

// relateGroup is how many keys are numbered between two looks whether there is room.
const relateGroup = 2 << 10

// Relate puts records into the lists of rows of a relation, all of which are records known by their
// keys: the key of a row, of a record, of the next row, and so on. All of them exist from then on.
// It is for many of them at a time: some 1000. The keys are copied where they are kept. Errors as
// of Set.
func (l *Loader) Relate(field uint32, keys [][]byte) error {
	if err := l.check(field, model.Lists); err != nil {
		return err
	}
	inverse := l.src.FieldOf(field).Inverse
	if inverse == 0 || len(keys)%2 != 0 {
		return fmt.Errorf("%w: got field %d and %d keys, want a relation and two keys for each pair", model.ErrInvalid,
			field,
			len(keys))
	}
	for _, key := range keys {
		if len(key) == 0 {
			return fmt.Errorf("%w: got an empty key", model.ErrInvalid)
		}
	}
	for len(keys) > 0 && l.err == nil {
		n := min(relateGroup, len(keys))
		l.err = l.relate(l.pairsOf(field, inverse), keys[:n], nil)
		keys = keys[n:]
	}
	return l.err
}

// pairsOf returns the pairs of a field, and those of the other direction.
func (l *Loader) pairsOf(field, inverse uint32) *pairBuffer {
	p := l.Pairs[field]
	if p == nil {
		p = &pairBuffer{field: field, inverse: inverse}
		p.Runs.memory, p.turned.memory = l.memory/8, l.memory/8
		l.Pairs[field] = p
	}
	return p
}

// pairsOfMany is pairsOf for a field that gets more writes than a few, which are pairs from now on:
// those among the edits become pairs as well.
func (l *Loader) pairsOfMany(field uint32) *pairBuffer {
	p := l.pairsOf(field, l.src.Opposite(field))
	l.edits = slices.DeleteFunc(l.edits, func(e model.Edit) bool {
		if e.Field != field {
			return false
		}
		row, ok := refHalf(model.Ref(e.Row))
		record, ok2 := refHalf(model.Ref(e.Record))
		if ok && ok2 {
			l.put(p, row<<32|record)
		}
		return ok && ok2
	})
	return p
}

// relate gathers pairs. ids says what a nil key stands for; nil: there is none.
func (l *Loader) relate(p *pairBuffer, keys [][]byte, ids []uint64) error {
	if l.clusters {
		return l.gather(p, keys)
	}
	l.numberFresh()
	if !l.full && (l.crowded() || l.known.count > mostNumbers-len(keys)) {
		if err := l.Name(); err != nil { // so that all keys of the table have IDs
			return err
		}
		l.full = true
	}
	l.unknown = l.unknown[:0]
	fresh := func(i, number int) {
		if l.fresh != nil {
			l.unknown = append(l.unknown, i)
			return
		}
		l.await(model.RecordSpace, keys[i])
		l.edits = append(l.edits, model.Edit{Field: model.Exists, Set: true, Record: uint64(model.KeyRef) |
			uint64(number)})
	}
	if l.full {
		fresh = nil
	}
	l.numbers = l.known.addAll(l.numbers[:0], model.RecordSpace, keys, fresh)
	if err := l.number(keys); err != nil {
		return err
	}
	half := func(i int) (word uint64, ok bool) {
		switch n := l.numbers[i]; {
		case n >= 0:
			return l.halfOf(n), true
		case keys[i] == nil && (ids[i] < NumberBit || l.fresh != nil):
			return ids[i], true
		}
		return 0, false
	}
	for i := 0; i < len(keys); i += 2 {
		row, ok := half(i)
		record, ok2 := half(i + 1)
		if ok && ok2 {
			l.put(p, row<<32|record)
		} else if err := l.relateLater(p, keys, ids, i); err != nil {
			return err
		}
	}
	return l.makeRoom()
}

// count counts the pairs that are in memory, and wait to be sorted.
func (l *Loader) count() {
	l.gathered = 0
	for _, p := range l.Pairs {
		l.gathered += len(p.Words)
	}
}

// handLargest has the pairs of the field that has most of them sorted and written to runs.
func (l *Loader) handLargest() error {
	if err := l.Name(); err != nil {
		return err
	}
	var largest *pairBuffer
	for _, p := range l.Pairs {
		if largest == nil || len(p.Words) > len(largest.Words) || len(p.Words) == len(largest.Words) &&
			p.field < largest.field {
			largest = p
		}
	}
	return l.hand(largest)
}

// put gathers a pair.
func (l *Loader) put(p *pairBuffer, word uint64) {
	if len(p.Words) == cap(p.Words) {
		// to twice as many: append copies all of them more often
		p.Words = slices.Grow(p.Words, max(leastPairs, len(p.Words)))
	}
	p.Words = append(p.Words, word)
	l.gathered++
}

const leastPairs = 64

// relateLater puts a pair, of which one key at least has no room, into the spool; or, if its IDs
// are known and need more than 31 bits, among the edits.
func (l *Loader) relateLater(p *pairBuffer, keys [][]byte, ids []uint64, i int) error {
	var sides [2]deferredKey
	for side := range sides {
		switch at := i + side; {
		case keys[at] == nil:
			sides[side].id = ids[at]
		case l.numbers[at] < 0:
			sides[side].text = keys[at]
		case l.fresh != nil:
			sides[side].id = l.halfOf(l.numbers[at])
		case l.numbers[at] < len(l.ids):
			sides[side].id = l.ids[l.numbers[at]]
		default: // not full yet: the other key has an ID that needs more than 31 bits
			sides[side].id = uint64(model.KeyRef) | uint64(l.numbers[at])
		}
	}
	if sides[0].text == nil && sides[1].text == nil {
		l.edits = append(l.edits, model.Edit{Field: p.field, Set: true, Row: sides[0].id, Record: sides[1].id})
		return nil
	}
	for i := range sides {
		if side := &sides[i]; l.fresh != nil && side.text == nil && side.id&NumberBit != 0 {
			// it may come out only when numbers are no more, and IDs of more than 31 bits stand
			// there too
			side.id ^= NumberBit | deferredNumber
		}
	}
	return l.Spool.add(p.field, sides)
}

// hand has the pairs gathered sorted and written to runs, once those before are. Their keys have
// IDs.
func (l *Loader) hand(p *pairBuffer) error {
	if err := p.Await(); err != nil || len(p.Words) == 0 {
		return err
	}
	if l.Widest >= NumberBit {
		return l.widen(p)
	}
	if err := l.lean(p); err != nil {
		return err
	}
	ids := l.ids // which are appended to, but never change
	words := p.Words
	p.Words, p.Spare = p.Spare[:0], nil
	l.count()
	sorting := make(chan error, 1)
	p.sorting = sorting
	go func() { sorting <- p.sort(words, ids) }()
	return nil
}

// lean lets go of what the buffers of other fields hold beside their pairs, once all together hold
// more than half of the memory: fields that come one after another would each keep what the largest
// of them needs.
func (l *Loader) lean(p *pairBuffer) error {
	held := 0
	for _, q := range l.Pairs {
		if err := q.Await(); err != nil {
			return err
		}
		held += cap(q.Words) + cap(q.Spare) + cap(q.Scratch)
	}
	if 8*int64(held) <= l.memory/2 {
		return nil
	}
	for _, q := range l.Pairs {
		if q == p {
			continue
		}
		if q.Spare, q.Scratch = nil, nil; cap(q.Words) > 2*len(q.Words) {
			q.Words = append([]uint64(nil), q.Words...)
		}
	}
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
	if half&NumberBit != 0 {
		return ids[half&^NumberBit]
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
	words, p.Scratch = SortPairs(words, p.Scratch[:len(words)])
	err := p.Runs.Add(words)
	if p.inverse == 0 {
		p.Spare = words
		return err
	}
	words, p.Scratch = TurnPairs(words, p.Scratch)
	p.Spare = words
	return errors.Join(err, p.turned.Add(words))
}

// widen makes edits of pairs, some of whose IDs need more than 31 bits.
func (l *Loader) widen(p *pairBuffer) error {
	for _, w := range p.Words {
		l.edits = append(l.edits, model.Edit{Field: p.field, Set: true, Row: idOf(w>>32, l.ids),
			Record: idOf(w&(1<<32-1), l.ids)})
	}
	p.Words = p.Words[:0]
	l.count()
	edits, err := l.sorted()
	return errors.Join(err, l.Runs.Add(edits))
}

// spillPairs writes the pairs gathered to runs.
func (l *Loader) spillPairs() (err error) {
	for _, p := range l.Pairs {
		err = errors.Join(err, l.hand(p), p.Await())
	}
	return err
}

// finishPairs is spillPairs, and lets go of the memory for more of them.
func (l *Loader) finishPairs() error {
	err := l.spillPairs()
	for _, p := range l.Pairs {
		p.Words, p.Spare, p.Scratch = nil, nil, nil
	}
	return err
}

// pairCount returns how many edits the pairs are.
func (l *Loader) pairCount() (n int) {
	for _, p := range l.Pairs {
		n += p.Runs.pairs + p.turned.pairs
	}
	return n
}

func (l *Loader) closePairs() (err error) {
	if l.raw != nil {
		_ = l.raw.Await()
		err = errors.Join(l.raw.Runs.Close(), l.raw.turned.Close())
	}
	for _, p := range l.Pairs {
		_ = p.Await() // of which nothing is used any more
		err = errors.Join(err, p.Runs.Close(), p.turned.Close())
	}
	return err
}
