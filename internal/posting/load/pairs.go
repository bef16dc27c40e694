// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// pairs are the writes of a load that are gathered field by field, and sorted in both directions.
type pairs struct {
	src      *reader.Source
	naming   *naming
	edits    *edits                 // get what cannot be a pair
	values   *values                // get the assignments that cannot be
	memory   int64                  // of the load
	Fields   map[uint32]*pairBuffer // by field
	assigned map[uint32]*pairBuffer // by single-valued field: assignments
	few      map[uint32]int         // by field: its first writes, which are edits
	gathered int                    // how many of them are in memory, and wait to be sorted
}

// FewPairs is how many writes to a field stay ordinary edits. Further writes become pairs, which
// are merged by field. There may be thousands of fields with few writes each.
const FewPairs = 1 << 10

// PairFields is how many fields are written as pairs at most, beside relations: each has up to
// mostRuns files in each direction, all of them open.
const PairFields = 32

// of returns the pairs of a field, and those of the other direction.
func (ps *pairs) of(field, inverse uint32) *pairBuffer {
	p := ps.Fields[field]
	if p == nil {
		p = &pairBuffer{field: field, inverse: inverse}
		p.Runs.memory, p.turned.memory = ps.memory/8, ps.memory/8
		ps.Fields[field] = p
	}
	return p
}

// each yields all buffers.
func (ps *pairs) each(yield func(*pairBuffer) bool) {
	for _, of := range [...]map[uint32]*pairBuffer{ps.Fields, ps.assigned} {
		for _, p := range of {
			if !yield(p) {
				return
			}
		}
	}
}

// assignments returns how many pairs are assignments.
func (ps *pairs) assignments() (n int) {
	for _, p := range ps.assigned {
		n += p.Runs.pairs
	}
	return n
}

// ofAssigned returns the assignments of a single-valued field; nil if there are as many such fields
// as may be.
func (ps *pairs) ofAssigned(field uint32) *pairBuffer {
	p := ps.assigned[field]
	if p == nil && len(ps.assigned) < PairFields {
		p = &pairBuffer{field: field, single: true}
		p.Runs.memory, p.Runs.single = ps.memory/8, true
		ps.assigned[field] = p
	}
	return p
}

// assign gathers assignments: pairs, unless an ID of the field's was beyond 31 bits.
func (ps *pairs) assign(field uint32, records, rows []model.Ref) error {
	p := ps.ofAssigned(field)
	for i := range records {
		x, ok := refHalf(records[i])
		y, ok2 := refHalf(rows[i])
		if ok && ok2 && p != nil && !p.wide {
			ps.put(p, x<<32|y)
			continue
		}
		if p != nil && !p.wide {
			if err := ps.widenAssigned(p); err != nil {
				return err
			}
		}
		ps.values.assigned = append(ps.values.assigned, model.Edit{Field: field, Set: true, Row: uint64(records[i]),
			Record: uint64(rows[i])})
	}
	return nil
}

// ofMany is of for a field that gets more writes than a few, which are pairs from now on:
// those among the edits become pairs as well.
func (ps *pairs) ofMany(field uint32) *pairBuffer {
	p := ps.of(field, ps.src.Opposite(field))
	ps.edits.list = slices.DeleteFunc(ps.edits.list, func(e model.Edit) bool {
		if e.Field != field {
			return false
		}
		row, ok := refHalf(model.Ref(e.Row))
		record, ok2 := refHalf(model.Ref(e.Record))
		if ok && ok2 {
			ps.put(p, row<<32|record)
		}
		return ok && ok2
	})
	return p
}

// count counts the pairs that are in memory, and wait to be sorted.
func (ps *pairs) count() {
	ps.gathered = 0
	for p := range ps.each {
		ps.gathered += len(p.Words)
	}
}

