// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack

import (
	"encoding/binary"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Layout says how containers are chosen when a set is packed.
type Layout uint8

const (
	// Fastest takes array, bitset or runs for each chunk, the smallest of them, as what is combined
	// fastest. Only a set with fewer than four values a chunk, which would be nothing but
	// directory, becomes one packed block, if it has at most 10 000 values; one of up to 128
	// is kept whole (internal/roaring/view/fixedlist.go).
	Fastest Layout = iota

	// Smallest takes the smallest form and containers, packed ones included.
	Smallest

	// Balanced is Smallest, except for chunks of 1 024 values and more, which are as in Fastest, or
	// bitsets from 2 816 values on. Such chunks belong to long lists, which are few, and slow to
	// combine. A set takes less than in Fastest unless most of its chunks have 2 816 to 4 096
	// values, and then at most a third more.
	Balanced

	// AsTheyAre is Fastest for blocks whose kinds have been chosen and are valid already.
	AsTheyAre

	// InDirectory is AsTheyAre without the forms that keep no kinds: single values and lists.
	InDirectory
)

// unpackedFrom is the number of values from which Balanced does not pack a chunk. Unpacked, it
// takes at most some 2.2 times the room, and is combined several times as fast.
const unpackedFrom = 1 << 10

// bitsetFrom is the number of values from which Balanced keeps an array as a bitset. Two bitsets
// are combined far faster than arrays. From here on, real data takes no more than in Fastest
// (TestLayoutsOfRealData).
const bitsetFrom = 2816

const ListBelow = 4 // values a chunk, see Fastest

// planned is a container that will be written: one chunk as it is, or several chunks packed.
type planned struct {
	from, to int    // chunks
	last     uint64 // distance of the last value from the base
	n, size  int
	kind     uint8
	low      uint8 // packed: low width
}

// Shape is the form of a body to be written, and its size.
type Shape struct {
	Form   uint8
	Size   int
	Low    uint  // lists: low width
	Header uint8 // long and fixed lists: bytes of the header
	Fixed  bool  // lists: with their values whole
	kw, ow uint8
}

// LayOut finishes the last chunk, chooses the containers and then the form.
func (b *Builder) LayOut(layout Layout) (s Shape) {
	b.Finish()
	if len(b.Chunks) == 0 {
		return Shape{Form: view.FormEmpty}
	}
	highest := b.highest()
	if b.values == 1 && layout != InDirectory {
		return Shape{Form: view.FormSingle, Size: 1 + int(view.ByteWidth(highest))}
	}
	s = b.directory(layout)
	if layout == InDirectory || b.values > view.MaxList {
		return s
	}
	if b.list(layout) {
		if list := ListShape(int(b.values), highest); list.Size < s.Size {
			s = list
		}
	}
	if layout == Fastest && b.values < ListBelow*uint64(len(b.Chunks)) {
		if fixed, ok := FixedShape(int(b.values), highest); ok {
			return fixed
		}
	}
	return s
}

// highest returns the last value of the finished chunks. There must be at least one.
func (b *Builder) highest() uint64 {
	last := b.Chunks[len(b.Chunks)-1]
	return last.Key<<16 | uint64(last.hi)
}

// list reports whether a layout allows a set of so few values to be one packed block.
func (b *Builder) list(layout Layout) bool {
	switch layout {
	case Smallest:
		return true
	case Balanced:
		return b.values < unpackedFrom*uint64(len(b.Chunks))
	default:
		return b.values < ListBelow*uint64(len(b.Chunks))
	}
}

// directory plans the containers of a compact directory.
//
// Smallest joins neighbours greedily, from left to right, in constant time for each chunk: a chunk
// joins the container before it, as one packed container, if that is smaller than both apart, the
// directory's entry included. (An exact choice is a shortest path over up to 2 048 edges a chunk;
// on the data sets that bitmaps are measured by it saves less than 1 %.)
func (b *Builder) directory(layout Layout) Shape {
	b.plan = b.plan[:0]
	payload := 0
	kw := view.ByteWidth(b.Chunks[len(b.Chunks)-1].Key)
	ow := view.ByteWidth(uint64(len(b.Data))<<2 | 3) // of what the chunks would take unpacked, which is not less
	overhead := int(kw + 2 + ow)
	for i := range b.Chunks {
		c := &b.Chunks[i]
		p := planned{from: i, to: i + 1, last: uint64(c.hi), n: int(c.N), size: int(c.Size), kind: c.Kind}
		if layout == Balanced && p.kind == container.Array && p.n >= bitsetFrom {
			p.kind, p.size = container.Bitset, container.MaxPayload
		}
		if layout == Smallest || layout == Balanced && p.n < unpackedFrom {
			p.pack(p.n, p.last, p.size-1)
			if len(b.plan) > 0 && b.plan[len(b.plan)-1].join(&p, (c.Key-b.Chunks[b.plan[len(b.plan)-1].from].Key)<<16,
				overhead, layout == Balanced) {
				continue
			}
		}
		b.plan = append(b.plan, p)
	}
	for _, p := range b.plan {
		payload += p.size
	}
	s := Shape{Form: view.FormCompact, kw: view.ByteWidth(b.Chunks[b.plan[len(b.plan)-1].from].Key),
		ow: view.ByteWidth(uint64(payload)<<2 | 3)}
	s.Size = 2 + int(s.kw) + len(b.plan)*int(s.kw+2+s.ow) + payload
	return s
}

// pack makes the container a packed one of n values if its payload then has at most limit bytes.
func (p *planned) pack(n int, last uint64, limit int) bool {
	size, low := eliasfano.Size(n, last, view.MaxLowWidth)
	if size++; size > min(limit, container.MaxPayload) {
		return false
	}
	p.kind, p.n, p.last, p.size, p.low = container.Packed, n, last, size, uint8(low)
	return true
}

// join appends q if the packed container of both is smaller than p, q and an entry. The base of q
// lies distance behind that of p. If fixed is true, it joins no chunk that stays unpacked.
func (p *planned) join(q *planned, distance uint64, entry int, fixed bool) bool {
	if p.n+q.n > container.MaxPacked || fixed && (p.n >= unpackedFrom && p.kind != container.Packed ||
		q.n >= unpackedFrom) ||
		!p.pack(p.n+q.n, distance+q.last, p.size+q.size+entry) {
		return false
	}
	p.to = q.to
	return true
}

// Body appends the smallest body of the set, as it stands in a page, to dst. It returns the longer
// slice. The set stays in the builder.
func (b *Builder) Body(dst []byte) []byte { return b.BodyIn(dst, Smallest) }

// BodyIn is Body in a layout.
//
// A list of more than 10 000 values becomes a single packed block of at most 32 KB, which is what a
// page takes, where that is smaller than its containers: in Smallest whatever they are, in Balanced
// if all of them would be packed ones. [Bitmap.Pack] and what is computed keep containers, which
// are what is combined.
func (b *Builder) BodyIn(dst []byte, layout Layout) []byte {
	s := b.LayOut(layout)
	if long, ok := b.long(layout, s); ok {
		s = long
	}
	return b.Write(dst, s)
}

// long returns the shape of a long list. ok is false if the containers laid out should stay.
func (b *Builder) long(layout Layout, s Shape) (long Shape, ok bool) {
	if s.Form != view.FormCompact || layout != Smallest && layout != Balanced || b.values <= view.MaxList ||
		b.values > view.MaxLong {
		return Shape{}, false
	}
	for i := range b.plan {
		if layout == Balanced && b.plan[i].kind != container.Packed {
			return Shape{}, false
		}
	}
	long = longShape(int(b.values), b.highest())
	return long, long.Size < s.Size && long.Size <= view.MaxLongBody
}

// Write appends the body whose shape is given.
func (b *Builder) Write(dst []byte, s Shape) []byte {
	start := len(dst)
	dst = slices.Grow(dst, s.Size)[:start+s.Size]
	body := dst[start:]
	switch s.Form {
	case view.FormSingle:
		c := b.Chunks[0]
		body[0] = view.TagSingle
		view.StoreUint(body[1:], c.Key<<16|uint64(c.lo), len(body)-1)
	case view.FormList:
		n := int(b.values)
		switch {
		case s.Fixed:
			view.PutFixedHeader(body, n, s.Low)
		case s.Header > 0:
			view.PutLongHeader(body[:s.Header], n, len(body)-int(s.Header), s.Low)
		default:
			s.Header = view.HeaderList
			view.PutListHeader(body, n, s.Low)
		}
		b.writePacked(body[s.Header:], 0, len(b.Chunks), n, s.Low, 0)
	case view.FormCompact:
		b.writeDirectory(body, s)
	}
	return dst
}

// writeDirectory writes a compact directory and its payloads.
func (b *Builder) writeDirectory(body []byte, s Shape) {
	kw, ow, count := int(s.kw), int(s.ow), len(b.plan)
	body[0], body[1] = view.TagDirectory, s.kw-1|(s.ow-1)<<3
	view.StoreUint(body[2:], uint64(count-1), kw)
	keys := body[2+kw:]
	cards := keys[count*kw:]
	ends := cards[count*2:]
	payloads := ends[count*ow:]
	at := 0
	for i := range b.plan {
		p := &b.plan[i]
		key := b.Chunks[p.from].Key
		payload := payloads[at : at+p.size]
		end := at + p.size
		view.StoreUint(keys[i*kw:], key, kw)
		binary.LittleEndian.PutUint16(cards[2*i:], uint16(p.n-1))
		view.StoreUint(ends[i*ow:], uint64(end)<<2|uint64(p.kind), ow)
		if p.kind != container.Packed {
			c := &b.Chunks[p.from]
			if data := b.Data[c.At : c.At+int(c.Size)]; c.Kind == p.kind {
				copy(payload, data)
			} else {
				clear(payload)
				bitset.SetArray((*bitset.Words)(payload), data)
			}
			at = end
			continue
		}
		at = end
		payload[0] = p.low
		b.writePacked(payload[1:], p.from, p.to, p.n, uint(p.low), key)
	}
}

// writePacked writes n values, which are those of the given chunks, as a packed block relative to
// chunk base.
func (b *Builder) writePacked(block []byte, from, to, n int, low uint, base uint64) {
	var w eliasfano.Writer
	w.Reset(block, n, low)
	for i := range b.Chunks[from:to] {
		c := &b.Chunks[from+i]
		data := b.Data[c.At : c.At+int(c.Size)]
		distance := (c.Key - base) << 16
		switch c.Kind {
		case container.Array:
			w.PutArray(data, distance)
		case container.Bitset:
			w.PutBitset((*bitset.Words)(data), distance)
		case container.Run:
			w.PutRuns(data, distance)
		}
	}
	w.Close()
}
