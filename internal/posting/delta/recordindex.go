// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"math/bits"
	"sort"
)

// RecordIndex tells where a record is among the entries of a row that has many: a look at one line
// of memory says of nearly all records that are not there that they are not, and where the others
// are, two or three more do.
type RecordIndex struct {
	Filter Filter
	begins []uint32 // where the entries of 1<<shift records each begin, from the first record on, and the end
	first  uint64
	shift  int
}

// recordBucket is how many entries a bucket of records has at least, on average.
const recordBucket = 8

// recordBuckets returns a bound on the buckets of an index of some entries.
func recordBuckets(entries int) int { return entries/recordBucket + 3 }

// newRecordIndex returns the index of the entries of a row, in memory that it is given: a filter of
// filterWords, and room for spans.
func newRecordIndex(entries []Entry, words Filter, room []uint32) (x RecordIndex) {
	first, last := entries[0].Record>>1, entries[len(entries)-1].Record>>1
	x = RecordIndex{Filter: words, begins: room[:0], first: first, shift: bits.Len64((last -
		first) / uint64(max(1, len(entries)/recordBucket)))}
	for i := range entries {
		record := entries[i].Record >> 1
		x.Filter.add(FilterHash(record))
		for uint64(len(x.begins)) <= (record-first)>>x.shift {
			x.begins = append(x.begins, uint32(i))
		}
	}
	x.begins = append(x.begins, uint32(len(entries)))
	return x
}

// bytes returns the memory that the index holds.
func (x *RecordIndex) bytes() int64 { return 8*int64(len(x.Filter)) + 4*int64(cap(x.begins)) }

// Around returns between which places the entry of a record is, or would be.
func (x *RecordIndex) Around(record uint64) (low, high int) {
	if record < x.first {
		return 0, 0
	}
	at := (record - x.first) >> x.shift
	if last := uint64(len(x.begins) - 1); at >= last {
		return int(x.begins[last]), int(x.begins[last])
	}
	return int(x.begins[at]), int(x.begins[at+1])
}

// EntryWithin returns the entry of a record between two places that a RecordIndex has returned.
func EntryWithin(entries []Entry, low, high int, record uint64) (m Entry, ok bool) {
	const few = 32
	if high-low > few {
		low += sort.Search(high-low, func(i int) bool { return entries[low+i].Record>>1 >= record })
	}
	for low < high && entries[low].Record>>1 < record {
		low++
	}
	if low == high || entries[low].Record>>1 != record {
		return m, false
	}
	return entries[low], true
}
