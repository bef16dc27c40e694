// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// Layout says how containers are chosen when a set is packed.
type Layout uint8

const (
	// Fastest takes array, bitset or runs for each chunk, the smallest of them, as what is combined
	// fastest. Only a set with fewer than four values a chunk, which would be nothing but
	// directory, becomes one packed block, if it has at most 10 000 values; one of up to 128
	// is kept as a fixed list.
	Fastest = Layout(pack.Fastest)

	// Smallest takes the smallest form and containers, packed ones included.
	Smallest = Layout(pack.Smallest)

	// Balanced packs chunks of fewer than 1 024 values as Smallest, and larger ones as Fastest.
	// From 3 072 values on they are bitsets: long lists are few, and they are the slow ones to
	// combine. A set takes less than in Fastest unless most of its chunks have 3 072 to 4 096
	// values, and then at most a third more.
	Balanced = Layout(pack.Balanced)
)

// Builder writes a set from its values in ascending order. The zero value is ready for
// use; Reset makes it so again and keeps the memory, so that a Builder that has grown to its work
// allocates nothing.
//
// It holds the set, chunk by chunk as array, bitset or runs, until Body chooses the containers. Not
// for concurrent use.
type Builder struct{ b pack.Builder }

// Reset makes the builder empty.
func (b *Builder) Reset() { b.b.Reset() }

// Len returns the number of values so far.
func (b *Builder) Len() uint64 { return b.b.Len() }

// Append adds x, which must not be less than the values before it. A value that is there already
// changes nothing. Append may go on after Body, Bitmap and AppendBlock, also within the last chunk,
// at the cost of reading that chunk once. It panics if x is out of order.
func (b *Builder) Append(x uint64) { b.b.Append(x) }

// Body appends the smallest body of the set to dst and returns the longer slice. The body is as it
// stands in a page. The set stays in the builder.
func (b *Builder) Body(dst []byte) []byte { return b.b.Body(dst) }

// BodyIn is Body in a layout.
//
// A list of more than 10 000 values becomes a single packed block of at most 32 KB, which is what a
// page takes, where that is smaller than its containers: in Smallest whatever they are, in Balanced
// if all of them would be packed ones. [Bitmap.Pack] and what is computed keep containers, which
// are what is combined.
func (b *Builder) BodyIn(dst []byte, layout Layout) []byte {
	return b.b.BodyIn(dst, pack.Layout(layout))
}

// Bitmap returns the set as a Bitmap with the given layout. It stays in the builder.
func (b *Builder) Bitmap(layout Layout) *Bitmap {
	return (*Bitmap)(mutable.NewBitmap(&b.b, pack.Layout(layout)))
}
