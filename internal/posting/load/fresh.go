// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// numberFresh has the load number keys that are new, if it begins with pairs: they have IDs only
// when all are known, and are met once each. Of a load of other things keys are named by commits,
// since it may forget them, and must find them again.
func (l *Loader) numberFresh() {
	if l.fresh != nil || l.named {
		return
	}
	l.named = true
	if l.Widest >= NumberBit {
		return
	}
	snap := l.src.Snapshot()
	defer snap.Close()
	next := snap.St.Active.Next()[model.RecordSpace]
	if next < NumberBit {
		l.looks = next > 0
		l.fresh = newFreshKeys(l.memory, next)
	}
}

// nameByCommits has commits name the keys that come from now on.
func (l *Loader) nameByCommits() {
	l.named = true
	if l.fresh != nil && l.err == nil {
		l.err = l.assignIDs(true)
	}
}

// halfOf returns what a number of a key is in half of a word of a pair.
func (l *Loader) halfOf(number int) uint64 {
	switch {
	case l.fresh == nil:
		return NumberBit | uint64(number)
	case l.looks:
		return uint64(l.halves[number])
	default:
		return NumberBit | uint64(l.first+number)
	}
}

// number gives numbers to the keys of a group that the load meets for the first time, or the IDs
// that the index has for them.
func (l *Loader) number(keys [][]byte) error {
	if len(l.unknown) == 0 {
		return nil
	}
	if l.fresh.count > mostNumbers-len(l.unknown) {
		return fmt.Errorf("%w: got more than %d new keys for a load", model.ErrTooLarge, mostNumbers)
	}
	if l.looks {
		return l.lookUp(keys)
	}
	for _, i := range l.unknown {
		if _, err := l.fresh.add(keys[i], &l.src.Secret); err != nil {
			return err
		}
	}
	return nil
}

// lookUp is number for an index that has keys. Records exist from then on.
func (l *Loader) lookUp(keys [][]byte) error {
	snap := l.src.Snapshot()
	defer snap.Close()
	var room [lookGroup]reader.Lookup
	for left := l.unknown; len(left) > 0; {
		group := room[:min(len(left), len(room))]
		for i := range group {
			key := keys[left[i]]
			// which is read only
			group[i] = reader.Lookup{Space: model.RecordSpace, Key: unsafe.String(unsafe.SliceData(key), len(key))}
		}
		if err := snap.Lookups(group); err != nil {
			return err
		}
		for i := range group {
			if x := &group[i]; x.OK {
				if x.ID >= NumberBit {
					return fmt.Errorf("%w: got ID %d for a key of a load, want IDs below 2^31", model.ErrTooLarge, x.ID)
				}
				l.halves = append(l.halves, uint32(x.ID))
				l.edits = append(l.edits, model.Edit{Field: model.Exists, Set: true, Record: x.ID})
				continue
			}
			number, err := l.fresh.add(keys[left[i]], &l.src.Secret)
			if err != nil {
				return err
			}
			l.halves = append(l.halves, NumberBit|uint32(number))
		}
		left = left[len(group):]
	}
	return nil
}
