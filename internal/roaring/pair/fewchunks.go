// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Against a set of few containers, a list is not decoded. It is searched for their chunks: most
// hold no value of the list.

// What it costs, in values of a list that are decoded and looked up: a chunk that is searched for,
// and each value of the list in it, which is looked up alone.
const (
	valuesForChunk  = 2
	valuesForSingle = 6
)

// inFewChunks intersects a list and a set of few containers. It writes the values to dst, unless
// that is nil, and returns their number. ok is false if decoding the list is better: if there are
// too many containers or packed ones, or if their chunks have many values of the list.
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
