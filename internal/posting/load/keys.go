// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"slices"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Trim forgets the keys that the load has met, if they take more than their five eighths of its
// memory. It is to be called before the first Key of what belongs together: when it reports that it
// forgot, Refs taken before no longer hold. Errors as of Set.
func (l *Loader) Trim() (forgot bool, err error) {
	if l.err != nil || l.ended || l.clusters || !l.full && !l.crowded() {
		return false, l.err
	}
	if l.err = l.renew(); l.err == nil {
		l.nameByCommits() // no number is given twice to a key that is forgotten
	}
	return true, l.err
}

// renew forgets the keys that the load has met. The edits gathered are Refs, and become IDs before.
func (l *Loader) renew() error {
	if err := l.spill(); err != nil {
		return err
	}
	l.known, l.ids, l.halves, l.full = newInterner(), nil, nil, false
	if l.fresh != nil {
		l.first = l.fresh.count
	}
	return nil
}

// crowded reports whether the keys take more than their five eighths of the memory, or would while
// their table grows once more.
func (l *Loader) crowded() bool {
	taken := l.known.bytes + 8*int64(cap(l.ids)) + 4*int64(cap(l.halves)) + int64(l.waitingBytes) +
		int64(l.unnamed())*int64(unsafe.Sizeof(model.SpaceKey{}))
	if l.known.full() && l.known.count > 0 {
		taken += l.known.nextGrowth() + 8*int64(len(l.ids))
	}
	return taken > l.memory*5/8
}

// unnamed returns how many keys have no ID yet.
func (l *Loader) unnamed() int { return len(l.waiting) + l.naming }

// Key returns the Ref of a key, which holds for this load or until Trim, and whether the load meets
// it for the first time, or has forgotten it. Of a load that has ended or clusters, it is a Ref
// that every write refuses, as of a key that is new.
func (l *Loader) Key(space uint32, key string) (r model.Ref, first bool) {
	if l.ended || l.clusters {
		return model.NoRef, true
	}
	l.nameByCommits()
	text := unsafe.Slice(unsafe.StringData(key), len(key)) // which the table only reads, and copies
	number, first := l.known.add(space, text)
	if first {
		l.await(space, text)
	}
	return model.KeyRef | model.Ref(number), first
}

// await has a key that is new be given an ID: by the number that the table has just given it.
func (l *Loader) await(space uint32, text []byte) {
	l.waiting = append(l.waiting, model.SpaceKey{Space: space, Key: string(text)})
	l.waitingBytes += len(text)
}

// namedKeys is the outcome of giving IDs to keys.
type namedKeys struct {
	ids []uint64
	err error
}

// nameSome has keys that wait be given IDs while the load goes on, once those before have theirs.
func (l *Loader) nameSome() error {
	if err := l.awaitNames(); err != nil || len(l.waiting) == 0 {
		return err
	}
	keys := l.waiting
	l.waiting, l.waitingBytes, l.naming = nil, 0, len(keys)
	names := make(chan namedKeys, 1)
	l.names = names
	go func() {
		ids, err := l.host.NameKeys(l.ctx, keys)
		names <- namedKeys{ids, err}
	}()
	return nil
}

// awaitNames waits for the keys that are being given IDs.
func (l *Loader) awaitNames() error {
	if l.names == nil {
		return l.ctx.Err()
	}
	n := <-l.names
	l.names, l.naming = nil, 0
	if n.err != nil {
		return n.err
	}
	l.ids, l.Widest = append(l.ids, n.ids...), max(l.Widest, slices.Max(n.ids))
	return nil
}

// Name gives IDs to all keys that wait.
func (l *Loader) Name() error {
	if err := l.nameSome(); err != nil {
		return err
	}
	return l.awaitNames()
}
