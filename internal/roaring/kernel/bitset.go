// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math/bits"

// BitsetLen returns the number of ones.
func BitsetLen(a *Words) int { return ones(a[:]) }

// onesGeneric returns the number of ones of whole words.
func onesGeneric(words []byte) (n int) {
	for ; len(words) >= group; words = words[group:] {
		w := (*[group]byte)(words)
		n += bits.OnesCount64(leUint64(w[:], 0)) + bits.OnesCount64(leUint64(w[:], 8)) +
			bits.OnesCount64(leUint64(w[:], 16)) + bits.OnesCount64(leUint64(w[:], 24))
	}
	for ; len(words) >= 8; words = words[8:] {
		n += bits.OnesCount64(leUint64(words, 0))
	}
	return n
}

// BitsetAndLen returns the number of ones that both have.
func BitsetAndLen(a, b *Words) int { return bitsetAndLen(a, b) }

func bitsetAndLenGeneric(a, b *Words) (n int) {
	for i := 0; i < len(a); i += 8 {
		n += bits.OnesCount64(load64(a, i) & load64(b, i))
	}
	return n
}

// BitsetIntersects reports whether both have a one at the same place.
func BitsetIntersects(a, b *Words) bool {
	for i := 0; i < len(a); i += 32 {
		x := load64(a, i) & load64(b, i)
		x |= load64(a, i+8) & load64(b, i+8)
		x |= load64(a, i+16) & load64(b, i+16)
		x |= load64(a, i+24) & load64(b, i+24)
		if x != 0 {
			return true
		}
	}
	return false
}

// BitsetAnd writes a ∧ b and returns its number of ones. dst may be a or b.
func BitsetAnd(dst, a, b *Words) int { return bitsetAnd(dst, a, b) }

func bitsetAndGeneric(dst, a, b *Words) (n int) {
	for i := 0; i < len(a); i += 8 {
		x := load64(a, i) & load64(b, i)
		store64(dst, i, x)
		n += bits.OnesCount64(x)
	}
	return n
}

// BitsetOr writes a ∨ b and returns its number of ones. dst may be a or b.
func BitsetOr(dst, a, b *Words) int { return bitsetOr(dst, a, b) }

func bitsetOrGeneric(dst, a, b *Words) (n int) {
	for i := 0; i < len(a); i += 8 {
		x := load64(a, i) | load64(b, i)
		store64(dst, i, x)
		n += bits.OnesCount64(x)
	}
	return n
}

// BitsetAndNot writes a ∧ ¬b and returns its number of ones. dst may be a or b.
func BitsetAndNot(dst, a, b *Words) int { return bitsetAndNot(dst, a, b) }

func bitsetAndNotGeneric(dst, a, b *Words) (n int) {
	for i := 0; i < len(a); i += 8 {
		x := load64(a, i) &^ load64(b, i)
		store64(dst, i, x)
		n += bits.OnesCount64(x)
	}
	return n
}

// BitsetXor writes a ⊕ b and returns its number of ones. dst may be a or b.
func BitsetXor(dst, a, b *Words) int { return bitsetXor(dst, a, b) }

func bitsetXorGeneric(dst, a, b *Words) (n int) {
	for i := 0; i < len(a); i += 8 {
		x := load64(a, i) ^ load64(b, i)
		store64(dst, i, x)
		n += bits.OnesCount64(x)
	}
	return n
}

// BitsetContains reports whether bit x is one.
func BitsetContains(a *Words, x uint16) bool { return a[x>>3]>>(x&7)&1 != 0 }

// BitsetNext returns the first one at a place ≥ x; ok is false if there is none.
func BitsetNext(a *Words, x uint16) (next uint16, ok bool) {
	at := int(x>>6) * 8
	w := load64(a, at) >> (x & 63) << (x & 63)
	for w == 0 {
		if at += 8; at >= len(a) {
			return 0, false
		}
		w = load64(a, at)
	}
	return uint16(at*8 + bits.TrailingZeros64(w)), true
}

// BitsetPrevious returns the last one at a place ≤ x; ok is false if there is none.
func BitsetPrevious(a *Words, x uint16) (previous uint16, ok bool) {
	at := int(x>>6) * 8
	w := load64(a, at) << (63 - x&63) >> (63 - x&63)
	for w == 0 {
		if at -= 8; at < 0 {
			return 0, false
		}
		w = load64(a, at)
	}
	return uint16(at*8 + 63 - bits.LeadingZeros64(w)), true
}

// BitsetToArray writes the places of the ones as lows, as many as dst has room for, and returns
// their number. The rest of dst may be changed.
func BitsetToArray(dst []byte, a *Words) int { return bitsetToArray(dst, a) }

