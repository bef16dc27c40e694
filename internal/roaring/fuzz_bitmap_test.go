// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// maxSteps bounds the commands of one input: many short histories find more than a few long ones.
const maxSteps = 300

// script reads commands from bytes.
type script struct{ data []byte }

func (s *script) byte() byte {
	if len(s.data) == 0 {
		return 0
	}
	c := s.data[0]
	s.data = s.data[1:]
	return c
}

// value reads a value from three bytes: one for the region, two for the place in it.
func (s *script) value() uint64 {
	region, low := s.byte(), uint64(binary.LittleEndian.Uint16([]byte{s.byte(), s.byte()}))
	switch region % 8 {
	case 0, 1:
		return uint64(region/8%4)<<16 | low // few chunks
	case 2:
		return low >> 8 << 16 & 0xFF0000 // the first value of many chunks
	case 3:
		return low << 24
	case 4:
		return low * low * low * low // spread out
	case 5:
		return ^low // the end
	case 6:
		return []uint64{0, 65535, 65536, 1<<48 - 1, 1 << 48, 1 << 63}[low%6]
	default:
		return 1<<40 + uint64(region/8)<<13 + low&0x1FFF
	}
}

// values reads a few values, and repeats them a step apart.
func (s *script) values() (values []uint64) {
	for range 1 + s.byte()%20 {
		values = append(values, s.value())
	}
	step := s.value() % (1 << 22)
	for range s.byte() {
		values = append(values, values[len(values)-1]+step)
	}
	return values
}

// FuzzBitmap runs commands on a Bitmap and on a map. After each, the bytes must be valid and hold
// the values of the map.
func FuzzBitmap(f *testing.F) {
	f.Add([]byte("add some values, and then remove some of them again"))
	f.Add([]byte{7, 0, 0, 0, 200, 8, 9, 0, 0, 5, 0, 0, 1, 2, 3, 4, 2, 1, 1, 1})
	f.Add([]byte{6, 0, 0, 0, 255, 8, 6, 8, 0, 0, 255, 1, 0, 0, 9, 10, 11, 12})
	f.Add([]byte{6, 3, 0, 0, 255, 6, 4, 0, 1, 99, 0, 3, 7, 7, 8, 10, 3, 5, 5, 9, 3, 3, 3, 0, 13})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data: data}
		h, other := newHistory(t), newHistory(t)
		for h.steps < maxSteps && len(s.data) > 0 {
			h.command(s, other)
			h.check()
		}
	})
}

// command runs one command.
func (h *history) command(s *script, other *history) {
	op := s.byte()
	if op >= 252 { // above the multiples of 21: recorded inputs mean what they meant
		h.recode(rand.New(rand.NewPCG(uint64(op), uint64(s.byte()))))
		h.steps++
		return
	}
	switch op %= 21; op {
	case 0, 1, 2:
		h.add(s.value())
	case 3, 4:
		h.remove(s.value())
	case 5: // a value that is there
		if x, ok := h.b.Select(uint64(s.byte()) % max(h.b.Len(), 1)); ok {
			h.remove(x)
		}
	case 6: // many values, a step apart
		x, n, step := s.value(), int(s.byte()), s.value()
		for range n {
			h.add(x)
			x += step%(1<<22) + 1
		}
	case 7: // many values removed, a step apart
		x, n, step := s.value(), int(s.byte()), s.value()
		for range n {
			h.remove(x)
			x += step%(1<<22) + 1
		}
	case 8:
		h.b.Pack(pack.Smallest)
	case 9:
		h.b.Pack(pack.Fastest)
	case 10:
		h.b = h.b.Clone()
	case 11: // values into the other set
		other.add(s.value())
	case 12, 13:
		h.apply(int(s.byte()%4), other.b.View(), other.m)
	case 14:
		*h, *other = *other, *h
	case 15:
		h.apply(int(s.byte()%4), h.b.View(), h.m)
	case 16, 17: // many values at once, in some order
		values := s.values()
		h.many(values, op == 16)
	case 18, 19, 20: // a range
		first := s.value()
		last := first + uint64(s.byte())*uint64(s.byte()%16)
		h.rangeOp(int(op-18), first, max(first, last))
	}
	h.steps++
}

// FuzzRanges runs commands that may change whole chunks on a Bitmap and on a dense model.
func FuzzRanges(f *testing.F) {
	f.Add(uint8(0), []byte("ranges of chunks, set and cleared and flipped and packed"))
	f.Add(uint8(1), []byte{3, 0, 0, 7, 255, 255, 4, 2, 0, 3, 9, 9, 5, 0, 9, 7, 0, 0, 0, 1, 1, 1, 1, 1})
	f.Add(uint8(2), []byte{3, 0, 0, 0, 7, 255, 255, 5, 1, 0, 0, 6, 255, 255})
	f.Fuzz(func(t *testing.T, base uint8, data []byte) {
		s := &script{data: data}
		h := newDense(t, denseBases[int(base)%len(denseBases)])
		for h.steps < 40 && len(s.data) > 0 {
			h.command(s)
			h.check()
		}
	})
}
