// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

func TestPackedEdit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for name, values := range lists() {
		n := len(values)
		if n < 2 {
			continue
		}
		_, best := Size(n, values[n-1], 63)
		for _, low := range []uint{best, best + 2} {
			if low > 63 {
				continue
			}
			whole := appendPacked(nil, values, low)
			for range 30 {
				i := r.IntN(n)
				if r.IntN(4) == 0 {
					i = r.IntN(2) * (n - 1)
				}
				rest := slices.Delete(slices.Clone(values), i, i+1)
				want := appendPacked(nil, rest, low)
				got := bytes.Repeat([]byte{0xAA}, Bytes(n-1, rest[n-2], low))
				Remove(got, Packed{Block: whole, N: n, Low: low}, i, values[i])
				if !bytes.Equal(got, want) {
					t.Fatalf("%s, low width %d: value %d of %d removed: got % x, want % x", name, low, i, n, got, want)
				}
			}
		}
	}
}

func BenchmarkPackedPut(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	values := kerneltest.Ascending(400, func() uint64 { return r.Uint64N(1 << 30) })
	i := 200
	d := values[i]
	values = slices.Delete(values, i, i+1)
	n, last := len(values), values[len(values)-1]
	for _, low := range []uint{16, 21} {
		b.Run(fmt.Sprintf("low=%d", low), func(b *testing.B) {
			old := append([]byte{byte(low)}, appendPacked(nil, values, low)...)
			size, newSize := len(old), 1+Bytes(n+1, last, low)
			room := make([]byte, (newSize+7)&^7)
			for b.Loop() {
				copy(room, old)
				Put(room, size, newSize, n, i, d)
			}
		})
	}
}
