// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// changes is what a Bitmap knows beside its bytes since it is changed.
type changes struct {
	at    uint64 // while it is writable: offset of its directory
	count int    // and the number of its containers
	moved uint64
	list  freeList
	found int // container that find found last
}

// firstBytes is the largest loose body, envelope included, that a set keeps beside its first
// changes.
const firstBytes = 88

// firstChanges is changes together with memory for the loose body of a few values.
type firstChanges struct {
	changes
	room [firstBytes]byte
}

// beginChanges makes b ready to note changes. It returns the memory given or, if that is none, some
// for as many bytes, unless these are many.
func beginChanges(b *Bitmap, buf []byte, size int) []byte {
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
	return v.Form()
}

func (b *Bitmap) keyAt(i int) uint64 {
	v := b.View()
	return v.KeyAt(i)
}

func (b *Bitmap) kindAt(i int) uint8 {
	v := b.View()
	return v.KindAt(i)
}

func (b *Bitmap) cardAt(i int) int {
	v := b.View()
	return v.CardAt(i)
}

func (b *Bitmap) entryAt(i int) view.Entry {
	v := b.View()
	return v.EntryAt(i)
}

// readEntry makes e, which is the zero value, container i of a set that is writable, and so valid:
// written where it stays, see view.ReadList.
func (b *Bitmap) readEntry(i int, e *view.Entry) {
	body := b.body()
	fields := (*[view.EntryBytes]byte)(body[b.at+uint64(i*view.EntryBytes):])
	first, second := binary.LittleEndian.Uint64(fields[:]), binary.LittleEndian.Uint64(fields[8:])
	e.Key, e.N, e.Kind = first>>16, int(first&0xFFFF)+1, uint8(second>>14&3)
	payload := body[second>>16:][:second&0x1FFF+1]
	if e.Kind == container.Packed {
		e.Low, payload = payload[0], payload[1:]
	}
	e.Data = payload
}

func (b *Bitmap) blockAt(i int) container.Block {
	v := b.View()
	return v.BlockAt(i)
}

func (b *Bitmap) search(key uint64) int {
	v := b.View()
	return v.Search(key)
}
