// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Kernels that change a bitset by one operand after the other, and leave counting to the end.
// Without counting they are faster.

// OrInto makes the ones of a ones of dst.
func OrInto(dst, a *Words) { orInto(dst, a) }

func orIntoGeneric(dst, a *Words) {
	for i := 0; i < len(dst); i += 16 {
		swar.Store(dst, i, swar.Load(dst, i)|swar.Load(a, i))
		swar.Store(dst, i+8, swar.Load(dst, i+8)|swar.Load(a, i+8))
	}
}

// XorInto inverts the bits of dst that are ones of a.
func XorInto(dst, a *Words) { xorInto(dst, a) }

func xorIntoGeneric(dst, a *Words) {
	for i := 0; i < len(dst); i += 16 {
		swar.Store(dst, i, swar.Load(dst, i)^swar.Load(a, i))
		swar.Store(dst, i+8, swar.Load(dst, i+8)^swar.Load(a, i+8))
	}
}

// AndNotInto makes the ones of a zeros of dst.
func AndNotInto(dst, a *Words) { andNotInto(dst, a) }

func andNotIntoGeneric(dst, a *Words) {
	for i := 0; i < len(dst); i += 16 {
		swar.Store(dst, i, swar.Load(dst, i)&^swar.Load(a, i))
		swar.Store(dst, i+8, swar.Load(dst, i+8)&^swar.Load(a, i+8))
	}
}

// Invert inverts the bits of lows; see [Scatter].
func Invert(bits *Words, lows []byte) {
	for ; len(lows) >= 8; lows = lows[8:] {
		x := swar.Uint64(lows, 0)
		invertOne(bits, x&0xFFFF)
		invertOne(bits, x>>16&0xFFFF)
		invertOne(bits, x>>32&0xFFFF)
		invertOne(bits, x>>48)
	}
	for ; len(lows) >= 2; lows = lows[2:] {
		invertOne(bits, uint64(swar.Uint16(lows, 0)))
	}
}

// invertOne inverts the bit of x, which is less than 2^16.
func invertOne(bits *Words, x uint64) {
	p := bits[x>>6*8:][:8]
	binary.LittleEndian.PutUint64(p, binary.LittleEndian.Uint64(p)^1<<(x&63))
}

// Erase makes the bits of lows zeros; see [Scatter].
func Erase(bits *Words, lows []byte) {
	for ; len(lows) >= 8; lows = lows[8:] {
		x := swar.Uint64(lows, 0)
		eraseOne(bits, x&0xFFFF)
		eraseOne(bits, x>>16&0xFFFF)
		eraseOne(bits, x>>32&0xFFFF)
		eraseOne(bits, x>>48)
	}
	for ; len(lows) >= 2; lows = lows[2:] {
		eraseOne(bits, uint64(swar.Uint16(lows, 0)))
	}
}

// eraseOne makes the bit of x, which is less than 2^16, a zero.
func eraseOne(bits *Words, x uint64) {
	p := bits[x>>6*8:][:8]
	binary.LittleEndian.PutUint64(p, binary.LittleEndian.Uint64(p)&^(1<<(x&63)))
}

// crowdedRuns is the number of runs from which a chunk counts as crowded. The next run then often
// begins in the eight bytes just written for the one before.
const crowdedRuns = 1000

// FillRuns makes the bits of runs ones. A run of up to 57 values lies within the eight bytes from
// the one in which it begins, whether it touches one word or two, which cannot be guessed.
//
// Of longer ones only what is behind those before is filled: runs that overlap, as those of no set
// do, cost no more than others.
func FillRuns(bits *Words, runs []byte) {
	if len(runs) >= 4*crowdedRuns {
		fillCrowded(bits, runs)
		return
	}
	fillRuns(bits, runs)
}

func fillRunsGeneric(bits *Words, runs []byte) {
	next := 0
	for i := 0; i+3 < len(runs); i += 4 {
		lo, hi := swar.RunAt(runs, i)
		// as assembly tells them apart: so runs that are not valid give the same bits
		if n, at := uint(swar.Uint16(runs, i+2))+1, lo>>3; n <= 57 && at <= 8184 {
			swar.Store(bits, at, swar.Load(bits, at)|^uint64(0)>>(-n&63)<<(uint(lo)&7))
			continue
		}
		if lo = max(lo, next); lo < hi {
			fillRange(bits, lo, hi)
			next = hi
		}
	}
}

// fillCrowded is FillRuns for runs close to each other. A processor would wait for eight bytes
// after it has just written a part of them. So it reads and writes only whole words: for a run of
// up to 64 values two of them, or one twice.
func fillCrowded(bits *Words, runs []byte) {
	next := 0
	for i := 0; i+3 < len(runs); i += 4 {
		lo, hi := swar.RunAt(runs, i)
		if n := uint(hi - lo); n <= 64 {
			ones := ^uint64(0) >> (-n & 63)
			first := uint(lo) >> 6 * 8 & 8184
			second := min(first+8, 8184)
			swar.Store(bits, int(first), swar.Load(bits, int(first))|ones<<(lo&63))
			swar.Store(bits, int(second), swar.Load(bits, int(second))|ones>>(64-lo&63)&-uint64(swar.One(lo&63 > 0)))
			continue
		}
		if lo = max(lo, next); lo < hi {
			fillRange(bits, lo, hi)
			next = hi
		}
	}
}

// fillRange makes [lo, hi) ones, 0 ≤ lo < hi ≤ 65 536.
func fillRange(bits *Words, lo, hi int) {
	first, last, head, tail := ends(lo, hi)
	swar.Store(bits, first, swar.Load(bits, first)|head)
	if first == last {
		return
	}
	for at := first + 8; at < last; at += 8 {
		swar.Store(bits, at, ^uint64(0))
	}
	swar.Store(bits, last, swar.Load(bits, last)|tail)
}

// Full returns the first byte from at on whose word is not all ones. It returns the number of bytes
// if there is none. The result and at are multiples of 8. If ones are only added, a caller can go
// on from there.
func Full(a *Words, at int) int {
	for at < len(a) && swar.Load(a, at) == ^uint64(0) {
		at += 8
	}
	return at
}
