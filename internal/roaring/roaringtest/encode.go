// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

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

// Container is one entry of a directory to be written.
type Container struct {
	Key    uint64
	Kind   uint8
	Values []uint64 // absolute
	Low    uint     // packed
}

// SetBit sets bit i.
func SetBit(b []byte, i int) { b[i/8] |= 1 << (i % 8) }

// packBlock writes an Elias–Fano block bit by bit.
func packBlock(d []uint64, low uint) []byte {
	n := len(d)
	total := n*int(low) + int(d[n-1]>>low) + n
	b := make([]byte, (total+7)/8)
	for i, x := range d {
		SetBit(b, int(x>>low)+i)
		for j := range int(low) {
			if x>>j&1 != 0 {
				SetBit(b, 8*len(b)-n*int(low)+i*int(low)+j)
			}
		}
	}
	return b
}

// BestLow is a low width near the smallest block.
func BestLow(d []uint64) uint {
	return uint(max(bits.Len64(d[len(d)-1]/uint64(len(d)))-1, 0))
}

// Relative returns the distances of values from a base.
func Relative(values []uint64, base uint64) []uint64 {
	out := make([]uint64, len(values))
	for i, x := range values {
		out[i] = x - base
	}
	return out
}

// LowsOf returns the low 16 bits of values, as an array has them.
func LowsOf(values []uint64) []byte {
	var b []byte
	for _, x := range values {
		b = binary.LittleEndian.AppendUint16(b, uint16(x))
	}
	return b
}

// WordsOf returns a bitset of the low 16 bits of values.
func WordsOf(values []uint64) []byte {
	b := make([]byte, 8192)
	for _, x := range values {
		SetBit(b, int(x&0xFFFF))
	}
	return b
}

