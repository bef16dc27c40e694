// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestThresholds swings sets around every number of values at which a container changes its kind.
// It swings by one value and by many, and bounds the bytes and the work of each swing.
func TestThresholds(t *testing.T) {
	for _, n := range []uint64{arrayToPacked, packedToArray, joinPackedBelow, minRuns, maxLoosePacked, bitsetToArray,
		arrayToBitset, container.MaxArray} {
		for _, step := range []uint64{1, 13, 70_000} {
			b := sorted(roaringtest.Span(0, n*step, step))
			few, many := []uint64{n * step, (n + 1) * step}, roaringtest.Span(n*step, n*step+20*step, step)
			b.AddMany(many...)
			b.RemoveMany(many...)
			start, largest := b.Moved(), 0
			const swings = 200
			for range swings {
				for _, values := range [][]uint64{few, many} {
					b.AddMany(values...)
					largest = max(largest, len(b.Bytes()))
					b.RemoveMany(values...)
					largest = max(largest, len(b.Bytes()))
				}
			}
			b.AddMany(many...)
			b.Pack(pack.Fastest)
			// The header and the first room of the directory, 108 bytes, are all that a set of one
			// container has besides.
			if most := 2*len(b.Bytes()) + 128; largest > most {
				t.Errorf("%d values, %d apart: up to %d bytes, want at most %d", n, step, largest, most)
			}
			// Four changes a swing, of at most 22 values each.
			if got := (b.Moved() - start) / swings; got > 44*2000 {
				t.Errorf("%d values, %d apart: a swing moves %d bytes", n, step, got)
			}
		}
	}
}

// TestManySpread adds random values over 2^40 in batches and bounds the bytes and those moved.
func TestManySpread(t *testing.T) {
	n := roaringtest.Paced(200_000, 40_000)
	r := rand.New(rand.NewPCG(55, 56))
	values := make([]uint64, n)
	for i := range values {
		values[i] = r.Uint64N(1 << 40)
	}
	for _, batch := range []int{100, 5000, n} {
		b := new(Bitmap)
		for part := range slices.Chunk(values, batch) {
			b.AddMany(part...)
		}
		got, moved := len(b.Bytes()), b.Moved()/uint64(n)
		b.Pack(pack.Smallest)
		t.Logf("batches of %d: %d bytes, packed %d; moved %d bytes a value", batch, got, len(b.Bytes()), moved)
		if got > 2*len(b.Bytes()) || moved > 5000 {
			t.Errorf("batches of %d: got %d bytes, want at most twice %d; moved %d a value, want at most 5000", batch,
				got, len(b.Bytes()), moved)
		}
	}
}

// TestBatchesMoveLittle adds and removes values in batches that have few for each container: they
// move no more bytes than one by one.
func TestBatchesMoveLittle(t *testing.T) {
	n := roaringtest.Paced(100_000, 40_000)
	for _, universe := range []uint64{1 << 21, 1 << 25, 1 << 40} {
		r := rand.New(rand.NewPCG(57, universe))
		values := make([]uint64, n)
		for i := range values {
			values[i] = r.Uint64N(universe)
		}
		moved := func(batch int) (added, removed uint64) {
			var b Bitmap
			for part := range slices.Chunk(values, batch) {
				b.AddMany(part...)
			}
			added = b.Moved()
			for part := range slices.Chunk(values, batch) {
				b.RemoveMany(part...)
			}
			return added, b.Moved() - added
		}
		added, removed := moved(1)
		for _, batch := range []int{10, 50, 250, 1000} {
			gotAdded, gotRemoved := moved(batch)
			if gotAdded > added+added/4 || gotRemoved > removed+removed/4 {
				t.Errorf(
					"universe of %d, batches of %d: got %d bytes moved for adding and %d for removing, want little "+
						"more than the %d and %d of one by one",
					universe, batch, gotAdded, gotRemoved, added, removed)
			}
		}
	}
}

// TestBatchesOfNewContainers adds and removes values that each make a container between two others.
// The directory must not be moved for every one.
func TestBatchesOfNewContainers(t *testing.T) {
	const chunks, each = 10_000, 24
	var b Bitmap
	between := make([]uint64, 0, chunks)
	for k := range uint64(chunks) {
		for i := range uint64(each) {
			b.Add(2*k<<16 | i*1000)
		}
		between = append(between, (2*k+1)<<16|77)
	}
	for _, change := range []func(...uint64) int{b.AddMany, b.RemoveMany} {
		before, most := b.Moved(), uint64(4*manyShifts*len(b.Bytes()))
		if n := change(between...); n != chunks || b.View().Validate() != nil {
			t.Fatalf("%d values changed, %v", n, b.View().Validate())
		}
		if moved := b.Moved() - before; moved > most {
			t.Errorf("got %d bytes moved, want at most %d", moved, most)
		}
	}
	if n := b.Len(); n != chunks*each {
		t.Errorf("got %d values, want %d", n, chunks*each)
	}
}
