// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"
)

// Keys of one kind look alike: they have one length, and at each place a few characters only. A
// packed page says for each length, a shape, which characters stand at each place. Of a key it has
// which of these it takes, all together as one number: a hyphen that all have takes nothing, a
// hexadecimal digit 4 bits, ten decimal ones 34. What many keys begin with, as the author of a URI,
// is not repeated (docs/format/page.md).
const (
	packedLength  = 255     // of a key, at most
	packedShapes  = 64      // of a page, at most
	packedProduct = 1 << 56 // of a number's choices, at most: its bits fit a word that begins at any bit
)

// shape is a length of the keys of a page.
type shape struct {
	length int
	cut    int      // a key may begin with the first cut characters of the key of this shape before it
	runs   []run    // of places with the same alphabet, until length
	start  []number // of the places before the cut
	rest   []number // of the others
	last   []byte   // the key before; what does not change stands from the beginning
}

// run is a run of places with one alphabet.
type run struct {
	places   int
	alphabet []byte // what may stand there, ascending
}

// number stands for the characters of places that follow each other.
type number struct {
	bits    int
	product uint64 // it is below
	parts   []part
}

// part is places of a key that follow each other, where the same characters may stand.
type part struct {
	from, to int
	alphabet []byte
}

// layOut makes the numbers of a shape from its runs. It is for a shape that has keys.
func (s *shape) layOut() {
	s.last = make([]byte, s.length)
	s.start, s.rest = nil, nil
	at := 0
	for _, r := range s.runs {
		for range r.places {
			s.last[at] = r.alphabet[0]
			of := &s.rest
			if at < s.cut {
				of = &s.start
			}
			if len(r.alphabet) > 1 {
				appendPlace(of, at, r.alphabet)
			}
			at++
		}
	}
}

// appendPlace adds a place to the last number, or begins another.
func appendPlace(to *[]number, at int, alphabet []byte) {
	choices := uint64(len(alphabet))
	if n := len(*to); n == 0 || (*to)[n-1].product*choices > packedProduct {
		*to = append(*to, number{product: 1})
	}
	n := &(*to)[len(*to)-1]
	n.product *= choices
	n.bits = bitsOf(n.product)
	if last := len(n.parts) - 1; last >= 0 && n.parts[last].to == at && &n.parts[last].alphabet[0] == &alphabet[0] {
		n.parts[last].to++
		return
	}
	n.parts = append(n.parts, part{at, at + 1, alphabet})
}

// readNumbers reads characters of a key. ok is false when a number is too large or missing.
func readNumbers(r *bitReader, all []number, key []byte) (ok bool) {
	for i := range all {
		n := &all[i]
		x := r.bits(n.bits)
		if x >= n.product {
			return false
		}
		n.spell(key, x)
	}
	return r.At <= r.End
}

// endsPadded reports whether a stream was read up to its last byte, and only zeros follow.
func endsPadded(r *bitReader) bool {
	if r.At > r.End || r.End-r.At >= 8 {
		return false
	}
	rest := r.Data[r.End/8:]
	return r.bits(r.End-r.At) == 0 && binary.LittleEndian.Uint64(rest) == 0
}

// bitsOf returns how many bits a number below n takes; n is at least 1.
func bitsOf(n uint64) int { return bits.Len64(n - 1) }

// borrowed returns bytes as a string. They must not change while it is used.
func borrowed(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// spell writes the characters that a number stands for.
func (n *number) spell(key []byte, x uint64) {
	for i := len(n.parts) - 1; i >= 0; i-- {
		p := &n.parts[i]
		choices, places := uint64(len(p.alphabet)), key[p.from:p.to]
		if choices&(choices-1) == 0 {
			width := bitsOf(choices)
			for j := len(places) - 1; j >= 0; j-- {
				places[j] = p.alphabet[x&(choices-1)]
				x >>= width & 63
			}
			continue
		}
		for j := len(places) - 1; j >= 0; j-- {
			places[j] = p.alphabet[x%choices]
			x /= choices
		}
	}
}

// of returns the number that stands for the characters of a key.
func (n *number) of(key []byte) (x uint64) {
	for i := range n.parts {
		p := &n.parts[i]
		for _, c := range key[p.from:p.to] {
			x = x*uint64(len(p.alphabet)) + uint64(bytes.IndexByte(p.alphabet, c))
		}
	}
	return x
}

// readShapes reads the shapes of a page.
func readShapes(r *Reader) (shapes []shape) {
	n := r.Count()
	if n > packedShapes {
		r.Ok = false
	}
	for ; n > 0 && r.Ok; n-- {
		s := shape{length: int(min(r.Varint(), packedLength+1)), cut: int(min(r.Varint(), packedLength+1))}
		if s.length > packedLength || s.cut > s.length {
			r.Ok = false
		}
		for at := 0; at < s.length && r.Ok; {
			one := run{places: int(min(r.Varint(), packedLength)) + 1}
			if at += one.places; at > s.length {
				r.Ok = false
			}
			one.alphabet = readAlphabet(r)
			s.runs = append(s.runs, one)
		}
		if r.Ok {
			s.layOut()
			shapes = append(shapes, s)
		}
	}
	return shapes
}

// readAlphabet reads the characters that may stand at a place: how many ranges less 1, then for
// each its first character and how many follow.
func readAlphabet(r *Reader) (alphabet []byte) {
	next := 0
	for n := r.Varint() + 1; n > 0 && r.Ok; n-- {
		if len(r.B) < 2 {
			r.Ok = false
			return nil
		}
		first, last := int(r.B[0]), int(r.B[0])+int(r.B[1])
		r.B = r.B[2:]
		if first < next || last > math.MaxUint8 {
			r.Ok = false
			return nil
		}
		for c := first; c <= last; c++ {
			alphabet = append(alphabet, byte(c))
		}
		next = last + 2 // else it would be one range
	}
	return alphabet
}

// appendAlphabet writes an alphabet.
func appendAlphabet(dst, alphabet []byte) []byte {
	var ranges []byte
	for i, c := range alphabet {
		if i > 0 && c == alphabet[i-1]+1 {
			ranges[len(ranges)-1]++
			continue
		}
		ranges = append(ranges, c, 0)
	}
	return append(binary.AppendUvarint(dst, uint64(len(ranges)/2-1)), ranges...)
}