// handLargest has the pairs of the field that has most of them sorted and written to runs.
func (ps *pairs) handLargest() error {
	if err := ps.naming.Name(); err != nil {
		return err
	}
	var largest *pairBuffer
	for p := range ps.each {
		if largest == nil || len(p.Words) > len(largest.Words) || len(p.Words) == len(largest.Words) &&
			p.field < largest.field {
			largest = p
		}
	}
	return ps.hand(largest)
}

// put gathers a pair.
func (ps *pairs) put(p *pairBuffer, word uint64) {
	p.put(word)
	ps.gathered++
}

// hand has the pairs gathered sorted and written to runs, once those before are. Their keys have
// IDs.
func (ps *pairs) hand(p *pairBuffer) error {
	if err := p.Await(); err != nil || len(p.Words) == 0 {
		return err
	}
	if ps.naming.Widest >= numberBit {
		return ps.widen(p)
	}
	if err := ps.lean(p); err != nil {
		return err
	}
	err := p.hand(ps.naming.ids) // which are appended to, but never change
	ps.count()
	return err
}

// lean releases spare buffers of other fields once all buffers exceed half of the memory.
// Otherwise, fields that come one after another would each keep what the largest of them needs.
func (ps *pairs) lean(p *pairBuffer) error {
	held := 0
	for q := range ps.each {
		if err := q.Await(); err != nil {
			return err
		}
		held += cap(q.Words) + cap(q.Spare) + cap(q.Scratch)
	}
	if 8*int64(held) <= ps.memory/2 {
		return nil
	}
	for q := range ps.each {
		if q == p {
			continue
		}
		if q.Spare, q.Scratch = nil, nil; cap(q.Words) > 2*len(q.Words) {
			q.Words = append([]uint64(nil), q.Words...)
		}
	}
	return nil
}

// widen makes edits of pairs, some of whose IDs need more than 31 bits.
func (ps *pairs) widen(p *pairBuffer) error {
	if p.single {
		return errors.Join(ps.widenAssigned(p), ps.values.words.Add(ps.values.sorted()))
	}
	for _, w := range p.Words {
		ps.edits.list = append(ps.edits.list, model.Edit{Field: p.field, Set: true, Row: idOf(w>>32, ps.naming.ids),
			Record: idOf(w&(1<<32-1), ps.naming.ids)})
	}
	p.Words = p.Words[:0]
	ps.count()
	edits, err := ps.edits.sorted()
	return errors.Join(err, ps.edits.Runs.Add(edits))
}

// widenAssigned has the assignments of a field be pairs no more, neither those that are gathered or
// in runs nor further ones.
func (ps *pairs) widenAssigned(p *pairBuffer) error {
	p.wide = true
	err := p.Await()
	if err == nil && p.Runs.pairs > 0 {
		err = errors.Join(ps.values.take(p.field, &p.Runs), p.Runs.Close())
		p.Runs.pairs = 0
	}
	for _, w := range p.Words {
		ps.values.assigned = append(ps.values.assigned, model.Edit{Field: p.field, Set: true,
			Row: uint64(halfRef(w >> 32)), Record: uint64(halfRef(w & (1<<32 - 1)))})
	}
	p.Words, p.Spare, p.Scratch = nil, nil, nil
	ps.count()
	return err
}

// spill writes the pairs gathered to runs.
func (ps *pairs) spill() (err error) {
	for p := range ps.each {
		err = errors.Join(err, ps.hand(p), p.Await())
	}
	return err
}

// finish is spill, and lets go of the memory for more of them.
func (ps *pairs) finish() error {
	err := ps.spill()
	for p := range ps.each {
		p.Words, p.Spare, p.Scratch = nil, nil, nil
	}
	return err
}

// number returns how many edits the pairs are.
func (ps *pairs) number() (n int) {
	for _, p := range ps.Fields {
		n += p.Runs.pairs + p.turned.pairs
	}
	return n
}

// close deletes the files.
func (ps *pairs) close() (err error) {
	for p := range ps.each {
		_ = p.Await() // nothing uses it any more
		err = errors.Join(err, p.Runs.Close(), p.turned.Close())
	}
	ps.Fields, ps.assigned = nil, nil
	return err
}
