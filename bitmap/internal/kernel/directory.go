// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

// SumCards returns the sum of uint16 values: cardinalities minus 1.
func SumCards(cards []byte) (sum uint64) {
	for len(cards) >= 8 {
		// Lanes of 32 bits take 2¹⁵ words of two values each without overflow.
		part := cards[:min(len(cards)&^7, 8<<15)]
		cards = cards[len(part):]
		lanes := uint64(0)
		for ; len(part) >= 16; part = part[16:] {
			w, x := leUint64(part, 0), leUint64(part, 8)
			lanes += w&even16 + w>>16&even16 + x&even16 + x>>16&even16
		}
		if len(part) >= 8 {
			w := leUint64(part, 0)
			lanes += w&even16 + w>>16&even16
		}
		sum += lanes&(1<<32-1) + lanes>>32
	}
	for ; len(cards) >= 2; cards = cards[2:] {
		sum += uint64(load16(cards, 0))
	}
	return sum
}

// SkipCards returns the place in a list of cardinalities minus 1 that the i-th value lies in, from 0, less at most three that are left to the caller to
// skip; and i without the cardinalities before that place.
func SkipCards(cards []byte, i uint64) (at int, left uint64) {
	const stride = 512
	all := cards
	for len(cards) >= stride {
		// Long lists: their sums are several times as fast.
		sum := SumCards(cards[:stride]) + stride/2
		if i < sum {
			break
		}
		i -= sum
		cards = cards[stride:]
	}
	for len(cards) >= 8 {
		w := leUint64(cards, 0)
		lanes := w&even16 + w>>16&even16
		sum := lanes&(1<<32-1) + lanes>>32 + 4
		if i < sum {
			break
		}
		i -= sum
		cards = cards[8:]
	}
	return (len(all) - len(cards)) / 2, i
}
