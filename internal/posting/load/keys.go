// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Trim forgets the keys that the load has met if they exceed five eighths of its memory. Call it
// before the first Key of a group that belongs together. If it reports that it forgot, earlier Refs
// no longer hold. Errors: as of Set.
func (l *Loader) Trim() (forgot bool, err error) {
	if l.err != nil || l.ended || l.clusters || !l.full && !l.crowded() {
		return false, l.err
	}
	if l.err = l.renew(); l.err == nil {
		l.assignByCommits() // no number is given twice to a key that is forgotten
	}
	return true, l.err
}

// renew forgets the keys that the load has met. The edits gathered are Refs, and become IDs before.
func (l *Loader) renew() error {
	if err := l.spill(); err != nil {
		return err
	}
	l.known, l.Naming.ids, l.numbering.halves, l.full = newInterner(), nil, nil, false
	if l.numbering.fresh != nil {
		l.numbering.first = l.numbering.fresh.count
	}
	return nil
}

// crowded reports whether the keys exceed five eighths of the memory, or would when their table
// next grows.
func (l *Loader) crowded() bool {
	taken := l.known.bytes + 8*int64(cap(l.Naming.ids)) + 4*int64(cap(l.numbering.halves)) +
		int64(l.Naming.waitingBytes) +
		int64(l.Naming.unnamed())*int64(unsafe.Sizeof(model.SpaceKey{}))
	if l.known.full() && l.known.count > 0 {
		taken += l.known.nextGrowth() + 8*int64(len(l.Naming.ids))
	}
	return taken > l.memory*5/8
}

// Key returns the Ref of a key and whether the load meets it for the first time. A key that was
// forgotten is met for the first time again. The Ref holds for this load, or until Trim. A load
// that ended or clusters returns a new key's Ref that every write refuses.
func (l *Loader) Key(space uint32, key string) (r model.Ref, first bool) {
	if l.ended || l.clusters {
		return model.NoRef, true
	}
	l.assignByCommits()
	text := unsafe.Slice(unsafe.StringData(key), len(key)) // which the table only reads, and copies
	number, first := l.known.add(space, text)
	if first {
		l.Naming.await(space, text)
	}
	return model.KeyRef | model.Ref(number), first
}

// numberFresh has the load number keys that are new, if it begins with pairs: they have IDs only
// when all are known, and are met once each. Of a load of other things keys are named by commits,
// since it may forget them, and must find them again.
func (l *Loader) numberFresh() {
	if l.numbering.fresh != nil || l.named {
		return
	}
	l.named = true
	if l.Naming.Widest >= numberBit {
		return
	}
	snap := l.src.Snapshot()
	defer snap.Close()
	next := snap.St.Active.Next()[model.RecordSpace]
	if next < numberBit {
		l.numbering.looks = next > 0
		l.numbering.fresh = newFreshKeys(l.memory, next)
	}
}

// assignByCommits has commits name the keys that come from now on.
func (l *Loader) assignByCommits() {
	l.named = true
	if l.numbering.fresh != nil && l.err == nil {
		l.err = l.assignIDs(true)
	}
}
