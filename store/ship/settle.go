// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"slices"

	"github.com/uproar-db/uproar/store"
)

// settling is a batch that is in the log and not yet in the local store. It is one of Send, which
// nobody looks for until its end, so that others go by it.
type settling struct {
	request *request
	before  position // of the local store, until it has the batch
}

// settle has the local store take the batch of a flight after those that settle already.
func (l *leader) settle(f *flight, before position) {
	l.store.touched.Store(f.object.number)
	l.settling = append(l.settling, settling{f.requests[0], before})
	if len(l.settling) == 1 {
		l.settleFirst()
	}
	l.store.lag = &l.settling[0].before
}

// settleFirst begins to apply the oldest batch that settles.
func (l *leader) settleFirst() {
	r := l.settling[0].request
	l.settled = make(chan error, 1)
	l.aloft.Go(func() { l.settled <- applySlices(l.store.local, r.ops) })
}

// settledFirst does what follows when the local store has the oldest batch that settles. If it
// could not take it, the store stays before it.
func (l *leader) settledFirst(err error) error {
	l.settled = nil
	first := l.settling[0]
	if err != nil {
		err = notHere(first.before.Object+1, err)
		first.request.done <- err
		return err
	}
	l.settling = slices.Delete(l.settling, 0, 1)
	l.store.lag = nil
	if len(l.settling) > 0 {
		l.store.lag = &l.settling[0].before
		l.settleFirst()
	}
	l.store.sight()
	first.request.done <- nil
	return nil
}

// settleAll applies what settles, at the end of a term: it is in the log.
func (l *leader) settleAll() error {
	for l.settled != nil {
		if err := l.settledFirst(<-l.settled); err != nil {
			return err
		}
	}
	return nil
}

// sliceBytes is how much of a large batch goes into the local store before others may go between:
// as much as one sync is worth.
const sliceBytes = 1 << 20

// applySlices applies operations to the local store, some at a time.
func applySlices(local store.Store, ops []store.Op) error {
	var b store.Batch
	for i := range ops {
		if ops[i].Delete {
			b.Delete(ops[i].Key)
		} else {
			b.Put(ops[i].Key, ops[i].Value)
		}
		if b.Size() >= sliceBytes || i == len(ops)-1 {
			if err := local.Apply(&b, false); err != nil {
				return err
			}
			b.Reset()
		}
	}
	return nil
}
