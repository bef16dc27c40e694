// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// result is the result of an operation on two sets while it grows, and what the operation needs
// besides.
//
// Payloads that only one operand has stay where they are until the result is laid out. Computed
// payloads wait in a buffer. Then all are joined, once, behind a directory.
type result struct {
	// envelope and directory, then payloads, joined where they lie side by side; nil: the next
	// deferred one
	parts  [][]byte
	pieces []piece
	lazy   []lazyBitset // in order
	size   int          // of the payloads
	values uint64       // at least, of what is deferred
	buf    []byte       // computed payloads, or a list
	head   []byte       // envelope and directory

	s     container.Scratch
	a, b  []container.Block // the operands, if they are walked block by block
	lists [3][]uint64       // two operands that are short lists, and their result
	lows  []byte            // of a short list that is cut into blocks

	offsets []uint32 // what two packed blocks have in common
}

// piece is a container of the result.
type piece struct {
	key  uint64
	n    int32
	size int32
	kind uint8
}

var results = sync.Pool{New: func() any { return new(result) }}

// maxKept is the most bytes of computed payloads whose memory is kept for the next operation.
// maxKeptPieces is the most containers whose directory is kept.
const (
	maxKept       = 1 << 22
	maxKeptPieces = 1 << 16
)

// BorrowResult returns an empty result, to be released.
func BorrowResult() *result { return results.Get().(*result) }

// Release gives the memory back, and lets go of the bytes of the operands.
func (c *result) Release() {
	if cap(c.buf) > maxKept {
		c.buf = nil
	}
	if cap(c.parts) > maxKeptPieces {
		c.parts, c.pieces, c.head = nil, nil, nil
	}
	clear(c.parts)
	clear(c.lazy)
	clear(c.a)
	clear(c.b)
	c.parts, c.a, c.b = c.parts[:0], c.a[:0], c.b[:0]
	results.Put(c)
}

// Begin begins a result without containers.
func (c *result) Begin() {
	c.parts = append(c.parts[:0], nil) // in place of what precedes the payloads
	c.pieces, c.lazy, c.buf = c.pieces[:0], c.lazy[:0], c.buf[:0]
	c.size, c.values = 0, 0
}

// free returns the next n bytes of the buffer. They stay free until appendPayload takes some.
func (c *result) free(n int) []byte {
	at := len(c.buf)
	if cap(c.buf)-at < n {
		c.buf, at = make([]byte, 0, max(2*cap(c.buf), n, 1<<12)), 0 // the payloads so far stay in the buffer that was
	}
	return c.buf[at : at+n]
}

// appendPayload makes the first size bytes that are free the next payload, of n values. Without
// values there is none.
func (c *result) appendPayload(key uint64, kind uint8, n, size int) {
	if n <= 0 {
		return
	}
	at := len(c.buf)
	c.buf = c.buf[:at+size]
	c.Put(container.Block{Key: key, Kind: kind, N: int32(n), Data: c.buf[at : at+size]})
}

// Put appends a block, whose bytes must stay as they are until the result is laid out.
func (c *result) Put(b container.Block) {
	if b.N <= 0 {
		return
	}
	if !extend(&c.parts[len(c.parts)-1], b.Data) {
		c.parts = append(c.parts, b.Data)
	}
	c.pieces = append(c.pieces, piece{key: b.Key, kind: b.Kind, n: b.N, size: int32(len(b.Data))})
	c.size += len(b.Data)
	c.values += uint64(b.N)
}

// extend makes part longer by next, if that lies behind it in memory.
func extend(part *[]byte, next []byte) bool {
	n := len(*part)
	if n == 0 || cap(*part)-n < len(next) || len(next) == 0 || &(*part)[:n+1][n] != &next[0] {
		return false
	}
	*part = (*part)[:n+len(next)]
	return true
}

// copy appends a copy of a block.
func (c *result) copy(b container.Block) {
	c.appendPayload(b.Key, b.Kind, min(b.Len(), container.ChunkValues), copy(c.free(len(b.Data)), b.Data))
}

// Bitmap returns the result.
func (c *result) Bitmap() *mutable.Bitmap {
	count := len(c.pieces)
	switch {
	case count == 0:
		return new(mutable.Bitmap)
	case c.values <= view.MaxList && c.values < pack.ListBelow*uint64(count):
		return c.sparse()
	}
	kw, ow := int(view.ByteWidth(c.pieces[count-1].key)), int(view.ByteWidth(uint64(c.size)<<2|3))
	directory := 2 + kw + count*(kw+2+ow)
	c.head = pack.AppendEnvelope(c.head[:0], directory+c.size, 0)
	at := len(c.head)
	c.head = slices.Grow(c.head, directory+8)[:at+directory+8] // numbers are written as eight bytes
	body := c.head[at:]
	body[0], body[1] = view.TagDirectory, byte(kw-1|(ow-1)<<3)
	binary.LittleEndian.PutUint64(body[2:], uint64(count-1))
	keys := body[2+kw:]
	cards := keys[count*kw:]
	ends := cards[count*2:]
	end := uint64(0)
	for i := range c.pieces {
		binary.LittleEndian.PutUint64(keys[i*kw:], c.pieces[i].key)
	}
	for i := range c.pieces {
		binary.LittleEndian.PutUint16(cards[2*i:], uint16(c.pieces[i].n-1))
	}
	for i := range c.pieces {
		p := &c.pieces[i]
		end += uint64(p.size)
		binary.LittleEndian.PutUint64(ends[i*ow:], end<<2|uint64(p.kind))
	}
	c.parts[0] = c.head[:at+directory]
	size := at + directory + c.size
	if size > mutable.BriefBytes {
		buf := pack.Fresh(size)
		c.fill(buf, at+2+kw+count*kw)
		return mutable.Owning(buf)
	}
	return mutable.Joined(size, c.parts)
}

