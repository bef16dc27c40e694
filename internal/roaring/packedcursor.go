// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// packedCursor is a Cursor on a list or a tight directory that knows only to go on: it reads fields
// where they stand, where a Cursor asks for each which form the directory has, and takes a third of
// its time for each chunk. What decodes the current block of a Cursor does so of a strider's.
type packedCursor struct {
	Cursor
	t     compactDir
	next  uint64 // key of the container behind the current one, beyond all keys if there is none
	plain bool   // the current container is not packed, and is the current block
}

// open makes s, which is the zero value, a strider before the first block of v. ok is false if v is
// no list and no tight directory.
func (s *packedCursor) open(v *View) (ok bool) {
	s.v = *v
	switch {
	case v.form() == formSolo:
		v.iterSolo(&s.it)
		s.packed, s.last, s.next = true, math.MaxUint64, container.MaxKey+1
		return true
	case !v.readCompactDir(&s.t):
		return false
	}
	s.i, s.next = -1, s.t.key(0)
	return true
}

// seek moves to the first block whose key is at least the given one, as Cursor.Seek does.
func (s *packedCursor) seek(key uint64) bool {
	for {
		if key >= s.next {
			s.enter(key)
		}
		switch {
		case s.packed:
			if s.it.Seek(key<<16 - s.base) {
				d, _ := s.it.Peek()
				if at := (s.base + d) >> 16; d <= s.last && at >= key { // else behind the container, or out of order
					s.key, s.chunkLen, s.decoded = at, 0, false
					return true
				}
			}
			s.packed = false
		case s.plain && s.key == key:
			return true
		}
		if s.next > container.MaxKey {
			return false
		}
		key = s.next
	}
}

// enter makes the last container whose key is at most the given one, which is at least that of the
// next, the current one.
func (s *packedCursor) enter(key uint64) {
	i := s.i + 1
	if i+1 < s.t.count && s.t.key(i+1) <= key {
		i = s.t.seek(i+1, key+1) - 1
	}
	from, start, end := s.t.key(i), s.t.start(i), s.t.end(i)
	s.i, s.next, s.packed, s.plain, s.decoded = i, container.MaxKey+1, false, false, false
	if i+1 < s.t.count {
		s.next = s.t.key(i + 1) // larger than the given key, in whatever order others are
	}
	s.base, s.last = from<<16, (s.next-from)<<16-1
	if end&3 != container.Packed {
		s.block = container.Block{}
		s.t.readBlock(&s.block, i, from, start, end)
		s.key, s.plain, s.decoded = from, true, true
		return
	}
	_, data := s.t.payloadOf(start, end)
	p := s.t.packed(i, data)
	s.it.Reset(&p)
	s.packed = true
}

// meetStriding is meet for striders: it moves both to the next key from the given one on that both
// have.
func meetStriding(a, b *packedCursor, key uint64) bool {
	for key <= container.MaxKey && a.seek(key) && b.seek(a.key) {
		if a.key == b.key {
			return true
		}
		key = b.key
	}
	return false
}

// strideLen returns how many values two sets have in common that are lists or tight directories; ok
// is false of others.
func strideLen(v, o *View) (n uint64, ok bool) {
	var a, b packedCursor
	if !a.open(v) || !b.open(o) {
		return 0, false
	}
	for key := uint64(0); meetStriding(&a, &b, key); key++ {
		switch {
		case b.plain && a.meetsArray(&b):
			n += a.inArrays(nil, &b)
			key = a.key
		case a.plain && b.meetsArray(&a):
			n += b.inArrays(nil, &a)
			key = b.key
		default:
			n += uint64(meetingLen(&a.Cursor, &b.Cursor))
			key = a.key
		}
	}
	a.Release()
	b.Release()
	return n, true
}

// andStride appends what strideLen counts.
func (c *result) andStride(v, o *View) (ok bool) {
	var a, b packedCursor
	if !a.open(v) || !b.open(o) {
		return false
	}
	for key := uint64(0); meetStriding(&a, &b, key); key++ {
		switch {
		case b.plain && a.meetsArray(&b):
			a.inArrays(c, &b)
			key = a.key
		case a.plain && b.meetsArray(&a):
			b.inArrays(c, &a)
			key = b.key
		default:
			c.andMeeting(&a.Cursor, &b.Cursor)
			key = a.key
		}
	}
	a.Release()
	b.Release()
	return true
}

// meetsArray reports whether the current block, which is packed, is compared with that of o, which
// is not, as it is decoded, because that one is an array of many values.
func (s *packedCursor) meetsArray(o *packedCursor) bool {
	return s.packed && o.block.Kind == container.Array && inArray(&s.Cursor, o.block.Data)
}

// inArrays returns how many values of the current block, which is packed, the current one of o has,
// for which meetsArray holds, and those of the next chunks as long as it does and no chunk lies
// between; or it appends them to c, if that is not nil. What is left of a chunk behind an array is
// not sought through: it is a few values, which the next array passes. The last chunk is the key of
// s.
func (s *packedCursor) inArrays(c *result, o *packedCursor) (n uint64) {
	for {
		from, array := s.key<<16-s.base, o.block.Data
		if c == nil {
			n += uint64(s.it.InArray(array, from))
		} else {
			lows := c.room(len(array) + kernel.BitsRoom)
			c.keepLows(s.key, lows[:2*s.it.LowsInArray(lows, array, from)])
		}
		key := s.key + 1
		if o.next != key || s.next <= key || s.it.Left() == 0 {
			return n
		}
		if o.enter(key); !o.plain || !s.meetsArray(o) {
			return n
		}
		s.key = key
	}
}
