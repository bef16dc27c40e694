// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"encoding/binary"
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/view"
)

const (
	compactAbove = 128     // bytes of holes that are never worth compacting
	compactKept  = 1 << 18 // bytes of a body up to which it is compacted in its own memory, from a copy
)

// compacted lends memory for copies of bodies: a set that grows frees more bytes than it has
// in the end, and would allocate them each time.
var compacted = sync.Pool{New: func() any { return new([]byte) }}

// compact rewrites the body without holes if they exceed a tenth of it. It does so, too, if half of
// the directory is unused.
func compact(b *Bitmap) {
	holes, room := holes(b), directoryRoom(b)
	if (holes < compactAbove || holes <= uint64(len(b.body()))/10) && (room < 64 || uint64(b.count) >= room/2) {
		return
	}
	compactOut(b)
}

// compactOut rewrites the body without holes.
func compactOut(b *Bitmap) {
	old, count, from := b.body(), b.count, int(b.at)
	size := 0
	for i := range count {
		_, n := payloadAt(b, i)
		size += int(view.RoomFor(uint64(n)))
	}
	if len(old) > compactKept {
		loose(b, count, size)
	} else {
		lent := compacted.Get().(*[]byte)
		defer compacted.Put(lent)
		*lent = append((*lent)[:0], old...)
		old = *lent
		looseIn(b, b.buf, count, size)
	}
	for i := range count {
		e := old[from+i*view.EntryBytes:]
		first, second := binary.LittleEndian.Uint64(e), binary.LittleEndian.Uint64(e[8:])
		off, n := second>>16, second&0x1FFF+1
		at := occupy(b, view.RoomFor(n))
		b.moved += uint64(copy(b.body()[at:], old[off:off+n]))
		enter(b, i, first, second&0xFFFF|at<<16)
	}
	setCount(b, count)
}

// loose makes the body a loose one of no containers, in memory of its own. There is space for count
// entries and some more in the directory, and for size bytes of payloads and some more.
func loose(b *Bitmap, count, size int) { looseIn(b, nil, count, size) }

// looseIn is loose in memory that is given, unless that is too small.
func looseIn(b *Bitmap, buf []byte, count, size int) {
	room := count + count/8 + 1
	head := view.HeaderLoose + room*view.EntryBytes
	total := looseHeader + head + size
	capacity := total + max(total/8, min(size, growBelow)/2)
	if b.changes == nil {
		buf = beginChanges(b, buf, capacity)
	}
	if cap(buf) < total {
		buf = make([]byte, looseHeader+head, capacity)
	}
	b.buf = buf[:looseHeader+head]
	clear(b.buf)
	b.buf[0], b.buf[1] = view.Magic, view.Version|3<<view.WidthShift
	body := b.buf[looseHeader:]
	body[0], body[1] = view.TagDirectory, view.WidthsLoose
	binary.LittleEndian.PutUint64(body[view.LooseAt:], view.HeaderLoose)
	binary.LittleEndian.PutUint64(body[view.LooseRoomAt:], uint64(room))
	b.code, b.head = view.ViewCode(view.FormLoose, 0, 0, 0)|view.EnvelopeCode(b.buf[1]), looseHeader
	b.at, b.count = view.HeaderLoose, 0
	resizeBody(b, head)
	b.list.clear()
}
