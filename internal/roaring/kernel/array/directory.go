// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// SumCards returns the sum of uint16 values: cardinalities minus 1.
func SumCards(cards []byte) (sum uint64) {
	for len(cards) >= 8 {
		// Lanes of 32 bits take 2¹⁵ words of two values each without overflow.
		part := cards[:min(len(cards)&^7, 8<<15)]
		cards = cards[len(part):]
		lanes := uint64(0)
		for ; len(part) >= 16; part = part[16:] {
			w, x := swar.Uint64(part, 0), swar.Uint64(part, 8)
			lanes += w&swar.Even16 + w>>16&swar.Even16 + x&swar.Even16 + x>>16&swar.Even16
		}
		if len(part) >= 8 {
			w := swar.Uint64(part, 0)
			lanes += w&swar.Even16 + w>>16&swar.Even16
		}
		sum += lanes&(1<<32-1) + lanes>>32
	}
	for ; len(cards) >= 2; cards = cards[2:] {
		sum += uint64(swar.Uint16(cards, 0))
	}
	return sum
}

// stride is the number of bytes that are summed up at a time in long lists. Each container has two.
const stride = 512

// SelectCard finds the container of the i-th value, from 0, in a list of cardinalities minus 1. It
// returns the container's place, and i minus the cardinalities before it. If there is no such
// value, the place is behind the list, or left is not below the cardinality there.
func SelectCard(cards []byte, i uint64) (at int, left uint64) {
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
	if at, left, ok := selectCard(cards[:min(len(cards), stride)], i); ok {
		return (len(all)-len(cards))/2 + at, left
	}
	for len(cards) >= 8 {
		w := swar.Uint64(cards, 0)
		lanes := w&swar.Even16 + w>>16&swar.Even16
		sum := lanes&(1<<32-1) + lanes>>32 + 4
		if i < sum {
			break
		}
		i -= sum
		cards = cards[8:]
	}
	// One of four; places behind the list count as 1. Which one is unpredictable, so it is
	// computed.
	w := uint64(0)
	if len(cards) >= 8 {
		w = swar.Uint64(cards, 0)
	} else {
		for j := len(cards) - 2; j >= 0; j -= 2 {
			w = w<<16 | uint64(swar.Uint16(cards, j))
		}
	}
	first := w&0xFFFF + 1
	second := first + w>>16&0xFFFF + 1
	third := second + w>>32&0xFFFF + 1
	afterFirst, afterSecond, afterThird := ^(int64(i-first) >> 63), ^(int64(i-second) >> 63), ^(int64(i-third) >> 63)
	before := first&uint64(afterFirst) + (second-first)&uint64(afterSecond) + (third-second)&uint64(afterThird)
	return (len(all)-len(cards))/2 - int(afterFirst+afterSecond+afterThird), i - before
}
