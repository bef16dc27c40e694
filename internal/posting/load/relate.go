// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Relate puts records into the lists of a relation's rows. The keys alternate: a row, a record, the
// next row, and so on. All of these records exist from then on. Call it with about a thousand keys
// at a time. It copies the keys it keeps. Errors: as of Set.
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
		l.err = l.relate(l.Pairs.of(field, inverse), keys[:n], nil)
		keys = keys[n:]
	}
	return l.err
}

// relate gathers pairs. ids says what a nil key stands for; nil: there is none.
func (l *Loader) relate(p *pairBuffer, keys [][]byte, ids []uint64) error {
	if l.clusters {
		return l.gather(p, keys)
	}
	l.numberFresh()
	if !l.full && (l.crowded() || l.known.count > mostNumbers-len(keys)) {
		if err := l.Naming.Name(); err != nil { // so that all keys of the table have IDs
			return err
		}
		l.full = true
	}
	l.numbering.unknown = l.numbering.unknown[:0]
	fresh := func(i, number int) {
		if l.numbering.fresh != nil {
			l.numbering.unknown = append(l.numbering.unknown, i)
			return
		}
		l.Naming.await(model.RecordSpace, keys[i])
		l.Edits.set(model.Exists, 0, model.KeyRef|model.Ref(number))
	}
	if l.full {
		fresh = nil
	}
	l.numbers = l.known.addAll(l.numbers[:0], model.RecordSpace, keys, fresh)
	if err := l.numbering.number(keys); err != nil {
		return err
	}
	half := func(i int) (word uint64, ok bool) {
		switch n := l.numbers[i]; {
		case n >= 0:
			return l.numbering.halfOf(n), true
		case keys[i] == nil && (ids[i] < numberBit || l.numbering.fresh != nil):
			return ids[i], true
		}
		return 0, false
	}
	for i := 0; i < len(keys); i += 2 {
		row, ok := half(i)
		record, ok2 := half(i + 1)
		if ok && ok2 {
			l.Pairs.put(p, row<<32|record)
		} else if err := l.relateLater(p, keys, ids, i); err != nil {
			return err
		}
	}
	return l.makeRoom()
}

// relateLater defers a pair if a key has no room in the table. If both IDs are known and need more
// than 31 bits, the pair becomes an edit.
func (l *Loader) relateLater(p *pairBuffer, keys [][]byte, ids []uint64, i int) error {
	var sides [2]deferredKey
	for side := range sides {
		switch at := i + side; {
		case keys[at] == nil:
			sides[side].id = ids[at]
		case l.numbers[at] < 0:
			sides[side].text = keys[at]
		case l.numbering.fresh != nil:
			sides[side].id = l.numbering.halfOf(l.numbers[at])
		case l.numbers[at] < len(l.Naming.ids):
			sides[side].id = l.Naming.ids[l.numbers[at]]
		default: // not full yet: the other key has an ID that needs more than 31 bits
			sides[side].id = uint64(model.KeyRef) | uint64(l.numbers[at])
		}
	}
	if sides[0].text == nil && sides[1].text == nil {
		l.Edits.set(p.field, model.Ref(sides[0].id), model.Ref(sides[1].id))
		return nil
	}
	for i := range sides {
		if side := &sides[i]; l.numbering.fresh != nil && side.text == nil && side.id&numberBit != 0 {
			// it may come out only when numbers are no more, and IDs of more than 31 bits stand
			// there too
			side.id ^= numberBit | deferredNumber
		}
	}
	return l.Deferred.add(p.field, sides)
}

// passes goes through the deferred pairs until there are none.
func (l *Loader) passes() error {
	for l.Deferred.out != nil {
		if err := l.renew(); err != nil {
			return err
		}
		before := l.Deferred
		l.Deferred = deferredPairs{}
		done, total := 0, before.Count()
		err := before.all(func(field uint32, keys [][]byte, ids []uint64) error {
			if err := l.ctx.Err(); err != nil {
				return err
			}
			done += len(keys) / 2
			l.prepared(done, total)
			l.numbering.resolve(ids)
			return l.relate(l.Pairs.of(field, l.src.FieldOf(field).Inverse), keys, ids)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
