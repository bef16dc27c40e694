// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestFewValues: a list merged value by value is, byte for byte, what it is block by block.
func TestFewValues(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	var m Merger
	for range 2000 {
		most := uint64(1) << (4 + r.IntN(30))
		old := make(map[uint64]bool)
		for range r.IntN(fewValues) {
			old[r.Uint64N(most)] = true
		}
		var b pack.Builder
		var values []uint64
		for x := range old {
			values = append(values, x)
		}
		slices.Sort(values)
		for _, x := range values {
			b.Append(x)
		}
		var edits []model.Edit
		for range r.IntN(40) {
			e := model.Edit{Set: r.IntN(2) == 0, Record: r.Uint64N(most)}
			if len(values) > 0 && r.IntN(2) == 0 {
				e.Record = values[r.IntN(len(values))]
			}
			edits = append(edits, e)
		}
		edits = model.NormalizeEdits(edits)
		v, err := view.OpenBody(b.Body(nil))
		if err != nil {
			t.Fatal(err)
		}
		m.List.Reset(v, edits)
		want, wantLen := m.build(0, math.MaxUint64, pack.Smallest)
		if got, n := m.few(); n != wantLen || !bytes.Equal(got, want) {
			t.Fatalf("%d values, %d edits: got %d values in %x, want %d in %x", len(values), len(edits), n, got,
				wantLen, want)
		}
	}
}
