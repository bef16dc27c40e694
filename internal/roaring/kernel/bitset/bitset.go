// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Len returns the number of ones.
func Len(a *Words) int { return Ones(a[:]) }

// onesGeneric returns the number of ones of whole words.
func onesGeneric(words []byte) (n int) {
	for ; len(words) >= swar.Group; words = words[swar.Group:] {
		w := (*[swar.Group]byte)(words)
		n += bits.OnesCount64(swar.Uint64(w[:], 0)) + bits.OnesCount64(swar.Uint64(w[:], 8)) +
			bits.OnesCount64(swar.Uint64(w[:], 16)) + bits.OnesCount64(swar.Uint64(w[:], 24))
	}
	for ; len(words) >= 8; words = words[8:] {
		n += bits.OnesCount64(swar.Uint64(words, 0))
	}
	return n
}

// AndLen returns the number of ones that both have.
func AndLen(a, b *Words) int { return bitsetAndLen(a, b) }

func bitsetAndLenGeneric(a, b *Words) (n int) {
	for i := 0; i < len(a); i += 8 {
		n += bits.OnesCount64(swar.Load(a, i) & swar.Load(b, i))
	}
	return n
}

// Intersects reports whether both have a one at the same place.
func Intersects(a, b *Words) bool {
	for i := 0; i < len(a); i += 32 {
		x := swar.Load(a, i) & swar.Load(b, i)
		x |= swar.Load(a, i+8) & swar.Load(b, i+8)
		x |= swar.Load(a, i+16) & swar.Load(b, i+16)
		x |= swar.Load(a, i+24) & swar.Load(b, i+24)
		if x != 0 {
			return true
		}
	}
	return false
}

// And writes a ∧ b and returns its number of ones. dst may be a or b.
func And(dst, a, b *Words) int { return bitsetAnd(dst, a, b) }

func bitsetAndGeneric(dst, a, b *Words) (n int) {
	for i := 0; i < len(a); i += 8 {
		x := swar.Load(a, i) & swar.Load(b, i)
		swar.Store(dst, i, x)
		n += bits.OnesCount64(x)
	}
	return n
}

// Or writes a ∨ b and returns its number of ones. dst may be a or b.
func Or(dst, a, b *Words) int { return bitsetOr(dst, a, b) }

func bitsetOrGeneric(dst, a, b *Words) (n int) {
	for i := 0; i < len(a); i += 8 {
		x := swar.Load(a, i) | swar.Load(b, i)
		swar.Store(dst, i, x)
		n += bits.OnesCount64(x)
	}
	return n
}

// AndNot writes a ∧ ¬b and returns its number of ones. dst may be a or b.
func AndNot(dst, a, b *Words) int { return bitsetAndNot(dst, a, b) }

func bitsetAndNotGeneric(dst, a, b *Words) (n int) {
	for i := 0; i < len(a); i += 8 {
		x := swar.Load(a, i) &^ swar.Load(b, i)
		swar.Store(dst, i, x)
		n += bits.OnesCount64(x)
	}
	return n
}

// Xor writes a ⊕ b and returns its number of ones. dst may be a or b.
func Xor(dst, a, b *Words) int { return bitsetXor(dst, a, b) }

func bitsetXorGeneric(dst, a, b *Words) (n int) {
	for i := 0; i < len(a); i += 8 {
		x := swar.Load(a, i) ^ swar.Load(b, i)
		swar.Store(dst, i, x)
		n += bits.OnesCount64(x)
	}
	return n
}

// Contains reports whether bit x is one.
func Contains(a *Words, x uint16) bool { return a[x>>3]>>(x&7)&1 != 0 }

// Next returns the first one at a place ≥ x; ok is false if there is none.
func Next(a *Words, x uint16) (next uint16, ok bool) {
	at := int(x>>6) * 8
	w := swar.Load(a, at) >> (x & 63) << (x & 63)
	for w == 0 {
		if at += 8; at >= len(a) {
			return 0, false
		}
		w = swar.Load(a, at)
	}
	return uint16(at*8 + bits.TrailingZeros64(w)), true
}

// Previous returns the last one at a place ≤ x; ok is false if there is none.
func Previous(a *Words, x uint16) (previous uint16, ok bool) {
	at := int(x>>6) * 8
	w := swar.Load(a, at) << (63 - x&63) >> (63 - x&63)
	for w == 0 {
		if at -= 8; at < 0 {
			return 0, false
		}
		w = swar.Load(a, at)
	}
	return uint16(at*8 + 63 - bits.LeadingZeros64(w)), true
}

// ToArray writes the places of the ones as lows, and returns their number. It stops when dst is
// full. It may change the rest of dst.
func ToArray(dst []byte, a *Words) int { return bitsetToArray(dst, a) }

func bitsetToArrayGeneric(dst []byte, a *Words) (n int) {
	for at := 0; at < len(a); at += 8 {
		base := uint16(at * 8)
		for w := swar.Load(a, at); w != 0; w &= w - 1 {
			if n+1 >= len(dst) {
				return n / 2
			}
			swar.PutUint16(dst, n, base+uint16(bits.TrailingZeros64(w)))
			n += 2
		}
	}
	return n / 2
}

