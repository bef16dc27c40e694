// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// packedCursor is a Cursor on a list or a tight directory that knows only to go on: it reads fields
// where they stand, where a Cursor asks for each which form the directory has, and takes a third of
// its time for each chunk. What decodes the current block of a Cursor does so of a packed cursor's.
type packedCursor struct {
	view.Cursor
	t        view.CompactDir
	next     uint64 // key of the container behind the current one, beyond all keys if there is none
	unpacked bool   // the current container is not packed, and is the current block
}

// open makes s, which is the zero value, a packed cursor before the first block of v. ok is false
// if v is no list and no tight directory.
func (s *packedCursor) open(v *view.View) (ok bool) {
	s.V = *v
	switch {
	case v.Form() == view.FormList:
		view.IterList(v, &s.It)
		s.Packed, s.Last, s.next = true, math.MaxUint64, container.MaxKey+1
		return true
	case !view.ReadCompactDir(v, &s.t):
		return false
	}
	s.I, s.next = -1, s.t.Key(0)
	return true
}

// seek moves to the first block whose key is at least the given one, as Cursor.Seek does.
func (s *packedCursor) seek(key uint64) bool {
	for {
		if key >= s.next {
			s.enter(key)
		}
		switch {
		case s.Packed:
			if s.It.Seek(key<<16 - s.Base) {
				d, _ := s.It.Peek()
				if at := (s.Base + d) >> 16; d <= s.Last && at >= key { // else behind the container, or out of order
					s.Pos, s.ChunkLen, s.Decoded = at, 0, false
					return true
				}
			}
			s.Packed = false
		case s.unpacked && s.Pos == key:
			return true
		}
		if s.next > container.MaxKey {
			return false
		}
		key = s.next
	}
}

// enter moves to the last container whose key is at most the given one. That is at least the key of
// the next container.
func (s *packedCursor) enter(key uint64) {
	i := s.I + 1
	if i+1 < s.t.Count && s.t.Key(i+1) <= key {
		i = s.t.Seek(i+1, key+1) - 1
	}
	from, start, end := s.t.Key(i), s.t.Start(i), s.t.End(i)
	s.I, s.next, s.Packed, s.unpacked, s.Decoded = i, container.MaxKey+1, false, false, false
	if i+1 < s.t.Count {
		s.next = s.t.Key(i + 1) // larger than the given key, in whatever order others are
	}
	s.Base, s.Last = from<<16, (s.next-from)<<16-1
	if end&3 == container.Packed {
		_, data := s.t.PayloadOf(start, end)
		if p, ok := s.t.Packed(i, data); ok {
			s.It.Reset(&p)
			s.Packed = true
			return
		}
	}
	s.Current = container.Block{}
	s.t.ReadBlock(&s.Current, i, from, start, end)
	s.Pos, s.unpacked, s.Decoded = from, true, true
}

// meetPacked is meet for packed cursors: it moves both to the next key from the given one on that
// both have.
func meetPacked(a, b *packedCursor, key uint64) bool {
	for key <= container.MaxKey && a.seek(key) && b.seek(a.Pos) {
		if a.Pos == b.Pos {
			return true
		}
		key = b.Pos
	}
	return false
}

// strideLen returns how many values two lists or tight directories have in common. ok is false of
// other sets.
func strideLen(v, o *view.View) (n uint64, ok bool) {
	var a, b packedCursor
	if !a.open(v) || !b.open(o) {
		return 0, false
	}
	for key := uint64(0); meetPacked(&a, &b, key); key++ {
		switch {
		case b.unpacked && a.meetsArray(&b):
			n += a.inArrays(nil, &b)
			key = a.Pos
		case a.unpacked && b.meetsArray(&a):
			n += b.inArrays(nil, &a)
			key = b.Pos
		default:
			n += uint64(meetingLen(&a.Cursor, &b.Cursor))
			key = a.Pos
		}
	}
	a.Release()
	b.Release()
	return n, true
}

// andStride appends what strideLen counts.
func (c *result) andStride(v, o *view.View) (ok bool) {
	var a, b packedCursor
	if !a.open(v) || !b.open(o) {
		return false
	}
	for key := uint64(0); meetPacked(&a, &b, key); key++ {
		switch {
		case b.unpacked && a.meetsArray(&b):
			a.inArrays(c, &b)
			key = a.Pos
		case a.unpacked && b.meetsArray(&a):
			b.inArrays(c, &a)
			key = b.Pos
		default:
			c.andMeeting(&a.Cursor, &b.Cursor)
			key = a.Pos
		}
	}
	a.Release()
	b.Release()
	return true
}

// meetsArray reports whether the current packed block is compared with that of o while decoding.
// This is so if o has an array of many values.
func (s *packedCursor) meetsArray(o *packedCursor) bool {
	return s.Packed && o.Current.Kind == container.Array && inArray(&s.Cursor, o.Current.Data)
}

// inArrays counts the values that the packed block of s and the array of o share. It appends them
// to c unless that is nil. It goes on with the next chunks, as long as meetsArray holds and no
// chunk lies between. It does not seek through what is left of a chunk behind an array: it is a few
// values, which the next array passes. The last chunk is the key of s.
func (s *packedCursor) inArrays(c *result, o *packedCursor) (n uint64) {
	for {
		from, array := s.Pos<<16-s.Base, o.Current.Data
		if c == nil {
			n += uint64(s.It.InArray(array, from))
		} else {
			lows := c.free(len(array) + eliasfano.BitsRoom)
			c.appendLows(s.Pos, lows[:2*s.It.LowsInArray(lows, array, from)])
		}
		key := s.Pos + 1
		if o.next != key || s.next <= key || s.It.Left() == 0 {
			return n
		}
		if o.enter(key); !o.unpacked || !s.meetsArray(o) {
			return n
		}
		s.Pos = key
	}
}
