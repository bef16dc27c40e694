// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

func TestStandAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range roaringtest.Samples(r, 6) {
		for width := range 4 {
			if width < 3 && len(s.Body)>>(8<<width) != 0 {
				continue
			}
			for _, checksum := range []bool{false, true} {
				b := roaringtest.Envelop(s.Body, width, checksum)
				v, err := view.Open(b)
				if err != nil {
					t.Fatal(err)
				}
				if err := v.Validate(); err != nil {
					t.Fatal(err)
				}
				if v.Len() != uint64(len(s.Values)) || string(v.Body()) != string(s.Body) {
					t.Fatalf("%s: got %d values, want %d", s.Name, v.Len(), len(s.Values))
				}
				if _, err := view.Open(b[:len(b)-1]); err == nil {
					t.Fatalf("%s: a byte less is accepted", s.Name)
				}
				if _, err := view.Open(append(b[:len(b):len(b)], 0)); err == nil {
					t.Fatalf("%s: a byte more is accepted", s.Name)
				}
			}
		}
	}
}
