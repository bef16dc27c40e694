// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestNeighbours(t *testing.T) {
	alone(t)
	r := rand.New(rand.NewPCG(91, 92))
	for _, s := range samples(r, 30) {
		v := open(t, s.body)
		points := asked(r, s.values)
		for i, x := range points {
			at, found := slices.BinarySearch(s.values, x)
			next, ok := v.Next(x)
			if ok != (at < len(s.values)) || ok && next != s.values[at] {
				t.Fatalf("%s: Next(%d): got %d, %v", s.name, x, next, ok)
			}
			if !found {
				at--
			}
			previous, ok := v.Previous(x)
			if ok != (at >= 0) || ok && previous != s.values[at] {
				t.Fatalf("%s: Previous(%d): got %d, %v", s.name, x, previous, ok)
			}
			for _, y := range []uint64{points[(7*i+1)%len(points)], x, x + 1, x + 70_000, ^uint64(0)} {
				from, _ := slices.BinarySearch(s.values, x)
				to, found := slices.BinarySearch(s.values, y)
				if found {
					to++
				}
				if got, want := v.LenRange(x, y), uint64(max(to-from, 0)); got != want {
					t.Fatalf("%s: LenRange(%d, %d): got %d, want %d", s.name, x, y, got, want)
				}
			}
		}
	}
}
