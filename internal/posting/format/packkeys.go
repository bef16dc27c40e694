// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// PackedPage returns an unsealed packed page from rows of encoded keys. It returns nil if they are
// of too many shapes, or if the page is not much smaller than size.
func PackedPage(rows []Row, size int) []byte {
	p := packer{of: make(map[int]int)}
	if !p.gather(rows) {
		return nil
	}
	slots := int(rows[len(rows)-1].Offset) + 1
	gaps := 0
	if slots > len(rows) {
		gaps = 1
	}
	dst := binary.LittleEndian.AppendUint32([]byte{MagicPage, packedPage, Keys, 0, 0, 0, 0, 0}, uint32(slots))
	dst = binary.AppendUvarint(dst, uint64(len(p.shapes)))
	for i := range p.shapes {
		s := &p.shapes[i]
		s.settle()
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(s.length)), uint64(s.cut))
		for _, r := range s.runs {
			dst = appendAlphabet(binary.AppendUvarint(dst, uint64(r.places-1)), r.alphabet)
		}
	}
	w := bitWriter{dst: append(dst, byte(gaps))}
	which := bitsOf(uint64(len(p.shapes) + gaps))
	for i, row := range rows {
		if i > 0 {
			for range row.Offset - rows[i-1].Offset - 1 {
				w.put(uint64(len(p.shapes)), which)
			}
		}
		key := p.key(i)
		kind := p.of[len(key)]
		w.put(uint64(kind), which)
		p.shapes[kind].write(&w, key)
		if len(w.dst)*4 > size*packedPart {
			return nil
		}
	}
	return append(w.finish(), make([]byte, codePadding)...)
}

// packer gathers what the keys of a page look like.
type packer struct {
	shapes []lookOf
	of     map[int]int // which of shapes a length has
	text   []byte      // of all keys
	ends   []int       // of each
}

// lookOf is a shape in the making.
type lookOf struct {
	shape
	keys   int
	begun  bool
	before []byte    // the key before
	common []int     // how many keys begin with so many characters of the key before, and no more
	seen   []charset // which characters stand at each place
}

// key returns the text of a key.
func (p *packer) key(i int) []byte {
	start := 0
	if i > 0 {
		start = p.ends[i-1]
	}
	return p.text[start:p.ends[i]]
}

// gather looks at all keys. ok is false when they are too long, or of too many shapes.
func (p *packer) gather(rows []Row) (ok bool) {
	for i, row := range rows {
		if p.text, ok = AppendKeyText(p.text, row.Body); !ok {
			return false
		}
		p.ends = append(p.ends, len(p.text))
		key := p.key(i)
		kind, there := p.of[len(key)]
		if !there {
			if len(key) > packedLength || len(p.shapes) == packedShapes {
				return false
			}
			kind = len(p.shapes)
			p.of[len(key)] = kind
			p.shapes = append(p.shapes, lookOf{shape: shape{length: len(key)}, common: make([]int, len(key)+1),
				seen: make([]charset, len(key))})
		}
		p.shapes[kind].gather(key)
	}
	return true
}

// gather looks at a key.
func (s *lookOf) gather(key []byte) {
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

// settle chooses the alphabets and the cut, once all keys are known.
func (s *lookOf) settle() {
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
func (s *lookOf) chooseCut() {
	least := math.Inf(1)
	head, alike, at := 0.0, s.keys, 0 // bits before the cut, and keys that share them
	consider := func(cut int) {
		saved := head * float64(alike)
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
			head, alike, at = head+bits, alike-s.common[at], at+1
			consider(at)
		}
	}
}

// write writes a key.
func (s *lookOf) write(w *bitWriter, key []byte) {
	again := s.begun && s.cut > 0 && string(key[:s.cut]) == string(s.last[:s.cut])
	if s.cut > 0 {
		bit := uint64(0)
		if again {
			bit = 1
		}
		w.put(bit, 1)
	}
	if !again {
		put(w, s.head, key)
	}
	put(w, s.tail, key)
	s.begun = true
	copy(s.last, key)
}

// endRun gives the last run its alphabet.
func (s *lookOf) endRun(c charset) {
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
