// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

// A long upper part is not counted word by word up to the bit that is looked for. Where values are
// spread evenly, a proportion tells about where it stands; what lies before is counted by vectors,
// and only a few words are left to be looked at one by one (interpolation search: Peterson 1957).
// What is found does not depend on the guesses: on bytes that are not valid, too, it is what
// counting from the front finds.

const (
	skipFrom   = 1 << 12 // ones, or zeros, to be passed from which a guess is worth its cost
	skipShort  = 16      // words that are left to be looked at one by one
	skipMargin = 4       // words that a guess aims too low, as another count is needed where it was too high
	skipMost   = 6       // guesses, for values that are not spread evenly
)

// skipAhead finds a word close before the one number k of an upper part. The word may also hold
// that one. k counts from 0. before is the number of ones ⊕ flip before the word. The search begins
// at the whole word lo, which below ones precede; below is at most k. total is how many ones there
// should be in all.
func skipAhead(block []byte, upper, lo, below, k, total int, flip uint64) (w, before int) {
	hi, above := upper>>6, total
	for range skipMost {
		if k >= above || hi-lo <= skipShort {
			break
		}
		w = lo + int(uint64(hi-lo)*uint64(k-below)/uint64(above-below)) - skipMargin
		if w-lo <= skipShort {
			break
		}
		count := bitset.Ones(block[8*lo : 8*w])
		if flip != 0 {
			count = 64*(w-lo) - count
		}
		if count += below; count <= k {
			lo, below = w, count
		} else {
			hi, above = w, count
		}
	}
	return lo, below
}
