// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// encodeBuf is the memory in which a container is made before it is put into the body.
type encodeBuf struct {
	values  []uint64
	payload [container.MaxPayload]byte
}

var encodeBufs = sync.Pool{New: func() any { return new(encodeBuf) }}

// encoded is a container about to be put into the body. Its payload lies in an encodeBuf.
type encoded struct {
	key     uint64
	payload []byte
	n       int
	kind    uint8
}

// encode makes a container of ascending values: packed, unless they are many and lie in one chunk,
// where they become a run if they are one. Values in several chunks must fit a payload: 900 always
// do, having 66 bits at most.
func (w *encodeBuf) encode(values []uint64) encoded {
	n := len(values)
	first, last := values[0], values[n-1]
	m := encoded{key: first >> 16, n: n}
	if first>>16 == last>>16 && n > packedToArray {
		if last-first == uint64(n-1) {
			m.kind, m.payload = container.Run, w.payload[:4]
			setRun(m.payload, 0, int(uint16(first)), int(uint16(last))+1)
			return m
		}
		if m.kind = container.Array; n > container.MaxArray {
			m.kind, m.payload = container.Bitset, w.payload[:]
			clear(m.payload)
			for _, x := range values {
				m.payload[x&0xFFFF>>3] |= 1 << (x & 7)
			}
			return m
		}
		m.payload = w.payload[:2*n]
		for i, x := range values {
			binary.LittleEndian.PutUint16(m.payload[2*i:], uint16(x))
		}
		return m
	}
	base := m.key << 16
	size, low := looseSize(n, last-base)
	m.kind, m.payload = container.Packed, w.payload[:1+size]
	m.payload[0] = byte(low)
	var p eliasfano.Writer
	p.Reset(m.payload[1:], n, low)
	for _, x := range values {
		p.Put(x - base)
	}
	p.Close()
	return m
}

// decode appends the values of a packed container to those of w.
func (w *encodeBuf) decode(e *view.Entry) {
	at := len(w.values)
	w.values = slices.Grow(w.values, e.N)[:at+e.N]
	var it eliasfano.Iter
	e.Iter(&it)
	it.Values(w.values[at:], e.Key<<16)
}

// decodeOne is decode for a change of one value, which decodes one or two containers at most: see
// [eliasfano.Iter.EachValue].
func (w *encodeBuf) decodeOne(e *view.Entry) {
	at := len(w.values)
	w.values = slices.Grow(w.values, e.N)[:at+e.N]
	var it eliasfano.Iter
	e.Iter(&it)
	it.EachValue(w.values[at:], e.Key<<16)
}

// borrowEncodeBuf returns a work without values, to be put back.
func borrowEncodeBuf() *encodeBuf {
	w := encodeBufs.Get().(*encodeBuf)
	w.values = w.values[:0]
	return w
}

func replaceBy(b *Bitmap, i int, m encoded) { replace(b, i, m.key, m.kind, m.n, m.payload) }
func insertNew(b *Bitmap, i int, m encoded) { insert(b, i, m.key, m.kind, m.n, m.payload) }

