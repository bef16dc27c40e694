// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"sync/atomic"

	"github.com/uproar-db/uproar/store"
)

// traffic is what was written in some time, from which the garbage is estimated that it made. Safe
// for concurrent use.
type traffic struct {
	puts, deletes atomic.Int64
	large         atomic.Int64 // bytes put into the value log
	bytes         atomic.Int64 // all bytes
}

// amount is traffic that is over.
type amount struct{ puts, deletes, large, bytes int64 }

// count returns the traffic of a batch.
func (t threshold) count(b *store.Batch, padded bool) (n amount) {
	for op := range b.Ops() {
		n.bytes += int64(len(op.Key) + len(op.Value) + opWeight)
		switch size := len(op.Value); {
		case op.Delete:
			n.deletes++
			continue
		case size >= int(t):
			n.large += int64(len(op.Key) + size)
		case padded && t.isPadded(size):
			n.large += int64(len(op.Key) + paddedSize)
		}
		n.puts++
	}
	return n
}

func (t *traffic) add(n amount) {
	t.puts.Add(n.puts)
	t.deletes.Add(n.deletes)
	t.large.Add(n.large)
	t.bytes.Add(n.bytes)
}

func (t *traffic) subtract(n amount) { t.add(amount{-n.puts, -n.deletes, -n.large, -n.bytes}) }

func (t *traffic) load() amount {
	return amount{t.puts.Load(), t.deletes.Load(), t.large.Load(), t.bytes.Load()}
}

// take returns the traffic so far and begins anew.
func (t *traffic) take() amount {
	n := t.load()
	t.subtract(n)
	return n
}
