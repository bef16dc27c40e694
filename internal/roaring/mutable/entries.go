// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/view"
)

// directoryRoom returns the number of entries that the directory has room for.
func (b *Bitmap) directoryRoom() uint64 {
	return binary.LittleEndian.Uint64(b.body()[view.LooseRoomAt:])
}

// entryBytesAt returns the 16 bytes of entry i.
func (b *Bitmap) entryBytesAt(i int) []byte {
	return b.body()[int(b.at)+i*view.EntryBytes:][:view.EntryBytes]
}

// enter writes both words of entry i.
func (b *Bitmap) enter(i int, first, second uint64) {
	e := b.entryBytesAt(i)
	binary.LittleEndian.PutUint64(e, first)
	binary.LittleEndian.PutUint64(e[8:], second)
}

// record writes entry i.
func (b *Bitmap) record(i int, key uint64, kind uint8, n int, off uint64, size int) {
	b.enter(i, key<<16|uint64(n-1), off<<16|uint64(kind)<<14|uint64(size-1))
}

// place returns where the payload of container i lies, and its size.
func (b *Bitmap) place(i int) (off uint64, size int) {
	second := binary.LittleEndian.Uint64(b.entryBytesAt(i)[8:])
	return second >> 16, int(second&0x1FFF) + 1
}

// payload returns the payload of container i.
func (b *Bitmap) payload(i int) []byte {
	off, size := b.place(i)
	return b.body()[off : off+uint64(size)]
}

// setCount writes the number of entries in use.
func (b *Bitmap) setCount(n int) {
	b.count = n
	b.code = b.code&(1<<view.NumberShift-1) | uint64(n)<<view.NumberShift
	binary.LittleEndian.PutUint64(b.body()[view.LooseCountAt:], uint64(n))
}

// replace makes a payload, which lies outside the body, that of container i.
func (b *Bitmap) replace(i int, key uint64, kind uint8, n int, payload []byte) {
	off, size := b.place(i)
	off = b.resize(off, size, len(payload))
	b.moved += uint64(copy(b.body()[off:], payload))
	b.record(i, key, kind, n, off, len(payload))
}

// insert puts a container, whose payload lies outside the body, before container i.
func (b *Bitmap) insert(i int, key uint64, kind uint8, n int, payload []byte) {
	if uint64(b.count) == b.directoryRoom() {
		b.growDirectory(0)
	}
	off := b.occupy(view.RoomFor(uint64(len(payload))))
	b.moved += uint64(copy(b.body()[off:], payload))
	directory := b.body()[b.at:]
	b.moved += uint64(copy(directory[(i+1)*view.EntryBytes:], directory[i*view.EntryBytes:b.count*view.EntryBytes]))
	b.setCount(b.count + 1)
	b.record(i, key, kind, n, off, len(payload))
}

// discard takes container i away.
func (b *Bitmap) discard(i int) {
	off, size := b.place(i)
	directory := b.body()[b.at:]
	b.moved += uint64(copy(directory[i*view.EntryBytes:], directory[(i+1)*view.EntryBytes:b.count*view.EntryBytes]))
	b.setCount(b.count - 1)
	b.vacate(off, view.RoomFor(uint64(size)))
}

// growDirectory gives the directory room for a quarter as many entries more, and for those that are
// needed, where it lies if that is the end of the body, else at the end.
func (b *Bitmap) growDirectory(need uint64) {
	old := b.directoryRoom()
	room := max(old+old/4+2, need+need/8)
	from, end := b.at, uint64(len(b.body()))
	switch {
	case from+old*view.EntryBytes == end:
		b.resizeBody(int(from + room*view.EntryBytes))
	case b.mayShift(from + old*view.EntryBytes):
		b.shift(from+old*view.EntryBytes, (room-old)*view.EntryBytes)
	default:
		b.resizeBody(int(end + room*view.EntryBytes))
		body := b.body()
		b.moved += uint64(copy(body[end:], body[from:from+old*view.EntryBytes]))
		binary.LittleEndian.PutUint64(body[view.LooseAt:], end)
		b.at = end
	}
	binary.LittleEndian.PutUint64(b.body()[view.LooseRoomAt:], room)
	if b.at != from {
		b.vacate(from, old*view.EntryBytes)
	}
}
