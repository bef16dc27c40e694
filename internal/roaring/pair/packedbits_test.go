// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// denseBody returns a set that is bitsets of consecutive chunks, and its values.
func denseBody(r *rand.Rand, first, chunks uint64) (body []byte, values []uint64) {
	var cs []roaringtest.Container
	for key := first; key < first+chunks; key++ {
		c := roaringtest.Container{Key: key, Kind: container.Bitset}
		for x := key << 16; x < (key+1)<<16; x += 1 + r.Uint64N(3) {
			c.Values = append(c.Values, x)
		}
		cs, values = append(cs, c), append(values, c.Values...)
	}
	return roaringtest.CompactBody(cs, 0), values
}

// inBoth returns the values that are in two ascending lists.
func inBoth(a, b []uint64) (both []uint64) {
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); ok {
			both = append(both, x)
		}
	}
	return both
}

// TestPackedInDenseSets meets packed containers of several chunks with dense sets, on all paths.
// These begin and end before, within and behind the containers.
func TestPackedInDenseSets(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	r := rand.New(rand.NewPCG(172, 1))
	for low := uint(3); low <= 7; low++ {
		var cs []roaringtest.Container
		var values []uint64
		for _, key := range []uint64{2, 4, 7} { // of two chunks each, with one between the last two
			c := roaringtest.Container{Key: key, Kind: container.Packed, Low: low}
			for x := key<<16 + r.Uint64N(9); x < (key+2)<<16; x += 1 + r.Uint64N(1<<8) {
				c.Values = append(c.Values, x)
			}
			cs, values = append(cs, c), append(values, c.Values...)
		}
		a := open(t, roaringtest.CompactBody(cs, 0))
		if err := a.Validate(); err != nil {
			t.Fatal(err)
		}
		for first := range uint64(10) {
			for _, chunks := range []uint64{1, 2, 5} {
				body, others := denseBody(r, first, chunks)
				b := open(t, body)
				want := inBoth(values, others)
				for _, p := range cpu.Paths() {
					cpu.Use(p)
					for _, pair := range [][2]view.View{{a, b}, {b, a}} {
						if n := AndLen(pair[0], pair[1]); n != uint64(len(want)) {
							t.Fatalf("%v, low width %d, %d chunks from %d on: got %d in common, want %d", p, low,
								chunks, first, n, len(want))
						}
						if got := And(pair[0], pair[1]).View().AppendTo(nil); !slices.Equal(got, want) {
							t.Fatalf("%v, low width %d, %d chunks from %d on: got %d values, want %d", p, low, chunks,
								first, len(got), len(want))
						}
					}
				}
			}
		}
	}
}

// TestPackedBeyondItsBoundInDenseSets meets a dense set with a packed container that goes on behind
// the next one. Nobody has validated such bytes. Values beyond the bound do not count, and the
// result is valid.
func TestPackedBeyondItsBoundInDenseSets(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	r := rand.New(rand.NewPCG(173, 1))
	dense := func(first, chunks uint64) roaringtest.Container {
		return roaringtest.Container{Key: first, Kind: container.Packed, Low: 4,
			Values: roaringtest.Span(first<<16, (first+chunks)<<16, 200)}
	}
	cs := []roaringtest.Container{dense(1, 3), dense(2, 3), dense(4, 2)}
	want := slices.Concat(roaringtest.Span(1<<16, 2<<16, 200), roaringtest.Span(2<<16, 4<<16, 200), cs[2].Values)
	a, err := view.OpenBody(roaringtest.CompactBody(cs, 0))
	if err != nil || a.Validate() == nil {
		t.Fatalf("got %v, want a set that can be opened and is not valid", err)
	}
	for first := range uint64(6) {
		body, others := denseBody(r, first, 3)
		b := open(t, body)
		for _, p := range cpu.Paths() {
			cpu.Use(p)
			t.Run(fmt.Sprintf("%v from %d", p, first), func(t *testing.T) {
				m := And(a, b)
				if err := m.View().Validate(); err != nil {
					t.Fatal(err)
				}
				both := inBoth(want, others)
				if got := m.View().AppendTo(nil); !slices.Equal(got, both) {
					t.Errorf("got %d values, want %d", len(got), len(both))
				}
				if n := AndLen(a, b); n != uint64(len(both)) {
					t.Errorf("got %d in common, want %d", n, len(both))
				}
			})
		}
	}
}
