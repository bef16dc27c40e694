// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Masked returns the set of x & mask for each value x: values that differ only in bits outside the
// mask become one. IDs that carry a shard, a tenant or a position in some of their bits are brought
// together so.
//
// Blocks are copied if the mask keeps the low 16 bits, and combined as by [OrAll] where several
// fall into one chunk. Otherwise each value is moved. Beside the result, it needs memory for a
// small multiple of the set. The result is laid out as that of [OrAll].
func (v View) Masked(mask uint64) *Bitmap { return (*Bitmap)(roaring.Masked(view.View(v), mask)) }

// Shift returns the set of the values plus offset. It drops values that leave the range of uint64.
// The result is packed as [Fastest].
//
// Blocks are copied if the offset is a multiple of 65 536. Otherwise each is cut in two, in its
// kind, and joined with the part that its neighbour left in the same chunk: about the cost of an
// [Or]. Beside the result, nothing is allocated once the package's memory is warm.
func (v View) Shift(offset int64) *Bitmap { return (*Bitmap)(roaring.Shift(view.View(v), offset)) }

// FromWords returns the set with base + 64·i + b for each bit b of words[i] that is one. b = 0 is
// the lowest bit. base need not be a multiple of anything; what leaves the range of uint64 is
// dropped. The set is packed as [Fastest]. The cost is one pass over the words, and the set; beside
// it nothing is allocated once the package's memory is warm.
func FromWords(base uint64, words []uint64) *Bitmap { return (*Bitmap)(roaring.FromWords(base, words)) }

// Words writes the part of the set from base on as words: bit b of dst[i] is one if base + 64·i + b
// is in the set, else zero. It is the counterpart of [FromWords]; base need not be a multiple of
// anything, and bits beyond the range of uint64 are zeros. It costs clearing dst, and the blocks in
// that range; it allocates nothing.
func (v View) Words(base uint64, dst []uint64) { roaring.Words(view.View(v), base, dst) }
