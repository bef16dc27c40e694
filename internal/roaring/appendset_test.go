// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// appendOps are in the order of viewOps.
var appendOps = []func(dst []byte, a, b view.View) []byte{AppendAnd, AppendOr, AppendAndNot, AppendXor}

func TestAppendCombined(t *testing.T) {
	r := rand.New(rand.NewPCG(99, 100))
	rounds := roaringtest.Paced(80, 12)
	for range rounds {
		x, y := roaringtest.Mixed(t, r)
		a, b := open(t, x.Body), open(t, y.Body)
		for i, op := range viewOps {
			dst := appendOps[i]([]byte("before"), a, b)
			v, err := view.OpenBody(dst[len("before"):])
			if err == nil {
				err = v.Validate()
			}
			if err != nil || string(dst[:6]) != "before" {
				t.Fatalf("Append%s of %s and %s: %v", op.Name, x.Name, y.Name, err)
			}
			if !slices.Equal(v.AppendTo(nil), roaringtest.CombineSorted(x.Values, y.Values, op.F)) {
				t.Fatalf("Append%s of %s and %s: wrong values", op.Name, x.Name, y.Name)
			}
			if got := roaringtest.Allocations(12, func() { appendOps[i](dst[:6], a, b) }); got != 0 &&
				!decodes(a) && !decodes(b) {
				t.Errorf("Append%s of %s and %s: got %v allocations, want 0", op.Name, x.Name, y.Name, got)
			}
		}
	}
}

// decodes reports whether a set has a container that takes memory to be decoded.
func decodes(v view.View) bool {
	for i := range v.Count() {
		if v.KindAt(i) != container.Packed || v.Form() == view.FormList {
			continue
		}
		if _, _, payload := v.PayloadAt(i); container.IsCoded(payload) {
			return true
		}
	}
	return false
}
