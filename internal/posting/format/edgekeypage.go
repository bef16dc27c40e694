// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import "encoding/binary"

// EdgeKeyBody returns the bytes of the keys that a record's edges have on a page, nil for none. The
// record counts from the page's first. The bytes are borrowed.
func (p *Page) EdgeKeyBody(record uint64) []byte {
	if record >= uint64(p.Count) || !p.HasKeys() {
		return nil
	}
	from, to := p.Span(int(record))
	return p.Data[p.Payload():][from:to:to]
}

// AppendEdgeKeyPage lays out a page of records and returns it unsealed. ends says where the keys of
// each record end in the bytes. The last record must have some.
func AppendEdgeKeyPage(ends []uint32, bodies []byte) []byte {
	data := columnHeader(len(ends), edgeKeyRows, ends[len(ends)-1], len(bodies))
	for _, end := range ends {
		data = appendSlot(data, end)
	}
	return append(data, bodies...)
}

// EdgeKeyCount returns how many keys a body has, as it says itself.
func EdgeKeyCount(body []byte) uint64 {
	n, _ := binary.Uvarint(body)
	return n
}

// edgeKeyBody is where the parts of a body are, as far as they can be found without reading it
// through.
type edgeKeyBody struct {
	n, texts int
	keys     []byte // texts: distances as varints
	first    uint64 // microseconds of the first TID
	width    int
	targets  bitField
	clocks   edgeClocks
	gaps     gapStream

	// The TID that gaps have come to.
	place  int // among all keys
	micros uint64
}

// openEdgeKeys finds the parts of a body.
func openEdgeKeys(body []byte) (b edgeKeyBody, ok bool) {
	r := Reader{B: body, Ok: true}
	n := r.Varint()
	if !r.Ok || n == 0 || n > uint64(len(body))*8 {
		return b, false
	}
	texts := r.Varint()
	if texts > n {
		return b, false
	}
	b.n, b.texts, b.keys = int(n), int(texts), r.B
	for range texts {
		r.Varint()
	}
	timed := b.n - b.texts
	if timed > 0 {
		b.first = r.Varint()
		if b.clocks.ids, ok = readClocks(&r); !ok || b.first > maxMicros {
			return b, false
		}
	}
	if !r.Ok || len(r.B) == 0 {
		return b, false
	}
	b.width = int(r.B[0])
	if r.B = r.B[1:]; b.width < 1 || b.width > 31 {
		return b, false
	}
	b.targets = bitField(r.B)
	clocks := (b.n*b.width + 7) / 8
	if clocks > len(r.B) {
		return b, false
	}
	b.clocks.width, b.clocks.part = b.clocks.bits(), bitField(r.B[clocks:])
	gaps := clocks + (timed*b.clocks.width+7)/8
	if gaps > len(r.B) {
		return b, false
	}
	b.gaps.bits = bitField(r.B[gaps:])
	b.rewind()
	return b, true
}

const (
	clockBits = 10
	maxMicros = 1<<53 - 1
	gapBlock  = 32 // gaps that share two widths
	gapWidth  = 6  // bits that say a width
)

// edgeClocks has the clock IDs of TIDs: numbers of a table, as one server uses few.
type edgeClocks struct {
	ids   []byte // two bytes each
	part  bitField
	width int
}

// readClocks reads the table of clock IDs.
func readClocks(r *Reader) (ids []byte, ok bool) {
	n := r.Varint()
	if !r.Ok || n == 0 || n > 1<<clockBits || 2*n > uint64(len(r.B)) {
		return nil, false
	}
	ids, r.B = r.B[:2*n], r.B[2*n:]
	for i := 0; i < len(ids); i += 2 {
		id := binary.LittleEndian.Uint16(ids[i:])
		if id >= 1<<clockBits || i > 0 && id <= binary.LittleEndian.Uint16(ids[i-2:]) {
			return nil, false
		}
	}
	return ids, true
}

// bits returns how many bits a number of the table takes.
func (c *edgeClocks) bits() int {
	width := 0
	for 1<<width < len(c.ids)/2 {
		width++
	}
	return width
}

// of returns the clock ID of TID i.
func (c *edgeClocks) of(i int) (id uint64, ok bool) {
	if c.width == 0 && len(c.ids) >= 2 {
		return uint64(binary.LittleEndian.Uint16(c.ids)), true
	}
	at := 2 * int(c.part.at(i*c.width, c.width))
	if at >= len(c.ids) {
		return 0, false
	}
	return uint64(binary.LittleEndian.Uint16(c.ids[at:])), true
}

// bitField is bytes that are read as bits, lowest bit of a byte first. There are zeros behind them.
type bitField []byte

// at returns the n bits from bit at on, n at most 57.
func (s bitField) at(at, n int) uint64 {
	from := at >> 3
	if len(s)-from >= 8 {
		return binary.LittleEndian.Uint64(s[from:]) >> (at & 7) & (1<<n - 1)
	}
	x := uint64(0)
	for i := len(s) - 1; i >= from; i-- {
		x = x<<8 | uint64(s[i])
	}
	return x >> (at & 7) & (1<<n - 1)
}

// gapStream reads the gaps between TIDs, in microseconds.
type gapStream struct {
	bits  bitField
	at    int
	left  int // gaps of the block
	flag  int // 1: a bit before each gap says which width it has
	width [2]int
}

// block reads the widths of a block. remaining is how many gaps there are from it on.
func (s *gapStream) block(remaining int) {
	both := s.bits.at(s.at, 2*gapWidth)
	s.width = [2]int{min(int(both&(1<<gapWidth-1)), 56), min(int(both>>gapWidth), 56)}
	s.flag = 0
	if both&(1<<gapWidth-1) != both>>gapWidth {
		s.flag = 1
	}
	s.at, s.left = s.at+2*gapWidth, min(gapBlock, remaining)
}

// next returns the next gap. remaining is how many there are with it.
func (s *gapStream) next(remaining int) uint64 {
	if s.left == 0 {
		s.block(remaining)
	}
	s.left--
	x := s.bits.at(s.at, 1+56)
	width := s.width[x&uint64(s.flag)]
	s.at += s.flag + width
	return x >> s.flag & (1<<width - 1)
}

// ends reports whether exactly the bytes of the stream were read.
func (s *gapStream) ends() bool { return (s.at+7)/8 == len(s.bits) }
