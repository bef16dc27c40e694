// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/view"
)

// directoryRoom returns the number of entries that the directory has room for.
func directoryRoom(b *Bitmap) uint64 {
	return binary.LittleEndian.Uint64(b.body()[view.LooseRoomAt:])
}

// entryBytesAt returns the 16 bytes of entry i.
func entryBytesAt(b *Bitmap, i int) []byte {
	return b.body()[int(b.at)+i*view.EntryBytes:][:view.EntryBytes]
}

// enter writes both words of entry i.
func enter(b *Bitmap, i int, first, second uint64) {
	e := entryBytesAt(b, i)
	binary.LittleEndian.PutUint64(e, first)
	binary.LittleEndian.PutUint64(e[8:], second)
}

// record writes entry i.
func record(b *Bitmap, i int, key uint64, kind uint8, n int, off uint64, size int) {
	enter(b, i, key<<16|uint64(n-1), off<<16|uint64(kind)<<14|uint64(size-1))
}

// place returns where the payload of container i lies, and its size.
func payloadAt(b *Bitmap, i int) (off uint64, size int) {
	second := binary.LittleEndian.Uint64(entryBytesAt(b, i)[8:])
	return second >> 16, int(second&0x1FFF) + 1
}

// payload returns the payload of container i.
func payload(b *Bitmap, i int) []byte {
	off, size := payloadAt(b, i)
	return b.body()[off : off+uint64(size)]
}

// setCount writes the number of entries in use.
func setCount(b *Bitmap, n int) {
	b.count = n
	b.code = b.code&(1<<view.NumberShift-1) | uint64(n)<<view.NumberShift
	binary.LittleEndian.PutUint64(b.body()[view.LooseCountAt:], uint64(n))
}

// replace makes a payload, which lies outside the body, that of container i.
func replace(b *Bitmap, i int, key uint64, kind uint8, n int, payload []byte) {
	off, size := payloadAt(b, i)
	off = resize(b, off, size, len(payload))
	b.moved += uint64(copy(b.body()[off:], payload))
	record(b, i, key, kind, n, off, len(payload))
}

// insert puts a container, whose payload lies outside the body, before container i.
func insert(b *Bitmap, i int, key uint64, kind uint8, n int, payload []byte) {
	if uint64(b.count) == directoryRoom(b) {
		growDirectory(b, 0)
	}
	off := occupy(b, view.RoomFor(uint64(len(payload))))
	b.moved += uint64(copy(b.body()[off:], payload))
	directory := b.body()[b.at:]
	b.moved += uint64(copy(directory[(i+1)*view.EntryBytes:], directory[i*view.EntryBytes:b.count*view.EntryBytes]))
	setCount(b, b.count+1)
	record(b, i, key, kind, n, off, len(payload))
}

// discard takes container i away.
func discard(b *Bitmap, i int) {
	off, size := payloadAt(b, i)
	directory := b.body()[b.at:]
	b.moved += uint64(copy(directory[i*view.EntryBytes:], directory[(i+1)*view.EntryBytes:b.count*view.EntryBytes]))
	setCount(b, b.count-1)
	vacate(b, off, view.RoomFor(uint64(size)))
}

// growDirectory gives the directory room for a quarter more entries, and at least for those needed.
// It grows where it lies if little or nothing follows it, else it moves to the end of the body.
func growDirectory(b *Bitmap, need uint64) {
	old := directoryRoom(b)
	room := max(old+old/4+2, need+need/8)
	from, end := b.at, uint64(len(b.body()))
	switch {
	case from+old*view.EntryBytes == end:
		resizeBody(b, int(from+room*view.EntryBytes))
	case mayShift(b, from+old*view.EntryBytes):
		shift(b, from+old*view.EntryBytes, (room-old)*view.EntryBytes)
	default:
		resizeBody(b, int(end+room*view.EntryBytes))
		body := b.body()
		b.moved += uint64(copy(body[end:], body[from:from+old*view.EntryBytes]))
		binary.LittleEndian.PutUint64(body[view.LooseAt:], end)
		b.at = end
	}
	binary.LittleEndian.PutUint64(b.body()[view.LooseRoomAt:], room)
	if b.at != from {
		vacate(b, from, old*view.EntryBytes)
	}
}
