// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Cluster makes the load give neighbouring IDs to records that are related to the same ones.
// Otherwise IDs follow the order of first appearance. Clustered lists are shorter and lie in fewer
// containers.
//
// Call it before giving anything to the load. The load then takes pairs of one relation and nothing
// else (Relate), and needs memory for all keys. Records that the index already has keep their IDs.
// Later records get the IDs after.
//
// The load sorts pairs twice and passes over them several times to find communities. It takes about
// twice as long.
func (l *Loader) Cluster() error {
	if l.ended || l.err != nil || l.known.count > 0 || len(l.Edits.list)+len(l.values.assigned) > 0 {
		return fmt.Errorf("%w: got a load that has begun, want a new one to cluster", model.ErrInvalid)
	}
	l.clusters, l.named = true, true
	return nil
}

// clusterKey is the memory that a key takes while its place is looked for, beside that of every
// load.
const clusterKey = 5*4 + 2*8

// gather keeps pairs of numbers of keys, whose IDs are given out at the end.
func (l *Loader) gather(p *pairBuffer, keys [][]byte) error {
	if l.raw == nil {
		l.raw = &pairBuffer{field: p.field, inverse: p.inverse}
		l.raw.Runs.memory, l.raw.turned.memory = l.memory/8, l.memory/8
	}
	switch taken := l.known.bytes + l.known.nextGrowth() + clusterKey*int64(l.known.count); {
	case l.raw.field != p.field:
		return fmt.Errorf("%w: got field %d, want the one relation %d of a load that clusters", model.ErrInvalid,
			p.field,
			l.raw.field)
	case taken > l.memory/2+int64(leastTable), l.known.count > mostNumbers-len(keys):
		return &memory.Error{Want: 2 * taken, Left: l.memory, Limit: l.memory}
	}
	l.numbers = l.known.addAll(l.numbers[:0], model.RecordSpace, keys, func(int, int) {})
	for i := 0; i < len(l.numbers); i += 2 {
		l.raw.Words = append(l.raw.Words, uint64(l.numbers[i])<<32|uint64(l.numbers[i+1]))
	}
	if int64(len(l.raw.Words))*loadPair > l.memory/4 {
		return l.Pairs.hand(l.raw)
	}
	return l.ctx.Err()
}

// leastTable is the memory of the smallest table of keys.
const leastTable = 256 << 10

// arrange gives IDs to the keys gathered, and has their pairs go the way of those of other loads.
func (l *Loader) arrange() error {
	raw := l.raw
	if raw == nil {
		return nil
	}
	if err := l.Pairs.hand(raw); err != nil {
		return err
	}
	if err := raw.Await(); err != nil {
		return err
	}
	raw.Words, raw.Spare, raw.Scratch = nil, nil, nil
	order, err := clusterOrder(l.ctx, l.known.count, &raw.Runs, &raw.turned)
	if err != nil {
		return err
	}
	var text []byte
	for _, number := range order {
		text = l.known.text(text[:0], int(number))
		l.Naming.await(model.RecordSpace, text)
		if err := l.makeRoom(); err != nil {
			return err
		}
	}
	if err := l.Naming.Name(); err != nil {
		return err
	}
	ids := make([]uint64, len(order))
	for i, number := range order {
		ids[number] = l.Naming.ids[i]
	}
	l.Naming.ids = ids
	for number := range order {
		l.Edits.set(model.Exists, 0, model.KeyRef|model.Ref(number))
		if err := l.makeRoom(); err != nil {
			return err
		}
	}
	p := l.Pairs.Fields[raw.field]
	err = raw.Runs.merge(func(row uint32, records []uint32) error {
		for _, record := range records {
			p.Words = append(p.Words, uint64(row|numberBit)<<32|uint64(record|numberBit))
		}
		if int64(len(p.Words))*loadPair > l.memory/4 {
			if err := l.Pairs.hand(p); err != nil {
				return err
			}
		}
		return l.ctx.Err()
	})
	return err
}
