// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/bitmap/internal/kernel"
)

// composition is the result of an operation on two sets while it grows, and what the operation needs beside.
//
// Payloads are computed where they stay, behind room for a directory of as many containers as there can be. At the end the directory is written
// right before them, and the whole is copied once to bytes of its size.
type composition struct {
	buf    []byte // room for envelope and directory, then payloads
	head   int    // where payloads begin
	pieces []piece
	values uint64

	s     Scratch
	a, b  []Block     // the operands, if they are walked block by block
	lists [3][]uint64 // two operands that are short lists, and their result
}

// piece is a container of the result.
type piece struct {
	key  uint64
	end  int // of the payload, from the first payload's start
	n    int32
	kind uint8
}

var compositions = sync.Pool{New: func() any { return new(composition) }}

// maxKept is the number of bytes of a result up to which the memory for it is kept for the next operation.
const maxKept = 1 << 22

func borrowComposition() *composition { return compositions.Get().(*composition) }

// release gives the memory back, and lets go of the bytes of the operands.
func (c *composition) release() {
	if cap(c.buf) > maxKept {
		c.buf = nil
	}
	clear(c.a)
	clear(c.b)
	c.a, c.b = c.a[:0], c.b[:0]
	compositions.Put(c)
}

// begin makes room for the directory of a result of at most n containers.
func (c *composition) begin(n int) {
	const most = 2 + 8 + 2 + maxWidth // envelope, and header of a directory
	c.head = most + n*(maxWidth+2+maxWidth)
	c.buf = slices.Grow(c.buf[:0], c.head)[:c.head]
	c.pieces = slices.Grow(c.pieces[:0], n)
	c.values = 0
}

// room returns n bytes behind the payloads; what of them is kept, keep says.
func (c *composition) room(n int) []byte {
	at := len(c.buf)
	c.buf = slices.Grow(c.buf, n)
	return c.buf[at : at+n]
}

// keep makes the first size bytes behind the payloads the next payload, of n values; of none, there is none.
func (c *composition) keep(key uint64, kind uint8, n, size int) {
	if n <= 0 {
		return
	}
	c.buf = c.buf[:len(c.buf)+size]
	c.pieces = append(c.pieces, piece{key: key, end: len(c.buf) - c.head, n: int32(n), kind: kind})
	c.values += uint64(n)
}

// add appends a copy of a block.
func (c *composition) add(b Block) {
	if b.n == 0 {
		return
	}
	copy(c.room(len(b.data)), b.data)
	c.keep(b.key, b.kind, min(int(b.n), chunkValues), len(b.data))
}

// bitmap returns the result.
func (c *composition) bitmap() *Bitmap {
	count := len(c.pieces)
	switch {
	case count == 0:
		return new(Bitmap)
	case c.values <= maxPacked && c.values < soloBelow*uint64(count):
		return c.sparse()
	}
	payload := len(c.buf) - c.head
	kw, ow := int(byteWidth(c.pieces[count-1].key)), int(byteWidth(uint64(payload)<<2|3))
	directory := 2 + kw + count*(kw+2+ow)
	start := c.head - directory - 2 - 1<<envelopeWidth(directory+payload)
	appendEnvelope(c.buf[:start], directory+payload, 0)
	body := c.buf[c.head-directory : c.head]
	body[0], body[1] = tagDirectory, byte(kw-1|(ow-1)<<3)
	storeUint(body[2:], uint64(count-1), kw)
	keys := body[2+kw:]
	cards := keys[count*kw:]
	ends := cards[count*2:]
	for i := range c.pieces {
		p := &c.pieces[i]
		storeUint(keys[i*kw:], p.key, kw)
		binary.LittleEndian.PutUint16(cards[2*i:], uint16(p.n-1))
		storeUint(ends[i*ow:], uint64(p.end)<<2|uint64(p.kind), ow)
	}
	return bitmapOf(c.buf[start:])
}

// bitmapOf returns a Bitmap with a copy of the stand-alone bytes given, which this package has just written.
func bitmapOf(bytes []byte) *Bitmap {
	var m *Bitmap
	if len(bytes) <= briefBytes {
		b := new(brief)
		m = &b.Bitmap
		m.buf = append(b.room[:0], bytes...)
	} else {
		m = &Bitmap{buf: append([]byte(nil), bytes...)}
	}
	m.open()
	return m
}

// sparse returns a result with too few values for their containers: they become a list.
func (c *composition) sparse() *Bitmap {
	values, at := c.lists[2][:0], 0
	for _, p := range c.pieces {
		b := Block{key: p.key, data: c.buf[c.head+at : c.head+p.end], n: p.n, kind: p.kind}
		if values = b.AppendTo(values); len(values) > maxPacked {
			values = values[:maxPacked] // an operand that is not valid claimed fewer
			break
		}
		at = p.end
	}
	c.lists[2] = values
	return c.list(values)
}

// ofValues returns the set of values, which ascend.
func (c *composition) ofValues(values []uint64) *Bitmap {
	chunks, key := 0, uint64(maxKey+1)
	for _, x := range values {
		if x>>16 != key {
			key = x >> 16
			chunks++
		}
	}
	if len(values) < 2 || len(values) <= maxPacked && len(values) < soloBelow*chunks {
		return c.list(values)
	}
	c.begin(chunks)
	for i := 0; i < len(values); {
		from, end := i, values[i]|0xFFFF
		for i++; i < len(values) && i < from+maxArray && values[i] <= end; i++ {
		}
		room := c.room(2 * (i - from))
		for j, x := range values[from:i] {
			binary.LittleEndian.PutUint16(room[2*j:], uint16(x))
		}
		c.keep(end>>16, kindArray, i-from, len(room))
	}
	return c.bitmap()
}

// list returns the set of at most 2 048 values, ascending.
func (c *composition) list(values []uint64) *Bitmap {
	n := len(values)
	if n == 0 {
		return new(Bitmap)
	}
	last := values[n-1]
	if n == 1 {
		width := int(byteWidth(last))
		out := append(c.buf[:0], magic, version, byte(1+width), tagSingle)
		out = binary.LittleEndian.AppendUint64(out, last)
		c.buf = out
		return bitmapOf(out[:4+width])
	}
	s := soloShape(n, last)
	c.buf = appendEnvelope(c.buf[:0], s.size, 0)
	at := len(c.buf)
	c.buf = slices.Grow(c.buf, s.size)[:at+s.size]
	body := c.buf[at:]
	w := kernel.NewPackedWriter(body[putSoloHead(body, n, s.low):], n, s.low)
	for _, x := range values {
		w.Put(x)
	}
	w.Close()
	return bitmapOf(c.buf)
}