// Lows writes the places of the ones, as many as dst has room for, and returns their number.
// The rest of dst may be changed.
func Lows(dst []uint16, a *Words) int { return bitsetLows(dst, a) }

func bitsetLowsGeneric(dst []uint16, a *Words) (n int) {
	for at := 0; at < len(a); at += 8 {
		base := uint16(at * 8)
		for w := swar.Load(a, at); w != 0; w &= w - 1 {
			if n >= len(dst) {
				return n
			}
			dst[n] = base + uint16(bits.TrailingZeros64(w))
			n++
		}
	}
	return n
}

// ends returns the byte offsets of the first and the last word of [lo, hi). head and tail mark the
// bits of these words that lie in the range.
func ends(lo, hi int) (first, last int, head, tail uint64) {
	first, last = lo>>6*8, (hi-1)>>6*8
	head, tail = ^uint64(0)<<(lo&63), ^uint64(0)>>(63-(hi-1)&63)
	if first == last {
		head &= tail
		tail = head
	}
	return first, last, head, tail
}

// RangeLen returns the number of ones in [lo, hi), 0 ≤ lo < hi ≤ 65 536.
func RangeLen(a *Words, lo, hi int) (n int) {
	first, last, head, tail := ends(lo, hi)
	n = bits.OnesCount64(swar.Load(a, first) & head)
	if first == last {
		return n
	}
	n += bits.OnesCount64(swar.Load(a, last) & tail)
	return n + onesBetween(a, first+8, last)
}

// onesBetween returns the number of ones of the words from byte first to byte last. The bounds are
// 0 ≤ first ≤ last ≤ 8 192. It counts a few words itself: a call of another path costs as much as
// ten.
func onesBetween(a *Words, first, last int) (n int) {
	if last-first > 80 {
		return Ones(a[first:last])
	}
	for i := first; i < last; i += 8 {
		n += bits.OnesCount64(swar.Load(a, i))
	}
	return n
}

// SetRange makes [lo, hi) ones and returns how many were not, 0 ≤ lo < hi ≤ 65 536.
func SetRange(a *Words, lo, hi int) (n int) {
	n = hi - lo - RangeLen(a, lo, hi)
	first, last, head, tail := ends(lo, hi)
	for i := first + 8; i < last; i += 8 {
		swar.Store(a, i, ^uint64(0))
	}
	swar.Store(a, first, swar.Load(a, first)|head)
	swar.Store(a, last, swar.Load(a, last)|tail)
	return n
}

// ClearRange makes [lo, hi) zeros and returns how many were not, 0 ≤ lo < hi ≤ 65 536.
func ClearRange(a *Words, lo, hi int) (n int) {
	n = RangeLen(a, lo, hi)
	first, last, head, tail := ends(lo, hi)
	for i := first + 8; i < last; i += 8 {
		swar.Store(a, i, 0)
	}
	swar.Store(a, first, swar.Load(a, first)&^head)
	swar.Store(a, last, swar.Load(a, last)&^tail)
	return n
}

// FlipRange inverts [lo, hi), 0 ≤ lo < hi ≤ 65 536. It returns by how many the number of ones grew.
func FlipRange(a *Words, lo, hi int) (grown int) {
	grown = hi - lo - 2*RangeLen(a, lo, hi)
	first, last, head, tail := ends(lo, hi)
	for i := first + 8; i < last; i += 8 {
		swar.Store(a, i, ^swar.Load(a, i))
	}
	swar.Store(a, first, swar.Load(a, first)^head)
	if first != last {
		swar.Store(a, last, swar.Load(a, last)^tail)
	}
	return grown
}

// CopyRange adds the ones of a ⊕ flip in [lo, hi) to dst and returns their number.
func CopyRange(dst, a *Words, lo, hi int, flip uint64) (n int) {
	first, last, head, tail := ends(lo, hi)
	x := (swar.Load(a, first) ^ flip) & head
	n = bits.OnesCount64(x)
	swar.Store(dst, first, swar.Load(dst, first)|x)
	if first == last {
		return n
	}
	x = (swar.Load(a, last) ^ flip) & tail
	n += bits.OnesCount64(x)
	swar.Store(dst, last, swar.Load(dst, last)|x)
	for i := first + 8; i < last; i += 8 {
		x := swar.Load(a, i) ^ flip
		n += bits.OnesCount64(x)
		swar.Store(dst, i, x)
	}
	return n
}

// RangeToArray writes the places of the ones in [lo, hi) as lows, and returns their number. It
// stops when dst is full.
func RangeToArray(dst []byte, a *Words, lo, hi int) (n int) {
	first, last, head, tail := ends(lo, hi)
	for i := first; i <= last; i += 8 {
		x := swar.Load(a, i)
		if i == first {
			x &= head
		}
		if i == last {
			x &= tail
		}
		for ; x != 0 && n+1 < len(dst); x &= x - 1 {
			swar.PutUint16(dst, n, uint16(i*8+bits.TrailingZeros64(x)))
			n += 2
		}
	}
	return n / 2
}
