// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// A second, naive writer of the format, straight from the document: the reading side is tested
// against it, apart from the package's own writer.

// plannedContainer is one entry of a directory to be written.
type plannedContainer struct {
	key    uint64
	kind   uint8
	values []uint64 // absolute
	low    uint     // packed
}

func setBit(b []byte, i int) { b[i/8] |= 1 << (i % 8) }

// packBlock writes an Elias–Fano block bit by bit.
func packBlock(d []uint64, low uint) []byte {
	n := len(d)
	total := n*int(low) + int(d[n-1]>>low) + n
	b := make([]byte, (total+7)/8)
	for i, x := range d {
		setBit(b, int(x>>low)+i)
		for j := range int(low) {
			if x>>j&1 != 0 {
				setBit(b, 8*len(b)-n*int(low)+i*int(low)+j)
			}
		}
	}
	return b
}

// bestLow is a low width near the smallest block.
func bestLow(d []uint64) uint {
	return uint(max(bits.Len64(d[len(d)-1]/uint64(len(d)))-1, 0))
}

func relative(values []uint64, base uint64) []uint64 {
	out := make([]uint64, len(values))
	for i, x := range values {
		out[i] = x - base
	}
	return out
}

func lowsOf(values []uint64) []byte {
	var b []byte
	for _, x := range values {
		b = binary.LittleEndian.AppendUint16(b, uint16(x))
	}
	return b
}

func wordsOf(values []uint64) []byte {
	b := make([]byte, 8192)
	for _, x := range values {
		setBit(b, int(x&0xFFFF))
	}
	return b
}

func runsOf(values []uint64) []byte {
	var b []byte
	for i := 0; i < len(values); {
		j := i
		for j+1 < len(values) && values[j+1] == values[j]+1 {
			j++
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(values[i]))
		b = binary.LittleEndian.AppendUint16(b, uint16(j-i))
		i = j + 1
	}
	return b
}

func (c plannedContainer) payload() []byte {
	switch c.kind {
	case container.Array:
		return lowsOf(c.values)
	case container.Bitset:
		return wordsOf(c.values)
	case container.Run:
		return runsOf(c.values)
	}
	return append([]byte{byte(c.low)}, packBlock(relative(c.values, c.key<<16), c.low)...)
}

func putUint(b []byte, x uint64, w int) []byte {
	for i := range w {
		b = append(b, byte(x>>(8*i)))
	}
	return b
}

func widthOf(x uint64) int { return max((bits.Len64(x)+7)/8, 1) }

// compactBody writes a compact directory; extra widens keys and ends beyond need.
func compactBody(cs []plannedContainer, extra int) []byte {
	var payloads []byte
	var ends []uint64
	for _, c := range cs {
		payloads = append(payloads, c.payload()...)
		ends = append(ends, uint64(len(payloads))<<2|uint64(c.kind))
	}
	kw := min(max(widthOf(cs[len(cs)-1].key), widthOf(uint64(len(cs)-1)))+extra, 6)
	ow := min(widthOf(ends[len(ends)-1])+extra, 6)
	b := []byte{0xF8, byte(kw - 1 | (ow-1)<<3)}
	b = putUint(b, uint64(len(cs)-1), kw)
	for _, c := range cs {
		b = putUint(b, c.key, kw)
	}
	for _, c := range cs {
		b = putUint(b, uint64(len(c.values)-1), 2)
	}
	for _, e := range ends {
		b = putUint(b, e, ow)
	}
	return append(b, payloads...)
}

// looseBody writes a loose directory with payloads in random order, holes between them and spare
// room.
func looseBody(cs []plannedContainer, r *rand.Rand) []byte {
	body := make([]byte, 40)
	binary.LittleEndian.PutUint16(body, 0x40F8)
	room := len(cs) + r.IntN(3)
	offs := make([]int, len(cs))
	holes, placed := 0, false
	at := 0
	place := func() {
		at, placed = len(body), true
		body = append(body, make([]byte, 16*room)...)
	}
	for _, i := range r.Perm(len(cs)) {
		if !placed && r.IntN(2) == 0 {
			place()
		}
		hole := r.IntN(4) * r.IntN(20)
		holes += hole
		body = append(body, make([]byte, hole)...)
		p := cs[i].payload()
		offs[i] = len(body)
		body = append(body, p...)
		body = append(body, make([]byte, int(roomFor(uint64(len(p))))-len(p))...)
	}
	if !placed {
		place()
	}
	binary.LittleEndian.PutUint64(body[8:], uint64(len(cs)))
	binary.LittleEndian.PutUint64(body[16:], uint64(at))
	binary.LittleEndian.PutUint64(body[24:], uint64(room))
	binary.LittleEndian.PutUint64(body[32:], uint64(holes))
	for i, c := range cs {
		e := body[at+16*i:]
		binary.LittleEndian.PutUint64(e, c.key<<16|uint64(len(c.values)-1))
		binary.LittleEndian.PutUint64(e[8:], uint64(offs[i])<<16|uint64(c.kind)<<14|uint64(len(c.payload())-1))
	}
	return body
}

// soloBody writes one packed block. Each low width has first bytes of its own, the more the smaller
// it is.
func soloBody(values []uint64, low uint) []byte {
	first, bytes := 0, 0
	for l := range low + 1 {
		first += bytes
		switch {
		case l < 1:
			bytes = 32
		case l < 3:
			bytes = 16
		case l < 8:
			bytes = 8
		case l < 18:
			bytes = 4
		case l < 38:
			bytes = 2
		default:
			bytes = 1
		}
	}
	n := len(values)
	return append([]byte{byte(first + n/256%bytes), byte(n)}, packBlock(values, low)...)
}

