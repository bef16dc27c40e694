// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// TestEdgeKeyParts compares parts of bodies with those of all their keys.
func TestEdgeKeyParts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for _, texts := range []int{0, 1, 40} {
		for _, timed := range []int{0, 1, 2, 33, 300} {
			keys := follows(r, timed, 6, 1e10, 1e6)
			for i := range texts {
				keys = append(keys, model.EdgeKey{Key: uint64(3 * i), Target: uint64(i)})
			}
			for i := range len(keys) / 8 { // some have several targets, as damage may have it
				keys = append(keys, model.EdgeKey{Key: keys[8*i].Key, Target: 25_000_000 + uint64(i)})
			}
			slices.SortFunc(keys, model.EdgeKey.Compare)
			if len(keys) == 0 {
				continue
			}
			body := AppendEdgeKeyBody(nil, keys)
			around := []uint64{0, 1, model.FirstTID - 1, model.FirstTID, model.EdgeGone, model.EdgeGone - 1}
			for _, k := range keys {
				around = append(around, k.Key-1, k.Key, k.Key+1)
			}
			for _, key := range around {
				at, _ := slices.BinarySearchFunc(keys, key, func(k model.EdgeKey, key uint64) int {
					return k.Compare(model.EdgeKey{Key: key})
				})
				for _, most := range []int{1, 10, 1 << 40} {
					last, first := keys[max(0, at-most):at], keys[at:at+min(most, len(keys)-at)]
					if got, ok := AppendLastEdgeKeys(nil, body, key, most); !ok || !slices.Equal(got, last) {
						t.Fatalf("%d of %d below %d: got %v %v, want %v", most, len(keys), key, got, ok, last)
					}
					if got, ok := AppendFirstEdgeKeys(nil, body, key, most); !ok || !slices.Equal(got, first) {
						t.Fatalf("%d of %d from %d: got %v %v, want %v", most, len(keys), key, got, ok, first)
					}
				}
			}
		}
	}
}

// BenchmarkFindEdgeKey finds the last key of a body: all gaps are read.
func BenchmarkFindEdgeKey(b *testing.B) {
	keys := follows(rand.New(rand.NewPCG(7, 11)), 500, 6, 7e11, 12e6)
	body := AppendEdgeKeyBody(nil, keys)
	var room [2]model.EdgeKey
	for b.Loop() {
		if got, ok := FindEdgeKey(room[:0], body, keys[len(keys)-1].Key); !ok || len(got) != 1 {
			b.Fatal(got, ok)
		}
	}
}
