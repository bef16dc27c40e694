// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// changes is what a Bitmap knows beside its bytes since it is changed.
type changes struct {
	at    uint64 // while it is writable: offset of its directory
	count int    // and the number of its containers
	moved uint64
	list  freeList
	found int // container that find found last
}

// firstBytes is the size of the loose body, envelope included, up to which a set that begins to
// change has it beside its changes.
const firstBytes = 88

// firstChanges is changes together with memory for the loose body of a few values.
type firstChanges struct {
	changes
	room [firstBytes]byte
}

// beginChanges makes b ready to note changes. It returns the memory given or, if that is none, some
// for as many bytes, unless these are many.
func (b *Bitmap) beginChanges(buf []byte, size int) []byte {
	if buf == nil && size <= firstBytes {
		first := new(firstChanges)
		b.changes = &first.changes
		return first.room[:0]
	}
	b.changes = new(changes)
	return buf
}

// noteMoved counts bytes that a change has moved.
func (b *Bitmap) noteMoved(n uint64) {
	if b.changes == nil {
		b.changes = new(changes)
	}
	b.moved += n
}

// What a View says, of the containers as they are now.

func (b *Bitmap) form() uint8 {
	v := b.View()
	return v.form()
}

func (b *Bitmap) keyAt(i int) uint64 {
	v := b.View()
	return v.keyAt(i)
}

func (b *Bitmap) kindAt(i int) uint8 {
	v := b.View()
	return v.kindAt(i)
}

func (b *Bitmap) cardAt(i int) int {
	v := b.View()
	return v.cardAt(i)
}

func (b *Bitmap) entryAt(i int) entry {
	v := b.View()
	return v.entryAt(i)
}

// readEntry makes e, which is the zero value, container i of a set that is writable, and so valid:
// written where it stays, see readSolo.
func (b *Bitmap) readEntry(i int, e *entry) {
	body := b.body()
	fields := (*[entryBytes]byte)(body[b.at+uint64(i*entryBytes):])
	first, second := binary.LittleEndian.Uint64(fields[:]), binary.LittleEndian.Uint64(fields[8:])
	e.key, e.n, e.kind = first>>16, int(first&0xFFFF)+1, uint8(second>>14&3)
	payload := body[second>>16:][:second&0x1FFF+1]
	if e.kind == container.Packed {
		e.low, payload = payload[0], payload[1:]
	}
	e.data = payload
}

func (b *Bitmap) blockAt(i int) container.Block {
	v := b.View()
	return v.blockAt(i)
}

func (b *Bitmap) search(key uint64) int {
	v := b.View()
	return v.search(key)
}
