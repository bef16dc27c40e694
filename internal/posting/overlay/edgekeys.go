// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// EdgeKeys are the keys of a record's edges in a relation with a KeyColumn, as pages and deltas
// have them. Zero: there are none. Not for concurrent use.
type EdgeKeys struct {
	Refs  []format.Ref              // pages, ascending
	Body  func(int) ([]byte, error) // reads what one of them has of the record
	Edits []model.Edit              // of the deltas
	Masks *delta.Masks
}

// Last appends those below a key, ascending: the last, up to a number. It reads the pages that have
// these.
func (k *EdgeKeys) Last(dst []model.EdgeKey, below uint64, most int) ([]model.EdgeKey, error) {
	var pages [][]model.EdgeKey // the last one first
	start, n := uint64(0), 0    // what comes before start is left out
	for i := len(k.Refs) - 1; i >= 0 && n-len(k.Edits) < most; i-- {
		if !k.reaches(i, below) {
			continue
		}
		before, err := k.part(i, format.AppendLastEdgeKeys, below, most+len(k.Edits)-n)
		if err != nil {
			return dst, err
		}
		if start = k.Refs[i].PieceKey() << edgePieceShift; i == 0 {
			start = 0
		}
		pages, n = append(pages, before), n+len(before)
	}
	slices.Reverse(pages)
	keys := joined(pages)
	keys = k.edited(keys, start, below)
	return appendedTo(dst, keys[max(0, len(keys)-most):]), nil
}

// From appends the first ones from a key on, up to a number.
func (k *EdgeKeys) From(dst []model.EdgeKey, from uint64, most int) ([]model.EdgeKey, error) {
	keys, end := []model.EdgeKey(nil), uint64(model.EdgeGone) // what comes from there on is left out
	for i := range k.Refs {
		if i+1 < len(k.Refs) && k.Refs[i+1].PieceKey() <= from>>edgePieceShift {
			continue
		}
		if len(keys)-len(k.Edits) >= most {
			end = k.Refs[i].PieceKey() << edgePieceShift
			break
		}
		after, err := k.part(i, format.AppendFirstEdgeKeys, from, most+len(k.Edits)-len(keys))
		if err != nil {
			return dst, err
		}
		if keys == nil {
			keys = after
		} else {
			keys = append(keys, after...)
		}
	}
	keys = k.edited(keys, from, end)
	return appendedTo(dst, keys[:min(most, len(keys))]), nil
}

// Find returns the target of the record that has a key; ok is false if none has it. It reads one
// page up to the key.
func (k *EdgeKeys) Find(key uint64) (target uint64, ok bool, err error) {
	var room [2]model.EdgeKey
	keys := room[:0]
	for i := len(k.Refs) - 1; i >= 0; i-- {
		if !k.reaches(i, key) {
			continue
		}
		body, err := k.Body(i)
		if err != nil {
			return 0, false, err
		}
		if len(body) > 0 {
			if keys, ok = format.FindEdgeKey(keys, body, key); !ok {
				return 0, false, k.damaged(i)
			}
		}
		break
	}
	if keys = k.edited(k.living(keys), key, key+1); len(keys) == 0 {
		return 0, false, nil
	}
	return keys[0].Target, true, nil
}

// edgePieceShift leaves of a key what a piece is named by.
const edgePieceShift = 15

// edgeKeysAhead is for how many keys there is room before they are read.
const edgeKeysAhead = 1 << 12

// reaches reports whether a page begins at a key or before.
func (k *EdgeKeys) reaches(i int, key uint64) bool {
	return k.Refs[i].Piece == 0 || k.Refs[i].PieceKey() <= key>>edgePieceShift
}

// part reads of a page the keys on one side of one, ascending: enough that a number of them have
// living targets. Those of dead ones are left out.
func (k *EdgeKeys) part(i int, read func([]model.EdgeKey, []byte, uint64, int) ([]model.EdgeKey, bool), key uint64,
	most int) ([]model.EdgeKey, error) {
	body, err := k.Body(i)
	if err != nil || len(body) == 0 {
		return nil, err
	}
	if k.Masks != nil {
		most = math.MaxInt
	}
	room := min(format.EdgeKeyCount(body), edgeKeysAhead, uint64(most))
	keys, ok := read(make([]model.EdgeKey, 0, room), body, key, most)
	if !ok {
		return nil, k.damaged(i)
	}
	return k.living(keys), nil
}

// damaged is the error of a page whose keys cannot be read.
func (k *EdgeKeys) damaged(i int) error {
	return model.Corrupt(k.Refs[i].String(), "got keys that do not ascend or have no end")
}

// living takes away the keys of dead targets.
func (k *EdgeKeys) living(keys []model.EdgeKey) []model.EdgeKey {
	if m := k.Masks; m != nil {
		keys = slices.DeleteFunc(keys, func(k model.EdgeKey) bool { return m.IsDead(k.Target) })
	}
	return keys
}

// edited returns keys as the deltas change them, which are all from one below another.
func (k *EdgeKeys) edited(keys []model.EdgeKey, from, below uint64) []model.EdgeKey {
	if len(k.Edits) == 0 {
		return keys
	}
	edits := slices.DeleteFunc(k.Edits, func(e model.Edit) bool { return e.Record < from || e.Record >= below })
	return k.living(model.EditEdgeKeys(keys, edits))
}

// joined returns the keys of pages, which are given away.
func joined(pages [][]model.EdgeKey) []model.EdgeKey {
	if len(pages) == 1 {
		return pages[0]
	}
	return slices.Concat(pages...)
}

// appendedTo appends keys, which are given away.
func appendedTo(dst, keys []model.EdgeKey) []model.EdgeKey {
	if len(dst) == 0 {
		return keys
	}
	return append(dst, keys...)
}
