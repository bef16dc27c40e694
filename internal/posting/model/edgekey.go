// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"cmp"
	"slices"
)

// EdgeKey is one record of an edge, as a relation with a KeyColumn keeps it: its key and the
// target. An edge may have several.
type EdgeKey struct {
	// Key is the ID of a text in the relation's key space, below FirstTID; else a TID, which orders
	// by time.
	Key    uint64
	Target uint64
}

// Compare orders by key and target.
func (k EdgeKey) Compare(o EdgeKey) int {
	return cmp.Or(cmp.Compare(k.Key, o.Key), cmp.Compare(k.Target, o.Target))
}

const (
	// FirstTID is the least key that is a TID: some days after 1970.
	FirstTID = 1 << 40

	// EdgeGone is the key in the edit of an edge that pages lose with all its records. No record
	// has it.
	EdgeGone = MaxID

	edgeBits = 31
	// MaxEdgeID is the greatest ID of a record that may be in a relation with a KeyColumn.
	MaxEdgeID = 1<<edgeBits - 1
)

// EdgeRow is the row that edits of a KeyColumn have: record and target in one number.
func EdgeRow(record, target uint64) uint64 { return record<<edgeBits | target }

// EdgeOf returns what EdgeRow has put together.
func EdgeOf(row uint64) (record, target uint64) { return row >> edgeBits, row & MaxEdgeID }

// EdgeKeyEdit is a write to a KeyColumn: the edge has the record, or it has not.
type EdgeKeyEdit struct {
	Field               uint32 // the relation
	Set                 bool
	Record, Target, Key Ref
}

// Resolve returns the edit, with IDs in the place of Refs.
func (e *EdgeKeyEdit) Resolve(ids []uint64) Edit {
	return Edit{Field: ValueField(e.Field), Set: e.Set,
		Row:    EdgeRow(Resolve(uint64(e.Record), ids), Resolve(uint64(e.Target), ids)),
		Record: Resolve(uint64(e.Key), ids)}
}

// tidDigits are the digits of a TID, which has 13 of 5 bits each. Texts and numbers are in the same
// order.
const (
	tidDigits = "234567abcdefghijklmnopqrstuvwxyz"
	tidLength = 13
)

// tidValues are one more than the values of these digits, 0 for other bytes.
var tidValues = func() (values [256]byte) {
	for i := range len(tidDigits) {
		values[tidDigits[i]] = byte(i + 1)
	}
	return values
}()

// ParseTID returns the number of a TID: microseconds since 1970 and 10 bits of a clock ID. ok is
// false for other texts, and for what is a text by ID, before FirstTID, or has the top bit.
func ParseTID(text string) (key uint64, ok bool) {
	if len(text) != tidLength || text[0] > 'b' {
		return 0, false
	}
	for i := range len(text) {
		digit := tidValues[text[i]]
		if digit == 0 {
			return 0, false
		}
		key = key<<5 | uint64(digit-1)
	}
	return key, key >= FirstTID && key < EdgeGone
}

// AppendTID appends the text of a TID.
func AppendTID(dst []byte, key uint64) []byte {
	for shift := 5 * (tidLength - 1); shift >= 0; shift -= 5 {
		dst = append(dst, tidDigits[key>>shift&31])
	}
	return dst
}

// Micros returns the time of a key in microseconds since 1970, 0 for one that is no TID.
func (k EdgeKey) Micros() int64 {
	if k.Key < FirstTID {
		return 0
	}
	return int64(k.Key >> 10)
}

// EditEdgeKeys returns ascending keys of a record as edits change them. It takes both over.
func EditEdgeKeys(keys []EdgeKey, edits []Edit) []EdgeKey {
	slices.SortFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Record, b.Record), cmp.Compare(a.Row, b.Row))
	})
	for n := len(edits) - 1; n >= 0 && edits[n].Record == EdgeGone; n-- {
		_, gone := EdgeOf(edits[n].Row)
		keys = slices.DeleteFunc(keys, func(k EdgeKey) bool { return k.Target == gone })
		edits = edits[:n]
	}
	if len(edits) == 0 {
		return keys
	}
	out := make([]EdgeKey, 0, len(keys)+len(edits))
	for _, e := range edits {
		_, target := EdgeOf(e.Row)
		k := EdgeKey{Key: e.Record, Target: target}
		n, had := slices.BinarySearchFunc(keys, k, EdgeKey.Compare)
		out = append(out, keys[:n]...)
		if keys = keys[n:]; had {
			keys = keys[1:]
		}
		if e.Set {
			out = append(out, k)
		}
	}
	return append(out, keys...)
}