// addPacked adds x, which lies behind the first value of the packed container i, whose entry is e.
func addPacked(b *Bitmap, i int, e *[view.EntryBytes]byte, x uint64) bool {
	first, second := binary.LittleEndian.Uint64(e[:]), binary.LittleEndian.Uint64(e[8:])
	n, off, size := int(first&0xFFFF)+1, second>>16, int(second&0x1FFF)+1
	d := x - first>>16<<16
	if n < maxLoosePacked {
		capacity := int(view.RoomFor(uint64(size)))
		switch newSize := eliasfano.AddShort(b.buf[looseHeader+off:cap(b.buf)], size, capacity, n, d); newSize {
		case 0:
		case size:
			return false
		default:
			b.moved += uint64(newSize)
			binary.LittleEndian.PutUint64(e[:], first+1)
			binary.LittleEndian.PutUint64(e[8:], second+uint64(newSize-size))
			return true
		}
	}
	room := b.body()[off:][:view.RoomFor(uint64(size))]
	at, found := eliasfano.Locate(room, size, n, d)
	if found {
		return false
	}
	low := room[0]
	high := d >> low
	if at < n {
		high = eliasfano.High(room, size, n)
	}
	newSize := 1 + eliasfano.Bytes(n+1, high<<low, uint(low))
	switch {
	case at == n && newSize-size > view.EntryBytes+int(view.RoomFor(1)), // a container of its own may take less
		n >= looseMost(high<<low),
		!fitsWell(n+1, high, low) && n%fitEvery == 0 && !packedFits(n+1, high<<low, low),
		newSize > container.MaxPayload:
		return addAnew(b, i, x)
	}
	if newSize > len(room) {
		putInLarger(b, i, size, newSize, at, d)
		return true
	}
	eliasfano.Put(room, size, newSize, n, at, d)
	b.moved += uint64(newSize)
	binary.LittleEndian.PutUint64(e[:], first+1)
	binary.LittleEndian.PutUint64(e[8:], second+uint64(newSize-size))
	return true
}

// putInLarger makes d the value at of the packed container i. Its size bytes become newSize.
func putInLarger(b *Bitmap, i, size, newSize, at int, d uint64) {
	off, _ := payloadAt(b, i)
	off = resize(b, off, size, newSize)
	e := entryBytesAt(b, i)
	first := binary.LittleEndian.Uint64(e)
	eliasfano.Put(b.body()[off:][:view.RoomFor(uint64(newSize))], size, newSize, int(first&0xFFFF)+1, at, d)
	b.moved += uint64(newSize)
	binary.LittleEndian.PutUint64(e, first+1)
	binary.LittleEndian.PutUint64(e[8:], off<<16|container.Packed<<14|uint64(newSize-1))
	compact(b)
}

// looseMost is the most values that a growing packed container may have. Its last value has the
// given distance from its base. The limit is packedToArray in one chunk, else less than denseChunk
// a chunk, up to maxLoosePacked. Beyond it, one chunk has more than packedToArray values: it
// becomes an array early, and adding to it then moves nothing of the others.
func looseMost(last uint64) int {
	chunks := int(min(last/container.ChunkValues, maxLoosePacked)) + 1
	return max(min(chunks*denseChunk-4, maxLoosePacked), packedToArray)
}

// fitEvery is the number of values after which a growing packed container checks its low width.
const fitEvery = 8

// addAnew adds x by writing containers anew. x is not there, and lies behind the first value of the
// packed container i.
func addAnew(b *Bitmap, i int, x uint64) bool {
	var e view.Entry
	b.readEntry(i, &e)
	last := e.Last()
	switch {
	case e.Key+last>>16 < x>>16: // the chunks behind that of its last value belong to nobody
		return addChunk(b, i, x)
	case last >= container.ChunkValues && e.N >= looseMost(last):
		split(b, i, &e)
		return b.Add(x)
	}
	insertPacked(b, i, &e, x)
	compact(b)
	return true
}

// insertPacked writes the packed container i anew with x, which is not there. It remains one
// container.
func insertPacked(b *Bitmap, i int, e *view.Entry, x uint64) {
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	w.decodeOne(e)
	at, _ := slices.BinarySearch(w.values, x)
	w.values = slices.Insert(w.values, at, x)
	replaceBy(b, i, w.encode(w.values))
}

// looseSize returns size and low width of a packed block that will change where it lies: a multiple
// of 8, as it is moved by bytes then, unless that takes a quarter more than the best, or more than
// a payload has: the best one of a container that has been packed may fill it.
func looseSize(n int, last uint64) (size int, low uint) {
	size, low = eliasfano.Size(n, last, view.MaxLowWidth)
	less, more := low&^7, min(low&^7+8, view.MaxLowWidth&^7)
	lessSize, moreSize := eliasfano.Bytes(n, last, less), eliasfano.Bytes(n, last, more)
	if lessSize < moreSize {
		more, moreSize = less, lessSize
	}
	if moreSize <= size+size/4 && moreSize < container.MaxPayload {
		return moreSize, more
	}
	return size, low
}

