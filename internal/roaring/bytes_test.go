// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// fixedBytes is what a changing set may take beyond a multiple of its packed bytes: 74 bytes of
// envelope, header, entry and room that one value needs, less those of its packed form, and the
// holes that are never worth compacting.
const fixedBytes = 74 - 2*6 + 128

// TestBytesOfRandomChanges bounds the bytes of a set that changes at random. One pass adds values
// one by one. A second also removes some in between, and nearly all at the end. Sets have one to
// 200 chunks of one to 2 000 values. The bounds are those of the design document: twice the fastest
// layout everywhere, and twice the smallest where chunks are thin.
func TestBytesOfRandomChanges(t *testing.T) {
	roaringtest.Alone(t)
	for _, chunks := range []int{1, 2, 3, 5, 10, 20, 50, 83, 140, 200} {
		for _, density := range []int{1, 2, 4, 8, 12, 16, 20, 24, 28, 33, 40, 50, 66, 80, 100, 120, 150, 200, 400, 1200,
			2000} {
			n := chunks * density
			if n > roaringtest.Paced(400_000, 10_000) {
				continue
			}
			for _, removes := range []bool{false, true} {
				c := changing{chunks: chunks, r: rand.New(rand.NewPCG(uint64(n), 1))}
				every := max(n/roaringtest.Paced(6000, 600), 1) * 100
				for i := 1; i <= n; i++ {
					c.add()
					if removes && i%3 == 0 {
						c.remove()
					}
					if i%every == 0 || i == n {
						c.check(t, density, removes)
					}
				}
				for removes && len(c.values) > n/20 {
					if c.remove(); len(c.values)%every == 0 {
						c.check(t, density, removes)
					}
				}
			}
		}
	}
}

// changing is a set of random values in some chunks.
type changing struct {
	mutable.Bitmap
	r      *rand.Rand
	chunks int
	values []uint64
}

func (c *changing) add() {
	if x := c.r.Uint64N(uint64(c.chunks) << 16); c.Add(x) {
		c.values = append(c.values, x)
	}
}

func (c *changing) remove() {
	if len(c.values) == 0 {
		return
	}
	i, last := c.r.IntN(len(c.values)), len(c.values)-1
	c.Remove(c.values[i])
	c.values[i] = c.values[last]
	c.values = c.values[:last]
}

// check compares the bytes with those of both layouts.
func (c *changing) check(t *testing.T, density int, removes bool) {
	t.Helper()
	smallest, fastest := c.Clone(), c.Clone()
	smallest.Pack(pack.Smallest)
	fastest.Pack(pack.Fastest)
	got := len(c.Bytes())
	if most := 2*len(fastest.Bytes()) + fixedBytes; got > most {
		t.Errorf("%d values in %d chunks, removes %v: got %d bytes, want at most %d, twice those of the fastest layout",
			len(c.values), c.chunks, removes, got, most)
	}
	times := 2.0
	switch {
	case density > 120:
		return
	case density > 33 && removes:
		times = 2.2
	case density > 33:
		times = 2.1
	}
	if most := int(times*float64(len(smallest.Bytes()))) + fixedBytes; got > most {
		t.Errorf("%d values in %d chunks, removes %v: got %d bytes, want at most %d, %.1f times those of the "+
			"smallest layout", len(c.values), c.chunks, removes, got, most, times)
	}
}
