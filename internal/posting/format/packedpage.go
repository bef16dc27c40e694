// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"
	"slices"
)

// packedPage is the version of packed pages.
const packedPage = 3

// packedPart is how many quarters of a page with slots a packed one takes at most: it has to be
// spelt out when it is read.
const packedPart = 3

// packKeys returns an unsealed packed page from rows of encoded keys. It returns nil if they are
// of too many shapes, or if the page is not much smaller than size. Pages of DIDs stay as they are:
// they take little more, and lists of keys are written from them as they stand.
func packKeys(rows []Row, size int) []byte {
	if isDID(rows[0].Body) && isDID(rows[len(rows)/2].Body) && isDID(rows[len(rows)-1].Body) {
		return nil
	}
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
		s.choose()
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(s.length)), uint64(s.cut))
		for _, r := range s.runs {
			dst = appendAlphabet(binary.AppendUvarint(dst, uint64(r.places-1)), r.alphabet)
		}
	}
	which := bitsOf(uint64(len(p.shapes) + gaps))
	all := slots * which
	for i := range p.shapes {
		all += p.shapes[i].allBits()
	}
	if (len(dst)+all/8)*4 > size*packedPart {
		return nil
	}
	w := bitWriter{dst: append(slices.Grow(dst, all/8+2+codePadding), byte(gaps))}
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
	}
	return append(w.finish(), make([]byte, codePadding)...)
}

// packer gathers what the keys of a page look like.
type packer struct {
	shapes []shapeMaker
	of     map[int]int // which of shapes a length has
	text   []byte      // of all keys
	ends   []int       // of each
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
			p.shapes = append(p.shapes, shapeMaker{shape: shape{length: len(key)}, common: make([]int, len(key)+1),
				seen: make([]charset, len(key))})
		}
		p.shapes[kind].gather(key)
	}
	return true
}

// unpacked converts a packed page into a page with slots. It is not ok if no writer makes such
// bytes.
func unpacked(data []byte) (page []byte, ok bool) {
	count := int(binary.LittleEndian.Uint32(data[8:]))
	if count < 1 || count > MaxRows {
		return nil, false
	}
	r := newReader(data[pageHeaderLen:])
	shapes := readShapes(r)
	if !r.Ok || len(shapes) == 0 || len(r.B) < 1+codePadding || r.B[0] > 1 {
		return nil, false
	}
	gaps := int(r.B[0]) // 1: some IDs have no key
	in := bitReader{Data: r.B[1:], End: 8 * (len(r.B) - 1 - codePadding)}
	which := bitsOf(uint64(len(shapes) + gaps))
	fresh := make([]bool, len(shapes))
	rows, ends := make([]Row, 0, min(count, len(data))), make([]int, 0, min(count, len(data)))
	var text []byte
	for at := range count {
		kind := int(in.bits(which))
		if kind == len(shapes) && gaps == 1 {
			continue
		}
		if kind >= len(shapes) {
			return nil, false
		}
		s := &shapes[kind]
		again := s.cut > 0 && in.bits(1) == 1
		if again && !fresh[kind] {
			return nil, false
		}
		if fresh[kind] = true; !again && !readNumbers(&in, s.start, s.last) || !readNumbers(&in, s.rest, s.last) {
			return nil, false
		}
		text = AppendKey(text, borrowed(s.last))
		ends, rows = append(ends, len(text)), append(rows, Row{Offset: uint16(at), Values: 1})
		if len(text) > MaxBytes/2 {
			return nil, false
		}
	}
	if !endsPadded(&in) || len(rows) == 0 || rows[0].Offset > 0 || int(rows[len(rows)-1].Offset) != count-1 {
		return nil, false
	}
	start := 0
	for i, end := range ends {
		rows[i].Body, start = text[start:end], end
	}
	return appendSlots(Keys, rows), true
}