// fill writes the result; cards is where the cardinalities of its directory stand.
func (c *result) fill(dst []byte, cards int) {
	at, late := 0, c.lazy
	for _, part := range c.parts {
		if part != nil {
			at += copy(dst[at:], part)
			continue
		}
		n := late[0].write((*bitset.Words)(dst[at:]))
		at += container.MaxPayload
		binary.LittleEndian.PutUint16(dst[cards+2*late[0].at:], uint16(max(n, 1)-1))
		late = late[1:]
	}
	clear(dst[at:]) // nothing is left; should a part ever be shorter than it says, no foreign memory is shown
}

// sparse returns a result with too few values for their containers: they become a list.
func (c *result) sparse() *mutable.Bitmap { return c.list(c.collect(), pack.AsTheyAre) }

// collect returns the values of the result, at most as many as a list may have.
func (c *result) collect() []uint64 {
	c.fillLazy()
	values, parts := c.lists[2][:0], c.parts[1:]
	for _, p := range c.pieces {
		b := container.Block{Key: p.key, Data: parts[0][:p.size], N: p.n, Kind: p.kind}
		if parts[0] = parts[0][p.size:]; len(parts[0]) == 0 {
			parts = parts[1:]
		}
		if values = b.AppendTo(values); len(values) > view.MaxList {
			values = values[:view.MaxList] // an operand that is not valid claimed fewer
			break
		}
	}
	c.lists[2] = values
	return values
}

// ofValues returns the set of values, which ascend.
func (c *result) ofValues(values []uint64) *mutable.Bitmap {
	chunks, key := 0, uint64(container.MaxKey+1)
	for _, x := range values {
		if x>>16 != key {
			key = x >> 16
			chunks++
		}
	}
	if len(values) < 2 || len(values) <= view.MaxList && len(values) < pack.ListBelow*chunks {
		return c.list(values, pack.AsTheyAre)
	}
	c.Begin()
	for len(values) > 0 {
		last, n := values[0]|0xFFFF, 1
		for n < len(values) && values[n] <= last {
			n++
		}
		if n > container.MaxArray {
			c.appendBits(last>>16, values[:n])
		} else {
			lows := c.free(2 * n)
			for i, x := range values[:n] {
				binary.LittleEndian.PutUint16(lows[2*i:2*i+2], uint16(x))
			}
			c.appendPayload(last>>16, container.Array, n, 2*n)
		}
		values = values[n:]
	}
	return c.Bitmap()
}

// appendBits appends the values of a chunk that are too many for an array.
func (c *result) appendBits(key uint64, values []uint64) {
	words := (*bitset.Words)(c.free(container.MaxPayload))
	clear(words[:])
	for _, x := range values {
		words[x>>3&(container.MaxPayload-1)] |= 1 << (x & 7)
	}
	c.appendPayload(key, container.Bitset, bitset.Len(words), container.MaxPayload)
}

// list returns the set of at most 10 000 values, ascending. Only Fastest has fixed lists: a result,
// which is often read once, takes longer to find memory for than they save.
func (c *result) list(values []uint64, layout pack.Layout) *mutable.Bitmap {
	n := len(values)
	if n == 0 {
		return new(mutable.Bitmap)
	}
	last := max(values[n-1], uint64(n-1)) // which it is anyway, but of operands that are not valid
	if n == 1 {
		width := int(view.ByteWidth(last))
		out := append(c.buf[:0], view.Magic, view.Version, byte(1+width), view.TagSingle)
		out = binary.LittleEndian.AppendUint64(out, last)
		c.buf = out
		return mutable.CopyOf(out[:4+width])
	}
	s := pack.ListShape(n, last)
	if fixed, ok := pack.FixedShape(n, last); ok && layout == pack.Fastest {
		s = fixed
	}
	c.buf = pack.AppendEnvelope(c.buf[:0], s.Size, 0)
	at := len(c.buf)
	c.buf = slices.Grow(c.buf, s.Size)[:at+s.Size]
	body := c.buf[at:]
	if s.Fixed {
		view.PutFixed(body, values, s.Low)
		return mutable.CopyOf(c.buf)
	}
	view.PutListHeader(body, n, s.Low)
	var w eliasfano.Writer
	w.Reset(body[view.HeaderList:], n, s.Low)
	for _, x := range values {
		w.Put(x)
	}
	w.Close()
	return mutable.CopyOf(c.buf)
}
