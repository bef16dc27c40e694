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

// open opens a body.
func open(t testing.TB, body []byte) view.View {
	t.Helper()
	v, err := view.OpenBody(body)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// encoded returns the values in a random form: any containers, packed in either layout, or
// changing.
func encoded(r *rand.Rand, values []uint64) roaringtest.Sample {
	b := pair.FromSorted(values)
	name := "fastest"
	switch r.IntN(4) {
	case 0:
		b.Pack(pack.Smallest)
		name = "smallest"
	case 2:
		return roaringtest.Sample{Name: "recoded", Body: roaringtest.Recode(r, values), Values: values}
	case 1:
		if b.Add(9) {
			b.Remove(9)
		}
		name = "changed"
	}
	return roaringtest.Sample{Name: name, Body: b.View().Body(), Values: values}
}