// packedFits reports whether a block in a low width is at most a sixteenth larger than that of
// looseSize.
func packedFits(n int, last uint64, low uint8) bool {
	best, _ := looseSize(n, last)
	return eliasfano.Bytes(n, last, uint(low)) <= best+best/16
}

// fitsWell reports whether packedFits need not be asked.
func fitsWell(n int, high uint64, low uint8) bool { return low == 16 && eliasfano.FitsShort(n, high) }

// split makes two containers of a packed one, at the boundary of chunks next to its middle. It
// makes more if some chunks have enough values for containers of their own. The container has
// several chunks.
func split(b *Bitmap, i int, e *view.Entry) {
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	if e.N >= maxLoosePacked && splitShort(b, i, e, w) { // with fewer, a chunk is dense: see looseMost
		return
	}
	w.decodeOne(e)
	for at := packedToArray; at < len(w.values); at++ {
		if w.values[at-packedToArray]>>16 == w.values[at]>>16 {
			r := startRewrite(b, i, i+1)
			r.drop(i)
			r.values(w.values)
			r.close()
			return
		}
	}
	cut := middle(w.values)
	replaceBy(b, i, w.encode(w.values[:cut]))
	insertNew(b, i+1, w.encode(w.values[cut:]))
}

// splitShort is split without decoding. It reports whether it did: the low width must be 16 and
// remain so, and no chunk may have values for a container of its own.
func splitShort(b *Bitmap, i int, e *view.Entry, w *encodeBuf) bool {
	if e.Low != 16 {
		return false
	}
	off, size := payloadAt(b, i)
	room := b.body()[off:][:view.RoomFor(uint64(size))]
	c, ok := eliasfano.FindCut(room, size, e.N, packedToArray)
	if !ok {
		return false
	}
	left, leftLow := looseSize(c.N, c.Last<<16)
	right, rightLow := looseSize(e.N-c.N, (eliasfano.High(room, size, e.N)-c.Next)<<16)
	first, second := w.payload[:1+left], w.payload[container.MaxPayload/2:][:1+right]
	if leftLow != 16 || rightLow != 16 || len(first) > container.MaxPayload/2 {
		return false
	}
	eliasfano.Split(first, second, room, size, e.N, c)
	n, key := e.N-c.N, e.Key
	replace(b, i, key, container.Packed, c.N, first)
	insert(b, i+1, key+c.Next, container.Packed, n, second)
	return true
}

// middle returns the place in values, which lie in several chunks, where a chunk begins next to
// their middle.
func middle(values []uint64) int {
	lo := len(values) / 2
	for lo > 0 && values[lo-1]>>16 == values[lo]>>16 {
		lo--
	}
	hi := len(values) / 2
	for hi < len(values) && values[hi-1]>>16 == values[hi]>>16 {
		hi++
	}
	if lo == 0 || hi < len(values) && hi+lo < len(values) {
		return hi
	}
	return lo
}

// addChunk adds x, whose chunk no container has: to the packed container before it or to that
// behind it, if that takes fewer bytes than a container of its own.
func addChunk(b *Bitmap, i int, x uint64) bool {
	defer compact(b)
	cost := view.EntryBytes + int(view.RoomFor(1))
	var before, behind view.Entry
	join := -1
	if i >= 0 {
		if b.readEntry(i, &before); before.Kind == container.Packed && before.N < maxLoosePacked {
			size, _ := eliasfano.Size(before.N+1, x-before.Key<<16, view.MaxLowWidth)
			if size -= len(before.Data); size <= cost {
				cost, join = size, i
			}
		}
	}
	if i+1 < b.count {
		if b.readEntry(i+1, &behind); behind.Kind == container.Packed && behind.N < maxLoosePacked {
			size, _ := eliasfano.Size(behind.N+1, behind.Last()+(behind.Key-x>>16)<<16, view.MaxLowWidth)
			if size -= len(behind.Data); size < cost {
				join = i + 1
			}
		}
	}
	switch {
	case join < 0:
		insertOne(b, i+1, x)
	case join == i:
		insertPacked(b, i, &before, x)
	default:
		w := borrowEncodeBuf()
		defer encodeBufs.Put(w)
		w.values = append(w.values, x)
		w.decodeOne(&behind)
		replaceBy(b, join, w.encode(w.values))
	}
	return true
}

