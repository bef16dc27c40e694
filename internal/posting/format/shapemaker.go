// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"math"
	"math/bits"
)

// shapeMaker is a shape in the making.
type shapeMaker struct {
	shape
	keys   int
	begun  bool
	before []byte    // the key before
	common []int     // how many keys begin with so many characters of the key before, and no more
	seen   []charset // which characters stand at each place
}

// gather looks at a key.
func (s *shapeMaker) gather(key []byte) {
	for at, c := range key {
		s.seen[at][c>>6] |= 1 << (c & 63)
	}
	if s.keys++; s.keys == 1 {
		s.common[0]++
	} else {
		s.common[common(s.before, borrowed(key))]++
	}
	s.before = key
}

// choose chooses the alphabets and the cut, once all keys are known.
func (s *shapeMaker) choose() {
	var now charset
	for at, seen := range s.seen {
		both := now
		for i := range both {
			both[i] |= seen[i]
		}
		// Places that differ a little share an alphabet if that takes no more bits.
		if wide := both.bits(); at > 0 && wide == now.bits() && wide == seen.bits() {
			now = both
			s.runs[len(s.runs)-1].places++
			continue
		}
		s.endRun(now)
		now = seen
		s.runs = append(s.runs, run{places: 1})
	}
	s.endRun(now)
	s.chooseCut()
	s.layOut()
}

// chooseCut chooses the cut that makes the keys shortest. With a cut a key takes a bit more, and
// those that share what stands before it that much less.
func (s *shapeMaker) chooseCut() {
	least := math.Inf(1)
	bitsBefore, alike, at := 0.0, s.keys, 0 // bits before the cut, and keys that share them
	consider := func(cut int) {
		saved := bitsBefore * float64(alike)
		if cut > 0 {
			saved -= float64(s.keys)
		}
		if -saved < least {
			least, s.cut = -saved, cut
		}
	}
	consider(0)
	for _, r := range s.runs {
		bits := math.Log2(float64(len(r.alphabet)))
		for range r.places {
			bitsBefore, alike, at = bitsBefore+bits, alike-s.common[at], at+1
			consider(at)
		}
	}
}

// allBits returns how many bits the keys take, once the cut is chosen.
func (s *shapeMaker) allBits() (all int) {
	if s.cut > 0 {
		all = s.keys
		for _, n := range s.common[:s.cut] { // they do not begin as the key before
			all += n * bitsOfAll(s.start)
		}
	}
	return all + s.keys*bitsOfAll(s.rest)
}

// bitsOfAll returns how many bits some numbers take.
func bitsOfAll(numbers []number) (n int) {
	for i := range numbers {
		n += numbers[i].bits
	}
	return n
}

// write writes a key.
func (s *shapeMaker) write(w *bitWriter, key []byte) {
	again := s.begun && s.cut > 0 && string(key[:s.cut]) == string(s.last[:s.cut])
	if s.cut > 0 {
		bit := uint64(0)
		if again {
			bit = 1
		}
		w.put(bit, 1)
	}
	if !again {
		put(w, s.start, key)
	}
	put(w, s.rest, key)
	s.begun = true
	copy(s.last, key)
}

// endRun gives the last run its alphabet.
func (s *shapeMaker) endRun(c charset) {
	if n := len(s.runs); n > 0 {
		s.runs[n-1].alphabet = c.characters()
	}
}

// put writes the numbers of a key.
func put(w *bitWriter, all []number, key []byte) {
	for i := range all {
		w.put(all[i].of(key), all[i].bits)
	}
}

// charset is a set of characters.
type charset [4]uint64

// bits returns how many bits one of the characters takes.
func (c *charset) bits() int {
	n := 0
	for _, word := range c {
		n += bits.OnesCount64(word)
	}
	return bitsOf(uint64(max(n, 1)))
}

// characters returns the characters, ascending.
func (c *charset) characters() (alphabet []byte) {
	for i, word := range c {
		for ; word != 0; word &= word - 1 {
			alphabet = append(alphabet, byte(i<<6+bits.TrailingZeros64(word)))
		}
	}
	return alphabet
}
