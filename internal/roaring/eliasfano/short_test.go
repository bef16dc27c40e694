// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// shortLists returns lists of values that a low width of 16 may code: chunks that are empty, thin
// or crowded, in their first chunk or not.
func shortLists(r *rand.Rand) (lists [][]uint64) {
	for _, n := range []int{1, 2, 5, 16, 17, 40, 128, 256, 700} {
		for _, chunks := range []int{1, 2, 5, n/16 + 1, n/2 + 1, 3 * n} {
			for _, spread := range []uint64{1 << 16, 2000} {
				lists = append(lists, kerneltest.Ascending(min(n, 1000*chunks), func() uint64 {
					return uint64(r.IntN(chunks))<<16 | (r.Uint64N(spread)-spread/2)&0xFFFF
				}))
			}
		}
	}
	return lists
}

// TestPackedShort puts each value of a list in random order, and looks up values before that. The
// bytes must be those of the block written at once. Rooms are as small as can be, and their free
// bytes hold ones.
func TestPackedShort(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, all := range shortLists(r) {
		order := slices.Clone(all)
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		values := []uint64{order[0]}
		payload := append([]byte{shortLow}, appendPacked(nil, values, shortLow)...)
		for _, x := range order[1:] {
			n := len(values)
			if got, want := High(padded(payload), len(payload), n), values[n-1]>>shortLow; got != want {
				t.Fatalf("upper bits of the last of %d: got %d, want %d", values, got, want)
			}
			for _, d := range []uint64{x, x - 1, x ^ 1<<16, values[r.IntN(n)], values[n-1] + 1, values[n-1] + 1<<16,
				r.Uint64N(1 << 30)} {
				want, wantFound := slices.BinarySearch(values, d)
				if got, found := Locate(padded(payload), len(payload), n, d); got != want || found != wantFound {
					t.Fatalf("place of %d in %d: got %d, %v, want %d, %v", d, values, got, found, want, wantFound)
				}
			}
			at, _ := slices.BinarySearch(values, x)
			values = slices.Insert(values, at, x)
			want := append([]byte{shortLow}, appendPacked(nil, values, shortLow)...)
			room := append(slices.Clone(payload), bytes.Repeat([]byte{0xFF}, (len(want)+7)&^7-len(payload))...)
			before := slices.Clone(room)
			Put(room, len(payload), len(want), n, at, x)
			checkShort(t, before, len(payload), x, values, want)
			if payload = room[:len(want)]; !bytes.Equal(payload, want) {
				t.Fatalf("value %d of %d put: got % x, want % x", at, values, payload, want)
			}
		}
	}
}

// checkShort adds x to a payload twice, in rooms that hold the result and in others. Then the
// payload has values, and its bytes are want. What lies behind the room stays.
func checkShort(t *testing.T, room []byte, size int, x uint64, values []uint64, want []byte) {
	t.Helper()
	n := len(values) - 1
	high := x >> shortLow
	at, _ := slices.BinarySearch(values, x)
	first, _ := slices.BinarySearch(values, high<<shortLow)
	beyond := at == n && (n == 0 || values[n-1]>>shortLow != high)
	unfit := len(want)-size > 2 && !FitsShort(n+1, values[n]>>shortLow)
	fits := !beyond && !unfit && at-first < shortMost
	behind := bytes.Repeat([]byte{0xA5}, shortPadding+8)
	rest := func() []byte { return slices.Concat(room, behind) }
	for name, small := range map[string][]byte{"a room too small": rest(),
		"nothing behind it": rest()[:size+shortPadding-1]} {
		had := len(room)
		if name == "a room too small" {
			had = len(want) - 1
		}
		before := slices.Clone(small)
		if got := AddShort(small, size, had, n, x); got != 0 || !bytes.Equal(small, before) {
			t.Fatalf("%d of %d values was put with %s: got %d", x, n+1, name, got)
		}
	}
	all := rest()
	got := AddShort(all, size, len(room), n, x)
	switch {
	case got == 0 && !bytes.Equal(all, rest()), !bytes.Equal(all[len(room):], behind):
		t.Fatalf("%d among %d: other bytes are changed", x, values)
	case got == 0 && fits || got != 0 && !fits:
		t.Fatalf("%d among %d in %d bytes: got %d", x, values, len(room), got)
	case got == 0:
		return
	case got != len(want) || !bytes.Equal(all[:got], want):
		t.Fatalf("%d added to %d values: got % x, want % x", x, n, all[:got], want)
	}
	if again := AddShort(all, got, len(room), n+1, x); again != got && again != 0 || !bytes.Equal(all[:got], want) {
		t.Fatalf("%d added twice: got %d bytes, then %d", x, got, again)
	}
}

