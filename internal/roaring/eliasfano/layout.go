// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

// Packed is a packed block: N values d(0) < d(1) < …, coded near their entropy so that each can be
// reached without decoding those before it.
//
// The code is Elias–Fano (Elias 1974, Fano 1971; quasi-succinct indices, Vigna 2013). The low Low
// bits of the values fill the block to its last bit; the upper bits grow from its first, where bit
// (d(i) >> Low) + i is one for each i. A value is found by counting zeros of the upper part, and
// counting ones gives its rank; the upper part has at most about 3·N bits for a block of the
// smallest size.
//
// It borrows Block. A Packed whose N and Low do not fit the length of Block is read as empty; other
// blocks that are not valid give unspecified values, at most N of them.
type Packed struct {
	Block []byte
	N     int
	Low   uint
}

// Probe looks values up in a packed block, in ascending order. It remembers the word of the
// upper part at which it is.
//
// What is looked for is the zero that ends a bucket, the values that share their upper bits: zero
// number h, from 0, is behind those of upper bits h, and before it there are h zeros and the values
// up to the end of the bucket. The ones next to it are the bucket's. In this way one place says
// all, and nothing has to be guessed by a processor but how many words are passed.
type Probe struct {
	Packed
	upper int
	tail  uint64 // the partial last word, then zeros; one of these ends the last bucket
	w     int    // a word of the upper part, which is upper>>6 for the tail
	zeros int    // before word w
}

// Arrays are the containers of a compact directory, as far as they are arrays: keys, ends and
// payloads as they stand in the body of the set.
type Arrays struct {
	Body                 []byte
	Keys, Ends, Payloads int // where they begin in it
	KeyBytes, EndBytes   int
	Count                int
}

// fields are lower parts of one width as fields of a word, the last one in its highest bits.
type fields struct {
	ones, tops, rest uint64 // the lowest and the highest bit of each field, and all bits but the highest
	n                int
}

const (
	meetWord = 64      // bits of the upper part of the shorter list, at most: some 25 values
	meetFar  = 1 << 10 // zeros between values next to each other from which proportions find the way better
)

// maxGatherLow is the largest low width at which eight bytes hold a lower part. The part may begin
// at any bit of the first byte.
const maxGatherLow = 57
