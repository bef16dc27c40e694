// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Fields of a loose header and of an entry.
const (
	LooseRoomAt  = 24
	LooseHolesAt = 32
	entryUnused  = 1 << 13
	roomBits     = 14
)

// loose checks a directory whose payloads lie anywhere.
func (c *checker) loose(v *View) error {
	payloads := make([]uint64, 0, v.Count()+1) // offset << roomBits | bytes
	owned := uint64(HeaderLoose)
	from := uint64(Directory(v))
	directory := binary.LittleEndian.Uint64(v.bytes[LooseRoomAt:]) * EntryBytes
	owned += directory
	for i := range v.Count() {
		at := from + uint64(i*EntryBytes)
		if err := c.keys(v, i, at); err != nil {
			return err
		}
		second := binary.LittleEndian.Uint64(v.bytes[at+8:])
		if second&entryUnused != 0 {
			return c.corrupt("reserved bit 13 of an entry", 1, "0", at+8)
		}
		off, size := second>>16, second&0x1FFF+1
		room := RoomFor(size)
		if off < HeaderLoose {
			return c.corrupt("offset of a payload", off, "at least 40", at+8)
		}
		if off > uint64(len(v.bytes)) || room > uint64(len(v.bytes))-off {
			return c.truncated("offset of a payload", off, "a room inside the body", at+8)
		}
		if off < from+directory && off+room > from {
			return c.corrupt("offset of a payload", off, "a room outside the directory", at+8)
		}
		if err := c.container(v, i, v.bytes[off:off+size], off); err != nil {
			return err
		}
		payloads = append(payloads, off<<roomBits|room)
		owned += room
	}
	slices.Sort(payloads)
	end := uint64(0)
	for _, r := range payloads {
		off := r >> roomBits
		if off < end {
			return c.corrupt("offset of a payload", off, "behind the room before it", off)
		}
		end = off + r&(1<<roomBits-1)
	}
	if holes := binary.LittleEndian.Uint64(v.bytes[LooseHolesAt:]); holes != uint64(len(v.bytes))-owned {
		return c.corrupt("hole bytes", holes, "the bytes that nothing owns", LooseHolesAt)
	}
	return nil
}

// RoomFor returns the bytes that a payload of the given size owns: the smallest of 8, 16, 24, 32,
// 48, 64, 96, … that holds it.
func RoomFor(size uint64) uint64 {
	step := uint64(1) << ((max(bits.Len64(size-1), 5) - 2) & 63) // a quarter of the power of two that holds it
	return (size + step - 1) &^ (step - 1)
}
