// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareLocate compares kernels that find the place of a value in a packed payload whose low width
// is 16: in valid ones, in the smallest room or with 8 bytes more, and in random bytes. Where got
// says -1, which it may if more values than shortMost share the upper bits or the payload is not
// valid, want is not asked.
func compareLocate(t *testing.T, got, want func(room []byte, size, n int, d uint64) (i int, found bool)) {
	r := rand.New(rand.NewPCG(110, 1))
	x := kerneltest.NewArena(t, 4*4096)
	compared, left := 0, 0
	compare := func(payload []byte, size, n int, d uint64) {
		t.Helper()
		room := x.Put(len(payload), []int{kerneltest.AtEnd, kerneltest.AtBegin, 8 * r.IntN(8)}[r.IntN(3)], payload)
		i, found := got(room, size, n, d)
		if !x.Intact() || !bytes.Equal(room, payload) {
			t.Fatalf("%d of %d bytes, %d values: memory was changed", size, len(room), n)
		}
		if i < 0 {
			left++
			return
		}
		compared++
		if wantI, wantFound := want(room, size, n, d); i != wantI || found != wantFound {
			t.Fatalf("place of %d among %d values in %d of %d bytes % x: got %d, %v, want %d, %v", d, n, size,
				len(room), room, i, found, wantI, wantFound)
		}
	}
	for _, values := range shortLists(r) {
		n := len(values)
		payload := append([]byte{shortLow}, appendPacked(nil, values, shortLow)...)
		room := padded(payload)
		if r.IntN(2) == 0 {
			room = append(room, bytes.Repeat([]byte{byte(r.Uint32())}, 8)...)
		}
		if len(room) < shortFrom || len(room) > 8192 {
			continue
		}
		for range 20 {
			y := values[r.IntN(n)]
			for _, d := range []uint64{y, y - 1, y + 1, y ^ 1<<16, values[n-1] + 1<<16, r.Uint64N(1 << 30)} {
				before := left
				compare(room, len(payload), n, d)
				lo, _ := slices.BinarySearch(values, d>>16<<16)
				hi, _ := slices.BinarySearch(values, d>>16<<16+1<<16)
				if left > before && hi-lo <= shortMost && len(payload) >= 2*n+shortMost*2+1 {
					t.Fatalf("%d values share the upper bits of %d: they were not compared", hi-lo, d)
				}
			}
		}
	}
	for range 20_000 {
		room := make([]byte, shortFrom+8*r.IntN(20))
		for i := range room {
			room[i] = byte(r.Uint32() & r.Uint32())
		}
		compare(room, r.IntN(len(room)+1), 1+r.IntN(len(room)), r.Uint64()>>(30+r.IntN(34)))
	}
	if compared < 10_000 || left == 0 {
		t.Fatalf("%d places compared, %d left to the other kernel: some of both are wanted", compared, left)
	}
}
