// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"maps"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/query"
)

// chunkTally is how many operands each record of a chunk is in.
type chunkTally [1 << 16]uint32

// tallyBytes is what a chunkTally takes.
const tallyBytes = 4 << 16

// tallied makes the node of the records that are in enough of many operands. It evaluates these one
// after the other. Memory: 4 bytes for each record of the chunks that they have.
func (p *plan) tallied(e query.AtLeast, bind Bind) (*node, error) {
	chunks := map[uint64]*chunkTally{}
	err := p.eachSet(e.Of, bind, func(set *mutable.Bitmap) error {
		key, chunk := uint64(0), (*chunkTally)(nil)
		for record := range set.All() {
			if at := record >> 16; chunk == nil || at != key {
				if key, chunk = at, chunks[at]; chunk == nil {
					if err := p.charge(tallyBytes); err != nil {
						return err
					}
					chunk = new(chunkTally)
					chunks[at] = chunk
				}
			}
			chunk[record&(1<<16-1)]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var b pack.Builder
	for _, key := range slices.Sorted(maps.Keys(chunks)) {
		for low, n := range chunks[key] {
			if uint64(n) >= uint64(e.N) {
				b.Append(key<<16 | uint64(low))
			}
		}
	}
	return p.setNode(mutable.NewBitmap(&b, pack.Fastest))
}
