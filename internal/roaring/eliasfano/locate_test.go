// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPackedPut removes values and puts them back. The bytes must be those of the block written at
// once, whatever the free bytes were.
func TestPackedPut(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for name, values := range lists() {
		n := len(values)
		if n < 2 {
			continue
		}
		_, best := Size(n, values[n-1], 63)
		for _, low := range []uint{best, best + 1, best + 2, best + 3, best &^ 7, best&^7 + 8} {
			if low > 63 || Bytes(n, values[n-1], low) > 1<<16 {
				continue
			}
			whole := append([]byte{byte(low)}, appendPacked(nil, values, low)...)
			for range 30 {
				i := r.IntN(n)
				if r.IntN(4) == 0 {
					i = r.IntN(2) * (n - 1)
				}
				rest := slices.Delete(slices.Clone(values), i, i+1)
				room := append([]byte{byte(low)}, appendPacked(nil, rest, low)...)
				size := len(room)
				room = append(room, bytes.Repeat([]byte{byte(r.Uint32())}, (len(whole)+8)&^7-size)...)
				if got, want := High(room, size, n-1), rest[n-2]>>low; got != want {
					t.Fatalf("%s, low width %d: upper bits of the last value: got %d, want %d", name, low, got, want)
				}
				for _, d := range []uint64{values[i], values[i] + 1, rest[r.IntN(n-1)], r.Uint64() >> r.IntN(64)} {
					wantAt, wantFound := slices.BinarySearch(rest, d)
					if at, found := Locate(room, size, n-1, d); at != wantAt || found != wantFound {
						t.Fatalf("%s, low width %d: place of %d: got %d, %v, want %d, %v", name, low, d, at, found,
							wantAt, wantFound)
					}
				}
				Put(room, size, len(whole), n-1, i, values[i])
				if got := room[:len(whole)]; !bytes.Equal(got, whole) {
					t.Fatalf("%s, low width %d: value %d of %d put: got % x, want % x", name, low, i, n, got, whole)
				}
			}
		}
	}
}
