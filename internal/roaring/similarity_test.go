// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

func TestJaccard(t *testing.T) {
	r := rand.New(rand.NewPCG(97, 98))
	for range roaringtest.Paced(60, 20) {
		x, y := roaringtest.Mixed(t, r)
		and := len(roaringtest.CombineSorted(x.Values, y.Values, viewOps[0].F))
		want := 1.0
		if or := len(x.Values) + len(y.Values) - and; or > 0 {
			want = float64(and) / float64(or)
		}
		if got := Jaccard(open(t, x.Body), open(t, y.Body)); got != want {
			t.Fatalf("%s and %s: got %v, want %v", x.Name, y.Name, got, want)
		}
	}
	if got := Jaccard(view.View{}, view.View{}); got != 1 {
		t.Errorf("of empty sets: got %v, want 1", got)
	}
	if got := Jaccard(view.View{}, pair.Of(1).View()); got != 0 {
		t.Errorf("of disjoint sets: got %v, want 0", got)
	}
}
