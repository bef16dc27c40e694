// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareToArray compares kernels that write the ones of a bitset as an array in any room.
func compareToArray(t *testing.T, got, want func(dst []byte, a *Words) int) {
	r := rand.New(rand.NewPCG(106, 1))
	x, z := kerneltest.NewArena(t, 35*4096), kerneltest.NewArena(t, 3*4096)
	expected := make([]byte, 1<<17)
	wheres := kerneltest.Places()
	for _, a := range kerneltest.SomeWords(r) {
		n := Len(a)
		sizes := []int{2 * n, 2*n + 1, 2*n + 2, 2*n + 500, max(2*n-2, 0), n, r.IntN(2*n + 1)}
		for i := range 150 {
			sizes = append(sizes, i)
		}
		for _, room := range sizes {
			room = min(room, 1<<17)
			where := []int{kerneltest.AtEnd, kerneltest.AtBegin, wheres[r.IntN(len(wheres))]}[r.IntN(3)]
			m := want(expected[:room], a)
			dst, bits := x.Put(room, where, nil), (*Words)(z.Put(8192, wheres[r.IntN(len(wheres))], a[:]))
			if k := got(dst, bits); k != m || !bytes.Equal(dst[:2*k], expected[:2*k]) {
				t.Fatalf("%d ones, room for %d bytes at %d: got %d, want %d", n, room, where, k, m)
			}
			if !x.Intact() || !z.Intact() || *bits != *a {
				t.Fatalf("%d ones, room for %d bytes at %d: memory was changed", n, room, where)
			}
		}
	}
}