func removePacked(b *Bitmap, i int, e *view.Entry, x uint64) bool {
	p := e.Packed()
	d := x - e.Key<<16
	rank, found := p.Find(d)
	switch {
	case !found:
		return false
	case e.N == 1:
		discard(b, i)
		return true
	}
	first, last := uint64(0), uint64(0)
	if rank == 0 {
		first, _ = p.At(1)
	}
	if rank == e.N-1 {
		last, _ = p.At(rank - 1)
	} else {
		last, _ = p.Last()
	}
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	if first >= container.ChunkValues || !packedFits(e.N-1, last, e.Low) && e.N <= maxLoosePacked {
		w.decodeOne(e)
		w.values = slices.Delete(w.values, rank, rank+1)
		replaceBy(b, i, w.encode(w.values))
	} else {
		payload := w.payload[:1+eliasfano.Bytes(e.N-1, last, uint(e.Low))]
		payload[0] = e.Low
		eliasfano.Remove(payload[1:], p, rank, d)
		replace(b, i, e.Key, container.Packed, e.N-1, payload)
	}
	if e.N-1 < joinPackedBelow && !joinNext(b, i-1) {
		joinNext(b, i)
	}
	return true
}

// joinNext joins container i and the next if both are packed and small, and that saves bytes.
func joinNext(b *Bitmap, i int) bool {
	if i < 0 || i+1 >= b.count {
		return false
	}
	var e, next view.Entry
	b.readEntry(i, &e)
	b.readEntry(i+1, &next)
	if e.Kind != container.Packed || next.Kind != container.Packed || e.N+next.N > maxLoosePacked/2 {
		return false
	}
	size, _ := eliasfano.Size(e.N+next.N, next.Last()+(next.Key-e.Key)<<16, view.MaxLowWidth)
	if size > len(e.Data)+len(next.Data)+view.EntryBytes {
		return false
	}
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	w.decodeOne(&e)
	w.decodeOne(&next)
	replaceBy(b, i, w.encode(w.values))
	discard(b, i+1)
	return true
}

// repack makes a packed container of one that has become small, and joins it to a neighbour.
func repack(b *Bitmap, i int) {
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	w.values = b.blockAt(i).AppendTo(w.values)
	replaceBy(b, i, w.encode(w.values))
	if !joinNext(b, i-1) {
		joinNext(b, i)
	}
}

// rewrite makes an array or a bitset of a bitset or runs, whichever is smaller.
func rewrite(b *Bitmap, i int) {
	block := b.blockAt(i)
	words := new(bitset.Words)
	container.Fill(words, block)
	if 2*block.Len() > container.MaxPayload {
		replace(b, i, block.Key, container.Bitset, block.Len(), words[:])
		return
	}
	if block.Len() <= arrayToPacked {
		repack(b, i)
		return
	}
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	n := bitset.ToArray(w.payload[:], words)
	replace(b, i, block.Key, container.Array, n, w.payload[:2*n])
}

// toRuns makes runs of e, which is the array or bitset i. The caller has found runs to be far
// smaller.
func toRuns(b *Bitmap, i int, e *view.Entry, runs int) {
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	payload := w.payload[:4*runs]
	if e.Kind == container.Array {
		run.FromArray(payload, e.Data)
	} else {
		run.FromBitset(payload, (*bitset.Words)(e.Data))
	}
	replace(b, i, e.Key, container.Run, e.N, payload)
}
