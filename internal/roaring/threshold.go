// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// AtLeast returns the set of values that at least k of the sets have: for k of 1 the union, for k
// of all of them the intersection. It panics if k is less than 1.
//
// The sets are read once, chunk by chunk, and the sets that have a value are counted in binary, one
// bit of 64 counters in a word (Kaser, Lemire: Compressed bitmap indexes: beyond unions and
// intersections, 2016). Beside the result, nothing is allocated once the package's memory is warm.
// The result is laid out as that of [OrAll].
func AtLeast(k int, views ...view.View) *mutable.Bitmap {
	m := pack.BorrowBuilder()
	defer m.Release()
	m.Layout = pack.AsTheyAre
	atLeast(&sink{m: m}, k, views)
	return mutable.NewBitmap(m, pack.AsTheyAre)
}

// AtLeastLen returns the number of values that at least k of the sets have. It costs an [AtLeast]
// without the result.
func AtLeastLen(k int, views ...view.View) uint64 {
	var to sink
	atLeast(&to, k, views)
	return to.n
}

// atLeast passes on the values that at least k of the sets have.
func atLeast(to *sink, k int, views []view.View) {
	switch {
	case k < 1:
		panic(fmt.Sprintf("bitmap: AtLeast: got k of %d, want at least 1", k))
	case k == 1:
		mergeInto(to, container.Or, views)
	case k == len(views):
		meetAll(to, views)
	case k < len(views):
		countInto(to, k, views)
	}
}

// countInto is atLeast where values have to be counted.
func countInto(to *sink, k int, views []view.View) {
	c := multiways.Get().(*multiway)
	defer c.release()
	votes := votesPool.Get().(*votes)
	defer votesPool.Put(votes)
	c.push(views, allKeys)
	for len(c.heap) > 0 {
		key, sets := c.heap[0].key, 0
		votes.begin()
		for ; len(c.heap) > 0 && c.heap[0].key == key; sets++ {
			x := &c.cursors[c.heap[0].i]
			votes.add(c.g.read(x))
			c.step(x.Next(), allKeys)
		}
		if sets >= k {
			to.block(votes.atLeast(k, key))
		}
	}
}

// votes counts how many blocks of one chunk have each value.
type votes struct {
	few    []uint16       // the values so far, in any order, as long as they are few
	bits   [][1024]uint64 // bit v of bits[i] is bit i of the count of v
	digits int            // of bits, as many are in use; 0: the values are in few
	s      container.Scratch
}

var votesPool = sync.Pool{New: func() any { return new(votes) }}

// fewVotes is up to how many values are sorted to be counted: to clear and read counters takes
// longer.
const fewVotes = 1024

// begin forgets all blocks.
func (v *votes) begin() { v.few, v.digits = v.few[:0], 0 }

// add counts the values of a block.
func (v *votes) add(b container.Block) {
	if v.digits == 0 {
		if len(v.few)+b.Len() <= fewVotes {
			v.few = b.AppendLow(v.few)
			return
		}
		v.digit()
		for _, low := range v.few {
			v.count(int(low>>6), 1<<(low&63))
		}
	}
	if b.Kind == container.Array {
		for i := range len(b.Data) / 2 {
			low := array.Low(b.Data, i)
			v.count(int(low>>6), 1<<(low&63))
		}
		return
	}
	spread := v.s.Spread(b)
	if spread.Kind != container.Bitset {
		return // it has no values
	}
	for i := range len(v.bits[0]) {
		v.count(i, binary.LittleEndian.Uint64(spread.Data[8*i:]))
	}
}

// digit puts one more bit to each counter, the highest one.
func (v *votes) digit() {
	if v.digits == len(v.bits) {
		v.bits = append(v.bits, [1024]uint64{})
	} else {
		clear(v.bits[v.digits][:])
	}
	v.digits++
}

// count adds one to those counters of word i that x has.
func (v *votes) count(i int, x uint64) {
	for d := 0; x != 0; d++ {
		if d == v.digits {
			v.digit()
		}
		at := &v.bits[d][i]
		*at, x = *at^x, *at&x
	}
}

// atLeast returns the block of the values that at least k blocks have. It is valid until the next
// call.
func (v *votes) atLeast(k int, key uint64) container.Block {
	words, n := &v.s.Buf[0], 0
	if v.digits == 0 {
		slices.Sort(v.few)
		for i := k - 1; i < len(v.few) && 2*n < len(words); i++ {
			// The first k of equal values tell; the others are the same value again.
			if low := v.few[i]; v.few[i-k+1] == low && (i < k || v.few[i-k] != low) {
				binary.LittleEndian.PutUint16(words[2*n:], low)
				n++
			}
		}
		return container.ArrayBlock(key, words[:2*n])
	}
	if k>>v.digits > 0 {
		return container.Block{Key: key}
	}
	for i := range len(v.bits[0]) {
		// From the lowest digit on: a count whose higher digits equal those of k is decided below.
		ones := ^uint64(0)
		for d := range v.digits {
			if k>>d&1 == 1 {
				ones &= v.bits[d][i]
			} else {
				ones |= v.bits[d][i]
			}
		}
		binary.LittleEndian.PutUint64(words[8*i:], ones)
	}
	return container.OfWords(key, words, bitset.Len(words), &v.s.Buf[1])
}
