// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"slices"
	"unsafe"
)

// Trim forgets the keys that the load has met, if they take more than their half of its memory. It is to be called before the first Key of what belongs
// together: Refs taken before it no longer hold. Errors as of Set.
func (l *Loader) Trim() error {
	if l.err != nil || l.ended || !l.forget && !l.crowded() {
		return l.err
	}
	if l.err = l.spill(); l.err == nil { // the edits gathered are Refs, and become IDs
		l.known, l.ids, l.forget = newKeyTable(), nil, false
	}
	return l.err
}

// crowded reports whether the keys take more than their half of the memory, or would while their table grows once more.
func (l *Loader) crowded() bool {
	taken := l.known.bytes + 8*int64(cap(l.ids)) + int64(l.waitingBytes) + int64(len(l.waiting.keys))*int64(unsafe.Sizeof(spaceKey{}))
	if l.known.full() && l.known.count > 0 {
		taken += l.known.nextGrowth() + 8*int64(len(l.ids))
	}
	return taken > l.memory/2
}

// Key returns the Ref of a key, which holds for this load or until Trim, and whether the load meets it for the first time, or has forgotten it.
func (l *Loader) Key(space uint32, key string) (r Ref, first bool) {
	if l.ended {
		return noRef, false
	}
	text := unsafe.Slice(unsafe.StringData(key), len(key)) // which the table only reads, and copies
	number, first := l.known.add(space, text)
	if first {
		l.await(space, text)
	}
	return keyRef | Ref(number), first
}

// await has a key that is new be given an ID: by the number that the table has just given it.
func (l *Loader) await(space uint32, text []byte) {
	l.waiting.keys = append(l.waiting.keys, spaceKey{space, string(text)})
	l.waitingBytes += len(text)
}

// name gives IDs to the keys that wait.
func (l *Loader) name() error {
	if len(l.waiting.keys) == 0 {
		return l.ctx.Err()
	}
	ids, _, err := l.ix.commit(l.ctx, &l.waiting)
	if err != nil {
		return err
	}
	l.ids, l.widest = append(l.ids, ids...), max(l.widest, slices.Max(ids))
	l.waiting, l.waitingBytes = Batch{keys: l.waiting.keys[:0]}, 0
	return nil
}
