// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// Values of a short list are looked up in a long one by a table of the zeros before each word of
// its upper part: a proportion tells about which word has the zero that ends the bucket of a value
// (see Probe), and 32 numbers of zeros from there on, which are compared all at once, say
// which one it is. No search waits for another one, and there is nothing to be guessed by a
// processor. The lower parts of a bucket are compared as fields of one word.

const (
	// low width up to which a word has three lower parts, wherever the last one ends in its last
	// byte
	lookLow   = 19
	lookUpper = 1023 * 64 // bits of an upper part, so that numbers of zeros have 16 bits
	// words of the upper part for each value that is looked up, from which the table costs more
	// than it saves
	lookWords = 16
	lookMost  = 1 << 10 // values that are looked up in one call, which cannot be interrupted
	lookAgain = 4       // buckets of many values after which others are not looked up so
)

// LookFew is the number of values from which they may be looked up.
const LookFew = 24

// fieldsOf has those of each low width.
var fieldsOf = func() (all [lookLow + 1]fields) {
	for low := 1; low <= lookLow; low++ {
		f := &all[low]
		f.n = 57 / low
		for i := range f.n {
			at := 64 - low*(i+1)
			f.ones |= 1 << at
			f.tops |= 1 << (at + low - 1)
			f.rest |= (1<<(low-1) - 1) << at
		}
	}
	return all
}()

// KeepsOffsets reports whether KeepOffsets takes less time for n offsets than a Probe. It does with
// AVX-512 only, and not for few values, or for many that are far apart.
func (p *Packed) KeepsOffsets(n int) bool {
	upper := p.upper()
	return cpu.Active == cpu.AVX512 && upper >= 64 && upper <= lookUpper && p.Low-1 < lookLow &&
		p.N*int(p.Low) >= 128 && n >= LookFew && upper>>6 <= lookWords*n
}

// KeepOffsets moves those offsets to the front that a block has for which KeepsOffsets holds,
// and returns their number.
func KeepOffsets(offsets []uint32, p *Packed) (n int) {
	upper, again := p.upper(), 0
	for rest := offsets; len(rest) > 0; {
		read := 0
		if again < lookAgain {
			var k int
			k, read = packedKeepOffsets(rest[:min(len(rest), lookMost)], p, upper)
			copy(offsets[n:], rest[:k])
			n += k
		}
		if rest = rest[read:]; read == lookMost {
			continue
		}
		again++
		some := rest[:min(len(rest), 8)]
		for _, x := range some {
			offsets[n] = x
			if _, found := p.Find(uint64(x)); found {
				n++
			}
		}
		rest = rest[len(some):]
	}
	return n
}

// packedKeepOffsetsGeneric moves the offsets that a block has to the front. It does not use the
// size of the upper part. Other forms stop at an offset in a bucket of many values; read is where.
func packedKeepOffsetsGeneric(offsets []uint32, p *Packed, _ int) (n, read int) {
	for _, x := range offsets {
		offsets[n] = x
		if _, found := p.Find(uint64(x)); found {
			n++
		}
	}
	return n, len(offsets)
}