// RunsOf returns the runs of the low 16 bits of values.
func RunsOf(values []uint64) []byte {
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

// Payload returns the bytes of the container.
func (c Container) Payload() []byte {
	switch c.Kind {
	case container.Array:
		return LowsOf(c.Values)
	case container.Bitset:
		return WordsOf(c.Values)
	case container.Run:
		return RunsOf(c.Values)
	case Absent:
		return append([]byte{Absent}, LowsOf(without(c.Values))...)
	}
	return append([]byte{byte(c.Low)}, packBlock(Relative(c.Values, c.Key<<16), c.Low)...)
}

// stands returns the kind that the directory has.
func (c Container) stands() uint8 { return min(c.Kind, container.Packed) }

// PutUint appends x in w bytes, the lowest first.
func PutUint(b []byte, x uint64, w int) []byte {
	for i := range w {
		b = append(b, byte(x>>(8*i)))
	}
	return b
}

func widthOf(x uint64) int { return max((bits.Len64(x)+7)/8, 1) }

// CompactBody writes a compact directory; extra widens keys and ends beyond need.
func CompactBody(cs []Container, extra int) []byte {
	var payloads []byte
	var ends []uint64
	for _, c := range cs {
		payloads = append(payloads, c.Payload()...)
		ends = append(ends, uint64(len(payloads))<<2|uint64(c.stands()))
	}
	kw := min(max(widthOf(cs[len(cs)-1].Key), widthOf(uint64(len(cs)-1)))+extra, 6)
	ow := min(widthOf(ends[len(ends)-1])+extra, 6)
	b := []byte{0xF8, byte(kw - 1 | (ow-1)<<3)}
	b = PutUint(b, uint64(len(cs)-1), kw)
	for _, c := range cs {
		b = PutUint(b, c.Key, kw)
	}
	for _, c := range cs {
		b = PutUint(b, uint64(len(c.Values)-1), 2)
	}
	for _, e := range ends {
		b = PutUint(b, e, ow)
	}
	return append(b, payloads...)
}

// LooseBody writes a loose directory with payloads in random order, holes between them and spare
// room.
func LooseBody(cs []Container, r *rand.Rand) []byte {
	body := make([]byte, 40)
	binary.LittleEndian.PutUint16(body, 0x40F8)
	room := len(cs) + r.IntN(3)
	offs := make([]int, len(cs))
	holes, placed := 0, false
	at := 0
	nextRoom := func() {
		at, placed = len(body), true
		body = append(body, make([]byte, 16*room)...)
	}
	for _, i := range r.Perm(len(cs)) {
		if !placed && r.IntN(2) == 0 {
			nextRoom()
		}
		hole := r.IntN(4) * r.IntN(20)
		holes += hole
		body = append(body, make([]byte, hole)...)
		p := cs[i].Payload()
		offs[i] = len(body)
		body = append(body, p...)
		body = append(body, make([]byte, payloadRoom(len(p))-len(p))...)
	}
	if !placed {
		nextRoom()
	}
	binary.LittleEndian.PutUint64(body[8:], uint64(len(cs)))
	binary.LittleEndian.PutUint64(body[16:], uint64(at))
	binary.LittleEndian.PutUint64(body[24:], uint64(room))
	binary.LittleEndian.PutUint64(body[32:], uint64(holes))
	for i, c := range cs {
		e := body[at+16*i:]
		binary.LittleEndian.PutUint64(e, c.Key<<16|uint64(len(c.Values)-1))
		binary.LittleEndian.PutUint64(e[8:], uint64(offs[i])<<16|uint64(c.stands())<<14|uint64(len(c.Payload())-1))
	}
	return body
}

// ListBody writes one packed block. Each low width has first bytes of its own, the more the smaller
// it is.
func ListBody(values []uint64, low uint) []byte {
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

// FixedBody writes each value whole, in as many bytes as the largest needs, at least four. The
// result is one packed block whose low width is the whole value.
func FixedBody(values []uint64) []byte {
	width := max(widthOf(values[len(values)-1]), 4)
	return append([]byte{0xFB + byte(width-4), byte(len(values) - 1)}, packBlock(values, uint(8*width))...)
}

// SingleBody returns the body of one value, in width bytes.
func SingleBody(x uint64, width int) []byte { return PutUint([]byte{0xF9}, x, width) }

// Envelop puts a body into the stand-alone envelope.
func Envelop(body []byte, width int, checksum bool) []byte {
	flags := byte(1 | width<<4)
	if checksum {
		flags |= 0x40
	}
	b := PutUint([]byte{0xB5, flags}, uint64(len(body)), 1<<width)
	b = append(b, body...)
	if checksum {
		b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	}
	return b
}

// RandomChunk returns values of one chunk in one of many shapes.
func RandomChunk(r *rand.Rand) []uint64 {
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

// Fits reports whether a container may have that kind.
func (c Container) Fits() bool {
	if len(c.Values) == 0 {
		return false
	}
	last := c.Values[len(c.Values)-1] - c.Key<<16
	if c.Kind == container.Packed {
		size := 1 + (len(c.Values)*int(c.Low)+int(min(last>>c.Low, 1<<20))+len(c.Values)+7)/8
		return size <= 8192 && (len(c.Values) <= 2048 || last < 65536)
	}
	if absent := container.ChunkValues - len(c.Values); c.Kind == Absent && (absent == 0 || absent > maxAbsent) {
		return false
	}
	return len(c.Payload()) <= 8192
}

// RandomContainers returns a set, cut into containers of random kinds.
func RandomContainers(r *rand.Rand, chunks int) (cs []Container, values []uint64) {
	key := uint64(r.IntN(3))
	for range chunks {
		if r.IntN(4) == 0 {
			// A packed container over many chunks.
			x := key << 16
			step := uint64(1) << r.IntN(24)
			c := Container{Key: key, Kind: container.Packed}
			x += r.Uint64N(65536)
			for range 1 + r.IntN(300) {
				c.Values = append(c.Values, x)
				x += 1 + r.Uint64N(step)
			}
			d := Relative(c.Values, key<<16)
			c.Low = BestLow(d) + uint(r.IntN(2))
			cs = append(cs, c)
			values = append(values, c.Values...)
			key = c.Values[len(c.Values)-1]>>16 + 1 + uint64(r.IntN(2))*r.Uint64N(1000)
			continue
		}
		c := Container{Key: key, Values: RandomChunk(r)}
		for i := range c.Values {
			c.Values[i] |= key << 16
		}
		for {
			c.Kind = kinds[r.IntN(len(kinds))]
			c.Low = BestLow(Relative(c.Values, key<<16))
			if c.Fits() {
				break
			}
		}
		cs = append(cs, c)
		values = append(values, c.Values...)
		key += 1 + uint64(r.IntN(2))*r.Uint64N(1<<r.IntN(30))
	}
	return cs, values
}

// Sample is one set in one of its encodings.
type Sample struct {
	Name   string
	Body   []byte
	Values []uint64
}

// Samples returns sets in all forms.
func Samples(r *rand.Rand, n int) (out []Sample) {
	out = append(out, Sample{"empty", nil, nil})
	for range n {
		cs, values := RandomContainers(r, 1+r.IntN(6))
		out = append(out, Sample{"compact", CompactBody(cs, r.IntN(3)), values})
		out = append(out, Sample{"loose", LooseBody(cs, r), values})

		count := 1 + r.IntN(1<<r.IntN(12))
		var few []uint64
		for range min(count, 2048) {
			few = append(few, r.Uint64()>>(64-max(r.IntN(64), 12)))
		}
		slices.Sort(few)
		few = slices.Compact(few)
		low := BestLow(few)
		out = append(out, Sample{"list", ListBody(few, low), few})
		if some := few[:min(len(few), 1+r.IntN(256))]; some[len(some)-1]>>56 == 0 {
			out = append(out, Sample{"fixed", FixedBody(some), some})
		}
		values = ThresholdSet(r)
		out = append(out, Sample{"thresholds", Recode(r, values), values}, Sample{"recoded", Recode(r, few), few})
		x := r.Uint64() >> r.IntN(64)
		out = append(out, Sample{"single", SingleBody(x, widthOf(x)+r.IntN(9-widthOf(x))), []uint64{x}})
	}
	return out
}

// payloadRoom returns the bytes that a payload of the given size owns: the smallest of 8, 16, 24,
// 32, 48, 64, 96, … that holds it.
func payloadRoom(size int) int {
	for room := 8; ; room += max(8, 1<<bits.Len(uint(room))/4) {
		if room >= size {
			return room
		}
	}
}
