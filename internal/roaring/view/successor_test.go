// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

func TestNeighbours(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(91, 92))
	for _, s := range roaringtest.Samples(r, 30) {
		v := open(t, s.Body)
		points := roaringtest.Asked(r, s.Values)
		for i, x := range points {
			at, found := slices.BinarySearch(s.Values, x)
			next, ok := v.Next(x)
			if ok != (at < len(s.Values)) || ok && next != s.Values[at] {
				t.Fatalf("%s: Next(%d): got %d, %v", s.Name, x, next, ok)
			}
			if !found {
				at--
			}
			previous, ok := v.Previous(x)
			if ok != (at >= 0) || ok && previous != s.Values[at] {
				t.Fatalf("%s: Previous(%d): got %d, %v", s.Name, x, previous, ok)
			}
			for _, y := range []uint64{points[(7*i+1)%len(points)], x, x + 1, x + 70_000, ^uint64(0)} {
				from, _ := slices.BinarySearch(s.Values, x)
				to, found := slices.BinarySearch(s.Values, y)
				if found {
					to++
				}
				if got, want := view.LenRange(v, x, y), uint64(max(to-from, 0)); got != want {
					t.Fatalf("%s: LenRange(%d, %d): got %d, want %d", s.Name, x, y, got, want)
				}
			}
		}
	}
}

// TestNeighboursAmongKeysInDisorder asks directories that have one key too large for its place.
// Nobody has validated such bytes. Keys are compared many at once, after a guess where the wanted
// one stands; a wrong guess must not lead to a neighbour on the wrong side.
func TestNeighboursAmongKeysInDisorder(t *testing.T) {
	for _, step := range []uint64{3, 29} { // keys of one byte and of two
		for at := range 60 {
			var cs []roaringtest.Container
			for i := range uint64(60) {
				key := 5 + i*step
				if i == uint64(at) {
					key = 5 + 75*step
				}
				cs = append(cs, roaringtest.Container{Key: key, Kind: container.Array, Values: []uint64{key<<16 | 7}})
			}
			cs = append(cs, roaringtest.Container{Key: 5 + 80*step, Kind: container.Array,
				Values: []uint64{(5+80*step)<<16 | 7}})
			v, err := view.OpenBody(roaringtest.CompactBody(cs, 0))
			if err != nil {
				t.Fatal(err)
			}
			for key := range 85 * step {
				x := key<<16 | 9
				if y, ok := v.Previous(x); ok && y > x {
					t.Fatalf("Previous(%d): got %d, with key %d in place %d", x, y, 5+75*step, at)
				}
				if y, ok := v.Next(x); ok && y < x {
					t.Fatalf("Next(%d): got %d, with key %d in place %d", x, y, 5+75*step, at)
				}
				if i := v.Search(key); i >= 0 && v.KeyAt(i) > key {
					t.Fatalf("container %d of key %d was found for %d", i, v.KeyAt(i), key)
				}
			}
		}
	}
}