// padded returns a payload in the smallest room. The free bytes are all ones.
func padded(payload []byte) []byte {
	return append(slices.Clone(payload), bytes.Repeat([]byte{0xFF}, -len(payload)&7)...)
}

// TestSearchShort counts lesser values among some of sixteen, whatever the others are.
func TestSearchShort(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for range 2000 {
		var lows [32]byte
		skip, want := r.IntN(17), 0
		n := r.IntN(17 - skip)
		values := make([]uint16, 16)
		for i := range values {
			values[i] = uint16(r.Uint32() >> r.IntN(17))
		}
		slices.Sort(values[skip : skip+n])
		for i, x := range values {
			swar.PutUint16(lows[:], 2*i, x)
		}
		for _, x := range []uint16{0, 1, values[r.IntN(16)], uint16(r.Uint32()), 0xFFFF} {
			if want, _ = slices.BinarySearch(values[skip:skip+n], x); searchShort(&lows, skip, n, x) != want {
				t.Fatalf("%d among %d of %d from %d: got %d, want %d", x, n, values, skip,
					searchShort(&lows, skip, n, x), want)
			}
		}
	}
}

// TestSplitPacked compares both halves with those written from the values. The cut must be at the
// bounds of chunks next to the middle.
func TestSplitPacked(t *testing.T) {
	const most = 40
	r := rand.New(rand.NewPCG(21, 22))
	for _, values := range shortLists(r) {
		n := len(values)
		payload := append([]byte{shortLow}, appendPacked(nil, values, shortLow)...)
		c, ok := FindCut(padded(payload), len(payload), n, most)
		lo, hi := n/2, n/2
		for lo > 0 && values[lo-1]>>shortLow == values[n/2]>>shortLow {
			lo--
		}
		for hi < n && values[hi]>>shortLow == values[n/2]>>shortLow {
			hi++
		}
		crowded := false
		for i := most; i < n; i++ {
			crowded = crowded || values[i-most]>>shortLow == values[i]>>shortLow
		}
		at := lo
		if lo == 0 || hi < n && hi+lo < n {
			at = hi
		}
		if wantOK := !crowded && at < n; ok != wantOK || ok && c != (Cut{at, values[at-1] >> shortLow,
			values[at] >> shortLow}) {
			t.Fatalf("cut of %d: got %+v, %v, want one before value %d, %v", values, c, ok, at, wantOK)
		}
		if !ok {
			continue
		}
		behind := slices.Clone(values[at:])
		for i := range behind {
			behind[i] -= c.Next << shortLow
		}
		wantLeft := append([]byte{shortLow}, appendPacked(nil, values[:at], shortLow)...)
		wantRight := append([]byte{shortLow}, appendPacked(nil, behind, shortLow)...)
		left, right := bytes.Repeat([]byte{0xFF}, len(wantLeft)), bytes.Repeat([]byte{0xFF}, len(wantRight))
		if Split(left, right, padded(payload), len(payload), n, c); !bytes.Equal(left, wantLeft) ||
			!bytes.Equal(right, wantRight) {
			t.Fatalf("halves of %d before value %d:\ngot  % x and % x\nwant % x and % x", values, at, left, right,
				wantLeft, wantRight)
		}
	}
}