// plainBody writes values whole, in as many bytes as the largest needs, four at least: one packed
// block of so many low bits.
func plainBody(values []uint64) []byte {
	width := max(widthOf(values[len(values)-1]), 4)
	return append([]byte{0xFB + byte(width-4), byte(len(values) - 1)}, packBlock(values, uint(8*width))...)
}

func singleBody(x uint64, width int) []byte { return putUint([]byte{0xF9}, x, width) }

// envelop puts a body into the stand-alone envelope.
func envelop(body []byte, width int, checksum bool) []byte {
	flags := byte(1 | width<<4)
	if checksum {
		flags |= 0x40
	}
	b := putUint([]byte{0xB5, flags}, uint64(len(body)), 1<<width)
	b = append(b, body...)
	if checksum {
		b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	}
	return b
}

// randomChunk returns values of one chunk in one of many shapes.
func randomChunk(r *rand.Rand) []uint64 {
	var in [65536]bool
	switch r.IntN(10) {
	case 9: // as many as a threshold
		return thresholdChunk(r)
	case 0: // a few
		for range 1 + r.IntN(20) {
			in[r.IntN(65536)] = true
		}
	case 1: // around the threshold of arrays
		for range 3500 + r.IntN(1300) {
			in[r.IntN(65536)] = true
		}
	case 2: // dense
		for i := range in {
			in[i] = r.IntN(3) != 0
		}
	case 3: // all
		for i := range in {
			in[i] = true
		}
	case 4: // few long runs
		for range 1 + r.IntN(5) {
			lo := r.IntN(65536)
			for i := lo; i < min(lo+1+r.IntN(20000), 65536); i++ {
				in[i] = true
			}
		}
	case 5: // many short runs
		for range 200 + r.IntN(1500) {
			lo := r.IntN(65536)
			for i := lo; i < min(lo+1+r.IntN(20), 65536); i++ {
				in[i] = true
			}
		}
	case 6: // the corners
		for _, i := range []int{0, 1, 63, 64, 127, 32767, 32768, 65472, 65534, 65535} {
			in[i] = r.IntN(2) == 0
		}
		in[65535] = true
	case 7: // clustered
		lo := r.IntN(60000)
		for range 500 {
			in[lo+r.IntN(5000)] = true
		}
	default: // all but a few
		for i := range in {
			in[i] = true
		}
		for range 1 + r.IntN(20) {
			in[r.IntN(65536)] = false
		}
	}
	var out []uint64
	for i, ok := range in {
		if ok {
			out = append(out, uint64(i))
		}
	}
	return out
}

// fits reports whether a container may have that kind.
func (c plannedContainer) fits() bool {
	if len(c.values) == 0 {
		return false
	}
	last := c.values[len(c.values)-1] - c.key<<16
	if c.kind == container.Packed {
		size := 1 + (len(c.values)*int(c.low)+int(min(last>>c.low, 1<<20))+len(c.values)+7)/8
		return size <= 8192 && (len(c.values) <= 2048 || last < 65536)
	}
	return len(c.payload()) <= 8192
}

// randomContainers returns a set, cut into containers of random kinds.
func randomContainers(r *rand.Rand, chunks int) (cs []plannedContainer, values []uint64) {
	key := uint64(r.IntN(3))
	for range chunks {
		if r.IntN(4) == 0 {
			// A packed container over many chunks.
			x := key << 16
			step := uint64(1) << r.IntN(24)
			c := plannedContainer{key: key, kind: container.Packed}
			x += r.Uint64N(65536)
			for range 1 + r.IntN(300) {
				c.values = append(c.values, x)
				x += 1 + r.Uint64N(step)
			}
			d := relative(c.values, key<<16)
			c.low = bestLow(d) + uint(r.IntN(2))
			cs = append(cs, c)
			values = append(values, c.values...)
			key = c.values[len(c.values)-1]>>16 + 1 + uint64(r.IntN(2))*r.Uint64N(1000)
			continue
		}
		c := plannedContainer{key: key, values: randomChunk(r)}
		for i := range c.values {
			c.values[i] |= key << 16
		}
		for {
			c.kind = uint8(r.IntN(4))
			c.low = bestLow(relative(c.values, key<<16))
			if c.fits() {
				break
			}
		}
		cs = append(cs, c)
		values = append(values, c.values...)
		key += 1 + uint64(r.IntN(2))*r.Uint64N(1<<r.IntN(30))
	}
	return cs, values
}

// sample is one set in one of its encodings.
type sample struct {
	name   string
	body   []byte
	values []uint64
}

// samples returns sets in all forms.
func samples(r *rand.Rand, n int) (out []sample) {
	out = append(out, sample{"empty", nil, nil})
	for range n {
		cs, values := randomContainers(r, 1+r.IntN(6))
		out = append(out, sample{"compact", compactBody(cs, r.IntN(3)), values})
		out = append(out, sample{"loose", looseBody(cs, r), values})

		count := 1 + r.IntN(1<<r.IntN(12))
		var few []uint64
		for range min(count, 2048) {
			few = append(few, r.Uint64()>>(64-max(r.IntN(64), 12)))
		}
		slices.Sort(few)
		few = slices.Compact(few)
		low := bestLow(few)
		out = append(out, sample{"solo", soloBody(few, low), few})
		if some := few[:min(len(few), 1+r.IntN(256))]; some[len(some)-1]>>56 == 0 {
			out = append(out, sample{"plain", plainBody(some), some})
		}
		values = thresholdSet(r)
		out = append(out, sample{"thresholds", recode(r, values), values}, sample{"recoded", recode(r, few), few})
		x := r.Uint64() >> r.IntN(64)
		out = append(out, sample{"single", singleBody(x, widthOf(x)+r.IntN(9-widthOf(x))), []uint64{x}})
	}
	return out
}
