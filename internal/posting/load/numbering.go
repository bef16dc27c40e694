// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// numbering gives numbers to keys that a load of pairs meets for the first time. They get IDs when
// all of them are known.
type numbering struct {
	src      *reader.Source
	edits    *edits     // get the records that the index has already, so that they exist
	fresh    *freshKeys // nil: commits name keys that are new
	assigned *freshKeys // what fresh was
	looks    bool       // the index has keys, so that new ones are to be looked up
	// with fresh: what the numbers of keys stand for; nil: for what follows first, since the index
	// has no keys
	halves  []uint32
	first   int   // the number of fresh that number 0 stands for
	unknown []int // which of the keys of a group are new
}

// halfOf returns what a number of a key is in half of a word of a pair.
func (n *numbering) halfOf(number int) uint64 {
	switch {
	case n.fresh == nil:
		return numberBit | uint64(number)
	case n.looks:
		return uint64(n.halves[number])
	default:
		return numberBit | uint64(n.first+number)
	}
}

// number gives numbers to the group's keys that the load meets for the first time. Keys that the
// index has get their IDs instead.
func (n *numbering) number(keys [][]byte) error {
	if len(n.unknown) == 0 {
		return nil
	}
	if n.fresh.count > mostNumbers-len(n.unknown) {
		return fmt.Errorf("%w: got more than %d new keys for a load", model.ErrTooLarge, mostNumbers)
	}
	if n.looks {
		return n.lookUp(keys)
	}
	for _, i := range n.unknown {
		if _, err := n.fresh.add(keys[i], &n.src.Secret); err != nil {
			return err
		}
	}
	return nil
}

// lookUp is number for an index that has keys. Records exist from then on.
func (n *numbering) lookUp(keys [][]byte) error {
	snap := n.src.Snapshot()
	defer snap.Close()
	var room [lookGroup]reader.Lookup
	for left := n.unknown; len(left) > 0; {
		group := room[:min(len(left), len(room))]
		for i := range group {
			key := keys[left[i]]
			// which is read only
			group[i] = reader.Lookup{Space: model.RecordSpace, Key: unsafe.String(unsafe.SliceData(key), len(key))}
		}
		if err := snap.MultiGet(group); err != nil {
			return err
		}
		for i := range group {
			if x := &group[i]; x.OK {
				if x.ID >= numberBit {
					return fmt.Errorf("%w: got ID %d for a key of a load, want IDs below 2^31", model.ErrTooLarge, x.ID)
				}
				n.halves = append(n.halves, uint32(x.ID))
				n.edits.list = append(n.edits.list, model.Edit{Field: model.Exists, Set: true, Record: x.ID})
				continue
			}
			number, err := n.fresh.add(keys[left[i]], &n.src.Secret)
			if err != nil {
				return err
			}
			n.halves = append(n.halves, numberBit|uint32(number))
		}
		left = left[len(group):]
	}
	return nil
}

// resolve puts into the place of numbers what stands for them now: halves of words as long as the
// load gives numbers, and IDs once other writes have had them be assigned.
func (n *numbering) resolve(ids []uint64) {
	for i, id := range ids {
		if id&deferredNumber == 0 {
			continue
		}
		ids[i] = numberBit | id&^deferredNumber
		if n.fresh == nil {
			ids[i] = n.assigned.id(ids[i])
		}
	}
}

// close deletes the files.
func (n *numbering) close() error {
	err := errors.Join(n.fresh.close(), n.assigned.close())
	n.fresh, n.assigned, n.halves = nil, nil, nil
	return err
}
