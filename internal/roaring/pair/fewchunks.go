// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// A list of which a set of few containers is asked is not decoded: it is searched for the chunks of
// these, of which most have no value of it.

// What it costs, in values of a list that are decoded and looked up: a chunk that is searched for,
// and each value of the list in it, which is looked up alone.
const (
	valuesForChunk  = 2
	valuesForSingle = 6
)

// inFewChunks writes the values that a list and a set of few containers have in common to dst, if
// that is not nil, and returns their number. ok is false if the list is better decoded: if there
// are too many containers for it, or packed ones, or these chunks have many of its values.
func inFewChunks(dst []uint64, list, in *view.View) (n int, ok bool) {
	if in.Form() < view.FormCompact || valuesForChunk*in.Count() > list.Values() {
		return 0, false
	}
	var p eliasfano.Packed
	view.ReadList(list, &p)
	last, _ := p.Last()
	if chunks, n := last>>16+1, uint64(p.N); uint64(in.Count())*(valuesForChunk+valuesForSingle*n/chunks) > n {
		return 0, false
	}
	if list.IsFixed() {
		return fixedInFewChunks(dst, list, in)
	}
	var it eliasfano.Iter
	it.Reset(&p)
	for i := range in.Count() {
		key, kind, data := in.PayloadAt(i)
		if kind == container.Packed {
			return 0, false
		}
		it.Seek(key << 16)
		for x, more := it.Peek(); more && x>>16 == key; x, more = it.Peek() {
			if view.Holds(kind, data, uint16(x)) {
				if dst != nil {
					dst[n] = x
				}
				n++
			}
			it.Next()
		}
	}
	return n, true
}
