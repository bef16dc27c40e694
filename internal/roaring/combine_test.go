// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// writableOf returns the set of values in a form that changes where it lies.
func writableOf(values []uint64) *mutable.Bitmap {
	b := pair.FromSorted(values)
	b.Add(1 << 60)
	b.Remove(1 << 60)
	return b
}

// drawn returns up to n random values of a chunk, ascending.
func drawn(r *rand.Rand, n int, key uint64) []uint64 {
	values := make([]uint64, n)
	for i := range values {
		values[i] = key<<16 | r.Uint64N(1<<16)
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// isWritable reports whether a set has room for changes.
func isWritable(b *mutable.Bitmap) bool {
	return reflect.ValueOf(b).Elem().FieldByName("writable").Bool()
}

// TestCombineAllocatesNothing runs operations in place on sets that have changed, and on packed
// ones, again and again.
func TestCombineAllocatesNothing(t *testing.T) {
	if roaringtest.RaceEnabled {
		t.Skip("pools lose what they keep under the race detector")
	}
	r := rand.New(rand.NewPCG(85, 86))
	var values []uint64
	for key := range uint64(40) {
		values = append(values, drawn(r, 50+int(key)*200, key)...)
	}
	var masks []*mutable.Bitmap // each leaves one value out of 200
	for k := range uint64(20) {
		masks = append(masks, pair.FromSorted(slices.DeleteFunc(slices.Clone(values), func(x uint64) bool {
			return x%200 == k
		})))
	}
	for _, packed := range []bool{false, true} {
		t.Run(fmt.Sprintf("packed=%v", packed), func(t *testing.T) {
			b := writableOf(values)
			if packed {
				b.Pack(pack.Fastest)
			}
			k := 0
			got := roaringtest.Allocations(len(masks)/3-1, func() {
				AndWith(b, masks[k].View())
				k++
			})
			if got != 0 || isWritable(b) == packed {
				t.Errorf("And: got %v allocations each, changeable %v, want 0 and %v", got, isWritable(b), !packed)
			}
			if want := slices.DeleteFunc(slices.Clone(values), func(x uint64) bool {
				return x%200 < uint64(k)
			}); !slices.Equal(b.View().AppendTo(nil), want) {
				t.Errorf("got %d values, want %d", b.Len(), len(want))
			}
			if p := b.Clone(); !packed {
				if p.Pack(pack.Fastest); len(b.Bytes()) > 2*len(p.Bytes()) {
					t.Errorf("got %d bytes, want at most twice %d", len(b.Bytes()), len(p.Bytes()))
				}
			}
		})
	}
}

// TestCombineTouchesItsChunks takes a chunk out of a large set, and puts it in again: the work
// follows the chunk.
func TestCombineTouchesItsChunks(t *testing.T) {
	b := writableOf(roaringtest.Span(0, 3000<<16, 20))
	part := pair.FromSorted(roaringtest.Span(1500<<16, 1502<<16, 20))
	all := b.Clone()
	start := b.Moved()
	AndNotWith(b, part.View())
	if b.Len() != all.Len()-part.Len() || pair.Intersects(b.View(), part.View()) {
		t.Fatalf("AndNot: got %d values, want %d", b.Len(), all.Len()-part.Len())
	}
	XorWith(b, part.View())
	if !pair.Equal(b.View(), all.View()) {
		t.Fatal("Xor: got another set than before")
	}
	OrWith(b, part.View())
	if got, most := b.Moved()-start, uint64(len(b.Bytes())/10); got > most {
		t.Errorf("moved %d bytes, want at most %d", got, most)
	}
}
