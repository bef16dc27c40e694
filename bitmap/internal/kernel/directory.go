// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

// SumCards returns the sum of uint16 values: cardinalities minus 1.
func SumCards(cards []byte) (sum uint64) {
	const even = 0x0000FFFF0000FFFF
	for len(cards) >= 8 {
		// Lanes of 32 bits take 2¹⁵ words of two values each without overflow.
		part := cards[:min(len(cards)&^7, 8<<15)]
		cards = cards[len(part):]
		lanes := uint64(0)
		for i := 0; i+7 < len(part); i += 8 {
			w := leUint64(part, i)
			lanes += w&even + w>>16&even
		}
		sum += lanes&(1<<32-1) + lanes>>32
	}
	for i := 0; i+1 < len(cards); i += 2 {
		sum += uint64(load16(cards, i))
	}
	return sum
}
