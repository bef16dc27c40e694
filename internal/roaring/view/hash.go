// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// Constants of the hash: odd numbers with about as many ones as zeros, of SplitMix64 (Steele, Lea,
// Flood 2014; its finalizer as Java has it, which is Stafford's mix 13, 2011) and wyhash (Wang Yi
// 2019). They are part of its definition.
const (
	hashStep   = 0x9E3779B97F4A7C15
	hashFirst  = 0xBF58476D1CE4E5B9
	hashSecond = 0x94D049BB133111EB
	hashWord   = 0xA0761D6478BD642F
)

// Hash returns a hash of the set of values: equal sets have equal hashes, whatever their containers
// and bytes, on every platform and in every version.
//
// The values are cut into words of 64: word p has bit b for the value 64·p + b. The hash is
// finish(Σ mix(p, word)) over the words that are not zero, modulo 2^64. Here finish is the
// finalizer of SplitMix64; mix(p, word) multiplies word ⊕ s by hashWord ⊕ rotate(s, 32), s =
// finish(p + hashStep), and takes the halves of the 128-bit product together by ⊕. A sum does not
// depend on the order, so that hashes of parts could be added.
//
// It reads the containers in the kind they are in: some 2 ns for each word that is not zero, and
// allocates nothing. It is not a cryptographic hash: who chooses the values can choose sets that
// collide.
func Hash(v View) uint64 {
	var sum uint64
	c := v.Cursor(nil)
	for c.Next() {
		sum += hashBlock(c.Block())
	}
	c.Release()
	return finishHash(sum)
}

// hashBlock returns the sum over the words of the block.
func hashBlock(b container.Block) (sum uint64) {
	base := b.Key << 10
	switch {
	case b.N == 0:
	case b.Kind == container.Bitset:
		for w := range uint64(1024) {
			if word := binary.LittleEndian.Uint64(b.Data[8*w:]); word != 0 {
				sum += mixHash(base+w, word)
			}
		}
	case b.Kind == container.Run:
		at, word, next := 0, uint64(0), 0
		for i := range len(b.Data) / 4 {
			lo, hi := run.From(b.Data, i, next)
			next = max(next, hi)
			for lo < hi {
				if w := lo >> 6; w != at {
					if word != 0 {
						sum += mixHash(base+uint64(at), word)
					}
					at, word = w, 0
				}
				end := min(hi, (at+1)<<6)
				word |= ^uint64(0) << (lo & 63) & (^uint64(0) >> (-end & 63))
				lo = end
			}
		}
		if word != 0 {
			sum += mixHash(base+uint64(at), word)
		}
	default:
		at, word := uint64(0), uint64(0)
		for i := range len(b.Data) / 2 {
			low := array.Low(b.Data, i)
			if w := uint64(low >> 6); w != at {
				if word != 0 {
					sum += mixHash(base+at, word)
				}
				at, word = w, 0
			}
			word |= 1 << (low & 63)
		}
		if word != 0 {
			sum += mixHash(base+at, word)
		}
	}
	return sum
}

// mixHash returns the part of word p in the sum.
func mixHash(p, word uint64) uint64 {
	s := finishHash(p + hashStep)
	hi, lo := bits.Mul64(word^s, hashWord^bits.RotateLeft64(s, 32))
	return hi ^ lo
}

// finishHash is the finalizer of SplitMix64, a bijection in which every bit depends on every bit.
func finishHash(x uint64) uint64 {
	x = (x ^ x>>30) * hashFirst
	x = (x ^ x>>27) * hashSecond
	return x ^ x>>31
}