func bitsetToArrayGeneric(dst []byte, a *Words) (n int) {
	for at := 0; at < len(a); at += 8 {
		base := uint16(at * 8)
		for w := load64(a, at); w != 0; w &= w - 1 {
			if n+1 >= len(dst) {
				return n / 2
			}
			store16(dst, n, base+uint16(bits.TrailingZeros64(w)))
			n += 2
		}
	}
	return n / 2
}

// BitsetLows writes the places of the ones, as many as dst has room for, and returns their number.
// The rest of dst may be changed.
func BitsetLows(dst []uint16, a *Words) int { return bitsetLows(dst, a) }

func bitsetLowsGeneric(dst []uint16, a *Words) (n int) {
	for at := 0; at < len(a); at += 8 {
		base := uint16(at * 8)
		for w := load64(a, at); w != 0; w &= w - 1 {
			if n >= len(dst) {
				return n
			}
			dst[n] = base + uint16(bits.TrailingZeros64(w))
			n++
		}
	}
	return n
}

// ends returns the first and the last word of [lo, hi), by byte offset, and the ones of them that
// lie in it.
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
	n = bits.OnesCount64(load64(a, first) & head)
	if first == last {
		return n
	}
	n += bits.OnesCount64(load64(a, last) & tail)
	return n + onesBetween(a, first+8, last)
}

// onesBetween returns the number of ones of the words from byte first to byte last, 0 ≤ first ≤
// last ≤ 8 192. A few words are counted here: a call of another path costs as much as ten.
func onesBetween(a *Words, first, last int) (n int) {
	if last-first > 80 {
		return ones(a[first:last])
	}
	for i := first; i < last; i += 8 {
		n += bits.OnesCount64(load64(a, i))
	}
	return n
}

// SetRange makes [lo, hi) ones and returns how many were not, 0 ≤ lo < hi ≤ 65 536.
func SetRange(a *Words, lo, hi int) (n int) {
	n = hi - lo - RangeLen(a, lo, hi)
	first, last, head, tail := ends(lo, hi)
	for i := first + 8; i < last; i += 8 {
		store64(a, i, ^uint64(0))
	}
	store64(a, first, load64(a, first)|head)
	store64(a, last, load64(a, last)|tail)
	return n
}

// ClearRange makes [lo, hi) zeros and returns how many were not, 0 ≤ lo < hi ≤ 65 536.
func ClearRange(a *Words, lo, hi int) (n int) {
	n = RangeLen(a, lo, hi)
	first, last, head, tail := ends(lo, hi)
	for i := first + 8; i < last; i += 8 {
		store64(a, i, 0)
	}
	store64(a, first, load64(a, first)&^head)
	store64(a, last, load64(a, last)&^tail)
	return n
}

// FlipRange inverts [lo, hi) and returns by how many the number of ones grew, 0 ≤ lo < hi ≤ 65 536.
func FlipRange(a *Words, lo, hi int) (grown int) {
	grown = hi - lo - 2*RangeLen(a, lo, hi)
	first, last, head, tail := ends(lo, hi)
	for i := first + 8; i < last; i += 8 {
		store64(a, i, ^load64(a, i))
	}
	store64(a, first, load64(a, first)^head)
	if first != last {
		store64(a, last, load64(a, last)^tail)
	}
	return grown
}

// copyRange adds the ones of a ⊕ flip in [lo, hi) to dst and returns their number.
func copyRange(dst, a *Words, lo, hi int, flip uint64) (n int) {
	first, last, head, tail := ends(lo, hi)
	x := (load64(a, first) ^ flip) & head
	n = bits.OnesCount64(x)
	store64(dst, first, load64(dst, first)|x)
	if first == last {
		return n
	}
	x = (load64(a, last) ^ flip) & tail
	n += bits.OnesCount64(x)
	store64(dst, last, load64(dst, last)|x)
	for i := first + 8; i < last; i += 8 {
		x := load64(a, i) ^ flip
		n += bits.OnesCount64(x)
		store64(dst, i, x)
	}
	return n
}

// rangeToArray writes the places of the ones in [lo, hi) as lows, as many as dst has room for, and
// returns their number.
func rangeToArray(dst []byte, a *Words, lo, hi int) (n int) {
	first, last, head, tail := ends(lo, hi)
	for i := first; i <= last; i += 8 {
		x := load64(a, i)
		if i == first {
			x &= head
		}
		if i == last {
			x &= tail
		}
		for ; x != 0 && n+1 < len(dst); x &= x - 1 {
			store16(dst, n, uint16(i*8+bits.TrailingZeros64(x)))
			n += 2
		}
	}
	return n / 2
}
