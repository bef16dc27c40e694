// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

func TestKinds(t *testing.T) {
	r := rand.New(rand.NewPCG(121, 122))
	var sum view.Kinds
	for _, s := range roaringtest.Samples(r, 20) {
		v := open(t, s.Body)
		k := view.KindsOf(v)
		sum = sum.Plus(k)
		if got := k.Array.Values + k.Bitset.Values + k.Run.Values + k.Packed.Values; got != uint64(len(s.Values)) {
			t.Errorf("%s: got %d values in containers of any kind, want %d", s.Name, got, len(s.Values))
		}
		if got := k.Array.Bytes + k.Bitset.Bytes + k.Run.Bytes + k.Packed.Bytes; got > uint64(len(s.Body)) &&
			v.Form() != view.FormSingle {
			t.Errorf("%s: got %d bytes in containers, of %d in all", s.Name, got, len(s.Body))
		}
	}
	if sum.Array.Count == 0 || sum.Bitset.Count == 0 || sum.Run.Count == 0 || sum.Packed.Count == 0 {
		t.Errorf("got %+v, want containers of every kind", sum)
	}
	wide := pair.FromSorted(roaringtest.Span(0, 200_000, 1))
	for i := range uint64(5000) {
		wide.Add(1<<20 + 13*i)
	}
	wide.Pack(pack.Fastest)
	if k := view.KindsOf(wide.View()); k.Run.Count != 4 || k.Run.Values != 200_000 ||
		k.Array.Values+k.Bitset.Values != 5000 {
		t.Errorf("got %+v, want 4 containers of runs with 200000 values, and 5000 values in others", k)
	}
}
