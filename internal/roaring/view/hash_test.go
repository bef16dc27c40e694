// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// hashOf is the definition of the hash, written without regard to containers.
func hashOf(values []uint64) uint64 {
	words := map[uint64]uint64{}
	for _, x := range values {
		words[x>>6] |= 1 << (x & 63)
	}
	sum := uint64(0)
	for p, word := range words {
		sum += view.MixHash(p, word)
	}
	return view.FinishHash(sum)
}

func TestHash(t *testing.T) {
	r := rand.New(rand.NewPCG(95, 96))
	for _, s := range roaringtest.Samples(r, 25) {
		if got, want := view.Hash(open(t, s.Body)), hashOf(s.Values); got != want {
			t.Fatalf("%s of %d values: got %x, want %x", s.Name, len(s.Values), got, want)
		}
		for range 3 {
			again := encoded(r, s.Values)
			if got, want := view.Hash(open(t, again.Body)), hashOf(s.Values); got != want {
				t.Fatalf("%s as %s: got %x, want %x", s.Name, again.Name, got, want)
			}
		}
	}
}

// TestHashIsStable pins hashes: they may be stored.
func TestHashIsStable(t *testing.T) {
	for _, c := range []struct {
		values []uint64
		want   uint64
	}{
		{nil, 0},
		{[]uint64{0}, 0x3d90f1b6e716d044},
		{[]uint64{1, 2, 3}, 0xd6bbeed92f129145},
		{[]uint64{math.MaxUint64}, 0x08d7ddf505073db9},
		{roaringtest.Span(0, 100_000, 1), 0xdac2301c66a45025},
	} {
		if got := view.Hash(pair.FromSorted(c.values).View()); got != c.want {
			t.Errorf("hash of %d values: got %#x, want %#x", len(c.values), got, c.want)
		}
	}
}

// TestHashCollisions hashes many small sets that differ little.
func TestHashCollisions(t *testing.T) {
	var hashes []uint64
	for i := range uint64(64) {
		for j := range uint64(1500) {
			hashes = append(hashes, hashOf([]uint64{i, 64 * j, 64*j + i + 1}), hashOf([]uint64{i << 40, j<<20 + 7}))
		}
	}
	// {64j, 64j + i + 1, i} is {0, i, i+1} for j = 0, all others differ.
	slices.Sort(hashes)
	if n := len(slices.Compact(slices.Clone(hashes))); n != len(hashes) {
		t.Errorf("%d of %d hashes are different", n, len(hashes))
	}
	ones := 0
	for _, h := range hashes {
		ones += int(h & 1)
		ones += int(h >> 63)
	}
	if ones < len(hashes)*98/100 || ones > len(hashes)*102/100 {
		t.Errorf("first and last bits: %d ones of %d", ones, 2*len(hashes))
	}
}
